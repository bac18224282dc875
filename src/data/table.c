/* table.c: statistics of the columns of a table. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "matrices/matrix.h"

/* Sums use the largest absolute value as their unit, so they neither overflow nor underflow. */
static double largest_of(size_t count, const double *sorted)
{
    return fmax(fabs(sorted[0]), fabs(sorted[count - 1]));
}

static double mean_of(size_t count, const double *sorted)
{
    double unit = largest_of(count, sorted), sum = 0;
    if (unit == 0) return 0;
    for (size_t i = 0; i < count; i++) sum += sorted[i] / unit;
    return unit * (sum / (double)count);
}

static double spread_of(size_t count, const double *sorted, double mean)
{
    /* The computed mean of equal numbers can differ from them, but the spread of a constant column must be 0. */
    if (sorted[0] == sorted[count - 1]) return 0;
    double unit = largest_of(count, sorted), sum = 0;
    for (size_t i = 0; i < count; i++) {
        double difference = sorted[i] / unit - mean / unit;
        sum += difference * difference;
    }
    return fmin(unit * sqrt(sum / (double)count), DBL_MAX); /* rounding may take it beyond */
}

/* A bin holds the values above its lower quartile and up to its upper quartile. */
static void describe_bins(size_t count, const double *sorted, const double *quartiles, double *bins)
{
    size_t start = 0;
    for (size_t bin = 0; bin < 4; bin++, bins += 3) {
        size_t end = start;
        while (end < count && (bin == 3 || sorted[end] <= quartiles[bin])) end++;
        size_t inside = end - start;
        bins[0] = (double)inside / (double)count;
        bins[1] = inside ? mean_of(inside, sorted + start) : 0;
        bins[2] = inside ? spread_of(inside, sorted + start, bins[1]) : 0;
        start = end;
    }
}

linex_status linex_column_describe(size_t count, const double *values, double *statistics)
{
    if (!count || !values || !statistics || !linex_all_finite(count, values)) return LINEX_BAD_ARGUMENT;
    double *sorted = linex_alloc_doubles((double)count);
    if (!sorted) return LINEX_NO_MEMORY;
    memcpy(sorted, values, count * sizeof *sorted);
    linex_sort(count, sorted);

    double mean = mean_of(count, sorted);
    statistics[LINEX_COLUMN_MEAN] = mean;
    statistics[LINEX_COLUMN_SPREAD] = spread_of(count, sorted, mean);
    statistics[LINEX_COLUMN_MIN] = sorted[0];
    statistics[LINEX_COLUMN_MAX] = sorted[count - 1];
    double *quartiles = statistics + LINEX_COLUMN_QUARTILES;
    for (size_t q = 0; q < 3; q++) quartiles[q] = linex_quantile(count, sorted, 0.25 * (double)(q + 1));
    describe_bins(count, sorted, quartiles, statistics + LINEX_COLUMN_BINS);
    free(sorted);
    return LINEX_OK;
}

linex_status linex_levels_describe(size_t count, const double *codes, size_t levels, double *frequencies)
{
    if (!count || !levels || levels > LINEX_MAX_LEVELS || !codes || !frequencies) return LINEX_BAD_ARGUMENT;
    memset(frequencies, 0, levels * sizeof *frequencies);
    for (size_t i = 0; i < count; i++) {
        if (!(codes[i] >= 0 && codes[i] < (double)levels) || codes[i] != floor(codes[i])) return LINEX_BAD_ARGUMENT;
        frequencies[(size_t)codes[i]] += 1;
    }
    for (size_t level = 0; level < levels; level++) frequencies[level] /= (double)count;
    return LINEX_OK;
}
