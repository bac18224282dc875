/* game_state.h: one game while it is being solved; the solvers and the certificate share it.
 *
 * Symbols as in linex.h: G_i and b_i are player i's Gram matrix and targets, s is the sum of all strategies. The
 * price is the shared multiplier of the l1 bound. */
#ifndef LINEX_GAME_STATE_H
#define LINEX_GAME_STATE_H

#include <math.h>

#include "base/task.h"
#include "linex.h"

/* All arrays belong to the caller. */
typedef struct {
    size_t players, feature_count;
    const double *grams;   /* players x feature_count x feature_count: the G_i */
    const double *targets; /* players x feature_count: the b_i */
    double gamma, price;
    double *weights;     /* feature_count: s */
    double *pull;        /* players x feature_count: b_i - G_i s */
    double *diagonals;   /* players x feature_count: G_i[c][c] */
    double *prices;      /* players: what each pays; all the price, except in Algorithm 1 */
    double *preferences; /* players: scratch for the preferences of one feature */
} linex_game;

/* Checks what every solver requires. Returns LINEX_BAD_ARGUMENT for a missing array, a number that is not finite, or
 * a gamma or l1 that is not positive. Returns LINEX_DEGENERATE if the diagonal of a Gram matrix is not positive. */
linex_status linex_game_check(size_t players, size_t feature_count, const double *grams, const double *targets,
                              double gamma, double l1);

/* Computes every player's pull on every feature, b_i - G_i s, in slices.
 *
 * weights  feature_count: s
 * pull     players x feature_count */
linex_status linex_pulls_advance(size_t players, size_t feature_count, const double *grams, const double *targets,
                                 const double *weights, double *pull, linex_cursor *at, linex_slice *slice);

static inline const double *linex_game_gram_row(const linex_game *game, size_t player, size_t feature)
{
    return game->grams + (player * game->feature_count + feature) * game->feature_count;
}

/* Moves a value towards zero by `amount`, but not past zero. */
static inline double linex_shrink(double value, double amount)
{
    if (value > amount) return value - amount;
    if (value < -amount) return value + amount;
    return 0;
}

static inline double linex_l1_norm(size_t count, const double *values)
{
    double sum = 0;
    for (size_t c = 0; c < count; c++) sum += fabs(values[c]);
    return sum;
}

static inline double linex_largest_magnitude(size_t count, const double *values)
{
    double largest = 0;
    for (size_t c = 0; c < count; c++) largest = fmax(largest, fabs(values[c]));
    return largest;
}

/* The value that a player would choose for s_c if the other coordinates are fixed and gamma does not limit it.
 *
 * pull  the player's pull on this feature */
static inline double linex_game_preference(const linex_game *game, size_t player, size_t feature, double pull)
{
    double diagonal = linex_game_gram_row(game, player, feature)[feature];
    return linex_shrink(game->weights[feature] + pull / diagonal, game->price / diagonal);
}

#endif
