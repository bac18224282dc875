/* cases.c: prepares and runs the benchmark cases. */
#include "cases.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "matrices/moments.h"

enum { SIDE = 224, PIXELS = SIDE * SIDE, CHANNELS = 3, VALUES = PIXELS * CHANNELS, BATCH = 12, TRAINING = 200 };

struct bench_case {
    bench_kind kind;
    size_t samples, feature_count;
    linex_settings settings;
    uint64_t seed; /* differs in every run, so that nothing is cached */

    double *row, *rows, *points, *answers, *distances, *weights, *at, *coefficients, *statistics;
    uint32_t *point_of, *levels;
    uint8_t *masks;

    uint8_t *image;
    float *floats, *averaged;
    uint32_t *labels, *runs;
    size_t segments, run_count;
    unsigned char *shown, *hidden, *tensors;

    double *gram; /* gram, cross, mean and scratch, bench after the other */

    void *blocks[32];
    size_t block_count;
};

/* Allocates a zeroed block and records it, so that bench_close can free all blocks. Returns NULL without memory. */
static void *take(bench_case *bench, size_t bytes)
{
    void *block = calloc(bytes ? bytes : 1, 1);
    bench->blocks[bench->block_count++] = block;
    return block;
}

static bool all_there(const bench_case *bench)
{
    for (size_t i = 0; i < bench->block_count; i++)
        if (!bench->blocks[i]) return false;
    return true;
}

static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

/* Uniform in [-1, 1). */
static double noise(size_t i)
{
    return (double)scramble((uint32_t)i) / 2147483648.0 - 1;
}

/* Paints soft patches of color with a little noise, like a photograph. */
static void paint(uint8_t *image)
{
    for (size_t i = 0; i < PIXELS; i++) {
        size_t x = i % SIDE, y = i / SIDE, patch = (x + y / 3) / 37 + 7 * ((y + x / 5) / 31);
        for (size_t c = 0; c < CHANNELS; c++)
            image[i * CHANNELS + c] =
                (uint8_t)(128 + 90 * noise(patch * 3 + c) + 8 * noise(1000 + i * 3 + c) + (double)(x + y) / 30);
    }
}

static void open_samples(bench_case *bench)
{
    size_t n = bench->samples, d = bench->feature_count;
    bench->answers = take(bench, n * sizeof(double));
    bench->distances = take(bench, n * sizeof(double));
    bench->weights = take(bench, n * sizeof(double));
    bench->point_of = take(bench, n * sizeof(uint32_t));
    bench->at = take(bench, d * sizeof(double));
    bench->coefficients = take(bench, d * sizeof(double));
}

static void open_masks(bench_case *bench)
{
    open_samples(bench);
    bench->masks = take(bench, bench->samples * bench->feature_count);
    for (size_t c = 0; bench->at && c < bench->feature_count; c++) bench->at[c] = 1;
}

static void open_row(bench_case *bench)
{
    size_t n = bench->samples, d = bench->feature_count;
    open_samples(bench);
    bench->rows = take(bench, n * d * sizeof(double));
    bench->points = take(bench, n * d * sizeof(double));
    bench->row = take(bench, d * sizeof(double));
    bench->levels = take(bench, d * sizeof(uint32_t));
    bench->statistics = take(bench, d * LINEX_COLUMN_SIZE * sizeof(double));
    if (!all_there(bench)) return;
    for (size_t c = 0; c < d; c++) {
        double column[TRAINING];
        for (size_t i = 0; i < TRAINING; i++) column[i] = 3 * noise(i * d + c) + (double)c;
        bench->row[c] = column[7];
        linex_column_describe(TRAINING, column, bench->statistics + c * LINEX_COLUMN_SIZE);
    }
}

/* Segments the image and writes its two tensors, as an explanation does before the first mask. */
static linex_status segment_image(bench_case *bench, bool bytes)
{
    static const double mean[CHANNELS] = {0.485, 0.456, 0.406}, spread[CHANNELS] = {0.229, 0.224, 0.225};
    linex_slic_settings slic = linex_slic_defaults();
    slic.segments = bench->feature_count;
    linex_status status = linex_slic(SIDE, SIDE, CHANNELS, bench->image, &slic, bench->labels, &bench->segments);
    for (size_t i = 0; i < VALUES; i++) bench->floats[i] = (float)bench->image[i];
    if (!status)
        status =
            linex_image_average(PIXELS, CHANNELS, bench->floats, bench->labels, bench->segments, bench->averaged);
    linex_tensor tensor = {bytes ? LINEX_NHWC : LINEX_NCHW, bytes, 1.0 / 255, mean, spread};
    if (!status) status = linex_tensor_write(PIXELS, CHANNELS, bench->floats, &tensor, 0, PIXELS, bench->shown);
    if (!status) status = linex_tensor_write(PIXELS, CHANNELS, bench->averaged, &tensor, 0, PIXELS, bench->hidden);
    bench->run_count = linex_runs_find(0, PIXELS, bench->labels, bench->runs);
    return status;
}

/* Prepares an image and tensors for `batch` masked images. The number of segments that SLIC finds is not known
 * before, but it is always below twice the number asked for. */
static void open_image(bench_case *bench, size_t batch)
{
    bench->image = take(bench, VALUES);
    bench->floats = take(bench, VALUES * sizeof(float));
    bench->averaged = take(bench, VALUES * sizeof(float));
    bench->labels = take(bench, PIXELS * sizeof(uint32_t));
    bench->runs = take(bench, PIXELS * 2 * sizeof(uint32_t));
    bench->shown = take(bench, VALUES * sizeof(float));
    bench->hidden = take(bench, VALUES * sizeof(float));
    bench->tensors = take(bench, batch * VALUES * sizeof(float));
    if (all_there(bench)) paint(bench->image);
}

static linex_status open_composing(bench_case *bench)
{
    size_t asked = bench->feature_count;
    open_image(bench, bench->samples);
    if (!all_there(bench)) return LINEX_NO_MEMORY;
    linex_status status = segment_image(bench, bench->kind == BENCH_COMPOSE_BYTES);
    bench->masks = take(bench, bench->samples * 2 * asked);
    if (!bench->masks || bench->segments > 2 * asked) return LINEX_NO_MEMORY;
    return status ? status
                  : linex_masks_draw(LINEX_MASK_COINS, bench->segments, LINEX_INDEPENDENT, 1, 1, bench->samples,
                                     bench->masks);
}

static void open_gram(bench_case *bench)
{
    size_t n = bench->samples, d = bench->feature_count;
    open_samples(bench);
    bench->points = take(bench, n * d * sizeof(double));
    bench->gram = take(bench, (d * (d + 2) + (size_t)linex_moments_scratch(d)) * sizeof(double));
    if (!all_there(bench)) return;
    for (size_t i = 0; i < n * d; i++) bench->points[i] = noise(i);
    for (size_t i = 0; i < n; i++) {
        bench->answers[i] = noise(i + 77);
        bench->weights[i] = 1.5 + noise(i + 99);
    }
}

static linex_status open_kind(bench_case *bench)
{
    switch (bench->kind) {
    case BENCH_ROW:
        open_row(bench);
        break;
    case BENCH_PIXELS:
        bench->settings.ridge = LINEX_RIDGE_AUTO;
        bench->settings.features = 0;
        open_masks(bench);
        break;
    case BENCH_TEXT:
        open_masks(bench);
        break;
    case BENCH_IMAGE:
        bench->settings.features = 0;
        bench->feature_count *= 2; /* the most that SLIC may find */
        open_masks(bench);
        bench->feature_count /= 2;
        open_image(bench, BATCH);
        break;
    case BENCH_GRAM:
        open_gram(bench);
        break;
    case BENCH_COMPOSE_BYTES:
    case BENCH_COMPOSE_FLOATS:
        return open_composing(bench);
    case BENCH_KINDS:
        return LINEX_BAD_ARGUMENT;
    }
    return all_there(bench) ? LINEX_OK : LINEX_NO_MEMORY;
}

bench_case *bench_open(int kind, size_t samples, size_t feature_count, size_t players, size_t draws, int method)
{
    bench_case *bench = kind >= 0 && kind < BENCH_KINDS ? calloc(1, sizeof *bench) : NULL;
    if (!bench) return NULL;
    bench->kind = (bench_kind)kind;
    bench->samples = samples;
    bench->feature_count = feature_count;
    bench->settings = linex_defaults();
    bench->settings.features = 5;
    bench->settings.method = (linex_method)method;
    bench->settings.environments.players = players;
    bench->settings.draws = draws;
    if (open_kind(bench) == LINEX_OK) return bench;
    bench_close(bench);
    return NULL;
}

void bench_close(bench_case *bench)
{
    if (!bench) return;
    while (bench->block_count > 0) free(bench->blocks[--bench->block_count]);
    free(bench);
}

/* The model: nonlinear, so that no fit is exact. */
static double bend(double z)
{
    return z / (1 + fabs(z));
}

static double answer_mask(size_t feature_count, const uint8_t *mask)
{
    double z = 0;
    for (size_t c = 0; c < feature_count; c++)
        if (mask[c]) z += noise(c) + (mask[(c + 1) % feature_count] ? 0.3 * noise(c + 5000) : 0);
    return bend(z);
}

static double answer_row(size_t feature_count, const double *row)
{
    double z = 0;
    for (size_t c = 0; c < feature_count; c++) z += noise(c) * row[c] + 0.1 * row[c] * row[(c + 1) % feature_count];
    return bend(z / 4);
}

static linex_status explain(bench_case *bench, size_t count, size_t feature_count, const double *points,
                            const uint8_t *masks)
{
    linex_samples samples = {.count = count,
                             .feature_count = feature_count,
                             .points = points,
                             .masks = masks,
                             .answers = bench->answers,
                             .weights = bench->weights,
                             .distances = bench->distances,
                             .planned = bench->samples,
                             .point_of = bench->point_of,
                             .block = 2};
    linex_explanation explanation = {.weights = bench->coefficients};
    bench->settings.seed = bench->seed;
    return linex_explain(&samples, bench->at, &bench->settings, &explanation);
}

static linex_status run_row(bench_case *bench)
{
    size_t n = bench->samples, d = bench->feature_count, distinct;
    linex_table table = {d, bench->levels, bench->statistics, NULL};
    linex_row_settings neighborhood = linex_row_defaults();
    neighborhood.seed = bench->seed;
    linex_status status = linex_rows_perturb(&table, bench->row, &neighborhood, 0, n, bench->rows);
    if (!status) status = linex_rows_merge(n, d * sizeof(double), bench->rows, bench->point_of, &distinct);
    if (status) return status;
    for (size_t i = 0; i < distinct; i++) bench->answers[i] = answer_row(d, bench->rows + i * d);
    status = linex_rows_represent(&table, bench->row, &neighborhood, distinct, bench->rows, bench->points);
    double kernel = 0.75 * sqrt((double)d);
    if (!status)
        status = linex_proximity(distinct, d, bench->points, bench->points, kernel, bench->distances, bench->weights);
    if (status) return status;
    memcpy(bench->at, bench->points, d * sizeof *bench->at);
    return explain(bench, distinct, d, bench->points, NULL);
}

static linex_status draw_masks(bench_case *bench, linex_mask_kind kind, size_t feature_count, size_t *distinct)
{
    bool words = kind == LINEX_MASK_SIZES;
    size_t order = 2;
    while (order <= feature_count) order *= 2;
    /* As explainText and explainImage choose. */
    linex_sampling sampling = words || bench->samples > 2 * order ? LINEX_DESIGNED : LINEX_INDEPENDENT;
    linex_status status =
        linex_masks_draw(kind, feature_count, sampling, bench->seed, 0, bench->samples, bench->masks);
    if (!status) status = linex_rows_merge(bench->samples, feature_count, bench->masks, bench->point_of, distinct);
    if (status) return status;
    return linex_masks_weigh(*distinct, feature_count, bench->masks, LINEX_MASK_COSINE, words ? 100 : 1,
                             words ? 25 : 0.25, bench->distances, bench->weights);
}

static linex_status run_masks(bench_case *bench, linex_mask_kind kind)
{
    size_t distinct, d = bench->feature_count;
    linex_status status = draw_masks(bench, kind, d, &distinct);
    if (status) return status;
    for (size_t i = 0; i < distinct; i++) bench->answers[i] = answer_mask(d, bench->masks + i * d);
    return explain(bench, distinct, d, NULL, bench->masks);
}

static linex_status compose(bench_case *bench, size_t count, const uint8_t *masks)
{
    bool bytes = bench->kind == BENCH_COMPOSE_BYTES;
    return linex_compose(PIXELS, bytes ? 1 : CHANNELS, bytes ? CHANNELS : sizeof(float), bench->shown, bench->hidden,
                         bench->run_count, bench->runs, bench->segments, count, masks, bench->tensors);
}

static linex_status run_image(bench_case *bench)
{
    size_t distinct = 0;
    linex_status status = segment_image(bench, false);
    if (!status && bench->segments > 2 * bench->feature_count) status = LINEX_NO_MEMORY;
    if (!status) status = draw_masks(bench, LINEX_MASK_COINS, bench->segments, &distinct);
    for (size_t first = 0; !status && first < distinct; first += BATCH) {
        size_t count = distinct - first < BATCH ? distinct - first : BATCH;
        status = compose(bench, count, bench->masks + first * bench->segments);
        for (size_t i = 0; i < count; i++) {
            const float *tensor = (const float *)(const void *)bench->tensors + i * VALUES;
            double z = 0;
            for (size_t v = 0; v < VALUES; v += 1009) z += (double)tensor[v] * noise(v);
            bench->answers[first + i] = bend(z / 10);
        }
    }
    return status ? status : explain(bench, distinct, bench->segments, NULL, bench->masks);
}

static linex_status run_gram(bench_case *bench)
{
    size_t d = bench->feature_count;
    const linex_points points = {bench->samples, d, bench->points, NULL};
    linex_moments moments = {.gram = bench->gram,
                             .cross = bench->gram + d * d,
                             .mean = bench->gram + d * (d + 1),
                             .scratch = bench->gram + d * (d + 2)};
    linex_moments_take(&points, bench->answers, bench->weights, true, 1, &moments);
    memcpy(bench->coefficients, moments.cross, d * sizeof *bench->coefficients);
    bench->coefficients[0] += bench->gram[d * d - 1];
    return LINEX_OK;
}

double bench_bytes(const bench_case *bench)
{
    if (bench->kind < BENCH_COMPOSE_BYTES) return 0;
    return (double)bench->samples * VALUES * (bench->kind == BENCH_COMPOSE_BYTES ? 1 : sizeof(float));
}

void *bench_place(const bench_case *bench, int which)
{
    return which == 0 ? bench->shown : which == 1 ? bench->hidden : bench->tensors;
}

static linex_status run_once(bench_case *bench)
{
    switch (bench->kind) {
    case BENCH_ROW:
        return run_row(bench);
    case BENCH_TEXT:
        return run_masks(bench, LINEX_MASK_SIZES);
    case BENCH_PIXELS:
        return run_masks(bench, LINEX_MASK_COINS);
    case BENCH_IMAGE:
        return run_image(bench);
    case BENCH_GRAM:
        return run_gram(bench);
    case BENCH_COMPOSE_BYTES:
    case BENCH_COMPOSE_FLOATS:
        return compose(bench, bench->samples, bench->masks);
    case BENCH_KINDS:
        break;
    }
    return LINEX_BAD_ARGUMENT;
}

double bench_run(bench_case *bench, size_t times)
{
    double sum = 0;
    for (size_t i = 0; i < times; i++) {
        bench->seed = i;
        if (run_once(bench) != LINEX_OK) return NAN;
        if (bench->coefficients)
            for (size_t c = 0; c < bench->feature_count; c++) sum += bench->coefficients[c];
        else
            sum += bench->tensors[(i * 1013) % VALUES];
    }
    return sum;
}
