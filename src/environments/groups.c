/* groups.c: sums over groups of samples, and draws of whole groups. */
#include "environments/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/random.h"
#include "base/sort.h"
#include "matrices/matrix.h"
#include "environments/environments.h"
#include "environments/sample_runs.h"

/* 64 MB of sums, enough for about 250 features. */
static const double MAX_NUMBERS = 8388608;

/* A column whose variance is below this share of its mean square counts as constant: the variance is rounding. */
static const double CONSTANT = 1e-12;

/* The number of products of all pairs of `columns` numbers. They are stored row by row, from the diagonal on. */
static size_t triangle(size_t columns)
{
    return columns * (columns + 1) / 2;
}

bool linex_runs_fit(size_t runs, size_t size)
{
    double columns = (double)size + 2;
    return (double)runs * columns * (columns + 1) / 2 <= MAX_NUMBERS;
}

bool linex_groups_are_worth_it(size_t count, size_t size)
{
    return (double)count > LINEX_GROUPS + 4 * ((double)size + 2) && linex_runs_fit(LINEX_GROUPS, size);
}

/* Starts the sums of a group. */
static void clear_group(linex_groups *groups, bool products, double *sums)
{
    size_t size = groups->size;
    memset(sums, 0, triangle(size + 2) * sizeof *sums);
    memset(groups->feature, 0, size * sizeof *groups->feature);
    if (!products) return;
    memset(groups->gram, 0, size * size * sizeof *groups->gram);
    memset(groups->cross, 0, size * sizeof *groups->cross);
}

/* Adds samples to the sums that do not need the features: of ones and answers. */
static void add_answers(const linex_groups *groups, const linex_samples *samples, size_t count, double *sums)
{
    const uint32_t *points = groups->point_of + groups->next;
    size_t columns = groups->size + 2;
    double center = groups->center[columns - 1], *squares = sums + triangle(columns) - 1;
    for (size_t j = 0; j < count; j++) {
        double weight = samples->weights[points[j]], answer = samples->answers[points[j]] - center;
        sums[0] += weight;
        sums[columns - 1] += weight * answer;
        *squares += weight * answer * answer;
    }
}

/* Copies the sums of the features to the rows of the triangle. */
static void finish_group(const linex_groups *groups, bool products, double *sums)
{
    size_t size = groups->size;
    memcpy(sums + 1, groups->feature, size * sizeof *sums);
    double *row = sums + size + 2;
    for (size_t c = 0; products && c < size; c++, row += size + 2 - c) {
        memcpy(row, groups->gram + c * size + c, (size - c) * sizeof *row);
        row[size - c] = groups->cross[c];
    }
}

/* Sums up all groups: the columns, and their products if these are wanted. */
static linex_status sum_groups(linex_groups *groups, const linex_samples *samples, const linex_points *points,
                               bool products, double *scratch, linex_slice *slice)
{
    size_t columns = groups->size + 2;
    linex_moments moments = {.gram = products ? groups->gram : NULL,
                             .cross = groups->cross,
                             .mean = groups->center + 1,
                             .scratch = scratch,
                             .answer_mean = groups->center[columns - 1]};
    for (; groups->group < groups->count; groups->group++) {
        size_t end = groups->ends[groups->group], first = groups->group > 0 ? groups->ends[groups->group - 1] : 0;
        double *sums = groups->sums + groups->group * triangle(columns);
        if (groups->next == first && groups->cursor.column == 0) clear_group(groups, products, sums);
        while (groups->next < end) {
            if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
            size_t some = end - groups->next < LINEX_BLOCK ? end - groups->next : LINEX_BLOCK;
            if (linex_block_add(points, samples->answers, samples->weights, some, groups->point_of + groups->next,
                                &moments, groups->feature, &groups->cursor, slice))
                return LINEX_UNFINISHED;
            add_answers(groups, samples, some, sums);
            groups->next += some;
            linex_slice_use(slice, 2.0 * (double)(some * columns));
        }
        finish_group(groups, products, sums);
    }
    groups->group = groups->next = 0;
    return LINEX_OK;
}

/* Returns the median of the groups' means of a column. An outlier would pull the mean of all samples away, and draws
 * without the outlier would then lose digits. */
static double median_of_means(const linex_groups *groups, size_t column)
{
    size_t length = triangle(groups->size + 2), found = 0;
    double *means = groups->drawn; /* it is long enough for the groups, as opened */
    for (size_t i = 0; i < groups->count; i++) {
        const double *sums = groups->sums + i * length;
        if (sums[0] > 0) means[found++] = sums[column] / sums[0];
    }
    linex_sort(found, means);
    return found > 0 ? means[found / 2] : 0;
}

/* Lists the samples group by group, by counting.
 *
 * group_of  planned */
static void list_samples(linex_groups *groups, const linex_samples *samples, const uint32_t *group_of)
{
    size_t *ends = groups->ends, sum = 0;
    memset(ends, 0, groups->count * sizeof *ends);
    for (size_t i = 0; i < samples->planned; i++)
        ends[group_of[i]] += samples->weights[linex_point_of(samples, i)] != 0;
    for (size_t i = 0; i < groups->count; i++) {
        size_t own = ends[i];
        ends[i] = sum; /* its start, which moves to its end below */
        sum += own;
    }
    for (size_t i = 0; i < samples->planned; i++) {
        size_t at = linex_point_of(samples, i);
        if (samples->weights[at] != 0) groups->point_of[ends[group_of[i]]++] = (uint32_t)at;
    }
}

linex_status linex_groups_open(linex_groups *groups, const linex_samples *samples,
                               const linex_environment_settings *environments, size_t size, bool centered,
                               uint64_t seed)
{
    size_t columns = size + 2, length = triangle(columns), planned = samples->planned,
           players = environments->players;
    bool runs = environments->kind != LINEX_BOOTSTRAP;
    size_t count = runs ? linex_sample_runs_count(samples, players) : LINEX_GROUPS;
    size_t drawn = length > count ? length : count;
    double *memory = linex_alloc_doubles((double)(count + 1) * (double)length + (double)drawn +
                                         2.0 * (double)columns + (double)size * (double)(size + 2));
    *groups = (linex_groups){.count = count, .size = size, .centered = centered, .memory = memory};
    groups->complete = samples->complete;
    groups->point_of = linex_alloc_items((double)planned, sizeof *groups->point_of);
    groups->order = linex_alloc_items((double)count, sizeof *groups->order);
    groups->ends = linex_alloc_items((double)count, sizeof *groups->ends);
    uint32_t *group_of = linex_alloc_items((double)planned, sizeof *group_of);
    if (!memory || !groups->point_of || !groups->order || !groups->ends || !group_of) {
        free(group_of);
        return LINEX_NO_MEMORY;
    }
    groups->sums = memory;
    groups->all = groups->sums + count * length;
    groups->drawn = groups->all + length;
    groups->center = groups->drawn + drawn;
    groups->varies = groups->center + columns;
    groups->gram = groups->varies + columns;
    groups->cross = groups->gram + size * size;
    groups->feature = groups->cross + size;
    groups->found_center = !centered;
    if (runs)
        linex_sample_runs_assign(samples, players, seed, group_of);
    else
        linex_samples_spread(planned, count, seed, group_of);
    list_samples(groups, samples, group_of);
    free(group_of);
    return LINEX_OK;
}

linex_status linex_groups_advance(linex_groups *groups, const linex_samples *samples, const linex_points *points,
                                  double *scratch, linex_slice *slice)
{
    size_t columns = groups->size + 2;
    if (!groups->found_center) {
        if (sum_groups(groups, samples, points, false, scratch, slice)) return LINEX_UNFINISHED;
        for (size_t c = 1; c < columns; c++) groups->center[c] = median_of_means(groups, c);
        groups->found_center = true;
    }
    if (sum_groups(groups, samples, points, true, scratch, slice)) return LINEX_UNFINISHED;
    for (size_t i = 0; i < groups->count; i++)
        linex_add_scaled(triangle(columns), 1, groups->sums + i * triangle(columns), groups->all);
    linex_slice_use(slice, (double)(groups->count * triangle(columns)));
    free(groups->point_of);
    groups->point_of = NULL;
    return LINEX_OK;
}

void linex_groups_close(linex_groups *groups)
{
    free(groups->memory);
    free(groups->order);
    free(groups->point_of);
    free(groups->ends);
}

/* Draws LINEX_GROUPS groups with repetition. Each byte of a random number is one group. */
static void draw_groups(linex_random *random, double *weights)
{
    for (size_t i = 0; i < LINEX_GROUPS / 4; i++) {
        uint32_t bits = linex_random_bits(random);
        for (int part = 0; part < 4; part++) weights[bits >> (8 * part) & 0xff] += 1;
    }
}

void linex_groups_draw(const linex_groups *groups, const linex_environment_settings *settings, uint64_t seed,
                       uint64_t draw, double *weights)
{
    size_t players = settings->players, count = groups->count;
    if (settings->kind != LINEX_BOOTSTRAP) {
        linex_sample_runs_draw(settings, groups->complete, count, seed, draw, groups->order, weights);
        return;
    }
    linex_random random = linex_environments_stream(seed, draw);
    memset(weights, 0, players * count * sizeof *weights);
    for (size_t i = 0; i < players; i++) {
        double *own = weights + i * count;
        draw_groups(&random, own);
        if (settings->anchored && own[0] == 0) own[0] = 1; /* the group of sample 0 */
    }
}

/* Lists the groups with a weight, without a branch that the processor could not predict. Returns their number. */
static size_t list_drawn(const linex_groups *groups, const double *weights)
{
    size_t found = 0;
    for (size_t i = 0; i < groups->count; i++) {
        groups->order[found] = (uint32_t)i;
        found += weights[i] > 0;
    }
    return found;
}

static void sum_drawn(const linex_groups *groups, const double *weights)
{
    size_t length = triangle(groups->size + 2), found = list_drawn(groups, weights), i = 0;
    const uint32_t *list = groups->order;
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

/* Turns the sums in groups->drawn into moments. */
static void finish_moments(linex_groups *groups, double ridge, linex_moments *moments)
{
    size_t size = groups->size, columns = size + 2;
    double *sums = groups->drawn, *row = sums + columns, *varies = groups->varies;
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

void linex_groups_moments(linex_groups *groups, const double *weights, double ridge, linex_moments *moments)
{
    sum_drawn(groups, weights);
    finish_moments(groups, ridge, moments);
}

/* The part of the ridge for the sums in groups->drawn. */
static double share_of(const linex_groups *groups, double ridge)
{
    return groups->all[0] > 0 ? ridge * (groups->drawn[0] / groups->all[0]) : ridge;
}

void linex_runs_moments(linex_groups *groups, const double *weights, double ridge, linex_moments *moments)
{
    sum_drawn(groups, weights);
    finish_moments(groups, share_of(groups, ridge), moments);
}

/* Subtracting a run from all loses digits if the run holds nearly everything. The fit without it is then far from the
 * fit to all, and only their distance counts. */
void linex_runs_moments_without(linex_groups *groups, size_t without, double ridge, linex_moments *moments)
{
    size_t length = triangle(groups->size + 2);
    memcpy(groups->drawn, groups->all, length * sizeof *groups->drawn);
    if (without < groups->count) linex_add_scaled(length, -1, groups->sums + without * length, groups->drawn);
    finish_moments(groups, share_of(groups, ridge), moments);
}

double linex_run_weight(const linex_groups *groups, size_t run)
{
    return groups->sums[run * triangle(groups->size + 2)];
}
