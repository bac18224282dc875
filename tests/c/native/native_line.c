/* native_line.c: makes explanations from data to weights in C, for tests/explain/native-bits.test.js.
 *
 * The test makes the same explanations in WebAssembly and compares the bits. This program prints every number as
 * its 64 bits. The table, the row and the model are those of the test, in arithmetic that JavaScript has too. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"

enum { COLUMNS = 4, ROWS = 50, SAMPLES = 500, WORDS = 12 };

static double cell(int row, int column)
{
    return (double)((row * (7 + 4 * column) + column * column) % 23) / 4 - column;
}

static double model(const double *x)
{
    double z = 0.8 * x[0] - 0.5 * x[1] * x[2] + 0.3 * x[3];
    return z / (1 + fabs(z));
}

static void print_bits(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, values + i, sizeof bits);
        printf("%016" PRIx64 " ", bits);
    }
}

static int explain(linex_settings settings, linex_sampling sampling)
{
    double statistics[COLUMNS * LINEX_COLUMN_SIZE], column[ROWS], row[COLUMNS];
    const uint32_t levels[COLUMNS] = {0};
    for (int c = 0; c < COLUMNS; c++) {
        for (int i = 0; i < ROWS; i++) column[i] = cell(i, c);
        if (linex_column_describe(ROWS, column, statistics + c * LINEX_COLUMN_SIZE)) return 1;
        row[c] = cell(3, c);
    }
    linex_table table = {COLUMNS, levels, statistics, NULL};
    linex_row_settings neighborhood = linex_row_defaults();
    neighborhood.seed = 42;
    neighborhood.sampling = sampling;
    static double rows[SAMPLES * COLUMNS], points[SAMPLES * COLUMNS], answers[SAMPLES], distances[SAMPLES],
        weights[SAMPLES];
    if (linex_rows_perturb(&table, row, &neighborhood, 0, SAMPLES, rows)) return 1;
    for (size_t i = 0; i < SAMPLES; i++) answers[i] = model(rows + i * COLUMNS);
    if (linex_rows_represent(&table, row, &neighborhood, SAMPLES, rows, points)) return 1;
    double kernel = 0.75 * sqrt(COLUMNS);
    if (linex_proximity(SAMPLES, COLUMNS, points, points, kernel, distances, weights)) return 1;
    double columns[COLUMNS * LINEX_LAW_SIZE];
    if (linex_rows_law(&table, row, &neighborhood, kernel, columns)) return 1;
    const linex_law law = {.columns = columns};
    linex_samples samples = {SAMPLES, COLUMNS, points, answers, weights, distances, SAMPLES, NULL, NULL, NULL, 2};
    samples.law = &law;
    settings.environments.kernel = kernel;
    settings.seed = 42;
    double coefficients[COLUMNS], low[COLUMNS], high[COLUMNS];
    linex_explanation explanation = {.weights = coefficients, .low = low, .high = high};
    if (linex_explain(&samples, points, &settings, &explanation)) return 1;
    print_bits(COLUMNS, coefficients);
    print_bits(COLUMNS, low);
    print_bits(COLUMNS, high);
    print_bits(1, &explanation.intercept);
    print_bits(1, &explanation.fidelity);
    printf("\n");
    return 0;
}

/* The model of a text of twelve words. Neighboring words interact. */
static double answer_words(const uint8_t *mask)
{
    double z = 0;
    for (int c = 0; c < WORDS; c++) z += mask[c] * (c % 5 - 1.5) + 0.5 * mask[c] * mask[(c + 1) % WORDS];
    return z / (1 + fabs(z));
}

static int explain_words(linex_sampling sampling)
{
    static uint8_t masks[SAMPLES * WORDS];
    static uint32_t point_of[SAMPLES];
    static double answers[SAMPLES], distances[SAMPLES], weights[SAMPLES];
    double at[WORDS], coefficients[WORDS];
    size_t distinct;
    if (linex_masks_draw(LINEX_MASK_SIZES, WORDS, sampling, 42, 0, SAMPLES, masks)) return 1;
    if (linex_rows_merge(SAMPLES, WORDS, masks, point_of, &distinct)) return 1;
    if (linex_masks_weigh(distinct, WORDS, masks, LINEX_MASK_COSINE, 100, 25, distances, weights)) return 1;
    for (size_t i = 0; i < distinct; i++) answers[i] = answer_words(masks + i * WORDS);
    for (size_t c = 0; c < WORDS; c++) at[c] = 1;
    double sizes[WORDS + 1];
    if (linex_masks_law(LINEX_MASK_SIZES, WORDS, LINEX_MASK_COSINE, 100, 25, sizes)) return 1;
    const linex_law law = {.sizes = sizes};
    linex_samples samples = {distinct, WORDS, NULL, answers, weights, distances, SAMPLES, point_of, NULL, masks, 1};
    if (sampling == LINEX_DESIGNED) samples.block = 2;
    samples.law = &law;
    linex_settings settings = linex_defaults();
    settings.seed = 42;
    linex_explanation explanation = {.weights = coefficients};
    if (linex_explain(&samples, at, &settings, &explanation)) return 1;
    print_bits(WORDS, coefficients);
    printf("\n");
    return 0;
}

/* Explains the same text by Shapley values of the log-odds, from a sample of the coalitions. */
static int explain_words_by_shapley(void)
{
    static uint8_t masks[SAMPLES * WORDS];
    static double answers[SAMPLES];
    double values[WORDS], errors[WORDS], agreement[WORDS];
    linex_shapley_report report;
    if (linex_coalitions_draw(WORDS, SAMPLES, 42, 0, SAMPLES, masks)) return 1;
    for (size_t i = 0; i < SAMPLES; i++) answers[i] = 0.5 + 0.49 * answer_words(masks + i * WORDS);
    if (linex_shapley_solve(WORDS, SAMPLES, masks, answers, LINEX_LINK_LOGIT, values, errors, agreement, &report))
        return 1;
    print_bits(WORDS, values);
    print_bits(WORDS, agreement);
    print_bits(1, &report.base);
    print_bits(1, &report.prediction);
    print_bits(1, &report.fidelity);
    printf("\n");
    return 0;
}

static int explain_as_in_paper(linex_method method, linex_environment_kind kind, size_t games,
                               linex_sampling sampling)
{
    linex_settings settings = linex_preset(LINEX_PAPER);
    settings.method = method;
    settings.environments.kind = kind;
    settings.games = games;
    settings.draws = kind == LINEX_HALVES ? 60 : 200;
    settings.features = 3;
    return explain(settings, sampling);
}

static int explain_steadily(linex_preset_kind preset, linex_method method)
{
    linex_settings settings = linex_preset(preset);
    settings.method = method;
    return explain(settings, LINEX_DESIGNED);
}

/* Draws points whose numbers depend on every part of the designs: columns of each kind, many columns, superpixels. */
static int draw_designs(void)
{
    enum { MANY = 70, SEGMENTS = 20 };
    static double rows[SAMPLES * COLUMNS], cloud[100 * MANY];
    static uint8_t masks[SAMPLES * SEGMENTS];
    double statistics[COLUMNS * LINEX_COLUMN_SIZE], column[ROWS], zero[MANY] = {0}, bytes[SEGMENTS];
    const uint32_t levels[COLUMNS] = {0, 3, 0, 0};
    const double frequencies[] = {0.5, 0.3, 0.2}, row[COLUMNS] = {0, 1, 0, 0};
    for (int c = 0; c < COLUMNS; c++) {
        for (int i = 0; i < ROWS; i++) column[i] = cell(i, c);
        if (linex_column_describe(ROWS, column, statistics + c * LINEX_COLUMN_SIZE)) return 1;
    }
    linex_table table = {COLUMNS, levels, statistics, frequencies};
    for (int discretize = 0; discretize < 2; discretize++) {
        linex_row_settings settings = {.discretize = discretize, .seed = 7};
        if (linex_rows_perturb(&table, row, &settings, 0, SAMPLES, rows)) return 1;
        print_bits(SAMPLES * COLUMNS, rows);
        printf("\n");
    }
    if (linex_cloud_draw(MANY, zero, 1, LINEX_DESIGNED, 7, 50, 100, cloud)) return 1;
    print_bits(100 * MANY, cloud);
    printf("\n");
    if (linex_masks_draw(LINEX_MASK_COINS, SEGMENTS, LINEX_DESIGNED, 7, 0, SAMPLES, masks)) return 1;
    for (size_t i = 0; i < SAMPLES; i++) {
        for (size_t c = 0; c < SEGMENTS; c++) bytes[c] = masks[i * SEGMENTS + c];
        print_bits(SEGMENTS, bytes);
    }
    printf("\n");
    return 0;
}

int main(void)
{
    const linex_method linex = LINEX_METHOD_LINEX;
    return explain_as_in_paper(linex, LINEX_BOOTSTRAP, 1, LINEX_INDEPENDENT) ||
           explain_as_in_paper(linex, LINEX_HALVES, 30, LINEX_DESIGNED) ||
           explain_as_in_paper(linex, LINEX_NEAR_FAR, 1, LINEX_DESIGNED) ||
           explain_as_in_paper(linex, LINEX_WIDTHS, 1, LINEX_INDEPENDENT) ||
           explain_as_in_paper(linex, LINEX_CLUSTERS, 1, LINEX_INDEPENDENT) ||
           explain_as_in_paper(LINEX_METHOD_LIME, LINEX_BOOTSTRAP, 1, LINEX_DESIGNED) ||
           explain_as_in_paper(LINEX_METHOD_SMOOTHED, LINEX_HALVES, 1, LINEX_INDEPENDENT) ||
           explain_steadily(LINEX_STEADY, linex) || explain_steadily(LINEX_STRICT, linex) ||
           explain_steadily(LINEX_STEADY, LINEX_METHOD_LIME) || explain_words(LINEX_INDEPENDENT) ||
           explain_words_by_shapley() || explain_words(LINEX_DESIGNED) || draw_designs();
}
