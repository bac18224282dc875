/* fidelity.h: how well a linear explanation fits all samples. */
#ifndef LINEX_FIDELITY_H
#define LINEX_FIDELITY_H

#include "base/points.h"
#include "base/task.h"

/* Sums over the samples; all zeros at the start. */
typedef struct {
    linex_cursor cursor;
    double total, answer, rest; /* of the weights, the answers, and what the fits saw minus the prediction */
    double missed, varied;      /* of squares */
} linex_fidelity;

/* Adds up what the intercept comes from, in slices.
 *
 * seen     count: the answers as the fits see them
 * answers  count: what the model said
 * totals   count: the weights of the samples
 * weights  size: of the first `size` columns
 * scratch  points->feature_count */
linex_status linex_fidelity_add(linex_fidelity *fidelity, const linex_points *points, const double *seen,
                                const double *answers, const double *totals, size_t size, const double *weights,
                                double *scratch, linex_slice *slice);

/* Returns the intercept that fits all samples best: the weighted mean of what the fits saw minus the prediction. */
double linex_fidelity_intercept(const linex_fidelity *fidelity);

/* Adds up the squares of what the explanation misses, and of how much the answers vary, in slices. */
linex_status linex_fidelity_measure(linex_fidelity *fidelity, const linex_points *points, const double *answers,
                                    const double *totals, size_t size, const double *weights, double intercept,
                                    double *scratch, linex_slice *slice);

/* Returns the weighted R^2. */
double linex_fidelity_share(const linex_fidelity *fidelity);

#endif
