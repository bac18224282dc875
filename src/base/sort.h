/* sort.h: sorted numbers. */
#ifndef LINEX_ORDER_H
#define LINEX_ORDER_H

#include <stddef.h>

/* Ascending, in place. */
void linex_sort(size_t count, double *values);

/* Between the order statistics by linear interpolation, as numpy's percentile does it.
 *
 * sorted  count > 0, ascending
 * share   0 for the smallest, 0.5 for the median, 1 for the largest */
double linex_quantile(size_t count, const double *sorted, double share);

#endif
