/* explanation.c: makes one explanation from answered samples: selection, games, draws, intervals, fidelity. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/matrix.h"
#include "explain/environment_fits.h"
#include "explain/stability.h"
#include "game/environments.h"

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

/* Computes the weight of each point: the weight of one copy times the number of copies. Returns the effective number
 * of samples, (sum w)^2 / sum w^2. */
static double total_weights(const linex_samples *samples, double *totals)
{
    double sum = 0, squares = 0;
    memset(totals, 0, samples->count * sizeof *totals);
    for (size_t i = 0; i < samples->planned; i++) {
        size_t point = linex_point_of(samples, i);
        double weight = samples->weights[point];
        totals[point] += weight;
        sum += weight;
        squares += weight * weight;
    }
    return squares > 0 ? sum * sum / squares : 0;
}

/* Copies the first game for callers that ask for it. */
static void keep_game(const linex_fits *fits, linex_explanation *explanation)
{
    size_t crosses = fits->players * fits->size, grams = crosses * fits->size;
    if (explanation->grams) memcpy(explanation->grams, fits->grams, grams * sizeof *fits->grams);
    if (explanation->targets) memcpy(explanation->targets, fits->crosses, crosses * sizeof *fits->crosses);
}

/* Adds one game to the mean of several. */
static void add_outcome(const linex_fits *fits, const linex_outcome *outcome, double share, linex_outcome *mean)
{
    linex_add_scaled(fits->size, share, outcome->weights, mean->weights);
    linex_add_scaled(fits->players * fits->size, share, outcome->strategies, mean->strategies);
    mean->gamma += share * outcome->gamma;
    mean->report.converged = mean->report.converged && outcome->report.converged;
    mean->report.rounds += outcome->report.rounds;
    mean->report.residual = fmax(mean->report.residual, outcome->report.residual);
    mean->report.multiplier += share * outcome->report.multiplier;
}

/* Plays the games whose mean is reported, and the draws that the intervals come from. A draw can be degenerate (a
 * bootstrap of few points without a ridge). If a game is degenerate, the call fails. If another draw is, it is left
 * out.
 *
 * outcome  scratch
 * drawn    size x draws: the weights of one feature after the other
 * kept     the number of draws per feature */
static linex_status play_draws(linex_fits *fits, linex_outcome *outcome, linex_outcome *mean, double *drawn,
                               size_t *kept, linex_explanation *explanation)
{
    const linex_settings *settings = fits->settings;
    size_t games = settings->games, draws = settings->draws;
    *kept = 0;
    for (size_t draw = 0; draw < draws || draw < games; draw++) {
        linex_status status = linex_fits_draw(fits, draw, outcome);
        if (status == LINEX_DEGENERATE && draw >= games) continue;
        if (status) return status;
        if (draw == 0 && settings->method == LINEX_METHOD_LINEX) keep_game(fits, explanation);
        if (draw < games) add_outcome(fits, outcome, 1 / (double)games, mean);
        if (draw >= draws) continue;
        for (size_t c = 0; c < fits->size; c++) drawn[c * draws + *kept] = outcome->weights[c];
        (*kept)++;
    }
    return LINEX_OK;
}

/* The largest loss divided by the largest weight. */
static double relative_loss(size_t count, const double *weights, const double *losses)
{
    double largest = 0, most = 0;
    for (size_t c = 0; c < count; c++) {
        largest = fmax(largest, fabs(weights[c]));
        most = fmax(most, losses[c]);
    }
    return largest > 0 ? most / largest : 0;
}

/* Fills every array with zeros. */
static void clear(size_t feature_count, size_t players, linex_explanation *explanation)
{
    double *arrays[] = {explanation->weights, explanation->raw, explanation->low, explanation->high,
                        explanation->agreement};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i]) memset(arrays[i], 0, feature_count * sizeof **arrays);
    if (explanation->strategies)
        memset(explanation->strategies, 0, players * feature_count * sizeof *explanation->strategies);
}

/* Writes the results of chosen feature c. Sets its weight to zero if the agreement of its sign is too low. Returns
 * the weight.
 *
 * drawn  its weight in each of the kept draws; sorted on return
 * loss   by how much the ridge shrinks it */
static double report_feature(const linex_fits *fits, const linex_outcome *mean, double *drawn, size_t kept,
                             double loss, size_t c, size_t feature, linex_explanation *explanation)
{
    size_t feature_count = fits->samples->feature_count;
    double low = mean->weights[c], high = low, agreement = 1, weight = low;
    if (kept > 0) linex_stability_of(kept, drawn, &low, &high, &agreement);
    low = fmin(low, weight) - loss;
    high = fmax(high, weight) + loss;
    if (agreement < fits->settings->agreement) weight = 0;
    if (explanation->weights) explanation->weights[feature] = weight;
    if (explanation->raw) explanation->raw[feature] = mean->weights[c];
    if (explanation->low) explanation->low[feature] = low;
    if (explanation->high) explanation->high[feature] = high;
    if (explanation->agreement) explanation->agreement[feature] = agreement;
    for (size_t i = 0; explanation->strategies && i < fits->players; i++)
        explanation->strategies[i * feature_count + feature] = mean->strategies[i * fits->size + c];
    return weight;
}

/* Finds the intercept that fits all samples best, and how well the explanation fits them: weighted R^2.
 *
 * constant  the intercept if it is not free */
static void measure_fidelity(const linex_fits *fits, const double *weights, size_t chosen_count, double constant,
                             linex_explanation *explanation)
{
    const linex_samples *samples = fits->samples;
    double total = 0, answer = 0, rest = 0;
    for (size_t i = 0; i < samples->count; i++) {
        double predicted = linex_dot(chosen_count, weights, linex_points_row(&fits->points, i, fits->scratch));
        total += fits->totals[i];
        answer += fits->totals[i] * samples->answers[i];
        rest += fits->totals[i] * (samples->answers[i] - predicted);
    }
    double mean = total > 0 ? answer / total : 0;
    explanation->intercept = constant;
    if (linex_fits_are_centered(fits->settings)) explanation->intercept = total > 0 ? rest / total : 0;

    double missed = 0, varied = 0;
    for (size_t i = 0; i < samples->count; i++) {
        const double *point = linex_points_row(&fits->points, i, fits->scratch);
        double predicted = explanation->intercept + linex_dot(chosen_count, weights, point);
        missed += fits->totals[i] * (samples->answers[i] - predicted) * (samples->answers[i] - predicted);
        varied += fits->totals[i] * (samples->answers[i] - mean) * (samples->answers[i] - mean);
    }
    explanation->fidelity = varied > 0 ? 1 - missed / varied : (double)(missed == 0);
}

static linex_status explain_chosen(linex_fits *fits, const double *at, const uint32_t *chosen, size_t chosen_count,
                                   linex_explanation *explanation)
{
    size_t size = fits->size, each = (1 + fits->players) * size, draws = fits->settings->draws;
    double *memory = linex_alloc_doubles(2.0 * (double)each + (double)size * (double)(draws + 1));
    size_t kept;
    if (!memory) return LINEX_NO_MEMORY;
    linex_outcome outcome = {.weights = memory, .strategies = memory + size, .report = {.converged = true}};
    linex_outcome mean = {
        .weights = memory + each, .strategies = memory + each + size, .report = {.converged = true}};
    double *losses = memory + 2 * each, *drawn = losses + size, *weights = outcome.weights;
    linex_status status = play_draws(fits, &outcome, &mean, drawn, &kept, explanation);
    if (!status && draws > 0) status = linex_fits_ridge_losses(fits, weights, losses);
    if (!status) {
        explanation->gamma = mean.gamma;
        explanation->game = mean.report;
        for (size_t c = 0; c < chosen_count; c++)
            weights[c] = report_feature(fits, &mean, drawn + c * draws, kept, losses[c], c, chosen[c], explanation);
        explanation->ridge_loss = relative_loss(chosen_count, mean.weights, losses);
        double constant = size > chosen_count ? mean.weights[chosen_count] : 0;
        measure_fidelity(fits, weights, chosen_count, constant, explanation);
        explanation->local_prediction = explanation->intercept;
        for (size_t c = 0; c < chosen_count; c++) explanation->local_prediction += weights[c] * at[chosen[c]];
    }
    free(memory);
    return status;
}

/* Handles constant answers, and samples without a feature that can get a weight. */
static void explain_by_intercept(const linex_fits *fits, bool constant, linex_explanation *explanation)
{
    measure_fidelity(fits, fits->fits, 0, 0, explanation);
    if (constant) { /* rounding can move their mean */
        explanation->intercept = fits->samples->answers[0];
        explanation->fidelity = 1;
    }
    explanation->local_prediction = explanation->intercept;
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

/* Fits the chosen features and fills the explanation. */
static linex_status explain_features(const linex_samples *samples, const double *at, const linex_settings *settings,
                                     const double *totals, const uint32_t *chosen, size_t chosen_count,
                                     linex_explanation *explanation)
{
    linex_fits fits;
    linex_status status = linex_fits_open(&fits, samples, settings, totals, chosen, chosen_count);
    if (!status) {
        bool constant = linex_fits_are_centered(settings) && answers_are_constant(samples);
        explanation->chosen_count = chosen_count;
        if (explanation->chosen) memcpy(explanation->chosen, chosen, chosen_count * sizeof *chosen);
        explanation->gamma = 0;
        explanation->game = (linex_game_report){.converged = true};
        explanation->ridge_loss = 0;
        if (constant || fits.size == 0)
            explain_by_intercept(&fits, constant, explanation);
        else
            status = explain_chosen(&fits, at, chosen, chosen_count, explanation);
    }
    linex_fits_close(&fits);
    return status;
}

linex_status linex_explain(const linex_samples *samples, const double *at, const linex_settings *settings,
                           linex_explanation *explanation)
{
    if (!samples || !at || !settings || !explanation || !samples_are_good(samples) || !settings_are_good(settings))
        return LINEX_BAD_ARGUMENT;
    size_t chosen_count = 0;
    uint32_t *chosen = calloc(samples->feature_count, sizeof *chosen);
    double *totals = linex_alloc_doubles((double)samples->count);
    linex_status status = chosen && totals ? LINEX_OK : LINEX_NO_MEMORY;
    if (!status) {
        clear(samples->feature_count, settings->environments.players, explanation);
        explanation->effective_samples = total_weights(samples, totals);
        const linex_points points = linex_points_of(samples);
        status = linex_select(settings->selection, &points, samples->answers, totals,
                              linex_fits_are_centered(settings), at, settings->features, chosen, &chosen_count);
    }
    if (!status) status = explain_features(samples, at, settings, totals, chosen, chosen_count, explanation);
    free(totals);
    free(chosen);
    return status;
}
