#include <math.h>
#include <string.h>

#include "check.h"
#include "linex.h"
#include "random.h"

enum { WIDE = 7, TALL = 5, PIXELS = WIDE * TALL, CHANNELS = 3, SEGMENTS = 4, COUNT = 6 };

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
    CHECK(linex_masks_draw(LINEX_MASK_COINS, SEGMENTS, 1, 0, COUNT, masks) == LINEX_OK);
}

/* What pixel `at` of channel c under a mask must be, one value after the other. */
static double expected(size_t mask, size_t at, size_t c, const linex_tensor *tensor)
{
    bool there = masks[mask * SEGMENTS + labels[at]];
    double value = (double)(there ? shown : hidden)[at * CHANNELS + c];
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
    CHECK(linex_tensor_write(PIXELS, CHANNELS, shown, &tensor, on) == LINEX_OK);
    CHECK(linex_tensor_write(PIXELS, CHANNELS, hidden, &tensor, off) == LINEX_OK);
    size_t found = linex_runs_find(PIXELS, labels, runs);
    CHECK(found == linex_runs_find(PIXELS, labels, NULL));
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

static void a_masked_picture_is_put_together_pixel_by_pixel(void)
{
    make_scene();
    for (int layout = LINEX_NCHW; layout <= LINEX_NHWC; layout++) {
        compare((linex_layout)layout, false);
        compare((linex_layout)layout, true);
    }
}

static void bytes_are_kept_within_their_range(void)
{
    const float picture[] = {-3, 0.4f, 0.6f, 254.7f, 300};
    const linex_tensor tensor = {LINEX_NHWC, true, 1, NULL, NULL};
    const uint8_t rounded[] = {0, 0, 1, 255, 255};
    uint8_t out[5];
    CHECK(linex_tensor_write(5, 1, picture, &tensor, out) == LINEX_OK);
    CHECK(memcmp(out, rounded, sizeof rounded) == 0);
}

static void bad_runs_and_tensors_are_refused(void)
{
    const float picture[2] = {1, 2};
    const linex_tensor bare = {LINEX_NHWC, false, 1, NULL, NULL};
    const uint32_t late[] = {1, 0}, unknown[] = {0, 1}, beyond[] = {0, 0, 2, 0}, twice[] = {0, 0, 0, 0};
    const uint8_t mask[1] = {1};
    float out[2];
    CHECK(linex_tensor_write(2, 1, picture, &bare, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_compose(2, 1, 4, picture, picture, 1, late, 1, 1, mask, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_compose(2, 1, 4, picture, picture, 1, unknown, 1, 1, mask, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_compose(2, 1, 4, picture, picture, 2, beyond, 1, 1, mask, out) == LINEX_BAD_ARGUMENT);
    CHECK(linex_compose(2, 1, 4, picture, picture, 2, twice, 1, 1, mask, out) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(a_masked_picture_is_put_together_pixel_by_pixel);
    RUN(bad_runs_and_tensors_are_refused);
    RUN(bytes_are_kept_within_their_range);
    return checks_failed != 0;
}
