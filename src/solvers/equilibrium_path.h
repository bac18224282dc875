/* equilibrium_path.h: follows the path of equilibria from s = 0 to the equilibrium of the full game.
 *
 * k players share the coefficients s. Player i pulls feature c by
 *
 *     r_ic = (b_i - G_i s)_c.
 *
 * While |s|_1 has a price lambda, a player is content with s_c if r_ic = lambda sign(s_c), or |r_ic| <= lambda at
 * s_c = 0. A player that is not content pushes s_c up or down, up to its limit gamma. So s is an equilibrium if this
 * holds for every feature: s_c / gamma is the number of players that push up minus the number that push down, and
 * content players fill the gap.
 *
 * At a price above every |b_ic|, s = 0 is the only equilibrium. As the price falls, s moves along a piecewise linear
 * path. Each feature is in one of three places:
 *
 *     ZERO    s_c = 0, and at most half of the players push either way;
 *     GRID    s_c = m gamma, and no player is content: the pushes and the limits determine it;
 *     PLAYER  one player is content, and its equation G_i[c] s = b_ic - lambda sign(s_c) determines s_c.
 *
 * A corner of the path (a pivot) changes the place of one feature. It changes one row of the system of equations, and
 * its inverse by a rank-one update. The price may rise again for a while, because the game is not a single convex
 * problem, but the path never turns back. s = 0 is the only equilibrium at high prices and |s_c| <= k gamma
 * everywhere. Without ties the path can therefore only end at lambda = 0, or where |s|_1 reaches the norm.
 *
 * With one player and no limit this is the lasso path (Osborne, Presnell, Turlach 2000). select.c uses it for that.
 */
#ifndef LINEX_PATH_H
#define LINEX_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/task.h"
#include "linex.h"

typedef struct linex_path linex_path;

/* Starts at s = 0, with the price at the largest |b_ic|. Release the path with linex_path_free.
 *
 * grams    players x feature_count x feature_count; kept, not copied
 * targets  players x feature_count; copied
 * gamma    > 0; may be INFINITY with one player
 * jitter   moves each b_ic by up to this fraction of its natural size, to break ties; 0 for none
 * Returns NULL if there is not enough memory. */
linex_path *linex_path_new(size_t players, size_t feature_count, const double *grams, const double *targets,
                           double gamma, double jitter);
void linex_path_free(linex_path *path);

/* Walks to the next corner or to the end: lambda = 0 or |s|_1 = norm, whichever comes first. In slices: a corner at
 * which the inverse is computed afresh can take several.
 *
 * norm   may be INFINITY
 * ended  whether the end is reached
 * LINEX_NOT_CONVERGED if a corner cannot be passed because of ties. */
linex_status linex_path_step(linex_path *path, double norm, bool *ended, linex_slice *slice);

/* Returns the present equilibrium, feature_count values. A view, valid until the next step. */
const double *linex_path_weights(const linex_path *path);
double linex_path_price(const linex_path *path);

/* Solves the present system again, with full precision and without jitter. At |s|_1 = norm the price is an unknown
 * too. In slices.
 *
 * targets  players x feature_count
 * LINEX_DEGENERATE if the system is singular. */
linex_status linex_path_polish(linex_path *path, const double *targets, double norm, linex_slice *slice);

#endif
