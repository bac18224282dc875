/* image_input.c: resizes, averages and blurs images. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/alloc.h"
#include "base/elementary.h"
#include "base/task.h"

enum { MAX_CHANNELS = 4, OPAQUE = 255 };

/* What the tasks of this file have in common; the first member of their structs. */
struct image_task {
    linex_task task;
    linex_cursor at;
    size_t stage_count;
    const linex_stage *stages;
    double *memory;
};

static linex_status advance_image(linex_task *task, linex_slice *slice)
{
    struct image_task *job = (struct image_task *)task;
    return linex_stages_advance(job->stage_count, job->stages, job, &job->at, slice);
}

static double image_progress(const linex_task *task)
{
    const struct image_task *job = (const struct image_task *)task;
    return (double)job->at.stage / (double)job->stage_count;
}

static void release_image(linex_task *task)
{
    free(((struct image_task *)task)->memory);
    free(task);
}

/* Makes a task. Returns NULL if there is no memory for it.
 *
 * size     of the task's own struct, in bytes
 * doubles  of the memory */
static void *new_task(size_t size, double doubles, size_t stage_count, const linex_stage *stages)
{
    struct image_task *made = calloc(1, size);
    double *memory = linex_alloc_doubles(doubles);
    if (!made || !memory) {
        free(made);
        free(memory);
        return NULL;
    }
    *made = (struct image_task){.stage_count = stage_count, .stages = stages, .memory = memory};
    made->task = (linex_task){advance_image, image_progress, release_image, LINEX_UNFINISHED, 0};
    return made;
}

static bool channels_are_valid(size_t channels)
{
    return channels == 1 || channels == 3 || channels == 4;
}

/* Whether the size in bytes of an image with four floats per pixel fits into size_t. */
static bool size_is_valid(size_t width, size_t height)
{
    return width && height && (double)width * (double)height * MAX_CHANNELS * sizeof(float) < (double)SIZE_MAX;
}

/* The luma of ITU-R BT.601, which most libraries use. */
static double gray_of(const double *color)
{
    return 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2];
}

/* Reads one pixel with the wanted number of channels. A transparent pixel is blended with the backdrop. If alpha is
 * kept, the colors are multiplied by it instead, so invisible colors do not affect their neighbors. */
static void read_pixel(const linex_image *image, size_t at, const double *backdrop, size_t channels, double *pixel)
{
    double values[MAX_CHANNELS] = {0, 0, 0, OPAQUE};
    for (size_t c = 0; c < image->channels; c++) {
        size_t index = at * image->channels + c;
        values[c] = image->bytes ? (double)image->bytes[index] : (double)image->floats[index];
    }
    if (image->channels == 1) values[1] = values[2] = values[0];
    double alpha = values[3] / OPAQUE;
    for (size_t c = 0; c < 3 && alpha < 1; c++)
        values[c] = values[c] * alpha + (channels == 4 ? 0 : backdrop[c] * (1 - alpha));
    if (channels == 1) values[0] = gray_of(values);
    memcpy(pixel, values, channels * sizeof *pixel);
}

/* Computes the triangle filter for pixel `to` of the result. If the image grows, the filter reaches one source pixel
 * to each side. If it shrinks, it reaches as far as the source pixels that become one pixel, so every source pixel
 * counts.
 *
 * weights  sum to 1
 * first    the first source pixel
 * Returns the number of weights. */
static size_t filter_weights(size_t from_size, size_t to_size, size_t to, double *weights, size_t *first)
{
    double ratio = (double)from_size / (double)to_size, reach = fmax(ratio, 1);
    double center = ((double)to + 0.5) * ratio;
    double low = fmax(0, floor(center - reach)), high = fmin((double)from_size, ceil(center + reach)), sum = 0;
    size_t count = 0;
    *first = (size_t)low;
    for (double at = low; at < high; at++) {
        double weight = fmax(0, 1 - fabs((at + 0.5 - center) / reach));
        weights[count++] = weight;
        sum += weight;
    }
    for (size_t i = 0; i < count; i++) weights[i] /= sum;
    return count;
}

/* Returns an upper bound of the number of weights. */
static size_t max_weights(size_t from_size, size_t to_size)
{
    return (size_t)(2 * ceil(fmax((double)from_size / (double)to_size, 1))) + 2;
}

/* Converts one row of the original and resizes it to the new width. */
static void fit_row(const linex_image *image, size_t y, const double *backdrop, size_t width, size_t channels,
                    double *pixels, double *weights, double *row)
{
    for (size_t x = 0; x < image->width; x++)
        read_pixel(image, y * image->width + x, backdrop, channels, pixels + x * channels);
    if (width == image->width) {
        memcpy(row, pixels, width * channels * sizeof *row);
        return;
    }
    for (size_t x = 0; x < width; x++) {
        size_t first, count = filter_weights(image->width, width, x, weights, &first);
        for (size_t c = 0; c < channels; c++) {
            double sum = 0;
            for (size_t i = 0; i < count; i++) sum += weights[i] * pixels[(first + i) * channels + c];
            row[x * channels + c] = sum;
        }
    }
}

/* Writes one row of the result. If there is an alpha channel, the colors are divided by it again. */
static void write_row(size_t width, size_t channels, const double *row, float *out)
{
    for (size_t x = 0; x < width; x++) {
        const double *pixel = row + x * channels;
        double alpha = channels == 4 ? pixel[3] / OPAQUE : 1;
        for (size_t c = 0; c < channels; c++) {
            bool color = channels == 4 && c < 3;
            out[x * channels + c] = (float)(color ? (alpha > 0 ? pixel[c] / alpha : 0) : pixel[c]);
        }
    }
}

struct fit_task {
    struct image_task base;
    linex_image image;
    double backdrop[3];
    size_t width, height, channels;
    float *out;
    double *pixels, *sum, *weights, *row_weights; /* a row of the image; of the result; filters */
    size_t ring_rows, next;                       /* next: the next row of the original to read */
    double *ring;                                 /* only the rows that one filter needs, not the whole image */
};

/* Copies a row: the size and the channels are already right, and there is no alpha. */
static void copy_row(const struct fit_task *job, size_t y)
{
    size_t line = job->width * job->channels;
    for (size_t i = y * line; i < (y + 1) * line; i++)
        job->out[i] = job->image.bytes ? (float)job->image.bytes[i] : job->image.floats[i];
}

/* Makes row y of the result. */
static void resize_row(struct fit_task *job, size_t y)
{
    const linex_image *image = &job->image;
    size_t width = job->width, channels = job->channels, line = width * channels;
    double *sum = job->sum;
    if (job->height == image->height) { /* the filter would use only this row */
        fit_row(image, y, job->backdrop, width, channels, job->pixels, job->weights, sum);
        write_row(width, channels, sum, job->out + y * line);
        return;
    }
    size_t first, count = filter_weights(image->height, job->height, y, job->row_weights, &first);
    memset(sum, 0, line * sizeof *sum);
    for (size_t i = 0; i < count; i++) {
        const double *row = job->ring + (first + i) % job->ring_rows * line;
        for (size_t x = 0; x < line; x++) sum[x] += job->row_weights[i] * row[x];
    }
    write_row(width, channels, sum, job->out + y * line);
}

/* Reads the rows of the original that row y of the result needs. */
static linex_status read_rows(struct fit_task *job, size_t y, linex_slice *slice)
{
    const linex_image *image = &job->image;
    if (job->height == image->height) return LINEX_OK;
    double work = 16.0 * (double)(image->width * image->channels);
    size_t first, count = filter_weights(image->height, job->height, y, job->row_weights, &first);
    for (; job->next < first + count; job->next++) {
        if (job->next < first) continue;
        if (!linex_slice_take(slice, work)) return LINEX_UNFINISHED;
        fit_row(image, job->next, job->backdrop, job->width, job->channels, job->pixels, job->weights,
                job->ring + job->next % job->ring_rows * job->width * job->channels);
    }
    return LINEX_OK;
}

/* Resizes row by row. */
static linex_status fit_rows(void *state, linex_cursor *at, linex_slice *slice)
{
    struct fit_task *job = state;
    const linex_image *image = &job->image;
    bool same = image->width == job->width && image->height == job->height && image->channels == job->channels &&
                job->channels != MAX_CHANNELS;
    double work = (same ? 4.0 : 16.0) * (double)job->channels * fmax((double)image->width, (double)job->width);
    for (; at->row < job->height; at->row++) {
        if (!same && read_rows(job, at->row, slice)) return LINEX_UNFINISHED;
        if (!linex_slice_take(slice, work)) return LINEX_UNFINISHED;
        if (same)
            copy_row(job, at->row);
        else
            resize_row(job, at->row);
    }
    return LINEX_OK;
}

linex_status linex_image_fit_start(const linex_image *image, const double *backdrop, size_t width, size_t height,
                                   size_t channels, float *out, linex_task **task)
{
    static const linex_stage STAGES[] = {fit_rows};
    if (!image || !backdrop || !out || !task || !image->bytes == !image->floats) return LINEX_BAD_ARGUMENT;
    if (!channels_are_valid(image->channels) || !channels_are_valid(channels)) return LINEX_BAD_ARGUMENT;
    if (!size_is_valid(image->width, image->height) || !size_is_valid(width, height)) return LINEX_BAD_ARGUMENT;
    size_t line = width * channels;
    size_t across = max_weights(image->width, width), ring_rows = max_weights(image->height, height);
    double doubles = (double)image->width * (double)channels + 2.0 * (double)line + (double)across +
                     (double)ring_rows + (double)ring_rows * (double)line;
    struct fit_task *job = new_task(sizeof *job, doubles, 1, STAGES);
    if (!job) return LINEX_NO_MEMORY;
    job->image = *image;
    memcpy(job->backdrop, backdrop, sizeof job->backdrop);
    job->width = width;
    job->height = height;
    job->channels = channels;
    job->out = out;
    job->pixels = job->base.memory;
    job->sum = job->pixels + image->width * channels;
    job->weights = job->sum + line;
    job->row_weights = job->weights + across;
    job->ring_rows = ring_rows;
    job->ring = job->row_weights + ring_rows;
    *task = &job->base.task;
    return LINEX_OK;
}

linex_status linex_image_fit(const linex_image *image, const double *backdrop, size_t width, size_t height,
                             size_t channels, float *out)
{
    linex_task *task = NULL;
    linex_status started = linex_image_fit_start(image, backdrop, width, height, channels, out, &task);
    return linex_task_finish(started, task);
}

/* The pixels of one step. */
enum { BLOCK = 8192 };

struct average_task {
    struct image_task base;
    size_t pixels, channels;
    const float *image;
    const uint32_t *labels;
    size_t segments;
    double *sums, *counts; /* segments x (channels + 1): the weight of a segment follows its sums; segments */
    float *averaged;
};

static size_t end_of_block(const struct average_task *job, size_t block)
{
    return (block + 1) * BLOCK < job->pixels ? (block + 1) * BLOCK : job->pixels;
}

static size_t blocks_of(const struct average_task *job)
{
    return (job->pixels + BLOCK - 1) / BLOCK;
}

static linex_status check_labels(void *state, linex_cursor *at, linex_slice *slice)
{
    const struct average_task *job = state;
    for (; at->row < blocks_of(job); at->row++) {
        if (!linex_slice_take(slice, BLOCK)) return LINEX_UNFINISHED;
        for (size_t i = at->row * BLOCK; i < end_of_block(job, at->row); i++)
            if (job->labels[i] >= job->segments) return LINEX_BAD_ARGUMENT;
    }
    return LINEX_OK;
}

static void add_colors(void *state, size_t block)
{
    const struct average_task *job = state;
    size_t channels = job->channels;
    for (size_t i = block * BLOCK; i < end_of_block(job, block); i++) {
        const float *pixel = job->image + i * channels;
        double *sum = job->sums + job->labels[i] * (channels + 1);
        double weight = channels == 4 ? (double)pixel[3] / OPAQUE : 1;
        for (size_t c = 0; c < channels; c++) sum[c] += (c < 3 ? weight : 1) * (double)pixel[c];
        sum[channels] += weight;
        job->counts[job->labels[i]] += 1;
    }
}

static void fill_colors(void *state, size_t block)
{
    const struct average_task *job = state;
    size_t channels = job->channels;
    for (size_t i = block * BLOCK; i < end_of_block(job, block); i++) {
        const double *sum = job->sums + job->labels[i] * (channels + 1);
        for (size_t c = 0; c < channels; c++) {
            double total = c < 3 ? sum[channels] : job->counts[job->labels[i]];
            job->averaged[i * channels + c] = total > 0 ? (float)(sum[c] / total) : 0;
        }
    }
}

static linex_status sum_segments(void *state, linex_cursor *at, linex_slice *slice)
{
    struct average_task *job = state;
    double work = 10.0 * BLOCK * (double)job->channels;
    return linex_steps_advance(blocks_of(job), work, add_colors, job, at, slice);
}

static linex_status fill_segments(void *state, linex_cursor *at, linex_slice *slice)
{
    struct average_task *job = state;
    double work = 10.0 * BLOCK * (double)job->channels;
    return linex_steps_advance(blocks_of(job), work, fill_colors, job, at, slice);
}

linex_status linex_image_average_start(size_t pixels, size_t channels, const float *image, const uint32_t *labels,
                                       size_t segments, float *averaged, linex_task **task)
{
    static const linex_stage STAGES[] = {check_labels, sum_segments, fill_segments};
    if (!pixels || !channels_are_valid(channels) || !image || !labels || !segments || !averaged || !task)
        return LINEX_BAD_ARGUMENT;
    struct average_task *job = new_task(sizeof *job, (double)segments * ((double)channels + 2), 3, STAGES);
    if (!job) return LINEX_NO_MEMORY;
    job->pixels = pixels;
    job->channels = channels;
    job->image = image;
    job->labels = labels;
    job->segments = segments;
    job->sums = job->base.memory;
    job->counts = job->sums + segments * (channels + 1);
    job->averaged = averaged;
    *task = &job->base.task;
    return LINEX_OK;
}

linex_status linex_image_average(size_t pixels, size_t channels, const float *image, const uint32_t *labels,
                                 size_t segments, float *averaged)
{
    linex_task *task = NULL;
    linex_status started = linex_image_average_start(pixels, channels, image, labels, segments, averaged, &task);
    return linex_task_finish(started, task);
}

/* Blurs one line of values that are `stride` apart with a symmetric kernel. The edge values are repeated.
 *
 * kernel  reach + 1: the center and one side
 * line    length: scratch */
static void blur_line(size_t length, size_t stride, const float *from, size_t reach, const double *kernel,
                      double *line, float *to)
{
    for (size_t i = 0; i < length; i++) line[i] = (double)from[i * stride];
    for (size_t i = 0; i < length; i++) {
        double sum = kernel[0] * line[i];
        for (size_t step = 1; step <= reach; step++) {
            double before = line[i >= step ? i - step : 0], after = line[i + step < length ? i + step : length - 1];
            sum += kernel[step] * (before + after);
        }
        to[i * stride] = (float)sum;
    }
}

struct blur_task {
    struct image_task base;
    size_t width, height, channels, reach;
    const float *image;
    double *kernel, *line;
    float *blurred;
};

/* One channel of one row. */
static void blur_across(void *state, size_t i)
{
    const struct blur_task *job = state;
    size_t at = i / job->channels * job->width * job->channels + i % job->channels;
    blur_line(job->width, job->channels, job->image + at, job->reach, job->kernel, job->line, job->blurred + at);
}

static void blur_down(void *state, size_t x)
{
    const struct blur_task *job = state;
    size_t row = job->width * job->channels;
    blur_line(job->height, row, job->blurred + x, job->reach, job->kernel, job->line, job->blurred + x);
}

static linex_status blur_rows(void *state, linex_cursor *at, linex_slice *slice)
{
    struct blur_task *job = state;
    double work = 2.0 * (double)job->width * (double)(job->reach + 4);
    return linex_steps_advance(job->height * job->channels, work, blur_across, job, at, slice);
}

static linex_status blur_columns(void *state, linex_cursor *at, linex_slice *slice)
{
    struct blur_task *job = state;
    double work = 2.0 * (double)job->height * (double)(job->reach + 4);
    return linex_steps_advance(job->width * job->channels, work, blur_down, job, at, slice);
}

static void fill_kernel(const struct blur_task *job, double sigma)
{
    double *kernel = job->kernel, sum = 1;
    kernel[0] = 1;
    for (size_t i = 1; i <= job->reach; i++) {
        double scaled = (double)i / sigma;
        kernel[i] = linex_exp(-0.5 * scaled * scaled);
        sum += 2 * kernel[i];
    }
    for (size_t i = 0; i <= job->reach; i++) kernel[i] /= sum;
}

linex_status linex_image_blur_start(size_t width, size_t height, size_t channels, const float *image, double sigma,
                                    float *blurred, linex_task **task)
{
    static const linex_stage STAGES[] = {blur_rows, blur_columns};
    if (!size_is_valid(width, height) || !channels_are_valid(channels) || !image || !blurred || !task)
        return LINEX_BAD_ARGUMENT;
    if (!(sigma > 0) || !(sigma <= 1000)) return LINEX_BAD_ARGUMENT;
    size_t reach = (size_t)ceil(3 * sigma), longest = width > height ? width : height;
    struct blur_task *job = new_task(sizeof *job, (double)reach + 1 + (double)longest, 2, STAGES);
    if (!job) return LINEX_NO_MEMORY;
    job->width = width;
    job->height = height;
    job->channels = channels;
    job->reach = reach;
    job->image = image;
    job->kernel = job->base.memory;
    job->line = job->kernel + reach + 1;
    job->blurred = blurred;
    fill_kernel(job, sigma);
    *task = &job->base.task;
    return LINEX_OK;
}

linex_status linex_image_blur(size_t width, size_t height, size_t channels, const float *image, double sigma,
                              float *blurred)
{
    linex_task *task = NULL;
    linex_status started = linex_image_blur_start(width, height, channels, image, sigma, blurred, &task);
    return linex_task_finish(started, task);
}
