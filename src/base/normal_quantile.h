/* normal_quantile.h: quantiles of the standard normal distribution, in plain arithmetic.
 *
 * The relative error is below 4e-10, and the bits are the same on every platform: see elementary.h.
 */
#ifndef LINEX_NORMAL_QUANTILE_H
#define LINEX_NORMAL_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

/* Converts words to normal numbers: the quantiles of the shares (word + 1/2) / 2^32. A word and its complement give
 * opposite numbers.
 *
 * words    count
 * normals  count */
void linex_normals_from(size_t count, const uint32_t *words, double *normals);

/* Returns the number z that a share of the distribution is below. Shares below 2^-50 count as 2^-50, shares above
 * 1 - 2^-50 as 1 - 2^-50. */
double linex_normal_quantile(double share);

/* Returns the share of the distribution that is below z: the inverse of linex_normal_quantile. */
double linex_normal_share(double z);

#endif
