/* native_line.c: the line in C for tests/bits.test.js, which makes the same explanation in WebAssembly.
 * Prints every weight as its 64 bits. The table, the row and the model are those of that test, in arithmetic
 * that JavaScript has. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"

enum { COLUMNS = 4, ROWS = 50, SAMPLES = 500 };

static double cell(int row, int column)
{
    return (double)((row * (7 + 4 * column) + column * column) % 23) / 4 - column;
}

static double model(const double *x)
{
    double z = 0.8 * x[0] - 0.5 * x[1] * x[2] + 0.3 * x[3];
    return z / (1 + fabs(z));
}

static int explain(linex_method method, linex_environment_kind kind, size_t games)
{
    double statistics[COLUMNS * LINEX_COLUMN_SIZE], column[ROWS], row[COLUMNS];
    const uint32_t levels[COLUMNS] = {0};
    for (int c = 0; c < COLUMNS; c++) {
        for (int i = 0; i < ROWS; i++) column[i] = cell(i, c);
        if (linex_column_describe(ROWS, column, statistics + c * LINEX_COLUMN_SIZE)) return 1;
        row[c] = cell(3, c);
    }
    linex_table table = {COLUMNS, levels, statistics, NULL};
    linex_row_settings how = linex_row_defaults();
    how.seed = 42;
    static double rows[SAMPLES * COLUMNS], points[SAMPLES * COLUMNS], answers[SAMPLES], distances[SAMPLES],
        weights[SAMPLES];
    if (linex_rows_perturb(&table, row, &how, 0, SAMPLES, rows)) return 1;
    for (size_t i = 0; i < SAMPLES; i++) answers[i] = model(rows + i * COLUMNS);
    if (linex_rows_represent(&table, row, &how, SAMPLES, rows, points)) return 1;
    double kernel = 0.75 * sqrt(COLUMNS);
    if (linex_proximity(SAMPLES, COLUMNS, points, points, kernel, distances, weights)) return 1;
    linex_samples samples = {SAMPLES, COLUMNS, points, answers, weights, distances, SAMPLES, NULL, NULL, NULL};
    linex_settings settings = linex_defaults();
    settings.method = method;
    settings.environments.kind = kind;
    settings.environments.kernel = kernel;
    settings.games = games;
    settings.features = 3;
    settings.seed = 42;
    double coefficients[COLUMNS], low[COLUMNS], high[COLUMNS];
    linex_explanation explanation = {.weights = coefficients, .low = low, .high = high};
    if (linex_explain(&samples, points, &settings, &explanation)) return 1;
    const double *arrays[] = {coefficients, low, high, &explanation.intercept, &explanation.fidelity};
    const size_t lengths[] = {COLUMNS, COLUMNS, COLUMNS, 1, 1};
    for (size_t i = 0; i < 5; i++) {
        for (size_t c = 0; c < lengths[i]; c++) {
            uint64_t bits;
            memcpy(&bits, arrays[i] + c, sizeof bits);
            printf("%016" PRIx64 " ", bits);
        }
    }
    printf("\n");
    return 0;
}

int main(void)
{
    return explain(LINEX_METHOD_LINEX, LINEX_BOOTSTRAP, 1) || explain(LINEX_METHOD_LINEX, LINEX_HALVES, 30) ||
           explain(LINEX_METHOD_LINEX, LINEX_NEAR_FAR, 1) || explain(LINEX_METHOD_LINEX, LINEX_WIDTHS, 1) ||
           explain(LINEX_METHOD_LINEX, LINEX_CLUSTERS, 1) || explain(LINEX_METHOD_LIME, LINEX_BOOTSTRAP, 1) ||
           explain(LINEX_METHOD_SMOOTHED, LINEX_HALVES, 1);
}
