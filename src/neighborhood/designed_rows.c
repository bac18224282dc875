/* designed_rows.c: columns of evenly spread points: normal numbers, levels, and numbers in the bins of a column. */
#include "neighborhood/designed_rows.h"

#include <float.h>
#include <math.h>

#include "base/designed_normals.h"
#include "base/normal_quantile.h"
#include "base/sobol.h"

enum { ROWS_AT_ONCE = 2 * LINEX_SOBOL_BLOCK };

size_t linex_share_find(size_t count, const double *shares, size_t stride, double at, double *within)
{
    double sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < count; i++) {
        double share = shares[i * stride];
        if (share == 0) continue;
        if (at < sum + share) {
            *within = (at - sum) / share;
            return i;
        }
        sum += share;
        last = i;
    }
    *within = 1;
    return last; /* rounding made the sum of the shares less than one */
}

static const double *column_statistics(const linex_table *table, size_t column)
{
    return table->statistics + column * LINEX_COLUMN_SIZE;
}

static bool varies(const linex_table *table, size_t column)
{
    return !table->levels[column] && column_statistics(table, column)[LINEX_COLUMN_SPREAD] > 0;
}

/* Moves normal numbers to the columns that vary, the last one first, because they use the same memory.
 *
 * rows  count x columns; on entry it begins with count x numeric normal numbers */
static void spread_normals(const linex_table *table, size_t count, size_t numeric, double *rows)
{
    const double *normal = rows + count * numeric;
    for (size_t i = count * table->columns; i-- > 0;)
        if (varies(table, i % table->columns)) rows[i] = *--normal;
}

/* Scales a column of normal numbers.
 *
 * values  count, `stride` apart */
static void scale_normals(double center, double spread, size_t count, size_t stride, double *values)
{
    for (size_t i = 0; i < count; i++) {
        double scaled = center + spread * values[i * stride];
        /* The model gets finite numbers only. */
        scaled = scaled > DBL_MAX ? DBL_MAX : scaled;
        values[i * stride] = scaled < -DBL_MAX ? -DBL_MAX : scaled;
    }
}

/* A normal distribution that is cut off at the ends of a bin. */
typedef struct {
    double mean, spread, low, high;
    double below, inside; /* shares of the normal distribution */
} cut_normal;

static cut_normal bin_of(const double *statistics, size_t bin)
{
    const double *shape = statistics + LINEX_COLUMN_BINS + 3 * bin;
    cut_normal cut = {.mean = shape[1], .spread = shape[2]};
    cut.low = bin == 0 ? statistics[LINEX_COLUMN_MIN] : statistics[LINEX_COLUMN_QUARTILES + bin - 1];
    cut.high = bin == 3 ? statistics[LINEX_COLUMN_MAX] : statistics[LINEX_COLUMN_QUARTILES + bin];
    if (!(cut.spread > 0)) return cut;
    cut.below = linex_normal_share((cut.low - cut.mean) / cut.spread);
    cut.inside = linex_normal_share((cut.high - cut.mean) / cut.spread) - cut.below;
    return cut;
}

/* One column of levels.
 *
 * values  count, `stride` apart, like those of the other columns */
static void fill_levels(size_t levels, const double *shares, const uint32_t *words, size_t count, size_t stride,
                        double *values)
{
    double within;
    for (size_t i = 0; i < count; i++)
        values[i * stride] = (double)linex_share_find(levels, shares, 1, linex_word_share(words[i]), &within);
}

/* One column of numbers in bins. A bin without width, or whose statistics contradict each other, has its mean only. */
static void fill_bins(const double *statistics, uint32_t *words, size_t count, size_t stride, double *values)
{
    double within, normals[ROWS_AT_ONCE];
    uint8_t bin_of_value[ROWS_AT_ONCE];
    cut_normal bins[4];
    for (size_t bin = 0; bin < 4; bin++) bins[bin] = bin_of(statistics, bin);
    for (size_t i = 0; i < count; i++) {
        size_t bin = linex_share_find(4, statistics + LINEX_COLUMN_BINS, 3, linex_word_share(words[i]), &within);
        bin_of_value[i] = (uint8_t)bin;
        words[i] = (uint32_t)((bins[bin].below + fmin(within, 0x1.fffffep-1) * bins[bin].inside) * 0x1p32);
    }
    for (size_t i = 0; i < ROWS_AT_ONCE; i += LINEX_NORMALS_BLOCK) linex_normals_from(words + i, normals + i);
    for (size_t i = 0; i < count; i++) {
        const cut_normal *cut = bins + bin_of_value[i];
        double value = fmax(cut->low, fmin(cut->mean + cut->spread * normals[i], cut->high));
        values[i * stride] = cut->inside > 0 ? value : cut->mean;
    }
}

/* At most ROWS_AT_ONCE rows. Columns that are no normal numbers use one column of the Sobol points each.
 *
 * dimension  the first one that the normal numbers do not use
 * rows       count x columns; on entry with the normal numbers in their columns */
static void fill_rows(const linex_table *table, const double *row, const linex_row_settings *settings,
                      const linex_random *root, size_t dimension, size_t first, size_t count, double *rows)
{
    uint32_t words[ROWS_AT_ONCE] = {0};
    const size_t columns = table->columns;
    const double *frequencies = table->frequencies;
    for (size_t c = 0; c < columns; c++) {
        const size_t levels = table->levels[c];
        const double *statistics = column_statistics(table, c);
        if (levels || (settings->discretize && varies(table, c)))
            linex_sobol_words(root, dimension++, first, count, words);
        if (levels) {
            fill_levels(levels, frequencies, words, count, columns, rows + c);
            frequencies += levels;
        } else if (!varies(table, c)) {
            for (size_t i = 0; i < count; i++) rows[i * columns + c] = row[c];
        } else if (settings->discretize) {
            fill_bins(statistics, words, count, columns, rows + c);
        } else {
            double center = settings->center == LINEX_CENTER_ROW ? row[c] : statistics[LINEX_COLUMN_MEAN];
            scale_normals(center, statistics[LINEX_COLUMN_SPREAD], count, columns, rows + c);
        }
    }
}

linex_status linex_rows_design(const linex_table *table, const double *row, const linex_row_settings *settings,
                               size_t first, size_t count, double *rows)
{
    const linex_random root = linex_random_seed(settings->seed);
    const size_t columns = table->columns;
    size_t numeric = 0;
    for (size_t c = 0; c < columns; c++) numeric += varies(table, c) && !settings->discretize;
    const bool mirrored = numeric > LINEX_SOBOL_DIMENSIONS;
    if (mirrored) {
        /* All at once, because a block of them may begin anywhere. */
        linex_status status = linex_mirrored_normals(&root, numeric, first, count, rows);
        if (status) return status;
        if (numeric < columns) spread_normals(table, count, numeric, rows);
    }
    for (size_t done = 0; done < count;) {
        size_t left = ROWS_AT_ONCE - (first + done) % ROWS_AT_ONCE;
        size_t some = count - done < left ? count - done : left;
        double *part = rows + done * columns;
        if (!mirrored && numeric) {
            linex_sobol_normals(&root, 0, numeric, first + done, some, part);
            if (numeric < columns) spread_normals(table, some, numeric, part);
        }
        fill_rows(table, row, settings, &root, mirrored ? 0 : numeric, first + done, some, part);
        done += some;
    }
    return LINEX_OK;
}
