/* median_newton.h: solves a game by Newton steps from a start near its equilibrium.
 *
 * s is an equilibrium if every s_c is the median of what the players prefer and of the grid of their limits: see
 * linex_rest_point. Near an equilibrium each median is known: it is the preference of one player, or a point of the
 * grid. With these choices s solves a linear system. A step solves it and chooses again; two or three steps are usual. */
#ifndef LINEX_MEDIAN_NEWTON_H
#define LINEX_MEDIAN_NEWTON_H

#include "game/game_state.h"

/* The position of the steps; all zeros at the start, except for the arrays. */
typedef struct {
    double *system;  /* feature_count x feature_count: the factors of the system of the active features */
    double *right;   /* feature_count: its right side, then its solution */
    double *changes; /* feature_count: by how much the features on the grid have changed in this step; 0 for others */
    uint32_t *active; /* feature_count: the features that are what a player prefers, ascending */
    uint32_t *pieces; /* feature_count: that player */
    size_t count;     /* active features */
    size_t rounds;    /* finished steps */
    bool chosen;      /* whether the pieces of this step are chosen */
    bool same;        /* whether they are those of the last step */
    bool moved;       /* whether features on the grid have changed */
    linex_cursor cursor;
} linex_newton;

/* Returns how many doubles the arrays take together. The result is a double because it cannot wrap around. */
double linex_newton_room(size_t feature_count);

/* Divides the room among the arrays. */
void linex_newton_place(linex_newton *newton, size_t feature_count, double *room);

/* Steps from game->weights, at price 0, until the choices stay the same or the steps do not settle. In slices. The result
 * is in game->weights; it need not be an equilibrium. */
linex_status linex_newton_advance(linex_newton *newton, linex_game *game, linex_slice *slice);

#endif
