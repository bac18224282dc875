/* sweeps.h: solves a game by visiting its features one by one. */
#ifndef LINEX_SWEEPS_H
#define LINEX_SWEEPS_H

#include "solvers/game_state.h"

/* Changes of s that game->pull does not contain yet. Updating all pulls for one change reads a row of every Gram
 * matrix. Updating them for four changes at once takes half the time, and every sum has the same bits. */
typedef struct {
    size_t count, features[4];
    double factors[4]; /* minus the change of each feature; 0 beyond count */
} linex_pending;

/* The position of the sweeps; all zeros at the start. */
typedef struct {
    size_t rounds;   /* finished sweeps */
    bool started;    /* whether game->pull is up to date */
    size_t feature;  /* the next one of this sweep */
    double largest;  /* the largest change in this sweep */
    double previous; /* and in the sweep before */
    linex_pending pending;
    linex_cursor cursor;
} linex_sweeps;

/* Sweeps from game->weights, at price 0, until the largest change is at most 0.01 * tolerance of the largest weight.
 * If the players' Gram matrices differ much, sweeps can cycle or converge slowly. In slices.
 *
 * max_sweeps      stops after this many
 * stop_when_slow  also stops when a sweep moves more than half as far as the one before
 * The result is in game->weights; it need not be an equilibrium. */
linex_status linex_sweeps_advance(linex_sweeps *sweeps, linex_game *game, size_t max_sweeps, bool stop_when_slow,
                                  double tolerance, linex_slice *slice);

#endif
