/* factors.c: Cholesky factors and inverses, in slices. */
#include "matrices/factors.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "matrices/matrix.h"
#include "matrices/pair.h"

/* Four columns of numbers, for four rows of a factor that are found at once. */
typedef struct {
    pair left, right;
} four;

/* Longer rows are found one at a time, because their columns would not fit on the stack. */
enum { MOST_AT_ONCE = 2048 };

/* The dot products of a row with four columns, with the bits of linex_dot. */
static four dot_four(size_t count, const double *row, const four *x)
{
    pair a = {0}, b = {0}, c = {0}, d = {0}, e = {0}, f = {0}, g = {0}, h = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        a += row[i] * x[i].left, e += row[i] * x[i].right;
        b += row[i + 1] * x[i + 1].left, f += row[i + 1] * x[i + 1].right;
        c += row[i + 2] * x[i + 2].left, g += row[i + 2] * x[i + 2].right;
        d += row[i + 3] * x[i + 3].left, h += row[i + 3] * x[i + 3].right;
    }
    for (; i < count; i++) a += row[i] * x[i].left, e += row[i] * x[i].right;
    return (four){(a + b) + (c + d), (e + f) + (g + h)};
}

/* Finds four rows of the factor, from row `first` on, up to the diagonal of the first one. Rows beyond the last are the
 * last one. */
static void find_four_rows(size_t size, size_t first, double *matrix)
{
    four x[MOST_AT_ONCE];
    double *a = matrix + first * size, *b = a + (first + 1 < size ? size : 0), *c = b + (first + 2 < size ? size : 0),
           *d = c + (first + 3 < size ? size : 0);
    for (size_t column = 0; column < first; column++) {
        const double *row = matrix + column * size;
        four dots = dot_four(column, row, x);
        x[column].left = ((pair){a[column], b[column]} - dots.left) / row[column];
        x[column].right = ((pair){c[column], d[column]} - dots.right) / row[column];
    }
    for (size_t column = 0; column < first; column++) {
        a[column] = x[column].left[0], b[column] = x[column].left[1];
        c[column] = x[column].right[0], d[column] = x[column].right[1];
    }
}

/* Finds the rest of row `row`, whose first columns are known up to column `known`. Returns false without a pivot. */
static bool finish_factor_row(size_t size, size_t row, size_t known, double *matrix)
{
    double *current = matrix + row * size;
    for (size_t column = known; column < row; column++) {
        const double *pivot_row = matrix + column * size;
        current[column] = (current[column] - linex_dot(column, current, pivot_row)) / pivot_row[column];
    }
    double pivot = current[row] - linex_dot(row, current, current);
    /* A pivot below the smallest normal number has lost its digits. */
    if (!(pivot > (double)size * DBL_EPSILON * current[row]) || pivot < DBL_MIN) return false;
    current[row] = sqrt(pivot);
    return true;
}

linex_status linex_cholesky_advance(size_t size, double *matrix, linex_cursor *at, linex_slice *slice)
{
    while (at->row < size) {
        size_t first = at->row, rows = first <= MOST_AT_ONCE ? 4 : 1;
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        if (rows == 4) find_four_rows(size, first, matrix);
        for (; at->row < first + rows && at->row < size; at->row++) {
            if (finish_factor_row(size, at->row, rows == 4 ? first : 0, matrix)) continue;
            *at = (linex_cursor){0};
            return LINEX_DEGENERATE;
        }
        linex_slice_use(slice, (double)(rows * first) * (double)(first + rows) / 2);
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}

linex_status linex_cholesky(size_t size, double *matrix)
{
    linex_slice slice = linex_slice_endless();
    return linex_cholesky_advance(size, matrix, &(linex_cursor){0}, &slice);
}

void linex_cholesky_solve(size_t size, const double *factor, double *x)
{
    for (size_t row = 0; row < size; row++)
        x[row] = (x[row] - linex_dot(row, factor + row * size, x)) / factor[row * size + row];
    for (size_t row = size; row-- > 0;) {
        x[row] /= factor[row * size + row];
        linex_add_scaled(row, -x[row], factor + row * size, x);
    }
}

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
