/* environments.c: splits answered samples into the environments of the players. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "environments/environments.h"
#include "base/points.h"
#include "base/random.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "matrices/matrix.h"

enum { MAX_KMEANS_ROUNDS = 50 };

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

static linex_status order_by_distance(const linex_samples *samples, uint32_t *order)
{
    double *distances = linex_alloc_doubles((double)samples->planned);
    if (!distances) return LINEX_NO_MEMORY;
    for (size_t i = 0; i < samples->planned; i++) distances[i] = samples->distances[linex_point_of(samples, i)];
    linex_sort_order(samples->planned, distances, order);
    free(distances);
    return LINEX_OK;
}

/* Splits the samples into disjoint parts of equal size, from near to far. */
static linex_status split_by_distance(const linex_samples *samples, size_t players, double *weights)
{
    uint32_t *order = calloc(samples->planned, sizeof *order);
    if (!order) return LINEX_NO_MEMORY;
    linex_status status = order_by_distance(samples, order);
    if (!status) assign_parts(samples, players, order, weights);
    free(order);
    return status;
}

/* Splits the samples into disjoint parts, made of whole runs. */
static void split_runs(linex_drawing *drawing, uint64_t seed, uint64_t draw, double *weights)
{
    const linex_samples *samples = drawing->samples;
    size_t players = drawing->settings->players, runs = drawing->runs;
    if (!drawing->assigned) linex_sample_runs_assign(samples, players, seed, drawing->run_of);
    drawing->assigned = true;
    linex_sample_runs_draw(drawing->settings, samples->complete, runs, seed, draw, drawing->order,
                           drawing->run_weights);
    for (size_t j = 0; j < samples->planned; j++)
        for (size_t i = 0; i < players; i++)
            weights[i * samples->count + linex_point_of(samples, j)] +=
                drawing->run_weights[i * runs + drawing->run_of[j]];
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

/* Moves the squares of all points to the newest center, if that is nearer. */
static linex_status measure_squares(linex_drawing *drawing, const linex_points *points, linex_slice *slice)
{
    linex_clusters *clusters = &drawing->clusters;
    size_t feature_count = points->feature_count, newest = clusters->placed - 1;
    for (; drawing->cursor.row < points->count; drawing->cursor.row++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t j = drawing->cursor.row;
        const double *point = linex_points_row(points, j, clusters->scratch);
        double square = square_between(feature_count, clusters->positions + newest * feature_count, point);
        if (!(square < DBL_MAX)) square = DBL_MAX;
        if (newest == 0 || square < clusters->squares[j]) clusters->squares[j] = square;
        linex_slice_use(slice, (double)feature_count);
    }
    drawing->cursor.row = 0;
    return LINEX_OK;
}

/* k-means++: each next center is a point drawn in proportion to its squared distance from the nearest center. */
static linex_status place_centers(linex_drawing *drawing, const linex_points *points, linex_slice *slice)
{
    linex_clusters *clusters = &drawing->clusters;
    size_t feature_count = points->feature_count;
    while (clusters->placed < drawing->settings->players) {
        double total = 0;
        if (clusters->placed > 0 && measure_squares(drawing, points, slice)) return LINEX_UNFINISHED;
        for (size_t j = 0; clusters->placed > 0 && j < points->count; j++) total += clusters->squares[j];
        size_t pick = linex_random_below(&drawing->random, (uint32_t)points->count);
        double at = linex_random_uniform(&drawing->random) * total;
        for (size_t j = 0; total > 0 && j < points->count; j++) {
            at -= clusters->squares[j];
            if (at < 0) {
                pick = j;
                break;
            }
        }
        memcpy(clusters->positions + clusters->placed * feature_count,
               linex_points_row(points, pick, clusters->scratch), feature_count * sizeof(double));
        clusters->placed++;
    }
    return LINEX_OK;
}

/* Assigns every point to its nearest center and adds it to the center's sums. */
static linex_status assign_points(linex_drawing *drawing, const linex_points *points, linex_slice *slice)
{
    linex_clusters *clusters = &drawing->clusters;
    size_t feature_count = points->feature_count, players = drawing->settings->players;
    if (drawing->cursor.row == 0) {
        memset(clusters->sums, 0, players * feature_count * sizeof(double));
        memset(clusters->sizes, 0, players * sizeof(double));
        clusters->moving = clusters->rounds == 0;
    }
    for (; drawing->cursor.row < points->count; drawing->cursor.row++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t j = drawing->cursor.row;
        double square;
        const double *point = linex_points_row(points, j, clusters->scratch);
        size_t label = nearest_center(players, feature_count, clusters->positions, point, &square);
        clusters->moving = clusters->moving || label != clusters->labels[j];
        clusters->labels[j] = (uint32_t)label;
        clusters->sizes[label] += drawing->copies[j];
        linex_add_scaled(feature_count, drawing->copies[j], point, clusters->sums + label * feature_count);
        linex_slice_use(slice, (double)((players + 1) * feature_count));
    }
    drawing->cursor.row = 0;
    clusters->moved = clusters->moving;
    return LINEX_OK;
}

/* k-means. The centers start anew with every draw. */
static linex_status cluster(linex_drawing *drawing, double *weights, linex_slice *slice)
{
    linex_clusters *clusters = &drawing->clusters;
    const linex_points points = linex_points_of(drawing->samples);
    size_t feature_count = points.feature_count, players = drawing->settings->players;
    if (place_centers(drawing, &points, slice)) return LINEX_UNFINISHED;
    while (clusters->moved && clusters->rounds < MAX_KMEANS_ROUNDS) {
        if (assign_points(drawing, &points, slice)) return LINEX_UNFINISHED;
        for (size_t i = 0; i < players * feature_count; i++) {
            double size = clusters->sizes[i / feature_count];
            if (size > 0) clusters->positions[i] = clusters->sums[i] / size;
        }
        clusters->rounds++;
    }
    for (size_t j = 0; j < points.count; j++) weights[clusters->labels[j] * points.count + j] = drawing->copies[j];
    return LINEX_OK;
}

static void copy_own(const linex_samples *samples, size_t players, double *weights)
{
    for (size_t i = 0; i < players; i++)
        for (size_t j = 0; j < samples->planned; j++)
            weights[i * samples->count + linex_point_of(samples, j)] +=
                samples->own_weights[i * samples->planned + j];
}

/* The input that sides are around: the given one, or sample 0. */
static const double *find_input(linex_drawing *drawing)
{
    const linex_samples *samples = drawing->samples;
    const linex_points points = linex_points_of(samples);
    if (drawing->settings->at) return drawing->settings->at;
    return linex_points_row(&points, linex_point_of(samples, 0), drawing->input);
}

/* Counts the copies of each sample in each environment, before proximity. */
static linex_status draw_counts(linex_drawing *drawing, uint64_t seed, uint64_t draw, double *weights,
                                linex_slice *slice)
{
    const linex_samples *samples = drawing->samples;
    const linex_environment_settings *settings = drawing->settings;
    switch (settings->kind) {
    case LINEX_BOOTSTRAP:
        for (size_t i = 0; i < settings->players; i++)
            draw_bootstrap(samples, &drawing->random, weights + i * samples->count);
        return LINEX_OK;
    case LINEX_HALVES:
        split_runs(drawing, seed, draw, weights);
        return LINEX_OK;
    case LINEX_NEAR_FAR:
        return split_by_distance(samples, settings->players, weights);
    case LINEX_WIDTHS:
        narrow_kernels(samples, settings, drawing->copies, weights);
        return LINEX_OK;
    case LINEX_CLUSTERS:
        return cluster(drawing, weights, slice);
    case LINEX_SIDES:
        return linex_sides_advance(&drawing->sides, samples, drawing->copies, find_input(drawing), &drawing->random,
                                   &drawing->cursor, weights, slice);
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

/* Whether all weights are finite and none is negative. */
static bool are_weights(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++)
        if (!(values[i] >= 0) || !isfinite(values[i])) return false;
    return true;
}

bool linex_environments_are_good(const linex_samples *samples, const linex_environment_settings *settings)
{
    if (!samples || !settings || !samples->count || !samples->planned || !settings->players) return false;
    if (settings->kind < LINEX_BOOTSTRAP || settings->kind > LINEX_OWN) return false;
    if (!samples->points == !samples->masks || !samples->weights) return false;
    if (!linex_point_indices_are_valid(samples) || !are_weights(samples->count, samples->weights)) return false;
    if (settings->kind == LINEX_SIDES && settings->players != 2) return false;
    if (settings->kind == LINEX_SIDES && settings->at && !linex_all_finite(samples->feature_count, settings->at))
        return false;
    bool needs_distances = settings->kind == LINEX_NEAR_FAR || settings->kind == LINEX_WIDTHS;
    if (needs_distances && !samples->distances) return false;
    if (samples->distances && !linex_all_finite(samples->count, samples->distances)) return false;
    if (settings->kind == LINEX_WIDTHS && (!(settings->kernel > 0) || !isfinite(settings->kernel))) return false;
    if (settings->kind != LINEX_OWN) return true;
    return samples->own_weights && (double)settings->players * (double)samples->planned < (double)SIZE_MAX / 8 &&
           are_weights(settings->players * samples->planned, samples->own_weights);
}

/* Makes room for k-means. */
static linex_status open_clusters(linex_drawing *drawing)
{
    double players = (double)drawing->settings->players, count = (double)drawing->samples->count;
    size_t feature_count = drawing->samples->feature_count;
    double *next = linex_alloc_doubles((2 * players + 1) * (double)feature_count + players + count);
    drawing->clusters.positions = next;
    drawing->clusters.labels = linex_alloc_items(count, sizeof *drawing->clusters.labels);
    if (!next || !drawing->clusters.labels) return LINEX_NO_MEMORY;
    next += drawing->settings->players * feature_count;
    drawing->clusters.sums = next, next += drawing->settings->players * feature_count;
    drawing->clusters.sizes = next, next += drawing->settings->players;
    drawing->clusters.scratch = next, next += feature_count;
    drawing->clusters.squares = next;
    return LINEX_OK;
}

/* Makes room for halves. */
static linex_status open_runs(linex_drawing *drawing)
{
    size_t players = drawing->settings->players, runs = linex_sample_runs_count(drawing->samples, players);
    drawing->runs = runs;
    drawing->run_of = linex_alloc_items((double)drawing->samples->planned, sizeof *drawing->run_of);
    drawing->order = linex_alloc_items((double)runs, sizeof *drawing->order);
    drawing->run_weights = linex_alloc_doubles((double)players * (double)runs);
    return drawing->run_of && drawing->order && drawing->run_weights ? LINEX_OK : LINEX_NO_MEMORY;
}

static linex_status open_sides(linex_drawing *drawing)
{
    size_t feature_count = drawing->samples->feature_count;
    drawing->input = linex_alloc_doubles((double)feature_count);
    return drawing->input ? linex_sides_open(&drawing->sides, feature_count) : LINEX_NO_MEMORY;
}

linex_status linex_drawing_open(linex_drawing *drawing, const linex_samples *samples,
                                const linex_environment_settings *settings)
{
    *drawing = (linex_drawing){.samples = samples, .settings = settings};
    drawing->copies = linex_alloc_doubles(2.0 * (double)samples->count);
    if (!drawing->copies) return LINEX_NO_MEMORY;
    count_copies(samples, drawing->copies);
    if (settings->kind == LINEX_HALVES) return open_runs(drawing);
    if (settings->kind == LINEX_SIDES) return open_sides(drawing);
    return settings->kind == LINEX_CLUSTERS ? open_clusters(drawing) : LINEX_OK;
}

void linex_drawing_close(linex_drawing *drawing)
{
    free(drawing->copies);
    free(drawing->clusters.positions);
    free(drawing->clusters.labels);
    free(drawing->run_of);
    free(drawing->order);
    free(drawing->run_weights);
    free(drawing->input);
    linex_sides_close(&drawing->sides);
}

/* Begins a draw: all weights are zero, and the random numbers are those of the draw. */
static void start_draw(linex_drawing *drawing, uint64_t seed, uint64_t draw, double *weights)
{
    size_t count = drawing->samples->count;
    drawing->random = linex_environments_stream(seed, draw);
    drawing->cursor = (linex_cursor){0};
    drawing->clusters.placed = drawing->clusters.rounds = 0;
    drawing->clusters.moved = true;
    if (drawing->clusters.labels) memset(drawing->clusters.labels, 0, count * sizeof *drawing->clusters.labels);
    memset(weights, 0, drawing->settings->players * count * sizeof *weights);
    drawing->started = true;
}

linex_status linex_drawing_advance(linex_drawing *drawing, uint64_t seed, uint64_t draw, double *weights,
                                   linex_slice *slice)
{
    const linex_samples *samples = drawing->samples;
    const linex_environment_settings *settings = drawing->settings;
    if (!drawing->started) start_draw(drawing, seed, draw, weights);
    linex_status status = draw_counts(drawing, seed, draw, weights, slice);
    if (status == LINEX_UNFINISHED) return status;
    drawing->started = false;
    if (status) return status;
    bool is_random =
        settings->kind == LINEX_BOOTSTRAP || settings->kind == LINEX_HALVES || settings->kind == LINEX_SIDES;
    if (draw > 0 && !is_random)
        resample(samples, settings->players, &drawing->random, drawing->copies, drawing->copies + samples->count,
                 weights);
    weigh(samples, settings, weights);
    linex_slice_use(slice, 8.0 * (double)settings->players * (double)samples->planned);
    return linex_all_finite(settings->players * samples->count, weights) ? LINEX_OK : LINEX_OVERFLOW;
}

linex_status linex_environments_draw(const linex_samples *samples, const linex_environment_settings *settings,
                                     uint64_t seed, uint64_t draw, double *weights)
{
    if (!linex_environments_are_good(samples, settings) || !weights) return LINEX_BAD_ARGUMENT;
    linex_drawing drawing;
    linex_slice slice = linex_slice_endless();
    linex_status status = linex_drawing_open(&drawing, samples, settings);
    if (!status) status = linex_drawing_advance(&drawing, seed, draw, weights, &slice);
    linex_drawing_close(&drawing);
    return status;
}
