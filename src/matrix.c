#include "matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool linex_all_finite(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

/* Four running sums: a single one would make every addition wait for the last. */
double linex_dot(size_t size, const double *a, const double *b)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < size; i++) s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

void linex_add_scaled(size_t size, double factor, const double *x, double *y)
{
    for (size_t i = 0; i < size; i++) y[i] += factor * x[i];
}

void linex_matrix_apply(size_t size, const double *matrix, const double *x, double *y)
{
    for (size_t row = 0; row < size; row++) y[row] = linex_dot(size, matrix + row * size, x);
}

enum { TILE = 4, BLOCK = 64 };

/* A block of rows by whole tiles of columns, and two rows beside it. */
double linex_moments_scratch(size_t width)
{
    return BLOCK * ((double)width + TILE - 1) + 2.0 * (double)width;
}

/* Means are taken from the first sample that has a weight: where nothing varies they are then exact, and what
 * is centred by them is exactly zero, not a last bit that would have a sign. */
void linex_means_take(const linex_points *points, const double *answers, const double *weights, bool centred,
                      linex_moments *moments)
{
    size_t first = 0, count = points->count, width = points->width;
    while (first < count && weights[first] == 0) first++;
    double total = 0, answer = 0, *mean = moments->mean;
    const double *start = first < count ? linex_points_row(points, first, moments->scratch) : mean;
    memset(mean, 0, width * sizeof *mean);
    for (size_t i = first; i < count; i++) {
        if (weights[i] == 0) continue;
        total += weights[i];
        answer += weights[i] * (answers[i] - answers[first]);
        const double *point = linex_points_row(points, i, moments->scratch + width);
        for (size_t c = 0; centred && c < width; c++) mean[c] += weights[i] * (point[c] - start[c]);
    }
    moments->total = total;
    moments->answer_mean = centred && total > 0 ? answers[first] + answer / total : 0;
    for (size_t c = 0; centred && total > 0 && c < width; c++) mean[c] = start[c] + mean[c] / total;
}

/* Below this the reciprocal, times a ridge, would leave the range of a double. */
static const double LEAST_WEIGHT = 1e-200;

/* Centred rows in panels of TILE columns, one panel after the other: the inner loop then walks memory in order, and
 * the ragged right edge is zeros, not a special case. */
static void pack(const linex_points *points, size_t start, size_t rows, const double *mean, double *row_scratch,
                 double *panels)
{
    size_t width = points->width;
    for (size_t row = 0; row < rows; row++) {
        const double *point = linex_points_row(points, start + row, row_scratch);
        for (size_t first = 0; first < width; first += TILE) {
            double *cell = panels + first * BLOCK + row * TILE;
            for (size_t c = 0; c < TILE; c++) cell[c] = first + c < width ? point[first + c] - mean[first + c] : 0;
        }
    }
}

/* Two doubles that are worked on at once: what every processor and WebAssembly's SIMD have. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

/* patch[c][d] = sum over the block's rows of weighted[row][c] * centred[row][d]. Two nested loops would say it too, but
 * emcc leaves the patch of such loops in memory; eight named sums stay in registers, and every one of their numbers is
 * added up in the same order. */
static void add_tile(size_t rows, const double *weighted, const double *centred, double patch[TILE][TILE])
{
    pair a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0}, c0 = {0}, c1 = {0}, d0 = {0}, d1 = {0};
    for (size_t row = 0; row < rows; row++) {
        const double *left = weighted + row * TILE;
        const pair *right = (const pair *)(centred + row * TILE);
        pair low = right[0], high = right[1];
        a0 += left[0] * low, a1 += left[0] * high;
        b0 += left[1] * low, b1 += left[1] * high;
        c0 += left[2] * low, c1 += left[2] * high;
        d0 += left[3] * low, d1 += left[3] * high;
    }
    const pair sums[] = {a0, a1, b0, b1, c0, c1, d0, d1};
    memcpy(patch, sums, sizeof sums);
}

static void add_patch(size_t width, size_t first, size_t second, double patch[TILE][TILE], double *gram)
{
    for (size_t c = 0; c < TILE && first + c < width; c++)
        for (size_t d = 0; d < TILE && second + d < width; d++) gram[(first + c) * width + second + d] += patch[c][d];
}

/* One block of rows: every panel against itself and those after it. */
static void add_block(size_t rows, size_t width, const double *panels, const double *weights, double *gram)
{
    double left[BLOCK * TILE];
    for (size_t first = 0; first < width; first += TILE) {
        for (size_t i = 0; i < rows * TILE; i++) left[i] = weights[i / TILE] * panels[first * BLOCK + i];
        for (size_t second = first; second < width; second += TILE) {
            double patch[TILE][TILE];
            add_tile(rows, left, panels + second * BLOCK, patch);
            add_patch(width, first, second, patch, gram);
        }
    }
}

void linex_moments_finish(size_t width, double ridge, linex_moments *moments)
{
    double *gram = moments->gram;
    double share = moments->total > LEAST_WEIGHT ? 1.0 / moments->total : 0;
    for (size_t c = 0; c < width; c++) {
        for (size_t d = c; d < width; d++) {
            double sum = gram[c * width + d] + (c == d ? ridge : 0);
            double entry = share > 0 ? sum * share : (c == d);
            gram[c * width + d] = gram[d * width + c] = entry;
        }
        moments->cross[c] *= share;
    }
}

void linex_moments_take(const linex_points *points, const double *answers, const double *weights, bool centred,
                        double ridge, linex_moments *moments)
{
    size_t count = points->count, width = points->width;
    double *row_scratch = moments->scratch, *panels = row_scratch + 2 * width;
    linex_means_take(points, answers, weights, centred, moments);
    memset(moments->gram, 0, width * width * sizeof *moments->gram);
    memset(moments->cross, 0, width * sizeof *moments->cross);
    for (size_t start = 0; start < count; start += BLOCK) {
        size_t rows = count - start < BLOCK ? count - start : BLOCK;
        pack(points, start, rows, moments->mean, row_scratch, panels);
        add_block(rows, width, panels, weights + start, moments->gram);
    }
    for (size_t i = 0; i < count; i++) {
        if (weights[i] == 0) continue;
        double pull = weights[i] * (answers[i] - moments->answer_mean);
        const double *point = linex_points_row(points, i, row_scratch);
        for (size_t c = 0; c < width; c++) moments->cross[c] += pull * (point[c] - moments->mean[c]);
    }
    linex_moments_finish(width, ridge, moments);
}

linex_status linex_cholesky(size_t size, double *matrix)
{
    for (size_t row = 0; row < size; row++) {
        double *current = matrix + row * size;
        double diagonal = current[row];
        for (size_t column = 0; column < row; column++) {
            double *other = matrix + column * size;
            current[column] = (current[column] - linex_dot(column, current, other)) / other[column];
        }
        double pivot = diagonal - linex_dot(row, current, current);
        if (!(pivot > (double)size * DBL_EPSILON * diagonal)) return LINEX_DEGENERATE;
        current[row] = sqrt(pivot);
    }
    return LINEX_OK;
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

static size_t largest_below(size_t size, const double *matrix, size_t column)
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
        double kept = matrix[first * size + column];
        matrix[first * size + column] = matrix[second * size + column];
        matrix[second * size + column] = kept;
    }
}

linex_status linex_invert(size_t size, double *matrix, double *inverse)
{
    memset(inverse, 0, size * size * sizeof *inverse);
    for (size_t i = 0; i < size; i++) inverse[i * size + i] = 1;
    for (size_t column = 0; column < size; column++) {
        size_t pivot_row = largest_below(size, matrix, column);
        swap_rows(size, matrix, pivot_row, column);
        swap_rows(size, inverse, pivot_row, column);
        double pivot = matrix[column * size + column];
        if (pivot == 0 || !isfinite(pivot)) return LINEX_DEGENERATE;
        for (size_t i = 0; i < size; i++) {
            matrix[column * size + i] /= pivot;
            inverse[column * size + i] /= pivot;
        }
        for (size_t row = 0; row < size; row++) {
            double factor = matrix[row * size + column];
            if (row == column || factor == 0) continue;
            linex_add_scaled(size, -factor, matrix + column * size, matrix + row * size);
            linex_add_scaled(size, -factor, inverse + column * size, inverse + row * size);
        }
    }
    return LINEX_OK;
}
