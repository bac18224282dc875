/* explanation_test.c: tests of whole explanations and of feature selection. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"
#include "base/random.h"

enum { COUNT = 200, FEATURES = 4 };

static double points[COUNT * FEATURES], answers[COUNT], weights[COUNT], distances[COUNT];

/* y = 2 x0 - x1 + 5, and x3 does not vary. */
static linex_samples linear_samples(void)
{
    linex_random random = linex_random_seed(9);
    linex_random_normals(&random, COUNT * FEATURES, points);
    for (size_t i = 0; i < COUNT; i++) {
        points[i * FEATURES + 3] = 7;
        answers[i] = 2 * points[i * FEATURES] - points[i * FEATURES + 1] + 5;
    }
    CHECK(linex_proximity(COUNT, FEATURES, points, points, 1.5, distances, weights) == LINEX_OK);
    return (linex_samples){COUNT, FEATURES, points, answers, weights, distances, COUNT, NULL, NULL, NULL};
}

static void a_linear_model_is_its_own_explanation(void)
{
    linex_samples samples = linear_samples();
    for (int method = LINEX_METHOD_LINEX; method <= LINEX_METHOD_SMOOTHED; method++) {
        for (int kind = LINEX_BOOTSTRAP; kind < LINEX_OWN; kind++) {
            linex_settings settings = linex_defaults();
            settings.method = (linex_method)method;
            settings.environments.kind = (linex_environment_kind)kind;
            settings.environments.kernel = 1.5;
            settings.ridge = 0;
            settings.games = 2;
            settings.draws = 20;
            settings.game.gamma = 10;
            double found[FEATURES], low[FEATURES], high[FEATURES], agreement[FEATURES];
            linex_explanation explanation = {.weights = found, .low = low, .high = high, .agreement = agreement};
            CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
            const double expected[] = {2, -1, 0, 0};
            for (size_t c = 0; c < FEATURES; c++) CHECK_NEAR(found[c], expected[c], 1e-9);
            CHECK_NEAR(low[0], 2, 1e-9);
            CHECK_NEAR(high[1], -1, 1e-9);
            CHECK(agreement[0] == 1 && agreement[1] == 1);
            CHECK_NEAR(explanation.intercept, 5, 1e-9);
            CHECK_NEAR(explanation.fidelity, 1, 1e-12);
            CHECK_NEAR(explanation.local_prediction, answers[0], 1e-9);
        }
    }
}

static void constant_answers_give_zero_weights(void)
{
    linex_samples samples = linear_samples();
    for (size_t i = 0; i < COUNT; i++) answers[i] = 0.1;
    linex_settings settings = linex_defaults();
    double found[FEATURES];
    linex_explanation explanation = {.weights = found};
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
    for (size_t c = 0; c < FEATURES; c++) CHECK(found[c] == 0);
    CHECK(explanation.gamma == 0 && explanation.game.converged);
    CHECK_NEAR(explanation.intercept, 0.1, 1e-15);
}

static void raw_keeps_the_weight_of_a_feature_with_an_unstable_sign(void)
{
    linex_samples samples = linear_samples();
    linex_random random = linex_random_seed(10);
    double noise[COUNT];
    linex_random_normals(&random, COUNT, noise);
    for (size_t i = 0; i < COUNT; i++) answers[i] += 3 * noise[i];
    linex_settings settings = linex_defaults();
    settings.games = 5;
    settings.agreement = 0.95;
    settings.environments.kind = LINEX_HALVES;
    double found[FEATURES], raw[FEATURES], agreement[FEATURES];
    linex_explanation explanation = {.weights = found, .raw = raw, .agreement = agreement};
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
    CHECK(found[0] != 0 && found[0] == raw[0]);
    CHECK(agreement[2] < 0.95 && found[2] == 0 && raw[2] != 0);
}

static void the_strategies_add_up_to_the_mean_of_the_games(void)
{
    linex_samples samples = linear_samples();
    for (size_t i = 0; i < COUNT; i++) answers[i] = sin(3 * answers[i]);
    linex_settings settings = linex_defaults();
    settings.environments.players = 3;
    settings.games = 4;
    settings.weight = LINEX_WEIGHT_GAMES;
    double found[FEATURES], strategies[3 * FEATURES];
    linex_explanation explanation = {.raw = found, .strategies = strategies};
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
    for (size_t c = 0; c < FEATURES; c++)
        CHECK_NEAR(strategies[c] + strategies[FEATURES + c] + strategies[2 * FEATURES + c], found[c], 1e-12);
}

/* Four corners of a square and y = x0 + x1: the two features enter the lasso path together. */
static void features_that_enter_the_lasso_together_are_chosen_one_by_one(void)
{
    const double square[] = {0, 0, 0, 1, 1, 0, 1, 1}, sums[] = {0, 1, 1, 2}, ones[] = {1, 1, 1, 1};
    uint32_t chosen[2];
    size_t chosen_count;
    const linex_points points = {4, 2, square, NULL};
    CHECK(linex_select(LINEX_SELECT_LASSO, &points, sums, ones, true, square, 1, chosen, &chosen_count) == LINEX_OK);
    CHECK(chosen_count == 1);
}

static void a_feature_that_does_not_vary_is_never_chosen(void)
{
    const double fixed[] = {5, 0, 5, 1, 5, 0, 5, 1}, scores[] = {1, 2, 1, 2}, ones[] = {1, 1, 1, 1};
    const linex_points points = {4, 2, fixed, NULL};
    for (int selection = LINEX_SELECT_AUTO; selection <= LINEX_SELECT_NONE; selection++) {
        uint32_t chosen[2];
        size_t chosen_count;
        for (int centered = 0; centered < 2; centered++) {
            CHECK(linex_select((linex_selection)selection, &points, scores, ones, centered, fixed + 2, 1, chosen,
                               &chosen_count) == LINEX_OK);
            CHECK(chosen_count == 1 && chosen[0] == 1);
        }
    }
}

static void a_selection_refuses_bytes_above_one_and_numbers_that_are_not_finite(void)
{
    const uint8_t masks[] = {0, 1, 1, 2};
    const double values[] = {0, 1, 1, NAN}, scores[] = {1, 2}, ones[] = {1, 1};
    const linex_points bytes = {2, 2, NULL, masks}, numbers = {2, 2, values, NULL};
    uint32_t chosen[2];
    size_t chosen_count = 7;
    CHECK(linex_select(LINEX_SELECT_NONE, &bytes, scores, ones, true, values, 0, chosen, &chosen_count) ==
          LINEX_BAD_ARGUMENT);
    CHECK(linex_select(LINEX_SELECT_NONE, &numbers, scores, ones, true, ones, 0, chosen, &chosen_count) ==
          LINEX_BAD_ARGUMENT);
    CHECK(chosen_count == 7);
}

/* Three points and no ridge: a bootstrap that has only one of the points is degenerate and is left out. */
static void a_degenerate_draw_is_left_out(void)
{
    const double line[] = {1, 2, 3}, scores[] = {2, 4, 6}, ones[] = {1, 1, 1}, apart[] = {0, 1, 2};
    linex_samples samples = {3, 1, line, scores, ones, apart, 3, NULL, NULL, NULL};
    linex_settings settings = linex_preset(LINEX_PAPER);
    settings.method = LINEX_METHOD_LIME;
    settings.ridge = 0;
    double weight, low, high, agreement;
    linex_explanation explanation = {.weights = &weight, .low = &low, .high = &high, .agreement = &agreement};
    CHECK(linex_explain(&samples, line, &settings, &explanation) == LINEX_OK);
    CHECK_NEAR(low, 2, 1e-12);
    CHECK_NEAR(high, 2, 1e-12);
    CHECK(agreement == 1);
}

static void an_intercept_can_be_the_only_player_feature(void)
{
    const double still[] = {0, 0, 0, 0}, scores[] = {3, 3, 3, 4}, ones[] = {1, 1, 1, 1};
    linex_samples samples = {4, 1, still, scores, ones, still, 4, NULL, NULL, NULL};
    linex_settings settings = linex_defaults();
    settings.method = LINEX_METHOD_LIME;
    settings.intercept = LINEX_INTERCEPT_FEATURE;
    settings.ridge = 0;
    linex_explanation explanation = {0};
    CHECK(linex_explain(&samples, still, &settings, &explanation) == LINEX_OK);
    CHECK_NEAR(explanation.intercept, 3.25, 1e-12);
}

static void inconsistent_samples_are_refused(void)
{
    linex_samples samples = linear_samples();
    linex_settings settings = linex_defaults();
    linex_explanation explanation = {0};
    const uint32_t beyond[] = {0, 1, COUNT};
    samples.planned = 3;
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_BAD_ARGUMENT);
    samples.point_of = beyond;
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_BAD_ARGUMENT);
    samples = linear_samples();
    answers[7] = (double)NAN;
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_BAD_ARGUMENT);
    samples = linear_samples();
    weights[7] = -1;
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_BAD_ARGUMENT);
}

static void bad_settings_are_refused(void)
{
    linex_samples samples = linear_samples();
    linex_explanation explanation = {0};
    linex_settings settings = linex_defaults();
    settings.games = 0;
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_BAD_ARGUMENT);
    settings = linex_defaults();
    settings.agreement = 0.5;
    settings.draws = 0;
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_BAD_ARGUMENT);
    samples.points = NULL;
    settings = linex_defaults();
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_BAD_ARGUMENT);
}

/* A ridge of 20 shrinks the weights by a tenth or more. The draws do not show this, but the interval covers it. */
static void an_interval_covers_what_the_ridge_takes_away(void)
{
    linex_samples samples = linear_samples();
    linex_settings settings = linex_defaults();
    settings.ridge = 20;
    double found[FEATURES], low[FEATURES], high[FEATURES];
    linex_explanation explanation = {.weights = found, .low = low, .high = high};
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
    CHECK(found[0] < 1.8 && found[1] > -0.9);
    CHECK(low[0] <= 2 && 2 <= high[0] && high[0] < 3);
    CHECK(low[1] <= -1 && -1 <= high[1] && low[1] > -1.5);
}

static void masks_and_doubles_give_the_same_explanation(void)
{
    linex_samples samples = linear_samples();
    static uint8_t masks[COUNT * FEATURES];
    CHECK(linex_masks_draw(LINEX_MASK_SIZES, FEATURES, LINEX_INDEPENDENT, 4, 0, COUNT, masks) == LINEX_OK);
    for (size_t i = 0; i < COUNT * FEATURES; i++) points[i] = masks[i];
    linex_samples as_bytes = samples;
    as_bytes.points = NULL;
    as_bytes.masks = masks;
    const linex_environment_kind kinds[] = {LINEX_BOOTSTRAP, LINEX_CLUSTERS, LINEX_HALVES, LINEX_SIDES};
    for (int selection = LINEX_SELECT_AUTO; selection <= LINEX_SELECT_LEADING; selection++) {
        for (int intercept = LINEX_INTERCEPT_FREE; intercept <= LINEX_INTERCEPT_NONE; intercept++) {
            linex_settings settings = linex_defaults();
            settings.selection = (linex_selection)selection;
            settings.intercept = (linex_intercept)intercept;
            settings.environments.kind = kinds[selection % 4];
            settings.games = 3;
            settings.features = 2;
            double plain[FEATURES], packed[FEATURES];
            linex_explanation from_doubles = {.weights = plain}, from_bytes = {.weights = packed};
            CHECK(linex_explain(&samples, points, &settings, &from_doubles) == LINEX_OK);
            CHECK(linex_explain(&as_bytes, points, &settings, &from_bytes) == LINEX_OK);
            CHECK(memcmp(plain, packed, sizeof plain) == 0);
            CHECK(from_doubles.fidelity == from_bytes.fidelity && from_doubles.intercept == from_bytes.intercept);
        }
    }
    masks[5] = 2;
    linex_settings settings = linex_defaults();
    linex_explanation explanation = {0};
    CHECK(linex_explain(&as_bytes, points, &settings, &explanation) == LINEX_BAD_ARGUMENT);
    as_bytes.points = points;
    CHECK(linex_explain(&as_bytes, points, &settings, &explanation) == LINEX_BAD_ARGUMENT);
}

static void an_environment_that_is_not_a_number_is_refused(void)
{
    linex_samples samples = linear_samples();
    static double own[2 * COUNT];
    for (size_t i = 0; i < 2 * COUNT; i++) own[i] = 1;
    samples.own_weights = own;
    linex_settings settings = linex_defaults();
    settings.environments.kind = LINEX_OWN;
    linex_explanation explanation = {0};
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
    const double bad[] = {(double)NAN, -1, (double)INFINITY};
    for (size_t i = 0; i < 3; i++) {
        own[COUNT + 3] = bad[i];
        CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_BAD_ARGUMENT);
    }
}

/* Constant answers need no solver, but a wrong number must not pass for that reason. */
static void unknown_choices_are_refused_even_if_nothing_is_solved(void)
{
    linex_samples samples = linear_samples();
    for (size_t i = 0; i < COUNT; i++) answers[i] = 1;
    linex_explanation explanation = {0};
    for (int which = 0; which < 7; which++) {
        linex_settings settings = linex_defaults();
        if (which == 0) settings.method = (linex_method)7;
        if (which == 1) settings.environments.kind = (linex_environment_kind)9;
        if (which == 2) settings.game.solver = (linex_solver)9;
        if (which == 3) settings.selection = (linex_selection)9;
        if (which == 4) settings.smoothing = (linex_smoothing)9;
        if (which == 5) settings.intercept = (linex_intercept)9;
        linex_status expected = which < 6 ? LINEX_BAD_ARGUMENT : LINEX_OK;
        CHECK(linex_explain(&samples, points, &settings, &explanation) == expected);
    }
}

/* Two equal columns explain the same, but rounding may differ in the last bit. */
static void of_two_equal_features_the_first_is_chosen(void)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        linex_random random = linex_random_seed(seed);
        linex_random_normals(&random, COUNT * FEATURES, points);
        for (size_t i = 0; i < COUNT; i++) {
            points[i * FEATURES + 2] = points[i * FEATURES];
            answers[i] = 3 * points[i * FEATURES + 1] + points[i * FEATURES];
            weights[i] = linex_random_uniform(&random);
        }
        const linex_points all = {COUNT, FEATURES, points, NULL};
        uint32_t chosen[FEATURES];
        size_t chosen_count;
        CHECK(linex_select(LINEX_SELECT_FORWARD, &all, answers, weights, true, points, 2, chosen, &chosen_count) ==
              LINEX_OK);
        CHECK(chosen_count == 2 && chosen[0] == 0 && chosen[1] == 1);
    }
}

/* All copies of a mask are adjacent, and a caller's samples may be sorted. The groups are random in both cases. */
static void draws_of_groups_do_not_depend_on_the_order_of_the_samples(void)
{
    enum { MANY = 2000, COPIES = 4, DRAWS = 300 };
    static double rows[MANY * 2], answered[MANY], proximity[MANY];
    static uint32_t point_of[MANY * COPIES];
    for (size_t i = 0; i < MANY; i++) {
        rows[i * 2] = 4 * (double)i / MANY - 2;
        rows[i * 2 + 1] = (double)(i * 7919 % MANY) / MANY;
        answered[i] = rows[i * 2] + rows[i * 2] * rows[i * 2];
        proximity[i] = 1;
    }
    for (size_t i = 0; i < MANY * COPIES; i++) point_of[i] = (uint32_t)(i / COPIES);
    linex_samples samples = {MANY, 2, rows, answered, proximity, NULL, MANY * COPIES, point_of, NULL, NULL};
    double interval[2];
    for (int of_samples = 0; of_samples < 2; of_samples++) {
        double low[2], high[2];
        linex_settings settings = linex_preset(LINEX_PAPER);
        settings.method = LINEX_METHOD_LIME;
        settings.draws = DRAWS;
        settings.games = of_samples ? DRAWS : 1;
        linex_explanation explanation = {.low = low, .high = high};
        CHECK(linex_explain(&samples, rows, &settings, &explanation) == LINEX_OK);
        interval[of_samples] = high[0] - low[0];
    }
    CHECK_NEAR(interval[0] / interval[1], 1, 0.25);
}

/* With as many games as draws, all draws are of samples. With one game, the other draws are of groups. */
static void intervals_from_draws_of_groups_are_as_wide_as_from_draws_of_samples(void)
{
    enum { MANY = 1500, PROBLEMS = 12, DRAWS = 300 };
    static double rows[MANY * FEATURES], answered[MANY], proximity[MANY], apart[MANY];
    const linex_environment_kind kinds[] = {LINEX_BOOTSTRAP, LINEX_HALVES};
    for (int which = 0; which < 4; which++) {
        double ratio = 0;
        for (uint64_t problem = 0; problem < PROBLEMS; problem++) {
            linex_random random = linex_random_seed(40 + problem);
            linex_random_normals(&random, MANY * FEATURES, rows);
            for (size_t i = 0; i < MANY; i++) {
                const double *x = rows + i * FEATURES;
                answered[i] = x[0] * x[1] - 0.3 * x[1] + x[2] * x[2] * x[3];
            }
            CHECK(linex_proximity(MANY, FEATURES, rows, rows, 1.5, apart, proximity) == LINEX_OK);
            linex_samples samples = {MANY, FEATURES, rows, answered, proximity, apart, MANY, NULL, NULL, NULL};
            double interval[2] = {0};
            for (int of_samples = 0; of_samples < 2; of_samples++) {
                double low[FEATURES], high[FEATURES];
                linex_settings settings = linex_preset(LINEX_PAPER);
                settings.method = which < 2 ? LINEX_METHOD_LINEX : LINEX_METHOD_LIME;
                settings.environments.kind = kinds[which % 2];
                settings.draws = DRAWS;
                settings.games = of_samples ? DRAWS : 1;
                linex_explanation explanation = {.low = low, .high = high};
                CHECK(linex_explain(&samples, rows, &settings, &explanation) == LINEX_OK);
                for (size_t c = 0; c < FEATURES; c++) interval[of_samples] += high[c] - low[c];
            }
            ratio += interval[0] / interval[1] / PROBLEMS;
        }
        CHECK_NEAR(ratio, 1, 0.05);
    }
}

int main(void)
{
    RUN(a_linear_model_is_its_own_explanation);
    RUN(constant_answers_give_zero_weights);
    RUN(raw_keeps_the_weight_of_a_feature_with_an_unstable_sign);
    RUN(the_strategies_add_up_to_the_mean_of_the_games);
    RUN(features_that_enter_the_lasso_together_are_chosen_one_by_one);
    RUN(a_feature_that_does_not_vary_is_never_chosen);
    RUN(a_selection_refuses_bytes_above_one_and_numbers_that_are_not_finite);
    RUN(a_degenerate_draw_is_left_out);
    RUN(an_intercept_can_be_the_only_player_feature);
    RUN(an_interval_covers_what_the_ridge_takes_away);
    RUN(masks_and_doubles_give_the_same_explanation);
    RUN(inconsistent_samples_are_refused);
    RUN(bad_settings_are_refused);
    RUN(an_environment_that_is_not_a_number_is_refused);
    RUN(unknown_choices_are_refused_even_if_nothing_is_solved);
    RUN(of_two_equal_features_the_first_is_chosen);
    RUN(draws_of_groups_do_not_depend_on_the_order_of_the_samples);
    RUN(intervals_from_draws_of_groups_are_as_wide_as_from_draws_of_samples);
    return checks_failed != 0;
}
