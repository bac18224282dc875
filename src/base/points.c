#include "base/points.h"

#include <math.h>

const double *linex_points_row(const linex_points *points, size_t index, double *scratch)
{
    size_t width = points->width;
    if (points->values) return points->values + index * width;
    const uint8_t *mask = points->masks + index * width;
    for (size_t c = 0; c < width; c++) scratch[c] = (double)mask[c];
    return scratch;
}

bool linex_points_are_good(const linex_points *points)
{
    if (!points->count || !points->width || !points->values == !points->masks) return false;
    for (size_t i = 0; i < points->count * points->width; i++)
        if (points->values ? !isfinite(points->values[i]) : points->masks[i] > 1) return false;
    return true;
}
