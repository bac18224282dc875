/* sort.c: Shell sort, and quantiles of sorted numbers. */
#include "base/sort.h"

#include <math.h>
#include <stdbool.h>

static size_t first_gap(size_t count)
{
    size_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    return gap;
}

/* Shell sort with Knuth's gaps. For a few players it is a plain insertion sort. For many draws it is faster than
 * qsort, which calls a function for each comparison. */
void linex_sort(size_t count, double *values)
{
    for (size_t gap = first_gap(count); gap > 0; gap /= 3) {
        for (size_t i = gap; i < count; i++) {
            double value = values[i];
            size_t j = i;
            for (; j >= gap && values[j - gap] > value; j -= gap) values[j] = values[j - gap];
            values[j] = value;
        }
    }
}

static bool comes_later(const double *values, uint32_t a, uint32_t b)
{
    return values[a] > values[b] || (values[a] == values[b] && a > b);
}

void linex_sort_order(size_t count, const double *values, uint32_t *order)
{
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    for (size_t gap = first_gap(count); gap > 0; gap /= 3) {
        for (size_t i = gap; i < count; i++) {
            uint32_t index = order[i];
            size_t j = i;
            for (; j >= gap && comes_later(values, order[j - gap], index); j -= gap) order[j] = order[j - gap];
            order[j] = index;
        }
    }
}

double linex_quantile(size_t count, const double *sorted, double share)
{
    double position = share * (double)(count - 1);
    size_t below = (size_t)position;
    if (below + 1 >= count) return sorted[count - 1];
    double part = position - (double)below, step = sorted[below + 1] - sorted[below];
    /* Between huge numbers of opposite signs, the step overflows although the quantile does not. */
    return isfinite(step) ? sorted[below] + part * step : (1 - part) * sorted[below] + part * sorted[below + 1];
}
