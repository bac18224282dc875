/* best_response.h: solves a game by rounds of the paper's Algorithm 1. */
#ifndef LINEX_BEST_RESPONSE_H
#define LINEX_BEST_RESPONSE_H

#include "solvers/game_state.h"

/* The position in the rounds; all zeros at the start, except for the arrays. */
typedef struct {
    size_t rounds;                                                                          /* finished rounds */
    size_t player;                                                                          /* whose turn it is */
    enum { LINEX_ARRIVE, LINEX_RESPOND_FREELY, LINEX_BISECT, LINEX_RESPOND_AT_HIGH } stage; /* of the player's turn */
    size_t passes;             /* of coordinate descent at the present price */
    double work, max_work;     /* in multiply-adds: so far, and the most */
    int bisections;            /* steps of the search for the price */
    double low, high;          /* the price is between these */
    double moved;              /* the longest distance that any player moved in this round */
    double *pull, *others, *s; /* feature_count each: scratch */
} linex_rounds;

/* Plays one round (linex_game_round). In slices. */
linex_status linex_rounds_play_one(linex_rounds *rounds, const linex_game *game, double l1, double *strategies,
                                   linex_slice *slice);

/* Plays rounds from the strategies until no player moves, or until settings->max_rounds. Fills game->weights. In
 * slices. */
linex_status linex_rounds_advance(linex_rounds *rounds, linex_game *game, const linex_game_settings *settings,
                                  double *strategies, linex_slice *slice);

/* Sets game->prices for a point at which |s|_1 reaches its bound. In Algorithm 1 each player observes the bound by
 * itself, so each has a price of its own. Needs game->pull. Returns the mean price. */
double linex_rounds_take_prices(linex_game *game, const double *strategies);

#endif
