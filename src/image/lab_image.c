#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/color.h"
#include "base/elementary.h"
#include "base/alloc.h"

/* Columns that are blurred together: one cache line. */
enum { LANES = 16 };

static float light_of(double share)
{
    if (share <= 0.04045) return (float)(share / 12.92);
    return (float)linex_exp(2.4 * linex_log((share + 0.055) / 1.055));
}

static void fill_light(linex_picture *picture, bool stretched)
{
    uint8_t low = 0, high = 255;
    size_t count = picture->width * picture->height * picture->channels;
    if (stretched) {
        low = high = picture->pixels[0];
        for (size_t i = 0; i < count; i++) {
            low = picture->pixels[i] < low ? picture->pixels[i] : low;
            high = picture->pixels[i] > high ? picture->pixels[i] : high;
        }
    }
    double range = high > low ? high - low : 1;
    for (int byte = 0; byte < 256; byte++) picture->light[byte] = light_of(fmin(fmax((byte - low) / range, 0), 1));
}

typedef struct {
    size_t radius;
    float *taps;            /* 2 radius + 1, adding up to 1 */
    float *padded, *summed; /* a strip with its mirror images at both ends, and what becomes of it */
} blur;

/* Blurs a strip of `count` groups of `lanes` neighboring numbers along its length; beyond its ends it is mirrored. */
static void blur_strip(const blur *how, size_t count, size_t step, size_t lanes, float *values)
{
    size_t radius = how->radius, turn = 2 * count;
    for (size_t i = 0; i < count + 2 * radius; i++) {
        size_t at = (i + turn - radius % turn) % turn;
        if (at >= count) at = turn - 1 - at;
        memcpy(how->padded + i * lanes, values + at * step, lanes * sizeof *values);
    }
    memset(how->summed, 0, count * lanes * sizeof *how->summed);
    for (size_t tap = 0; tap <= 2 * radius; tap++) {
        const float *shifted = how->padded + tap * lanes;
        float share = how->taps[tap];
        for (size_t i = 0; i < count * lanes; i++) how->summed[i] += share * shifted[i];
    }
    for (size_t i = 0; i < count; i++) memcpy(values + i * step, how->summed + i * lanes, lanes * sizeof *values);
}

static void fill_taps(const blur *how, double sigma)
{
    double sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i <= 2 * how->radius; i++) {
            double away = ((double)i - (double)how->radius) / sigma, weight = linex_exp(-0.5 * away * away);
            if (pass == 0)
                sum += weight;
            else
                how->taps[i] = (float)(weight / sum);
        }
}

static linex_status blur_picture(linex_picture *picture, double sigma)
{
    size_t width = picture->width, height = picture->height, longest = width > height ? width : height;
    /* One as wide as the picture leaves its mean, and so would a wider one; beyond four sigma next to nothing is. */
    sigma = fmin(sigma, (double)longest);
    blur how = {.radius = (size_t)ceil(4 * sigma)};
    double padded = (double)LANES * ((double)longest + 2 * (double)how.radius);
    how.taps = linex_alloc_items(2 * (double)how.radius + 1, sizeof *how.taps);
    how.padded = linex_alloc_items(padded, sizeof *how.padded);
    how.summed = linex_alloc_items((double)LANES * (double)longest, sizeof *how.summed);
    float *rows = linex_alloc_items(3 * (double)width * (double)height, sizeof *rows);
    bool room = how.taps && how.padded && how.summed && rows;
    if (room) {
        fill_taps(&how, sigma);
        for (size_t y = 0; y < height; y++) {
            float *row = rows + y * 3 * width;
            linex_picture_row(picture, y, 0, 1, width, row);
            for (size_t plane = 0; plane < 3; plane++) blur_strip(&how, width, 1, 1, row + plane * width);
        }
        for (size_t x = 0; x < 3 * width; x += LANES) {
            size_t lanes = 3 * width - x < LANES ? 3 * width - x : LANES;
            blur_strip(&how, height, 3 * width, lanes, rows + x);
        }
        picture->blurred = rows;
    } else {
        free(rows);
    }
    free(how.taps);
    free(how.padded);
    free(how.summed);
    return room ? LINEX_OK : LINEX_NO_MEMORY;
}

linex_status linex_picture_open(size_t width, size_t height, size_t channels, const uint8_t *pixels, bool stretched,
                                double sigma, linex_picture *picture)
{
    *picture = (linex_picture){.width = width, .height = height, .channels = channels, .pixels = pixels};
    fill_light(picture, stretched);
    return sigma > 0 ? blur_picture(picture, sigma) : LINEX_OK;
}

void linex_picture_close(linex_picture *picture)
{
    free(picture->blurred);
    picture->blurred = NULL;
}
