#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "linex.h"
#include "base/sort.h"
#include "base/random.h"
#include "base/alloc.h"

/* A kernel so much below the nearest one, as an exponent of e, adds nothing: even 2^32 of them stay below 2^-53. */
static const double FAINT = 60;
static const double HALF_LOG_2_PI = 0.91893853320467274178;

/* Within these, squares, their sums and their ratios stay finite. */
static const double MOST_VALUE = 1e100, MOST_WIDTH = 1e50;

static bool is_width(double width)
{
    return width >= 1 / MOST_WIDTH && width <= MOST_WIDTH;
}

static bool are_values(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs(values[i]) <= MOST_VALUE)) return false;
    return true;
}

static bool are_points(size_t count, size_t width, const double *points)
{
    return count && width && points && count <= UINT32_MAX && are_values(count * width, points);
}

static double squared_distance(size_t width, const double *a, const double *b)
{
    double sum = 0;
    for (size_t c = 0; c < width; c++) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

static double smallest_of(size_t count, const double *values)
{
    double smallest = values[0];
    for (size_t i = 1; i < count; i++) smallest = values[i] < smallest ? values[i] : smallest;
    return smallest;
}

/* The logarithm of the mean kernel: of the sum over the squared distances, an infinite one being no kernel at all,
 * divided by the number of kernels. Taken relative to the nearest, so that far from all rows it is still a number. */
static double log_of_kernels(size_t count, const double *squares, double nearest, size_t kernels, size_t width,
                             double bandwidth)
{
    double half = 0.5 / (bandwidth * bandwidth), sum = 0;
    for (size_t i = 0; i < count; i++) {
        double below = (squares[i] - nearest) * half;
        if (below < FAINT) sum += linex_exp(-below);
    }
    double volume = (double)width * (linex_log(bandwidth) + HALF_LOG_2_PI);
    return linex_log(sum) - nearest * half - linex_log((double)kernels) - volume;
}

linex_status linex_density_log(const linex_density *density, size_t queries, const double *at, double *logs)
{
    if (!density || !are_points(density->count, density->width, density->points) || !is_width(density->bandwidth))
        return LINEX_BAD_ARGUMENT;
    if (!at || !logs || !are_values(queries * density->width, at)) return LINEX_BAD_ARGUMENT;
    const size_t count = density->count, width = density->width;
    double *squares = linex_alloc_doubles((double)count);
    if (!squares) return LINEX_NO_MEMORY;
    for (size_t q = 0; q < queries; q++) {
        for (size_t i = 0; i < count; i++)
            squares[i] = squared_distance(width, density->points + i * width, at + q * width);
        logs[q] = log_of_kernels(count, squares, smallest_of(count, squares), count, width, density->bandwidth);
    }
    free(squares);
    return LINEX_OK;
}

/* Squared distances from a row to those of other folds; infinite to those of its own. Returns how many others there
 * are. */
static size_t measure_other_folds(size_t count, size_t width, const double *points, const uint32_t *folds, size_t row,
                                  double *squares)
{
    size_t others = 0;
    for (size_t i = 0; i < count; i++) {
        squares[i] = (double)INFINITY;
        if (folds[i] == folds[row]) continue;
        squares[i] = squared_distance(width, points + i * width, points + row * width);
        others++;
    }
    return others;
}

linex_status linex_density_validate(size_t count, size_t width, const double *points, const uint32_t *folds,
                                    size_t row_count, const uint32_t *rows, size_t grid, const double *bandwidths,
                                    double *scores)
{
    if (!are_points(count, width, points) || !folds || !rows || !grid || !bandwidths || !scores)
        return LINEX_BAD_ARGUMENT;
    for (size_t g = 0; g < grid; g++)
        if (!is_width(bandwidths[g])) return LINEX_BAD_ARGUMENT;
    double *squares = linex_alloc_doubles((double)count);
    if (!squares) return LINEX_NO_MEMORY;
    linex_status status = LINEX_OK;
    for (size_t r = 0; r < row_count && !status; r++) {
        size_t others = rows[r] < count ? measure_other_folds(count, width, points, folds, rows[r], squares) : 0;
        if (!others) status = LINEX_BAD_ARGUMENT;
        double nearest = smallest_of(count, squares);
        for (size_t g = 0; g < grid && !status; g++)
            scores[g] += log_of_kernels(count, squares, nearest, others, width, bandwidths[g]);
    }
    free(squares);
    return status;
}

linex_density_settings linex_density_defaults(void)
{
    return (linex_density_settings){.nearness = LINEX_NEAR_DENSITY, .radius = 1, .least = 10};
}

/* The share of each kernel, not yet divided by their sum, over the squared distances.
 *
 * The product of the kernel of row x_i and of the closeness to x is again a Gaussian, and it holds
 *     exp(-|x_i - x|^2 / (2 (bandwidth^2 + radius^2)))
 * of the whole; what is no number keeps the row's value under its kernel, so its distance counts by the radius alone. */
static void weigh_by_density(size_t count, const double *apart, double bandwidth, double radius, double *squares)
{
    double both = 0.5 / (bandwidth * bandwidth + radius * radius), alone = 0.5 / (radius * radius);
    for (size_t i = 0; i < count; i++) squares[i] = squares[i] * both + (apart ? apart[i] * alone : 0);
    double nearest = smallest_of(count, squares);
    for (size_t i = 0; i < count; i++) squares[i] = linex_exp(nearest - squares[i]);
}

/* One for every row within the radius, and for the nearest of them in any case. */
static linex_status weigh_by_rows(size_t count, const double *apart, double radius, size_t least, double *squares)
{
    double *sorted = linex_alloc_doubles((double)count);
    if (!sorted) return LINEX_NO_MEMORY;
    for (size_t i = 0; i < count; i++) sorted[i] = squares[i] += apart ? apart[i] : 0;
    linex_sort(count, sorted);
    double reach = fmax(radius * radius, sorted[(least < count ? least : count) - 1]);
    free(sorted);
    for (size_t i = 0; i < count; i++) squares[i] = squares[i] <= reach;
    return LINEX_OK;
}

/* The first whose running sum passes a uniform share of the total. */
static size_t draw_kernel(size_t count, const double *sums, linex_random *random)
{
    double at = linex_random_uniform(random) * sums[count - 1];
    if (at >= sums[count - 1]) at = 0; /* rounded up to the end, once in 2^53: as good as the start */
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

/* Points by their kernels' running sums: the row, pulled towards the input, and the kernel's noise, narrowed. */
static void draw_points(const linex_density *density, const double *at, const linex_density_settings *settings,
                        const double *sums, size_t first, size_t samples, double *points, uint32_t *owner)
{
    const size_t width = density->width;
    double variance = density->bandwidth * density->bandwidth, pull = 0;
    if (settings->nearness == LINEX_NEAR_DENSITY) {
        double square = settings->radius * settings->radius;
        variance = 1 / (1 / variance + 1 / square);
        pull = variance / square;
    }
    const double spread = sqrt(variance);
    const linex_random seed = linex_random_seed(settings->seed);
    for (size_t s = 0; s < samples; s++) {
        linex_random random = linex_random_split(&seed, first + s);
        size_t kernel = draw_kernel(density->count, sums, &random);
        const double *row = density->points + kernel * width;
        double *point = points + s * width;
        linex_random_normals(&random, width, point);
        for (size_t c = 0; c < width; c++) point[c] = row[c] + pull * (at[c] - row[c]) + spread * point[c];
        owner[s] = (uint32_t)kernel;
    }
}

linex_status linex_density_sample(const linex_density *density, const double *at, const double *apart,
                                  const linex_density_settings *settings, size_t first, size_t samples,
                                  double *points, uint32_t *owner)
{
    if (!density || !are_points(density->count, density->width, density->points) || !is_width(density->bandwidth))
        return LINEX_BAD_ARGUMENT;
    if (!at || !settings || !points || !owner || !are_values(density->width, at)) return LINEX_BAD_ARGUMENT;
    const bool rows = settings->nearness == LINEX_NEAR_ROWS;
    if (!rows && settings->nearness != LINEX_NEAR_DENSITY) return LINEX_BAD_ARGUMENT;
    const double radius = settings->radius;
    if (rows ? !(radius >= 0 && settings->least) : !(is_width(radius) || radius == (double)INFINITY))
        return LINEX_BAD_ARGUMENT;
    const size_t count = density->count, width = density->width;
    if (apart && !are_values(count, apart)) return LINEX_BAD_ARGUMENT;
    double *sums = linex_alloc_doubles((double)count);
    if (!sums) return LINEX_NO_MEMORY;
    for (size_t i = 0; i < count; i++) sums[i] = squared_distance(width, density->points + i * width, at);
    linex_status status = LINEX_OK;
    if (rows)
        status = weigh_by_rows(count, apart, radius, settings->least, sums);
    else
        weigh_by_density(count, apart, density->bandwidth, radius, sums);
    for (size_t i = 1; i < count; i++) sums[i] += sums[i - 1];
    if (!status) draw_points(density, at, settings, sums, first, samples, points, owner);
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

linex_status linex_cloud_draw(size_t width, const double *center, double radius, uint64_t seed, size_t first,
                              size_t samples, double *points)
{
    if (!width || !center || !points || !(radius >= 0 && radius <= MOST_WIDTH) || !are_values(width, center))
        return LINEX_BAD_ARGUMENT;
    const linex_random parent = linex_random_seed(seed);
    for (size_t s = 0; s < samples; s++) {
        linex_random random = linex_random_split(&parent, first + s);
        double *point = points + s * width;
        linex_random_normals(&random, width, point);
        for (size_t c = 0; c < width; c++) point[c] = center[c] + radius * point[c];
    }
    return LINEX_OK;
}
