/* law.c: reads and checks the law of the samples. */
#include "adjust/law.h"

#include <math.h>

#include "matrices/matrix.h"

static bool columns_are_good(size_t count, const double *columns)
{
    if (!linex_all_finite(count * LINEX_LAW_SIZE, columns)) return false;
    for (size_t c = 0; c < count; c++) {
        const double *law = columns + c * LINEX_LAW_SIZE;
        bool binary = law[LINEX_LAW_BINARY] == 1;
        if (!binary && law[LINEX_LAW_BINARY] != 0) return false;
        if (law[LINEX_LAW_SPREAD] < 0 || law[LINEX_LAW_UNIT] < law[LINEX_LAW_SPREAD] * (binary ? 0 : 1)) return false;
        if (binary && !(law[LINEX_LAW_MEAN] >= 0 && law[LINEX_LAW_MEAN] <= 1)) return false;
    }
    return true;
}

static bool sizes_are_good(size_t count, const double *sizes)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(sizes[i] >= 0 && sizes[i] <= 1)) return false;
        sum += sizes[i];
    }
    return fabs(sum - 1) < 1e-9;
}

static bool is_level(double value, uint32_t count)
{
    return value >= 0 && value < count && value == floor(value);
}

/* Whether the columns with levels are binary, and all levels exist. */
static bool levels_are_good(const linex_law *law, const linex_samples *samples)
{
    const linex_levels *levels = law->levels;
    if (!law->columns || !levels->rows || !levels->row || !levels->counts) return false;
    const double *frequencies = levels->frequencies;
    for (size_t c = 0; c < samples->feature_count; c++) {
        uint32_t count = levels->counts[c];
        if (count == 0) continue;
        if (!frequencies || law->columns[c * LINEX_LAW_SIZE + LINEX_LAW_BINARY] != 1) return false;
        if (!is_level(levels->row[c], count)) return false;
        for (size_t l = 0; l < count; l++)
            if (!(frequencies[l] >= 0 && frequencies[l] <= 1)) return false;
        for (size_t i = 0; i < samples->count; i++)
            if (!is_level(levels->rows[i * samples->feature_count + c], count)) return false;
        frequencies += count;
    }
    return true;
}

bool linex_law_is_good(const linex_law *law, const linex_samples *samples)
{
    if (!law->columns == !law->sizes || !law->sizes != !samples->masks) return false;
    if (law->levels && !levels_are_good(law, samples)) return false;
    return law->columns ? columns_are_good(samples->feature_count, law->columns)
                        : sizes_are_good(samples->feature_count + 1, law->sizes);
}

linex_column_law linex_law_column(const linex_law *law, size_t column)
{
    const double *numbers = law->columns + column * LINEX_LAW_SIZE;
    return (linex_column_law){.binary = numbers[LINEX_LAW_BINARY] == 1,
                              .mean = numbers[LINEX_LAW_MEAN],
                              .spread = numbers[LINEX_LAW_SPREAD],
                              .unit = numbers[LINEX_LAW_UNIT]};
}

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
