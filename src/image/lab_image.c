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

static void fill_light(linex_lab_image *image, bool stretched)
{
    uint8_t low = 0, high = 255;
    size_t count = image->width * image->height * image->channels;
    if (stretched) {
        low = high = image->pixels[0];
        for (size_t i = 0; i < count; i++) {
            low = image->pixels[i] < low ? image->pixels[i] : low;
            high = image->pixels[i] > high ? image->pixels[i] : high;
        }
    }
    double range = high > low ? high - low : 1;
    for (int byte = 0; byte < 256; byte++) image->light[byte] = light_of(fmin(fmax((byte - low) / range, 0), 1));
}

typedef struct {
    size_t radius;
    float *taps;            /* 2 radius + 1 weights that sum to 1 */
    float *padded, *summed; /* a strip with its mirror images at both ends; the blurred strip */
} blur_filter;

/* Blurs a strip of `count` groups along its length. A group is `lanes` adjacent numbers, and groups are `step`
 * numbers apart. The strip is mirrored beyond its ends. */
static void blur_strip(const blur_filter *filter, size_t count, size_t step, size_t lanes, float *values)
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

static void fill_taps(const blur_filter *filter, double sigma)
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

static linex_status blur_image(linex_lab_image *image, double sigma)
{
    size_t width = image->width, height = image->height, longest = width > height ? width : height;
    /* A blur as wide as the image almost gives its mean color, so a wider blur is not needed. The weight beyond four
     * sigma is negligible. */
    sigma = fmin(sigma, (double)longest);
    blur_filter filter = {.radius = (size_t)ceil(4 * sigma)};
    double padded = (double)LANES * ((double)longest + 2 * (double)filter.radius);
    filter.taps = linex_alloc_items(2 * (double)filter.radius + 1, sizeof *filter.taps);
    filter.padded = linex_alloc_items(padded, sizeof *filter.padded);
    filter.summed = linex_alloc_items((double)LANES * (double)longest, sizeof *filter.summed);
    float *rows = linex_alloc_items(3 * (double)width * (double)height, sizeof *rows);
    bool allocated = filter.taps && filter.padded && filter.summed && rows;
    if (allocated) {
        fill_taps(&filter, sigma);
        for (size_t y = 0; y < height; y++) {
            float *row = rows + y * 3 * width;
            linex_lab_image_row(image, y, 0, 1, width, row);
            for (size_t plane = 0; plane < 3; plane++) blur_strip(&filter, width, 1, 1, row + plane * width);
        }
        for (size_t x = 0; x < 3 * width; x += LANES) {
            size_t lanes = 3 * width - x < LANES ? 3 * width - x : LANES;
            blur_strip(&filter, height, 3 * width, lanes, rows + x);
        }
        image->blurred = rows;
    } else {
        free(rows);
    }
    free(filter.taps);
    free(filter.padded);
    free(filter.summed);
    return allocated ? LINEX_OK : LINEX_NO_MEMORY;
}

linex_status linex_lab_image_open(size_t width, size_t height, size_t channels, const uint8_t *pixels, bool stretched,
                                  double sigma, linex_lab_image *image)
{
    *image = (linex_lab_image){.width = width, .height = height, .channels = channels, .pixels = pixels};
    fill_light(image, stretched);
    return sigma > 0 ? blur_image(image, sigma) : LINEX_OK;
}

void linex_lab_image_close(linex_lab_image *image)
{
    free(image->blurred);
    image->blurred = NULL;
}
