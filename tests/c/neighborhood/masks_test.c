/* masks_test.c: tests of drawing, enumerating and weighing masks. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"

enum { FEATURES = 7, DRAWS = 70000 };

static size_t removed_from(size_t feature_count, const uint8_t *mask)
{
    size_t removed = 0;
    for (size_t c = 0; c < feature_count; c++) {
        CHECK(mask[c] <= 1);
        removed += !mask[c];
    }
    return removed;
}

/* The counts of a fair draw are within five standard deviations of the expected number. */
static void check_count(double counted, double trials, double share)
{
    CHECK_NEAR(counted, trials * share, 5 * sqrt(trials * share * (1 - share)));
}

static void the_number_of_removed_words_is_uniform_and_so_is_the_choice(void)
{
    uint8_t *masks = malloc(DRAWS * FEATURES);
    double sizes[FEATURES + 1] = {0}, gone[FEATURES] = {0}, pairs = 0;
    CHECK(linex_masks_draw(LINEX_MASK_SIZES, FEATURES, LINEX_INDEPENDENT, 5, 1, DRAWS, masks) == LINEX_OK);
    for (size_t i = 0; i < DRAWS; i++) {
        const uint8_t *mask = masks + i * FEATURES;
        sizes[removed_from(FEATURES, mask)] += 1;
        for (size_t c = 0; c < FEATURES; c++) gone[c] += !mask[c];
        pairs += !mask[1] && !mask[4];
    }
    CHECK(sizes[0] == 0);
    for (size_t size = 1; size <= FEATURES; size++) check_count(sizes[size], DRAWS, 1.0 / FEATURES);
    /* Sizes 1 .. 7 are equally likely: a part is removed with probability 4/7, two given parts with
     * sum over r of r (r - 1) / (7 * 6) / 7 = 112 / 294. */
    for (size_t c = 0; c < FEATURES; c++) check_count(gone[c], DRAWS, 4.0 / 7);
    check_count(pairs, DRAWS, 112.0 / 294);
    free(masks);
}

static void superpixels_are_removed_with_probability_one_half(void)
{
    enum { MANY = 70 };
    uint8_t *masks = malloc(1000 * MANY);
    double gone = 0, alike = 0;
    CHECK(linex_masks_draw(LINEX_MASK_COINS, MANY, LINEX_INDEPENDENT, 5, 1, 1000, masks) == LINEX_OK);
    for (size_t i = 0; i < 1000; i++) {
        gone += (double)removed_from(MANY, masks + i * MANY);
        alike += masks[i * MANY] == masks[i * MANY + 32];
    }
    check_count(gone, 1000 * MANY, 0.5);
    check_count(alike, 1000, 0.5);
    free(masks);
}

static void a_mask_does_not_depend_on_its_batch(void)
{
    for (int c = 0; c < 4; c++) {
        linex_mask_kind kind = (linex_mask_kind)(c / 2);
        linex_sampling sampling = (linex_sampling)(c % 2);
        uint8_t all[50 * FEATURES], part[10 * FEATURES], full[FEATURES];
        memset(full, 1, sizeof full);
        CHECK(linex_masks_draw(kind, FEATURES, sampling, 9, 0, 50, all) == LINEX_OK);
        CHECK(linex_masks_draw(kind, FEATURES, sampling, 9, 40, 10, part) == LINEX_OK);
        CHECK(memcmp(all, full, FEATURES) == 0);
        CHECK(memcmp(all + 40 * FEATURES, part, sizeof part) == 0);
    }
}

/* Every mask occurs once, and its copies count together as often as it would be drawn. The shares are 1 / (d C(d, r))
 * for sizes and 1 / 2^d for coins, for any number of planned copies. */
static void enumerate(int kind, size_t parts, size_t samples, size_t planned)
{
    size_t count = (size_t)1 << parts;
    uint8_t *masks = malloc(count * parts), *seen = calloc(count, 1);
    uint32_t *point_of = malloc(planned * sizeof *point_of);
    double *factors = malloc(count * sizeof *factors), *copies = calloc(count, sizeof *copies);
    CHECK(linex_masks_enumerate((linex_mask_kind)kind, parts, 3, samples, planned, masks, point_of, factors) ==
          LINEX_OK);
    for (size_t i = 0; i < planned; i++) copies[point_of[i]] += 1;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *mask = masks + i * parts;
        size_t removed = removed_from(parts, mask), number = 0;
        for (size_t c = 0; c < parts; c++) number += (size_t)mask[c] << c;
        seen[number] += 1;
        double choices = 1, draws = (double)samples - 1;
        for (size_t r = 0; r < removed; r++) choices *= (double)(parts - r) / (double)(r + 1);
        double expected = removed == 0 ? 1 : draws / ((double)parts * choices);
        if (kind == LINEX_MASK_COINS) expected = draws / (double)count + (removed == 0);
        CHECK(copies[i] >= 1);
        CHECK_NEAR(copies[i] * factors[i], expected, 1e-9 * expected);
    }
    CHECK(removed_from(parts, masks) == 0);
    for (size_t i = 0; i < count; i++) CHECK(seen[i] == 1);
    free(masks);
    free(seen);
    free(point_of);
    free(factors);
    free(copies);
}

static void few_masks_are_all_enumerated_in_proportion(void)
{
    for (int kind = LINEX_MASK_SIZES; kind <= LINEX_MASK_COINS; kind++) {
        enumerate(kind, 4, 5000, 5000);
        enumerate(kind, 9, 600, 600);
        enumerate(kind, 9, 512, 512);
        enumerate(kind, 10, 1024, 2521);
        enumerate(kind, 1, 2, 2);
    }
}

static void distance_is_one_minus_the_cosine(void)
{
    const uint8_t masks[] = {1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0};
    double distances[3], weights[3];
    CHECK(linex_masks_weigh(3, 4, masks, LINEX_MASK_COSINE, 100, 25, distances, weights) == LINEX_OK);
    CHECK(distances[0] == 0 && weights[0] == 1);
    CHECK_NEAR(distances[1], 50, 1e-12);
    CHECK_NEAR(weights[1], exp(-2), 1e-15);
    CHECK_NEAR(distances[2], 100, 1e-12);
    CHECK_NEAR(weights[2], exp(-8), 1e-15);
}

static void euclidean_distance_is_the_root_of_the_number_of_removed_parts(void)
{
    const uint8_t masks[] = {1, 1, 1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0};
    const double gone[] = {0, 1, 2, 4};
    double distances[4], weights[4];
    CHECK(linex_masks_weigh(4, 4, masks, LINEX_MASK_EUCLIDEAN, 1, 1.06, distances, weights) == LINEX_OK);
    for (size_t i = 0; i < 4; i++) {
        CHECK(distances[i] == sqrt(gone[i]));
        CHECK_NEAR(weights[i], sqrt(exp(-gone[i] / (1.06 * 1.06))), 1e-15);
    }
}

static void a_distance_beyond_the_range_is_the_largest_number(void)
{
    const uint8_t masks[] = {1, 1, 1, 1, 0, 0, 0, 0};
    double distances[2], weights[2];
    CHECK(linex_masks_weigh(2, 4, masks, LINEX_MASK_EUCLIDEAN, 1e308, 1, distances, weights) == LINEX_OK);
    CHECK(distances[0] == 0 && weights[0] == 1);
    CHECK(distances[1] == DBL_MAX && weights[1] == 0);
}

static void bad_arguments_are_refused(void)
{
    uint8_t masks[4];
    uint32_t point_of[4];
    double numbers[4];
    CHECK(linex_masks_draw(LINEX_MASK_SIZES, 0, LINEX_INDEPENDENT, 0, 0, 1, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_draw((linex_mask_kind)7, 2, LINEX_INDEPENDENT, 0, 0, 1, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_draw(LINEX_MASK_SIZES, 2, (linex_sampling)7, 0, 0, 1, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_enumerate(LINEX_MASK_COINS, 0, 0, 4, 4, masks, point_of, numbers) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_enumerate(LINEX_MASK_COINS, 64, 0, 4, 4, masks, point_of, numbers) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_enumerate(LINEX_MASK_COINS, 3, 0, 7, 7, masks, point_of, numbers) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_weigh(1, 2, masks, LINEX_MASK_COSINE, (double)INFINITY, 1, numbers, numbers) ==
          LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_weigh(1, 2, masks, LINEX_MASK_COSINE, 1, 0, numbers, numbers) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_weigh(1, 2, masks, LINEX_MASK_COSINE, (double)NAN, 1, numbers, numbers) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(the_number_of_removed_words_is_uniform_and_so_is_the_choice);
    RUN(superpixels_are_removed_with_probability_one_half);
    RUN(a_mask_does_not_depend_on_its_batch);
    RUN(few_masks_are_all_enumerated_in_proportion);
    RUN(distance_is_one_minus_the_cosine);
    RUN(euclidean_distance_is_the_root_of_the_number_of_removed_parts);
    RUN(a_distance_beyond_the_range_is_the_largest_number);
    RUN(bad_arguments_are_refused);
    return checks_failed != 0;
}
