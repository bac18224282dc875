/* density_test.c: densities, their cross-validation and samples from them. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"

enum { SAMPLES = 40000, ROWS = 5, COLUMNS = 2 };

static const double rows[ROWS * COLUMNS] = {0, 0, 1, 0.5, -1, 2, 3, -1, 0.2, 0.1};
static const double input[COLUMNS] = {0.7, -0.4};

/* The density by its definition. It underflows far from all rows. */
static double plain_density(size_t count, const double *points, double bandwidth, const double *at)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double x = points[2 * i] - at[0], y = points[2 * i + 1] - at[1];
        sum += exp(-(x * x + y * y) / (2 * bandwidth * bandwidth));
    }
    return sum / ((double)count * 2 * acos(-1) * bandwidth * bandwidth);
}

static void the_density_is_the_mean_of_the_kernels(void)
{
    for (double bandwidth = 0.1; bandwidth < 5; bandwidth *= 1.7) {
        linex_density density = {ROWS, COLUMNS, rows, bandwidth};
        double log_density;
        CHECK(linex_density_log(&density, 1, input, &log_density) == LINEX_OK);
        CHECK_NEAR(log_density, log(plain_density(ROWS, rows, bandwidth, input)), 1e-12 * (1 + fabs(log_density)));
    }
}

static void the_density_is_finite_far_from_all_rows(void)
{
    const double far[COLUMNS] = {1e6, 0};
    linex_density density = {ROWS, COLUMNS, rows, 0.5};
    double log_density;
    CHECK(linex_density_log(&density, 1, far, &log_density) == LINEX_OK);
    double x = 1e6 - 3, expected = -(x * x + 1) / 0.5 - log(ROWS * 2 * acos(-1) * 0.25);
    CHECK_NEAR(log_density, expected, 1e-12 * fabs(expected));
}

static void a_bandwidth_is_scored_on_the_rows_of_other_folds(void)
{
    const uint32_t folds[ROWS] = {0, 1, 0, 1, 2}, all[ROWS] = {0, 1, 2, 3, 4};
    const double bandwidths[2] = {0.6, 1.3};
    double scores[2] = {0, 0}, halves[2] = {0, 0};
    CHECK(linex_density_validate(ROWS, COLUMNS, rows, folds, ROWS, all, 2, bandwidths, scores) == LINEX_OK);
    for (int g = 0; g < 2; g++) {
        double expected = 0;
        for (int i = 0; i < ROWS; i++) {
            double others[ROWS * COLUMNS];
            size_t count = 0;
            for (int j = 0; j < ROWS; j++)
                if (folds[j] != folds[i])
                    memcpy(others + COLUMNS * count++, rows + COLUMNS * j, sizeof(double[COLUMNS]));
            expected += log(plain_density(count, others, bandwidths[g], rows + COLUMNS * i));
        }
        CHECK_NEAR(scores[g], expected, 1e-12 * fabs(expected));
    }
    CHECK(linex_density_validate(ROWS, COLUMNS, rows, folds, 2, all, 2, bandwidths, halves) == LINEX_OK);
    CHECK(linex_density_validate(ROWS, COLUMNS, rows, folds, 3, all + 2, 2, bandwidths, halves) == LINEX_OK);
    CHECK(memcmp(scores, halves, sizeof scores) == 0);
    const uint32_t one_fold[ROWS] = {0};
    CHECK(linex_density_validate(ROWS, COLUMNS, rows, one_fold, ROWS, all, 2, bandwidths, scores) ==
          LINEX_BAD_ARGUMENT);
}

/* Mean and covariance of f(z) exp(-|z - x|^2 / (2 radius^2)), by summing over a fine grid. */
static void moments_on_a_grid(double bandwidth, double radius, double mean[2], double covariance[3])
{
    double total = 0, sums[5] = {0};
    for (double x = -6; x < 8; x += 0.02) {
        for (double y = -7; y < 7; y += 0.02) {
            const double at[COLUMNS] = {x, y};
            double distance = (x - input[0]) * (x - input[0]) + (y - input[1]) * (y - input[1]);
            double mass = plain_density(ROWS, rows, bandwidth, at) * exp(-distance / (2 * radius * radius));
            const double terms[5] = {x, y, x * x, x * y, y * y};
            total += mass;
            for (int t = 0; t < 5; t++) sums[t] += mass * terms[t];
        }
    }
    for (int t = 0; t < 5; t++) sums[t] /= total;
    mean[0] = sums[0];
    mean[1] = sums[1];
    covariance[0] = sums[2] - sums[0] * sums[0];
    covariance[1] = sums[3] - sums[0] * sums[1];
    covariance[2] = sums[4] - sums[1] * sums[1];
}

static void moments_of(const double *points, double mean[2], double covariance[3])
{
    mean[0] = mean[1] = covariance[0] = covariance[1] = covariance[2] = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        mean[0] += points[2 * i] / SAMPLES;
        mean[1] += points[2 * i + 1] / SAMPLES;
    }
    for (size_t i = 0; i < SAMPLES; i++) {
        double x = points[2 * i] - mean[0], y = points[2 * i + 1] - mean[1];
        covariance[0] += x * x / SAMPLES;
        covariance[1] += x * y / SAMPLES;
        covariance[2] += y * y / SAMPLES;
    }
}

static void samples_follow_the_density_times_the_closeness_to_the_input(void)
{
    static double points[SAMPLES * COLUMNS];
    static uint32_t source_rows[SAMPLES];
    const double cases[3][2] = {{0.4, 1}, {1, 0.5}, {0.2, 0.3}};
    for (int i = 0; i < 6; i++) {
        int c = i / 2;
        linex_density density = {ROWS, COLUMNS, rows, cases[c][0]};
        linex_density_settings settings = linex_density_defaults();
        settings.radius = cases[c][1];
        settings.sampling = (linex_sampling)(i % 2);
        double mean[2], covariance[3], expected_mean[2], expected[3];
        CHECK(linex_density_sample(&density, input, NULL, &settings, 0, SAMPLES, points, source_rows) == LINEX_OK);
        moments_of(points, mean, covariance);
        moments_on_a_grid(cases[c][0], cases[c][1], expected_mean, expected);
        for (int k = 0; k < 2; k++) CHECK_NEAR(mean[k], expected_mean[k], 0.02);
        for (int k = 0; k < 3; k++) CHECK_NEAR(covariance[k], expected[k], 0.02);
    }
}

static void with_an_infinite_radius_samples_follow_the_whole_density(void)
{
    static double points[SAMPLES * COLUMNS];
    static uint32_t source_rows[SAMPLES];
    linex_density density = {ROWS, COLUMNS, rows, 0.4};
    linex_density_settings settings = {.radius = (double)INFINITY};
    double mean[2], covariance[3], counts[ROWS] = {0};
    CHECK(linex_density_sample(&density, input, NULL, &settings, 0, SAMPLES, points, source_rows) == LINEX_OK);
    moments_of(points, mean, covariance);
    CHECK_NEAR(mean[0], 0.64, 0.02);
    CHECK_NEAR(mean[1], 0.32, 0.02);
    for (int i = 0; i < SAMPLES; i++) counts[source_rows[i]]++;
    for (int i = 0; i < ROWS; i++) CHECK_NEAR(counts[i] / SAMPLES, 1.0 / ROWS, 0.01);
}

static void extra_distances_are_weighted_by_the_radius(void)
{
    static double points[SAMPLES * COLUMNS];
    static uint32_t source_rows[SAMPLES];
    const double same[2 * COLUMNS] = {0}, extra_squares[2] = {0, 2};
    linex_density density = {2, COLUMNS, same, 0.4};
    linex_density_settings settings = linex_density_defaults();
    double second = 0;
    CHECK(linex_density_sample(&density, input, extra_squares, &settings, 0, SAMPLES, points, source_rows) ==
          LINEX_OK);
    for (int i = 0; i < SAMPLES; i++) second += source_rows[i];
    CHECK_NEAR(second / SAMPLES, exp(-1) / (1 + exp(-1)), 0.01);
}

static void rows_within_the_radius_are_equally_likely_and_the_nearest_always_count(void)
{
    static double points[SAMPLES * COLUMNS];
    static uint32_t source_rows[SAMPLES];
    linex_density density = {ROWS, COLUMNS, rows, 0.3};
    linex_density_settings settings = {LINEX_NEAR_ROWS, 1, 1, 7, LINEX_INDEPENDENT};
    const double shares[2][ROWS] = {{1.0 / 3, 1.0 / 3, 0, 0, 1.0 / 3}, {0, 0, 0, 1, 0}}, far[COLUMNS] = {900, 0};
    for (int c = 0; c < 2; c++) {
        double counts[ROWS] = {0}, mean[2], covariance[3];
        CHECK(linex_density_sample(&density, c ? far : input, NULL, &settings, 0, SAMPLES, points, source_rows) ==
              LINEX_OK);
        for (int i = 0; i < SAMPLES; i++) counts[source_rows[i]]++;
        for (int i = 0; i < ROWS; i++) CHECK_NEAR(counts[i] / SAMPLES, shares[c][i], 0.01);
        moments_of(points, mean, covariance);
        if (!c) continue;
        CHECK_NEAR(mean[0], 3, 0.01);
        CHECK_NEAR(covariance[0], 0.09, 0.003);
    }
    settings.min_rows = 100;
    CHECK(linex_density_sample(&density, far, NULL, &settings, 0, SAMPLES, points, source_rows) == LINEX_OK);
}

static void samples_differ_far_from_all_rows(void)
{
    double points[20 * COLUMNS];
    uint32_t source_rows[20];
    const double far[COLUMNS] = {1e6, -1e6};
    linex_density density = {ROWS, COLUMNS, rows, 0.5};
    linex_density_settings settings = linex_density_defaults();
    CHECK(linex_density_sample(&density, far, NULL, &settings, 0, 20, points, source_rows) == LINEX_OK);
    for (int i = 1; i < 20; i++) {
        CHECK(isfinite(points[2 * i]) && points[2 * i] != points[0]);
        CHECK(source_rows[i] == 3);
    }
}

static void a_sample_does_not_depend_on_its_batch(void)
{
    double all[20 * COLUMNS], single[COLUMNS];
    uint32_t source_rows[20], source_row;
    linex_density density = {ROWS, COLUMNS, rows, 0.5};
    linex_density_settings settings = linex_density_defaults();
    for (int s = 0; s < 2; s++) {
        linex_sampling sampling = settings.sampling = (linex_sampling)s;
        CHECK(linex_density_sample(&density, input, NULL, &settings, 0, 20, all, source_rows) == LINEX_OK);
        for (size_t i = 0; i < 20; i++) {
            CHECK(linex_density_sample(&density, input, NULL, &settings, i, 1, single, &source_row) == LINEX_OK);
            CHECK(memcmp(single, all + i * COLUMNS, sizeof single) == 0 && source_row == source_rows[i]);
        }
        CHECK(linex_cloud_draw(COLUMNS, input, 2, sampling, 5, 0, 20, all) == LINEX_OK);
        for (size_t i = 0; i < 20; i++) {
            CHECK(linex_cloud_draw(COLUMNS, input, 2, sampling, 5, i, 1, single) == LINEX_OK);
            CHECK(memcmp(single, all + i * COLUMNS, sizeof single) == 0);
        }
    }
}

static void a_cloud_has_its_center_and_its_radius(void)
{
    static double points[SAMPLES * COLUMNS];
    double mean[2], covariance[3];
    CHECK(linex_cloud_draw(COLUMNS, input, 2, LINEX_INDEPENDENT, 1, 0, SAMPLES, points) == LINEX_OK);
    moments_of(points, mean, covariance);
    CHECK_NEAR(mean[0], 0.7, 0.04);
    CHECK_NEAR(mean[1], -0.4, 0.04);
    CHECK_NEAR(covariance[0], 4, 0.1);
    CHECK_NEAR(covariance[1], 0, 0.1);
    CHECK_NEAR(covariance[2], 4, 0.1);
}

static void an_order_holds_every_row_once_and_depends_on_the_seed(void)
{
    uint32_t order[100], again[100], seen[100] = {0};
    CHECK(linex_order_draw(100, 3, order) == LINEX_OK);
    for (int i = 0; i < 100; i++) seen[order[i]]++;
    for (int i = 0; i < 100; i++) CHECK(seen[i] == 1);
    CHECK(linex_order_draw(100, 3, again) == LINEX_OK && memcmp(order, again, sizeof order) == 0);
    CHECK(linex_order_draw(100, 4, again) == LINEX_OK && memcmp(order, again, sizeof order) != 0);
}

static void values_out_of_range_are_rejected(void)
{
    double points[COLUMNS], log_density;
    uint32_t source_row;
    linex_density density = {ROWS, COLUMNS, rows, 0};
    linex_density_settings settings = linex_density_defaults();
    CHECK(linex_density_log(&density, 1, input, &log_density) == LINEX_BAD_ARGUMENT);
    density.bandwidth = 1;
    const double nowhere[COLUMNS] = {(double)NAN, 0}, beyond[COLUMNS] = {1e200, 0};
    CHECK(linex_density_log(&density, 1, nowhere, &log_density) == LINEX_BAD_ARGUMENT);
    CHECK(linex_density_log(&density, 1, beyond, &log_density) == LINEX_BAD_ARGUMENT);
    settings.radius = 0;
    CHECK(linex_density_sample(&density, input, NULL, &settings, 0, 1, points, &source_row) == LINEX_BAD_ARGUMENT);
    settings = (linex_density_settings){LINEX_NEAR_ROWS, 1, 0, 0, LINEX_DESIGNED};
    CHECK(linex_density_sample(&density, input, NULL, &settings, 0, 1, points, &source_row) == LINEX_BAD_ARGUMENT);
    /* An unknown kind was once weighted as the density and drawn as rows. */
    settings = (linex_density_settings){(linex_nearness)7, 1, 10, 0, LINEX_DESIGNED};
    CHECK(linex_density_sample(&density, input, NULL, &settings, 0, 1, points, &source_row) == LINEX_BAD_ARGUMENT);
    density.count = 0;
    CHECK(linex_density_log(&density, 1, input, &log_density) == LINEX_BAD_ARGUMENT);
    CHECK(linex_cloud_draw(COLUMNS, nowhere, 1, LINEX_DESIGNED, 0, 0, 1, points) == LINEX_BAD_ARGUMENT);
    CHECK(linex_cloud_draw(COLUMNS, input, -1, LINEX_DESIGNED, 0, 0, 1, points) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(the_density_is_the_mean_of_the_kernels);
    RUN(the_density_is_finite_far_from_all_rows);
    RUN(a_bandwidth_is_scored_on_the_rows_of_other_folds);
    RUN(samples_follow_the_density_times_the_closeness_to_the_input);
    RUN(with_an_infinite_radius_samples_follow_the_whole_density);
    RUN(extra_distances_are_weighted_by_the_radius);
    RUN(rows_within_the_radius_are_equally_likely_and_the_nearest_always_count);
    RUN(samples_differ_far_from_all_rows);
    RUN(a_sample_does_not_depend_on_its_batch);
    RUN(a_cloud_has_its_center_and_its_radius);
    RUN(an_order_holds_every_row_once_and_depends_on_the_seed);
    RUN(values_out_of_range_are_rejected);
    return checks_failed != 0;
}
