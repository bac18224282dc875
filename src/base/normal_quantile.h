/* normal_quantile.h: quantiles of the standard normal distribution, in plain arithmetic.
 *
 * The relative error is below 4e-10, and the bits are the same on every platform: see elementary.h.
 */
#ifndef LINEX_NORMAL_QUANTILE_H
#define LINEX_NORMAL_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

enum { LINEX_NORMALS_BLOCK = 128 }; /* numbers that are made together */

/* Converts words to normal numbers: the quantiles of the shares (word + 1/2) / 2^32. A word and its complement give
 * opposite numbers.
 *
 * words, normals  LINEX_NORMALS_BLOCK each */
void linex_normals_from(const uint32_t *words, double *normals);

/* Returns about how many of the 2^32 words give numbers below z, as a share of them: the share of the distribution that
 * is below z, within 2^-29. */
double linex_normal_share(double z);

#endif
