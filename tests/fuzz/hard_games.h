/* hard_games.h: games that are hard to solve or to certify, made from the bytes of an execution. */
#ifndef LINEX_HARD_GAMES_H
#define LINEX_HARD_GAMES_H

#include "linex.h"

enum { HARD_GAME_PLAYERS = 4, HARD_GAME_FEATURES = 6 };

typedef struct {
    size_t players, feature_count;
    double grams[HARD_GAME_PLAYERS * HARD_GAME_FEATURES * HARD_GAME_FEATURES];
    double targets[HARD_GAME_PLAYERS * HARD_GAME_FEATURES];
    linex_game_settings settings;
} hard_game;

/* Makes a game whose Gram matrices have whole numbers and a low rank, plus 1e-8 on the diagonal: 2 to 4 players, 2 to
 * 6 features, sometimes with equal players. gamma is 1. */
void hard_game_near_singular(hard_game *game);

/* Makes a game of any kind, with any settings: near singular, of any numbers, or of numbers that are bytes of the
 * input, eight each. In a wild execution it may be one that must be refused. */
void hard_game_any(hard_game *game);

/* Makes every Gram matrix diagonally dominant. Best responses by coordinate descent take seconds for a near-singular game. */
void hard_game_condition(hard_game *game);

#endif
