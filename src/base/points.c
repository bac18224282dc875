/* points.c: reading points that are stored as doubles or as bytes. */
#include "base/points.h"

#include <math.h>
#include <string.h>

/* Converts four bytes that are 0 or 1 at once. Compilers find no vector instruction for it. */
static void convert_four(const uint8_t *bytes, double *values)
{
    static const double all[16][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0},
                                      {0, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 0},
                                      {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1},
                                      {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
    uint32_t bits = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    /* The product has each byte's bit next to each other in bits 24 to 27. */
    memcpy(values, all[(bits * 0x01020408u) >> 24 & 15], sizeof *all);
}

const double *linex_points_row(const linex_points *points, size_t index, double *scratch)
{
    size_t columns = points->feature_count;
    if (points->values) return points->values + index * columns;
    const uint8_t *mask = points->masks + index * columns;
    size_t c = 0;
    for (; c + 4 <= columns; c += 4) convert_four(mask + c, scratch + c);
    for (; c < columns; c++) scratch[c] = (double)mask[c];
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
