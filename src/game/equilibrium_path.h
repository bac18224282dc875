/* equilibrium_path.h: every equilibrium on the way from silence to the full game.
 *
 * k players share the coefficients s. Player i pulls feature c by
 *
 *     r_ic = (b_i - G_i s)_c
 *
 * and, while a price lambda is put on |s|_1, it is content where r_ic = lambda sign(s_c), or |r_ic| <= lambda
 * at s_c = 0. It may add anything in [-gamma, gamma], so s is an equilibrium when, for every feature, s_c /
 * gamma is the number of players pushing up minus the number pushing down, contented ones filling the gap.
 *
 * At a price above every |b_ic| silence (s = 0) is the only equilibrium. Lowering the price, s moves along a
 * piecewise linear path. Each feature is in one of three places:
 *
 *     ZERO    s_c = 0, with at most half of the players pushing either way;
 *     GRID    s_c = m gamma, nobody content: the pushes and the limits fix it;
 *     PLAYER  one player is content and its equation G_i[c] s = b_ic - lambda sign(s_c) fixes s_c.
 *
 * A corner of the path (a pivot) changes the place of one feature, so the matrix of the system changes in one
 * row and its inverse by a rank-one update. The price may rise again for a while (the game is not a single
 * convex problem); the path itself never turns. Since s = 0 is alone at high prices and |s_c| <= k gamma
 * throughout, without ties it can only end where we want it: at lambda = 0, or where |s|_1 reaches the norm.
 *
 * With one player and no limit this is the lasso path (Osborne, Presnell, Turlach 2000), and select.c uses it
 * so.
 */
#ifndef LINEX_PATH_H
#define LINEX_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "linex.h"

typedef struct linex_path linex_path;

/* Stands at the start: s = 0, the price at the largest |b_ic|.
 *
 * grams    players x feature_count x feature_count; kept, not copied
 * targets  players x feature_count; copied
 * gamma    > 0, may be INFINITY with one player
 * jitter   each b_ic is moved by up to this fraction of its natural size, to break ties; 0 for none
 * Returns NULL when out of memory. */
linex_path *linex_path_new(size_t players, size_t feature_count, const double *grams, const double *targets,
                           double gamma, double jitter);
void linex_path_free(linex_path *path);

/* Walks to the next corner, or to the end: lambda = 0 or |s|_1 = norm, whichever comes first; norm may be
 * INFINITY. Sets *ended there. LINEX_NOT_CONVERGED when a corner cannot be passed (ties that no rounding
 * broke). */
linex_status linex_path_step(linex_path *path, double norm, bool *ended);

/* The present equilibrium, feature_count values; valid until the next step. */
const double *linex_path_weights(const linex_path *path);
double linex_path_price(const linex_path *path);

/* Solves the present system afresh with these targets (players x feature_count, without jitter), for the last digits.
 * At |s|_1 = norm the price is an unknown too. LINEX_DEGENERATE when the system is singular. */
linex_status linex_path_polish(linex_path *path, const double *targets, double norm);

#endif
