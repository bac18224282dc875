/* row_neighborhood_test.c: tests of rows near a row and of their representation. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "run_sliced.h"
#include "linex.h"
#include "base/random.h"

enum { SAMPLES = 40000, COLUMNS = 3 };

/* A numeric column with mean 10 and spread 2, a constant one, and a categorical one with three levels. */
static const uint32_t levels[COLUMNS] = {0, 0, 3};
static const double frequencies[3] = {0.5, 0.5, 0};
static double statistics[COLUMNS * LINEX_COLUMN_SIZE];
static const double row[COLUMNS] = {13, 7, 1};

static linex_table make_table(void)
{
    const double numeric[] = {8, 12, 8, 12}, constant[] = {7, 7, 7, 7};
    CHECK(linex_column_describe(4, numeric, statistics) == LINEX_OK);
    CHECK(linex_column_describe(4, constant, statistics + LINEX_COLUMN_SIZE) == LINEX_OK);
    return (linex_table){COLUMNS, levels, statistics, frequencies};
}

static void describe(const double *rows, size_t column, double *mean, double *spread)
{
    double sum = 0, squares = 0;
    for (size_t i = 1; i < SAMPLES; i++) sum += rows[i * COLUMNS + column];
    *mean = sum / (SAMPLES - 1);
    for (size_t i = 1; i < SAMPLES; i++) squares += pow(rows[i * COLUMNS + column] - *mean, 2);
    *spread = sqrt(squares / (SAMPLES - 1));
}

static void rows_vary_around_the_row_or_around_the_mean(void)
{
    linex_table table = make_table();
    linex_row_settings settings = linex_row_defaults();
    double *rows = malloc(SAMPLES * COLUMNS * sizeof *rows), mean, spread;
    CHECK(linex_rows_perturb(&table, row, &settings, 0, SAMPLES, rows) == LINEX_OK);
    CHECK(memcmp(rows, row, sizeof row) == 0);
    describe(rows, 0, &mean, &spread);
    CHECK_NEAR(mean, 13, 0.04);
    CHECK_NEAR(spread, 2, 0.03);
    describe(rows, 1, &mean, &spread);
    CHECK(mean == 7 && spread == 0);
    describe(rows, 2, &mean, &spread);
    CHECK_NEAR(mean, 0.5, 0.01);

    settings.center = LINEX_CENTER_MEAN;
    CHECK(linex_rows_perturb(&table, row, &settings, 0, SAMPLES, rows) == LINEX_OK);
    CHECK(memcmp(rows, row, sizeof row) == 0);
    describe(rows, 0, &mean, &spread);
    CHECK_NEAR(mean, 10, 0.04);
    free(rows);
}

static void a_sample_does_not_depend_on_its_batch(void)
{
    linex_table table = make_table();
    linex_row_settings settings = linex_row_defaults();
    double all[20 * COLUMNS], single[COLUMNS];
    CHECK(linex_rows_perturb(&table, row, &settings, 0, 20, all) == LINEX_OK);
    for (size_t i = 0; i < 20; i++) {
        CHECK(linex_rows_perturb(&table, row, &settings, i, 1, single) == LINEX_OK);
        CHECK(memcmp(single, all + i * COLUMNS, sizeof single) == 0);
    }
}

static void a_level_that_never_occurs_is_never_drawn(void)
{
    linex_table table = make_table();
    linex_row_settings settings = linex_row_defaults();
    double *rows = malloc(SAMPLES * COLUMNS * sizeof *rows);
    CHECK(linex_rows_perturb(&table, row, &settings, 0, SAMPLES, rows) == LINEX_OK);
    for (size_t i = 0; i < SAMPLES; i++) CHECK(rows[i * COLUMNS + 2] == 0 || rows[i * COLUMNS + 2] == 1);
    free(rows);
}

static void discretized_values_stay_in_their_bins(void)
{
    double values[400], rows[2000], points[2000];
    for (int i = 0; i < 400; i++) values[i] = i * i;
    double column[LINEX_COLUMN_SIZE];
    CHECK(linex_column_describe(400, values, column) == LINEX_OK);
    const uint32_t numeric = 0;
    linex_table table = {1, &numeric, column, NULL};
    linex_row_settings settings = {.discretize = true};
    const double here = 100;
    CHECK(linex_rows_perturb(&table, &here, &settings, 0, 2000, rows) == LINEX_OK);
    CHECK(linex_rows_represent(&table, &here, &settings, 2000, rows, points) == LINEX_OK);
    double same = 0;
    for (int i = 0; i < 2000; i++) {
        CHECK(rows[i] >= 0 && rows[i] <= 399.0 * 399);
        CHECK(points[i] == (rows[i] <= column[LINEX_COLUMN_QUARTILES]));
        same += points[i];
    }
    CHECK_NEAR(same / 2000, 0.25, 0.04);
}

static void values_near_the_ends_of_the_range_have_a_spread(void)
{
    double statistic[LINEX_COLUMN_SIZE], rows[100];
    const double huge[] = {-1e200, -5e199, 0, 5e199, 1e200, 2e199, 3e199}, small[] = {1e-200, 2e-200, 3e-200};
    const uint32_t numeric = 0;
    linex_table table = {1, &numeric, statistic, NULL};
    linex_row_settings settings = {.discretize = true};
    CHECK(linex_column_describe(7, huge, statistic) == LINEX_OK);
    CHECK(isfinite(statistic[LINEX_COLUMN_SPREAD]) && statistic[LINEX_COLUMN_SPREAD] > 1e199);
    CHECK(linex_rows_perturb(&table, huge, &settings, 0, 100, rows) == LINEX_OK);
    for (int i = 0; i < 100; i++) CHECK(fabs(rows[i]) <= 1e200);
    CHECK(linex_column_describe(3, small, statistic) == LINEX_OK);
    CHECK_NEAR(statistic[LINEX_COLUMN_SPREAD] / 1e-200, sqrt(2.0 / 3), 1e-12);
    statistic[LINEX_COLUMN_SPREAD] = (double)INFINITY;
    CHECK(linex_rows_perturb(&table, huge, &settings, 0, 100, rows) == LINEX_BAD_ARGUMENT);
}

static void points_are_in_standard_deviations_or_raw(void)
{
    linex_table table = make_table();
    linex_row_settings settings = linex_row_defaults();
    const double rows[] = {13, 7, 1, 9, 8, 0};
    double points[6];
    CHECK(linex_rows_represent(&table, row, &settings, 2, rows, points) == LINEX_OK);
    const double standard[] = {1.5, 0, 1, -0.5, 1, 0};
    for (int i = 0; i < 6; i++) CHECK_NEAR(points[i], standard[i], 0);
    settings.raw = true;
    CHECK(linex_rows_represent(&table, row, &settings, 2, rows, points) == LINEX_OK);
    const double raw[] = {13, 7, 1, 9, 8, 0};
    for (int i = 0; i < 6; i++) CHECK_NEAR(points[i], raw[i], 0);
}

static void proximity_is_the_square_root_of_a_gaussian(void)
{
    const double points[] = {0, 0, 3, 4, 0, 1}, at[] = {0, 0};
    double distances[3], weights[3];
    CHECK(linex_proximity(3, 2, points, at, 2, distances, weights) == LINEX_OK);
    CHECK_NEAR(distances[1], 5, 0);
    CHECK_NEAR(weights[0], 1, 0);
    CHECK_NEAR(weights[1], sqrt(exp(-25.0 / 4)), 1e-15);
    CHECK_NEAR(weights[2], sqrt(exp(-1.0 / 4)), 1e-15);
    CHECK(linex_proximity(3, 2, points, at, 0, distances, weights) == LINEX_BAD_ARGUMENT);
}

static void distances_of_huge_and_tiny_points_are_finite(void)
{
    const double points[] = {1e200, 0, -1.7e308, 1.7e308, 3e-200, 4e-200, 0, 0, 3e180, 4e180}, origin[] = {0, 0};
    const double far[] = {1.7e308, -1.7e308};
    double distances[5], weights[5];
    CHECK(linex_proximity(5, 2, points, origin, 1.5, distances, weights) == LINEX_OK);
    CHECK_NEAR(distances[0] / 1e200, 1, 1e-15);
    CHECK(isfinite(distances[1]) && distances[1] >= 1.7e308);
    CHECK_NEAR(distances[2] / 5e-200, 1, 1e-15);
    CHECK(distances[3] == 0);
    CHECK_NEAR(distances[4] / 5e180, 1, 1e-15);
    const double expected[] = {0, 0, 1, 1, 0};
    for (int i = 0; i < 5; i++) CHECK(weights[i] == expected[i]);
    CHECK(linex_proximity(5, 2, points, far, 1e-300, distances, weights) == LINEX_OK);
    for (int i = 0; i < 5; i++) CHECK(isfinite(distances[i]) && weights[i] == 0);
    const double not_finite[] = {0, (double)NAN}, endless[] = {(double)INFINITY, 0};
    CHECK(linex_proximity(1, 2, not_finite, origin, 1, distances, weights) == LINEX_BAD_ARGUMENT);
    CHECK(linex_proximity(1, 2, origin, endless, 1, distances, weights) == LINEX_BAD_ARGUMENT);
}

static void numbers_at_the_end_of_the_range_stay_finite(void)
{
    const double values[] = {-1.7e308, 1.7e308, 1.7e308, -1.7e308, 1e308};
    const uint32_t numeric = 0;
    double statistic[LINEX_COLUMN_SIZE], rows[200], points[200];
    linex_table table = {1, &numeric, statistic, NULL};
    CHECK(linex_column_describe(5, values, statistic) == LINEX_OK);
    for (int i = 0; i < LINEX_COLUMN_SIZE; i++) CHECK(isfinite(statistic[i]));
    CHECK(statistic[LINEX_COLUMN_QUARTILES] == -1.7e308 && statistic[LINEX_COLUMN_QUARTILES + 1] == 1e308);
    for (int discretize = 0; discretize < 2; discretize++) {
        linex_row_settings settings = {.discretize = discretize};
        CHECK(linex_rows_perturb(&table, values, &settings, 0, 200, rows) == LINEX_OK);
        CHECK(linex_rows_represent(&table, values, &settings, 200, rows, points) == LINEX_OK);
        for (int i = 0; i < 200; i++) CHECK(isfinite(rows[i]) && fabs(points[i]) < 10);
    }
}

static linex_status try_table(const linex_table *table, const double *at)
{
    linex_row_settings settings = linex_row_defaults();
    double made[2 * COLUMNS], points[2 * COLUMNS];
    linex_status status = linex_rows_perturb(table, at, &settings, 0, 2, made);
    const double good[2 * COLUMNS] = {13, 7, 1, 13, 7, 0};
    CHECK(linex_rows_represent(table, at, &settings, 2, good, points) == status);
    return status;
}

static void tables_that_make_no_sense_are_refused(void)
{
    linex_table table = make_table();
    CHECK(try_table(&table, row) == LINEX_OK);
    const double shares[][3] = {{-0.5, 1, 0.5}, {(double)NAN, 0.5, 0.5}, {0, 0, 2}, {0, 0, (double)INFINITY}};
    for (size_t i = 0; i < 4; i++) {
        table.frequencies = shares[i];
        CHECK(try_table(&table, row) == LINEX_BAD_ARGUMENT);
    }
    table.frequencies = frequencies;
    const uint32_t too_many[COLUMNS] = {0, 0, UINT32_MAX};
    table.levels = too_many;
    CHECK(try_table(&table, row) == LINEX_BAD_ARGUMENT);
    table.levels = levels;
    const size_t places[] = {LINEX_COLUMN_SPREAD, LINEX_COLUMN_BINS, LINEX_COLUMN_BINS + 2};
    for (size_t i = 0; i < 3; i++) {
        double before = statistics[places[i]];
        statistics[places[i]] = -1;
        CHECK(try_table(&table, row) == LINEX_BAD_ARGUMENT);
        statistics[places[i]] = before;
    }
    CHECK(try_table(&table, row) == LINEX_OK);
}

static void rows_with_a_level_that_does_not_exist_are_refused(void)
{
    linex_table table = make_table();
    linex_row_settings settings = linex_row_defaults();
    const double bad[][COLUMNS] = {{13, 7, 3}, {13, 7, -1}, {13, 7, 0.5}, {13, 7, 1e300}, {(double)NAN, 7, 1}};
    double points[COLUMNS];
    for (size_t i = 0; i < 5; i++) {
        CHECK(try_table(&table, bad[i]) == LINEX_BAD_ARGUMENT);
        CHECK(linex_rows_represent(&table, row, &settings, 1, bad[i], points) == LINEX_BAD_ARGUMENT);
    }
    double shares[1];
    CHECK(linex_levels_describe(1, row, (size_t)LINEX_MAX_LEVELS + 1, shares) == LINEX_BAD_ARGUMENT);
}

static void a_point_beyond_the_range_is_an_overflow(void)
{
    double column[LINEX_COLUMN_SIZE] = {0}, point;
    column[LINEX_COLUMN_SPREAD] = 1e-10;
    const uint32_t numeric = 0;
    const double at = 0, near = 1e290, far = 1e300;
    const linex_table table = {1, &numeric, column, NULL};
    linex_row_settings settings = linex_row_defaults();
    CHECK(linex_rows_represent(&table, &at, &settings, 1, &near, &point) == LINEX_OK);
    CHECK_NEAR(point / 1e300, 1, 1e-12);
    CHECK(linex_rows_represent(&table, &at, &settings, 1, &far, &point) == LINEX_OVERFLOW);
    settings.raw = true;
    CHECK(linex_rows_represent(&table, &at, &settings, 1, &far, &point) == LINEX_OK && point == far);
}

static void identical_rows_are_merged(void)
{
    double rows[] = {1, 2, 3, 4, 1, 2, 5, 6, 3, 4, 1, 2};
    const double distinct_rows[] = {1, 2, 3, 4, 5, 6};
    const uint32_t expected[] = {0, 1, 0, 2, 1, 0};
    uint32_t point_of[6];
    size_t distinct;
    CHECK(linex_rows_merge(6, 2 * sizeof *rows, rows, point_of, &distinct) == LINEX_OK);
    CHECK(distinct == 3);
    CHECK(memcmp(rows, distinct_rows, sizeof distinct_rows) == 0);
    CHECK(memcmp(point_of, expected, sizeof expected) == 0);
}

static void the_slices_do_not_change_the_errors_of_maple(void)
{
    enum { TRAINED = 200, NUMBERS = 5, OUTPUTS = 2 };
    static double rows[TRAINED * NUMBERS], responses[TRAINED * OUTPUTS], weights[TRAINED];
    static double statistics[NUMBERS * LINEX_COLUMN_SIZE];
    const uint32_t levels[NUMBERS] = {0}, order[NUMBERS] = {3, 0, 4, 1, 2};
    const linex_table table = {NUMBERS, levels, statistics, NULL};
    linex_random random = linex_random_seed(4);
    for (size_t i = 0; i < TRAINED * NUMBERS; i++) rows[i] = linex_random_uniform(&random);
    for (size_t i = 0; i < TRAINED * OUTPUTS; i++) responses[i] = linex_random_uniform(&random);
    for (size_t i = 0; i < TRAINED; i++) weights[i] = (double)(i % 3);
    for (size_t c = 0; c < NUMBERS; c++) statistics[c * LINEX_COLUMN_SIZE + LINEX_COLUMN_SPREAD] = 1;
    double expected[NUMBERS] = {0};
    CHECK(linex_maple_errors(&table, TRAINED, rows, OUTPUTS, responses, weights, rows, responses, order, 0.01,
                             expected) == LINEX_OK);
    for (size_t i = 0; i < SLICE_COUNT; i++) {
        double errors[NUMBERS] = {0};
        linex_task *task = NULL;
        linex_status started = linex_maple_start(&table, TRAINED, rows, OUTPUTS, responses, weights, rows, responses,
                                                 order, 0.01, errors, &task);
        CHECK(run_sliced(started, task, SLICES[i]) == LINEX_OK);
        CHECK(memcmp(errors, expected, sizeof errors) == 0);
    }
}

int main(void)
{
    RUN(rows_vary_around_the_row_or_around_the_mean);
    RUN(a_sample_does_not_depend_on_its_batch);
    RUN(a_level_that_never_occurs_is_never_drawn);
    RUN(discretized_values_stay_in_their_bins);
    RUN(values_near_the_ends_of_the_range_have_a_spread);
    RUN(points_are_in_standard_deviations_or_raw);
    RUN(proximity_is_the_square_root_of_a_gaussian);
    RUN(distances_of_huge_and_tiny_points_are_finite);
    RUN(numbers_at_the_end_of_the_range_stay_finite);
    RUN(tables_that_make_no_sense_are_refused);
    RUN(rows_with_a_level_that_does_not_exist_are_refused);
    RUN(a_point_beyond_the_range_is_an_overflow);
    RUN(identical_rows_are_merged);
    RUN(the_slices_do_not_change_the_errors_of_maple);
    return checks_failed != 0;
}
