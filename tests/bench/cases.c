#include "cases.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/matrix.h"

enum { SIDE = 224, PIXELS = SIDE * SIDE, CHANNELS = 3, VALUES = PIXELS * CHANNELS, BATCH = 12, TRAINING = 200 };

struct bench_case {
    bench_kind kind;
    size_t samples, width;
    linex_settings settings;
    uint64_t seed; /* another one for every run: nothing is learnt by heart */

    double *row, *rows, *points, *answers, *distances, *weights, *at, *coefficients, *statistics;
    uint32_t *owner, *levels;
    uint8_t *masks;

    uint8_t *picture;
    float *floats, *averaged;
    uint32_t *labels, *runs;
    size_t segments, run_count;
    unsigned char *shown, *hidden, *tensors;

    double *gram; /* gram, cross, mean and scratch, one after the other */

    void *rooms[32];
    size_t room_count;
};

/* Remembered, so that one loop gives all of it back. NULL where there is none. */
static void *take(bench_case *one, size_t bytes)
{
    void *room = calloc(bytes ? bytes : 1, 1);
    one->rooms[one->room_count++] = room;
    return room;
}

static bool all_there(const bench_case *one)
{
    for (size_t i = 0; i < one->room_count; i++)
        if (!one->rooms[i]) return false;
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

/* Soft patches of color under a little noise, as a photograph has them. */
static void paint(uint8_t *picture)
{
    for (size_t i = 0; i < PIXELS; i++) {
        size_t x = i % SIDE, y = i / SIDE, patch = (x + y / 3) / 37 + 7 * ((y + x / 5) / 31);
        for (size_t c = 0; c < CHANNELS; c++)
            picture[i * CHANNELS + c] =
                (uint8_t)(128 + 90 * noise(patch * 3 + c) + 8 * noise(1000 + i * 3 + c) + (double)(x + y) / 30);
    }
}

static void open_samples(bench_case *one)
{
    size_t n = one->samples, d = one->width;
    one->answers = take(one, n * sizeof(double));
    one->distances = take(one, n * sizeof(double));
    one->weights = take(one, n * sizeof(double));
    one->owner = take(one, n * sizeof(uint32_t));
    one->at = take(one, d * sizeof(double));
    one->coefficients = take(one, d * sizeof(double));
}

static void open_masks(bench_case *one)
{
    open_samples(one);
    one->masks = take(one, one->samples * one->width);
    for (size_t c = 0; one->at && c < one->width; c++) one->at[c] = 1;
}

static void open_row(bench_case *one)
{
    size_t n = one->samples, d = one->width;
    open_samples(one);
    one->rows = take(one, n * d * sizeof(double));
    one->points = take(one, n * d * sizeof(double));
    one->row = take(one, d * sizeof(double));
    one->levels = take(one, d * sizeof(uint32_t));
    one->statistics = take(one, d * LINEX_COLUMN_SIZE * sizeof(double));
    if (!all_there(one)) return;
    for (size_t c = 0; c < d; c++) {
        double column[TRAINING];
        for (size_t i = 0; i < TRAINING; i++) column[i] = 3 * noise(i * d + c) + (double)c;
        one->row[c] = column[7];
        linex_column_describe(TRAINING, column, one->statistics + c * LINEX_COLUMN_SIZE);
    }
}

/* The picture, cut, and its two sources as tensors: what an explanation does before the first mask. */
static linex_status cut_picture(bench_case *one, bool bytes)
{
    static const double mean[CHANNELS] = {0.485, 0.456, 0.406}, spread[CHANNELS] = {0.229, 0.224, 0.225};
    linex_slic_settings slic = linex_slic_defaults();
    slic.segments = one->width;
    linex_status status = linex_slic(SIDE, SIDE, CHANNELS, one->picture, &slic, one->labels, &one->segments);
    for (size_t i = 0; i < VALUES; i++) one->floats[i] = (float)one->picture[i];
    if (!status)
        status = linex_image_average(PIXELS, CHANNELS, one->floats, one->labels, one->segments, one->averaged);
    linex_tensor tensor = {bytes ? LINEX_NHWC : LINEX_NCHW, bytes, 1.0 / 255, mean, spread};
    if (!status) status = linex_tensor_write(PIXELS, CHANNELS, one->floats, &tensor, one->shown);
    if (!status) status = linex_tensor_write(PIXELS, CHANNELS, one->averaged, &tensor, one->hidden);
    one->run_count = linex_runs_find(PIXELS, one->labels, one->runs);
    return status;
}

/* `batch` pictures can be written at once. How many segments SLIC finds is not known before, but never twice as many
 * as asked for. */
static void open_picture(bench_case *one, size_t batch)
{
    one->picture = take(one, VALUES);
    one->floats = take(one, VALUES * sizeof(float));
    one->averaged = take(one, VALUES * sizeof(float));
    one->labels = take(one, PIXELS * sizeof(uint32_t));
    one->runs = take(one, PIXELS * 2 * sizeof(uint32_t));
    one->shown = take(one, VALUES * sizeof(float));
    one->hidden = take(one, VALUES * sizeof(float));
    one->tensors = take(one, batch * VALUES * sizeof(float));
    if (all_there(one)) paint(one->picture);
}

static linex_status open_composing(bench_case *one)
{
    size_t asked = one->width;
    open_picture(one, one->samples);
    if (!all_there(one)) return LINEX_NO_MEMORY;
    linex_status status = cut_picture(one, one->kind == BENCH_COMPOSE_BYTES);
    one->masks = take(one, one->samples * 2 * asked);
    if (!one->masks || one->segments > 2 * asked) return LINEX_NO_MEMORY;
    return status ? status : linex_masks_draw(LINEX_MASK_COINS, one->segments, 1, 1, one->samples, one->masks);
}

static void open_gram(bench_case *one)
{
    size_t n = one->samples, d = one->width;
    open_samples(one);
    one->points = take(one, n * d * sizeof(double));
    one->gram = take(one, (d * (d + 2) + (size_t)linex_moments_scratch(d)) * sizeof(double));
    if (!all_there(one)) return;
    for (size_t i = 0; i < n * d; i++) one->points[i] = noise(i);
    for (size_t i = 0; i < n; i++) {
        one->answers[i] = noise(i + 77);
        one->weights[i] = 1.5 + noise(i + 99);
    }
}

static linex_status open_kind(bench_case *one)
{
    switch (one->kind) {
    case BENCH_ROW:
        open_row(one);
        break;
    case BENCH_PIXELS:
        one->settings.ridge = 0.001;
        one->settings.features = 0;
        open_masks(one);
        break;
    case BENCH_TEXT:
        open_masks(one);
        break;
    case BENCH_IMAGE:
        one->settings.features = 0;
        one->width *= 2; /* as many as SLIC may find */
        open_masks(one);
        one->width /= 2;
        open_picture(one, BATCH);
        break;
    case BENCH_GRAM:
        open_gram(one);
        break;
    case BENCH_COMPOSE_BYTES:
    case BENCH_COMPOSE_FLOATS:
        return open_composing(one);
    case BENCH_KINDS:
        return LINEX_BAD_ARGUMENT;
    }
    return all_there(one) ? LINEX_OK : LINEX_NO_MEMORY;
}

bench_case *bench_open(int kind, size_t samples, size_t width, size_t players, size_t draws, int method)
{
    bench_case *one = kind >= 0 && kind < BENCH_KINDS ? calloc(1, sizeof *one) : NULL;
    if (!one) return NULL;
    one->kind = (bench_kind)kind;
    one->samples = samples;
    one->width = width;
    one->settings = linex_defaults();
    one->settings.features = 5;
    one->settings.method = (linex_method)method;
    one->settings.environments.players = players;
    one->settings.draws = draws;
    if (open_kind(one) == LINEX_OK) return one;
    bench_close(one);
    return NULL;
}

void bench_close(bench_case *one)
{
    if (!one) return;
    while (one->room_count > 0) free(one->rooms[--one->room_count]);
    free(one);
}

/* Stands for a model: bent, so that nothing fits it exactly. */
static double bend(double z)
{
    return z / (1 + fabs(z));
}

static double answer_mask(size_t width, const uint8_t *mask)
{
    double z = 0;
    for (size_t c = 0; c < width; c++)
        if (mask[c]) z += noise(c) + (mask[(c + 1) % width] ? 0.3 * noise(c + 5000) : 0);
    return bend(z);
}

static double answer_row(size_t width, const double *row)
{
    double z = 0;
    for (size_t c = 0; c < width; c++) z += noise(c) * row[c] + 0.1 * row[c] * row[(c + 1) % width];
    return bend(z / 4);
}

static linex_status explain(bench_case *one, size_t count, size_t width, const double *points, const uint8_t *masks)
{
    linex_samples samples = {count,          width,        points,     one->answers, one->weights,
                             one->distances, one->samples, one->owner, NULL,         masks};
    linex_explanation explanation = {.weights = one->coefficients};
    one->settings.seed = one->seed;
    return linex_explain(&samples, one->at, &one->settings, &explanation);
}

static linex_status run_row(bench_case *one)
{
    size_t n = one->samples, d = one->width, distinct;
    linex_table table = {d, one->levels, one->statistics, NULL};
    linex_row_settings how = linex_row_defaults();
    how.seed = one->seed;
    linex_status status = linex_rows_perturb(&table, one->row, &how, 0, n, one->rows);
    if (!status) status = linex_rows_merge(n, d * sizeof(double), one->rows, one->owner, &distinct);
    if (status) return status;
    for (size_t i = 0; i < distinct; i++) one->answers[i] = answer_row(d, one->rows + i * d);
    status = linex_rows_represent(&table, one->row, &how, distinct, one->rows, one->points);
    double kernel = 0.75 * sqrt((double)d);
    if (!status)
        status = linex_proximity(distinct, d, one->points, one->points, kernel, one->distances, one->weights);
    if (status) return status;
    memcpy(one->at, one->points, d * sizeof *one->at);
    return explain(one, distinct, d, one->points, NULL);
}

static linex_status draw_masks(bench_case *one, linex_mask_kind kind, size_t width, size_t *distinct)
{
    bool words = kind == LINEX_MASK_SIZES;
    linex_status status = linex_masks_draw(kind, width, one->seed, 0, one->samples, one->masks);
    if (!status) status = linex_rows_merge(one->samples, width, one->masks, one->owner, distinct);
    if (status) return status;
    return linex_masks_weigh(*distinct, width, one->masks, LINEX_MASK_COSINE, words ? 100 : 1, words ? 25 : 0.25,
                             one->distances, one->weights);
}

static linex_status run_masks(bench_case *one, linex_mask_kind kind)
{
    size_t distinct, d = one->width;
    linex_status status = draw_masks(one, kind, d, &distinct);
    if (status) return status;
    for (size_t i = 0; i < distinct; i++) one->answers[i] = answer_mask(d, one->masks + i * d);
    return explain(one, distinct, d, NULL, one->masks);
}

static linex_status compose(bench_case *one, size_t count, const uint8_t *masks)
{
    bool bytes = one->kind == BENCH_COMPOSE_BYTES;
    return linex_compose(PIXELS, bytes ? 1 : CHANNELS, bytes ? CHANNELS : sizeof(float), one->shown, one->hidden,
                         one->run_count, one->runs, one->segments, count, masks, one->tensors);
}

static linex_status run_image(bench_case *one)
{
    size_t distinct = 0;
    linex_status status = cut_picture(one, false);
    if (!status && one->segments > 2 * one->width) status = LINEX_NO_MEMORY;
    if (!status) status = draw_masks(one, LINEX_MASK_COINS, one->segments, &distinct);
    for (size_t first = 0; !status && first < distinct; first += BATCH) {
        size_t count = distinct - first < BATCH ? distinct - first : BATCH;
        status = compose(one, count, one->masks + first * one->segments);
        for (size_t i = 0; i < count; i++) {
            const float *tensor = (const float *)(const void *)one->tensors + i * VALUES;
            double z = 0;
            for (size_t v = 0; v < VALUES; v += 1009) z += (double)tensor[v] * noise(v);
            one->answers[first + i] = bend(z / 10);
        }
    }
    return status ? status : explain(one, distinct, one->segments, NULL, one->masks);
}

static linex_status run_gram(bench_case *one)
{
    size_t d = one->width;
    const linex_points points = {one->samples, d, one->points, NULL};
    linex_moments moments = {.gram = one->gram,
                             .cross = one->gram + d * d,
                             .mean = one->gram + d * (d + 1),
                             .scratch = one->gram + d * (d + 2)};
    linex_moments_take(&points, one->answers, one->weights, true, 1, &moments);
    memcpy(one->coefficients, moments.cross, d * sizeof *one->coefficients);
    one->coefficients[0] += one->gram[d * d - 1];
    return LINEX_OK;
}

double bench_bytes(const bench_case *one)
{
    if (one->kind < BENCH_COMPOSE_BYTES) return 0;
    return (double)one->samples * VALUES * (one->kind == BENCH_COMPOSE_BYTES ? 1 : sizeof(float));
}

void *bench_place(const bench_case *one, int which)
{
    return which == 0 ? one->shown : which == 1 ? one->hidden : one->tensors;
}

static linex_status run_once(bench_case *one)
{
    switch (one->kind) {
    case BENCH_ROW:
        return run_row(one);
    case BENCH_TEXT:
        return run_masks(one, LINEX_MASK_SIZES);
    case BENCH_PIXELS:
        return run_masks(one, LINEX_MASK_COINS);
    case BENCH_IMAGE:
        return run_image(one);
    case BENCH_GRAM:
        return run_gram(one);
    case BENCH_COMPOSE_BYTES:
    case BENCH_COMPOSE_FLOATS:
        return compose(one, one->samples, one->masks);
    case BENCH_KINDS:
        break;
    }
    return LINEX_BAD_ARGUMENT;
}

double bench_run(bench_case *one, size_t times)
{
    double sum = 0;
    for (size_t i = 0; i < times; i++) {
        one->seed = i;
        if (run_once(one) != LINEX_OK) return NAN;
        if (one->coefficients)
            for (size_t c = 0; c < one->width; c++) sum += one->coefficients[c];
        else
            sum += one->tensors[(i * 1013) % VALUES];
    }
    return sum;
}
