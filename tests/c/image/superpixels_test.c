/* superpixels_test.c: SLIC, quick shift and the grid, and the Lab colors they use. */
#include "linex.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "run_sliced.h"
#include "image/lab_image.h"
#include "base/random.h"

enum { MAX_PIXELS = 90 * 90 };

typedef struct {
    size_t width, height, channels;
    uint8_t pixels[3 * MAX_PIXELS];
} test_image;

typedef enum { ONE_COLOR, NOISE, GRADIENT, PATCHES, NOISY_PATCHES, STRIPES, PATTERNS } pattern;

static uint8_t pixel_value(pattern kind, size_t x, size_t y, size_t channel, uint8_t flat, linex_random *random)
{
    uint8_t patch = (uint8_t)((x / 9 * 83 + y / 7 * 151 + channel * 47) % 200);
    switch (kind) {
    case ONE_COLOR:
        return flat;
    case NOISE:
        return (uint8_t)linex_random_below(random, 256);
    case GRADIENT:
        return (uint8_t)(x + 2 * y + 20 * channel);
    case PATCHES:
        return patch;
    case NOISY_PATCHES:
        return (uint8_t)(patch + linex_random_below(random, 50));
    default:
        return x % 2 ? 255 : 0;
    }
}

static test_image *draw_image(pattern kind, size_t width, size_t height, size_t channels, linex_random *random)
{
    test_image *drawn = malloc(sizeof *drawn);
    drawn->width = width;
    drawn->height = height;
    drawn->channels = channels;
    uint8_t flat = (uint8_t)linex_random_below(random, 256), *next = drawn->pixels;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            for (size_t c = 0; c < channels; c++) *next++ = pixel_value(kind, x, y, c, flat, random);
    return drawn;
}

static linex_status open_lab_image(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                                   bool stretched, double sigma, linex_lab_image *image)
{
    linex_slice endless = linex_slice_endless();
    linex_lab_image_open(width, height, channels, pixels, stretched, sigma, image);
    return linex_lab_image_advance(image, &endless);
}

/* Clears the pixels of one label that are connected to a pixel. Returns how many there are. */
static size_t flood(size_t width, size_t height, uint32_t *labels, size_t from, size_t *stack)
{
    uint32_t label = labels[from];
    size_t depth = 0, reached = 0;
    stack[depth++] = from;
    labels[from] = UINT32_MAX;
    while (depth) {
        size_t at = stack[--depth], x = at % width, y = at / width;
        size_t sides[4] = {x ? at - 1 : at, x + 1 < width ? at + 1 : at, y ? at - width : at,
                           y + 1 < height ? at + width : at};
        reached++;
        for (int side = 0; side < 4; side++)
            if (labels[sides[side]] == label) {
                labels[sides[side]] = UINT32_MAX;
                stack[depth++] = sides[side];
            }
    }
    return reached;
}

/* Whether each label is one connected region, and the labels are 0 .. segments-1 in scan order. */
static bool is_label_map(size_t width, size_t height, const uint32_t *labels, size_t segments)
{
    size_t count = width * height, met = 0, reached = 0;
    uint32_t *left = malloc(count * sizeof *left);
    size_t *stack = malloc(count * sizeof *stack);
    memcpy(left, labels, count * sizeof *left);
    bool valid = true;
    for (size_t i = 0; i < count; i++) {
        if (left[i] == UINT32_MAX) continue;
        /* A label that appears again after its flood has two parts. */
        valid = valid && left[i] == met++;
        reached += flood(width, height, left, i, stack);
    }
    free(left);
    free(stack);
    return valid && reached == count && met == segments;
}

typedef enum { SLIC, QUICKSHIFT, GRID } algorithm;

static linex_status segment(algorithm kind, const test_image *from, size_t wanted, uint32_t *labels, size_t *segments)
{
    linex_slic_settings slic = linex_slic_defaults();
    slic.segments = wanted;
    linex_quickshift_settings shift = linex_quickshift_defaults();
    shift.kernel = 1 + (double)(wanted % 3);
    shift.reach = wanted % 2 ? 8 : 200;
    shift.ratio = wanted % 5 ? 0.2 : 1;
    slic.sigma = shift.sigma = wanted % 4 ? 0 : 0.8;
    if (kind == SLIC)
        return linex_slic(from->width, from->height, from->channels, from->pixels, &slic, labels, segments);
    if (kind == GRID) return linex_grid(from->width, from->height, wanted, labels, segments);
    return linex_quickshift(from->width, from->height, from->channels, from->pixels, &shift, labels, segments);
}

static void every_label_is_one_connected_region(void)
{
    linex_random random = linex_random_seed(1);
    static uint32_t labels[MAX_PIXELS], again[MAX_PIXELS];
    for (uint32_t i = 0; i < 210; i++) {
        size_t width = 1 + linex_random_below(&random, 90), height = 1 + linex_random_below(&random, 90);
        if (i % 10 == 7) width = 1;
        if (i % 10 == 8) height = 1;
        if (i % 50 == 9) width = height = 1;
        test_image *drawn = draw_image(i % PATTERNS, width, height, i / 7 % 2 ? 1 : 3, &random);
        size_t wanted = 1 + linex_random_below(&random, i % 4 ? 80 : 10000);
        for (algorithm kind = SLIC; kind <= GRID; kind++) {
            size_t segments = 0, segments_again = 0;
            CHECK(segment(kind, drawn, wanted, labels, &segments) == LINEX_OK);
            CHECK(is_label_map(width, height, labels, segments));
            CHECK(segment(kind, drawn, wanted, again, &segments_again) == LINEX_OK);
            CHECK(segments == segments_again && memcmp(labels, again, width * height * sizeof *labels) == 0);
        }
        free(drawn);
    }
}

static void slic_divides_one_color_into_about_as_many_segments_as_asked(void)
{
    linex_random random = linex_random_seed(2);
    static uint32_t labels[MAX_PIXELS];
    static const size_t sizes[][2] = {{90, 90}, {90, 60}, {1, 80}, {80, 1}, {13, 88}};
    for (size_t i = 0; i < 5; i++)
        for (size_t wanted = 5; wanted <= 50; wanted += 15) {
            test_image *drawn = draw_image(ONE_COLOR, sizes[i][0], sizes[i][1], 3, &random);
            size_t segments = 0;
            CHECK(segment(SLIC, drawn, wanted, labels, &segments) == LINEX_OK);
            CHECK_NEAR((double)segments / (double)wanted, 1, 0.35);
            free(drawn);
        }
}

static void slic_follows_edges(void)
{
    /* Two halves, black and white, whose border runs through the middle of the grid's cells. */
    static uint32_t labels[MAX_PIXELS];
    static uint8_t pixels[MAX_PIXELS];
    for (size_t i = 0; i < MAX_PIXELS; i++) pixels[i] = i % 90 < 40 ? 10 : 240;
    linex_slic_settings settings = linex_slic_defaults();
    settings.segments = 9;
    size_t segments = 0, crossing = 0;
    CHECK(linex_slic(90, 90, 1, pixels, &settings, labels, &segments) == LINEX_OK);
    for (size_t y = 0; y < 90; y++) crossing += labels[90 * y + 39] == labels[90 * y + 40];
    CHECK(crossing == 0);
    CHECK(segments >= 6);
    /* A thin image has long cells. */
    for (size_t i = 0; i < 2000; i++) pixels[i] = i < 700 ? 10 : 240;
    settings.segments = 4;
    CHECK(linex_slic(2000, 1, 1, pixels, &settings, labels, &segments) == LINEX_OK);
    CHECK(labels[699] != labels[700] && segments >= 3);
}

static void quickshift_makes_a_flat_area_one_segment(void)
{
    linex_random random = linex_random_seed(3);
    static uint32_t labels[MAX_PIXELS];
    test_image *drawn = draw_image(ONE_COLOR, 60, 40, 3, &random);
    size_t segments = 0;
    linex_quickshift_settings settings = linex_quickshift_defaults();
    CHECK(linex_quickshift(60, 40, 3, drawn->pixels, &settings, labels, &segments) == LINEX_OK);
    CHECK(segments == 1);
    for (size_t i = 0; i < 60 * 40; i++) drawn->pixels[3 * i] = i % 60 < 25 ? 0 : 255;
    settings.ratio = 1;
    settings.reach = 10;
    CHECK(linex_quickshift(60, 40, 3, drawn->pixels, &settings, labels, &segments) == LINEX_OK);
    CHECK(segments == 2);
    free(drawn);
}

static void the_grid_has_nearly_square_cells(void)
{
    static uint32_t labels[MAX_PIXELS];
    size_t found = 0;
    CHECK(linex_grid(80, 60, 48, labels, &found) == LINEX_OK);
    CHECK(found == 48);
    for (size_t y = 0; y < 60; y++)
        for (size_t x = 0; x < 80; x++) CHECK(labels[80 * y + x] == 8 * (y / 10) + x / 10);
    CHECK(linex_grid(90, 1, 50, labels, &found) == LINEX_OK && found == 50);
    CHECK(linex_grid(3, 2, 1000, labels, &found) == LINEX_OK && found == 6);
}

/* The values come from Lindbloom's calculator and scikit-image's rgb2lab; grays have a closed form. */
static void lab_colors_match_published_values(void)
{
    static const struct {
        uint8_t color[3];
        double lab[3], tolerance;
    } cases[] = {
        {{255, 255, 255}, {100, 0, 0}, 0.001},
        {{0, 0, 0}, {0, 0, 0}, 0.001},
        {{255, 0, 0}, {53.2408, 80.0925, 67.2032}, 0.005},
        {{0, 255, 0}, {87.7347, -86.1827, 83.1793}, 0.005},
        {{0, 0, 255}, {32.2970, 79.1875, -107.8602}, 0.005},
        /* rgb2lab's matrix has six digits, and its white is (100, -0.002, 0.005). */
        {{12, 200, 99}, {71.06690, -63.45823, 38.85032}, 0.02},
        {{130, 60, 7}, {33.97097, 27.24089, 41.99697}, 0.02},
        {{3, 2, 5}, {0.66602, 0.67860, -1.04307}, 0.02},
        {{119, 119, 119}, {50.03444, 0, 0}, 0.001},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        linex_lab_image image;
        float lab[3];
        CHECK(open_lab_image(1, 1, 3, cases[i].color, false, 0, &image) == LINEX_OK);
        linex_lab_image_row(&image, 0, 0, 1, 1, lab);
        for (int c = 0; c < 3; c++) CHECK_NEAR((double)lab[c], cases[i].lab[c], cases[i].tolerance);
        linex_lab_image_close(&image);
    }
}

static void gray_equals_a_color_with_three_equal_channels(void)
{
    static uint8_t gray[256], color[3 * 256];
    static float lightness[3 * 256], lab[3 * 256];
    for (size_t i = 0; i < 256; i++) gray[i] = color[3 * i] = color[3 * i + 1] = color[3 * i + 2] = (uint8_t)i;
    linex_lab_image gray_image, color_image;
    CHECK(open_lab_image(256, 1, 1, gray, false, 0, &gray_image) == LINEX_OK);
    CHECK(open_lab_image(256, 1, 3, color, false, 0, &color_image) == LINEX_OK);
    linex_lab_image_row(&gray_image, 0, 0, 1, 256, lightness);
    linex_lab_image_row(&color_image, 0, 0, 1, 256, lab);
    for (size_t i = 0; i < 3 * 256; i++) CHECK_NEAR((double)lightness[i], (double)lab[i], 2e-4);
    for (size_t i = 256; i < 3 * 256; i++) CHECK(lightness[i] == 0);
}

static void a_blur_keeps_a_flat_color_and_spreads_a_point_as_a_gaussian(void)
{
    static uint8_t pixels[41 * 31];
    static float row[3 * 41];
    linex_lab_image image;
    memset(pixels, 180, sizeof pixels);
    CHECK(open_lab_image(41, 31, 1, pixels, false, 3, &image) == LINEX_OK);
    linex_lab_image_row(&image, 0, 0, 1, 41, row);
    for (size_t x = 0; x < 41; x++) CHECK_NEAR((double)row[x], 73.2, 0.2);
    linex_lab_image_close(&image);

    memset(pixels, 0, sizeof pixels);
    pixels[15 * 41 + 20] = 255;
    CHECK(open_lab_image(41, 31, 1, pixels, false, 1.5, &image) == LINEX_OK);
    for (size_t y = 12; y < 19; y++) {
        linex_lab_image_row(&image, y, 18, 1, 5, row);
        for (size_t x = 0; x < 5; x++) {
            double dx = (double)x - 2, dy = (double)y - 15;
            CHECK_NEAR((double)row[x], 100 * exp(-(dx * dx + dy * dy) / 4.5) / (4.5 * 3.14159265358979), 0.005);
        }
    }
    linex_lab_image_close(&image);
    /* A blur far wider than the image gives the mean everywhere. */
    CHECK(open_lab_image(5, 3, 1, pixels + 15 * 41 + 18, false, 50, &image) == LINEX_OK);
    linex_lab_image_row(&image, 1, 0, 2, 3, row);
    for (size_t x = 0; x < 3; x++) CHECK_NEAR((double)row[x], 100.0 / 15, 0.05);
    linex_lab_image_close(&image);
}

static linex_status segment_sliced(const test_image *image, int method, double sigma, double work, uint32_t *labels,
                                   size_t *found)
{
    size_t width = image->width, height = image->height;
    linex_task *task = NULL;
    linex_slic_settings slic = {.segments = 20, .compactness = 10, .rounds = 10, .sigma = sigma};
    linex_quickshift_settings shift = {.ratio = 0.2, .kernel = 2, .reach = 200, .sigma = sigma};
    linex_status status = LINEX_OK;
    if (method == 0)
        status = linex_slic_start(width, height, image->channels, image->pixels, &slic, labels, found, &task);
    if (method == 1)
        status = linex_quickshift_start(width, height, image->channels, image->pixels, &shift, labels, found, &task);
    if (method == 2) status = linex_grid_start(width, height, 20, labels, found, &task);
    return run_sliced(status, task, work);
}

static void the_slices_do_not_change_the_segments(void)
{
    static uint32_t expected[MAX_PIXELS], labels[MAX_PIXELS];
    linex_random random = linex_random_seed(5);
    for (int kind = 0; kind < PATTERNS; kind++)
        for (int method = 0; method < 3; method++) {
            test_image *image = draw_image((pattern)kind, 41, 37, kind % 2 ? 1 : 3, &random);
            double sigma = kind % 3 ? 0 : 1.2;
            size_t found = 0, count = 0, bytes = 41 * 37 * sizeof *labels;
            CHECK(segment_sliced(image, method, sigma, INFINITY, expected, &found) == LINEX_OK);
            for (size_t i = 0; i < SLICE_COUNT; i++) {
                memset(labels, 0xee, bytes);
                CHECK(segment_sliced(image, method, sigma, SLICES[i], labels, &count) == LINEX_OK);
                CHECK(count == found && memcmp(labels, expected, bytes) == 0);
            }
            free(image);
        }
}

static void segmenting_may_be_given_up_at_any_point(void)
{
    static uint32_t labels[MAX_PIXELS];
    linex_random random = linex_random_seed(6);
    test_image *image = draw_image(NOISE, 30, 20, 3, &random);
    linex_slic_settings slic = linex_slic_defaults();
    linex_quickshift_settings shift = linex_quickshift_defaults();
    slic.sigma = shift.sigma = shift.kernel = 1;
    /* The sanitizers report memory that is not released. */
    for (size_t slices = 0; slices < 400; slices += 7)
        for (int method = 0; method < 2; method++) {
            linex_task *task = NULL;
            size_t found = 0;
            CHECK((method ? linex_slic_start(30, 20, 3, image->pixels, &slic, labels, &found, &task)
                          : linex_quickshift_start(30, 20, 3, image->pixels, &shift, labels, &found, &task)) ==
                  LINEX_OK);
            for (size_t i = 0; i < slices; i++) linex_task_run(task, 1);
            linex_task_free(task);
        }
    free(image);
}

static void bad_arguments_are_rejected(void)
{
    uint8_t pixels[12] = {0};
    uint32_t labels[4];
    size_t found, huge = SIZE_MAX / 2;
    linex_slic_settings slic = linex_slic_defaults();
    CHECK(linex_slic(2, 2, 3, pixels, &slic, labels, &found) == LINEX_OK);
    CHECK(linex_slic(0, 2, 3, pixels, &slic, labels, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_slic(2, 0, 3, pixels, &slic, labels, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_slic(2, 2, 2, pixels, &slic, labels, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_slic(2, 2, 4, pixels, &slic, labels, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_slic(2, 2, 3, NULL, &slic, labels, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_slic(2, 2, 3, pixels, NULL, labels, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_slic(2, 2, 3, pixels, &slic, NULL, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_slic(2, 2, 3, pixels, &slic, labels, NULL) == LINEX_BAD_ARGUMENT);
    CHECK(linex_slic(huge, huge, 3, pixels, &slic, labels, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_slic(65536, 65536, 1, pixels, &slic, labels, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_grid(0, 2, 3, labels, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_grid(2, 2, 0, labels, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_grid(2, 2, 3, NULL, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_grid(huge, 2, 3, labels, &found) == LINEX_BAD_ARGUMENT);
    linex_quickshift_settings shift = linex_quickshift_defaults();
    CHECK(linex_quickshift(2, 2, 3, pixels, &shift, labels, &found) == LINEX_OK);
    CHECK(linex_quickshift(2, 2, 2, pixels, &shift, labels, &found) == LINEX_BAD_ARGUMENT);
    CHECK(linex_quickshift(2, 2, 3, pixels, NULL, labels, &found) == LINEX_BAD_ARGUMENT);
}

static void settings_that_are_not_positive_numbers_are_rejected(void)
{
    uint8_t pixels[12] = {0, 9, 99, 7};
    uint32_t labels[4];
    size_t found;
    static const double bad[] = {0, -1, (double)NAN, (double)INFINITY}, odd[] = {DBL_MIN, 1e-20, 1e20, DBL_MAX};
    for (size_t i = 0; i < 4; i++) {
        for (int field = 0; field < 4; field++) {
            linex_quickshift_settings shift = linex_quickshift_defaults();
            double *fields[] = {&shift.ratio, &shift.kernel, &shift.reach, &shift.sigma};
            *fields[field] = bad[i];
            linex_status expected = field == 3 && bad[i] == 0 ? LINEX_OK : LINEX_BAD_ARGUMENT;
            CHECK(linex_quickshift(2, 2, 3, pixels, &shift, labels, &found) == expected);
            /* Extreme but finite settings still give a valid label map. */
            *fields[field] = odd[i];
            CHECK(linex_quickshift(2, 2, 3, pixels, &shift, labels, &found) == LINEX_OK);
            CHECK(is_label_map(2, 2, labels, found));
        }
        linex_slic_settings slic = linex_slic_defaults();
        slic.compactness = bad[i];
        CHECK(linex_slic(2, 2, 3, pixels, &slic, labels, &found) == LINEX_BAD_ARGUMENT);
        slic.compactness = odd[i];
        CHECK(linex_slic(2, 2, 3, pixels, &slic, labels, &found) == LINEX_OK && is_label_map(2, 2, labels, found));
        slic = linex_slic_defaults();
        slic.sigma = bad[i];
        CHECK(linex_slic(2, 2, 3, pixels, &slic, labels, &found) == (bad[i] == 0 ? LINEX_OK : LINEX_BAD_ARGUMENT));
        slic.sigma = odd[i];
        CHECK(linex_slic(2, 2, 3, pixels, &slic, labels, &found) == LINEX_OK && is_label_map(2, 2, labels, found));
    }
    linex_slic_settings none = linex_slic_defaults();
    none.segments = 0;
    CHECK(linex_slic(2, 2, 3, pixels, &none, labels, &found) == LINEX_BAD_ARGUMENT);
    none = linex_slic_defaults();
    none.rounds = 0;
    CHECK(linex_slic(2, 2, 3, pixels, &none, labels, &found) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(every_label_is_one_connected_region);
    RUN(slic_divides_one_color_into_about_as_many_segments_as_asked);
    RUN(slic_follows_edges);
    RUN(quickshift_makes_a_flat_area_one_segment);
    RUN(the_grid_has_nearly_square_cells);
    RUN(lab_colors_match_published_values);
    RUN(gray_equals_a_color_with_three_equal_channels);
    RUN(a_blur_keeps_a_flat_color_and_spreads_a_point_as_a_gaussian);
    RUN(the_slices_do_not_change_the_segments);
    RUN(segmenting_may_be_given_up_at_any_point);
    RUN(bad_arguments_are_rejected);
    RUN(settings_that_are_not_positive_numbers_are_rejected);
    return checks_failed != 0;
}
