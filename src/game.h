/* game.h: what the two accounts of the game, game.c and response.c, share. */
#ifndef LINEX_GAME_H
#define LINEX_GAME_H

#include "linex.h"

/* Towards zero by `amount`, and no further. */
static inline double linex_shrink(double value, double amount)
{
    if (value > amount) return value - amount;
    if (value < -amount) return value + amount;
    return 0;
}

#endif
