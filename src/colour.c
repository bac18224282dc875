#include "colour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "elementary.h"
#include "room.h"

/* Columns that are blurred together: one cache line. */
enum { LANES = 16 };

/* Linear sRGB to XYZ (IEC 61966-2-1), each row over the white of D65, so that white is (1, 1, 1). */
static const float TO_XYZ[3][3] = {
    {0.4124564f / 0.95047f, 0.3575761f / 0.95047f, 0.1804375f / 0.95047f},
    {0.2126729f, 0.7151522f, 0.0721749f},
    {0.0193339f / 1.08883f, 0.1191920f / 1.08883f, 0.9503041f / 1.08883f},
};

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

/* The curve of CIE Lab: a cube root, straight near black. The root starts from a third of the exponent, 5 % off at
 * most; each of Halley's steps cubes the error. */
static inline float lab_curve(float t)
{
    uint32_t bits;
    float root;
    memcpy(&bits, &t, sizeof bits);
    bits = bits / 3 + 0x2a5137a0u;
    memcpy(&root, &bits, sizeof root);
    for (int step = 0; step < 2; step++) {
        float cube = root * root * root;
        root = root * (cube + 2 * t) / (2 * cube + t);
    }
    return t > 216.0f / 24389 ? root : 841.0f / 108 * t + 4.0f / 29;
}

static void convert_row(const linex_picture *picture, const uint8_t *pixels, size_t stride, size_t count, float *lab)
{
    float *l = lab, *a = lab + count, *b = lab + 2 * count;
    const float *light = picture->light;
    if (picture->channels == 1) {
        for (size_t i = 0; i < count; i++) l[i] = 116 * lab_curve(light[pixels[i * stride]]) - 16;
        memset(a, 0, 2 * count * sizeof *a);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pixel = pixels + 3 * stride * i;
        float red = light[pixel[0]], green = light[pixel[1]], blue = light[pixel[2]];
        a[i] = TO_XYZ[0][0] * red + TO_XYZ[0][1] * green + TO_XYZ[0][2] * blue;
        l[i] = TO_XYZ[1][0] * red + TO_XYZ[1][1] * green + TO_XYZ[1][2] * blue;
        b[i] = TO_XYZ[2][0] * red + TO_XYZ[2][1] * green + TO_XYZ[2][2] * blue;
    }
    for (size_t i = 0; i < count; i++) {
        float x = lab_curve(a[i]), y = lab_curve(l[i]), z = lab_curve(b[i]);
        l[i] = 116 * y - 16;
        a[i] = 500 * (x - y);
        b[i] = 200 * (y - z);
    }
}

void linex_picture_row(const linex_picture *picture, size_t y, size_t first, size_t stride, size_t count, float *lab)
{
    if (!picture->blurred) {
        const uint8_t *pixels = picture->pixels + (y * picture->width + first) * picture->channels;
        convert_row(picture, pixels, stride, count, lab);
        return;
    }
    const float *row = picture->blurred + y * 3 * picture->width + first;
    for (size_t plane = 0; plane < 3; plane++, row += picture->width)
        for (size_t i = 0; i < count; i++) *lab++ = row[i * stride];
}

typedef struct {
    size_t radius;
    float *taps;            /* 2 radius + 1, adding up to 1 */
    float *padded, *summed; /* a strip with its mirror images at both ends, and what becomes of it */
} blur;

/* Blurs a strip of `count` groups of `lanes` neighbouring numbers along its length; beyond its ends it is mirrored. */
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
    /* Beyond four sigma next to nothing is left; beyond its own length a mirrored strip only repeats. */
    blur how = {.radius = (size_t)fmin(ceil(4 * sigma), 2 * (double)longest)};
    double padded = (double)LANES * ((double)longest + 2 * (double)how.radius);
    how.taps = linex_room_of(2 * (double)how.radius + 1, sizeof *how.taps);
    how.padded = linex_room_of(padded, sizeof *how.padded);
    how.summed = linex_room_of((double)LANES * (double)longest, sizeof *how.summed);
    float *rows = linex_room_of(3 * (double)width * (double)height, sizeof *rows);
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
