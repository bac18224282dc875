/* calibration_test.c: calibrated answers have the same fits as before, and residuals of the right size. */
#include "adjust/calibration.h"

#include <string.h>

#include "base/random.h"
#include "environments/sample_runs.h"
#include "matrices/matrix.h"
#include "check.h"

enum { COUNT = 512, FEATURES = 5 };

static double points[COUNT * FEATURES], weights[COUNT], answers[COUNT], residuals[COUNT], adjusted[COUNT];

static linex_samples make_samples(size_t block)
{
    linex_random random = linex_random_seed(5);
    linex_random_normals(&random, COUNT * FEATURES, points);
    linex_random_normals(&random, COUNT, residuals);
    for (size_t i = 0; i < COUNT; i++) {
        double *x = points + i * FEATURES;
        x[4] = x[0] - x[1]; /* collinear */
        weights[i] = 0.1 + linex_random_uniform(&random);
        answers[i] = adjusted[i] = 2 + x[0] - 3 * x[2] + 0.01 * residuals[(7 * i) % COUNT];
    }
    return (linex_samples){.count = COUNT,
                           .feature_count = FEATURES,
                           .points = points,
                           .answers = answers,
                           .weights = weights,
                           .planned = COUNT,
                           .block = block};
}

static double known_variance;

static double calibrate(const linex_samples *samples, size_t players, double work)
{
    linex_points all = {COUNT, FEATURES, points, NULL};
    linex_calibration calibration = {.samples = samples,
                                     .points = &all,
                                     .totals = weights,
                                     .residuals = residuals,
                                     .answers = adjusted,
                                     .ridge = 1,
                                     .variance = known_variance,
                                     .players = players};
    linex_status status = linex_calibration_open(&calibration);
    while (!status || status == LINEX_UNFINISHED) {
        linex_slice slice = {.left = work};
        status = linex_calibration_advance(&calibration, &slice);
        if (!status) break;
    }
    CHECK(status == LINEX_OK);
    double kappa = calibration.kappa;
    linex_calibration_close(&calibration);
    return kappa;
}

/* The ridge fit to some features. */
static void fit(size_t features, const double *values, double ridge, double *coefficients)
{
    double gram[FEATURES * FEATURES], mean[FEATURES], scratch[4096], some[COUNT * FEATURES];
    linex_points chosen = {COUNT, features, some, NULL};
    linex_moments moments = {.gram = gram, .cross = coefficients, .mean = mean, .scratch = scratch};
    for (size_t i = 0; i < COUNT; i++) memcpy(some + i * features, points + i * FEATURES, features * sizeof *some);
    linex_moments_take(&chosen, values, weights, true, ridge, &moments);
    CHECK(!linex_ridge_solve(features, gram, coefficients, coefficients));
}

static void every_fit_to_all_samples_stays_the_same(void)
{
    static const double ridges[] = {1, 1e-3, 40};
    linex_samples samples = make_samples(2);
    calibrate(&samples, 2, (double)INFINITY);
    for (size_t r = 0; r < sizeof ridges / sizeof *ridges; r++)
        for (size_t features = 1; features <= FEATURES; features++) {
            double before[FEATURES], after[FEATURES];
            fit(features, answers, ridges[r], before);
            fit(features, adjusted, ridges[r], after);
            for (size_t c = 0; c < features; c++) CHECK_NEAR(after[c], before[c], 1e-10);
        }
}

/* The residuals that were given have the weighted mean square 1, the answers had 0.0001. */
static void the_residuals_are_those_that_were_given(void)
{
    linex_samples samples = make_samples(0);
    CHECK(calibrate(&samples, 2, (double)INFINITY) == 1);
    double coefficients[FEATURES], square = 0, total = 0, sum = 0;
    fit(FEATURES, adjusted, 1e-6, coefficients);
    for (size_t i = 0; i < COUNT; i++) {
        double rest = adjusted[i] - linex_dot(FEATURES, coefficients, points + i * FEATURES);
        total += weights[i], sum += weights[i] * rest, square += weights[i] * rest * rest;
    }
    square -= sum * sum / total;
    CHECK_NEAR(square / total, 1, 0.15);
}

/* In each 64 samples, the second half mirrors the first one, so that its influences cancel those of the first. Halves
 * are made of shorter runs, which do not show that. */
static void a_design_that_cancels_in_long_runs_is_more_certain(void)
{
    linex_samples samples = make_samples(2);
    double independent = calibrate(&samples, 2, (double)INFINITY);
    CHECK(independent > 0.2 && independent < 3);
    CHECK(calibrate(&samples, 0, (double)INFINITY) == 1);
    for (size_t i = 1; i < COUNT; i++) {
        if ((i - 1) % 64 < 32) continue;
        for (size_t c = 0; c < FEATURES; c++) points[i * FEATURES + c] = -points[(i - 32) * FEATURES + c];
        weights[i] = weights[i - 32];
        residuals[i] = residuals[i - 32];
    }
    CHECK(calibrate(&samples, 2, (double)INFINITY) < 0.1);
}

static void the_bits_do_not_depend_on_the_slices(void)
{
    linex_samples samples = make_samples(2);
    static double whole[COUNT];
    calibrate(&samples, 2, (double)INFINITY);
    memcpy(whole, adjusted, sizeof whole);
    for (double work = 1; work < 1e5; work *= 111) {
        make_samples(2);
        calibrate(&samples, 2, work);
        CHECK(memcmp(whole, adjusted, sizeof whole) == 0);
    }
}

static void large_answers_stay_as_they_are(void)
{
    linex_samples samples = make_samples(2);
    for (size_t i = 0; i < COUNT; i++) adjusted[i] = i % 2 ? 1.7e308 : -1.7e308;
    calibrate(&samples, 2, (double)INFINITY);
    CHECK(linex_all_finite(COUNT, adjusted));
}

/* The mean over the features of the sum of squared influences on the ridge fit, with the influences of runs of samples
 * added up: of what least squares leave of the adjusted answers. */
static double variance_of_runs(const uint32_t *run_of, size_t runs)
{
    double gram[FEATURES * FEATURES], cross[FEATURES], mean[FEATURES], scratch[4096], slopes[FEATURES], sum = 0;
    linex_points all = {COUNT, FEATURES, points, NULL};
    linex_moments moments = {.gram = gram, .cross = cross, .mean = mean, .scratch = scratch};
    fit(FEATURES, adjusted, 1e-7, slopes);
    linex_moments_take(&all, adjusted, weights, true, 1, &moments);
    for (size_t c = 0; c < FEATURES; c++) {
        double direction[FEATURES] = {0}, moves[COUNT] = {0};
        direction[c] = 1;
        CHECK(!linex_ridge_solve(FEATURES, gram, direction, direction));
        for (size_t i = 0; i < COUNT; i++) {
            double left = adjusted[i] - moments.answer_mean, influence = 0;
            for (size_t k = 0; k < FEATURES; k++) {
                double from = points[i * FEATURES + k] - mean[k];
                left -= slopes[k] * from;
                influence += direction[k] * from;
            }
            moves[run_of[i]] += weights[i] * influence * left / moments.total;
        }
        for (size_t r = 0; r < runs; r++) sum += moves[r] * moves[r] / FEATURES;
    }
    return sum * (double)runs / (double)(runs - 1);
}

static void a_known_variance_is_what_the_runs_show(void)
{
    uint32_t run_of[COUNT];
    for (size_t players = 0; players < 4; players += 2)
        for (known_variance = 1e-4; known_variance < 1; known_variance *= 100) {
            linex_samples samples = make_samples(2);
            calibrate(&samples, players, 1000);
            for (uint32_t i = 0; i < COUNT; i++) run_of[i] = i > 0 ? i - 1 : 0; /* as linex_sample_runs_assign */
            if (players) linex_sample_runs_assign(&samples, players, 0, run_of);
            size_t runs = players ? linex_sample_runs_count(&samples, players) : COUNT - 1;
            CHECK_NEAR(variance_of_runs(run_of, runs) / known_variance, 1, 1e-4);
        }
    known_variance = 0;
}

int main(void)
{
    RUN(every_fit_to_all_samples_stays_the_same);
    RUN(the_residuals_are_those_that_were_given);
    RUN(a_design_that_cancels_in_long_runs_is_more_certain);
    RUN(a_known_variance_is_what_the_runs_show);
    RUN(the_bits_do_not_depend_on_the_slices);
    RUN(large_answers_stay_as_they_are);
    return checks_failed != 0;
}
