/* image_input_test.c: resized, averaged and blurred images. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"
#include "run_sliced.h"

static const double white[] = {255, 255, 255};

static void an_image_of_the_right_size_is_not_changed(void)
{
    const uint8_t bytes[] = {0, 1, 2, 200, 201, 202, 50, 60, 70, 255, 254, 253};
    const linex_image image = {2, 2, 3, bytes, NULL};
    float out[12];
    CHECK(linex_image_fit(&image, white, 2, 2, 3, out) == LINEX_OK);
    for (size_t i = 0; i < 12; i++) CHECK(out[i] == (float)bytes[i]);
    /* The same holds for floats, and for the colors of opaque pixels with four channels. */
    const float floats[] = {0, 1.5f, 2, 200, 201, 202.25f, 50, 60, 70, 255, 254, 253};
    const linex_image same = {2, 2, 3, NULL, floats};
    CHECK(linex_image_fit(&same, white, 2, 2, 3, out) == LINEX_OK);
    for (size_t i = 0; i < 12; i++) CHECK(out[i] == floats[i]);
    const uint8_t opaque[] = {0, 1, 2, 255, 200, 201, 202, 255, 50, 60, 70, 255, 255, 254, 253, 255};
    const linex_image four = {2, 2, 4, opaque, NULL};
    CHECK(linex_image_fit(&four, white, 2, 2, 3, out) == LINEX_OK);
    for (size_t i = 0; i < 12; i++) CHECK(out[i] == (float)bytes[i]);
}

/* Red with an alpha of 2/5: on white, on black, with its alpha kept, and as gray by 0.299, 0.587, 0.114. */
static void transparent_pixels_are_blended_with_the_backdrop(void)
{
    const uint8_t bytes[] = {255, 0, 0, 102};
    const linex_image image = {1, 1, 4, bytes, NULL};
    const double black[] = {0, 0, 0};
    float out[4];
    CHECK(linex_image_fit(&image, white, 1, 1, 3, out) == LINEX_OK);
    CHECK_NEAR(out[0], 255, 1e-4);
    CHECK_NEAR(out[1], 153, 1e-4);
    CHECK_NEAR(out[2], 153, 1e-4);
    CHECK(linex_image_fit(&image, black, 1, 1, 3, out) == LINEX_OK);
    CHECK_NEAR(out[0], 102, 1e-4);
    CHECK_NEAR(out[1], 0, 1e-4);
    CHECK(linex_image_fit(&image, black, 1, 1, 4, out) == LINEX_OK);
    CHECK_NEAR(out[0], 255, 1e-3);
    CHECK_NEAR(out[3], 102, 1e-4);
    CHECK(linex_image_fit(&image, white, 1, 1, 1, out) == LINEX_OK);
    CHECK_NEAR(out[0], 0.299 * 255 + 0.587 * 153 + 0.114 * 153, 1e-3);
}

static void an_invisible_color_does_not_affect_its_neighbors(void)
{
    const uint8_t bytes[] = {200, 100, 0, 255, 0, 255, 255, 0};
    const linex_image image = {2, 1, 4, bytes, NULL};
    float out[4];
    CHECK(linex_image_fit(&image, white, 1, 1, 4, out) == LINEX_OK);
    CHECK_NEAR(out[0], 200, 1e-3);
    CHECK_NEAR(out[1], 100, 1e-3);
    CHECK_NEAR(out[2], 0, 1e-3);
    CHECK_NEAR(out[3], 127.5, 1e-3);
}

/* value = 2 x + 5 y. A symmetric filter keeps a linear function, except at the edges. If the image shrinks by r, the
 * center of pixel X is at r (X + 1/2) - 1/2. */
static void a_linear_gradient_stays_linear(void)
{
    enum { SIDE = 24 };
    static float floats[SIDE * SIDE];
    for (size_t i = 0; i < SIDE * SIDE; i++) floats[i] = (float)(2 * (i % SIDE) + 5 * (i / SIDE));
    const linex_image image = {SIDE, SIDE, 1, NULL, floats};
    static const size_t sides[] = {12, 8, 6, 48};
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        size_t side = sides[s];
        float *out = malloc(side * side * sizeof *out);
        CHECK(linex_image_fit(&image, white, side, side, 1, out) == LINEX_OK);
        double ratio = (double)SIDE / (double)side;
        for (size_t y = 0; y < side; y++) {
            for (size_t x = 0; x < side; x++) {
                double u = ratio * ((double)x + 0.5) - 0.5, v = ratio * ((double)y + 0.5) - 0.5;
                double edge = ratio > 1 ? 1.5 * ratio : 1;
                if (fmin(fmin(u, v), SIDE - 1 - fmax(u, v)) < edge) continue;
                CHECK_NEAR(out[y * side + x], 2 * u + 5 * v, 1e-4);
            }
        }
        free(out);
    }
}

static void every_pixel_of_a_large_image_counts(void)
{
    enum { WIDTH = 1000 };
    static uint8_t bytes[WIDTH * 3];
    for (size_t i = 0; i < WIDTH; i++) bytes[i] = bytes[WIDTH + i] = bytes[2 * WIDTH + i] = i % 2 ? 255 : 0;
    const linex_image image = {WIDTH, 3, 1, bytes, NULL};
    float out[10];
    CHECK(linex_image_fit(&image, white, 10, 1, 1, out) == LINEX_OK);
    for (size_t i = 0; i < 10; i++) CHECK_NEAR(out[i], 127.5, 1);
}

static void each_segment_gets_its_mean_color(void)
{
    const float gray[] = {10, 20, 60, 100}, clear[] = {10, 20, 30, 255, 90, 90, 90, 0};
    const uint32_t labels[] = {0, 1, 1, 0}, one[] = {0, 0};
    const float expected[] = {55, 40, 40, 55};
    float out[8];
    CHECK(linex_image_average(4, 1, gray, labels, 2, out) == LINEX_OK);
    for (size_t i = 0; i < 4; i++) CHECK(out[i] == expected[i]);
    CHECK(linex_image_average(2, 4, clear, one, 1, out) == LINEX_OK);
    CHECK_NEAR(out[0], 10, 1e-6);
    CHECK_NEAR(out[2], 30, 1e-6);
    CHECK_NEAR(out[3], 127.5, 1e-6);
    CHECK(linex_image_average(4, 1, gray, labels, 1, out) == LINEX_BAD_ARGUMENT);
}

static double clamped(double value, double most)
{
    return fmax(0, fmin(most, value));
}

/* Compares with the definition: a sum over the plane, with repeated edges. */
static void a_blur_is_a_gaussian_filter(void)
{
    enum { WIDTH = 9, HEIGHT = 7, REACH = 5 };
    const double sigma = 1.5;
    float image[WIDTH * HEIGHT], blurred[WIDTH * HEIGHT];
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) image[i] = (float)((i * 37) % 101);
    CHECK(linex_image_blur(WIDTH, HEIGHT, 1, image, sigma, blurred) == LINEX_OK);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            double sum = 0, total = 0;
            for (int v = -REACH; v <= REACH; v++) {
                for (int u = -REACH; u <= REACH; u++) {
                    double weight = exp(-(u * u + v * v) / (2 * sigma * sigma));
                    size_t at = (size_t)(clamped(y + v, HEIGHT - 1) * WIDTH + clamped(x + u, WIDTH - 1));
                    sum += weight * (double)image[at];
                    total += weight;
                }
            }
            CHECK_NEAR(blurred[y * WIDTH + x], sum / total, 1e-3);
        }
    }
}

enum { FITTED = 23 * 31 * 4 };

static linex_status make_sliced(int step, const linex_image *image, const uint32_t *labels, double work, float *out)
{
    linex_task *task = NULL;
    linex_status status = LINEX_OK;
    if (step == 0) status = linex_image_fit_start(image, white, 23, 31, 4, out, &task);
    if (step == 1) status = linex_image_fit_start(image, white, image->width, image->height, 4, out, &task);
    if (step == 2) status = linex_image_average_start(17 * 19, 4, image->floats, labels, 5, out, &task);
    if (step == 3) status = linex_image_blur_start(17, 19, 4, image->floats, 2, out, &task);
    return run_sliced(status, task, work);
}

static void the_slices_do_not_change_an_image(void)
{
    static float floats[17 * 19 * 4], expected[FITTED], out[FITTED];
    static uint32_t labels[17 * 19];
    for (size_t i = 0; i < 17 * 19 * 4; i++) floats[i] = (float)(i * 7919 % 256);
    for (size_t i = 0; i < 17 * 19; i++) labels[i] = (uint32_t)(i * 31 % 5);
    const linex_image image = {17, 19, 4, NULL, floats};
    for (int step = 0; step < 4; step++) {
        CHECK(make_sliced(step, &image, labels, INFINITY, expected) == LINEX_OK);
        for (size_t i = 0; i < SLICE_COUNT; i++) {
            memset(out, 0, sizeof out);
            CHECK(make_sliced(step, &image, labels, SLICES[i], out) == LINEX_OK);
            CHECK(memcmp(out, expected, (step == 0 ? FITTED : 17 * 19 * 4) * sizeof *out) == 0);
        }
    }
    labels[300] = 5;
    CHECK(make_sliced(2, &image, labels, 1, out) == LINEX_BAD_ARGUMENT);
}

static void bad_images_are_rejected(void)
{
    const uint8_t bytes[4] = {0};
    float out[4];
    linex_image image = {2, 1, 2, bytes, NULL};
    CHECK(linex_image_fit(&image, white, 1, 1, 1, out) == LINEX_BAD_ARGUMENT);
    image.channels = 1;
    CHECK(linex_image_fit(&image, white, 0, 1, 1, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_image_fit(&image, white, 1, 1, 2, out) == LINEX_BAD_ARGUMENT);
    image.width = SIZE_MAX / 2;
    CHECK(linex_image_fit(&image, white, 1, 1, 1, out) == LINEX_BAD_ARGUMENT);
    image = (linex_image){2, 1, 1, NULL, NULL};
    CHECK(linex_image_fit(&image, white, 1, 1, 1, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_image_blur(1, 1, 1, out, 0, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_image_blur(1, 1, 1, out, (double)NAN, out) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(an_image_of_the_right_size_is_not_changed);
    RUN(transparent_pixels_are_blended_with_the_backdrop);
    RUN(an_invisible_color_does_not_affect_its_neighbors);
    RUN(a_linear_gradient_stays_linear);
    RUN(every_pixel_of_a_large_image_counts);
    RUN(each_segment_gets_its_mean_color);
    RUN(a_blur_is_a_gaussian_filter);
    RUN(the_slices_do_not_change_an_image);
    RUN(bad_images_are_rejected);
    return checks_failed != 0;
}
