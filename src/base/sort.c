/* sort.c: Shell sort, and quantiles of sorted numbers. */
#include "base/sort.h"

#include <math.h>

/* Shell sort with Knuth's gaps. For a few players it is a plain insertion sort. For many draws it is faster than
 * qsort, which calls a function for each comparison. */
void linex_sort(size_t count, double *values)
{
    size_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (size_t i = gap; i < count; i++) {
            double value = values[i];
            size_t j = i;
            for (; j >= gap && values[j - gap] > value; j -= gap) values[j] = values[j - gap];
            values[j] = value;
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
