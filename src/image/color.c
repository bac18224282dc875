#include "image/color.h"

#include <string.h>

/* Linear sRGB to XYZ (IEC 61966-2-1), each row over the white of D65, so that white is (1, 1, 1). */
static const float TO_XYZ[3][3] = {
    {0.4124564f / 0.95047f, 0.3575761f / 0.95047f, 0.1804375f / 0.95047f},
    {0.2126729f, 0.7151522f, 0.0721749f},
    {0.0193339f / 1.08883f, 0.1191920f / 1.08883f, 0.9503041f / 1.08883f},
};

/* One of Halley's steps towards the cube root of t: it cubes the error. */
static inline float nearer_root(float root, float t)
{
    float cube = root * root * root;
    return root * (cube + 2 * t) / (2 * cube + t);
}

/* The curve of CIE Lab: a cube root, straight near black. A third of the exponent is 5 % off the root at most. */
static inline float lab_curve(float t)
{
    uint32_t bits;
    float root;
    memcpy(&bits, &t, sizeof bits);
    bits = bits / 3 + 0x2a5137a0u;
    memcpy(&root, &bits, sizeof root);
    root = nearer_root(nearer_root(root, t), t);
    return t > 216.0f / 24389 ? root : 841.0f / 108 * t + 4.0f / 29;
}

static void convert_row(const linex_picture *picture, const uint8_t *pixels, size_t stride, size_t count, float *lab)
{
    float *l = lab, *a = lab + count, *b = lab + 2 * count;
    const float *light = picture->light;
    /* Gray is a color of three equal parts: then X, Y and Z are that part, in units of white. */
    bool gray = picture->channels == 1;
    for (size_t i = 0; gray && i < count; i++) l[i] = a[i] = b[i] = light[pixels[i * stride]];
    for (size_t i = 0; !gray && i < count; i++) {
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
    const float *pixel = picture->blurred + y * 3 * picture->width + first;
    for (size_t i = 0; i < count; i++, pixel += stride)
        for (size_t plane = 0; plane < 3; plane++) lab[plane * count + i] = pixel[plane * picture->width];
}

void linex_lab_claim(size_t count, size_t wide, const float *restrict lab, const float *restrict at,
                     const linex_lab_point *from, float weight, float row, uint32_t label, float *restrict best,
                     uint32_t *restrict labels)
{
    const float *a = lab + wide, *b = lab + 2 * wide;
    const linex_lab_point to = *from;
    for (size_t i = 0; i < count; i++) {
        float dl = lab[i] - to.l, da = a[i] - to.a, db = b[i] - to.b, dx = at[i] - to.x;
        float distance = dl * dl + da * da + db * db + (weight * (dx * dx) + row);
        uint32_t nearer = 0 - (uint32_t)(distance < best[i]);
        labels[i] = (label & nearer) | (labels[i] & ~nearer);
        best[i] = distance < best[i] ? distance : best[i];
    }
}

/* 2^x for x <= 0, within 3e-6 of it; 2^-126 for whatever is below. By + and * alone and without a branch, so that
 * compilers do four at once. */
static inline float power_of_two(float x)
{
    /* Adding 3 * 2^22 rounds to a whole number and leaves it in the lowest bits. */
    const float shift = 12582912.0f;
    x = x < -126 ? -126 : x;
    float shifted = x + shift, rest = x - (shifted - shift);
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 127) << 23;
    float whole;
    memcpy(&whole, &bits, sizeof whole);
    float part = 0.0096181291f;
    part = part * rest + 0.0555041087f;
    part = part * rest + 0.2402265070f;
    part = part * rest + 0.6931471806f;
    return whole * (part * rest + 1);
}

void linex_lab_weigh(size_t count, size_t wide, const float *restrict one, const float *restrict other, float ratio,
                     float space, float factor, float *restrict weights)
{
    for (size_t i = 0; i < count; i++) {
        float dl = one[i] - other[i], da = one[wide + i] - other[wide + i];
        float db = one[2 * wide + i] - other[2 * wide + i];
        weights[i] = power_of_two((ratio * (dl * dl + da * da + db * db) + space) * factor);
    }
}

void linex_lab_add(size_t count, const float *weights, float *sums)
{
    for (size_t i = 0; i < count; i++) sums[i] += weights[i];
}
