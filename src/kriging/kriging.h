/* kriging.h: a control variate from kriging, for few samples of rows.
 *
 * The answers, in standard deviations from their mean, are taken as a Gaussian process with the covariance
 *
 *     100 + 8 products / d + a steps + f bells(length) + g [same sample]
 *
 * (see kriging_kernels.h). m(x) is the part of its posterior mean that belongs to the steps and the bells. The control
 * variate is m(x) - lin(x), with lin the exact linear part of m under the law: adding or subtracting it does not change
 * the linear part of the answers, but m explains much of what else is in them. The settings a, f, length and g have the
 * smallest leave-one-out error found, weighted and on the first samples. So have the relevances of the columns: they
 * are either equal or follow the slopes of a first fit. If a = f = 0 is as good, kriging is off. */
#ifndef LINEX_KRIGING_H
#define LINEX_KRIGING_H

#include "adjust/control.h"
#include "adjust/law.h"

typedef struct linex_kriging linex_kriging;

/* Starts kriging. The inputs are finite and are copied. Returns NULL if there is not enough memory: it takes about
 * 8 count^2 bytes. Free the result with linex_kriging_free.
 *
 * count    samples, at least 1
 * points   count x feature_count
 * laws     feature_count; columns whose spread is 0 are left out
 * levels   behind binary columns; NULL if they are not known
 * weights  count, none negative
 * answers  count */
linex_kriging *linex_kriging_new(size_t count, size_t feature_count, const double *points,
                                 const linex_column_law *laws, const linex_levels *levels, const double *weights,
                                 const double *answers);

/* Goes on. Returns LINEX_UNFINISHED at the end of the slice and LINEX_OK at the end. It cannot fail: if the numbers are
 * too large to compute with, kriging is off. */
linex_status linex_kriging_advance(linex_kriging *kriging, linex_slice *slice);

/* The results, once it is finished. They are views, valid until the kriging is freed. */

/* count: m - lin at the samples; zeros if kriging is off */
const double *linex_kriging_control(const linex_kriging *kriging);

/* count: each answer minus its prediction from the other samples. If the numbers are too large, or the answers do not
 * vary, these are differences from the weighted mean. */
const double *linex_kriging_residuals(const linex_kriging *kriging);

/* The weighted leave-one-out error of the first samples with kriging off, relative to that with the chosen settings: at
 * least 1, and 1 if kriging is off. */
double linex_kriging_gain(const linex_kriging *kriging);

/* The chosen settings of the covariance. */
typedef struct {
    double steps, bells, length, nugget; /* a, f, length and g */
} linex_kriging_settings;

linex_kriging_settings linex_kriging_choice(const linex_kriging *kriging);

/* NULL is fine. */
void linex_kriging_free(linex_kriging *kriging);

/* Kriging as a control variate, for rows with at most LINEX_MOST_KRIGED samples. */
const linex_control_kind *linex_kriging_control_kind(void);

#endif
