#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"

enum { WIDTH = 7, DRAWS = 70000 };

static size_t removed_from(size_t width, const uint8_t *mask)
{
    size_t removed = 0;
    for (size_t c = 0; c < width; c++) {
        CHECK(mask[c] <= 1);
        removed += !mask[c];
    }
    return removed;
}

/* Counts of a fair draw stay within five standard deviations of what is expected. */
static void check_count(double counted, double trials, double share)
{
    CHECK_NEAR(counted, trials * share, 5 * sqrt(trials * share * (1 - share)));
}

static void how_many_words_go_is_uniform_and_so_is_which(void)
{
    uint8_t *masks = malloc(DRAWS * WIDTH);
    double sizes[WIDTH + 1] = {0}, gone[WIDTH] = {0}, pairs = 0;
    CHECK(linex_masks_draw(LINEX_MASK_SIZES, WIDTH, 5, 1, DRAWS, masks) == LINEX_OK);
    for (size_t i = 0; i < DRAWS; i++) {
        const uint8_t *mask = masks + i * WIDTH;
        sizes[removed_from(WIDTH, mask)] += 1;
        for (size_t c = 0; c < WIDTH; c++) gone[c] += !mask[c];
        pairs += !mask[1] && !mask[4];
    }
    CHECK(sizes[0] == 0);
    for (size_t size = 1; size <= WIDTH; size++) check_count(sizes[size], DRAWS, 1.0 / WIDTH);
    /* Sizes 1 .. 7 are equally likely: a part goes with probability 4/7, two given ones with
     * sum over r of r (r - 1) / (7 * 6) / 7 = 112 / 294. */
    for (size_t c = 0; c < WIDTH; c++) check_count(gone[c], DRAWS, 4.0 / 7);
    check_count(pairs, DRAWS, 112.0 / 294);
    free(masks);
}

static void superpixels_go_by_the_toss_of_a_coin(void)
{
    enum { MANY = 70 };
    uint8_t *masks = malloc(1000 * MANY);
    double gone = 0, alike = 0;
    CHECK(linex_masks_draw(LINEX_MASK_COINS, MANY, 5, 1, 1000, masks) == LINEX_OK);
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
    for (int kind = LINEX_MASK_SIZES; kind <= LINEX_MASK_COINS; kind++) {
        uint8_t all[50 * WIDTH], part[10 * WIDTH], full[WIDTH];
        memset(full, 1, sizeof full);
        CHECK(linex_masks_draw((linex_mask_kind)kind, WIDTH, 9, 0, 50, all) == LINEX_OK);
        CHECK(linex_masks_draw((linex_mask_kind)kind, WIDTH, 9, 40, 10, part) == LINEX_OK);
        CHECK(memcmp(all, full, WIDTH) == 0);
        CHECK(memcmp(all + 40 * WIDTH, part, sizeof part) == 0);
    }
}

/* Every mask once, and as often planned as it would be drawn: counted against the shares 1 / (4 C(4, r)) of sizes
 * and 1 / 16 of coins. */
static void small_spaces_are_enumerated_in_proportion(void)
{
    enum { PARTS = 4, MASKS = 16, PLANNED = 5000 };
    static const double choices[] = {1, 4, 6, 4, 1};
    for (int kind = LINEX_MASK_SIZES; kind <= LINEX_MASK_COINS; kind++) {
        uint8_t masks[MASKS * PARTS], seen[MASKS] = {0};
        uint32_t owner[PLANNED];
        double copies[MASKS] = {0};
        CHECK(linex_masks_enumerate((linex_mask_kind)kind, PARTS, 3, PLANNED, masks, owner) == LINEX_OK);
        for (size_t i = 0; i < PLANNED; i++) copies[owner[i]] += 1;
        for (size_t i = 0; i < MASKS; i++) {
            const uint8_t *mask = masks + i * PARTS;
            size_t removed = removed_from(PARTS, mask);
            seen[mask[0] + 2 * mask[1] + 4 * mask[2] + 8 * mask[3]] += 1;
            double expected = kind == LINEX_MASK_COINS ? (PLANNED - 1) / 16.0 + (removed == 0)
                              : removed == 0           ? 1
                                                       : (PLANNED - 1) / (4 * choices[removed]);
            CHECK_NEAR(copies[i], expected, 2);
        }
        CHECK(removed_from(PARTS, masks) == 0);
        for (size_t i = 0; i < MASKS; i++) CHECK(seen[i] == 1);
    }
}

static void every_mask_is_planned_at_least_once(void)
{
    enum { PARTS = 9, MASKS = 512 };
    uint8_t masks[MASKS * PARTS];
    uint32_t owner[600];
    double copies[MASKS] = {0};
    CHECK(linex_masks_enumerate(LINEX_MASK_SIZES, PARTS, 3, 600, masks, owner) == LINEX_OK);
    for (size_t i = 0; i < 600; i++) copies[owner[i]] += 1;
    for (size_t i = 0; i < MASKS; i++) CHECK(copies[i] >= 1);
    CHECK(linex_masks_enumerate(LINEX_MASK_SIZES, PARTS, 3, MASKS, masks, owner) == LINEX_OK);
    CHECK(linex_masks_enumerate(LINEX_MASK_SIZES, PARTS, 3, MASKS - 1, masks, owner) == LINEX_BAD_ARGUMENT);
}

static void distance_is_one_minus_the_cosine(void)
{
    const uint8_t masks[] = {1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0};
    double distances[3], weights[3];
    CHECK(linex_masks_weigh(3, 4, masks, 100, 25, distances, weights) == LINEX_OK);
    CHECK(distances[0] == 0 && weights[0] == 1);
    CHECK_NEAR(distances[1], 50, 1e-12);
    CHECK_NEAR(weights[1], exp(-2), 1e-15);
    CHECK_NEAR(distances[2], 100, 1e-12);
    CHECK_NEAR(weights[2], exp(-8), 1e-15);
}

static void bad_arguments_are_refused(void)
{
    uint8_t masks[4];
    uint32_t owner[4];
    double numbers[4];
    CHECK(linex_masks_draw(LINEX_MASK_SIZES, 0, 0, 0, 1, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_draw((linex_mask_kind)7, 2, 0, 0, 1, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_enumerate(LINEX_MASK_COINS, 0, 0, 4, masks, owner) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_enumerate(LINEX_MASK_COINS, 64, 0, 4, masks, owner) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_weigh(1, 2, masks, 1, 0, numbers, numbers) == LINEX_BAD_ARGUMENT);
    CHECK(linex_masks_weigh(1, 2, masks, (double)NAN, 1, numbers, numbers) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(how_many_words_go_is_uniform_and_so_is_which);
    RUN(superpixels_go_by_the_toss_of_a_coin);
    RUN(a_mask_does_not_depend_on_its_batch);
    RUN(small_spaces_are_enumerated_in_proportion);
    RUN(every_mask_is_planned_at_least_once);
    RUN(distance_is_one_minus_the_cosine);
    RUN(bad_arguments_are_refused);
    return checks_failed != 0;
}
