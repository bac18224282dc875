/* best_response.h: solves a game by rounds of the paper's Algorithm 1. */
#ifndef LINEX_BEST_RESPONSE_H
#define LINEX_BEST_RESPONSE_H

#include "game/game_state.h"

/* Plays rounds (linex_game_round) from all zeros until no player moves, or until settings->max_rounds. Fills
 * game->weights, the strategies (players x feature_count) and, in the report, rounds, residual and multiplier. */
linex_status linex_game_play_rounds(linex_game *game, const linex_game_settings *settings, double *strategies,
                                    linex_game_report *report);

#endif
