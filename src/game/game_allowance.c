/* game_allowance.c: how much work the games of one explanation may take before they give up. */
#include "game/game_allowance.h"

#include <math.h>

double linex_game_allowance(size_t count, size_t feature_count, double spent)
{
    double small = fmin((double)count, (double)feature_count), large = fmax((double)count, (double)feature_count);
    double fit = small * small * large / 2 + small * small * small / 6;
    double alone = fmax(LINEX_GAME_FITS * fit, LINEX_GAME_LEAST);
    return fmax(alone - spent, fmax(LINEX_GAME_FEW_FITS * fit, LINEX_GAME_LITTLE));
}
