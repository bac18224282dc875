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
    size_t numbers = points->count * points->feature_count;
    uint8_t bits = 0;
    for (size_t i = 0; points->masks && i < numbers; i++) bits |= points->masks[i];
    for (size_t i = 0; points->values && i < numbers; i++)
        if (!isfinite(points->values[i])) return false;
    return bits <= 1;
}
