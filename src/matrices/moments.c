/* moments.c: weighted means and products of samples, block by block. */
#include "matrices/moments.h"

#include <string.h>

#include "matrices/pair.h"

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
