#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "environments.h"
#include "random.h"
#include "room.h"

/* 64 MB, which about 250 features take. */
static const double MOST_NUMBERS = 8388608;

/* A column whose variance is this small beside its square does not vary: the rest is rounding, and has no sign. */
static const double STILL = 1e-12;

/* The products of all pairs of `columns` numbers, row by row from the diagonal on. */
static size_t triangle(size_t columns)
{
    return columns * (columns + 1) / 2;
}

bool linex_groups_are_worth_it(size_t count, size_t size)
{
    double columns = (double)size + 2;
    return count > LINEX_GROUPS && LINEX_GROUPS * columns * (columns + 1) / 2 <= MOST_NUMBERS;
}

static void add_products(size_t columns, double weight, const double *point, double *sums)
{
    for (size_t a = 0; a < columns; a++) {
        linex_add_scaled(columns - a, weight * point[a], point + a, sums);
        sums += columns - a;
    }
}

/* Planned samples that follow one another are a group; all groups are of one size, give or take a sample. */
static void sum_groups(linex_groups *groups, const linex_samples *samples, const linex_points *points,
                       double *scratch)
{
    size_t columns = groups->size + 2, length = triangle(columns);
    for (size_t i = 0; i < samples->planned; i++) {
        size_t group = (size_t)((uint64_t)i * LINEX_GROUPS / samples->planned);
        size_t at = samples->owner ? samples->owner[i] : i;
        const double *point = linex_points_row(points, at, scratch);
        if (samples->weights[at] == 0) continue;
        for (size_t c = 0; c < groups->size; c++) groups->point[1 + c] = point[c] - groups->centre[1 + c];
        groups->point[columns - 1] = samples->answers[at] - groups->centre[columns - 1];
        add_products(columns, samples->weights[at], groups->point, groups->sums + group * length);
    }
}

linex_status linex_groups_open(linex_groups *groups, const linex_samples *samples, const linex_points *points,
                               const double *totals, bool centred, double *scratch)
{
    size_t size = points->width, columns = size + 2, length = triangle(columns);
    double *memory = linex_room((LINEX_GROUPS + 1.0) * (double)length + 2.0 * (double)columns);
    *groups = (linex_groups){.size = size, .centred = centred, .memory = memory};
    if (!memory) return LINEX_NO_MEMORY;
    groups->sums = memory;
    groups->drawn = groups->sums + LINEX_GROUPS * length;
    groups->centre = groups->drawn + length;
    groups->point = groups->centre + columns;
    groups->point[0] = 1;
    linex_moments moments = {.mean = groups->centre + 1, .scratch = scratch};
    linex_means_take(points, samples->answers, totals, centred, &moments);
    groups->centre[columns - 1] = moments.answer_mean;
    sum_groups(groups, samples, points, scratch);
    return LINEX_OK;
}

void linex_groups_close(linex_groups *groups)
{
    free(groups->memory);
}

/* As many groups as there are, with repetition; a byte names one. */
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
        if (settings->anchored && own[0] == 0) own[0] = 1; /* sample 0 is in group 0 */
    }
}

/* Those that an environment has any of, without a branch that nobody could foresee. Returns how many. */
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

/* Takes the means off the products of column a with itself and those after it. Returns 1 if it varies, else 0. */
static double take_off_means(size_t columns, size_t a, const double *sums, double *row)
{
    double whole = row[0], mean = sums[a] / sums[0];
    for (size_t b = a; b < columns; b++) row[b - a] -= mean * sums[b];
    return row[0] > STILL * whole;
}

void linex_groups_moments(linex_groups *groups, const double *weights, double ridge, linex_moments *moments)
{
    size_t size = groups->size, columns = size + 2;
    double *sums = groups->drawn, *row = sums + columns, *varies = groups->point;
    sum_drawn(groups, weights);
    moments->total = sums[0];
    bool centred = groups->centred && sums[0] > 0;
    for (size_t a = 1; a < columns; a++) {
        varies[a] = centred ? take_off_means(columns, a, sums, row) : 1;
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
