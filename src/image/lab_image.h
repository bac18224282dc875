/* lab_image.h: an image as CIE Lab, one row at a time.
 *
 * Rows are converted when they are read, so a large photo is not stored a second time as floats. Only a blurred image
 * is stored.
 */
#ifndef LINEX_LAB_IMAGE_H
#define LINEX_LAB_IMAGE_H

#include "linex.h"
#include "base/task.h"

typedef struct {
    size_t radius;
    float *taps;            /* 2 radius + 1 weights that sum to 1 */
    float *padded, *summed; /* a strip with its mirror images at both ends; the blurred strip */
} linex_blur_filter;

typedef struct {
    size_t width, height, channels;
    const uint8_t *pixels;
    bool stretched;
    double sigma;
    uint8_t low, high;        /* the bytes that count as 0 and as 255 */
    float light[256];         /* the linear light of each byte value */
    linex_blur_filter filter; /* only while the image is blurred */
    float *blurring;          /* height x 3 x width: blurred in part */
    float *blurred;           /* height x 3 x width; NULL if the image is not blurred */
    linex_cursor at;
} linex_lab_image;

/* Describes an image. linex_lab_image_advance must prepare it before it is read. The pixels remain the caller's and
 * must outlive the image.
 *
 * channels   1 for gray, 3 for sRGB
 * stretched  if true, the image's darkest byte counts as 0 and its brightest as 255
 * sigma      of a Gaussian blur, in pixels; 0 for none */
void linex_lab_image_open(size_t width, size_t height, size_t channels, const uint8_t *pixels, bool stretched,
                          double sigma, linex_lab_image *image);

/* Prepares an image for reading, in slices: see base/task.h. */
linex_status linex_lab_image_advance(linex_lab_image *image, linex_slice *slice);

/* Frees the blurred image, whether it is finished or not. An image may be closed twice. */
void linex_lab_image_close(linex_lab_image *image);

/* Reads pixels first, first + stride, .. of row y.
 *
 * lab  3 x count: all L, all a, all b */
void linex_lab_image_row(const linex_lab_image *image, size_t y, size_t first, size_t stride, size_t count,
                         float *lab);

#endif
