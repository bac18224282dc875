/* adjusting.h: takes noise out of the answers before anything is fitted to them.
 *
 * A control variate m(x) is fitted to the answers. Its linear part under the law of the samples is known exactly, so
 * m less its linear part is only noise to a linear fit, and is subtracted. */
#ifndef LINEX_ADJUSTING_H
#define LINEX_ADJUSTING_H

#include "adjust/control.h"

/* Returns how the answers of these samples are adjusted, if that is due. */
const linex_control_kind *linex_adjusting_kind(const linex_samples *samples);

/* Whether the answers are to be adjusted: the law is known, the intercept is free, there are enough samples, the
 * environments are random parts of them, and the answers vary. Other environments look for what changes from place to
 * place, so they see the answers as they are. The arguments need not be checked yet. */
bool linex_adjusting_is_due(const linex_control_kind *kind, const linex_samples *samples,
                            const linex_settings *settings);

/* linex_answers_adjust_start with a given kind of control variate. */
linex_status linex_adjusting_start(const linex_control_kind *kind, const linex_samples *samples,
                                   const linex_settings *settings, linex_adjustment *adjustment, linex_task **task);

#endif
