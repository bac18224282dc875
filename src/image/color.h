/* color.h: conversion of sRGB pixels to CIE Lab, and distances between Lab pixels.
 *
 * For sRGB under D65, L is in 0 .. 100, and a and b are in about -110 .. 100. These functions run many times for each
 * pixel. They are plain loops without branches over arrays that do not overlap, so compilers can process four pixels
 * at once.
 */
#ifndef LINEX_COLOR_H
#define LINEX_COLOR_H

#include "linex.h"

/* Converts every stride-th of a strip of pixels to Lab.
 *
 * channels  1 for gray, 3 for sRGB
 * pixels    the first pixel; `count` pixels are read, `stride` pixels apart
 * light     256: the linear light of each byte value
 * lab       3 x count: all L, all a, all b */
void linex_lab_convert(size_t count, size_t stride, size_t channels, const uint8_t *pixels, const float *light,
                       float *lab);

/* In the functions below, plane_stride is the distance in an array from L to a, and from a to b, of the same
 * pixel. */

typedef struct {
    float x, y, l, a, b;
} linex_lab_point;

/* Assigns the pixels of a row to a center if it is nearer than all centers before it. The squared distance is
 *     color^2 + weight * (at - x)^2 + row_distance.
 *
 * at      count: the x coordinates of the pixels
 * best    count: the squared distance to the nearest center so far; updated
 * labels  count: the nearest center so far; updated */
void linex_lab_claim(size_t count, size_t plane_stride, const float *lab, const float *at,
                     const linex_lab_point *center, float weight, float row_distance, uint32_t label, float *best,
                     uint32_t *labels);

/* Computes the kernel 2^(factor * (ratio * color^2 + space)) between the pixels of two rows; factor < 0.
 *
 * weights  count; the relative error is below 3e-6, and no weight is below 2^-126 */
void linex_lab_weigh(size_t count, size_t plane_stride, const float *first, const float *second, float ratio,
                     float space, float factor, float *weights);

/* sums += weights */
void linex_lab_add(size_t count, const float *weights, float *sums);

#endif
