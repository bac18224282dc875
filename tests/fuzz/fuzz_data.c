/* fuzz_data.c: attacks the statistics of tables, densities, random orders and clouds, and word vectors. */
#include "fuzz_support.h"

enum { MOST_COLUMNS = 5, MOST_ROWS = 32 };

static void describe_column(void)
{
    size_t count = fuzz_between(fuzz_is_wild() ? 0 : 1, MOST_ROWS);
    double *values = fuzz_numbers(count), statistics[LINEX_COLUMN_SIZE], shares = 0;
    if (CALL(linex_column_describe(count, values, fuzz_or_null(statistics)))) return;
    EXPECT_FINITE(LINEX_COLUMN_SIZE, statistics);
    double low = statistics[LINEX_COLUMN_MIN], high = statistics[LINEX_COLUMN_MAX];
    double slack = 1e-12 * fmax(fabs(low), fabs(high)), before = low;
    EXPECT_WITHIN(count, values, low, high);
    EXPECT_WITHIN(1, statistics + LINEX_COLUMN_MEAN, fmax(low - slack, -DBL_MAX), fmin(high + slack, DBL_MAX));
    EXPECT(statistics[LINEX_COLUMN_SPREAD] >= 0);
    for (size_t q = 0; q < 3; q++) {
        double quartile = statistics[LINEX_COLUMN_QUARTILES + q];
        EXPECT(quartile >= before && quartile <= high);
        before = quartile;
    }
    for (size_t bin = 0; bin < 4; bin++) shares += statistics[LINEX_COLUMN_BINS + 3 * bin];
    EXPECT(fabs(shares - 1) < 1e-9);
}

static void describe_levels(void)
{
    size_t count = fuzz_between(1, MOST_ROWS), levels = fuzz_between(1, 6);
    double *codes = fuzz_array(count, sizeof *codes), *frequencies = fuzz_array(levels, sizeof *frequencies), sum = 0;
    for (size_t i = 0; i < count; i++)
        codes[i] = fuzz_is_wild() && fuzz_rarely(16) ? fuzz_number() : (double)fuzz_below(levels);
    if (CALL(linex_levels_describe(count, fuzz_or_null(codes), levels, frequencies))) return;
    EXPECT_WITHIN(levels, frequencies, 0, 1);
    for (size_t i = 0; i < levels; i++) sum += frequencies[i];
    EXPECT(fabs(sum - 1) < 1e-9);
}

static linex_density any_density(void)
{
    linex_density density = {.count = fuzz_between(1, MOST_ROWS), .columns = fuzz_between(1, MOST_COLUMNS)};
    density.points = fuzz_numbers(density.count * density.columns);
    density.bandwidth = fuzz_positive();
    return density;
}

static void take_logs(void)
{
    linex_density density = any_density();
    size_t queries = fuzz_below(8);
    double *at = fuzz_numbers(queries * density.columns), *logs = fuzz_array(queries, sizeof *logs);
    if (CALL(linex_density_log(&density, queries, at, fuzz_or_null(logs)))) return;
    EXPECT_FINITE(queries, logs);
}

static void validate_bandwidths(void)
{
    linex_density density = any_density();
    size_t row_count = fuzz_below(8), bandwidth_count = fuzz_between(1, 4);
    uint32_t *folds = fuzz_indices(density.count, 4), *rows = fuzz_indices(row_count, density.count);
    double *bandwidths = fuzz_array(bandwidth_count, sizeof *bandwidths);
    double *scores = fuzz_array(bandwidth_count, sizeof *scores);
    for (size_t i = 0; i < bandwidth_count; i++) bandwidths[i] = fuzz_positive();
    memset(scores, 0, bandwidth_count * sizeof *scores);
    if (CALL(linex_density_validate(density.count, density.columns, density.points, folds, row_count, rows,
                                    bandwidth_count, bandwidths, scores)))
        return;
    EXPECT_FINITE(bandwidth_count, scores);
}

static void sample_density(void)
{
    linex_density density = any_density();
    linex_density_settings settings = linex_density_defaults();
    size_t samples = fuzz_below(MOST_ROWS), first = fuzz_below(3);
    settings.nearness = (linex_nearness)fuzz_choice(2);
    settings.radius = fuzz_rarely(8) ? INFINITY : fuzz_positive();
    settings.min_rows = fuzz_between(fuzz_is_wild() ? 0 : 1, 40);
    settings.seed = fuzz_byte();
    settings.sampling = (linex_sampling)fuzz_choice(2);
    double *at = fuzz_numbers(density.columns), *extra = fuzz_rarely(2) ? fuzz_shares(density.count) : NULL;
    double *points = fuzz_array(samples * density.columns, sizeof *points);
    uint32_t *source_rows = fuzz_array(samples, sizeof *source_rows);
    if (CALL(linex_density_sample(&density, at, extra, &settings, first, samples, points, fuzz_or_null(source_rows))))
        return;
    EXPECT_FINITE(samples * density.columns, points);
    EXPECT_BELOW(samples, source_rows, density.count);
}

static void draw_cloud(void)
{
    size_t columns = fuzz_between(1, fuzz_rarely(4) ? 140 : MOST_COLUMNS), samples = fuzz_below(MOST_ROWS);
    double *center = fuzz_numbers(columns), *points = fuzz_array(samples * columns, sizeof *points);
    const linex_sampling sampling = (linex_sampling)fuzz_choice(2);
    if (CALL(linex_cloud_draw(columns, center, fuzz_positive(), sampling, fuzz_byte(), fuzz_below(3), samples,
                              points)))
        return;
    EXPECT_FINITE(samples * columns, points);
}

static void draw_order(void)
{
    size_t count = fuzz_between(1, 200), asked = count;
    uint32_t *order = fuzz_array(count, sizeof *order);
    bool *seen = fuzz_array(count, sizeof *seen);
    if (fuzz_is_wild() && fuzz_rarely(4)) asked = fuzz_rarely(2) ? 0 : (size_t)UINT32_MAX + 1 + fuzz_byte();
    if (CALL(linex_order_draw(asked, fuzz_byte(), fuzz_or_null(order)))) return;
    EXPECT_BELOW(count, order, count);
    memset(seen, 0, count);
    for (size_t i = 0; i < count; i++) {
        EXPECT(!seen[order[i]]);
        seen[order[i]] = true;
    }
}

static float any_float(void)
{
    double number = fuzz_number();
    if (!fuzz_is_wild() && !(fabs(number) <= 3e38)) number = 1;
    return fabs(number) <= 3e38 || isnan(number) ? (float)number : (number > 0 ? INFINITY : -INFINITY);
}

static linex_word_vectors any_vectors(void)
{
    linex_word_vectors vectors = {.count = fuzz_between(1, 40), .dimensions = fuzz_between(1, 9)};
    vectors.words_per_block = fuzz_between(1, 16);
    size_t blocks = (vectors.count + vectors.words_per_block - 1) / vectors.words_per_block, left = vectors.count;
    const float **starts = fuzz_array(blocks, sizeof *starts);
    for (size_t b = 0; b < blocks; b++) {
        size_t words = left < vectors.words_per_block ? left : vectors.words_per_block;
        float *block = fuzz_array(words * vectors.dimensions, sizeof *block);
        for (size_t i = 0; i < words * vectors.dimensions; i++) block[i] = any_float();
        starts[b] = block;
        left -= words;
    }
    vectors.blocks = starts;
    return vectors;
}

static void find_words(void)
{
    linex_word_vectors vectors = any_vectors();
    size_t queries = fuzz_below(4), most = fuzz_between(fuzz_is_wild() ? 0 : 1, 12);
    double *squares = fuzz_array(vectors.count, sizeof *squares);
    float *points = fuzz_array(queries * vectors.dimensions, sizeof *points);
    for (size_t i = 0; i < queries * vectors.dimensions; i++) points[i] = any_float();
    if (CALL(linex_word_vectors_measure(&vectors, fuzz_or_null(squares)))) return;
    EXPECT_WITHIN(vectors.count, squares, 0, DBL_MAX);
    vectors.squares = squares;
    uint32_t *words = fuzz_array(queries * most, sizeof *words);
    double *cosines = fuzz_array(queries * most, sizeof *cosines);
    size_t *found = fuzz_array(queries, sizeof *found);
    if (CALL(linex_words_nearest(&vectors, queries, points, most, words, fuzz_or_null(cosines), found))) return;
    for (size_t q = 0; q < queries; q++) {
        EXPECT(found[q] <= most && found[q] <= vectors.count);
        EXPECT_BELOW(found[q], words + q * most, vectors.count);
        EXPECT_WITHIN(found[q], cosines + q * most, -1 - 1e-9, 1 + 1e-9);
        for (size_t i = 1; i < found[q]; i++) EXPECT(cosines[q * most + i] <= cosines[q * most + i - 1]);
    }
}

void fuzz_room(void)
{
    static void (*const functions[])(void) = {describe_column, describe_levels, take_logs,  validate_bandwidths,
                                              sample_density,  draw_cloud,      draw_order, find_words};
    functions[fuzz_below(sizeof functions / sizeof *functions)]();
}
