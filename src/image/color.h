/* color.h: a picture as CIE Lab, a row at a time, and distances in it.
 *
 * L in 0 .. 100, a and b about -110 .. 100, for sRGB under D65. Rows are made when they are wanted, so that a large
 * photo need not be held three more times; only a blurred one is kept.
 */
#ifndef LINEX_COLOR_H
#define LINEX_COLOR_H

#include "linex.h"

typedef struct {
    size_t width, height, channels;
    const uint8_t *pixels;
    float light[256]; /* linear light of a byte */
    float *blurred;   /* height x 3 x width; NULL for a picture that is not */
} linex_picture;

/* stretched  the picture's darkest byte counts as 0 and its brightest as 255
 * sigma      of the Gaussian blur, in pixels; 0 for none
 * The pixels remain the caller's and must outlive the picture. */
linex_status linex_picture_open(size_t width, size_t height, size_t channels, const uint8_t *pixels, bool stretched,
                                double sigma, linex_picture *picture);

void linex_picture_close(linex_picture *picture);

/* Pixels first, first + stride, .. of row y.
 *
 * lab  3 x count: all L, all a, all b */
void linex_picture_row(const linex_picture *picture, size_t y, size_t first, size_t stride, size_t count, float *lab);

/* What follows is done to every pixel many times over: plain loops over arrays that do not overlap, without branches,
 * so that compilers do four pixels at once. In all of them `wide` is the distance from a row's L to its a, and from
 * its a to its b. */

typedef struct {
    float x, y, l, a, b;
} linex_lab_point;

/* Gives a center the pixels of a row that it is nearer to than any before it, by
 *     color^2 + weight * (at - x)^2 + row.
 *
 * at      count: where the pixels are in their row
 * best    count: how near the nearest center so far is
 * labels  count: which it is */
void linex_lab_claim(size_t count, size_t wide, const float *lab, const float *at, const linex_lab_point *from,
                     float weight, float row, uint32_t label, float *best, uint32_t *labels);

/* The kernel 2^(factor * (ratio * color^2 + space)) between the pixels of two rows; factor < 0.
 *
 * weights  count; within 3e-6 of themselves, and none below 2^-126 */
void linex_lab_weigh(size_t count, size_t wide, const float *one, const float *other, float ratio, float space,
                     float factor, float *weights);

void linex_lab_add(size_t count, const float *weights, float *sums);

#endif
