/* adjusting.h: takes noise out of the answers before anything is fitted to them.
 *
 * A control variate m(x) is fitted to the answers. Its linear part under the law of the samples is known exactly, so
 * m less its linear part is only noise to a linear fit, and is subtracted. */
#ifndef LINEX_ADJUSTING_H
#define LINEX_ADJUSTING_H

#include "linex.h"
#include "base/task.h"

typedef struct linex_adjusting linex_adjusting;

/* Whether the answers are to be adjusted: the law is known, the intercept is free, there are enough samples, and the
 * environments are random parts of them. Other environments look for what changes from place to place, so they see the
 * answers as they are. */
bool linex_adjusting_is_due(const linex_samples *samples, const linex_settings *settings);

/* Returns NULL without memory. The inputs are kept, not copied.
 *
 * totals  count: the weight of all copies of a point */
linex_adjusting *linex_adjusting_new(const linex_samples *samples, const linex_settings *settings,
                                     const double *totals);
void linex_adjusting_free(linex_adjusting *adjusting);

linex_status linex_adjusting_advance(linex_adjusting *adjusting, linex_slice *slice);

/* Results: the adjusted answers, which are those of the samples for LINEX_ADJUSTED_NONE; what was used; and the ridge
 * for all fits, which may be LINEX_RIDGE_AUTO. */
const double *linex_adjusting_answers(const linex_adjusting *adjusting);
linex_adjusted linex_adjusting_result(const linex_adjusting *adjusting);
double linex_adjusting_ridge(const linex_adjusting *adjusting);

#endif
