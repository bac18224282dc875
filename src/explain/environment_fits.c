/* environment_fits.c: fits each environment of a draw and combines the fits by LINEX, LIME or smoothing. */
#include "explain/environment_fits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "matrices/factors.h"
#include "matrices/matrix.h"
#include "environments/sample_runs.h"
#include "game/game_allowance.h"
#include "wide/wide_energy.h"

enum { REFITS = 60 };

/* A side in which a feature varies less than this share of its variance knows too little about it. */
static const double LEAST_VARIANCE = 0.05;

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

/* Bootstraps are drawn group by group if that saves time, runs always. */
static bool has_groups(const linex_fits *fits)
{
    const linex_settings *settings = fits->settings;
    if (fits->steady) return true;
    size_t count = fits->samples->count, planned = fits->samples->planned;
    return fits->environments.kind == LINEX_BOOTSTRAP && settings->draws > settings->games &&
           fits->players <= LINEX_GROUPS / 2 &&
           linex_groups_are_worth_it(count < planned ? count : planned, fits->size);
}

/* Whether the errors come from runs of samples. */
static bool is_steady(const linex_fits *fits)
{
    const linex_environment_settings *environments = &fits->settings->environments;
    if (environments->kind != LINEX_HALVES && environments->kind != LINEX_SIDES) return false;
    size_t runs = linex_sample_runs_count(fits->samples, environments->players);
    return fits->size > 0 && !fits->low_rank && linex_runs_fit(runs, fits->size);
}

/* LIME fits the whole neighborhood. Its further draws are halves of it, or bootstraps. */
static linex_environment_settings environments_of(const linex_fits *fits)
{
    const linex_settings *settings = fits->settings;
    if (settings->method != LINEX_METHOD_LIME) return settings->environments;
    if (fits->steady) return (linex_environment_settings){.kind = LINEX_HALVES, .players = 2};
    return (linex_environment_settings){.kind = LINEX_BOOTSTRAP, .players = 1};
}

/* Whether the game is played without Gram matrices. Halves and sides need them for their errors, while they fit. */
static bool is_low_rank(const linex_fits *fits, bool keeps_game)
{
    const linex_settings *settings = fits->settings;
    linex_environment_kind kind = settings->environments.kind;
    if ((kind == LINEX_HALVES || kind == LINEX_SIDES) && fits->size <= LINEX_MOST_PLAYING) return false;
    return fits->wide && !keeps_game && settings->method == LINEX_METHOD_LINEX &&
           settings->game.solver == LINEX_SOLVER_AUTO && isinf(settings->game.l1) && settings->ridge != 0 &&
           settings->intercept != LINEX_INTERCEPT_FEATURE;
}

/* Divides one block of memory among the arrays of the fits. */
static linex_status place_arrays(linex_fits *fits)
{
    size_t players = fits->players, count = fits->samples->count, size = fits->size;
    size_t square = fits->low_rank ? 0 : size * size;
    size_t most = fits->grouped && fits->groups.count > count ? fits->groups.count : count;
    double all_moments = (double)(players + 1) * (double)square + (2.0 * (double)players + 2) * (double)size;
    double *next =
        linex_alloc_doubles((double)players * ((double)most + 1) + all_moments + linex_moments_scratch(size));
    if (!next) return LINEX_NO_MEMORY;
    fits->memory = next;
    fits->weights = next, next += players * most;
    fits->sorted = next, next += players;
    fits->variances = next, next += size;
    fits->grams = next, next += players * square;
    fits->crosses = next, next += players * size;
    fits->fits = next, next += players * size;
    fits->mean = next, next += size;
    fits->factor = next, next += square;
    fits->scratch = next;
    return LINEX_OK;
}

/* Makes room for the sums over groups. Without memory for them, all bootstraps are draws of samples, which are slower
 * but equally good; halves cannot do without. */
static linex_status open_groups(linex_fits *fits)
{
    linex_environment_settings groups = fits->environments;
    if (fits->steady) groups.kind = LINEX_HALVES;
    linex_status status = linex_groups_open(&fits->groups, fits->samples, &groups, fits->size,
                                            linex_fits_are_centered(fits->settings), fits->settings->seed);
    fits->grouped = !status;
    return fits->steady ? status : LINEX_OK;
}

linex_status linex_fits_open(linex_fits *fits, const linex_samples *samples, const linex_settings *settings,
                             const double *totals, const double *answers, const uint32_t *chosen, size_t chosen_count,
                             bool keeps_game, const linex_wide_player *wide_player)
{
    size_t size = chosen_count + (settings->intercept == LINEX_INTERCEPT_FEATURE);
    *fits = (linex_fits){samples, settings, totals, answers, .size = size, .wide_player = wide_player};
    fits->wide = size >= LINEX_WIDE_FEATURES && samples->count < LINEX_WIDE_SAMPLES * size;
    fits->low_rank = is_low_rank(fits, keeps_game);
    if (fits->low_rank && !wide_player) return LINEX_BAD_ARGUMENT;
    fits->steady = is_steady(fits);
    fits->environments = environments_of(fits);
    fits->players = fits->environments.players;
    linex_status status = size > 0 && has_groups(fits) ? open_groups(fits) : LINEX_OK;
    if (!status) status = place_arrays(fits);
    if (!status) status = linex_drawing_open(&fits->drawing, samples, &fits->environments);
    if (!status) status = gather_points(fits, chosen, chosen_count);
    return status;
}

void linex_fits_close(linex_fits *fits)
{
    free(fits->memory);
    free(fits->stored_points);
    linex_drawing_close(&fits->drawing);
    linex_groups_close(&fits->groups);
    linex_solving_free(fits->solving);
    if (fits->wide_game) fits->wide_player->free(fits->wide_game);
}

linex_moments linex_fits_moments(linex_fits *fits, size_t i)
{
    size_t size = fits->size;
    return (linex_moments){.gram = fits->grams + i * size * size,
                           .cross = fits->crosses + i * size,
                           .mean = fits->mean,
                           .scratch = fits->scratch,
                           .answer_mean = fits->answer_mean,
                           .total = fits->total};
}

/* The ridge of a wide fit is relative to the median energy of its columns. */
static void find_ridge(linex_fits *fits, linex_slice *slice)
{
    double given = fits->settings->ridge;
    bool complete = fits->samples->complete && fits->settings->adjust == LINEX_ADJUST_AUTO;
    double narrow = complete ? LINEX_COMPLETE_RIDGE : LINEX_NARROW_RIDGE;
    fits->ridge = given == LINEX_RIDGE_AUTO ? narrow : given;
    if (!fits->wide) return;
    double median =
        linex_wide_energy(&fits->points, fits->totals, linex_fits_are_centered(fits->settings), fits->scratch);
    if (given == LINEX_RIDGE_AUTO && median > 0) fits->ridge = LINEX_WIDE_RIDGE * median;
    fits->relative_ridge = median > 0 ? fits->ridge / median : 0;
    linex_slice_use(slice, 4.0 * (double)fits->points.count * (double)fits->size);
}

linex_status linex_fits_prepare(linex_fits *fits, linex_slice *slice)
{
    if (!fits->found_ridge) find_ridge(fits, slice);
    fits->found_ridge = true;
    if (!fits->grouped) return LINEX_OK;
    return linex_groups_advance(&fits->groups, fits->samples, &fits->points, fits->scratch, slice);
}

/* The part of the ridge for player i's environment of samples: shared by weight for sides, as for runs. */
static double ridge_of(const linex_fits *fits, size_t i)
{
    size_t count = fits->samples->count;
    if (!fits->steady) return fits->ridge;
    const double *weights = fits->weights + i * count;
    double own = 0, all = 0;
    for (size_t j = 0; j < count; j++) {
        own += weights[j];
        all += fits->totals[j];
    }
    return all > 0 ? fits->ridge * (own / all) : fits->ridge;
}

/* Takes the moments of player i's environment, from all samples or from the groups. */
static linex_status take_moments(linex_fits *fits, size_t i, bool grouped, linex_slice *slice)
{
    linex_moments moments = linex_fits_moments(fits, i);
    linex_status status = LINEX_OK;
    if (grouped) {
        const double *weights = fits->weights + i * fits->groups.count;
        if (fits->steady)
            linex_runs_moments(&fits->groups, weights, fits->ridge, &moments);
        else
            linex_groups_moments(&fits->groups, weights, fits->ridge, &moments);
        linex_slice_use(slice, (double)fits->groups.count * (double)fits->size * (double)fits->size / 2);
    } else {
        const double *answers = fits->steady ? fits->answers : fits->samples->answers;
        status = linex_moments_advance(&fits->points, answers, fits->weights + i * fits->samples->count,
                                       linex_fits_are_centered(fits->settings), ridge_of(fits, i), &moments,
                                       &fits->moments_cursor, slice);
    }
    fits->total = moments.total;
    fits->answer_mean = moments.answer_mean;
    return status;
}

/* Takes the moments of the next player and factorizes its Gram matrix, in fits->factor. */
static linex_status factorize_player(linex_fits *fits, bool grouped, linex_slice *slice)
{
    size_t size = fits->size;
    if (!fits->factorizing) {
        linex_status status = take_moments(fits, fits->player, grouped, slice);
        if (status) return status;
        memcpy(fits->factor, fits->grams + fits->player * size * size, size * size * sizeof *fits->factor);
        fits->factorizing = true;
    }
    linex_status status = linex_cholesky_advance(size, fits->factor, &fits->factor_cursor, slice);
    if (status == LINEX_UNFINISHED) return status;
    fits->factorizing = false;
    return status;
}

static linex_status fit_environments(linex_fits *fits, bool grouped, linex_slice *slice)
{
    size_t size = fits->size;
    for (; fits->player < fits->players; fits->player++) {
        if (!fits->factorizing && linex_slice_ended(slice)) return LINEX_UNFINISHED;
        linex_status status = factorize_player(fits, grouped, slice);
        if (status) return status;
        double *fit = fits->fits + fits->player * size;
        memcpy(fit, fits->crosses + fits->player * size, size * sizeof *fit);
        linex_cholesky_solve(size, fits->factor, fit);
    }
    fits->player = 0;
    return LINEX_OK;
}

double linex_fits_allowance(const linex_fits *fits, uint64_t draw)
{
    /* There are many draws beside the games that are reported, so they give up sooner. */
    double spent = draw < fits->settings->games ? fits->spent : INFINITY;
    return linex_game_allowance(fits->samples->count, fits->size, spent);
}

/* Prepares the game of the fitted environments. Without a gamma from the caller, it is the largest coefficient. */
static linex_status start_game(linex_fits *fits, uint64_t draw, linex_outcome *outcome)
{
    size_t size = fits->size;
    fits->game = fits->settings->game;
    if (fits->game.max_work == 0 && fits->game.solver == LINEX_SOLVER_AUTO)
        fits->game.max_work = linex_fits_allowance(fits, draw);
    for (size_t i = 0; fits->settings->game.gamma == 0 && i < fits->players * size; i++)
        fits->game.gamma = fmax(fits->game.gamma, fabs(fits->fits[i]));
    outcome->gamma = fits->game.gamma;
    outcome->report = (linex_game_report){.converged = true};
    if (fits->game.gamma == 0) { /* every environment prefers all zeros */
        memset(outcome->weights, 0, size * sizeof *outcome->weights);
        memset(outcome->strategies, 0, fits->players * size * sizeof *outcome->strategies);
        return LINEX_OK;
    }
    return linex_solving_new(fits->players, size, fits->grams, fits->crosses, &fits->game, fits->fits,
                             outcome->weights, outcome->strategies, &outcome->report, &fits->solving);
}

static linex_status play(linex_fits *fits, uint64_t draw, linex_outcome *outcome, linex_slice *slice)
{
    linex_status status = fits->solving ? LINEX_OK : start_game(fits, draw, outcome);
    if (status || !fits->solving) return status;
    status = linex_solving_advance(fits->solving, slice);
    if (status == LINEX_UNFINISHED) return status;
    fits->spent += linex_solving_work(fits->solving);
    linex_solving_free(fits->solving);
    fits->solving = NULL;
    return status;
}

static linex_status draw_environments(linex_fits *fits, uint64_t draw, linex_slice *slice)
{
    if (draw > 0 || fits->environments.kind != LINEX_BOOTSTRAP || fits->settings->method != LINEX_METHOD_LIME)
        return linex_drawing_advance(&fits->drawing, fits->settings->seed, draw, fits->weights, slice);
    memcpy(fits->weights, fits->totals, fits->samples->count * sizeof *fits->weights);
    return LINEX_OK;
}

static linex_status combine_fits(linex_fits *fits, uint64_t draw, linex_outcome *outcome, linex_slice *slice)
{
    switch (fits->settings->method) {
    case LINEX_METHOD_LINEX:
        return play(fits, draw, outcome, slice);
    case LINEX_METHOD_LIME:
        memcpy(outcome->weights, fits->fits, fits->size * sizeof *outcome->weights);
        return LINEX_OK;
    case LINEX_METHOD_SMOOTHED:
        return linex_smooth(fits->settings->smoothing, fits->players, fits->size, fits->fits, outcome->weights);
    }
    return LINEX_BAD_ARGUMENT;
}

/* The stages of one draw. */
static linex_status advance_draw(linex_fits *fits, uint64_t draw, linex_outcome *outcome, linex_slice *slice)
{
    bool halves = fits->steady && fits->environments.kind == LINEX_HALVES;
    bool grouped = halves || (fits->grouped && !fits->steady && draw >= fits->settings->games);
    linex_status status = LINEX_OK;
    if (fits->stage == LINEX_DRAW) {
        if (grouped)
            linex_groups_draw(&fits->groups, &fits->environments, fits->settings->seed, draw, fits->weights);
        else
            status = draw_environments(fits, draw, slice);
        if (status) return status;
        fits->stage = LINEX_FIT;
    }
    if (fits->low_rank) return fits->wide_player->play(fits, draw, outcome, slice);
    if (fits->stage == LINEX_FIT) {
        status = fit_environments(fits, grouped, slice);
        if (status) return status;
        fits->stage = LINEX_PLAY;
    }
    return combine_fits(fits, draw, outcome, slice);
}

linex_status linex_fits_draw(linex_fits *fits, uint64_t draw, linex_outcome *outcome, linex_slice *slice)
{
    linex_status status = advance_draw(fits, draw, outcome, slice);
    if (status == LINEX_UNFINISHED) return status;
    fits->stage = LINEX_DRAW;
    fits->player = 0;
    return status;
}

linex_status linex_fits_refit(linex_fits *fits, double *sum, linex_slice *slice)
{
    size_t size = fits->size;
    double *cross = fits->crosses + fits->player * size, factor = fits->ridge / fits->total;
    for (; fits->refits <= REFITS; fits->refits++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        for (size_t c = 0; fits->refits > 0 && c < size; c++) cross[c] *= factor;
        linex_cholesky_solve(size, fits->factor, cross);
        if (fits->refits == 0)
            memset(sum, 0, size * sizeof *sum);
        else
            linex_add_scaled(size, 1, cross, sum);
        linex_slice_use(slice, (double)size * (double)size);
    }
    fits->refits = 0;
    return LINEX_OK;
}

linex_status linex_fits_ridge_losses(linex_fits *fits, double *scratch, double *losses, linex_slice *slice)
{
    size_t size = fits->size;
    /* A wide fit is determined by its ridge, so without the ridge there is nothing to compare it with. */
    if (fits->ridge == 0 || fits->wide) return LINEX_OK;
    if (fits->stage == LINEX_DRAW) {
        linex_status status = draw_environments(fits, 0, slice);
        if (status) return status;
        memset(losses, 0, size * sizeof *losses);
        fits->stage = LINEX_FIT;
    }
    for (; fits->player < fits->players; fits->player++) {
        if (fits->stage == LINEX_FIT) {
            linex_status status = factorize_player(fits, false, slice);
            if (status) return status;
            fits->stage = LINEX_PLAY;
        }
        if (fits->total > 0) {
            if (linex_fits_refit(fits, scratch, slice)) return LINEX_UNFINISHED;
            for (size_t c = 0; c < size; c++) losses[c] = fmax(losses[c], fabs(scratch[c]));
        }
        fits->stage = LINEX_FIT;
    }
    fits->player = 0;
    fits->stage = LINEX_DRAW;
    return LINEX_OK;
}

bool linex_fits_inform(const linex_fits *fits, size_t c)
{
    if (!fits->steady || fits->environments.kind != LINEX_SIDES) return true;
    size_t size = fits->size;
    double ridge = fits->shared_ridge, least = LEAST_VARIANCE * (fits->variances[c] - ridge);
    for (size_t i = 0; i < fits->players; i++)
        if (!(fits->grams[(i * size + c) * size + c] - ridge > least)) return false;
    return true;
}

double linex_fits_agreed(const linex_fits *fits, const linex_outcome *outcome, size_t c)
{
    if (fits->settings->method == LINEX_METHOD_LINEX) return outcome->weights[c];
    double largest = 0;
    for (size_t i = 0; i < fits->players; i++) {
        fits->sorted[i] = fits->fits[i * fits->size + c];
        largest = fmax(largest, fabs(fits->sorted[i]));
    }
    linex_sort(fits->players, fits->sorted);
    return linex_rest_point(fits->players, fits->sorted, largest);
}

void linex_fits_keep_game(const linex_fits *fits, linex_explanation *explanation)
{
    size_t crosses = fits->players * fits->size, grams = crosses * fits->size;
    if (explanation->grams) memcpy(explanation->grams, fits->grams, grams * sizeof *fits->grams);
    if (explanation->targets) memcpy(explanation->targets, fits->crosses, crosses * sizeof *fits->crosses);
}

void linex_outcome_add(const linex_fits *fits, const linex_outcome *outcome, double share, linex_outcome *mean)
{
    linex_add_scaled(fits->size, share, outcome->weights, mean->weights);
    linex_add_scaled(fits->players * fits->size, share, outcome->strategies, mean->strategies);
    mean->gamma += share * outcome->gamma;
    mean->report.converged = mean->report.converged && outcome->report.converged;
    mean->report.rounds += outcome->report.rounds;
    mean->report.residual = fmax(mean->report.residual, outcome->report.residual);
    mean->report.multiplier += share * outcome->report.multiplier;
    mean->report.median_residual = fmax(mean->report.median_residual, outcome->report.median_residual);
}
