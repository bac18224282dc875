/* native_density.c: densities and samples in C for tests/neighborhood/density-neighborhood.test.js, which has the same made in WebAssembly.
 * Prints every number as its 64 bits. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "linex.h"

enum { ROWS = 40, WIDTH = 3, SAMPLES = 30, GRID = 4 };

static void print_bits(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, values + i, sizeof bits);
        printf("%016" PRIx64 "%s", bits, i + 1 < count ? " " : "\n");
    }
}

int main(void)
{
    double rows[ROWS * WIDTH], logs[ROWS], points[SAMPLES * WIDTH], scores[GRID] = {0};
    const double bandwidths[GRID] = {0.1, 0.3, 0.7, 1.5};
    uint32_t folds[ROWS], order[ROWS], owner[SAMPLES];
    for (int i = 0; i < ROWS * WIDTH; i++) rows[i] = (double)((i * i * 7 + i) % 41) / 8;
    for (uint32_t i = 0; i < ROWS; i++) folds[i] = i % 5;
    linex_density density = {ROWS, WIDTH, rows, 0.3};
    linex_density_settings settings = linex_density_defaults();
    settings.seed = 42;
    if (linex_density_log(&density, ROWS, rows, logs)) return 1;
    if (linex_order_draw(ROWS, 42, order)) return 1;
    if (linex_density_validate(ROWS, WIDTH, rows, folds, ROWS, order, GRID, bandwidths, scores)) return 1;
    if (linex_density_sample(&density, rows, NULL, &settings, 0, SAMPLES, points, owner)) return 1;
    print_bits(ROWS, logs);
    print_bits(GRID, scores);
    print_bits(SAMPLES * WIDTH, points);
    if (linex_cloud_draw(WIDTH, rows, 0.5, 42, 0, SAMPLES, points)) return 1;
    print_bits(SAMPLES * WIDTH, points);
    return 0;
}
