/* groups.c: sums over groups of samples, and draws of whole groups. */
#include "game/groups.h"

#include <stdlib.h>
#include <string.h>

#include "game/environments.h"
#include "base/sort.h"
#include "base/random.h"
#include "base/alloc.h"

/* 64 MB of sums, enough for about 250 features. */
static const double MAX_NUMBERS = 8388608;

/* A column whose variance is below this share of its mean square counts as constant: the variance is rounding. */
static const double CONSTANT = 1e-12;

/* The number of products of all pairs of `columns` numbers. They are stored row by row, from the diagonal on. */
static size_t triangle(size_t columns)
{
    return columns * (columns + 1) / 2;
}

bool linex_groups_are_worth_it(size_t count, size_t size)
{
    double columns = (double)size + 2;
    return (double)count > LINEX_GROUPS + 4 * columns && LINEX_GROUPS * columns * (columns + 1) / 2 <= MAX_NUMBERS;
}

/* Adds the products of the first `rows` columns with themselves and the columns after them. */
static void add_products(size_t columns, size_t rows, double weight, const double *point, double *sums)
{
    for (size_t a = 0; a < rows; a++) {
        linex_add_scaled(columns - a, weight * point[a], point + a, sums);
        sums += columns - a;
    }
}

/* The sizes of the groups differ by at most one sample. The assignment is random, because consecutive samples may be
 * copies of one point or sorted by the caller. */
void linex_groups_assign(size_t planned, uint64_t seed, uint32_t *group_of)
{
    linex_random random = linex_environments_stream(seed, UINT64_MAX >> 1); /* the last stream, which no draw uses */
    for (size_t i = 0; i < planned; i++) group_of[i] = (uint32_t)((uint64_t)i * LINEX_GROUPS / planned);
    linex_random_shuffle(&random, planned - 1, group_of + 1);
}

/* Adds all samples to the sums of their groups. */
static linex_status sum_groups(linex_groups *groups, const linex_samples *samples, const linex_points *points,
                               size_t rows, double *scratch, linex_slice *slice)
{
    size_t columns = groups->size + 2, length = triangle(columns);
    for (; groups->next < samples->planned; groups->next++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t at = linex_point_of(samples, groups->next);
        const double *point = linex_points_row(points, at, scratch);
        if (samples->weights[at] == 0) continue;
        for (size_t c = 0; c < groups->size; c++) groups->point[1 + c] = point[c] - groups->center[1 + c];
        groups->point[columns - 1] = samples->answers[at] - groups->center[columns - 1];
        add_products(columns, rows, samples->weights[at], groups->point,
                     groups->sums + groups->group_of[groups->next] * length);
        linex_slice_use(slice, (double)(rows > 1 ? length : columns));
    }
    groups->next = 0;
    return LINEX_OK;
}

/* Returns the median of the groups' means of a column. An outlier would pull the mean of all samples away, and draws
 * without the outlier would then lose digits. */
static double median_of_means(const linex_groups *groups, size_t column)
{
    size_t length = triangle(groups->size + 2), found = 0;
    double means[LINEX_GROUPS];
    for (size_t i = 0; i < LINEX_GROUPS; i++) {
        const double *sums = groups->sums + i * length;
        if (sums[0] > 0) means[found++] = sums[column] / sums[0];
    }
    linex_sort(found, means);
    return found > 0 ? means[found / 2] : 0;
}

linex_status linex_groups_open(linex_groups *groups, const linex_samples *samples, size_t size, bool centered,
                               uint64_t seed)
{
    size_t columns = size + 2, length = triangle(columns);
    double *memory = linex_alloc_doubles((LINEX_GROUPS + 1.0) * (double)length + 2.0 * (double)columns);
    *groups = (linex_groups){.size = size, .centered = centered, .memory = memory};
    groups->group_of = linex_alloc_items((double)samples->planned, sizeof *groups->group_of);
    if (!memory || !groups->group_of) return LINEX_NO_MEMORY;
    groups->sums = memory;
    groups->drawn = groups->sums + LINEX_GROUPS * length;
    groups->center = groups->drawn + length;
    groups->point = groups->center + columns;
    groups->point[0] = 1;
    groups->found_center = !centered;
    linex_groups_assign(samples->planned, seed, groups->group_of);
    return LINEX_OK;
}

linex_status linex_groups_advance(linex_groups *groups, const linex_samples *samples, const linex_points *points,
                                  double *scratch, linex_slice *slice)
{
    size_t columns = groups->size + 2;
    if (!groups->found_center) {
        if (sum_groups(groups, samples, points, 1, scratch, slice)) return LINEX_UNFINISHED;
        for (size_t c = 1; c < columns; c++) groups->center[c] = median_of_means(groups, c);
        memset(groups->sums, 0, LINEX_GROUPS * triangle(columns) * sizeof *groups->sums);
        groups->found_center = true;
    }
    if (sum_groups(groups, samples, points, columns, scratch, slice)) return LINEX_UNFINISHED;
    free(groups->group_of);
    groups->group_of = NULL;
    return LINEX_OK;
}

void linex_groups_close(linex_groups *groups)
{
    free(groups->memory);
    free(groups->group_of);
}

/* Draws LINEX_GROUPS groups with repetition. Each byte of a random number is one group. */
static void draw_groups(linex_random *random, double *weights)
{
    for (size_t i = 0; i < LINEX_GROUPS / 4; i++) {
        uint32_t bits = linex_random_bits(random);
        for (int part = 0; part < 4; part++) weights[bits >> (8 * part) & 0xff] += 1;
    }
}

void linex_groups_draw(const linex_environment_settings *settings, uint64_t seed, uint64_t draw, double *weights)
{
    linex_random random = linex_environments_stream(seed, draw);
    size_t players = settings->players;
    uint32_t order[LINEX_GROUPS];
    memset(weights, 0, players * LINEX_GROUPS * sizeof *weights);
    for (uint32_t i = 0; i < LINEX_GROUPS; i++) order[i] = i;
    if (settings->kind == LINEX_HALVES) linex_random_shuffle(&random, LINEX_GROUPS, order);
    for (size_t i = 0; settings->kind == LINEX_HALVES && i < LINEX_GROUPS; i++)
        weights[i * players / LINEX_GROUPS * LINEX_GROUPS + order[i]] = 1;
    for (size_t i = 0; i < players; i++) {
        double *own = weights + i * LINEX_GROUPS;
        if (settings->kind == LINEX_BOOTSTRAP) draw_groups(&random, own);
        if (settings->anchored && own[0] == 0) own[0] = 1; /* the group of sample 0 */
    }
}

/* Lists the groups with a weight, without a branch that the processor could not predict. Returns their number. */
static size_t list_drawn(const double *weights, size_t *drawn)
{
    size_t found = 0;
    for (size_t i = 0; i < LINEX_GROUPS; i++) {
        drawn[found] = i;
        found += weights[i] > 0;
    }
    return found;
}

static void sum_drawn(const linex_groups *groups, const double *weights)
{
    size_t length = triangle(groups->size + 2), list[LINEX_GROUPS], found = list_drawn(weights, list), i = 0;
    memset(groups->drawn, 0, length * sizeof *groups->drawn);
    for (; i + 4 <= found; i += 4) {
        const double shares[] = {weights[list[i]], weights[list[i + 1]], weights[list[i + 2]], weights[list[i + 3]]};
        const double *const rows[] = {groups->sums + list[i] * length, groups->sums + list[i + 1] * length,
                                      groups->sums + list[i + 2] * length, groups->sums + list[i + 3] * length};
        linex_add_four(length, shares, rows, groups->drawn);
    }
    for (; i < found; i++) linex_add_scaled(length, weights[list[i]], groups->sums + list[i] * length, groups->drawn);
}

/* Subtracts the means from the products of column a with itself and the columns after it. Returns 1 if the column
 * varies, otherwise 0. */
static double subtract_means(size_t columns, size_t a, const double *sums, double *row)
{
    double whole = row[0], mean = sums[a] / sums[0];
    for (size_t b = a; b < columns; b++) row[b - a] -= mean * sums[b];
    return row[0] > CONSTANT * whole;
}

void linex_groups_moments(linex_groups *groups, const double *weights, double ridge, linex_moments *moments)
{
    size_t size = groups->size, columns = size + 2;
    double *sums = groups->drawn, *row = sums + columns, *varies = groups->point;
    sum_drawn(groups, weights);
    moments->total = sums[0];
    bool centered = groups->centered && sums[0] > 0;
    for (size_t a = 1; a < columns; a++) {
        varies[a] = centered ? subtract_means(columns, a, sums, row) : 1;
        row += columns - a;
    }
    row = sums + columns;
    for (size_t c = 0; c < size; c++) {
        for (size_t d = c; d < size; d++) moments->gram[c * size + d] = row[d - c] * varies[1 + c] * varies[1 + d];
        moments->cross[c] = row[size - c] * varies[1 + c] * varies[1 + size];
        row += columns - 1 - c;
    }
    linex_moments_finish(size, ridge, moments);
}
