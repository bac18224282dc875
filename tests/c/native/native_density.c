/* native_density.c: computes densities and samples natively.
 *
 * tests/neighborhood/density-neighborhood.test.js computes the same in WebAssembly and compares the bits. Each line
 * holds one array. */
#include "linex.h"
#include "print_bits.h"

enum { ROWS = 40, COLUMNS = 3, SAMPLES = 30, BANDWIDTHS = 4 };

static void print_line(size_t count, const double *values)
{
    print_bits(count - 1, values, ' ');
    print_bits(1, values + count - 1, '\n');
}

int main(void)
{
    double rows[ROWS * COLUMNS], logs[ROWS], points[SAMPLES * COLUMNS], scores[BANDWIDTHS] = {0};
    const double bandwidths[BANDWIDTHS] = {0.1, 0.3, 0.7, 1.5};
    uint32_t folds[ROWS], order[ROWS], source_rows[SAMPLES];
    for (int i = 0; i < ROWS * COLUMNS; i++) rows[i] = (double)((i * i * 7 + i) % 41) / 8;
    for (uint32_t i = 0; i < ROWS; i++) folds[i] = i % 5;
    linex_density density = {ROWS, COLUMNS, rows, 0.3};
    linex_density_settings settings = linex_density_defaults();
    settings.seed = 42;
    if (linex_density_log(&density, ROWS, rows, logs)) return 1;
    if (linex_order_draw(ROWS, 42, order)) return 1;
    if (linex_density_validate(ROWS, COLUMNS, rows, folds, ROWS, order, BANDWIDTHS, bandwidths, scores)) return 1;
    if (linex_density_sample(&density, rows, NULL, &settings, 0, SAMPLES, points, source_rows)) return 1;
    print_line(ROWS, logs);
    print_line(BANDWIDTHS, scores);
    print_line(SAMPLES * COLUMNS, points);
    if (linex_cloud_draw(COLUMNS, rows, 0.5, LINEX_DESIGNED, 42, 0, SAMPLES, points)) return 1;
    print_line(SAMPLES * COLUMNS, points);
    settings.sampling = LINEX_INDEPENDENT;
    if (linex_density_sample(&density, rows, NULL, &settings, 0, SAMPLES, points, source_rows)) return 1;
    print_line(SAMPLES * COLUMNS, points);
    if (linex_cloud_draw(COLUMNS, rows, 0.5, LINEX_INDEPENDENT, 42, 0, SAMPLES, points)) return 1;
    print_line(SAMPLES * COLUMNS, points);
    return 0;
}
