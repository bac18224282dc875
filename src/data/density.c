/* density.c: kernel densities of rows, their cross-validation, and samples near a point. */
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "linex.h"
#include "base/sort.h"
#include "base/random.h"
#include "base/sobol.h"
#include "base/designed_normals.h"
#include "base/alloc.h"

/* A kernel whose exponent is this far below that of the nearest kernel is ignored: 2^32 of them sum to less than
 * 2^-53. */
static const double NEGLIGIBLE_EXPONENT = 60;
static const double HALF_LOG_2_PI = 0.91893853320467274178;

/* Within these limits, squares, their sums and their ratios are finite. */
static const double MAX_VALUE = 1e100, MAX_RADIUS = 1e50;

static bool is_radius(double radius)
{
    return radius >= 1 / MAX_RADIUS && radius <= MAX_RADIUS;
}

static bool are_values(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs(values[i]) <= MAX_VALUE)) return false;
    return true;
}

static bool are_points(size_t count, size_t columns, const double *points)
{
    return count && columns && points && count <= UINT32_MAX && are_values(count * columns, points);
}

static bool is_density(const linex_density *density)
{
    return density && are_points(density->count, density->columns, density->points) && is_radius(density->bandwidth);
}

static double squared_distance(size_t columns, const double *a, const double *b)
{
    double sum = 0;
    for (size_t c = 0; c < columns; c++) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

/* squares  count: the squared distance from each row to a point */
static void measure_distances(const linex_density *density, const double *at, double *squares)
{
    for (size_t i = 0; i < density->count; i++)
        squares[i] = squared_distance(density->columns, density->points + i * density->columns, at);
}

static double smallest_of(size_t count, const double *values)
{
    double smallest = values[0];
    for (size_t i = 1; i < count; i++) smallest = values[i] < smallest ? values[i] : smallest;
    return smallest;
}

/* The logarithm of the mean kernel: the sum of the kernels at the squared distances, divided by `kernels`. An
 * infinite distance adds nothing. The sum is relative to the nearest kernel, so the result is finite even far from
 * all rows. */
static double log_of_kernels(size_t count, const double *squares, double nearest, size_t kernels, size_t columns,
                             double bandwidth)
{
    double half = 0.5 / (bandwidth * bandwidth), sum = 0;
    for (size_t i = 0; i < count; i++) {
        double below = (squares[i] - nearest) * half;
        if (below < NEGLIGIBLE_EXPONENT) sum += linex_exp(-below);
    }
    double volume = (double)columns * (linex_log(bandwidth) + HALF_LOG_2_PI);
    return linex_log(sum) - nearest * half - linex_log((double)kernels) - volume;
}

linex_status linex_density_log(const linex_density *density, size_t queries, const double *at, double *logs)
{
    if (!is_density(density) || !at || !logs || !are_values(queries * density->columns, at))
        return LINEX_BAD_ARGUMENT;
    const size_t count = density->count, columns = density->columns;
    double *squares = linex_alloc_doubles((double)count);
    if (!squares) return LINEX_NO_MEMORY;
    for (size_t q = 0; q < queries; q++) {
        measure_distances(density, at + q * columns, squares);
        logs[q] = log_of_kernels(count, squares, smallest_of(count, squares), count, columns, density->bandwidth);
    }
    free(squares);
    return LINEX_OK;
}

/* Computes the squared distances from a row to the rows of other folds. The distances to the rows of its own fold are
 * infinite. Returns the number of rows in other folds. */
static size_t measure_other_folds(size_t count, size_t columns, const double *points, const uint32_t *folds,
                                  size_t row, double *squares)
{
    size_t others = 0;
    for (size_t i = 0; i < count; i++) {
        squares[i] = (double)INFINITY;
        if (folds[i] == folds[row]) continue;
        squares[i] = squared_distance(columns, points + i * columns, points + row * columns);
        others++;
    }
    return others;
}

linex_status linex_density_validate(size_t count, size_t columns, const double *points, const uint32_t *folds,
                                    size_t row_count, const uint32_t *rows, size_t bandwidth_count,
                                    const double *bandwidths, double *scores)
{
    if (!are_points(count, columns, points) || !folds || !rows || !bandwidth_count || !bandwidths || !scores)
        return LINEX_BAD_ARGUMENT;
    for (size_t g = 0; g < bandwidth_count; g++)
        if (!is_radius(bandwidths[g])) return LINEX_BAD_ARGUMENT;
    double *squares = linex_alloc_doubles((double)count);
    if (!squares) return LINEX_NO_MEMORY;
    linex_status status = LINEX_OK;
    for (size_t r = 0; r < row_count && !status; r++) {
        size_t others = rows[r] < count ? measure_other_folds(count, columns, points, folds, rows[r], squares) : 0;
        if (!others) status = LINEX_BAD_ARGUMENT;
        double nearest = smallest_of(count, squares);
        for (size_t g = 0; g < bandwidth_count && !status; g++)
            scores[g] += log_of_kernels(count, squares, nearest, others, columns, bandwidths[g]);
    }
    free(squares);
    return status;
}

linex_density_settings linex_density_defaults(void)
{
    return (linex_density_settings){.nearness = LINEX_NEAR_DENSITY, .radius = 1, .min_rows = 10};
}

/* Replaces the squared distances by the share of each kernel, not yet divided by their sum.
 *
 * The kernel of row x_i times the closeness to x is again a Gaussian. Its mass is proportional to
 *     exp(-|x_i - x|^2 / (2 (bandwidth^2 + radius^2))).
 * The kernel does not vary the extra distances, so they are divided by the radius alone. */
static void weigh_by_density(size_t count, const double *extra_squares, double bandwidth, double radius,
                             double *squares)
{
    double factor = 0.5 / (bandwidth * bandwidth + radius * radius), extra_factor = 0.5 / (radius * radius);
    for (size_t i = 0; i < count; i++)
        squares[i] = squares[i] * factor + (extra_squares ? extra_squares[i] * extra_factor : 0);
    double nearest = smallest_of(count, squares);
    for (size_t i = 0; i < count; i++) squares[i] = linex_exp(nearest - squares[i]);
}

/* Replaces the squared distances by 1 for the rows within the radius and for the nearest `min_rows`, by 0 for
 * others. */
static linex_status weigh_by_rows(size_t count, const double *extra_squares, double radius, size_t min_rows,
                                  double *squares)
{
    double *sorted = linex_alloc_doubles((double)count);
    if (!sorted) return LINEX_NO_MEMORY;
    for (size_t i = 0; i < count; i++) sorted[i] = squares[i] += extra_squares ? extra_squares[i] : 0;
    linex_sort(count, sorted);
    double reach = fmax(radius * radius, sorted[(min_rows < count ? min_rows : count) - 1]);
    free(sorted);
    for (size_t i = 0; i < count; i++) squares[i] = squares[i] <= reach;
    return LINEX_OK;
}

/* Returns the first kernel whose running sum exceeds a share of the total. */
static size_t draw_kernel(size_t count, const double *sums, double share)
{
    double at = share * sums[count - 1];
    if (at >= sums[count - 1]) at = 0; /* the product can round up to the total, about once in 2^53 draws */
    size_t low = 0, high = count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The rows and the noise of designed samples. The first column of the Sobol points chooses the row. */
static void draw_designed(const linex_density *density, const linex_random *seed, const double *sums, size_t first,
                          size_t samples, double *points, uint32_t *source_rows)
{
    linex_sobol_words(seed, 0, first, samples, source_rows);
    for (size_t s = 0; s < samples; s++)
        source_rows[s] = (uint32_t)draw_kernel(density->count, sums, linex_word_share(source_rows[s]));
    linex_sobol_normals(seed, 1, density->columns, first, samples, points);
}

/* Draws points: a row, moved towards the input, plus the kernel's noise with a smaller spread.
 *
 * sums  count: the running sums of the kernels' shares */
static void draw_points(const linex_density *density, const double *at, const linex_density_settings *settings,
                        const double *sums, size_t first, size_t samples, double *points, uint32_t *source_rows)
{
    const size_t columns = density->columns;
    double variance = density->bandwidth * density->bandwidth, pull = 0;
    if (settings->nearness == LINEX_NEAR_DENSITY) {
        double square = settings->radius * settings->radius;
        variance = 1 / (1 / variance + 1 / square);
        pull = variance / square;
    }
    const double spread = sqrt(variance);
    const linex_random seed = linex_random_seed(settings->seed);
    const bool designed = settings->sampling == LINEX_DESIGNED;
    if (designed) draw_designed(density, &seed, sums, first, samples, points, source_rows);
    for (size_t s = 0; s < samples; s++) {
        double *point = points + s * columns;
        if (!designed) {
            linex_random random = linex_random_split(&seed, first + s);
            source_rows[s] = (uint32_t)draw_kernel(density->count, sums, linex_random_uniform(&random));
            linex_random_normals(&random, columns, point);
        }
        const double *row = density->points + source_rows[s] * columns;
        for (size_t c = 0; c < columns; c++) point[c] = row[c] + pull * (at[c] - row[c]) + spread * point[c];
    }
}

linex_status linex_density_sample(const linex_density *density, const double *at, const double *extra_squares,
                                  const linex_density_settings *settings, size_t first, size_t samples,
                                  double *points, uint32_t *source_rows)
{
    if (!is_density(density) || !at || !settings || !points || !source_rows || !are_values(density->columns, at))
        return LINEX_BAD_ARGUMENT;
    const bool by_rows = settings->nearness == LINEX_NEAR_ROWS;
    if (!by_rows && settings->nearness != LINEX_NEAR_DENSITY) return LINEX_BAD_ARGUMENT;
    if (settings->sampling != LINEX_DESIGNED && settings->sampling != LINEX_INDEPENDENT) return LINEX_BAD_ARGUMENT;
    const double radius = settings->radius;
    if (by_rows ? !(radius >= 0 && settings->min_rows) : !(is_radius(radius) || radius == (double)INFINITY))
        return LINEX_BAD_ARGUMENT;
    const size_t count = density->count;
    if (extra_squares && !are_values(count, extra_squares)) return LINEX_BAD_ARGUMENT;
    double *sums = linex_alloc_doubles((double)count);
    if (!sums) return LINEX_NO_MEMORY;
    measure_distances(density, at, sums);
    linex_status status = LINEX_OK;
    if (by_rows)
        status = weigh_by_rows(count, extra_squares, radius, settings->min_rows, sums);
    else
        weigh_by_density(count, extra_squares, density->bandwidth, radius, sums);
    for (size_t i = 1; i < count; i++) sums[i] += sums[i - 1];
    if (!status) draw_points(density, at, settings, sums, first, samples, points, source_rows);
    free(sums);
    return status;
}

linex_status linex_order_draw(size_t count, uint64_t seed, uint32_t *order)
{
    if (!count || !order || count > UINT32_MAX) return LINEX_BAD_ARGUMENT;
    linex_random random = linex_random_seed(seed);
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    linex_random_shuffle(&random, count, order);
    return LINEX_OK;
}

linex_status linex_cloud_draw(size_t columns, const double *center, double radius, linex_sampling sampling,
                              uint64_t seed, size_t first, size_t samples, double *points)
{
    if (!columns || !center || !points || !(radius >= 0 && radius <= MAX_RADIUS) || !are_values(columns, center))
        return LINEX_BAD_ARGUMENT;
    if (sampling != LINEX_DESIGNED && sampling != LINEX_INDEPENDENT) return LINEX_BAD_ARGUMENT;
    const linex_random parent = linex_random_seed(seed);
    if (sampling == LINEX_DESIGNED) {
        linex_status status = linex_designed_normals(&parent, columns, first, samples, points);
        if (status) return status;
    }
    for (size_t s = 0; s < samples; s++) {
        linex_random random = linex_random_split(&parent, first + s);
        double *point = points + s * columns;
        if (sampling == LINEX_INDEPENDENT) linex_random_normals(&random, columns, point);
        for (size_t c = 0; c < columns; c++) point[c] = center[c] + radius * point[c];
    }
    return LINEX_OK;
}
