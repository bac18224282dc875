/* sides.c: splits samples by random planes near the input. */
#include "environments/sides.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/points.h"
#include "environments/sample_runs.h"

linex_status linex_sides_open(linex_sides *sides, size_t feature_count)
{
    double *next = linex_alloc_doubles(6.0 * (double)feature_count);
    *sides = (linex_sides){.center = next};
    if (!next) return LINEX_NO_MEMORY;
    sides->scale = next += feature_count;
    sides->direction = next += feature_count;
    sides->low = next += feature_count;
    sides->high = next += feature_count;
    sides->scratch = next + feature_count;
    return LINEX_OK;
}

void linex_sides_close(linex_sides *sides)
{
    free(sides->center);
}

/* Adds up the means, and the spreads around the input. */
static linex_status look_at_points(linex_sides *sides, const linex_samples *samples, const double *copies,
                                   const double *at, linex_cursor *cursor, linex_slice *slice)
{
    const linex_points points = linex_points_of(samples);
    for (; cursor->row < points.count; cursor->row++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t j = cursor->row;
        const double weight = copies[j] * samples->weights[j], *point = linex_points_row(&points, j, sides->scratch);
        for (size_t c = 0; weight > 0 && c < points.feature_count; c++) {
            double off = point[c] - at[c];
            sides->center[c] += weight * off;
            sides->scale[c] += weight * off * off;
            sides->low[c] = fmin(sides->low[c], off);
            sides->high[c] = fmax(sides->high[c], off);
        }
        sides->total += weight;
        linex_slice_use(slice, 3.0 * (double)points.feature_count);
    }
    cursor->row = 0;
    return LINEX_OK;
}

/* On entry, center and scale hold the sums of the distances from the input, and of their squares. */
static void find_center(linex_sides *sides, size_t feature_count, const double *at)
{
    for (size_t c = 0; c < feature_count; c++) {
        double mean = sides->total > 0 ? sides->center[c] / sides->total : 0;
        double spread = sides->total > 0 ? sqrt(sides->scale[c] / sides->total) : 0;
        bool inside = sides->low[c] < 0 && sides->high[c] > 0;
        sides->center[c] = inside ? at[c] : at[c] + mean;
        sides->scale[c] = spread > 0 && isfinite(1 / spread) ? 1 / spread : 0;
    }
}

linex_status linex_sides_advance(linex_sides *sides, const linex_samples *samples, const double *copies,
                                 const double *at, linex_random *random, linex_cursor *cursor, double *weights,
                                 linex_slice *slice)
{
    const linex_points points = linex_points_of(samples);
    size_t feature_count = points.feature_count;
    if (!sides->found) {
        if (look_at_points(sides, samples, copies, at, cursor, slice)) return LINEX_UNFINISHED;
        find_center(sides, feature_count, at);
        sides->found = true;
    }
    if (!sides->directed) {
        linex_random_normals(random, feature_count, sides->direction);
        for (size_t c = 0; c < feature_count; c++) sides->direction[c] *= sides->scale[c];
        sides->directed = true;
    }
    for (; cursor->row < points.count; cursor->row++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t j = cursor->row;
        const double *point = linex_points_row(&points, j, sides->scratch);
        double height = 0;
        for (size_t c = 0; c < feature_count; c++) height += sides->direction[c] * (point[c] - sides->center[c]);
        weights[(height > 0 ? 0 : points.count) + j] = copies[j];
        linex_slice_use(slice, 2.0 * (double)feature_count);
    }
    cursor->row = 0;
    sides->directed = false;
    return LINEX_OK;
}
