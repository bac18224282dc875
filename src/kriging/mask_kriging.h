/* mask_kriging.h: kriging of the answers to masks: its settings, and its posterior mean.
 *
 * The answers, in standard deviations from their mean, are taken as a Gaussian process with the covariance
 *
 *     100 + l agreement + f bell + t terms . terms' / 7 + 4 p products . products' / P
 *         + g (mean weight / weight) [same sample]
 *
 * agreement and bell are those of mask_kernel.h, the terms those of bend_terms.h. The P products are those of neighbors
 * there, each less its linear part; with many parts there are none. Each prediction is thus a constant, a linear function,
 * and what is left, m. Its linear part under the law of the masks is known exactly. The noise of a sample is inverse to its
 * weight, because the answers to masks of small weight need not be met.
 *
 * The settings l, f, t, p, g and the reach of the bells have the smallest leave-one-out error found, weighted and on the
 * first samples: first for equal relevances, without terms and products, then for relevances and terms along the slopes of
 * that fit, or along those of least squares if there are more samples than are fitted. */
#ifndef LINEX_MASK_KRIGING_H
#define LINEX_MASK_KRIGING_H

#include "kriging/mask_covariance.h"

/* Makes room. The points and the law are kept, not copied. Close it in either case.
 *
 * points   masks
 * law      with sizes
 * weights  count, none negative
 * answers  count
 * fitted   at most this many samples are fitted */
linex_status linex_mask_kriging_open(const linex_points *points, const linex_law *law, const double *weights,
                                     const double *answers, size_t fitted, linex_mask_kriging *opened);
void linex_mask_kriging_close(linex_mask_kriging *kriging);

/* Chooses settings and finds the posterior mean, in slices. It cannot fail: if the numbers are too large to compute with,
 * `computable` becomes false. */
linex_status linex_mask_kriging_advance(linex_mask_kriging *kriging, linex_slice *slice);

#endif
