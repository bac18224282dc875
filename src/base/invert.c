/* invert.c: the inverse of a square matrix. */
#include <math.h>
#include <string.h>

#include "base/matrix.h"

/* The row, from the diagonal down, with the largest absolute value in a column. */
static size_t pivot_row_of(size_t size, const double *matrix, size_t column)
{
    size_t best = column;
    for (size_t row = column + 1; row < size; row++)
        if (fabs(matrix[row * size + column]) > fabs(matrix[best * size + column])) best = row;
    return best;
}

static void swap_rows(size_t size, double *matrix, size_t first, size_t second)
{
    if (first == second) return;
    for (size_t column = 0; column < size; column++) {
        double swapped = matrix[first * size + column];
        matrix[first * size + column] = matrix[second * size + column];
        matrix[second * size + column] = swapped;
    }
}

/* Makes `column` of the matrix a unit vector. Returns false if there is no pivot. */
static bool eliminate_column(size_t size, size_t column, double *matrix, double *inverse)
{
    double *const sides[] = {matrix, inverse};
    size_t pivot_row = pivot_row_of(size, matrix, column);
    double pivot = matrix[pivot_row * size + column];
    if (pivot == 0 || !isfinite(pivot)) return false;
    for (size_t side = 0; side < 2; side++) {
        swap_rows(size, sides[side], pivot_row, column);
        for (size_t i = 0; i < size; i++) sides[side][column * size + i] /= pivot;
    }
    for (size_t row = 0; row < size; row++) {
        double factor = matrix[row * size + column];
        if (row == column || factor == 0) continue;
        for (size_t side = 0; side < 2; side++)
            linex_add_scaled(size, -factor, sides[side] + column * size, sides[side] + row * size);
    }
    return true;
}

linex_status linex_invert_advance(size_t size, double *matrix, double *inverse, linex_cursor *at, linex_slice *slice)
{
    if (at->column == 0) {
        memset(inverse, 0, size * size * sizeof *inverse);
        for (size_t i = 0; i < size; i++) inverse[i * size + i] = 1;
    }
    for (; at->column < size; at->column++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        if (!eliminate_column(size, at->column, matrix, inverse)) {
            *at = (linex_cursor){0};
            return LINEX_DEGENERATE;
        }
        linex_slice_use(slice, 2.0 * (double)size * (double)size);
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}
