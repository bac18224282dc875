/* matrix.c: dense kernels for fits: dot products, weighted moments, Cholesky, inversion. */
#include "base/matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Two doubles processed at once. All processors and WebAssembly's SIMD support this size. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

/* Zero times a finite number is zero; times another one, it is NaN. */
bool linex_all_finite(size_t count, const double *values)
{
    pair low = {0}, high = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        low += 0 * *(const pair *)(values + i);
        high += 0 * *(const pair *)(values + i + 2);
    }
    for (; i < count; i++) low[0] += 0 * values[i];
    return (low[0] + low[1]) + (high[0] + high[1]) == 0;
}

/* For kernels with many callers. Inlining them everywhere would make the download larger. */
#define NOINLINE __attribute__((noinline))

/* Four running sums, because with one sum each addition waits for the previous one. */
NOINLINE double linex_dot(size_t size, const double *a, const double *b)
{
    pair low = {0}, high = {0};
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        low += *(const pair *)(a + i) * *(const pair *)(b + i);
        high += *(const pair *)(a + i + 2) * *(const pair *)(b + i + 2);
    }
    for (; i < size; i++) low[0] += a[i] * b[i];
    return (low[0] + low[1]) + (high[0] + high[1]);
}

NOINLINE void linex_add_scaled(size_t size, double factor, const double *x, double *y)
{
    size_t i = 0;
    for (; i + 2 <= size; i += 2) *(pair *)(y + i) += factor * *(const pair *)(x + i);
    if (i < size) y[i] += factor * x[i];
}

/* linex_dot of two rows with the same x, with the same bits. The two sums do not wait for each other, and x is read
 * once. With four rows, WebAssembly engines would not keep all sums in registers. */
NOINLINE static void dot_two(size_t size, const double *a, const double *b, const double *x, double dots[2])
{
    pair a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0};
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        pair low = *(const pair *)(x + i), high = *(const pair *)(x + i + 2);
        a0 += *(const pair *)(a + i) * low, a1 += *(const pair *)(a + i + 2) * high;
        b0 += *(const pair *)(b + i) * low, b1 += *(const pair *)(b + i + 2) * high;
    }
    for (; i < size; i++) {
        a0[0] += a[i] * x[i];
        b0[0] += b[i] * x[i];
    }
    dots[0] = (a0[0] + a0[1]) + (a1[0] + a1[1]);
    dots[1] = (b0[0] + b0[1]) + (b1[0] + b1[1]);
}

void linex_add_four(size_t size, const double factors[4], const double *const rows[4], double *y)
{
    const double *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    double first = factors[0], second = factors[1], third = factors[2], fourth = factors[3];
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        const pair *p = (const pair *)(a + i), *q = (const pair *)(b + i), *r = (const pair *)(c + i),
                   *s = (const pair *)(d + i);
        pair *to = (pair *)(y + i), low = to[0] + first * p[0], high = to[1] + first * p[1];
        low += second * q[0], high += second * q[1];
        low += third * r[0], high += third * r[1];
        to[0] = low + fourth * s[0], to[1] = high + fourth * s[1];
    }
    for (; i + 2 <= size; i += 2) {
        pair *to = (pair *)(y + i);
        *to = *to + first * *(const pair *)(a + i) + second * *(const pair *)(b + i) +
              third * *(const pair *)(c + i) + fourth * *(const pair *)(d + i);
    }
    if (i < size) y[i] = y[i] + first * a[i] + second * b[i] + third * c[i] + fourth * d[i];
}

void linex_rows_apply(size_t count, size_t size, const double *matrix, size_t stride, const double *x, double *y)
{
    for (; count >= 2; count -= 2, matrix += 2 * stride, y += 2) dot_two(size, matrix, matrix + stride, x, y);
    if (count) *y = linex_dot(size, matrix, x);
}

void linex_matrix_apply(size_t size, const double *matrix, const double *x, double *y)
{
    linex_rows_apply(size, size, matrix, size, x, y);
}

enum { TILE = 4, BLOCK = LINEX_BLOCK, PANEL = BLOCK * TILE };

/* One block of rows in an even number of panels, and one more row. */
double linex_moments_scratch(size_t columns)
{
    return PANEL * (double)(columns / TILE + 2) + (double)columns;
}

/* Consecutive samples, without those that have no weight. In a bootstrap a third of the samples has none. */
struct block {
    size_t rows;
    size_t samples[BLOCK];
    double weights[BLOCK];
};

/* Has no branch, because with random weights the mispredicted branches would cost more than the rest. */
static void gather(size_t start, size_t count, const double *weights, struct block *block)
{
    size_t rows = 0, end = count - start < BLOCK ? count : start + BLOCK;
    for (size_t i = start; i < end; i++) {
        block->samples[rows] = i;
        block->weights[rows] = weights[i];
        rows += weights[i] != 0;
    }
    block->rows = rows;
}

/* Writes the differences between a block's rows and an origin into panels of TILE columns, one panel after the other.
 * The inner loops then read memory in order. The unused columns of the last panel are left unchanged and never
 * read. */
NOINLINE static void pack(const linex_points *points, const struct block *block, const double *origin, double *panels)
{
    size_t columns = points->feature_count, whole = columns - columns % TILE;
    for (size_t first = 0; first < whole; first += TILE) {
        pair low = *(const pair *)(origin + first), high = *(const pair *)(origin + first + 2);
        pair *to = (pair *)(panels + first * BLOCK);
        for (size_t row = 0; row < block->rows; row++, to += 2) {
            size_t at = block->samples[row] * columns + first;
            if (points->values) {
                const pair *from = (const pair *)(points->values + at);
                to[0] = from[0] - low, to[1] = from[1] - high;
            } else {
                const uint8_t *from = points->masks + at;
                to[0] = (pair){from[0], from[1]} - low, to[1] = (pair){from[2], from[3]} - high;
            }
        }
    }
    for (size_t c = whole; c < columns; c++) {
        double *to = panels + whole * BLOCK + c % TILE;
        for (size_t row = 0; row < block->rows; row++, to += TILE) {
            size_t at = block->samples[row] * columns + c;
            *to = (points->values ? points->values[at] : (double)points->masks[at]) - origin[c];
        }
    }
}

/* sums[c] += sum over the block's rows of factors[row] * panels[row][c], one row after the other. It processes two
 * panels at a time, because each addition to a sum waits for the previous one. */
NOINLINE static void add_rows(size_t rows, size_t columns, const double *factors, const double *panels, double *sums)
{
    for (size_t first = 0; first < columns; first += 2 * TILE) {
        size_t bytes = (columns - first < 2 * TILE ? columns - first : 2 * TILE) * sizeof *sums;
        const pair *left = (const pair *)(panels + first * BLOCK), *right = left + PANEL / 2;
        pair all[4] = {{0}};
        memcpy(all, sums + first, bytes);
        pair a = all[0], b = all[1], c = all[2], d = all[3];
        for (size_t row = 0; row < rows; row++, left += 2, right += 2) {
            a += factors[row] * left[0], b += factors[row] * left[1];
            c += factors[row] * right[0], d += factors[row] * right[1];
        }
        all[0] = a, all[1] = b, all[2] = c, all[3] = d;
        memcpy(sums + first, all, bytes);
    }
}

/* Adds one block of samples to the sums that become the means: differences from sample `first`. */
static void add_to_means(const linex_points *points, const double *answers, const struct block *block, size_t first,
                         bool centered, linex_moments *moments)
{
    size_t columns = points->feature_count;
    for (size_t row = 0; row < block->rows; row++) {
        moments->total += block->weights[row];
        moments->answer_mean += block->weights[row] * (answers[block->samples[row]] - answers[first]);
    }
    if (!centered) return;
    const double *start = linex_points_row(points, first, moments->scratch);
    pack(points, block, start, moments->scratch + columns);
    add_rows(block->rows, columns, block->weights, moments->scratch + columns, moments->mean);
}

/* The means are computed as differences from the first sample that has a weight. If nothing varies, they are exact,
 * and the centered values are exactly zero. A rounding error would have a sign.
 *
 * at  row: the next block; column: the first sample that has a weight */
linex_status linex_means_advance(const linex_points *points, const double *answers, const double *weights,
                                 bool centered, linex_moments *moments, linex_cursor *at, linex_slice *slice)
{
    size_t count = points->count, columns = points->feature_count;
    if (at->row == 0) {
        while (at->column < count && weights[at->column] == 0) at->column++;
        at->row = at->column;
        moments->total = moments->answer_mean = 0;
        memset(moments->mean, 0, columns * sizeof *moments->mean);
    }
    for (; at->row < count; at->row += BLOCK) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        struct block block;
        gather(at->row, count, weights, &block);
        add_to_means(points, answers, &block, at->column, centered, moments);
        linex_slice_use(slice, (double)(BLOCK * columns));
    }
    double total = moments->total;
    size_t first = at->column;
    *at = (linex_cursor){0};
    moments->answer_mean = centered && total > 0 ? answers[first] + moments->answer_mean / total : 0;
    if (!centered || !(total > 0)) return LINEX_OK;
    const double *start = linex_points_row(points, first, moments->scratch);
    for (size_t c = 0; c < columns; c++) moments->mean[c] = start[c] + moments->mean[c] / total;
    return LINEX_OK;
}

/* Below this total, the reciprocal times a ridge could overflow. */
static const double MIN_TOTAL = 1e-200;

/* patch[c][d] = sum over the block's rows of weighted[row][c] * centered[row][d]. With nested loops, emcc would keep
 * the patch in memory. Eight named sums stay in registers, and each is added up in the same order. */
static void add_tile(size_t rows, const double *left, const double *panel, double patch[TILE][TILE])
{
    pair a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0}, c0 = {0}, c1 = {0}, d0 = {0}, d1 = {0};
    for (const double *end = left + rows * TILE; left != end; left += TILE, panel += TILE) {
        const pair *right = (const pair *)panel;
        pair low = right[0], high = right[1];
        a0 += left[0] * low, a1 += left[0] * high;
        b0 += left[1] * low, b1 += left[1] * high;
        c0 += left[2] * low, c1 += left[2] * high;
        d0 += left[3] * low, d1 += left[3] * high;
    }
    const pair sums[] = {a0, a1, b0, b1, c0, c1, d0, d1};
    memcpy(patch, sums, sizeof sums);
}

/* Adds a patch to the Gram matrix at row `first` and column `second`. */
static void add_patch(size_t columns, size_t first, size_t second, double patch[TILE][TILE], double *gram)
{
    for (size_t c = 0; c < TILE && first + c < columns; c++) {
        double *row = gram + (first + c) * columns + second;
        if (second + TILE <= columns) {
            pair *to = (pair *)row;
            const pair *from = (const pair *)patch[c];
            to[0] += from[0], to[1] += from[1];
        } else {
            for (size_t d = 0; second + d < columns; d++) row[d] += patch[c][d];
        }
    }
}

/* Adds one block of rows to the upper half of the Gram matrix: each panel times itself and the panels after it.
 *
 * next  the first column of the next panel; 0 at the end */
NOINLINE static linex_status add_block(const struct block *block, size_t columns, const double *panels, double *gram,
                                       size_t *next, linex_slice *slice)
{
    double left[BLOCK * TILE];
    for (; *next < columns; *next += TILE) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t first = *next;
        const pair *from = (const pair *)(panels + first * BLOCK);
        pair *to = (pair *)left;
        for (size_t row = 0; row < block->rows; row++, from += 2, to += 2) {
            to[0] = block->weights[row] * from[0];
            to[1] = block->weights[row] * from[1];
        }
        for (size_t second = first; second < columns; second += TILE) {
            double patch[TILE][TILE];
            add_tile(block->rows, left, panels + second * BLOCK, patch);
            add_patch(columns, first, second, patch, gram);
        }
        linex_slice_use(slice, (double)(block->rows * TILE) * (double)(columns - first));
    }
    *next = 0;
    return LINEX_OK;
}

/* Finishes row c of the Gram matrix and its mirror image below the diagonal, and cross[c].
 *
 * share  1 / total, or 0 if there is no weight */
NOINLINE static void finish_row(size_t columns, size_t c, double share, double ridge, linex_moments *moments)
{
    double *gram = moments->gram;
    if (share == 0)
        for (size_t d = 0; d <= c; d++) gram[d * columns + c] = 0;
    gram[c * columns + c] += ridge;
    for (size_t d = 0; d <= c; d++) gram[c * columns + d] = gram[d * columns + c] *= share;
    if (share == 0) gram[c * columns + c] = 1;
    moments->cross[c] *= share;
}

static double share_of(const linex_moments *moments)
{
    return moments->total > MIN_TOTAL ? 1.0 / moments->total : 0;
}

void linex_moments_finish(size_t columns, double ridge, linex_moments *moments)
{
    double share = share_of(moments);
    for (size_t c = 0; c < columns; c++) finish_row(columns, c, share, ridge, moments);
}

/* Stage 1: adds all blocks to the sums of products. A block is packed again if a slice ended inside it. */
static linex_status products_advance(const linex_points *points, const double *answers, const double *weights,
                                     linex_moments *moments, linex_cursor *at, linex_slice *slice)
{
    size_t columns = points->feature_count;
    for (; at->row < points->count; at->row += BLOCK) {
        struct block block;
        gather(at->row, points->count, weights, &block);
        pack(points, &block, moments->mean, moments->scratch);
        linex_status status = add_block(&block, columns, moments->scratch, moments->gram, &at->column, slice);
        if (status) return status;
        for (size_t row = 0; row < block.rows; row++)
            block.weights[row] *= answers[block.samples[row]] - moments->answer_mean;
        add_rows(block.rows, columns, block.weights, moments->scratch, moments->cross);
    }
    return LINEX_OK;
}

linex_status linex_block_add(const linex_points *points, const double *answers, const double *weights, size_t count,
                             const uint32_t *samples, linex_moments *moments, double *sums, linex_cursor *at,
                             linex_slice *slice)
{
    size_t columns = points->feature_count;
    struct block block = {.rows = count};
    for (size_t row = 0; row < count; row++) {
        block.samples[row] = samples[row];
        block.weights[row] = weights[samples[row]];
    }
    pack(points, &block, moments->mean, moments->scratch);
    if (moments->gram) {
        linex_status status = add_block(&block, columns, moments->scratch, moments->gram, &at->column, slice);
        if (status) return status;
    }
    add_rows(count, columns, block.weights, moments->scratch, sums);
    if (!moments->gram) return LINEX_OK;
    for (size_t row = 0; row < count; row++) block.weights[row] *= answers[samples[row]] - moments->answer_mean;
    add_rows(count, columns, block.weights, moments->scratch, moments->cross);
    return LINEX_OK;
}

linex_status linex_moments_advance(const linex_points *points, const double *answers, const double *weights,
                                   bool centered, double ridge, linex_moments *moments, linex_cursor *at,
                                   linex_slice *slice)
{
    size_t columns = points->feature_count;
    if (at->stage == 0) {
        if (linex_means_advance(points, answers, weights, centered, moments, at, slice)) return LINEX_UNFINISHED;
        memset(moments->gram, 0, columns * columns * sizeof *moments->gram);
        memset(moments->cross, 0, columns * sizeof *moments->cross);
        *at = (linex_cursor){.stage = 1};
    }
    if (at->stage == 1) {
        if (products_advance(points, answers, weights, moments, at, slice)) return LINEX_UNFINISHED;
        *at = (linex_cursor){.stage = 2};
    }
    double share = share_of(moments);
    for (; at->row < columns; at->row++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        finish_row(columns, at->row, share, ridge, moments);
        linex_slice_use(slice, 4.0 * (double)at->row); /* a column is not read in order */
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}

void linex_moments_take(const linex_points *points, const double *answers, const double *weights, bool centered,
                        double ridge, linex_moments *moments)
{
    linex_slice slice = linex_slice_endless();
    linex_moments_advance(points, answers, weights, centered, ridge, moments, &(linex_cursor){0}, &slice);
}

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
