#include "order.h"

#include <math.h>
#include <stdlib.h>

/* Up to here insertion is quicker than a call through a pointer; most sorts are of a few players. */
enum { FEW = 16 };

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    if (a == b) return (signbit(b) != 0) - (signbit(a) != 0); /* -0.0 first: the order must not be qsort's choice */
    return (a > b) - (a < b);
}

void linex_sort(size_t count, double *values)
{
    if (count > FEW) {
        qsort(values, count, sizeof *values, ascending);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        double value = values[i];
        size_t j = i;
        for (; j > 0 && values[j - 1] > value; j--) values[j] = values[j - 1];
        values[j] = value;
    }
}

double linex_quantile(size_t count, const double *sorted, double share)
{
    double position = share * (double)(count - 1);
    size_t below = (size_t)position;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}
