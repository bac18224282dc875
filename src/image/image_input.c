/* image_input.c: resizes, averages and blurs images. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/alloc.h"
#include "base/elementary.h"

enum { MAX_CHANNELS = 4, OPAQUE = 255 };

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

/* Resizes row by row. Only the rows that one filter needs are stored, in a ring, not the whole image. */
static linex_status fit_rows(const linex_image *image, const double *backdrop, size_t width, size_t height,
                             size_t channels, float *out)
{
    size_t line = width * channels;
    size_t across = max_weights(image->width, width), ring_rows = max_weights(image->height, height);
    double *memory = linex_alloc_doubles((double)image->width * (double)channels + 2.0 * (double)line +
                                         (double)across + (double)ring_rows + (double)ring_rows * (double)line);
    if (!memory) return LINEX_NO_MEMORY;
    double *pixels = memory, *sum = pixels + image->width * channels, *weights = sum + line;
    double *row_weights = weights + across, *ring = row_weights + ring_rows;
    size_t next = 0; /* the next row of the original to read */
    for (size_t y = 0; y < height; y++) {
        if (height == image->height) { /* the filter would use only this row */
            fit_row(image, y, backdrop, width, channels, pixels, weights, sum);
            write_row(width, channels, sum, out + y * line);
            continue;
        }
        size_t first, count = filter_weights(image->height, height, y, row_weights, &first);
        for (; next < first + count; next++)
            if (next >= first)
                fit_row(image, next, backdrop, width, channels, pixels, weights, ring + next % ring_rows * line);
        memset(sum, 0, line * sizeof *sum);
        for (size_t i = 0; i < count; i++) {
            const double *row = ring + (first + i) % ring_rows * line;
            for (size_t x = 0; x < line; x++) sum[x] += row_weights[i] * row[x];
        }
        write_row(width, channels, sum, out + y * line);
    }
    free(memory);
    return LINEX_OK;
}

linex_status linex_image_fit(const linex_image *image, const double *backdrop, size_t width, size_t height,
                             size_t channels, float *out)
{
    if (!image || !backdrop || !out || !image->bytes == !image->floats) return LINEX_BAD_ARGUMENT;
    if (!channels_are_valid(image->channels) || !channels_are_valid(channels)) return LINEX_BAD_ARGUMENT;
    if (!size_is_valid(image->width, image->height) || !size_is_valid(width, height)) return LINEX_BAD_ARGUMENT;
    /* The common case: the size and the channels are already right, and there is no alpha. */
    bool same = image->width == width && image->height == height && image->channels == channels;
    if (!same || channels == MAX_CHANNELS) return fit_rows(image, backdrop, width, height, channels, out);
    for (size_t i = 0; i < width * height * channels; i++)
        out[i] = image->bytes ? (float)image->bytes[i] : image->floats[i];
    return LINEX_OK;
}

linex_status linex_image_average(size_t pixels, size_t channels, const float *image, const uint32_t *labels,
                                 size_t segments, float *averaged)
{
    if (!pixels || !channels_are_valid(channels) || !image || !labels || !segments || !averaged)
        return LINEX_BAD_ARGUMENT;
    for (size_t i = 0; i < pixels; i++)
        if (labels[i] >= segments) return LINEX_BAD_ARGUMENT;
    size_t stride = channels + 1; /* the weight of a segment follows its sums */
    double *sums = linex_alloc_doubles((double)segments * ((double)stride + 1));
    if (!sums) return LINEX_NO_MEMORY;
    double *counts = sums + segments * stride;
    for (size_t i = 0; i < pixels; i++) {
        const float *pixel = image + i * channels;
        double *sum = sums + labels[i] * stride, weight = channels == 4 ? (double)pixel[3] / OPAQUE : 1;
        for (size_t c = 0; c < channels; c++) sum[c] += (c < 3 ? weight : 1) * (double)pixel[c];
        sum[channels] += weight;
        counts[labels[i]] += 1;
    }
    for (size_t i = 0; i < pixels; i++) {
        const double *sum = sums + labels[i] * stride;
        for (size_t c = 0; c < channels; c++) {
            double total = c < 3 ? sum[channels] : counts[labels[i]];
            averaged[i * channels + c] = total > 0 ? (float)(sum[c] / total) : 0;
        }
    }
    free(sums);
    return LINEX_OK;
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

linex_status linex_image_blur(size_t width, size_t height, size_t channels, const float *image, double sigma,
                              float *blurred)
{
    if (!size_is_valid(width, height) || !channels_are_valid(channels) || !image || !blurred)
        return LINEX_BAD_ARGUMENT;
    if (!(sigma > 0) || !(sigma <= 1000)) return LINEX_BAD_ARGUMENT;
    size_t reach = (size_t)ceil(3 * sigma), longest = width > height ? width : height;
    double *kernel = linex_alloc_doubles((double)reach + 1 + (double)longest), sum = 1;
    if (!kernel) return LINEX_NO_MEMORY;
    kernel[0] = 1;
    for (size_t i = 1; i <= reach; i++) {
        double scaled = (double)i / sigma;
        kernel[i] = linex_exp(-0.5 * scaled * scaled);
        sum += 2 * kernel[i];
    }
    for (size_t i = 0; i <= reach; i++) kernel[i] /= sum;
    double *line = kernel + reach + 1;
    size_t row = width * channels;
    for (size_t y = 0; y < height; y++)
        for (size_t c = 0; c < channels; c++)
            blur_line(width, channels, image + y * row + c, reach, kernel, line, blurred + y * row + c);
    for (size_t x = 0; x < row; x++) blur_line(height, row, blurred + x, reach, kernel, line, blurred + x);
    free(kernel);
    return LINEX_OK;
}
