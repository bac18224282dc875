/* certificate.h: splits the weights of a game among its players and measures the distance from an equilibrium. */
#ifndef LINEX_CERTIFICATE_H
#define LINEX_CERTIFICATE_H

#include "game/game_state.h"

/* Splits game->weights into strategies and returns their residual (linex_game_residual). Overwrites game->pull and
 * game->preferences.
 *
 * strategies  players x feature_count */
double linex_game_certify(linex_game *game, double *strategies);

#endif
