/* designed_normals.c: Sobol points and mirrored orthogonal blocks, as normal numbers. */
#include "designs/designed_normals.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "matrices/matrix.h"
#include "designs/normal_quantile.h"
#include "designs/sobol.h"

enum { MOST_PAIRS = 128, FEW_PAIRS = 64 };

void linex_sobol_normals(const linex_random *root, size_t dimension, size_t columns, uint64_t first, size_t count,
                         double *normals)
{
    uint32_t words[LINEX_NORMALS_BLOCK] = {0};
    double column[LINEX_NORMALS_BLOCK];
    for (size_t done = 0; done < count;) {
        size_t left = LINEX_SOBOL_BLOCK - (size_t)((first + done) % LINEX_SOBOL_BLOCK);
        size_t taken = count - done < left ? count - done : left;
        for (size_t c = 0; c < columns; c++) {
            linex_sobol_words(root, dimension + c, first + done, taken, words);
            linex_normals_from(words, column);
            double *to = normals + done * columns + c;
            for (size_t i = 0; i < taken; i++) to[i * columns] = column[i];
        }
        done += taken;
    }
}

/* Adds row j to the orthonormal rows before it, by the method of Gram and Schmidt. Returns its length before that: the
 * direction does not depend on the length, so their product is standard normal. */
static double add_row(linex_random *random, size_t columns, size_t j, double *rows)
{
    double *row = rows + j * columns;
    linex_random_normals(random, columns, row);
    double length = sqrt(linex_dot(columns, row, row));
    for (size_t k = 0; k < j; k++)
        linex_add_scaled(columns, -linex_dot(columns, row, rows + k * columns), rows + k * columns, row);
    double rest = sqrt(linex_dot(columns, row, row));
    for (size_t c = 0; c < columns; c++) row[c] = rest > 0 ? row[c] / rest : 0;
    return length;
}

linex_status linex_mirrored_normals(const linex_random *root, size_t columns, uint64_t first, size_t count,
                                    double *normals)
{
    const size_t pairs = columns > MOST_PAIRS ? FEW_PAIRS : columns;
    double *rows = linex_alloc_doubles((double)pairs * (double)columns), length = 0;
    if (!rows) return LINEX_NO_MEMORY;
    linex_random random = linex_random_seed(0);
    size_t made = 0; /* rows of this block */
    for (size_t i = 0; i < count; i++) {
        const uint64_t pair = (first + i) / 2, j = pair % pairs;
        if (i == 0 || (first + i) % (2 * pairs) == 0) {
            random = linex_random_split(root, (UINT64_C(3) << 61) + pair / pairs);
            made = 0;
        }
        for (; made <= j; made++) length = add_row(&random, columns, made, rows);
        const double scale = (first + i) % 2 ? -length : length;
        for (size_t c = 0; c < columns; c++) normals[i * columns + c] = scale * rows[j * columns + c];
    }
    free(rows);
    return LINEX_OK;
}
