/* lab_image.c: reads an image as CIE Lab, one row at a time, and blurs it first if asked to. */
#include "image/lab_image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/elementary.h"
#include "image/color.h"

/* The number of columns that are blurred together: one cache line of floats. */
enum { LANES = 16 };

/* The linear light of an sRGB value in 0 .. 1. */
static float light_of(double value)
{
    if (value <= 0.04045) return (float)(value / 12.92);
    return (float)linex_exp(2.4 * linex_log((value + 0.055) / 1.055));
}

static void find_range_of_row(void *state, size_t y)
{
    linex_lab_image *image = state;
    size_t count = image->width * image->channels;
    const uint8_t *row = image->pixels + y * count;
    uint8_t low = image->low, high = image->high;
    for (size_t i = 0; i < count; i++) {
        low = row[i] < low ? row[i] : low;
        high = row[i] > high ? row[i] : high;
    }
    image->low = low;
    image->high = high;
}

static void fill_light(linex_lab_image *image)
{
    double range = image->high > image->low ? image->high - image->low : 1;
    for (int byte = 0; byte < 256; byte++)
        image->light[byte] = light_of(fmin(fmax((byte - image->low) / range, 0), 1));
}

/* Blurs a strip of `count` groups along its length. A group is `lanes` adjacent numbers, and groups are `step`
 * numbers apart. The strip is mirrored beyond its ends. */
static void blur_strip(const linex_blur_filter *filter, size_t count, size_t step, size_t lanes, float *values)
{
    size_t radius = filter->radius, period = 2 * count;
    for (size_t i = 0; i < count + 2 * radius; i++) {
        size_t at = (i + period - radius % period) % period;
        if (at >= count) at = period - 1 - at;
        memcpy(filter->padded + i * lanes, values + at * step, lanes * sizeof *values);
    }
    memset(filter->summed, 0, count * lanes * sizeof *filter->summed);
    for (size_t tap = 0; tap <= 2 * radius; tap++) {
        const float *shifted = filter->padded + tap * lanes;
        float weight = filter->taps[tap];
        for (size_t i = 0; i < count * lanes; i++) filter->summed[i] += weight * shifted[i];
    }
    for (size_t i = 0; i < count; i++) memcpy(values + i * step, filter->summed + i * lanes, lanes * sizeof *values);
}

static void fill_taps(const linex_blur_filter *filter, double sigma)
{
    double sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i <= 2 * filter->radius; i++) {
            double distance = ((double)i - (double)filter->radius) / sigma,
                   weight = linex_exp(-0.5 * distance * distance);
            if (pass == 0)
                sum += weight;
            else
                filter->taps[i] = (float)(weight / sum);
        }
}

void linex_lab_image_row(const linex_lab_image *image, size_t y, size_t first, size_t stride, size_t count,
                         float *lab)
{
    if (!image->blurred) {
        const uint8_t *pixels = image->pixels + (y * image->width + first) * image->channels;
        linex_lab_convert(count, stride, image->channels, pixels, image->light, lab);
        return;
    }
    const float *pixel = image->blurred + y * 3 * image->width + first;
    for (size_t i = 0; i < count; i++, pixel += stride)
        for (size_t plane = 0; plane < 3; plane++) lab[plane * count + i] = pixel[plane * image->width];
}

static linex_status start_blur(linex_lab_image *image)
{
    double width = (double)image->width, height = (double)image->height, longest = fmax(width, height);
    /* A blur as wide as the image almost gives its mean color, so a wider blur is not needed. The weight beyond four
     * sigma is negligible. */
    double sigma = fmin(image->sigma, longest);
    linex_blur_filter *filter = &image->filter;
    filter->radius = (size_t)ceil(4 * sigma);
    filter->taps = linex_alloc_items(2 * (double)filter->radius + 1, sizeof *filter->taps);
    filter->padded = linex_alloc_items(LANES * (longest + 2 * (double)filter->radius), sizeof *filter->padded);
    filter->summed = linex_alloc_items(LANES * longest, sizeof *filter->summed);
    image->blurring = linex_alloc_items(3 * width * height, sizeof *image->blurring);
    if (!filter->taps || !filter->padded || !filter->summed || !image->blurring) return LINEX_NO_MEMORY;
    fill_taps(filter, sigma);
    return LINEX_OK;
}

static void blur_row(void *state, size_t y)
{
    const linex_lab_image *image = state;
    size_t width = image->width;
    float *row = image->blurring + y * 3 * width;
    linex_lab_image_row(image, y, 0, 1, width, row);
    for (size_t plane = 0; plane < 3; plane++) blur_strip(&image->filter, width, 1, 1, row + plane * width);
}

static void blur_columns(void *state, size_t group)
{
    const linex_lab_image *image = state;
    size_t x = group * LANES, all = 3 * image->width, lanes = all - x < LANES ? all - x : LANES;
    blur_strip(&image->filter, image->height, all, lanes, image->blurring + x);
}

static linex_status find_range(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_lab_image *image = state;
    double work = (double)(image->width * image->channels) / 4;
    linex_status status = LINEX_OK;
    if (image->stretched) status = linex_steps_advance(image->height, work, find_range_of_row, image, at, slice);
    if (status) return status;
    fill_light(image);
    return image->sigma > 0 ? start_blur(image) : LINEX_OK;
}

static double work_of_blur(const linex_lab_image *image, double values)
{
    return values * (2 * (double)image->filter.radius + 1) / 4;
}

static linex_status blur_rows(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_lab_image *image = state;
    if (!image->blurring) return LINEX_OK;
    double work = work_of_blur(image, 3.0 * (double)image->width);
    return linex_steps_advance(image->height, work, blur_row, image, at, slice);
}

static linex_status blur_all_columns(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_lab_image *image = state;
    if (!image->blurring) return LINEX_OK;
    double work = work_of_blur(image, (double)LANES * (double)image->height);
    linex_status status =
        linex_steps_advance((3 * image->width + LANES - 1) / LANES, work, blur_columns, image, at, slice);
    if (status) return status;
    image->blurred = image->blurring;
    image->blurring = NULL;
    return LINEX_OK;
}

void linex_lab_image_open(size_t width, size_t height, size_t channels, const uint8_t *pixels, bool stretched,
                          double sigma, linex_lab_image *image)
{
    *image = (linex_lab_image){.width = width, .height = height, .channels = channels, .pixels = pixels};
    image->stretched = stretched;
    image->sigma = sigma;
    image->low = stretched ? pixels[0] : 0;
    image->high = stretched ? pixels[0] : 255;
}

linex_status linex_lab_image_advance(linex_lab_image *image, linex_slice *slice)
{
    static const linex_stage STAGES[] = {find_range, blur_rows, blur_all_columns};
    return linex_stages_advance(sizeof STAGES / sizeof *STAGES, STAGES, image, &image->at, slice);
}

void linex_lab_image_close(linex_lab_image *image)
{
    float *blocks[] = {image->filter.taps, image->filter.padded, image->filter.summed, image->blurring,
                       image->blurred};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    *image = (linex_lab_image){0};
}
