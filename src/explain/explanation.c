#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/environments.h"
#include "game/groups.h"
#include "base/matrix.h"
#include "base/alloc.h"
#include "explain/stability.h"

enum { REFITS = 20 };

linex_settings linex_defaults(void)
{
    return (linex_settings){
        .ridge = 1,
        .environments = {.kind = LINEX_BOOTSTRAP, .players = 2},
        .game = linex_game_defaults(),
        .games = 1,
        .draws = 200,
    };
}

/* One explanation while it is being made. Fits see `size` columns: the chosen features and, where the
 * intercept plays, a constant after them. */
struct study {
    const linex_samples *samples;
    const linex_settings *settings;
    size_t players, size;
    double *totals;      /* count: the weight of all copies of a point */
    linex_points points; /* count x size, stored as the samples' are */
    double *weights;     /* players x count: the environments */
    double *grams;       /* players x size x size */
    double *crosses;     /* players x size */
    double *fits;        /* players x size: what each environment alone would say */
    double *mean;        /* size */
    double *scratch;     /* linex_moments_scratch(size) */
    double *memory;
    void *stored; /* the points */
    bool grouped; /* whether draws that are not games are of groups */
    linex_groups groups;
};

/* What one draw of the environments says. */
struct outcome {
    double *weights;    /* size */
    double *strategies; /* players x size */
    double gamma;
    linex_game_report report;
};

static bool centered(const linex_settings *settings)
{
    return settings->intercept == LINEX_INTERCEPT_FREE;
}

/* The chosen columns, and where the intercept plays a column of ones. */
static linex_status gather_points(struct study *study, const uint32_t *chosen, size_t chosen_count)
{
    const linex_samples *samples = study->samples;
    size_t count = samples->count, size = study->size, feature_count = samples->feature_count;
    if (samples->masks) {
        uint8_t *masks = calloc(count, size ? size : 1);
        if (!masks) return LINEX_NO_MEMORY;
        for (size_t i = 0; i < count; i++)
            for (size_t c = 0; c < size; c++)
                masks[i * size + c] = c < chosen_count ? samples->masks[i * feature_count + chosen[c]] : 1;
        study->stored = masks;
        study->points = (linex_points){count, size, NULL, masks};
        return LINEX_OK;
    }
    double *values = linex_alloc_doubles((double)count * (double)size);
    if (!values) return LINEX_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < size; c++)
            values[i * size + c] = c < chosen_count ? samples->points[i * feature_count + chosen[c]] : 1;
    study->stored = values;
    study->points = (linex_points){count, size, values, NULL};
    return LINEX_OK;
}

/* Only what is drawn by chance can be drawn group by group. */
static bool draws_of_groups(const struct study *study)
{
    const linex_settings *settings = study->settings;
    linex_environment_kind kind = settings->environments.kind;
    bool by_chance = settings->method == LINEX_METHOD_LIME || kind == LINEX_BOOTSTRAP || kind == LINEX_HALVES;
    size_t count = study->samples->count, planned = study->samples->planned;
    return by_chance && settings->draws > settings->games && study->players <= LINEX_GROUPS / 2 &&
           linex_groups_are_worth_it(count < planned ? count : planned, study->size);
}

static linex_status study_open(struct study *study, const uint32_t *chosen, size_t chosen_count)
{
    size_t count = study->samples->count, size = study->size, players = study->players;
    double all_moments = (double)players * (double)size * (double)(size + 2) + (double)size;
    double *next = linex_alloc_doubles((double)players * (double)count + all_moments + linex_moments_scratch(size));
    if (!next) return LINEX_NO_MEMORY;
    study->memory = next;
    study->weights = next, next += players * count;
    study->grams = next, next += players * size * size;
    study->crosses = next, next += players * size;
    study->fits = next, next += players * size;
    study->mean = next, next += size;
    study->scratch = next;
    linex_status status = gather_points(study, chosen, chosen_count);
    if (!status && size > 0 && draws_of_groups(study)) {
        /* Without room for groups the draws are of samples: slower, no worse. */
        study->grouped = !linex_groups_open(&study->groups, study->samples, &study->points, centered(study->settings),
                                            study->settings->seed, study->scratch);
    }
    return status;
}

static void study_close(struct study *study)
{
    free(study->memory);
    free(study->stored);
    free(study->totals);
    linex_groups_close(&study->groups);
}

/* The weight of a point is that of one copy times the number of copies. Returns what the copies are worth
 * together: (sum w)^2 / sum w^2. */
static double total_weights(const linex_samples *samples, double *totals)
{
    double sum = 0, squares = 0;
    memset(totals, 0, samples->count * sizeof *totals);
    for (size_t i = 0; i < samples->planned; i++) {
        size_t point = samples->point_of ? samples->point_of[i] : i;
        double weight = samples->weights[point];
        totals[point] += weight;
        sum += weight;
        squares += weight * weight;
    }
    return squares > 0 ? sum * sum / squares : 0;
}

/* Where the moments of player i go. */
static linex_moments place_of(struct study *study, size_t i)
{
    size_t size = study->size;
    return (linex_moments){.gram = study->grams + i * size * size,
                           .cross = study->crosses + i * size,
                           .mean = study->mean,
                           .scratch = study->scratch};
}

/* The moments of player i's environment, of all samples. */
static linex_moments take_moments(struct study *study, size_t i)
{
    linex_moments moments = place_of(study, i);
    linex_moments_take(&study->points, study->samples->answers, study->weights + i * study->samples->count,
                       centered(study->settings), study->settings->ridge, &moments);
    return moments;
}

static linex_status fit_environments(struct study *study, bool grouped)
{
    for (size_t i = 0; i < study->players; i++) {
        linex_moments moments = place_of(study, i);
        if (grouped)
            linex_groups_moments(&study->groups, study->weights + i * LINEX_GROUPS, study->settings->ridge, &moments);
        else
            moments = take_moments(study, i);
        linex_status status =
            linex_ridge_solve(study->size, moments.gram, moments.cross, study->fits + i * study->size);
        if (status) return status;
    }
    return LINEX_OK;
}

static linex_status play(struct study *study, struct outcome *outcome)
{
    size_t size = study->size;
    linex_game_settings game = study->settings->game;
    for (size_t i = 0; study->settings->game.gamma == 0 && i < study->players * size; i++)
        game.gamma = fmax(game.gamma, fabs(study->fits[i]));
    outcome->gamma = game.gamma;
    outcome->report = (linex_game_report){.converged = true};
    if (game.gamma == 0) { /* nobody has anything to say */
        memset(outcome->weights, 0, size * sizeof *outcome->weights);
        memset(outcome->strategies, 0, study->players * size * sizeof *outcome->strategies);
        return LINEX_OK;
    }
    return linex_game_solve(study->players, size, study->grams, study->crosses, &game, outcome->weights,
                            outcome->strategies, &outcome->report);
}

/* LIME fits the whole neighborhood; its further draws are bootstraps of it. */
static linex_environment_settings kind_of(const linex_settings *settings)
{
    if (settings->method != LINEX_METHOD_LIME) return settings->environments;
    return (linex_environment_settings){.kind = LINEX_BOOTSTRAP, .players = 1};
}

static linex_status deal_environments(struct study *study, const linex_environment_settings *kind, uint64_t draw)
{
    if (draw > 0 || study->settings->method != LINEX_METHOD_LIME)
        return linex_environments_draw(study->samples, kind, study->settings->seed, draw, study->weights);
    memcpy(study->weights, study->totals, study->samples->count * sizeof *study->weights);
    return LINEX_OK;
}

static linex_status explain_draw(struct study *study, uint64_t draw, struct outcome *outcome)
{
    const linex_settings *settings = study->settings;
    bool grouped = study->grouped && draw >= settings->games;
    const linex_environment_settings kind = kind_of(settings);
    linex_status status = LINEX_OK;
    if (grouped)
        linex_groups_draw(&kind, settings->seed, draw, study->weights);
    else
        status = deal_environments(study, &kind, draw);
    if (!status) status = fit_environments(study, grouped);
    if (status) return status;
    switch (settings->method) {
    case LINEX_METHOD_LINEX:
        return play(study, outcome);
    case LINEX_METHOD_LIME:
        memcpy(outcome->weights, study->fits, study->size * sizeof *outcome->weights);
        return LINEX_OK;
    case LINEX_METHOD_SMOOTHED:
        return linex_smooth(settings->smoothing, study->players, study->size, study->fits, outcome->weights);
    }
    return LINEX_BAD_ARGUMENT;
}

/* The first game itself, for those who want to watch it. */
static void keep_game(const struct study *study, linex_explanation *explanation)
{
    size_t crosses = study->players * study->size, grams = crosses * study->size;
    if (explanation->grams) memcpy(explanation->grams, study->grams, grams * sizeof *study->grams);
    if (explanation->targets) memcpy(explanation->targets, study->crosses, crosses * sizeof *study->crosses);
}

/* Adds one game to the mean of several. */
static void add_outcome(const struct study *study, const struct outcome *one, double share, struct outcome *mean)
{
    linex_add_scaled(study->size, share, one->weights, mean->weights);
    linex_add_scaled(study->players * study->size, share, one->strategies, mean->strategies);
    mean->gamma += share * one->gamma;
    mean->report.converged = mean->report.converged && one->report.converged;
    mean->report.rounds += one->report.rounds;
    mean->report.residual = fmax(mean->report.residual, one->report.residual);
    mean->report.multiplier += share * one->report.multiplier;
}

/* Plays the games whose mean is reported, and all the draws that tell how sure it is. A draw may be degenerate by
 * itself (a bootstrap of few points without a ridge); the games must not be, the others are left out.
 *
 * drawn  size x draws, one feature after the other
 * kept   how many draws there are of each feature */
static linex_status play_draws(struct study *study, struct outcome *one, struct outcome *mean, double *drawn,
                               size_t *kept, linex_explanation *explanation)
{
    const linex_settings *settings = study->settings;
    size_t games = settings->games, draws = settings->draws;
    *kept = 0;
    for (size_t draw = 0; draw < draws || draw < games; draw++) {
        linex_status status = explain_draw(study, draw, one);
        if (status == LINEX_DEGENERATE && draw >= games) continue;
        if (status) return status;
        if (draw == 0 && settings->method == LINEX_METHOD_LINEX) keep_game(study, explanation);
        if (draw < games) add_outcome(study, one, 1 / (double)games, mean);
        if (draw >= draws) continue;
        for (size_t c = 0; c < study->size; c++) drawn[c * draws + *kept] = one->weights[c];
        (*kept)++;
    }
    return LINEX_OK;
}

/* What the ridge takes away from each coefficient, at most, of the environments' own fits, so far as refitting what is
 * left over brings it back:
 *
 *     unridged = sum over j >= 0 of (ridge (X'WX + ridge I)^-1)^j ridged.
 *
 * Not by a fit without the ridge: where the points do not determine it, that has none. The draws know nothing of
 * this loss, since each of them suffers it.
 *
 * scratch  size
 * taken    size; the study's environments and moments are overwritten */
static linex_status measure_ridge(struct study *study, double *scratch, double *taken)
{
    size_t size = study->size;
    double ridge = study->settings->ridge;
    memset(taken, 0, size * sizeof *taken);
    if (ridge == 0) return LINEX_OK;
    const linex_environment_settings kind = kind_of(study->settings);
    linex_status status = deal_environments(study, &kind, 0);
    for (size_t i = 0; !status && i < study->players; i++) {
        linex_moments moments = take_moments(study, i);
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
        for (size_t c = 0; c < size; c++) taken[c] = fmax(taken[c], fabs(scratch[c]));
    }
    return status;
}

static double loss_of(size_t size, const double *weights, const double *ridge)
{
    double largest = 0, most = 0;
    for (size_t c = 0; c < size; c++) {
        largest = fmax(largest, fabs(weights[c]));
        most = fmax(most, ridge[c]);
    }
    return largest > 0 ? most / largest : 0;
}

static void clear(size_t feature_count, size_t players, linex_explanation *explanation)
{
    double *arrays[] = {explanation->weights, explanation->raw, explanation->low, explanation->high,
                        explanation->agreement};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i]) memset(arrays[i], 0, feature_count * sizeof **arrays);
    if (explanation->strategies)
        memset(explanation->strategies, 0, players * feature_count * sizeof *explanation->strategies);
}

/* Writes what is known of chosen feature c, silencing it where its sign is too unsure. Returns its weight.
 *
 * drawn  its weight in the draws
 * ridge  what the ridge takes away from it */
static double report_feature(const struct study *study, const struct outcome *mean, double *drawn, size_t kept,
                             double ridge, size_t c, size_t feature, linex_explanation *explanation)
{
    size_t feature_count = study->samples->feature_count;
    double low = mean->weights[c], high = low, agreement = 1, weight = low;
    if (kept > 0) linex_stability_of(kept, drawn, &low, &high, &agreement);
    low = fmin(low, weight) - ridge;
    high = fmax(high, weight) + ridge;
    if (agreement < study->settings->agreement) weight = 0;
    if (explanation->weights) explanation->weights[feature] = weight;
    if (explanation->raw) explanation->raw[feature] = mean->weights[c];
    if (explanation->low) explanation->low[feature] = low;
    if (explanation->high) explanation->high[feature] = high;
    if (explanation->agreement) explanation->agreement[feature] = agreement;
    for (size_t i = 0; explanation->strategies && i < study->players; i++)
        explanation->strategies[i * feature_count + feature] = mean->strategies[i * study->size + c];
    return weight;
}

/* The intercept that fits the whole neighborhood, and how well all of it fits: weighted R2. */
static void judge(const struct study *study, const double *weights, size_t chosen_count, double constant,
                  linex_explanation *explanation)
{
    const linex_samples *samples = study->samples;
    double total = 0, answer = 0, rest = 0;
    for (size_t i = 0; i < samples->count; i++) {
        double said = linex_dot(chosen_count, weights, linex_points_row(&study->points, i, study->scratch));
        total += study->totals[i];
        answer += study->totals[i] * samples->answers[i];
        rest += study->totals[i] * (samples->answers[i] - said);
    }
    double mean = total > 0 ? answer / total : 0;
    explanation->intercept = constant;
    if (centered(study->settings)) explanation->intercept = total > 0 ? rest / total : 0;

    double missed = 0, varied = 0;
    for (size_t i = 0; i < samples->count; i++) {
        const double *point = linex_points_row(&study->points, i, study->scratch);
        double said = explanation->intercept + linex_dot(chosen_count, weights, point);
        missed += study->totals[i] * (samples->answers[i] - said) * (samples->answers[i] - said);
        varied += study->totals[i] * (samples->answers[i] - mean) * (samples->answers[i] - mean);
    }
    explanation->fidelity = varied > 0 ? 1 - missed / varied : (double)(missed == 0);
}

static linex_status explain_chosen(struct study *study, const double *at, const uint32_t *chosen, size_t chosen_count,
                                   linex_explanation *explanation)
{
    size_t size = study->size, each = (1 + study->players) * size, draws = study->settings->draws;
    double *memory = linex_alloc_doubles(2.0 * (double)each + (double)size * (double)(draws + 1));
    size_t kept;
    if (!memory) return LINEX_NO_MEMORY;
    struct outcome one = {.weights = memory, .strategies = memory + size};
    struct outcome mean = {
        .weights = memory + each, .strategies = memory + each + size, .report = {.converged = true}};
    one.report.converged = true;
    double *ridge = memory + 2 * each, *drawn = ridge + size;
    linex_status status = play_draws(study, &one, &mean, drawn, &kept, explanation);
    if (!status && draws > 0) status = measure_ridge(study, one.weights, ridge);
    if (!status) {
        explanation->gamma = mean.gamma;
        explanation->game = mean.report;
        for (size_t c = 0; c < chosen_count; c++)
            one.weights[c] =
                report_feature(study, &mean, drawn + c * draws, kept, ridge[c], c, chosen[c], explanation);
        explanation->ridge_loss = loss_of(chosen_count, mean.weights, ridge);
        judge(study, one.weights, chosen_count, size > chosen_count ? mean.weights[chosen_count] : 0, explanation);
        explanation->local_prediction = explanation->intercept;
        for (size_t c = 0; c < chosen_count; c++) explanation->local_prediction += one.weights[c] * at[chosen[c]];
    }
    free(memory);
    return status;
}

static bool settings_are_good(const linex_settings *settings)
{
    return settings->ridge >= 0 && isfinite(settings->ridge) && settings->games >= 1 &&
           settings->environments.players >= 1 && settings->agreement >= 0 && settings->agreement <= 1 &&
           (settings->agreement == 0 || settings->draws > 0);
}

static bool samples_are_good(const linex_samples *samples)
{
    const linex_points points = linex_points_of(samples);
    if (!samples->answers || !samples->weights || !linex_points_are_good(&points)) return false;
    if (samples->planned < 2 || !linex_point_indices_are_valid(samples)) return false;
    for (size_t i = 0; i < samples->count; i++)
        if (!(samples->weights[i] >= 0) || !isfinite(samples->weights[i])) return false;
    if (samples->distances && !linex_all_finite(samples->count, samples->distances)) return false;
    return linex_all_finite(samples->count, samples->answers);
}

static bool answers_are_constant(const linex_samples *samples)
{
    for (size_t i = 1; i < samples->count; i++)
        if (samples->answers[i] != samples->answers[0]) return false;
    return true;
}

linex_status linex_explain(const linex_samples *samples, const double *at, const linex_settings *settings,
                           linex_explanation *explanation)
{
    if (!samples || !at || !settings || !explanation || !samples_are_good(samples) || !settings_are_good(settings))
        return LINEX_BAD_ARGUMENT;
    bool lime = settings->method == LINEX_METHOD_LIME;
    struct study study = {samples, settings, .players = lime ? 1 : settings->environments.players};
    size_t chosen_count = 0;
    uint32_t *chosen = calloc(samples->feature_count, sizeof *chosen);
    study.totals = linex_alloc_doubles((double)samples->count);
    linex_status status = chosen && study.totals ? LINEX_OK : LINEX_NO_MEMORY;
    if (!status) {
        clear(samples->feature_count, settings->environments.players, explanation);
        explanation->effective_samples = total_weights(samples, study.totals);
        const linex_points points = linex_points_of(samples);
        status = linex_select(settings->selection, &points, samples->answers, study.totals, centered(settings), at,
                              settings->features, chosen, &chosen_count);
    }
    study.size = chosen_count + (settings->intercept == LINEX_INTERCEPT_FEATURE);
    bool silent = study.size == 0 || (centered(settings) && answers_are_constant(samples));
    if (!status) status = study_open(&study, chosen, chosen_count);
    if (!status) {
        explanation->chosen_count = chosen_count;
        if (explanation->chosen) memcpy(explanation->chosen, chosen, chosen_count * sizeof *chosen);
        explanation->gamma = 0;
        explanation->game = (linex_game_report){.converged = true};
        explanation->ridge_loss = 0;
        if (silent) {
            judge(&study, study.fits, 0, 0, explanation);
            if (centered(settings) && answers_are_constant(samples)) { /* whatever rounding makes of their mean */
                explanation->intercept = samples->answers[0];
                explanation->fidelity = 1;
            }
            explanation->local_prediction = explanation->intercept;
        } else {
            status = explain_chosen(&study, at, chosen, chosen_count, explanation);
        }
    }
    study_close(&study);
    free(chosen);
    return status;
}
