#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "linex.h"
#include "base/alloc.h"

enum { MOST_CHANNELS = 4, OPAQUE = 255 };

static bool channels_are_good(size_t channels)
{
    return channels == 1 || channels == 3 || channels == 4;
}

/* Whether an array of that many pixels, of four floats each, has a size at all. */
static bool pixels_are_good(size_t width, size_t height)
{
    return width && height && (double)width * (double)height * MOST_CHANNELS * sizeof(float) < (double)SIZE_MAX;
}

/* ITU-R BT.601 luma, as most libraries turn colors gray. */
static double gray_of(const double *color)
{
    return 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2];
}

/* One pixel with as many channels as are wanted. A transparent pixel lies on the background; where alpha is kept, the
 * colors are weighted by it, so that what cannot be seen does not bleed into what can. */
static void read_pixel(const linex_image *picture, size_t at, const double *background, size_t channels,
                       double *pixel)
{
    double values[MOST_CHANNELS] = {0, 0, 0, OPAQUE};
    for (size_t c = 0; c < picture->channels; c++) {
        size_t place = at * picture->channels + c;
        values[c] = picture->bytes ? (double)picture->bytes[place] : (double)picture->floats[place];
    }
    if (picture->channels == 1) values[1] = values[2] = values[0];
    double alpha = values[3] / OPAQUE;
    for (size_t c = 0; c < 3 && alpha < 1; c++)
        values[c] = values[c] * alpha + (channels == 4 ? 0 : background[c] * (1 - alpha));
    if (channels == 1) values[0] = gray_of(values);
    memcpy(pixel, values, channels * sizeof *pixel);
}

/* The triangle filter: as wide as a pixel where a picture grows, as wide as what becomes a pixel where it shrinks, so
 * that every pixel of the original counts. Calls for target `to`: the first source, and the weights, which sum to 1. */
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

static size_t widest_filter(size_t from_size, size_t to_size)
{
    return (size_t)(2 * ceil(fmax((double)from_size / (double)to_size, 1))) + 2;
}

/* One row of the original, converted and shrunk or stretched to the new width. */
static void fit_row(const linex_image *picture, size_t y, const double *background, size_t width, size_t channels,
                    double *pixels, double *weights, double *row)
{
    for (size_t x = 0; x < picture->width; x++)
        read_pixel(picture, y * picture->width + x, background, channels, pixels + x * channels);
    if (width == picture->width) {
        memcpy(row, pixels, width * channels * sizeof *row);
        return;
    }
    for (size_t x = 0; x < width; x++) {
        size_t first, count = filter_weights(picture->width, width, x, weights, &first);
        for (size_t c = 0; c < channels; c++) {
            double sum = 0;
            for (size_t i = 0; i < count; i++) sum += weights[i] * pixels[(first + i) * channels + c];
            row[x * channels + c] = sum;
        }
    }
}

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

/* Adds the rows of the original to those they become, one after the other: the whole of it is never held twice. */
static linex_status fit_rows(const linex_image *picture, const double *background, size_t width, size_t height,
                             size_t channels, float *out)
{
    size_t line = width * channels;
    size_t widest = widest_filter(picture->width, width), tallest = widest_filter(picture->height, height);
    double *memory = linex_alloc_doubles((double)picture->width * (double)channels + 2.0 * (double)line +
                                         (double)widest + (double)tallest + (double)tallest * (double)line);
    if (!memory) return LINEX_NO_MEMORY;
    double *pixels = memory, *sum = pixels + picture->width * channels, *weights = sum + line;
    double *down = weights + widest, *ring = down + tallest;
    size_t next = 0; /* the first row of the original that is not yet in the ring */
    for (size_t y = 0; y < height; y++) {
        if (height == picture->height) { /* the filter would take this row alone */
            fit_row(picture, y, background, width, channels, pixels, weights, sum);
            write_row(width, channels, sum, out + y * line);
            continue;
        }
        size_t first, count = filter_weights(picture->height, height, y, down, &first);
        for (; next < first + count; next++)
            if (next >= first)
                fit_row(picture, next, background, width, channels, pixels, weights, ring + next % tallest * line);
        memset(sum, 0, line * sizeof *sum);
        for (size_t i = 0; i < count; i++) {
            const double *row = ring + (first + i) % tallest * line;
            for (size_t x = 0; x < line; x++) sum[x] += down[i] * row[x];
        }
        write_row(width, channels, sum, out + y * line);
    }
    free(memory);
    return LINEX_OK;
}

linex_status linex_image_fit(const linex_image *picture, const double *background, size_t width, size_t height,
                             size_t channels, float *out)
{
    if (!picture || !background || !out || !picture->bytes == !picture->floats) return LINEX_BAD_ARGUMENT;
    if (!channels_are_good(picture->channels) || !channels_are_good(channels)) return LINEX_BAD_ARGUMENT;
    if (!pixels_are_good(picture->width, picture->height) || !pixels_are_good(width, height))
        return LINEX_BAD_ARGUMENT;
    /* What most callers have: nothing to shrink, and without alpha nothing to lay on a background. */
    bool same = picture->width == width && picture->height == height && picture->channels == channels;
    if (!same || channels == MOST_CHANNELS) return fit_rows(picture, background, width, height, channels, out);
    for (size_t i = 0; i < width * height * channels; i++)
        out[i] = picture->bytes ? (float)picture->bytes[i] : picture->floats[i];
    return LINEX_OK;
}

linex_status linex_image_average(size_t pixels, size_t channels, const float *picture, const uint32_t *labels,
                                 size_t segments, float *averaged)
{
    if (!pixels || !channels_are_good(channels) || !picture || !labels || !segments || !averaged)
        return LINEX_BAD_ARGUMENT;
    for (size_t i = 0; i < pixels; i++)
        if (labels[i] >= segments) return LINEX_BAD_ARGUMENT;
    size_t width = channels + 1; /* the weight of a segment stands after its sums */
    double *sums = linex_alloc_doubles((double)segments * ((double)width + 1));
    if (!sums) return LINEX_NO_MEMORY;
    double *counts = sums + segments * width;
    for (size_t i = 0; i < pixels; i++) {
        const float *pixel = picture + i * channels;
        double *sum = sums + labels[i] * width, weight = channels == 4 ? (double)pixel[3] / OPAQUE : 1;
        for (size_t c = 0; c < channels; c++) sum[c] += (c < 3 ? weight : 1) * (double)pixel[c];
        sum[channels] += weight;
        counts[labels[i]] += 1;
    }
    for (size_t i = 0; i < pixels; i++) {
        const double *sum = sums + labels[i] * width;
        for (size_t c = 0; c < channels; c++) {
            double total = c < 3 ? sum[channels] : counts[labels[i]];
            averaged[i * channels + c] = total > 0 ? (float)(sum[c] / total) : 0;
        }
    }
    free(sums);
    return LINEX_OK;
}

/* One line of values, `stride` apart, under a symmetric kernel; the edges are repeated. */
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

linex_status linex_image_blur(size_t width, size_t height, size_t channels, const float *picture, double sigma,
                              float *blurred)
{
    if (!pixels_are_good(width, height) || !channels_are_good(channels) || !picture || !blurred)
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
            blur_line(width, channels, picture + y * row + c, reach, kernel, line, blurred + y * row + c);
    for (size_t x = 0; x < row; x++) blur_line(height, row, blurred + x, reach, kernel, line, blurred + x);
    free(kernel);
    return LINEX_OK;
}
