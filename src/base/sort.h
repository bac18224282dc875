/* sort.h: sorting numbers, and quantiles of sorted numbers. */
#ifndef LINEX_SORT_H
#define LINEX_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts the values in ascending order, in place. */
void linex_sort(size_t count, double *values);

/* Sorts the indices 0 .. count - 1 by their values; equal values stay in order.
 *
 * count  below 2^32
 * order  count: filled */
void linex_sort_order(size_t count, const double *values, uint32_t *order);

/* Returns a quantile by linear interpolation between the order statistics, as numpy's percentile does by default.
 *
 * sorted  count > 0, ascending
 * share   0 for the smallest, 0.5 for the median, 1 for the largest */
double linex_quantile(size_t count, const double *sorted, double share);

#endif
