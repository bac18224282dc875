/* steady_test.c: tests of the steady explanation: games on halves, errors from runs, silencing, listing, sides. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"
#include "base/random.h"
#include "matrices/matrix.h"
#include "matrices/moments.h"
#include "environments/sample_runs.h"

enum { COUNT = 300, FEATURES = 6, SEED = 4 };

static double points[COUNT * FEATURES], answers[COUNT], weights[COUNT], distances[COUNT], scratch[1024];

/* Curved answers: features 3 to 5 have no effect of their own. */
static linex_samples curved_samples(uint64_t seed)
{
    linex_random random = linex_random_seed(seed);
    linex_random_normals(&random, COUNT * FEATURES, points);
    memset(points, 0, FEATURES * sizeof *points);
    for (size_t i = 0; i < COUNT; i++) {
        const double *x = points + i * FEATURES;
        answers[i] = 2 * x[0] - x[1] + 0.5 * x[2] + x[3] * x[4] + 0.5 * x[1] * x[1];
    }
    CHECK(linex_proximity(COUNT, FEATURES, points, points, 2, distances, weights) == LINEX_OK);
    return (linex_samples){.count = COUNT,
                           .feature_count = FEATURES,
                           .points = points,
                           .answers = answers,
                           .weights = weights,
                           .distances = distances,
                           .planned = COUNT,
                           .block = 2};
}

/* The ridge fit of samples with these weights. `total` is the weight of all samples; the ridge is shared. */
static void fit(const double *drawn, double total, double *gram, double *cross, double *fitted)
{
    const linex_points all = {COUNT, FEATURES, points, NULL};
    double mean[FEATURES], own = 0;
    for (size_t i = 0; i < COUNT; i++) own += drawn[i];
    linex_moments moments = {.gram = gram, .cross = cross, .mean = mean, .scratch = scratch};
    CHECK(linex_moments_scratch(FEATURES) <= sizeof scratch / sizeof *scratch);
    linex_moments_take(&all, answers, drawn, true, own / total, &moments);
    CHECK(linex_ridge_solve(FEATURES, gram, cross, fitted) == LINEX_OK);
}

static double sum_of(const double *values)
{
    double sum = 0;
    for (size_t i = 0; i < COUNT; i++) sum += values[i];
    return sum;
}

/* Every game again, from the public functions: draw the halves, fit them, solve. */
static void mean_of_games(const linex_samples *samples, linex_environment_kind kind, size_t games, double *mean)
{
    const linex_environment_settings environments = {.kind = kind, .players = 2, .at = points};
    static double drawn[2 * COUNT];
    double total = sum_of(weights);
    memset(mean, 0, FEATURES * sizeof *mean);
    for (uint64_t draw = 0; draw < games; draw++) {
        double grams[2 * FEATURES * FEATURES], targets[2 * FEATURES], fits[2 * FEATURES];
        double found[FEATURES], strategies[2 * FEATURES];
        CHECK(linex_environments_draw(samples, &environments, SEED, draw, drawn) == LINEX_OK);
        for (size_t i = 0; i < 2; i++)
            fit(drawn + i * COUNT, total, grams + i * FEATURES * FEATURES, targets + i * FEATURES,
                fits + i * FEATURES);
        linex_game_settings settings = linex_game_defaults();
        for (size_t i = 0; i < 2 * FEATURES; i++) settings.gamma = fmax(settings.gamma, fabs(fits[i]));
        linex_game_report report;
        CHECK(linex_game_solve(2, FEATURES, grams, targets, &settings, found, strategies, &report) == LINEX_OK);
        CHECK(report.converged);
        for (size_t c = 0; c < FEATURES; c++) mean[c] += found[c] / (double)games;
    }
}

static void the_weights_can_be_the_mean_of_the_games(void)
{
    enum { GAMES = 25 };
    const linex_environment_kind kinds[] = {LINEX_HALVES, LINEX_SIDES};
    for (size_t k = 0; k < 2; k++) {
        linex_samples samples = curved_samples(1);
        linex_settings settings = linex_defaults();
        settings.environments.kind = kinds[k];
        settings.games = settings.draws = GAMES;
        settings.weight = LINEX_WEIGHT_GAMES;
        settings.seed = SEED;
        double raw[FEATURES], expected[FEATURES];
        linex_explanation explanation = {.raw = raw};
        CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
        CHECK(explanation.game.converged && explanation.unsettled == 0);
        mean_of_games(&samples, kinds[k], GAMES, expected);
        for (size_t c = 0; c < FEATURES; c++) CHECK_NEAR(raw[c], expected[c], 1e-9);
    }
}

static void the_weights_are_the_fit_to_all_samples(void)
{
    linex_samples samples = curved_samples(2);
    double raw[FEATURES], gram[FEATURES * FEATURES], cross[FEATURES], whole[FEATURES];
    linex_explanation explanation = {.raw = raw};
    linex_settings settings = linex_defaults();
    fit(weights, sum_of(weights), gram, cross, whole);
    for (int strict = 0; strict < 2; strict++) {
        settings.environments.kind = strict ? LINEX_SIDES : LINEX_HALVES;
        CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
        for (size_t c = 0; c < FEATURES; c++) CHECK_NEAR(raw[c], whole[c], 1e-12);
    }
    /* A bound of the game would not hold for the fit. */
    settings.game.l1 = 0.5;
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
    double sum = 0;
    for (size_t c = 0; c < FEATURES; c++) sum += fabs(raw[c]);
    CHECK(sum <= 0.5 + 1e-9);
}

/* The errors by their definition: the geometric mean of the variances from refits without each run, and from one step
 * towards them with the matrix of all samples. The quantile for 18 degrees of freedom is from scipy. */
static void intervals_come_from_the_runs(void)
{
    linex_samples samples = curved_samples(2);
    for (int method = LINEX_METHOD_LINEX; method <= LINEX_METHOD_SMOOTHED; method++) {
        linex_settings settings = linex_defaults();
        settings.method = (linex_method)method;
        double low[FEATURES], high[FEATURES], gram[FEATURES * FEATURES], cross[FEATURES], whole[FEATURES];
        double full[FEATURES * FEATURES], unridged[FEATURES];
        linex_explanation explanation = {.low = low, .high = high};
        CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
        static uint32_t run_of[COUNT];
        linex_sample_runs_assign(&samples, 2, 0, run_of);
        CHECK(explanation.runs == 19);
        fit(weights, sum_of(weights), full, cross, whole);
        static double moves[2][19][FEATURES], left[COUNT];
        for (size_t run = 0; run < 19; run++) {
            for (size_t i = 0; i < COUNT; i++) left[i] = run_of[i] == run ? 0 : weights[i];
            fit(left, sum_of(weights), gram, cross, moves[0][run]);
            double share = sum_of(left) / sum_of(weights);
            for (size_t c = 0; c < FEATURES; c++) {
                moves[0][run][c] -= whole[c];
                cross[c] = share * (cross[c] - linex_dot(FEATURES, gram + c * FEATURES, whole));
            }
            CHECK(linex_ridge_solve(FEATURES, full, cross, moves[1][run]) == LINEX_OK);
        }
        for (size_t c = 0; c < FEATURES; c++) full[c * (FEATURES + 1)] -= 1 / sum_of(weights);
        fit(weights, sum_of(weights), gram, cross, whole);
        CHECK(linex_ridge_solve(FEATURES, full, cross, unridged) == LINEX_OK);
        for (size_t c = 0; c < FEATURES; c++) {
            double variance = 1;
            for (size_t kind = 0; kind < 2; kind++) {
                double mean = 0, squares = 0;
                for (size_t run = 0; run < 19; run++) mean += moves[kind][run][c] / 19;
                for (size_t run = 0; run < 19; run++)
                    squares += (moves[kind][run][c] - mean) * (moves[kind][run][c] - mean);
                variance *= sqrt(squares * (kind ? 19.0 / 18 : 18.0 / 19));
            }
            double reach = 2.100922 * sqrt(variance);
            CHECK_NEAR((high[c] - low[c]) / 2, reach, 1e-6);
            CHECK_NEAR((high[c] + low[c]) / 2, unridged[c], 2e-5);
        }
    }
}

/* Noise alone: the variance of a fit is that of the noise times the diagonal of (X'X)^-1, with centered columns. There are
 * few samples per feature, so that influences alone would be too small and refits alone too large. */
static void errors_have_the_size_of_the_noise(void)
{
    enum { FEW = 41, TRIALS = 400 };
    linex_samples samples = curved_samples(9);
    samples.count = samples.planned = FEW;
    double ones[FEW], low[FEATURES], high[FEATURES], inverse[FEATURES], sum = 0;
    for (size_t i = 0; i < FEW; i++) ones[i] = 1;
    samples.weights = ones;
    const linex_points some = {FEW, FEATURES, points, NULL};
    double gram[FEATURES * FEATURES], cross[FEATURES], mean[FEATURES];
    linex_moments moments = {.gram = gram, .cross = cross, .mean = mean, .scratch = scratch};
    linex_moments_take(&some, answers, ones, true, 0, &moments);
    for (size_t c = 0; c < FEATURES; c++) {
        double unit[FEATURES] = {0}, column[FEATURES];
        unit[c] = 1;
        CHECK(linex_ridge_solve(FEATURES, gram, unit, column) == LINEX_OK);
        inverse[c] = column[c] / FEW;
    }
    linex_random random = linex_random_seed(77);
    linex_settings settings = linex_defaults();
    settings.ridge = 0;
    settings.games = settings.draws = 1;
    linex_explanation explanation = {.low = low, .high = high};
    for (size_t trial = 0; trial < TRIALS; trial++) {
        linex_random_normals(&random, FEW, answers);
        CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
        double quantile = explanation.runs == 20 ? 2.093024 : 0; /* scipy, 19 degrees of freedom */
        for (size_t c = 0; c < FEATURES; c++) {
            double error = (high[c] - low[c]) / 2 / quantile;
            sum += error * error / inverse[c] / (TRIALS * FEATURES);
        }
    }
    CHECK_NEAR(sum, 1, 0.1);
}

/* 32 runs of four corners of a square: the features are independent in every half, and each run has its own slopes. Then
 * the difference of two halves is normal, and the mean of many games has a closed form:
 *
 *     sign(b) e (a (2 Phi(a) - 1) - 2 (phi(0) - phi(a))),   a = |b| / e,
 *
 * and the sign agrees in 2 Phi(a) - 1 of them. The numbers are from scipy. */
static void the_mean_of_many_games_has_its_closed_form(void)
{
    enum { RUNS = 32, PLANNED = 4 * RUNS + 1 };
    static const double apart[] = {0.5, 1, 2, 4}, means[] = {0.097709, 0.368746, 1.219097, 3.202130},
                        shares[] = {0.382925, 0.682689, 0.954500, 0.999937};
    static double corners[2 * PLANNED], said[PLANNED], ones[PLANNED];
    linex_random random = linex_random_seed(12);
    for (int pair = 0; pair < 2; pair++) {
        double slopes[2 * RUNS], error[2], b[2];
        linex_random_normals(&random, 2 * RUNS, slopes);
        for (size_t c = 0; c < 2; c++) {
            double mean = 0, squares = 0;
            for (size_t r = 0; r < RUNS; r++) mean += slopes[2 * r + c] / RUNS;
            for (size_t r = 0; r < RUNS; r++) squares += (slopes[2 * r + c] - mean) * (slopes[2 * r + c] - mean);
            error[c] = sqrt(squares / (RUNS - 1) / RUNS);
            b[c] = (c ? -1 : 1) * apart[2 * pair + (int)c] * error[c];
            for (size_t r = 0; r < RUNS; r++) slopes[2 * r + c] += b[c] - mean;
        }
        for (size_t i = 1; i < PLANNED; i++) {
            const double *slope = slopes + 2 * ((i - 1) / 4);
            double x = i % 2 ? 1 : -1, z = i / 2 % 2 ? 1 : -1;
            corners[2 * i] = x, corners[2 * i + 1] = z;
            said[i] = slope[0] * x + slope[1] * z;
            ones[i] = 1;
        }
        const linex_samples samples = {.count = PLANNED,
                                       .feature_count = 2,
                                       .points = corners,
                                       .answers = said,
                                       .weights = ones,
                                       .planned = PLANNED,
                                       .block = 4};
        linex_settings settings = linex_defaults();
        settings.ridge = 0;
        settings.games = settings.draws = 20000;
        settings.weight = LINEX_WEIGHT_GAMES;
        double raw[2], agreement[2], low[2], high[2];
        linex_explanation explanation = {.raw = raw, .agreement = agreement, .low = low, .high = high};
        CHECK(linex_explain(&samples, corners, &settings, &explanation) == LINEX_OK);
        CHECK(explanation.runs == RUNS);
        for (size_t c = 0; c < 2; c++) {
            double sign = c ? -1 : 1;
            CHECK_NEAR(raw[c] / error[c], sign * means[2 * pair + (int)c], 0.02);
            CHECK_NEAR(agreement[c], shares[2 * pair + (int)c], 0.015);
            /* Student's quantile for 31 degrees of freedom */
            CHECK_NEAR((high[c] - low[c]) / error[c], 2 * 2.039513, 2e-3);
            CHECK_NEAR((high[c] + low[c]) / 2, b[c], 1e-9);
        }
    }
}

static void a_weight_whose_interval_holds_zero_is_silenced(void)
{
    const linex_environment_kind kinds[] = {LINEX_HALVES, LINEX_SIDES, LINEX_BOOTSTRAP, LINEX_NEAR_FAR};
    size_t silenced_count = 0, sure_count = 0;
    for (uint64_t problem = 0; problem < 40; problem++) {
        linex_samples samples = curved_samples(100 + problem);
        linex_settings settings = linex_defaults();
        settings.environments.kind = kinds[problem % 4];
        settings.method = (linex_method)(problem / 4 % 3);
        settings.games = 4;
        settings.agreement = 0.3 + 0.1 * (double)(problem % 7);
        double found[FEATURES], raw[FEATURES], low[FEATURES], high[FEATURES], agreement[FEATURES];
        uint8_t silenced[FEATURES];
        linex_explanation explanation = {
            .weights = found, .raw = raw, .low = low, .high = high, .agreement = agreement, .silenced = silenced};
        CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
        for (size_t c = 0; c < FEATURES; c++) {
            bool holds_zero = low[c] <= 0 && high[c] >= 0;
            CHECK(silenced[c] == (holds_zero || agreement[c] < settings.agreement));
            CHECK(found[c] == (silenced[c] ? 0 : raw[c]));
            CHECK(low[c] <= raw[c] && raw[c] <= high[c]);
            silenced_count += silenced[c];
            sure_count += !silenced[c];
        }
    }
    CHECK(silenced_count > 30 && sure_count > 30);
}

static void all_features_play_and_the_leading_sure_ones_are_listed(void)
{
    linex_samples samples = curved_samples(3);
    linex_settings settings = linex_defaults();
    double found[FEATURES], raw[FEATURES], all[FEATURES];
    uint32_t chosen[FEATURES], fitted[FEATURES];
    linex_explanation every = {.weights = all};
    CHECK(linex_explain(&samples, points, &settings, &every) == LINEX_OK);
    CHECK(every.chosen_count == FEATURES && every.fitted_count == FEATURES);
    settings.features = 2;
    linex_explanation explanation = {.weights = found, .raw = raw, .chosen = chosen, .fitted = fitted};
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
    CHECK(explanation.fitted_count == FEATURES && fitted[FEATURES - 1] == FEATURES - 1);
    CHECK(explanation.chosen_count == 2 && chosen[0] == 0 && chosen[1] == 1);
    CHECK(found[0] == all[0] && found[1] == all[1] && found[2] == 0 && raw[2] != 0);
    double rest = 0, total = sum_of(weights);
    for (size_t i = 0; i < COUNT; i++) {
        const double *x = points + i * FEATURES;
        rest += weights[i] * (answers[i] - found[0] * x[0] - found[1] * x[1]);
    }
    CHECK_NEAR(explanation.intercept, rest / total, 1e-12);
    settings.features = 5;
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
    CHECK(explanation.chosen_count == 3); /* no more are sure */
}

/* Feature 0 falls at 0.7 below the input and rises at 1.3 above it; feature 1 rises on both sides. The mean slope of
 * feature 0 is sure, but its direction is not. */
static void sides_silence_what_changes_direction_at_the_input(void)
{
    linex_samples samples = curved_samples(6);
    for (size_t i = 0; i < COUNT; i++) {
        const double *x = points + i * FEATURES;
        answers[i] = fabs(x[0]) + 0.3 * x[0] + x[1];
    }
    double found[FEATURES], raw[FEATURES];
    linex_explanation explanation = {.weights = found, .raw = raw};
    linex_settings steady = linex_preset(LINEX_STEADY), strict = linex_preset(LINEX_STRICT);
    CHECK(linex_explain(&samples, points, &steady, &explanation) == LINEX_OK);
    CHECK(found[0] > 0.15 && found[1] > 0.8);
    CHECK(linex_explain(&samples, points, &strict, &explanation) == LINEX_OK);
    CHECK(found[0] == 0 && found[1] > 0.5);
    for (size_t c = 2; c < FEATURES; c++) CHECK(found[c] == 0);
}

/* If every point is known, nothing is drawn: the weights are those of the fit to all samples, for every seed. */
static void complete_samples_leave_nothing_to_chance(void)
{
    linex_samples samples = curved_samples(8);
    samples.complete = true;
    linex_settings settings = linex_defaults();
    settings.ridge = 1;
    double gram[FEATURES * FEATURES], cross[FEATURES], whole[FEATURES];
    fit(weights, sum_of(weights), gram, cross, whole);
    for (settings.seed = 0; settings.seed < 3; settings.seed++) {
        double raw[FEATURES], low[FEATURES], high[FEATURES], agreement[FEATURES];
        linex_explanation explanation = {.raw = raw, .low = low, .high = high, .agreement = agreement};
        CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
        CHECK(explanation.runs == 0 && explanation.game.converged);
        for (size_t c = 0; c < FEATURES; c++) {
            CHECK_NEAR(raw[c], whole[c], 1e-9);
            CHECK(high[c] - low[c] < 0.1 && low[c] <= raw[c] && raw[c] <= high[c]);
            CHECK(agreement[c] == (low[c] > 0 || high[c] < 0));
        }
    }
}

static void presets_are_as_documented(void)
{
    const linex_settings paper = linex_preset(LINEX_PAPER), steady = linex_defaults();
    CHECK(paper.environments.kind == LINEX_BOOTSTRAP && paper.games == 1 && paper.agreement == 0);
    CHECK(paper.draws == 200 && paper.selection == LINEX_SELECT_AUTO && paper.environments.players == 2);
    CHECK(steady.environments.kind == LINEX_HALVES && steady.agreement == 0.9 && steady.games > 1);
    CHECK(linex_preset(LINEX_STRICT).environments.kind == LINEX_SIDES);
    linex_samples samples = curved_samples(1);
    linex_explanation explanation = {0};
    const linex_settings unknown = linex_preset((linex_preset_kind)9);
    CHECK(linex_explain(&samples, points, &unknown, &explanation) == LINEX_BAD_ARGUMENT);
}

/* 200 features, of which three matter. Only 128 are fitted, but those three are among them. */
static void of_many_features_the_most_promising_play(void)
{
    enum { MANY = 200, SAMPLES = 600 };
    static uint8_t masks[SAMPLES * MANY];
    static double said[SAMPLES], near[SAMPLES], far[SAMPLES], at[MANY], found[MANY];
    CHECK(linex_masks_draw(LINEX_MASK_COINS, MANY, LINEX_INDEPENDENT, 3, 0, SAMPLES, masks) == LINEX_OK);
    CHECK(linex_masks_weigh(SAMPLES, MANY, masks, LINEX_MASK_COSINE, 1, 0.25, far, near) == LINEX_OK);
    for (size_t i = 0; i < SAMPLES; i++)
        said[i] = 3.0 * masks[i * MANY + 17] - 2.0 * masks[i * MANY + 99] + masks[i * MANY + 199];
    for (size_t c = 0; c < MANY; c++) at[c] = 1;
    const linex_samples samples = {.count = SAMPLES,
                                   .feature_count = MANY,
                                   .masks = masks,
                                   .answers = said,
                                   .weights = near,
                                   .planned = SAMPLES,
                                   .block = 2};
    linex_settings settings = linex_defaults();
    settings.features = 5;
    settings.games = settings.draws = 8;
    uint32_t chosen[MANY];
    linex_explanation explanation = {.weights = found, .chosen = chosen};
    CHECK(linex_explain(&samples, at, &settings, &explanation) == LINEX_OK);
    CHECK(explanation.fitted_count == LINEX_MOST_PLAYING && explanation.game.converged);
    CHECK(explanation.chosen_count >= 3 && explanation.chosen_count <= 5);
    CHECK(found[17] > 2 && found[99] < -1.2 && found[199] > 0.5);
}

int main(void)
{
    RUN(the_weights_can_be_the_mean_of_the_games);
    RUN(the_weights_are_the_fit_to_all_samples);
    RUN(intervals_come_from_the_runs);
    RUN(errors_have_the_size_of_the_noise);
    RUN(the_mean_of_many_games_has_its_closed_form);
    RUN(a_weight_whose_interval_holds_zero_is_silenced);
    RUN(all_features_play_and_the_leading_sure_ones_are_listed);
    RUN(sides_silence_what_changes_direction_at_the_input);
    RUN(complete_samples_leave_nothing_to_chance);
    RUN(presets_are_as_documented);
    RUN(of_many_features_the_most_promising_play);
    return checks_failed != 0;
}
