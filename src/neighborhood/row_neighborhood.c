/* row_neighborhood.c: makes rows near a row, and represents them as points. */
#include "neighborhood/designed_rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "linex.h"
#include "base/random.h"

enum { MAX_ATTEMPTS = 1000 };

linex_row_settings linex_row_defaults(void)
{
    return (linex_row_settings){.center = LINEX_CENTER_ROW};
}

static const double *column_statistics(const linex_table *table, size_t column)
{
    return table->statistics + column * LINEX_COLUMN_SIZE;
}

/* Draws an index in proportion to its share. */
static size_t draw_share(size_t count, const double *shares, size_t stride, linex_random *random)
{
    double within;
    return linex_share_find(count, shares, stride, linex_random_uniform(random), &within);
}

static size_t quartile_bin(const double *statistics, double value)
{
    size_t bin = 0;
    while (bin < 3 && value > statistics[LINEX_COLUMN_QUARTILES + bin]) bin++;
    return bin;
}

/* Draws a normal number with the bin's mean and spread, and again if it is outside the bin. The bin contains its mean
 * and is at least two spreads wide, so about half of the draws are inside. If the statistics contradict this, the
 * mean is returned. */
static double draw_in_bin(const double *statistics, size_t bin, linex_random *random)
{
    const double *shape = statistics + LINEX_COLUMN_BINS + 3 * bin;
    double low = bin == 0 ? statistics[LINEX_COLUMN_MIN] : statistics[LINEX_COLUMN_QUARTILES + bin - 1];
    double high = bin == 3 ? statistics[LINEX_COLUMN_MAX] : statistics[LINEX_COLUMN_QUARTILES + bin];
    for (int attempt = 0; shape[2] > 0 && attempt < MAX_ATTEMPTS; attempt++) {
        double normal;
        linex_random_normals(random, 1, &normal);
        double value = shape[1] + shape[2] * normal;
        if (value >= low && value <= high) return value;
    }
    return shape[1];
}

/* normal  a standard normal number; not read if columns are discretized */
static double draw_numeric(const double *statistics, double value, double normal, const linex_row_settings *settings,
                           linex_random *random)
{
    double spread = statistics[LINEX_COLUMN_SPREAD];
    if (spread == 0) return value;
    if (settings->discretize)
        return draw_in_bin(statistics, draw_share(4, statistics + LINEX_COLUMN_BINS, 3, random), random);
    double drawn = (settings->center == LINEX_CENTER_ROW ? value : statistics[LINEX_COLUMN_MEAN]) + spread * normal;
    return fmax(-DBL_MAX, fmin(drawn, DBL_MAX)); /* the model gets finite numbers only */
}

static bool are_shares(size_t count, const double *shares, size_t stride)
{
    for (size_t i = 0; i < count; i++)
        if (!(shares[i * stride] >= 0 && shares[i * stride] <= 1)) return false;
    return true;
}

static bool statistics_are_good(const double *statistics)
{
    const double *bins = statistics + LINEX_COLUMN_BINS;
    for (size_t i = 0; i < LINEX_COLUMN_SIZE; i++)
        if (!isfinite(statistics[i])) return false;
    for (size_t bin = 0; bin < 4; bin++)
        if (bins[3 * bin + 2] < 0) return false;
    return statistics[LINEX_COLUMN_SPREAD] >= 0 && are_shares(4, bins, 3);
}

static bool table_is_good(const linex_table *table)
{
    if (!table || !table->columns || !table->levels || !table->statistics) return false;
    const double *frequencies = table->frequencies;
    for (size_t c = 0; c < table->columns; c++) {
        uint32_t levels = table->levels[c];
        if (levels > LINEX_MAX_LEVELS || (levels && !frequencies)) return false;
        if (!(levels ? are_shares(levels, frequencies, 1) : statistics_are_good(column_statistics(table, c))))
            return false;
        if (levels) frequencies += levels;
    }
    return true;
}

/* Whether the values of the columns are finite, and those of categorical columns are levels. */
static bool rows_fit(const linex_table *table, size_t count, const double *rows)
{
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < table->columns; c++) {
            double value = rows[i * table->columns + c];
            if (!isfinite(value)) return false;
            if (table->levels[c] && !(value >= 0 && value < table->levels[c] && value == floor(value))) return false;
        }
    return true;
}

linex_status linex_rows_perturb(const linex_table *table, const double *row, const linex_row_settings *settings,
                                size_t first, size_t count, double *rows)
{
    if (!table_is_good(table) || !row || !rows_fit(table, 1, row) || !settings || !rows) return LINEX_BAD_ARGUMENT;
    if (settings->sampling != LINEX_DESIGNED && settings->sampling != LINEX_INDEPENDENT) return LINEX_BAD_ARGUMENT;
    const size_t inputs = first == 0 && count > 0;
    if (inputs) memcpy(rows, row, table->columns * sizeof *row);
    if (settings->sampling == LINEX_DESIGNED && count > inputs)
        return linex_rows_design(table, row, settings, first + inputs - 1, count - inputs,
                                 rows + inputs * table->columns);
    const linex_random seed = linex_random_seed(settings->seed);
    for (size_t i = inputs; i < count; i++) {
        double *sample = rows + i * table->columns;
        linex_random random = linex_random_split(&seed, first + i);
        if (!settings->discretize) linex_random_normals(&random, table->columns, sample);
        const double *frequencies = table->frequencies;
        for (size_t c = 0; c < table->columns; c++) {
            size_t levels = table->levels[c];
            if (levels) {
                sample[c] = (double)draw_share(levels, frequencies, 1, &random);
                frequencies += levels;
            } else {
                sample[c] = draw_numeric(column_statistics(table, c), row[c], sample[c], settings, &random);
            }
        }
    }
    return LINEX_OK;
}

static uint64_t mix(uint64_t hash, uint64_t bits)
{
    hash = (hash ^ bits) * 0xBF58476D1CE4E5B9u;
    return hash ^ hash >> 29;
}

static uint64_t hash_row(size_t bytes, const unsigned char *row)
{
    uint64_t hash = 0x9E3779B97F4A7C15u, bits = 0;
    size_t at = 0;
    for (; at + 8 <= bytes; at += 8) {
        memcpy(&bits, row + at, 8);
        hash = mix(hash, bits);
    }
    bits = 0;
    if (at < bytes) memcpy(&bits, row + at, bytes - at);
    return at < bytes ? mix(hash, bits) : hash;
}

linex_status linex_rows_merge(size_t count, size_t bytes, void *rows, uint32_t *point_of, size_t *distinct)
{
    if (!count || !bytes || !rows || !point_of || !distinct || count > UINT32_MAX / 4) return LINEX_BAD_ARGUMENT;
    size_t slots = 4;
    while (slots < 2 * count) slots *= 2;
    uint32_t *table = calloc(slots, sizeof *table); /* 0 is empty, i + 1 is distinct row i */
    if (!table) return LINEX_NO_MEMORY;
    unsigned char *first = rows;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *row = first + i * bytes;
        size_t slot = (size_t)hash_row(bytes, row) & (slots - 1);
        while (table[slot] && memcmp(first + (table[slot] - 1) * bytes, row, bytes) != 0)
            slot = (slot + 1) & (slots - 1);
        if (!table[slot]) {
            if (found < i) memmove(first + found * bytes, row, bytes);
            table[slot] = (uint32_t)++found;
        }
        point_of[i] = table[slot] - 1;
    }
    free(table);
    *distinct = found;
    return LINEX_OK;
}

static double represent(const linex_table *table, size_t column, double value, double here,
                        const linex_row_settings *settings)
{
    if (table->levels[column]) return value == here;
    const double *statistics = column_statistics(table, column);
    if (settings->discretize) return quartile_bin(statistics, value) == quartile_bin(statistics, here);
    if (settings->raw) return value;
    double spread = statistics[LINEX_COLUMN_SPREAD], mean = statistics[LINEX_COLUMN_MEAN];
    if (!(spread > 0)) spread = 1;
    /* The difference of huge numbers overflows although their distance in spreads does not. */
    return isfinite(value - mean) ? (value - mean) / spread : value / spread - mean / spread;
}

linex_status linex_rows_represent(const linex_table *table, const double *row, const linex_row_settings *settings,
                                  size_t count, const double *rows, double *points)
{
    if (!table_is_good(table) || !row || !settings || !rows || !points) return LINEX_BAD_ARGUMENT;
    if (!rows_fit(table, 1, row) || !rows_fit(table, count, rows)) return LINEX_BAD_ARGUMENT;
    for (size_t i = 0; i < count * table->columns; i++) {
        size_t column = i % table->columns;
        points[i] = represent(table, column, rows[i], row[column], settings);
        if (!isfinite(points[i])) return LINEX_OVERFLOW;
    }
    return LINEX_OK;
}

/* The distance of points whose squared differences overflow or underflow. Returns NaN if a coordinate is not finite. */
static double scaled_distance(size_t feature_count, const double *point, const double *at)
{
    double unit = 0, square = 0;
    for (size_t c = 0; c < feature_count; c++) {
        if (!isfinite(point[c]) || !isfinite(at[c])) return (double)NAN;
        unit = fmax(unit, fabs(0.5 * point[c] - 0.5 * at[c]));
    }
    if (unit == 0) return 0;
    for (size_t c = 0; c < feature_count; c++) {
        double difference = (0.5 * point[c] - 0.5 * at[c]) / unit;
        square += difference * difference;
    }
    return fmin(2 * (unit * sqrt(square)), DBL_MAX);
}

linex_status linex_proximity(size_t count, size_t feature_count, const double *points, const double *at,
                             double kernel, double *distances, double *weights)
{
    if (!points || !at || !distances || !weights || !(kernel > 0)) return LINEX_BAD_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        const double *point = points + i * feature_count;
        double square = 0;
        for (size_t c = 0; c < feature_count; c++) square += (point[c] - at[c]) * (point[c] - at[c]);
        bool ordinary = square > 1e-280 && square < 1e300;
        distances[i] = ordinary ? sqrt(square) : scaled_distance(feature_count, point, at);
        if (isnan(distances[i])) return LINEX_BAD_ARGUMENT;
        double scaled = distances[i] / kernel; /* not kernel * kernel, which may underflow */
        weights[i] = linex_exp(-0.5 * scaled * scaled);
    }
    return LINEX_OK;
}
