/* game.h: what the two accounts of the game, game.c and best_response.c, share. */
#ifndef LINEX_GAME_H
#define LINEX_GAME_H

#include "linex.h"

/* Sizes and numbers that both accounts insist on. LINEX_DEGENERATE when a Gram matrix has no positive diagonal. */
linex_status linex_game_check(size_t players, size_t width, const double *grams, const double *targets, double gamma,
                              double l1);

/* Towards zero by `amount`, and no further. */
static inline double linex_shrink(double value, double amount)
{
    if (value > amount) return value - amount;
    if (value < -amount) return value + amount;
    return 0;
}

#endif
