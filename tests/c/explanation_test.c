#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"
#include "random.h"

enum { COUNT = 200, WIDTH = 4 };

static double points[COUNT * WIDTH], answers[COUNT], weights[COUNT], distances[COUNT];

/* y = 2 x0 - x1 + 5, and x3 does not vary. */
static linex_samples linear_samples(void)
{
    linex_random random = linex_random_seed(9);
    linex_random_normals(&random, COUNT * WIDTH, points);
    for (size_t i = 0; i < COUNT; i++) {
        points[i * WIDTH + 3] = 7;
        answers[i] = 2 * points[i * WIDTH] - points[i * WIDTH + 1] + 5;
    }
    CHECK(linex_proximity(COUNT, WIDTH, points, points, 1.5, distances, weights) == LINEX_OK);
    return (linex_samples){COUNT, WIDTH, points, answers, weights, distances, COUNT, NULL, NULL};
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
            settings.draws = 20;
            settings.game.gamma = 10;
            double found[WIDTH], low[WIDTH], high[WIDTH], agreement[WIDTH];
            linex_explanation explanation = {
                .weights = found, .low = low, .high = high, .agreement = agreement};
            CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
            const double expected[] = {2, -1, 0, 0};
            for (size_t c = 0; c < WIDTH; c++) CHECK_NEAR(found[c], expected[c], 1e-9);
            CHECK_NEAR(low[0], 2, 1e-9);
            CHECK_NEAR(high[1], -1, 1e-9);
            CHECK(agreement[0] == 1 && agreement[1] == 1);
            CHECK_NEAR(explanation.intercept, 5, 1e-9);
            CHECK_NEAR(explanation.fidelity, 1, 1e-12);
            CHECK_NEAR(explanation.local_prediction, answers[0], 1e-9);
        }
    }
}

static void constant_answers_are_explained_by_nothing(void)
{
    linex_samples samples = linear_samples();
    for (size_t i = 0; i < COUNT; i++) answers[i] = 0.1;
    linex_settings settings = linex_defaults();
    double found[WIDTH];
    linex_explanation explanation = {.weights = found};
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
    for (size_t c = 0; c < WIDTH; c++) CHECK(found[c] == 0);
    CHECK(explanation.gamma == 0 && explanation.game.converged);
    CHECK_NEAR(explanation.intercept, 0.1, 1e-15);
}

static void what_an_unsure_sign_would_have_said_is_kept(void)
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
    double found[WIDTH], raw[WIDTH], agreement[WIDTH];
    linex_explanation explanation = {.weights = found, .raw = raw, .agreement = agreement};
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
    CHECK(found[0] != 0 && found[0] == raw[0]);
    CHECK(agreement[2] < 0.95 && found[2] == 0 && raw[2] != 0);
}

static void the_players_add_up_to_the_weights(void)
{
    linex_samples samples = linear_samples();
    for (size_t i = 0; i < COUNT; i++) answers[i] = sin(3 * answers[i]);
    linex_settings settings = linex_defaults();
    settings.environments.players = 3;
    settings.games = 4;
    double found[WIDTH], strategies[3 * WIDTH];
    linex_explanation explanation = {.weights = found, .strategies = strategies};
    CHECK(linex_explain(&samples, points, &settings, &explanation) == LINEX_OK);
    for (size_t c = 0; c < WIDTH; c++)
        CHECK_NEAR(strategies[c] + strategies[WIDTH + c] + strategies[2 * WIDTH + c], found[c], 1e-12);
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

int main(void)
{
    RUN(a_linear_model_is_its_own_explanation);
    RUN(constant_answers_are_explained_by_nothing);
    RUN(what_an_unsure_sign_would_have_said_is_kept);
    RUN(the_players_add_up_to_the_weights);
    RUN(bad_settings_are_refused);
    return checks_failed != 0;
}
