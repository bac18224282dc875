/* explaining.h: one explanation from answers that need no adjusting, as a task. */
#ifndef LINEX_EXPLAINING_H
#define LINEX_EXPLAINING_H

#include "explain/environment_fits.h"

/* linex_explain_start, except that it never adjusts the answers: samples.adjustment says what the fits see, if it is
 * set. It is read after the start, so it may be filled until then.
 *
 * wide_player  NULL for callers that do without games of wide fits, whose code the linker then drops. The task ends with
 *              LINEX_BAD_ARGUMENT if there is such a game: see linex_fits.low_rank */
linex_status linex_explaining_start(const linex_samples *samples, const double *at, const linex_settings *settings,
                                    const linex_wide_player *wide_player, linex_explanation *explanation,
                                    linex_task **task);

#endif
