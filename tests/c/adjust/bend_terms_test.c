/* bend_terms_test.c: linear parts of the terms, compared with enumeration of all masks and numerical integration. */
#include "adjust/bend_terms.h"

#include <string.h>

#include "check.h"
#include "adjust/joint_fit.h"
#include "base/elementary.h"
#include "matrices/moments.h"

enum { PARTS = 6, MASKS = 1 << PARTS, TERMS = LINEX_MASK_TERMS + PARTS * (PARTS - 1) / 2 + PARTS - 2 };

/* The number of masks with this many parts. */
static double choices(size_t kept)
{
    double found = 1;
    for (size_t i = 0; i < kept; i++) found = found * (double)(PARTS - i) / (double)(i + 1);
    return found;
}

/* Fits every term to all masks, weighted by the law, and compares the fit with the linear part. */
static void compare_with_all_masks(const double *sizes, const double *weights)
{
    linex_law law = {.sizes = sizes};
    linex_terms terms;
    CHECK(!linex_terms_open(&terms, &law, PARTS) && terms.count == LINEX_MASK_TERMS);
    CHECK(linex_terms_aim(&terms, weights));
    double leading[PARTS];
    memcpy(leading, weights, sizeof leading);
    linex_terms_multiply(&terms, leading);
    CHECK(terms.sets[0] == LINEX_MASK_TERMS + PARTS - 1 && terms.sets[1] == LINEX_MASK_TERMS + 3 * PARTS - 5);
    CHECK(terms.count == TERMS);
    double points[MASKS * PARTS], shares[MASKS], values[MASKS][TERMS], answers[MASKS];
    for (size_t i = 0; i < MASKS; i++) {
        size_t kept = 0;
        for (size_t c = 0; c < PARTS; c++) kept += (i >> c) & 1;
        for (size_t c = 0; c < PARTS; c++) points[i * PARTS + c] = (double)((i >> c) & 1);
        shares[i] = sizes[kept] / choices(kept);
        linex_terms_fill(&terms, i, points + i * PARTS, values[i]);
    }
    for (size_t k = 0; k < TERMS; k++) {
        double gram[PARTS * PARTS], cross[PARTS], mean[PARTS], scratch[4096];
        linex_points all = {MASKS, PARTS, points, NULL};
        linex_moments moments = {.gram = gram, .cross = cross, .mean = mean, .scratch = scratch};
        for (size_t i = 0; i < MASKS; i++) answers[i] = values[i][k];
        CHECK(linex_moments_scratch(PARTS) <= 4096);
        linex_moments_take(&all, answers, shares, true, 0, &moments);
        CHECK(!linex_ridge_solve(PARTS, gram, cross, cross));
        double constant = moments.answer_mean;
        for (size_t c = 0; c < PARTS; c++) {
            CHECK_NEAR(terms.slopes[k * PARTS + c], cross[c], 1e-10);
            constant -= cross[c] * mean[c];
        }
        CHECK_NEAR(terms.constants[k], constant, 1e-10);
    }
    linex_terms_close(&terms);
}

static void the_linear_parts_of_masks_are_those_of_all_masks(void)
{
    static const double directions[][PARTS] = {
        {1, -2, 0.5, 0, 3, 0.25}, {1, 1, 1, 1, 1, 1.5}, {0, 0, 0, 0, 0, -1e-9}};
    double sizes[PARTS + 1];
    for (int kind = 0; kind < 2; kind++)
        for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
            linex_mask_kind drawn = kind ? LINEX_MASK_COINS : LINEX_MASK_SIZES;
            CHECK(!linex_masks_law(drawn, PARTS, LINEX_MASK_COSINE, kind ? 1 : 100, kind ? 0.25 : 25, sizes));
            compare_with_all_masks(sizes, directions[i]);
        }
}

static void masks_of_one_size_or_one_part_have_no_terms(void)
{
    static const double one_size[PARTS + 1] = {0, 0, 0, 1}, one_part[2] = {0.5, 0.5}, zeros[PARTS];
    const double *laws[] = {one_size, one_part};
    for (size_t i = 0; i < 2; i++) {
        linex_law law = {.sizes = laws[i]};
        linex_terms terms;
        CHECK(!linex_terms_open(&terms, &law, i ? 1 : PARTS) && terms.count == 0);
        linex_terms_close(&terms);
    }
    double sizes[PARTS + 1];
    CHECK(!linex_masks_law(LINEX_MASK_SIZES, PARTS, LINEX_MASK_COSINE, 100, 25, sizes));
    linex_law law = {.sizes = sizes};
    linex_terms terms;
    CHECK(!linex_terms_open(&terms, &law, PARTS) && !linex_terms_aim(&terms, zeros));
    linex_terms_close(&terms);
}

enum { COLUMNS = 4, GRID = 161, ROW_TERMS = 6 };

enum { ROW_PAIRS = COLUMNS * (COLUMNS - 1) / 2, MOST_ROW_TERMS = ROW_TERMS + ROW_PAIRS + LINEX_KNOTS };

/* Sums up over a grid of two normal columns, which is exact to many digits, and all values of two binary columns.
 *
 * numbers  the law of the columns: normal, binary, normal, binary */
static void compare_with_the_integral(const linex_terms *terms, const double *numbers)
{
    double means[MOST_ROW_TERMS] = {0}, slopes[MOST_ROW_TERMS][COLUMNS] = {{0}}, total = 0;
    for (size_t i = 0; i < GRID * GRID * 4; i++) {
        double first = ((double)(i / 4 % GRID) - 80) / 10, second = ((double)(i / 4 / GRID) - 80) / 10;
        double one = (double)(i & 1), two = (double)(i >> 1 & 1), values[MOST_ROW_TERMS];
        double share =
            linex_exp(-0.5 * (first * first + second * second)) * (one > 0 ? 0.3 : 0.7) * (two > 0 ? 0.8 : 0.2);
        const double point[COLUMNS] = {1 + 0.5 * first, one, -2 + 1.5 * second, two};
        linex_terms_fill(terms, 0, point, values);
        total += share;
        for (size_t k = 0; k < terms->free; k++) {
            means[k] += share * values[k];
            for (size_t c = 0; c < COLUMNS; c++) {
                const double *column = numbers + c * LINEX_LAW_SIZE;
                double square = column[LINEX_LAW_SPREAD] * column[LINEX_LAW_SPREAD];
                slopes[k][c] += share * values[k] * (point[c] - column[LINEX_LAW_MEAN]) / square;
            }
        }
    }
    for (size_t k = 0; k < terms->free; k++) {
        CHECK_NEAR(means[k] / total, terms->constants[k], 1e-10);
        for (size_t c = 0; c < COLUMNS; c++) CHECK_NEAR(slopes[k][c] / total, terms->slopes[k * COLUMNS + c], 1e-10);
    }
}

static void the_linear_parts_of_rows_are_those_of_an_integral(void)
{
    const double numbers[COLUMNS * LINEX_LAW_SIZE] = {0,   1, 0.5, 1,   1,   0.3, 0.4582575694955840, 1, 0, -2,
                                                      1.5, 2, 1,   0.8, 0.4, 1};
    double weights[COLUMNS] = {1, -0.5, 0.7, 2};
    linex_law law = {.columns = numbers};
    linex_terms terms;
    CHECK(!linex_terms_open(&terms, &law, COLUMNS) && linex_terms_aim(&terms, weights));
    CHECK(linex_terms_most(&terms) == MOST_ROW_TERMS);
    CHECK(terms.free == ROW_TERMS && terms.count == ROW_TERMS + LINEX_KNOTS);
    compare_with_the_integral(&terms, numbers);
    linex_terms_multiply(&terms, weights);
    CHECK(terms.free == ROW_TERMS + ROW_PAIRS && terms.count == MOST_ROW_TERMS);
    compare_with_the_integral(&terms, numbers);
    linex_terms_close(&terms);
}

/* The last column does not vary. The first pair is that of the two steepest columns, in spreads. */
static void products_of_rows_are_those_of_the_leading_columns(void)
{
    enum { MANY = 12, PAIRS = LINEX_MOST_ROW_PAIRED * (LINEX_MOST_ROW_PAIRED - 1) / 2 };
    double numbers[MANY * LINEX_LAW_SIZE], weights[MANY], point[MANY], values[LINEX_MOST_TERMS];
    for (size_t c = 0; c < MANY; c++) {
        const double law[LINEX_LAW_SIZE] = {0, (double)c, c + 1 < MANY ? 0.5 : 0, 1};
        memcpy(numbers + c * LINEX_LAW_SIZE, law, sizeof law);
        weights[c] = c == 3 ? -9 : c == 7 ? 8 : 1;
        point[c] = (double)c + 0.25 * (double)c;
    }
    linex_law law = {.columns = numbers};
    linex_terms terms;
    CHECK(!linex_terms_open(&terms, &law, MANY) && linex_terms_aim(&terms, weights));
    size_t before = terms.free, most = linex_terms_most(&terms);
    linex_terms_multiply(&terms, weights);
    CHECK(terms.free == before + PAIRS && terms.count == most);
    linex_terms_fill(&terms, 0, point, values);
    CHECK_NEAR(values[before], 3 * 0.5 * 7 * 0.5, 1e-12);
    for (size_t k = before; k < terms.free; k++) CHECK(values[k] > 0 || values[k] == 0);
    linex_terms_close(&terms);
}

enum { CELLS = 32000, LEVELS = 4 };

/* The steps are along (0.6, 0.8) in standard units. Points are spread along it, with the knots between them, and on both
 * sides of it. */
static void the_linear_parts_of_steps_along_the_direction_are_those_of_an_integral(void)
{
    const double numbers[3 * LINEX_LAW_SIZE] = {0, 1, 0.5, 1, 0, -2, 1.5, 2, 1, 0.3, 0.4582575694955840, 1};
    const double weights[3] = {0.6 / 0.5, 0.8 / 1.5, 7};
    double means[LINEX_KNOTS] = {0}, slopes[LINEX_KNOTS][3] = {{0}}, total = 0;
    linex_law law = {.columns = numbers};
    linex_terms terms;
    CHECK(!linex_terms_open(&terms, &law, 3) && linex_terms_aim(&terms, weights) && terms.free == ROW_TERMS);
    for (size_t i = 0; i < CELLS * 4; i++) {
        double t = ((double)(i / 4) + 0.5 - CELLS / 2) * 0.0005, side = i & 1 ? 1 : -1, one = (double)(i >> 1 & 1);
        double first = 0.6 * t - 0.8 * side, second = 0.8 * t + 0.6 * side, values[ROW_TERMS + LINEX_KNOTS];
        double share = linex_exp(-0.5 * t * t) * (one > 0 ? 0.3 : 0.7);
        const double point[3] = {1 + 0.5 * first, -2 + 1.5 * second, one};
        linex_terms_fill(&terms, 0, point, values);
        total += share;
        for (size_t k = 0; k < LINEX_KNOTS; k++) {
            double step = values[ROW_TERMS + k];
            CHECK(step == 0 || step == 1);
            means[k] += share * step;
            slopes[k][0] += share * step * first / 0.5;
            slopes[k][1] += share * step * second / 1.5;
            slopes[k][2] += share * step * (one - 0.3) / (0.3 * 0.7);
        }
    }
    for (size_t k = 0; k < LINEX_KNOTS; k++) {
        CHECK_NEAR(means[k] / total, terms.constants[ROW_TERMS + k], 1e-7);
        for (size_t c = 0; c < 3; c++) CHECK_NEAR(slopes[k][c] / total, terms.slopes[(ROW_TERMS + k) * 3 + c], 1e-7);
    }
    linex_terms_close(&terms);
}

/* All levels of two columns. The row has the second level of each, and one level is never drawn. */
static void the_linear_parts_of_levels_are_those_of_all_levels(void)
{
    const double frequencies[2 * LEVELS] = {0.2, 0.5, 0.25, 0.05, 0.1, 0.3, 0, 0.6}, ones[2] = {0.6, 0.4};
    const double numbers[2 * LINEX_LAW_SIZE] = {1, 0.6, 0.4898979485566356, 0.5, 1, 0.4, 0.4898979485566356, 0.5};
    const double row[2] = {1, 1}, weights[2] = {1, -2};
    const uint32_t counts[2] = {LEVELS, LEVELS};
    double rows[LEVELS * LEVELS * 2], means[5] = {0}, slopes[5][2] = {{0}};
    const linex_levels levels = {rows, row, counts, frequencies};
    const linex_law law = {.columns = numbers, .levels = &levels};
    linex_terms terms;
    for (size_t i = 0; i < LEVELS * LEVELS; i++)
        rows[2 * i] = (double)(i % LEVELS), rows[2 * i + 1] = (double)(i / LEVELS);
    CHECK(!linex_terms_open(&terms, &law, 2) && linex_terms_aim(&terms, weights));
    CHECK(terms.free == 1 && terms.count == 6 && terms.level_count == 5);
    for (size_t i = 0; i < LEVELS * LEVELS; i++) {
        double point[2], share = 1, values[6];
        for (size_t c = 0; c < 2; c++) {
            size_t level = (size_t)rows[2 * i + c];
            double frequency = frequencies[c * LEVELS + level], own = frequencies[c * LEVELS + 1];
            point[c] = level == 1;
            share *= level == 1 ? ones[c] : (1 - ones[c]) * frequency / (1 - own);
        }
        linex_terms_fill(&terms, i, point, values);
        for (size_t k = 0; k < 5; k++) {
            means[k] += share * values[1 + k];
            for (size_t c = 0; c < 2; c++)
                slopes[k][c] += share * values[1 + k] * (point[c] - ones[c]) / (ones[c] * (1 - ones[c]));
        }
    }
    for (size_t k = 0; k < 5; k++) {
        CHECK_NEAR(means[k], terms.constants[1 + k], 1e-12);
        for (size_t c = 0; c < 2; c++) CHECK_NEAR(slopes[k][c], terms.slopes[(1 + k) * 2 + c], 1e-12);
    }
    linex_terms_close(&terms);
}

int main(void)
{
    RUN(the_linear_parts_of_masks_are_those_of_all_masks);
    RUN(masks_of_one_size_or_one_part_have_no_terms);
    RUN(the_linear_parts_of_rows_are_those_of_an_integral);
    RUN(products_of_rows_are_those_of_the_leading_columns);
    RUN(the_linear_parts_of_steps_along_the_direction_are_those_of_an_integral);
    RUN(the_linear_parts_of_levels_are_those_of_all_levels);
    return checks_failed != 0;
}
