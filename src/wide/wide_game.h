/* wide_game.h: solves games that have more features than samples, or nearly, without Gram matrices.
 *
 * wide_form.h has the equations. The steps, each in slices (base/task.h):
 *
 * 1. Every environment's own ridge fit gives gamma; their mean is the first s. If gamma is given, s is the fit to all.
 * 2. Sweeps set one feature after the other to its players' rest point, until few pieces change.
 * 3. Damped Newton steps solve for the pieces exactly, until a solution has the pieces it was solved for. If they get
 *    stuck, sweeps go on from there, and so on by turns.
 * 4. If that fails, the exact path of the piecewise linear equations is followed (wide_path.h).
 * 5. If that fails too, the game is solved at a larger ridge, which is then lowered step by step.
 *
 * From a ridge of a tenth of the median energy of the columns on, games end at step 3 or 4. Below a twentieth there can
 * be several equilibria, and the work grows fast as the ridge falls. The result is certified from the points
 * themselves. It is not certified if rounding could hide a move, which takes a gamma far below the fits.
 */
#ifndef LINEX_WIDE_GAME_H
#define LINEX_WIDE_GAME_H

#include "linex.h"
#include "base/task.h"

typedef struct linex_wide linex_wide;

/* Prepares a game. G_i = (X'C_i X + ridge I) / sum(w_i) and b_i = X'C_i y / sum(w_i), as in linex_moments_take; an
 * environment without weight prefers zero everywhere. Release the game with linex_wide_free.
 *
 * points     count x feature_count; kept, not copied, like the other arrays
 * answers    count
 * weights    players x count: the environments, none negative
 * centered   whether the intercept is free
 * ridge      > 0, as scikit-learn's alpha
 * gamma      0 means the largest |coefficient| in the ridge fits of the single environments
 * tolerance  of the residual; > 0
 * Returns NULL without memory. */
linex_wide *linex_wide_new(const linex_points *points, const double *answers, size_t players, const double *weights,
                           bool centered, double ridge, double gamma, double tolerance);

/* Limits the work of linex_wide_solve, in multiply-adds. The game then gives up soon after, with its best s. The
 * default is linex_game_allowance, with nothing spent. */
void linex_wide_limit(linex_wide *wide, double work);

/* Solves the game, in slices. LINEX_OK when finished, also if the result is not certified (report.converged is false).
 * LINEX_UNFINISHED, LINEX_NO_MEMORY, LINEX_DEGENERATE if rounding makes the fit of an environment singular, or
 * LINEX_OVERFLOW if the points are too large. */
linex_status linex_wide_solve(linex_wide *wide, linex_slice *slice);

/* Returns the share of the work that is done, in [0, 1]: an estimate that never falls. */
double linex_wide_progress(const linex_wide *wide);

/* The results are valid after linex_wide_solve returned LINEX_OK. */
const double *linex_wide_weights(const linex_wide *wide);    /* feature_count: s */
const double *linex_wide_strategies(const linex_wide *wide); /* players x feature_count: they add up to s */
double linex_wide_gamma(const linex_wide *wide);             /* 0 if every fit is all zeros */
linex_game_report linex_wide_report(const linex_wide *wide); /* rounds are sweeps, Newton steps and corners */
double linex_wide_work(const linex_wide *wide);              /* multiply-adds so far, about */

/* If the game did not converge: the smallest ridge at which it was solved and certified, with the same gamma, or 0 if
 * there is none. Otherwise 0. */
double linex_wide_certified_ridge(const linex_wide *wide);

void linex_wide_free(linex_wide *wide);

#endif
