/* sweeps.h: solves a game by visiting its features one by one. */
#ifndef LINEX_SWEEPS_H
#define LINEX_SWEEPS_H

#include "game/game_state.h"

/* Sweeps from game->weights, at price 0, until the largest change is at most 0.01 * tolerance of the largest weight.
 * If the players' Gram matrices differ much, sweeps can cycle or converge slowly.
 *
 * max_sweeps      stops after this many
 * stop_when_slow  also stops when a sweep moves more than half as far as the one before
 * Returns the number of sweeps made. The result is in game->weights; it need not be an equilibrium. */
size_t linex_game_sweep(linex_game *game, size_t max_sweeps, bool stop_when_slow, double tolerance);

#endif
