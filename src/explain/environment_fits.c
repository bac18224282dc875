/* environment_fits.c: fits each environment of a draw and combines the fits by LINEX, LIME or smoothing. */
#include "explain/environment_fits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "game/environments.h"

enum { REFITS = 20 };

bool linex_fits_are_centered(const linex_settings *settings)
{
    return settings->intercept == LINEX_INTERCEPT_FREE;
}

/* Copies the chosen columns and, if the intercept plays, adds a column of ones. */
static linex_status gather_points(linex_fits *fits, const uint32_t *chosen, size_t chosen_count)
{
    const linex_samples *samples = fits->samples;
    size_t count = samples->count, size = fits->size;
    bool bytes = samples->masks != NULL;
    void *stored = linex_alloc_items((double)count * (double)size, bytes ? sizeof(uint8_t) : sizeof(double));
    if (!stored) return LINEX_NO_MEMORY;
    double *values = bytes ? NULL : stored;
    uint8_t *masks = bytes ? stored : NULL;
    for (size_t i = 0; i < count; i++) {
        size_t from = i * samples->feature_count, to = i * size;
        for (size_t c = 0; c < chosen_count; c++)
            if (bytes)
                masks[to + c] = samples->masks[from + chosen[c]];
            else
                values[to + c] = samples->points[from + chosen[c]];
        if (size > chosen_count && bytes) masks[to + chosen_count] = 1;
        if (size > chosen_count && !bytes) values[to + chosen_count] = 1;
    }
    fits->stored_points = stored;
    fits->points = (linex_points){count, size, values, masks};
    return LINEX_OK;
}

/* Only random environments can be drawn group by group. */
static bool draws_groups(const linex_fits *fits)
{
    const linex_settings *settings = fits->settings;
    linex_environment_kind kind = settings->environments.kind;
    bool random = settings->method == LINEX_METHOD_LIME || kind == LINEX_BOOTSTRAP || kind == LINEX_HALVES;
    size_t count = fits->samples->count, planned = fits->samples->planned;
    return random && settings->draws > settings->games && fits->players <= LINEX_GROUPS / 2 &&
           linex_groups_are_worth_it(count < planned ? count : planned, fits->size);
}

linex_status linex_fits_open(linex_fits *fits, const linex_samples *samples, const linex_settings *settings,
                             const double *totals, const uint32_t *chosen, size_t chosen_count)
{
    size_t players = settings->method == LINEX_METHOD_LIME ? 1 : settings->environments.players;
    size_t count = samples->count, size = chosen_count + (settings->intercept == LINEX_INTERCEPT_FEATURE);
    *fits = (linex_fits){samples, settings, totals, .players = players, .size = size};
    double all_moments = (double)players * (double)size * (double)(size + 2) + (double)size;
    double *next = linex_alloc_doubles((double)players * (double)count + all_moments + linex_moments_scratch(size));
    if (!next) return LINEX_NO_MEMORY;
    fits->memory = next;
    fits->weights = next, next += players * count;
    fits->grams = next, next += players * size * size;
    fits->crosses = next, next += players * size;
    fits->fits = next, next += players * size;
    fits->mean = next, next += size;
    fits->scratch = next;
    linex_status status = gather_points(fits, chosen, chosen_count);
    /* Without memory for groups, all draws are draws of samples, which are slower but equally good. */
    if (!status && size > 0 && draws_groups(fits))
        fits->grouped = !linex_groups_open(&fits->groups, samples, &fits->points, linex_fits_are_centered(settings),
                                           settings->seed, fits->scratch);
    return status;
}

void linex_fits_close(linex_fits *fits)
{
    free(fits->memory);
    free(fits->stored_points);
    linex_groups_close(&fits->groups);
}

/* The arrays of player i's moments. */
static linex_moments moments_of(linex_fits *fits, size_t i)
{
    size_t size = fits->size;
    return (linex_moments){.gram = fits->grams + i * size * size,
                           .cross = fits->crosses + i * size,
                           .mean = fits->mean,
                           .scratch = fits->scratch};
}

/* Takes the moments of player i's environment from all samples. */
static linex_moments take_moments(linex_fits *fits, size_t i)
{
    linex_moments moments = moments_of(fits, i);
    linex_moments_take(&fits->points, fits->samples->answers, fits->weights + i * fits->samples->count,
                       linex_fits_are_centered(fits->settings), fits->settings->ridge, &moments);
    return moments;
}

static linex_status fit_environments(linex_fits *fits, bool grouped)
{
    for (size_t i = 0; i < fits->players; i++) {
        linex_moments moments = moments_of(fits, i);
        if (grouped)
            linex_groups_moments(&fits->groups, fits->weights + i * LINEX_GROUPS, fits->settings->ridge, &moments);
        else
            moments = take_moments(fits, i);
        linex_status status = linex_ridge_solve(fits->size, moments.gram, moments.cross, fits->fits + i * fits->size);
        if (status) return status;
    }
    return LINEX_OK;
}

static linex_status play(linex_fits *fits, linex_outcome *outcome)
{
    size_t size = fits->size;
    linex_game_settings game = fits->settings->game;
    for (size_t i = 0; fits->settings->game.gamma == 0 && i < fits->players * size; i++)
        game.gamma = fmax(game.gamma, fabs(fits->fits[i]));
    outcome->gamma = game.gamma;
    outcome->report = (linex_game_report){.converged = true};
    if (game.gamma == 0) { /* every environment prefers all zeros */
        memset(outcome->weights, 0, size * sizeof *outcome->weights);
        memset(outcome->strategies, 0, fits->players * size * sizeof *outcome->strategies);
        return LINEX_OK;
    }
    return linex_game_solve(fits->players, size, fits->grams, fits->crosses, &game, outcome->weights,
                            outcome->strategies, &outcome->report);
}

/* LIME fits the whole neighborhood, and its further draws are bootstraps of it. */
static linex_environment_settings environments_of(const linex_settings *settings)
{
    if (settings->method != LINEX_METHOD_LIME) return settings->environments;
    return (linex_environment_settings){.kind = LINEX_BOOTSTRAP, .players = 1};
}

static linex_status draw_environments(linex_fits *fits, uint64_t draw)
{
    const linex_environment_settings settings = environments_of(fits->settings);
    if (draw > 0 || fits->settings->method != LINEX_METHOD_LIME)
        return linex_environments_draw(fits->samples, &settings, fits->settings->seed, draw, fits->weights);
    memcpy(fits->weights, fits->totals, fits->samples->count * sizeof *fits->weights);
    return LINEX_OK;
}

linex_status linex_fits_draw(linex_fits *fits, uint64_t draw, linex_outcome *outcome)
{
    const linex_settings *settings = fits->settings;
    bool grouped = fits->grouped && draw >= settings->games;
    linex_status status = LINEX_OK;
    if (grouped) {
        const linex_environment_settings environments = environments_of(settings);
        linex_groups_draw(&environments, settings->seed, draw, fits->weights);
    } else {
        status = draw_environments(fits, draw);
    }
    if (!status) status = fit_environments(fits, grouped);
    if (status) return status;
    switch (settings->method) {
    case LINEX_METHOD_LINEX:
        return play(fits, outcome);
    case LINEX_METHOD_LIME:
        memcpy(outcome->weights, fits->fits, fits->size * sizeof *outcome->weights);
        return LINEX_OK;
    case LINEX_METHOD_SMOOTHED:
        return linex_smooth(settings->smoothing, fits->players, fits->size, fits->fits, outcome->weights);
    }
    return LINEX_BAD_ARGUMENT;
}

linex_status linex_fits_ridge_losses(linex_fits *fits, double *scratch, double *losses)
{
    size_t size = fits->size;
    double ridge = fits->settings->ridge;
    memset(losses, 0, size * sizeof *losses);
    if (ridge == 0) return LINEX_OK;
    linex_status status = draw_environments(fits, 0);
    for (size_t i = 0; !status && i < fits->players; i++) {
        linex_moments moments = take_moments(fits, i);
        if (!(moments.total > 0)) continue;
        status = linex_cholesky(size, moments.gram);
        if (status) return status;
        memset(scratch, 0, size * sizeof *scratch);
        linex_cholesky_solve(size, moments.gram, moments.cross);
        for (int refit = 0; refit < REFITS; refit++) {
            for (size_t c = 0; c < size; c++) moments.cross[c] *= ridge / moments.total;
            linex_cholesky_solve(size, moments.gram, moments.cross);
            linex_add_scaled(size, 1, moments.cross, scratch);
        }
        for (size_t c = 0; c < size; c++) losses[c] = fmax(losses[c], fabs(scratch[c]));
    }
    return status;
}
