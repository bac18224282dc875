#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "matrix.h"
#include "path.h"
#include "room.h"

/* LIME's library fits with all features at this ridge before it takes the highest weights. */
static const double HIGHEST_RIDGE = 0.01;
enum { FORWARD_UP_TO = 6, MOST_CORNERS_A_FEATURE = 50 };

/* How much of the answers' variance feature c explains of what is left; below zero where nothing is left of
 * c. */
static double gain(size_t width, const linex_moments *left, const double *variances, size_t c)
{
    double variance = left->gram[c * width + c];
    if (!(variance > 64 * DBL_EPSILON * variances[c])) return -1;
    return left->cross[c] * left->cross[c] / variance;
}

/* Takes out of all features what c explains of them. */
static void sweep_out(size_t width, linex_moments *left, size_t c, double *row)
{
    double variance = left->gram[c * width + c], pull = left->cross[c];
    memcpy(row, left->gram + c * width, width * sizeof *row);
    for (size_t other = 0; other < width; other++) {
        double factor = row[other] / variance;
        if (factor == 0) continue;
        linex_add_scaled(width, -factor, row, left->gram + other * width);
        left->cross[other] -= factor * pull;
    }
}

/* Least squares with one feature more, for each that could be it, would cost a fit each; taking out what is
 * explained leaves the gain of each as one division. */
static void choose_forward(size_t width, linex_moments *left, size_t features, double *scratch, bool *taken)
{
    double *variances = scratch, *row = scratch + width;
    for (size_t c = 0; c < width; c++) variances[c] = left->gram[c * width + c];
    for (size_t step = 0; step < features; step++) {
        size_t best = width;
        double most = -1;
        for (size_t c = 0; c < width; c++) {
            double explained = taken[c] ? -1 : gain(width, left, variances, c);
            if (explained > most) {
                most = explained;
                best = c;
            }
        }
        if (best == width) return;
        taken[best] = true;
        sweep_out(width, left, best, row);
    }
}

static linex_status choose_highest(size_t width, linex_moments *moments, const double *at, size_t features,
                                   double *scratch, bool *taken)
{
    double *sizes = scratch;
    for (size_t c = 0; c < width; c++) moments->gram[c * width + c] += HIGHEST_RIDGE / moments->total;
    linex_status status = linex_ridge_solve(width, moments->gram, moments->cross, sizes);
    if (status) return status;
    for (size_t c = 0; c < width; c++) sizes[c] = taken[c] ? -1 : fabs(sizes[c] * at[c]);
    memset(taken, 0, width * sizeof *taken);
    for (size_t step = 0; step < features; step++) {
        size_t best = width;
        for (size_t c = 0; c < width; c++)
            if (!taken[c] && sizes[c] >= 0 && (best == width || sizes[c] > sizes[best])) best = c;
        if (best == width) break;
        taken[best] = true;
    }
    return LINEX_OK;
}

/* Keeps the features that are there at a corner with few enough; the last such corner wins. A singular Gram
 * matrix ends the path early, as it does in LIME's library. */
static linex_status choose_lasso(size_t width, const linex_moments *moments, size_t features, bool *taken)
{
    linex_path *path = linex_path_new(1, width, moments->gram, moments->cross, (double)INFINITY, 0);
    if (!path) return LINEX_NO_MEMORY;
    bool ended = false;
    for (size_t corner = 0; !ended && corner < MOST_CORNERS_A_FEATURE * width; corner++) {
        if (linex_path_step(path, (double)INFINITY, &ended)) break;
        const double *weights = linex_path_weights(path);
        size_t there = 0;
        for (size_t c = 0; c < width; c++) there += weights[c] != 0;
        if (there == 0 || there > features) continue;
        for (size_t c = 0; c < width; c++) taken[c] = weights[c] != 0;
    }
    linex_path_free(path);
    return LINEX_OK;
}

static bool any(size_t width, const bool *flags)
{
    for (size_t c = 0; c < width; c++)
        if (flags[c]) return true;
    return false;
}

/* Which features have one value only, among the samples that have a weight. */
static void find_still(size_t count, size_t width, const double *points, const double *weights, bool *still)
{
    size_t first = 0;
    while (first < count && weights[first] == 0) first++;
    for (size_t c = 0; c < width; c++) {
        still[c] = true;
        for (size_t i = first; still[c] && i < count; i++)
            still[c] = weights[i] == 0 || points[i * width + c] == points[first * width + c];
    }
}

/* A feature that does not vary must not look as if it did: uncentred, a constant explains a great deal. */
static void mute(size_t width, const bool *still, linex_moments *moments)
{
    for (size_t i = 0; i < width * width; i++)
        if (still[i / width] || still[i % width]) moments->gram[i] = 0;
    for (size_t c = 0; c < width; c++)
        if (still[c]) moments->cross[c] = 0;
}

static linex_status choose(linex_selection selection, size_t width, linex_moments *moments, const double *at,
                           size_t features, const bool *still, double *scratch, bool *taken)
{
    size_t varying = 0;
    for (size_t c = 0; c < width; c++) varying += !still[c];
    bool all = selection == LINEX_SELECT_NONE || features == 0;
    if (all || (features >= varying && selection != LINEX_SELECT_LASSO)) {
        for (size_t c = 0; c < width; c++) taken[c] = !still[c];
        return LINEX_OK;
    }
    if (selection == LINEX_SELECT_AUTO)
        selection = features <= FORWARD_UP_TO ? LINEX_SELECT_FORWARD : LINEX_SELECT_HIGHEST;
    switch (selection) {
    case LINEX_SELECT_FORWARD:
        choose_forward(width, moments, features, scratch, taken);
        return LINEX_OK;
    case LINEX_SELECT_HIGHEST:
        memcpy(taken, still, width * sizeof *taken);
        return choose_highest(width, moments, at, features, scratch, taken);
    case LINEX_SELECT_LASSO: {
        linex_status status = choose_lasso(width, moments, features, taken);
        /* Features that enter hand in hand leave no corner with few enough; then one by one. */
        if (!status && !any(width, taken)) choose_forward(width, moments, features, scratch, taken);
        return status;
    }
    default:
        return LINEX_BAD_ARGUMENT;
    }
}

linex_status linex_select(linex_selection selection, size_t count, size_t width, const double *points,
                          const double *answers, const double *weights, bool centred, const double *at,
                          size_t features, uint32_t *chosen, size_t *how_many)
{
    if (!count || !width || !points || !answers || !weights || !at || !chosen || !how_many) return LINEX_BAD_ARGUMENT;
    double *numbers = linex_room((double)width * (double)width + 4.0 * (double)width);
    bool *flags = calloc(2 * width, sizeof *flags), *taken = flags, *still = flags + width;
    linex_status status = numbers && flags ? LINEX_OK : LINEX_NO_MEMORY;
    if (!status) {
        double *cross = numbers + width * width;
        linex_moments moments = {.gram = numbers, .cross = cross, .mean = cross + width};
        linex_moments_take(count, width, points, answers, weights, centred, 0, &moments);
        find_still(count, width, points, weights, still);
        mute(width, still, &moments);
        status = choose(selection, width, &moments, at, features, still, cross + 2 * width, taken);
    }
    *how_many = 0;
    for (size_t c = 0; !status && c < width; c++)
        if (taken[c]) chosen[(*how_many)++] = (uint32_t)c;
    free(numbers);
    free(flags);
    return status;
}
