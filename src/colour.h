/* colour.h: a picture as CIE Lab, a row at a time.
 *
 * L in 0 .. 100, a and b about -110 .. 100, for sRGB under D65. Rows are made when they are wanted, so that a large
 * photo need not be held three more times; only a blurred one is kept.
 */
#ifndef LINEX_COLOUR_H
#define LINEX_COLOUR_H

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

#endif
