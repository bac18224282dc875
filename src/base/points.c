/* points.c: reading points that are stored as doubles or as bytes. */
#include "base/points.h"

#include <math.h>

const double *linex_points_row(const linex_points *points, size_t index, double *scratch)
{
    size_t columns = points->feature_count;
    if (points->values) return points->values + index * columns;
    const uint8_t *mask = points->masks + index * columns;
    for (size_t c = 0; c < columns; c++) scratch[c] = (double)mask[c];
    return scratch;
}

bool linex_points_are_good(const linex_points *points)
{
    if (!points->count || !points->feature_count || !points->values == !points->masks) return false;
    for (size_t i = 0; i < points->count * points->feature_count; i++)
        if (points->values ? !isfinite(points->values[i]) : points->masks[i] > 1) return false;
    return true;
}
