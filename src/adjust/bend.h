/* bend.h: finds how the answers bend along the first fit, as control variates whose linear part is known exactly.
 *
 * The terms of bend_terms.h, and for rows steps of the ten leading columns, are fitted together with the features. The
 * fit gives a new direction, and is made again with it, and with products of columns or parts. What the terms explain,
 * less its linear part under the law of the samples, is noise to a linear fit. The penalties of the steps and of the
 * products, the products, the degree of the terms and the ridge of masks are those with the smallest leave-one-out
 * error. LIME's fit is among the candidates. */
#ifndef LINEX_BEND_H
#define LINEX_BEND_H

#include "adjust/control.h"

typedef struct linex_bend linex_bend;

/* Returns NULL without memory. The inputs are kept, not copied.
 *
 * law      of the points
 * weights  count, of all copies of a point
 * answers  count
 * ridge    as scikit-learn's alpha, or LINEX_RIDGE_AUTO: 1 for rows, one of 1, 0.3 and 0.1 for masks */
linex_bend *linex_bend_new(const linex_points *points, const linex_law *law, const double *weights,
                           const double *answers, double ridge);
void linex_bend_free(linex_bend *bend);

/* Fits in slices. If a fit is singular or not finite, nothing is bent. */
linex_status linex_bend_advance(linex_bend *bend, linex_slice *slice);

/* Results. The control is what to subtract from the answers; NULL if LIME's fit is best. The residuals are those of the
 * answers, each from a fit without its sample. The gain is LIME's leave-one-out error divided by that of the fit, >= 1. */
const double *linex_bend_control(const linex_bend *bend);
const double *linex_bend_residuals(const linex_bend *bend);
double linex_bend_gain(const linex_bend *bend);
double linex_bend_ridge(const linex_bend *bend);

/* Bends as control variates, for rows and masks. */
const linex_control_kind *linex_bend_control_kind(void);

#endif
