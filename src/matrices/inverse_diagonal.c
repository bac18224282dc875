/* inverse_diagonal.c: the Cholesky factor of a matrix together with the diagonal of its inverse, in blocks. */
#include "matrices/inverse_diagonal.h"

#include <float.h>
#include <string.h>

#include "matrices/matrix.h"
#include "matrices/products.h"

/* Rows and columns of a block. */
enum { SIDE = 16, CELLS = SIDE * SIDE };

/* U = inverse(L)' is upper triangular, and entry i of the diagonal is the sum of squares of row i of U. One block of
 * columns after the other, the columns of L and of U come from the same formula: with J the block and B the columns
 * before it,
 *
 *     L[R][J] = (A[R][J] - L[R][B] L[J][B]') U[J][J]     for the rows R below J,
 *     U[R][J] = (        - U[R][B] L[J][B]') U[J][J]     for the rows R above J,
 *
 * so L and U share the matrix. Their blocks on its diagonal overlap, so those of U are kept in the scratch. */
typedef struct {
    size_t size;
    double *matrix, *diagonal;
    double
        *corners; /* size x SIDE: the blocks U[R][R], with zeros below the diagonal and in columns beyond the last */
    double *inverse; /* SIDE x SIDE: the inverse of L[J][J], which is U[J][J]' */
} blocks;

double linex_inverse_diagonal_scratch(size_t size)
{
    return SIDE * ((double)size + SIDE);
}

static size_t rows_of(const blocks *all, size_t first)
{
    return all->size - first < SIDE ? all->size - first : SIDE;
}

/* Factors the block on the diagonal, in place. Returns false if a pivot is not above rounding error. */
static bool factor_corner(const blocks *all, size_t first, const double *sums)
{
    size_t rows = rows_of(all, first), size = all->size;
    double *corner = all->matrix + first * size + first;
    for (size_t r = 0; r < rows; r++) {
        double *row = corner + r * size, least = (double)size * DBL_EPSILON * row[r];
        for (size_t c = 0; c <= r; c++) {
            double rest = row[c] - sums[r * SIDE + c] - linex_dot(c, row, corner + c * size);
            if (c == r && !(rest > least && isfinite(rest))) return false;
            row[c] = c == r ? sqrt(rest) : rest / corner[c * size + c];
        }
    }
    return true;
}

/* Inverts the factored block, row by row: row r of the inverse is (e_r - L[r][0..r-1] inverse) / L[r][r]. */
static void invert_corner(const blocks *all, size_t first)
{
    size_t rows = rows_of(all, first), size = all->size;
    const double *corner = all->matrix + first * size + first;
    memset(all->inverse, 0, CELLS * sizeof *all->inverse);
    for (size_t r = 0; r < rows; r++) {
        double *row = all->inverse + r * SIDE;
        for (size_t c = 0; c < r; c++) linex_add_scaled(r, -corner[r * size + c], all->inverse + c * SIDE, row);
        row[r] = 1;
        for (size_t c = 0; c <= r; c++) row[c] /= corner[r * size + r];
    }
    for (size_t r = 0; r < rows; r++) {
        double *to = all->corners + (first + r) * SIDE;
        for (size_t c = 0; c < SIDE; c++) to[c] = all->inverse[c * SIDE + r];
        all->diagonal[first + r] = linex_dot(SIDE, to, to);
    }
}

/* sums += the products of the rows from `top` on with the rows of block J, over the columns low .. high-1. */
static void add_products(const blocks *all, size_t top, size_t first, size_t low, size_t high, double *sums)
{
    size_t size = all->size;
    if (low < high)
        linex_products_add(high - low, rows_of(all, top), all->matrix + top * size + low, size, rows_of(all, first),
                           all->matrix + first * size + low, size, sums, SIDE);
}

/* Computes one block of L below the diagonal, or one of U above it. */
static void finish_block(const blocks *all, size_t top, size_t first)
{
    size_t rows = rows_of(all, top), columns = rows_of(all, first), size = all->size;
    double sums[CELLS] = {0}, results[CELLS] = {0}, *block = all->matrix + top * size + first;
    if (top < first) {
        linex_products_add(rows, rows, all->corners + top * SIDE, SIDE, columns, all->matrix + first * size + top,
                           size, sums, SIDE);
        add_products(all, top, first, top + rows, first, sums);
    } else {
        add_products(all, top, first, 0, first, sums);
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            sums[r * SIDE + c] = (top < first ? 0 : block[r * size + c]) - sums[r * SIDE + c];
    linex_products_add(columns, rows, sums, SIDE, columns, all->inverse, SIDE, results, SIDE);
    for (size_t r = 0; r < rows; r++) {
        memcpy(block + r * size, results + r * SIDE, columns * sizeof *block);
        if (top < first) all->diagonal[top + r] += linex_dot(columns, block + r * size, block + r * size);
    }
}

/* at  column: the first column of the block J; row: the first row of the next block of rows; stage 1 if the block on
 *     the diagonal is finished */
linex_status linex_inverse_diagonal_advance(size_t size, double *matrix, double *scratch, double *diagonal,
                                            linex_cursor *at, linex_slice *slice)
{
    blocks all = {size, matrix, diagonal, scratch, scratch + size * SIDE};
    for (; at->column < size; *at = (linex_cursor){.column = at->column + SIDE}) {
        if (at->stage == 0) {
            if (!linex_slice_take(slice, CELLS * (double)(at->column + SIDE))) return LINEX_UNFINISHED;
            double sums[CELLS] = {0};
            add_products(&all, at->column, at->column, 0, at->column, sums);
            if (!factor_corner(&all, at->column, sums)) {
                *at = (linex_cursor){0};
                return LINEX_DEGENERATE;
            }
            invert_corner(&all, at->column);
            at->stage = 1;
        }
        for (; at->row < size; at->row += SIDE) {
            if (at->row == at->column) continue;
            size_t from = at->row < at->column ? at->row : 0;
            if (!linex_slice_take(slice, CELLS * (double)(at->column - from + SIDE))) return LINEX_UNFINISHED;
            finish_block(&all, at->row, at->column);
        }
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}
