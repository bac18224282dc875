/* lu.c: LU factors of a square matrix, row by row, with exchanges of columns. */
#include "wide/lu.h"

#include <string.h>

#include "matrices/matrix.h"

/* Two doubles processed at once. All processors and WebAssembly's SIMD support this size. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

/* A pivot on the diagonal is kept unless another one in its row is this many times larger. An exchange of columns
 * touches every row. */
static const double MUCH_LARGER = 10;

/* linex_add_four for two rows y and z at once: the rows that are added are read once. */
static void add_four_to_two(size_t size, const double f[4], const double g[4], const double *const rows[4], double *y,
                            double *z)
{
    const double *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], g0 = g[0], g1 = g[1], g2 = g[2], g3 = g[3];
    size_t i = 0;
    for (; i + 2 <= size; i += 2) {
        pair first = *(const pair *)(a + i), second = *(const pair *)(b + i);
        pair third = *(const pair *)(c + i), fourth = *(const pair *)(d + i);
        pair *y_at = (pair *)(y + i), *z_at = (pair *)(z + i);
        *y_at = *y_at + f0 * first + f1 * second + f2 * third + f3 * fourth;
        *z_at = *z_at + g0 * first + g1 * second + g2 * third + g3 * fourth;
    }
    if (i < size) {
        y[i] = y[i] + f0 * a[i] + f1 * b[i] + f2 * c[i] + f3 * d[i];
        z[i] = z[i] + g0 * a[i] + g1 * b[i] + g2 * c[i] + g3 * d[i];
    }
}

/* Eliminates columns p .. p + 3 of a row, within these columns. Leaves the factors in the row, and minus the factors
 * in `minus`. */
static void eliminate_corner(const double *const rows[4], double *row, double minus[4])
{
    for (size_t q = 0; q < 4; q++) {
        for (size_t e = 0; e < q; e++) row[q] += minus[e] * rows[e][q];
        row[q] /= rows[q][q];
        minus[q] = -row[q];
    }
}

/* Eliminates the columns before `end` from one row, or from two if other is not NULL. */
static void eliminate(size_t size, const double *matrix, size_t end, double *row, double *other)
{
    size_t p = 0;
    for (; p + 4 <= end; p += 4) {
        const double *tops[4], *rests[4];
        double minus[4], minus_other[4];
        for (size_t q = 0; q < 4; q++) tops[q] = matrix + (p + q) * size + p, rests[q] = tops[q] + 4;
        eliminate_corner(tops, row + p, minus);
        if (other) {
            eliminate_corner(tops, other + p, minus_other);
            add_four_to_two(size - p - 4, minus, minus_other, rests, row + p + 4, other + p + 4);
        } else {
            linex_add_four(size - p - 4, minus, rests, row + p + 4);
        }
    }
    for (; p < end; p++) {
        const double *top = matrix + p * size;
        row[p] /= top[p];
        linex_add_scaled(size - p - 1, -row[p], top + p + 1, row + p + 1);
        if (!other) continue;
        other[p] /= top[p];
        linex_add_scaled(size - p - 1, -other[p], top + p + 1, other + p + 1);
    }
}

static bool choose_pivot(size_t size, double *matrix, size_t row, uint32_t *order)
{
    const double *values = matrix + row * size;
    size_t best = row;
    for (size_t c = row + 1; c < size; c++)
        if (fabs(values[c]) > fabs(values[best])) best = c;
    if (!(fabs(values[best]) > 0) || !isfinite(values[best])) return false;
    if (!(fabs(values[best]) > MUCH_LARGER * fabs(values[row]))) return true;
    for (size_t r = 0; r < size; r++) {
        double swapped = matrix[r * size + row];
        matrix[r * size + row] = matrix[r * size + best];
        matrix[r * size + best] = swapped;
    }
    uint32_t column = order[row];
    order[row] = order[best];
    order[best] = column;
    return true;
}

linex_status linex_lu_advance(size_t size, double *matrix, uint32_t *order, linex_cursor *at, linex_slice *slice)
{
    if (at->row == 0)
        for (size_t c = 0; c < size; c++) order[c] = (uint32_t)c;
    for (; at->row < size; at->row += 2) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t row = at->row;
        double *current = matrix + row * size, *next = row + 1 < size ? current + size : NULL;
        eliminate(size, matrix, row, current, next);
        bool regular = choose_pivot(size, matrix, row, order);
        if (regular && next) {
            next[row] /= current[row];
            linex_add_scaled(size - row - 1, -next[row], current + row + 1, next + row + 1);
            regular = choose_pivot(size, matrix, row + 1, order);
        }
        if (!regular) {
            *at = (linex_cursor){0};
            return LINEX_DEGENERATE;
        }
        linex_slice_use(slice, 2.0 * (double)row * ((double)size - 0.5 * (double)row) + 2.0 * (double)size);
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}

void linex_lu_solve(size_t size, const double *factors, const uint32_t *order, double *x, double *scratch)
{
    for (size_t row = 0; row < size; row++) scratch[row] = x[row] - linex_dot(row, factors + row * size, scratch);
    for (size_t row = size; row-- > 0;) {
        const double *u = factors + row * size;
        scratch[row] = (scratch[row] - linex_dot(size - row - 1, u + row + 1, scratch + row + 1)) / u[row];
    }
    for (size_t row = 0; row < size; row++) x[order[row]] = scratch[row];
}
