/* A forest's answers by the native build, for tests/data/forest.test.js to compare with the wasm's: a number a line, its
 * bits in hexadecimal. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"

enum { ROWS = 120, WIDTH = 4, CLASSES = 3 };

static void print_bits(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, values + i, sizeof bits);
        printf("%016" PRIx64 "\n", bits);
    }
}

static int answer(const double *rows, const double *responses, size_t classes, double *importances)
{
    double answers[ROWS * CLASSES];
    linex_forest_settings settings = linex_forest_defaults();
    settings.classes = classes;
    settings.features = 2;
    settings.min_leaf = 2;
    settings.seed = 42;
    linex_forest *forest;
    if (linex_forest_new(ROWS, WIDTH, rows, responses, &settings, &forest) || linex_forest_grow(forest, 10)) return 1;
    linex_trees trees = linex_forest_trees(forest);
    linex_trees_predict(&trees, ROWS, rows, answers);
    print_bits(ROWS * trees.outputs, answers);
    if (importances) linex_trees_importances(&trees, importances);
    linex_forest_free(forest);
    return 0;
}

int main(void)
{
    double rows[ROWS * WIDTH], responses[ROWS], classes[ROWS], importances[WIDTH];
    for (size_t i = 0; i < ROWS; i++) {
        double *row = rows + i * WIDTH;
        for (size_t c = 0; c < WIDTH; c++) row[c] = (double)((i * (7 + 4 * c) + c * c) % 97) / 4 - (double)c;
        responses[i] = row[0] * row[1] + row[2] / (1 + row[3] * row[3]);
        classes[i] = row[3] > 4 ? 2 : row[0] > row[1];
    }
    if (answer(rows, responses, 0, importances) || answer(rows, classes, CLASSES, NULL)) return 1;
    print_bits(WIDTH, importances);
    return 0;
}
