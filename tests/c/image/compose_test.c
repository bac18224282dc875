/* compose_test.c: tensors and masked tensors, compared pixel by pixel. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "linex.h"
#include "base/random.h"

enum { WIDTH = 7, HEIGHT = 5, PIXELS = WIDTH * HEIGHT, CHANNELS = 3, SEGMENTS = 4, COUNT = 6 };

static float shown[PIXELS * CHANNELS], hidden[PIXELS * CHANNELS];
static uint32_t labels[PIXELS];
static uint8_t masks[COUNT * SEGMENTS];

static void make_scene(void)
{
    linex_random random = linex_random_seed(3);
    for (size_t i = 0; i < PIXELS * CHANNELS; i++) {
        shown[i] = (float)(linex_random_uniform(&random) * 255);
        hidden[i] = (float)(linex_random_uniform(&random) * 255);
    }
    for (size_t i = 0; i < PIXELS; i++) labels[i] = linex_random_below(&random, 3) ? labels[i ? i - 1 : 0] : i % 4;
    CHECK(linex_masks_draw(LINEX_MASK_COINS, SEGMENTS, LINEX_INDEPENDENT, 1, 0, COUNT, masks) == LINEX_OK);
}

/* The expected value of channel c of pixel `at` under a mask. */
static double expected(size_t mask, size_t at, size_t c, const linex_tensor *tensor)
{
    bool is_shown = masks[mask * SEGMENTS + labels[at]];
    double value = (double)(is_shown ? shown : hidden)[at * CHANNELS + c];
    if (tensor->bytes) return floor(value + 0.5);
    return (double)(float)((value * tensor->scale - tensor->mean[c]) / tensor->spread[c]);
}

static void compare(linex_layout layout, bool bytes)
{
    const double mean[] = {0.485, 0.456, 0.406}, spread[] = {0.229, 0.224, 0.225};
    const linex_tensor tensor = {layout, bytes, 1 / 255.0, mean, spread};
    size_t size = bytes ? 1 : sizeof(float);
    float on[PIXELS * CHANNELS], off[PIXELS * CHANNELS], out[COUNT * PIXELS * CHANNELS];
    uint32_t runs[2 * PIXELS];
    CHECK(linex_tensor_write(PIXELS, CHANNELS, shown, &tensor, 0, PIXELS, on) == LINEX_OK);
    CHECK(linex_tensor_write(PIXELS, CHANNELS, hidden, &tensor, 0, PIXELS, off) == LINEX_OK);
    size_t found = linex_runs_find(0, PIXELS, labels, runs);
    CHECK(found == linex_runs_find(0, PIXELS, labels, NULL));
    size_t planes = layout == LINEX_NCHW ? CHANNELS : 1, pixel = layout == LINEX_NCHW ? size : CHANNELS * size;
    CHECK(linex_compose(PIXELS, planes, pixel, on, off, found, runs, SEGMENTS, COUNT, masks, out) == LINEX_OK);
    for (size_t mask = 0; mask < COUNT; mask++) {
        for (size_t at = 0; at < PIXELS; at++) {
            for (size_t c = 0; c < CHANNELS; c++) {
                size_t inside = layout == LINEX_NCHW ? c * PIXELS + at : at * CHANNELS + c;
                size_t place = mask * PIXELS * CHANNELS + inside;
                double value = bytes ? (double)((const uint8_t *)out)[place] : (double)out[place];
                CHECK(value == expected(mask, at, c, &tensor));
            }
        }
    }
}

static void a_masked_image_takes_each_pixel_from_the_shown_or_the_hidden_one(void)
{
    make_scene();
    for (int layout = LINEX_NCHW; layout <= LINEX_NHWC; layout++) {
        compare((linex_layout)layout, false);
        compare((linex_layout)layout, true);
    }
}

/* Compares every byte of `count` tensors of two planes, and checks that the byte after them is not written. */
static void compare_bytes(size_t pixels, size_t bytes, size_t count, linex_random *random)
{
    enum { PLANES = 2, MAX_PIXELS = 40, PARTS = 5 };
    uint8_t on[PLANES * MAX_PIXELS * 3], off[sizeof on], out[9 * sizeof on + 1], drawn[9 * PARTS];
    uint32_t parts[MAX_PIXELS], runs[2 * MAX_PIXELS];
    size_t plane = pixels * bytes, size = PLANES * plane;
    for (size_t i = 0; i < size; i++) {
        on[i] = (uint8_t)linex_random_below(random, 256);
        off[i] = (uint8_t)linex_random_below(random, 256);
    }
    size_t longest = 1 + linex_random_below(random, 40);
    for (size_t i = 0; i < pixels; i++)
        parts[i] =
            i && linex_random_below(random, longest) ? parts[i - 1] : (uint32_t)linex_random_below(random, PARTS);
    for (size_t i = 0; i < count * PARTS; i++) drawn[i] = linex_random_below(random, 2) ? 255 : 0;
    memset(out, 7, sizeof out);
    size_t found = linex_runs_find(0, pixels, parts, runs);
    CHECK(linex_compose(pixels, PLANES, bytes, on, off, found, runs, PARTS, count, drawn, out) == LINEX_OK);
    for (size_t i = 0; i < count * size; i++) {
        bool is_shown = drawn[i / size * PARTS + parts[i % plane / bytes]];
        CHECK(out[i] == (is_shown ? on : off)[i % size]);
    }
    CHECK(out[count * size] == 7);
}

static void tensors_of_any_size_and_number_are_composed(void)
{
    linex_random random = linex_random_seed(5);
    for (size_t pixels = 1; pixels <= 40; pixels++)
        for (size_t bytes = 1; bytes <= 3; bytes++)
            for (size_t count = 0; count <= 9; count++) compare_bytes(pixels, bytes, count, &random);
}

static void bytes_are_rounded_and_clamped(void)
{
    const float image[] = {-3, 0.4f, 0.6f, 254.7f, 300};
    const linex_tensor tensor = {LINEX_NHWC, true, 1, NULL, NULL};
    const uint8_t rounded[] = {0, 0, 1, 255, 255};
    uint8_t out[5];
    CHECK(linex_tensor_write(5, 1, image, &tensor, 0, 5, out) == LINEX_OK);
    CHECK(memcmp(out, rounded, sizeof rounded) == 0);
}

static void bad_runs_and_tensors_are_rejected(void)
{
    const float image[2] = {1, 2};
    const linex_tensor bare = {LINEX_NHWC, false, 1, NULL, NULL};
    const uint32_t late[] = {1, 0}, unknown[] = {0, 1}, beyond[] = {0, 0, 2, 0}, twice[] = {0, 0, 0, 0};
    const uint8_t mask[1] = {1};
    float out[2];
    CHECK(linex_tensor_write(2, 1, image, &bare, 0, 2, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_compose(2, 1, 4, image, image, 1, late, 1, 1, mask, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_compose(2, 1, 4, image, image, 1, unknown, 1, 1, mask, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_compose(2, 1, 4, image, image, 2, beyond, 1, 1, mask, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_compose(2, 1, 4, image, image, 2, twice, 1, 1, mask, out) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(a_masked_image_takes_each_pixel_from_the_shown_or_the_hidden_one);
    RUN(tensors_of_any_size_and_number_are_composed);
    RUN(bad_runs_and_tensors_are_rejected);
    RUN(bytes_are_rounded_and_clamped);
    return checks_failed != 0;
}
