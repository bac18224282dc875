/* game_allowance.c: how much work the games of one explanation may take before they give up. */
#include "game/game_allowance.h"

#include <math.h>

double linex_ridge_fit_work(double samples, double features)
{
    double small = fmin(samples, features), large = fmax(samples, features);
    return small * small * large / 2 + small * small * small / 6;
}

double linex_game_allowance(size_t count, size_t feature_count, double spent)
{
    double fit = linex_ridge_fit_work((double)count, (double)feature_count);
    double alone = fmax(LINEX_GAME_FITS * fit, LINEX_GAME_LEAST);
    return fmax(alone - spent, fmax(LINEX_GAME_FEW_FITS * fit, LINEX_GAME_LITTLE));
}
