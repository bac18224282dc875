/* native_forest.c: computes the answers and importances of forests natively.
 *
 * tests/data/forest.test.js computes the same in WebAssembly and compares the bits. Each line holds one number. */
#include "linex.h"
#include "print_bits.h"

enum { ROWS = 120, COLUMNS = 4, CLASSES = 3 };

/* Grows a forest and prints its answers. Returns 0 on success. */
static int print_answers(const double *rows, const double *responses, size_t classes, double *importances)
{
    double answers[ROWS * CLASSES];
    linex_forest_settings settings = linex_forest_defaults();
    settings.classes = classes;
    settings.features = 2;
    settings.min_leaf = 2;
    settings.seed = 42;
    linex_forest *forest;
    if (linex_forest_new(ROWS, COLUMNS, rows, responses, &settings, &forest) || linex_forest_grow(forest, 10))
        return 1;
    linex_trees trees = linex_forest_trees(forest);
    linex_trees_predict(&trees, ROWS, rows, answers);
    print_bits(ROWS * trees.outputs, answers, '\n');
    if (importances) linex_trees_importances(&trees, importances);
    linex_forest_free(forest);
    return 0;
}

int main(void)
{
    double rows[ROWS * COLUMNS], responses[ROWS], classes[ROWS], importances[COLUMNS];
    for (size_t i = 0; i < ROWS; i++) {
        double *row = rows + i * COLUMNS;
        for (size_t c = 0; c < COLUMNS; c++) row[c] = (double)((i * (7 + 4 * c) + c * c) % 97) / 4 - (double)c;
        responses[i] = row[0] * row[1] + row[2] / (1 + row[3] * row[3]);
        classes[i] = row[3] > 4 ? 2 : row[0] > row[1];
    }
    if (print_answers(rows, responses, 0, importances) || print_answers(rows, classes, CLASSES, NULL)) return 1;
    print_bits(COLUMNS, importances, '\n');
    return 0;
}
