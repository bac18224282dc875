/* designed_rows_test.c: how evenly designed rows cover each column of a table. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"

enum { COLUMNS = 5, POINTS = 1024 };

/* Two numeric columns around a constant one, a yes or no, and three levels. */
static const uint32_t levels[COLUMNS] = {0, 0, 2, 0, 4};
static const double frequencies[] = {0.3, 0.7, 0.125, 0, 0.625, 0.25};
static const double row[COLUMNS] = {13, 7, 1, -4, 2};
static double statistics[COLUMNS * LINEX_COLUMN_SIZE];

static linex_table make_table(void)
{
    double values[3][101];
    for (int i = 0; i < 101; i++) {
        values[0][i] = i;
        values[1][i] = 7;
        values[2][i] = i * i;
    }
    CHECK(linex_column_describe(101, values[0], statistics) == LINEX_OK);
    CHECK(linex_column_describe(101, values[1], statistics + LINEX_COLUMN_SIZE) == LINEX_OK);
    CHECK(linex_column_describe(101, values[2], statistics + 3 * LINEX_COLUMN_SIZE) == LINEX_OK);
    return (linex_table){COLUMNS, levels, statistics, frequencies};
}

static double normal_share(double z)
{
    return erfc(-z / sqrt(2)) / 2;
}

static void numeric_columns_have_one_value_in_each_interval_of_equal_probability(void)
{
    linex_table table = make_table();
    static double rows[(POINTS + 1) * COLUMNS];
    linex_row_settings settings = linex_row_defaults();
    CHECK(settings.sampling == LINEX_DESIGNED);
    for (int center = 0; center < 2; center++) {
        settings.center = (linex_center)center;
        CHECK(linex_rows_perturb(&table, row, &settings, 0, POINTS + 1, rows) == LINEX_OK);
        CHECK(memcmp(rows, row, sizeof row) == 0);
        for (size_t c = 0; c < COLUMNS; c += 3) {
            const double *shape = statistics + c * LINEX_COLUMN_SIZE;
            double middle = center ? shape[LINEX_COLUMN_MEAN] : row[c];
            for (size_t count = 2; count <= POINTS; count *= 2) {
                uint8_t seen[POINTS] = {0};
                for (size_t i = 1; i <= count; i++) {
                    double z = (rows[i * COLUMNS + c] - middle) / shape[LINEX_COLUMN_SPREAD];
                    seen[(size_t)(normal_share(z) * (double)count)]++;
                }
                for (size_t i = 0; i < count; i++) CHECK(seen[i] == 1);
            }
        }
        for (size_t i = 0; i <= POINTS; i++) CHECK(rows[i * COLUMNS + 1] == 7);
    }
}

/* With 2^k points that have one value in each interval of length 2^-k, the number in an interval is off by less than
 * two, or by none if its ends are multiples of 2^-k. */
static void levels_occur_as_often_as_their_shares_say(void)
{
    linex_table table = make_table();
    static double rows[POINTS * COLUMNS];
    linex_row_settings settings = linex_row_defaults();
    for (settings.seed = 0; settings.seed < 20; settings.seed++) {
        CHECK(linex_rows_perturb(&table, row, &settings, 1, POINTS, rows) == LINEX_OK);
        for (size_t count = 8; count <= POINTS; count *= 2) {
            double counts[2][4] = {{0}};
            for (size_t i = 0; i < count; i++) {
                counts[0][(size_t)rows[i * COLUMNS + 2]]++;
                counts[1][(size_t)rows[i * COLUMNS + 4]]++;
            }
            CHECK(fabs(counts[0][0] - 0.3 * (double)count) < 1);
            CHECK(fabs(counts[0][1] - 0.7 * (double)count) < 1);
            for (int level = 0; level < 4; level++) CHECK(counts[1][level] == frequencies[2 + level] * (double)count);
        }
    }
}

/* The mean of a normal distribution between two ends has a closed form. */
static double mean_between(double mean, double spread, double low, double high)
{
    double a = (low - mean) / spread, b = (high - mean) / spread, density = 1 / sqrt(2 * acos(-1));
    return mean + spread * density * (exp(-a * a / 2) - exp(-b * b / 2)) / (normal_share(b) - normal_share(a));
}

static void bins_are_even_and_their_values_follow_a_cut_normal(void)
{
    linex_table table = make_table();
    static double rows[POINTS * COLUMNS];
    linex_row_settings settings = linex_row_defaults();
    settings.discretize = true;
    CHECK(linex_rows_perturb(&table, row, &settings, 1, POINTS, rows) == LINEX_OK);
    for (size_t c = 0; c < COLUMNS; c += 3) {
        const double *shape = statistics + c * LINEX_COLUMN_SIZE;
        double counts[4] = {0}, sums[4] = {0};
        for (size_t i = 0; i < POINTS; i++) {
            size_t bin = 0;
            while (bin < 3 && rows[i * COLUMNS + c] > shape[LINEX_COLUMN_QUARTILES + bin]) bin++;
            counts[bin]++;
            sums[bin] += rows[i * COLUMNS + c];
        }
        for (size_t bin = 0; bin < 4; bin++) {
            const double *is = shape + LINEX_COLUMN_BINS + 3 * bin;
            double low = bin ? shape[LINEX_COLUMN_QUARTILES + bin - 1] : shape[LINEX_COLUMN_MIN];
            double high = bin < 3 ? shape[LINEX_COLUMN_QUARTILES + bin] : shape[LINEX_COLUMN_MAX];
            CHECK(fabs(counts[bin] - POINTS * is[0]) < 2);
            CHECK_NEAR(sums[bin] / counts[bin], mean_between(is[1], is[2], low, high), 0.01 * is[2]);
        }
    }
    for (size_t i = 0; i < POINTS; i++) CHECK(rows[i * COLUMNS + 1] == 7);
}

static void a_sample_depends_on_the_seed_and_its_index_alone(void)
{
    linex_table table = make_table();
    static double all[POINTS * COLUMNS], some[POINTS * COLUMNS];
    for (int discretize = 0; discretize < 2; discretize++) {
        linex_row_settings settings = {.discretize = discretize, .seed = 4};
        CHECK(linex_rows_perturb(&table, row, &settings, 0, POINTS, all) == LINEX_OK);
        for (size_t first = 0; first < POINTS; first += 97) {
            CHECK(linex_rows_perturb(&table, row, &settings, first, POINTS - first, some) == LINEX_OK);
            CHECK(memcmp(some, all + first * COLUMNS, (POINTS - first) * sizeof row) == 0);
            CHECK(linex_rows_perturb(&table, row, &settings, first, 1, some) == LINEX_OK);
            CHECK(memcmp(some, all + first * COLUMNS, sizeof row) == 0);
        }
        settings.seed = 5;
        CHECK(linex_rows_perturb(&table, row, &settings, 0, POINTS, some) == LINEX_OK);
        for (size_t i = 1; i < POINTS; i++) CHECK(some[i * COLUMNS] != all[i * COLUMNS]);
    }
}

/* Sixty numeric columns and one of levels, in blocks of 120. */
static void rows_with_many_columns_are_mirrored(void)
{
    enum { MANY = 62, COUNT = 241 };
    uint32_t many_levels[MANY] = {0};
    double many[MANY * LINEX_COLUMN_SIZE] = {0}, here[MANY], *rows = malloc(COUNT * MANY * sizeof *rows);
    for (size_t c = 0; c < MANY; c++) {
        many[c * LINEX_COLUMN_SIZE + LINEX_COLUMN_SPREAD] = c == 20 ? 0 : (double)(c + 1);
        here[c] = (double)c;
    }
    many_levels[30] = 2;
    here[30] = 0;
    linex_table table = {MANY, many_levels, many, frequencies};
    linex_row_settings settings = linex_row_defaults();
    CHECK(linex_rows_perturb(&table, here, &settings, 0, COUNT, rows) == LINEX_OK);
    double ones = 0;
    for (size_t i = 1; i < COUNT; i += 2)
        for (size_t c = 0; c < MANY; c++) {
            double first = rows[i * MANY + c], second = rows[(i + 1) * MANY + c];
            if (c == 30)
                ones += first + second;
            else
                CHECK_NEAR(first - here[c], here[c] - second, 1e-12);
            if (c == 20) CHECK(first == 20);
        }
    CHECK_NEAR(ones, 0.7 * (COUNT - 1), 3);
    for (size_t i = 1; i < 121; i += 2)
        for (size_t j = 1; j < i; j += 2) {
            double product = 0;
            for (size_t c = 0; c < MANY; c++)
                if (c != 30 && c != 20)
                    product +=
                        (rows[i * MANY + c] - here[c]) * (rows[j * MANY + c] - here[c]) / (double)((c + 1) * (c + 1));
            CHECK_NEAR(product, 0, 1e-8);
        }
    free(rows);
}

static void unknown_samplings_are_refused(void)
{
    linex_table table = make_table();
    double made[2 * COLUMNS];
    linex_row_settings settings = {.sampling = (linex_sampling)2};
    CHECK(linex_rows_perturb(&table, row, &settings, 0, 2, made) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(numeric_columns_have_one_value_in_each_interval_of_equal_probability);
    RUN(levels_occur_as_often_as_their_shares_say);
    RUN(bins_are_even_and_their_values_follow_a_cut_normal);
    RUN(a_sample_depends_on_the_seed_and_its_index_alone);
    RUN(rows_with_many_columns_are_mirrored);
    RUN(unknown_samplings_are_refused);
    return checks_failed != 0;
}
