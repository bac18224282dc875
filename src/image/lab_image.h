/* lab_image.h: an image as CIE Lab, one row at a time.
 *
 * Rows are converted when they are read, so a large photo is not stored a second time as floats. Only a blurred image
 * is stored.
 */
#ifndef LINEX_LAB_IMAGE_H
#define LINEX_LAB_IMAGE_H

#include "linex.h"

typedef struct {
    size_t width, height, channels;
    const uint8_t *pixels;
    float light[256]; /* the linear light of each byte value */
    float *blurred;   /* height x 3 x width; NULL if the image is not blurred */
} linex_lab_image;

/* Prepares an image for reading. The pixels remain the caller's and must outlive the image. After LINEX_NO_MEMORY the
 * image may be closed, but need not be.
 *
 * channels   1 for gray, 3 for sRGB
 * stretched  if true, the image's darkest byte counts as 0 and its brightest as 255
 * sigma      of a Gaussian blur, in pixels; 0 for none */
linex_status linex_lab_image_open(size_t width, size_t height, size_t channels, const uint8_t *pixels, bool stretched,
                                  double sigma, linex_lab_image *image);

/* Frees the blurred image. */
void linex_lab_image_close(linex_lab_image *image);

/* Reads pixels first, first + stride, .. of row y.
 *
 * lab  3 x count: all L, all a, all b */
void linex_lab_image_row(const linex_lab_image *image, size_t y, size_t first, size_t stride, size_t count,
                         float *lab);

#endif
