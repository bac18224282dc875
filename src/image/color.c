/* color.c: conversion of sRGB pixels to CIE Lab, and distances between Lab pixels. */
#include "image/color.h"

#include <string.h>

/* Linear sRGB to XYZ (IEC 61966-2-1). Each row is divided by the D65 white, so white is (1, 1, 1). */
static const float TO_XYZ[3][3] = {
    {0.4124564f / 0.95047f, 0.3575761f / 0.95047f, 0.1804375f / 0.95047f},
    {0.2126729f, 0.7151522f, 0.0721749f},
    {0.0193339f / 1.08883f, 0.1191920f / 1.08883f, 0.9503041f / 1.08883f},
};

/* One step of Halley's method for the cube root of t. It cubes the relative error. */
static inline float halley_step(float root, float t)
{
    float cube = root * root * root;
    return root * (cube + 2 * t) / (2 * cube + t);
}

/* The curve of CIE Lab: a cube root that is linear near black. Dividing the bits by 3 gives a first root with an
 * error of at most 5 %. */
static inline float lab_curve(float t)
{
    uint32_t bits;
    float root;
    memcpy(&bits, &t, sizeof bits);
    bits = bits / 3 + 0x2a5137a0u;
    memcpy(&root, &bits, sizeof root);
    root = halley_step(halley_step(root, t), t);
    return t > 216.0f / 24389 ? root : 841.0f / 108 * t + 4.0f / 29;
}

void linex_lab_convert(size_t count, size_t stride, size_t channels, const uint8_t *pixels, const float *light,
                       float *lab)
{
    float *l = lab, *a = lab + count, *b = lab + 2 * count;
    /* Gray has three equal parts, so X, Y and Z are equal to that part, in units of white. */
    bool gray = channels == 1;
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

void linex_lab_claim(size_t count, size_t plane_stride, const float *restrict lab, const float *restrict at,
                     const linex_lab_point *center, float weight, float row_distance, uint32_t label,
                     float *restrict best, uint32_t *restrict labels)
{
    const float *a = lab + plane_stride, *b = lab + 2 * plane_stride;
    const linex_lab_point to = *center;
    for (size_t i = 0; i < count; i++) {
        float dl = lab[i] - to.l, da = a[i] - to.a, db = b[i] - to.b, dx = at[i] - to.x;
        float distance = dl * dl + da * da + db * db + (weight * (dx * dx) + row_distance);
        uint32_t nearer = 0 - (uint32_t)(distance < best[i]);
        labels[i] = (label & nearer) | (labels[i] & ~nearer);
        best[i] = distance < best[i] ? distance : best[i];
    }
}

/* 2^x for x <= 0 with a relative error below 3e-6, and 2^-126 for x below -126. It uses only + and * and has no
 * branch, so compilers can compute four at once. */
static inline float power_of_two(float x)
{
    /* Adding 3 * 2^22 rounds to a whole number, which is then in the lowest bits. */
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

void linex_lab_weigh(size_t count, size_t plane_stride, const float *restrict first, const float *restrict second,
                     float ratio, float space, float factor, float *restrict weights)
{
    for (size_t i = 0; i < count; i++) {
        float dl = first[i] - second[i], da = first[plane_stride + i] - second[plane_stride + i];
        float db = first[2 * plane_stride + i] - second[2 * plane_stride + i];
        weights[i] = power_of_two((ratio * (dl * dl + da * da + db * db) + space) * factor);
    }
}

void linex_lab_add(size_t count, const float *weights, float *sums)
{
    for (size_t i = 0; i < count; i++) sums[i] += weights[i];
}
