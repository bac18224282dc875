/* game_allowance.h: how much work the games of one explanation may take before they give up. */
#ifndef LINEX_GAME_ALLOWANCE_H
#define LINEX_GAME_ALLOWANCE_H

#include <stddef.h>

/* The multiply-adds of a ridge fit: small^2 large / 2 + small^3 / 6 for the smaller and the larger of both numbers. */
double linex_ridge_fit_work(double samples, double features);

/* In ridge fits of all samples, and the least in multiply-adds. Most games take about three fits. */
enum {
    LINEX_GAME_FITS = 200,
    LINEX_GAME_LEAST = 2000000000,
    LINEX_GAME_FEW_FITS = 20,
    LINEX_GAME_LITTLE = 100000000
};

/* Returns the most work for one of several games of the same size, in multiply-adds, after the others took `spent`. All of
 * them together may take LINEX_GAME_FITS, or LINEX_GAME_LEAST; after that, each may take LINEX_GAME_FEW_FITS, or
 * LINEX_GAME_LITTLE. So 60 games that come to no rest do not take 60 times as long as one. */
double linex_game_allowance(size_t count, size_t feature_count, double spent);

#endif
