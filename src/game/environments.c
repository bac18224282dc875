/* environments.c: splits answered samples into the environments of the players. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "game/environments.h"
#include "base/matrix.h"
#include "base/points.h"
#include "base/random.h"
#include "base/alloc.h"

enum { MAX_KMEANS_ROUNDS = 50 };

linex_points linex_points_of(const linex_samples *samples)
{
    return (linex_points){samples->count, samples->feature_count, samples->points, samples->masks};
}

/* Counts how often each point was planned. */
static void count_copies(const linex_samples *samples, double *copies)
{
    memset(copies, 0, samples->count * sizeof *copies);
    for (size_t i = 0; i < samples->planned; i++) copies[linex_point_of(samples, i)] += 1;
}

static void draw_bootstrap(const linex_samples *samples, linex_random *random, double *counts)
{
    memset(counts, 0, samples->count * sizeof *counts);
    for (size_t i = 0; i < samples->planned; i++)
        counts[linex_point_of(samples, linex_random_below(random, (uint32_t)samples->planned))] += 1;
}

static void assign_parts(const linex_samples *samples, size_t players, const uint32_t *order, double *weights)
{
    for (size_t i = 0; i < samples->planned; i++) {
        size_t player = (size_t)((uint64_t)i * players / samples->planned);
        weights[player * samples->count + linex_point_of(samples, order[i])] += 1;
    }
}

typedef struct {
    double distance;
    uint32_t sample;
} ranked;

static int nearer(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
    return (a->sample > b->sample) - (a->sample < b->sample);
}

static linex_status order_by_distance(const linex_samples *samples, uint32_t *order)
{
    ranked *ranks = calloc(samples->planned, sizeof *ranks);
    if (!ranks) return LINEX_NO_MEMORY;
    for (size_t i = 0; i < samples->planned; i++)
        ranks[i] = (ranked){samples->distances[linex_point_of(samples, i)], (uint32_t)i};
    qsort(ranks, samples->planned, sizeof *ranks, nearer);
    for (size_t i = 0; i < samples->planned; i++) order[i] = ranks[i].sample;
    free(ranks);
    return LINEX_OK;
}

/* Splits the samples into disjoint parts of equal size, in random order or from near to far. */
static linex_status split_evenly(const linex_samples *samples, size_t players, bool by_distance, linex_random *random,
                                 double *weights)
{
    uint32_t *order = calloc(samples->planned, sizeof *order);
    if (!order) return LINEX_NO_MEMORY;
    for (size_t i = 0; i < samples->planned; i++) order[i] = (uint32_t)i;
    linex_status status = LINEX_OK;
    if (by_distance)
        status = order_by_distance(samples, order);
    else
        linex_random_shuffle(random, samples->planned, order);
    if (!status) assign_parts(samples, players, order, weights);
    free(order);
    return status;
}

/* The kernel width of player i is (i + 1) / k times the given one. Its weights are the given weights times the ratio
 * of the two kernels. */
static void narrow_kernels(const linex_samples *samples, const linex_environment_settings *settings,
                           const double *counts, double *weights)
{
    for (size_t i = 0; i < settings->players; i++) {
        double fraction = (double)(i + 1) / (double)settings->players;
        double steeper = 1 / (fraction * fraction) - 1;
        for (size_t j = 0; j < samples->count; j++) {
            double scaled = samples->distances[j] / settings->kernel;
            /* The widest kernel is the given one. Without the test, a distant sample would give 0 * infinity. */
            double ratio = steeper > 0 ? linex_exp(-0.5 * scaled * scaled * steeper) : 1;
            weights[i * samples->count + j] = counts[j] * ratio;
        }
    }
}

static double square_between(size_t feature_count, const double *a, const double *b)
{
    double sum = 0;
    for (size_t c = 0; c < feature_count; c++) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

static size_t nearest_center(size_t centers, size_t feature_count, const double *positions, const double *point,
                             double *square)
{
    size_t best = 0;
    *square = DBL_MAX;
    for (size_t i = 0; i < centers; i++) {
        double candidate = square_between(feature_count, positions + i * feature_count, point);
        if (candidate < *square) {
            *square = candidate;
            best = i;
        }
    }
    return best;
}

/* k-means++: each next center is a point drawn in proportion to its squared distance from the nearest center.
 *
 * scratch  feature_count */
static void place_centers(const linex_points *points, size_t centers, linex_random *random, double *scratch,
                          double *positions)
{
    size_t feature_count = points->feature_count;
    for (size_t i = 0; i < centers; i++) {
        double total = 0, square, at;
        for (size_t j = 0; i > 0 && j < points->count; j++) {
            nearest_center(i, feature_count, positions, linex_points_row(points, j, scratch), &square);
            total += square;
        }
        size_t pick = linex_random_below(random, (uint32_t)points->count);
        at = linex_random_uniform(random) * total;
        for (size_t j = 0; total > 0 && j < points->count; j++) {
            nearest_center(i, feature_count, positions, linex_points_row(points, j, scratch), &square);
            at -= square;
            if (at < 0) {
                pick = j;
                break;
            }
        }
        memcpy(positions + i * feature_count, linex_points_row(points, pick, scratch),
               feature_count * sizeof *positions);
    }
}

static linex_status cluster(const linex_samples *samples, size_t players, linex_random *random, const double *counts,
                            double *weights)
{
    const linex_points points = linex_points_of(samples);
    size_t feature_count = samples->feature_count, count = samples->count;
    double *positions = linex_alloc_doubles((2.0 * (double)players + 1) * (double)feature_count + (double)players);
    size_t *labels = calloc(count, sizeof *labels);
    linex_status status = positions && labels ? LINEX_OK : LINEX_NO_MEMORY;
    bool moved = !status;
    double *scratch = status ? NULL : positions + 2 * players * feature_count + players;
    if (!status) place_centers(&points, players, random, scratch, positions);
    for (size_t round = 0; moved && round < MAX_KMEANS_ROUNDS; round++) {
        double *sums = positions + players * feature_count, *sizes = sums + players * feature_count, square;
        memset(sums, 0, (players * feature_count + players) * sizeof *sums);
        moved = round == 0;
        for (size_t j = 0; j < count; j++) {
            const double *point = linex_points_row(&points, j, scratch);
            size_t label = nearest_center(players, feature_count, positions, point, &square);
            moved = moved || label != labels[j];
            labels[j] = label;
            sizes[label] += counts[j];
            linex_add_scaled(feature_count, counts[j], point, sums + label * feature_count);
        }
        for (size_t i = 0; i < players * feature_count; i++)
            if (sizes[i / feature_count] > 0) positions[i] = sums[i] / sizes[i / feature_count];
    }
    for (size_t j = 0; !status && j < count; j++) weights[labels[j] * count + j] = counts[j];
    free(positions);
    free(labels);
    return status;
}

static void copy_own(const linex_samples *samples, size_t players, double *weights)
{
    for (size_t i = 0; i < players; i++)
        for (size_t j = 0; j < samples->planned; j++)
            weights[i * samples->count + linex_point_of(samples, j)] +=
                samples->own_weights[i * samples->planned + j];
}

/* Counts the copies of each sample in each environment, before proximity. */
static linex_status draw_counts(const linex_samples *samples, const linex_environment_settings *settings,
                                linex_random *random, const double *copies, double *weights)
{
    switch (settings->kind) {
    case LINEX_BOOTSTRAP:
        for (size_t i = 0; i < settings->players; i++) draw_bootstrap(samples, random, weights + i * samples->count);
        return LINEX_OK;
    case LINEX_HALVES:
        return split_evenly(samples, settings->players, false, random, weights);
    case LINEX_NEAR_FAR:
        return split_evenly(samples, settings->players, true, random, weights);
    case LINEX_WIDTHS:
        narrow_kernels(samples, settings, copies, weights);
        return LINEX_OK;
    case LINEX_CLUSTERS:
        return cluster(samples, settings->players, random, copies, weights);
    case LINEX_OWN:
        copy_own(samples, settings->players, weights);
        return LINEX_OK;
    }
    return LINEX_BAD_ARGUMENT;
}

/* Draws environments again if their kind is not random, by a bootstrap of the samples. */
static void resample(const linex_samples *samples, size_t players, linex_random *random, const double *copies,
                     double *counts, double *weights)
{
    draw_bootstrap(samples, random, counts);
    for (size_t i = 0; i < players; i++)
        for (size_t j = 0; j < samples->count; j++)
            if (copies[j] > 0) weights[i * samples->count + j] *= counts[j] / copies[j];
}

static void weigh(const linex_samples *samples, const linex_environment_settings *settings, double *weights)
{
    size_t count = samples->count;
    size_t row = linex_point_of(samples, 0);
    for (size_t i = 0; i < settings->players; i++) {
        double *own = weights + i * count;
        for (size_t j = 0; settings->kind != LINEX_OWN && j < count; j++) own[j] *= samples->weights[j];
        if (settings->anchored && own[row] < samples->weights[row]) own[row] = samples->weights[row];
    }
}

bool linex_point_indices_are_valid(const linex_samples *samples)
{
    if (samples->planned > UINT32_MAX) return false;
    if (!samples->point_of) return samples->planned == samples->count;
    for (size_t i = 0; i < samples->planned; i++)
        if (samples->point_of[i] >= samples->count) return false;
    return true;
}

static bool arguments_are_good(const linex_samples *samples, const linex_environment_settings *settings)
{
    if (!samples || !settings || !samples->count || !samples->planned || !settings->players) return false;
    if (!samples->points == !samples->masks || !samples->weights) return false;
    if (samples->planned > UINT32_MAX || (!samples->point_of && samples->planned != samples->count)) return false;
    bool needs_distances = settings->kind == LINEX_NEAR_FAR || settings->kind == LINEX_WIDTHS;
    if (needs_distances && !samples->distances) return false;
    if (settings->kind == LINEX_WIDTHS && !(settings->kernel > 0)) return false;
    return settings->kind != LINEX_OWN || samples->own_weights;
}

/* Sample i of a neighborhood uses stream i of the seed. The draws use streams from 2^63 on. */
linex_random linex_environments_stream(uint64_t seed, uint64_t draw)
{
    const linex_random root = linex_random_seed(seed);
    return linex_random_split(&root, (UINT64_C(1) << 63) + draw);
}

linex_status linex_environments_draw(const linex_samples *samples, const linex_environment_settings *settings,
                                     uint64_t seed, uint64_t draw, double *weights)
{
    if (!arguments_are_good(samples, settings) || !weights) return LINEX_BAD_ARGUMENT;
    double *copies = linex_alloc_doubles(2.0 * (double)samples->count);
    if (!copies) return LINEX_NO_MEMORY;
    count_copies(samples, copies);
    linex_random random = linex_environments_stream(seed, draw);
    memset(weights, 0, settings->players * samples->count * sizeof *weights);
    linex_status status = draw_counts(samples, settings, &random, copies, weights);
    bool is_random = settings->kind == LINEX_BOOTSTRAP || settings->kind == LINEX_HALVES;
    if (!status && draw > 0 && !is_random)
        resample(samples, settings->players, &random, copies, copies + samples->count, weights);
    if (!status) weigh(samples, settings, weights);
    free(copies);
    return status;
}
