/* sample_laws_test.c: the laws of rows and masks under the kernel, compared with sums over all values. */
#include "linex.h"

#include "check.h"
#include "base/elementary.h"

/* Statistics of a numeric column: mean 2, spread 4, quartiles 0, 2, 3, and four bins. */
static const double STATISTICS[2 * LINEX_COLUMN_SIZE] = {2,   4, -9,  9,   0,   2,   3,    0.25, -4, 2,
                                                         0.3, 1, 0.4, 0.2, 2.5, 0.2, 0.25, 5,    1};
static const uint32_t LEVELS[2] = {0, 3};
static const double FREQUENCIES[3] = {0.2, 0.7, 0.1};
static const linex_table TABLE = {2, LEVELS, STATISTICS, FREQUENCIES};
static const double ROW[2] = {8, 0};

/* The mean and the spread of a normal column under the kernel, by summing up a fine grid. */
static void weigh(double center, double unit, double here, double kernel, double *mean, double *spread)
{
    double total = 0, first = 0, second = 0;
    for (int i = -20000; i <= 20000; i++) {
        double x = center + unit * (double)i / 2000, z = (x - center) / unit, far = (x - here) / kernel;
        double share = linex_exp(-0.5 * z * z) * linex_exp(-0.5 * far * far);
        total += share, first += share * x, second += share * x * x;
    }
    *mean = first / total;
    *spread = sqrt(second / total - *mean * *mean);
}

static void check_column(const double *law, double binary, double mean, double spread, double unit)
{
    CHECK(law[LINEX_LAW_BINARY] == binary);
    CHECK_NEAR(law[LINEX_LAW_MEAN], mean, 1e-7);
    CHECK_NEAR(law[LINEX_LAW_SPREAD], spread, 1e-7);
    CHECK_NEAR(law[LINEX_LAW_UNIT], unit, 1e-12);
}

static void a_normal_column_stays_normal_under_the_kernel(void)
{
    for (int raw = 0; raw < 2; raw++)
        for (int center = 0; center < 2; center++) {
            linex_row_settings settings = linex_row_defaults();
            double law[2 * LINEX_LAW_SIZE], mean, spread, kernel = raw ? 6 : 1.5;
            settings.raw = raw;
            settings.center = center ? LINEX_CENTER_MEAN : LINEX_CENTER_ROW;
            CHECK(!linex_rows_law(&TABLE, ROW, &settings, kernel, law));
            double here = raw ? 8 : 1.5, unit = raw ? 4 : 1;
            weigh(center ? (raw ? 2 : 0) : here, unit, here, kernel, &mean, &spread);
            check_column(law, 0, mean, spread, unit);
        }
}

static void a_level_or_a_bin_is_more_likely_near_the_row(void)
{
    linex_row_settings settings = linex_row_defaults();
    double law[2 * LINEX_LAW_SIZE], kernel = 0.8, other = linex_exp(-0.5 / (kernel * kernel));
    CHECK(!linex_rows_law(&TABLE, ROW, &settings, kernel, law));
    double p = 0.2 / (0.2 + 0.8 * other);
    check_column(law + LINEX_LAW_SIZE, 1, p, sqrt(p * (1 - p)), 0.4);
    settings.discretize = true;
    CHECK(!linex_rows_law(&TABLE, ROW, &settings, kernel, law));
    p = 0.25 / (0.25 + 0.75 * other);
    check_column(law, 1, p, sqrt(p * (1 - p)), sqrt(0.25 * 0.75));
}

static void a_constant_column_does_not_vary(void)
{
    static const double constant[LINEX_COLUMN_SIZE] = {3, 0, 3, 3, 3, 3, 3, 1, 3};
    static const uint32_t numeric = 0;
    const linex_table table = {1, &numeric, constant, NULL};
    linex_row_settings settings = linex_row_defaults();
    double row = 5, law[LINEX_LAW_SIZE];
    for (int discretize = 0; discretize < 2; discretize++) {
        settings.discretize = discretize;
        CHECK(!linex_rows_law(&table, &row, &settings, 1, law));
        CHECK(law[LINEX_LAW_SPREAD] == 0 && law[LINEX_LAW_UNIT] == 0);
    }
}

enum { PARTS = 12 };

static void the_law_of_masks_is_that_of_their_draws(void)
{
    for (int kind = 0; kind < 2; kind++)
        for (int distance = 0; distance < 2; distance++) {
            double sizes[PARTS + 1], expected[PARTS + 1], total = 0, choices = 1;
            double scale = distance ? 1 : 100, kernel = distance ? 2 : 25;
            CHECK(!linex_masks_law(kind ? LINEX_MASK_COINS : LINEX_MASK_SIZES, PARTS,
                                   distance ? LINEX_MASK_EUCLIDEAN : LINEX_MASK_COSINE, scale, kernel, sizes));
            for (size_t kept = 0; kept <= PARTS; kept++) {
                double share = kind ? choices : kept < PARTS;
                double far = distance ? sqrt(PARTS - (double)kept) : 1 - sqrt((double)kept / PARTS);
                expected[kept] = share * linex_exp(-0.5 * (scale * far / kernel) * (scale * far / kernel));
                total += expected[kept];
                choices = choices * (PARTS - (double)kept) / (double)(kept + 1);
            }
            for (size_t kept = 0; kept <= PARTS; kept++) CHECK_NEAR(sizes[kept], expected[kept] / total, 1e-13);
        }
}

static void many_parts_and_narrow_kernels_have_a_law(void)
{
    static double sizes[10001];
    double sum = 0;
    CHECK(!linex_masks_law(LINEX_MASK_COINS, 10000, LINEX_MASK_COSINE, 1, 0.25, sizes));
    for (size_t i = 0; i <= 10000; i++) sum += sizes[i];
    CHECK_NEAR(sum, 1, 1e-12);
    CHECK(!linex_masks_law(LINEX_MASK_SIZES, 10, LINEX_MASK_COSINE, 100, 1e-300, sizes));
    CHECK(sizes[9] == 1 && sizes[8] == 0 && sizes[10] == 0);
}

static void bad_arguments_are_refused(void)
{
    linex_row_settings settings = linex_row_defaults();
    double law[2 * LINEX_LAW_SIZE], sizes[4];
    const double unknown[2] = {8, 3};
    CHECK(linex_rows_law(NULL, ROW, &settings, 1, law) == LINEX_BAD_ARGUMENT);
    CHECK(linex_rows_law(&TABLE, ROW, &settings, 0, law) == LINEX_BAD_ARGUMENT);
    CHECK(linex_rows_law(&TABLE, unknown, &settings, 1, law) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_law((linex_mask_kind)7, 3, LINEX_MASK_COSINE, 1, 1, sizes) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_law(LINEX_MASK_COINS, 0, LINEX_MASK_COSINE, 1, 1, sizes) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_law(LINEX_MASK_COINS, 3, LINEX_MASK_COSINE, 1, 0, sizes) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_law(LINEX_MASK_COINS, 3, LINEX_MASK_COSINE, INFINITY, 1, sizes) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(a_normal_column_stays_normal_under_the_kernel);
    RUN(a_level_or_a_bin_is_more_likely_near_the_row);
    RUN(a_constant_column_does_not_vary);
    RUN(the_law_of_masks_is_that_of_their_draws);
    RUN(many_parts_and_narrow_kernels_have_a_law);
    RUN(bad_arguments_are_refused);
    return checks_failed != 0;
}
