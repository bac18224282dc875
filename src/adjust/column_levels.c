/* column_levels.c: finds the levels behind binary columns. */
#include "adjust/column_levels.h"

#include <math.h>

static linex_column_levels levels_of(uint32_t count, uint32_t own, const double *frequencies)
{
    linex_column_levels column = {count, own, frequencies, 0};
    size_t others = 0;
    for (size_t l = 0; l < count; l++) {
        if (l == own || !(frequencies[l] > 0)) continue;
        column.others += frequencies[l];
        others++;
    }
    return others > 1 ? column : (linex_column_levels){0};
}

void linex_column_levels_find(const linex_levels *levels, size_t feature_count, linex_column_levels *columns)
{
    size_t first = 0;
    for (size_t c = 0; c < feature_count; c++) {
        uint32_t count = levels ? levels->counts[c] : 0;
        columns[c] = (linex_column_levels){0};
        if (count == 0) continue;
        columns[c] = levels_of(count, (uint32_t)levels->row[c], levels->frequencies + first);
        first += count;
    }
}

double linex_column_levels_share(const linex_column_levels *column, size_t level)
{
    return level == column->own ? 0 : column->frequencies[level] / column->others;
}
