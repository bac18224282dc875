/* slices_test.c: an explanation has the same bits whatever the slices of its task are. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"
#include "base/random.h"

enum { COUNT = 150, FEATURES = 9 };

static double points[COUNT * FEATURES], answers[COUNT], weights[COUNT], distances[COUNT];
static double own_weights[2 * COUNT];

static linex_samples curved_samples(void)
{
    linex_random random = linex_random_seed(12);
    linex_random_normals(&random, COUNT * FEATURES, points);
    for (size_t i = 0; i < COUNT; i++) {
        const double *x = points + i * FEATURES;
        answers[i] = x[0] * x[1] + (x[2] > 0 ? x[3] : -x[4]) + 0.3 * x[5];
    }
    for (size_t i = 0; i < 2 * COUNT; i++) own_weights[i] = linex_random_uniform(&random);
    CHECK(linex_proximity(COUNT, FEATURES, points, points, 2, distances, weights) == LINEX_OK);
    return (linex_samples){COUNT, FEATURES, points, answers, weights, distances, COUNT, NULL, own_weights, NULL};
}

/* Everything that an explanation holds, as one array. */
typedef struct {
    double weights[FEATURES], raw[FEATURES], low[FEATURES], high[FEATURES], agreement[FEATURES];
    double strategies[2 * FEATURES], numbers[6];
    linex_status status;
    size_t slices;
} result;

static result explain(const linex_samples *samples, const linex_settings *settings, double work)
{
    result found;
    memset(&found, 0, sizeof found);
    linex_explanation explanation = {.weights = found.weights,
                                     .raw = found.raw,
                                     .low = found.low,
                                     .high = found.high,
                                     .agreement = found.agreement,
                                     .strategies = found.strategies};
    linex_task *task = NULL;
    found.status = linex_explain_start(samples, points, settings, &explanation, &task);
    double progress = 0;
    while (!found.status || found.status == LINEX_UNFINISHED) {
        found.status = linex_task_run(task, work);
        found.slices++;
        CHECK(linex_task_progress(task) >= progress);
        progress = linex_task_progress(task);
        if (!found.status) break;
    }
    CHECK(progress == 1);
    linex_task_free(task);
    const double numbers[] = {explanation.intercept,     explanation.fidelity, explanation.local_prediction,
                              explanation.game.residual, explanation.gamma,    (double)explanation.game.rounds};
    memcpy(found.numbers, numbers, sizeof numbers);
    return found;
}

static void compare(const linex_samples *samples, const linex_settings *settings)
{
    result whole = explain(samples, settings, (double)INFINITY);
    CHECK(whole.slices == 1);
    const double budgets[] = {1, 333, 20000};
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        result sliced = explain(samples, settings, budgets[i]);
        CHECK(sliced.slices > 1);
        sliced.slices = whole.slices;
        CHECK(memcmp(&sliced, &whole, sizeof whole) == 0);
    }
}

static linex_settings quick(void)
{
    linex_settings settings = linex_defaults();
    settings.draws = 12;
    settings.games = 2;
    settings.agreement = 0.5;
    settings.features = 5;
    settings.environments.kernel = 2;
    return settings;
}

static void every_kind_of_environment_can_be_sliced(void)
{
    linex_samples samples = curved_samples();
    for (int kind = LINEX_BOOTSTRAP; kind <= LINEX_OWN; kind++) {
        linex_settings settings = quick();
        settings.environments.kind = (linex_environment_kind)kind;
        compare(&samples, &settings);
    }
}

static void every_method_and_selection_can_be_sliced(void)
{
    linex_samples samples = curved_samples();
    for (int method = LINEX_METHOD_LINEX; method <= LINEX_METHOD_SMOOTHED; method++) {
        for (int selection = LINEX_SELECT_AUTO; selection <= LINEX_SELECT_LEADING; selection++) {
            linex_settings settings = quick();
            settings.method = (linex_method)method;
            settings.selection = (linex_selection)selection;
            compare(&samples, &settings);
            settings.environments.kind = LINEX_BOOTSTRAP;
            compare(&samples, &settings);
        }
    }
}

static void every_solver_can_be_sliced(void)
{
    linex_samples samples = curved_samples();
    for (int solver = LINEX_SOLVER_AUTO; solver <= LINEX_SOLVER_BEST_RESPONSE; solver++) {
        for (int bounded = 0; bounded < 2; bounded++) {
            linex_settings settings = quick();
            settings.game.solver = (linex_solver)solver;
            settings.draws = 4;
            settings.selection = LINEX_SELECT_NONE;
            settings.intercept = bounded ? LINEX_INTERCEPT_FEATURE : LINEX_INTERCEPT_FREE;
            if (bounded) settings.game.l1 = 0.4;
            settings.game.max_rounds = solver == LINEX_SOLVER_BEST_RESPONSE ? 50 : 0;
            compare(&samples, &settings);
        }
    }
}

static void draws_of_groups_can_be_sliced(void)
{
    enum { MANY = 900 };
    double *all = calloc(MANY * FEATURES, sizeof *all), *scores = calloc(MANY, sizeof *scores);
    double *near = calloc(2 * MANY, sizeof *near);
    linex_random random = linex_random_seed(3);
    linex_random_normals(&random, MANY * FEATURES, all);
    for (size_t i = 0; i < MANY; i++) scores[i] = all[i * FEATURES] * all[i * FEATURES + 1] + all[i * FEATURES + 2];
    memcpy(points, all, FEATURES * sizeof *points);
    CHECK(linex_proximity(MANY, FEATURES, all, all, 2, near, near + MANY) == LINEX_OK);
    linex_samples samples = {MANY, FEATURES, all, scores, near + MANY, near, MANY, NULL, NULL, NULL};
    linex_settings settings = quick();
    compare(&samples, &settings);
    free(all);
    free(scores);
    free(near);
}

int main(void)
{
    RUN(every_kind_of_environment_can_be_sliced);
    RUN(every_method_and_selection_can_be_sliced);
    RUN(every_solver_can_be_sliced);
    RUN(draws_of_groups_can_be_sliced);
    return checks_failed != 0;
}
