/* certificate_check.h: checks in 113 bits, and without the library, that a solved game is an equilibrium. */
#ifndef LINEX_CERTIFICATE_CHECK_H
#define LINEX_CERTIFICATE_CHECK_H

#include "linex.h"

/* Returns NULL if the game did not converge or if the solution is what `converged` promises:
 *   |w_i| <= gamma, the w_i add up to s, |s|_1 <= l1, a price is paid only if the l1 bound is active, and no player
 *   gains by a move along a coordinate that is longer than twice the tolerance.
 * Otherwise returns the sentence that is not true. */
const char *certificate_fault(size_t players, size_t feature_count, const double *grams, const double *targets,
                              const linex_game_settings *settings, const double *weights, const double *strategies,
                              const linex_game_report *report);

#endif
