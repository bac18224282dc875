/* certificate.h: splits s among the players and measures how far the split is from an equilibrium. */
#ifndef LINEX_CERTIFICATE_H
#define LINEX_CERTIFICATE_H

#include "linex.h"
#include "base/task.h"

/* A game at one s, as far as the certificate sees it: the same for games given by Gram matrices and by samples. The
 * pulls must be computed from the game itself, not updated along the way by a solver. */
typedef struct {
    size_t players, feature_count;
    double gamma;
    const double *prices;    /* players: what each player pays per unit of |s|_1 */
    const double *weights;   /* feature_count: s */
    const double *pulls;     /* players x feature_count: b_i - G_i s */
    const double *diagonals; /* players x feature_count: G_i[c][c] */
    double slack;            /* if a price is above 0: by how much |s|_1 is below its bound; otherwise 0 */
} linex_standing;

/* Splits s among the players: a player that prefers more than s_c is at +gamma, one that prefers less at -gamma, and
 * the players at the margin share the rest. No strategy is beyond gamma, so the strategies of an s that the players
 * cannot reach do not add up to it.
 *
 * preferences  players: scratch
 * strategies   players x feature_count */
void linex_standing_split(const linex_standing *standing, double *preferences, double *strategies);

/* Returns the residual of linex_game_report: the largest of
 * - what a player would still move along a coordinate, within its limits,
 * - what a strategy is beyond gamma,
 * - what the strategies of a feature miss s_c by, beyond the rounding of their sum,
 * - the slack: nobody pays for a bound that is not reached,
 * divided by gamma, or by the largest weight that any player prefers if that is smaller. DBL_MAX if it is not finite. */
double linex_standing_residual(const linex_standing *standing, const double *strategies);

/* Computes b_i - G_i s for every player, with so many digits that rounding cannot hide a move: the sums are computed
 * with twice the digits wherever their terms cancel. NaN where gamma and G are so small that products underflow. In
 * slices.
 *
 * grams    players x feature_count x feature_count
 * targets  players x feature_count
 * pulls    players x feature_count */
linex_status linex_pulls_certify(size_t players, size_t feature_count, const double *grams, const double *targets,
                                 double gamma, const double *weights, double *pulls, linex_cursor *at,
                                 linex_slice *slice);

#endif
