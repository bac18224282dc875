#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "linex.h"

static const double white[] = {255, 255, 255};

static void a_picture_of_its_own_size_is_itself(void)
{
    const uint8_t bytes[] = {0, 1, 2, 200, 201, 202, 50, 60, 70, 255, 254, 253};
    const linex_image picture = {2, 2, 3, bytes, NULL};
    float out[12];
    CHECK(linex_image_fit(&picture, white, 2, 2, 3, out) == LINEX_OK);
    for (size_t i = 0; i < 12; i++) CHECK(out[i] == (float)bytes[i]);
    /* So it is as floats, and as what an opaque pixel shows of its four channels. */
    const float floats[] = {0, 1.5f, 2, 200, 201, 202.25f, 50, 60, 70, 255, 254, 253};
    const linex_image same = {2, 2, 3, NULL, floats};
    CHECK(linex_image_fit(&same, white, 2, 2, 3, out) == LINEX_OK);
    for (size_t i = 0; i < 12; i++) CHECK(out[i] == floats[i]);
    const uint8_t opaque[] = {0, 1, 2, 255, 200, 201, 202, 255, 50, 60, 70, 255, 255, 254, 253, 255};
    const linex_image four = {2, 2, 4, opaque, NULL};
    CHECK(linex_image_fit(&four, white, 2, 2, 3, out) == LINEX_OK);
    for (size_t i = 0; i < 12; i++) CHECK(out[i] == (float)bytes[i]);
}

/* Two fifths of red on white, on black, kept as they are, and gray by 0.299, 0.587, 0.114. */
static void what_is_transparent_lies_on_the_background(void)
{
    const uint8_t bytes[] = {255, 0, 0, 102};
    const linex_image picture = {1, 1, 4, bytes, NULL};
    const double black[] = {0, 0, 0};
    float out[4];
    CHECK(linex_image_fit(&picture, white, 1, 1, 3, out) == LINEX_OK);
    CHECK_NEAR(out[0], 255, 1e-4);
    CHECK_NEAR(out[1], 153, 1e-4);
    CHECK_NEAR(out[2], 153, 1e-4);
    CHECK(linex_image_fit(&picture, black, 1, 1, 3, out) == LINEX_OK);
    CHECK_NEAR(out[0], 102, 1e-4);
    CHECK_NEAR(out[1], 0, 1e-4);
    CHECK(linex_image_fit(&picture, black, 1, 1, 4, out) == LINEX_OK);
    CHECK_NEAR(out[0], 255, 1e-3);
    CHECK_NEAR(out[3], 102, 1e-4);
    CHECK(linex_image_fit(&picture, white, 1, 1, 1, out) == LINEX_OK);
    CHECK_NEAR(out[0], 0.299 * 255 + 0.587 * 153 + 0.114 * 153, 1e-3);
}

static void a_color_that_cannot_be_seen_does_not_bleed(void)
{
    const uint8_t bytes[] = {200, 100, 0, 255, 0, 255, 255, 0};
    const linex_image picture = {2, 1, 4, bytes, NULL};
    float out[4];
    CHECK(linex_image_fit(&picture, white, 1, 1, 4, out) == LINEX_OK);
    CHECK_NEAR(out[0], 200, 1e-3);
    CHECK_NEAR(out[1], 100, 1e-3);
    CHECK_NEAR(out[2], 0, 1e-3);
    CHECK_NEAR(out[3], 127.5, 1e-3);
}

/* value = 2 x + 5 y: under a symmetric filter a plane stays one, away from the edges, and pixel X of a picture
 * shrunk by r has its center at r (X + 1/2) - 1/2. */
static void a_slope_stays_a_slope(void)
{
    enum { SIDE = 24 };
    static float floats[SIDE * SIDE];
    for (size_t i = 0; i < SIDE * SIDE; i++) floats[i] = (float)(2 * (i % SIDE) + 5 * (i / SIDE));
    const linex_image picture = {SIDE, SIDE, 1, NULL, floats};
    static const size_t sides[] = {12, 8, 6, 48};
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        size_t side = sides[s];
        float *out = malloc(side * side * sizeof *out);
        CHECK(linex_image_fit(&picture, white, side, side, 1, out) == LINEX_OK);
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

static void every_pixel_of_a_large_picture_counts(void)
{
    enum { WIDE = 1000 };
    static uint8_t bytes[WIDE * 3];
    for (size_t i = 0; i < WIDE; i++) bytes[i] = bytes[WIDE + i] = bytes[2 * WIDE + i] = i % 2 ? 255 : 0;
    const linex_image picture = {WIDE, 3, 1, bytes, NULL};
    float out[10];
    CHECK(linex_image_fit(&picture, white, 10, 1, 1, out) == LINEX_OK);
    for (size_t i = 0; i < 10; i++) CHECK_NEAR(out[i], 127.5, 1);
}

static void segments_are_averaged(void)
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

/* The definition: a sum over the whole plane, its edges repeated. */
static void blur_is_a_gaussian(void)
{
    enum { WIDE = 9, TALL = 7, REACH = 5 };
    const double sigma = 1.5;
    float picture[WIDE * TALL], blurred[WIDE * TALL];
    for (size_t i = 0; i < WIDE * TALL; i++) picture[i] = (float)((i * 37) % 101);
    CHECK(linex_image_blur(WIDE, TALL, 1, picture, sigma, blurred) == LINEX_OK);
    for (int y = 0; y < TALL; y++) {
        for (int x = 0; x < WIDE; x++) {
            double sum = 0, total = 0;
            for (int v = -REACH; v <= REACH; v++) {
                for (int u = -REACH; u <= REACH; u++) {
                    double weight = exp(-(u * u + v * v) / (2 * sigma * sigma));
                    size_t at = (size_t)(clamped(y + v, TALL - 1) * WIDE + clamped(x + u, WIDE - 1));
                    sum += weight * (double)picture[at];
                    total += weight;
                }
            }
            CHECK_NEAR(blurred[y * WIDE + x], sum / total, 1e-3);
        }
    }
}

static void bad_pictures_are_refused(void)
{
    const uint8_t bytes[4] = {0};
    float out[4];
    linex_image picture = {2, 1, 2, bytes, NULL};
    CHECK(linex_image_fit(&picture, white, 1, 1, 1, out) == LINEX_BAD_ARGUMENT);
    picture.channels = 1;
    CHECK(linex_image_fit(&picture, white, 0, 1, 1, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_image_fit(&picture, white, 1, 1, 2, out) == LINEX_BAD_ARGUMENT);
    picture.width = SIZE_MAX / 2;
    CHECK(linex_image_fit(&picture, white, 1, 1, 1, out) == LINEX_BAD_ARGUMENT);
    picture = (linex_image){2, 1, 1, NULL, NULL};
    CHECK(linex_image_fit(&picture, white, 1, 1, 1, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_image_blur(1, 1, 1, out, 0, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_image_blur(1, 1, 1, out, (double)NAN, out) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(a_picture_of_its_own_size_is_itself);
    RUN(what_is_transparent_lies_on_the_background);
    RUN(a_color_that_cannot_be_seen_does_not_bleed);
    RUN(a_slope_stays_a_slope);
    RUN(every_pixel_of_a_large_picture_counts);
    RUN(segments_are_averaged);
    RUN(blur_is_a_gaussian);
    RUN(bad_pictures_are_refused);
    return checks_failed != 0;
}
