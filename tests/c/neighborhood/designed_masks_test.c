/* designed_masks_test.c: how evenly designed masks cover sizes, parts, and combinations of parts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"

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

/* 52 parts use the whole table of Sobol columns; 53 and more have designed sizes only. */
static void sizes_occur_equally_often(void)
{
    const size_t parts[] = {1, 7, 8, 32, 52, 53, 100};
    for (size_t p = 0; p < 7; p++) {
        const size_t d = parts[p], count = 1024;
        uint8_t *masks = malloc((count + 1) * d);
        CHECK(linex_masks_draw(LINEX_MASK_SIZES, d, LINEX_DESIGNED, 3, 0, count + 1, masks) == LINEX_OK);
        CHECK(removed_from(d, masks) == 0);
        double sizes[101] = {0};
        for (size_t i = 1; i <= count; i++) sizes[removed_from(d, masks + i * d)]++;
        CHECK(sizes[0] == 0);
        bool even = count % d == 0;
        for (size_t size = 1; size <= d; size++)
            CHECK(fabs(sizes[size] - (double)count / (double)d) < (even ? 0.5 : 2));
        free(masks);
    }
}

/* Sizes 1 .. d are equally likely, so a part is removed with probability (d + 1) / (2 d), and two given parts with
 * (d + 1) / (3 d). The shares among independent masks are off by 0.0039 and 0.0037, as the root of the mean square. */
static void every_part_is_removed_equally_often(void)
{
    enum { PARTS = 20, COUNT = 16384 };
    uint8_t *masks = malloc(COUNT * PARTS);
    double squares[2] = {0};
    CHECK(linex_masks_draw(LINEX_MASK_SIZES, PARTS, LINEX_DESIGNED, 8, 1, COUNT, masks) == LINEX_OK);
    for (size_t a = 0; a < PARTS; a++)
        for (size_t b = 0; b <= a; b++) {
            double both = 0;
            for (size_t i = 0; i < COUNT; i++) both += !masks[i * PARTS + a] && !masks[i * PARTS + b];
            squares[a == b] += pow(both / COUNT - (a == b ? 21.0 / 40 : 21.0 / 60), 2);
        }
    CHECK_NEAR(sqrt(squares[1] / PARTS), 0, 0.0025);
    CHECK_NEAR(sqrt(squares[0] / (PARTS * (PARTS - 1) / 2)), 0, 0.0033);
    free(masks);
}

/* Over many seeds, one sample has the law of an independent one: each mask that removes r of d parts has the probability
 * 1 / (d C(d, r)), or 2^-d for coins. */
static void one_designed_mask_has_the_law_of_an_independent_one(void)
{
    enum { SEEDS = 18000 };
    for (size_t sample = 1; sample < 40; sample += 19) {
        double counts[2][8] = {{0}};
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            for (int kind = 0; kind < 2; kind++) {
                uint8_t mask[3];
                CHECK(linex_masks_draw((linex_mask_kind)kind, 3, LINEX_DESIGNED, seed, sample, 1, mask) == LINEX_OK);
                counts[kind][4 * mask[0] + 2 * mask[1] + mask[2]]++;
            }
        CHECK(counts[LINEX_MASK_SIZES][7] == 0);
        check_count(counts[LINEX_MASK_SIZES][0], SEEDS, 1.0 / 3);
        for (int i = 1; i < 7; i++) check_count(counts[LINEX_MASK_SIZES][i], SEEDS, 1.0 / 9);
        for (int i = 0; i < 8; i++) check_count(counts[LINEX_MASK_COINS][i], SEEDS, 1.0 / 8);
    }
}

/* In every block, each combination of up to three parts occurs equally often, because the rows of a Hadamard matrix and
 * their complements are an orthogonal array of strength three. */
static void hadamard_blocks_are_balanced(void)
{
    const size_t parts[] = {1, 2, 3, 15, 16, 49};
    for (size_t p = 0; p < 6; p++) {
        const size_t d = parts[p];
        size_t order = 2;
        while (order <= d) order *= 2;
        const size_t block = 2 * order, count = 3 * block;
        uint8_t *masks = malloc((count + 1) * d);
        CHECK(linex_masks_draw(LINEX_MASK_COINS, d, LINEX_DESIGNED, 11, 0, count + 1, masks) == LINEX_OK);
        CHECK(removed_from(d, masks) == 0);
        for (size_t first = 1; first < count; first += block)
            for (size_t a = 0; a < d; a++)
                for (size_t b = a; b < d; b += 2)
                    for (size_t c = b; c < d; c += 3) {
                        size_t kept = 0, distinct = 1 + (b != a) + (c != b);
                        for (size_t i = first; i < first + block; i++)
                            kept += masks[i * d + a] && masks[i * d + b] && masks[i * d + c];
                        CHECK(kept == block >> distinct);
                    }
        for (size_t i = 1; i < count; i += 2)
            for (size_t c = 0; c < d; c++) CHECK(masks[i * d + c] != masks[(i + 1) * d + c]);
        free(masks);
    }
}

static void a_mask_depends_on_the_seed_and_its_index_alone(void)
{
    const size_t parts[] = {5, 52, 60};
    enum { COUNT = 600 };
    for (int k = 0; k < 6; k++) {
        const size_t d = parts[k / 2];
        const linex_mask_kind kind = (linex_mask_kind)(k % 2);
        uint8_t *all = malloc(COUNT * d), *some = malloc(COUNT * d);
        CHECK(linex_masks_draw(kind, d, LINEX_DESIGNED, 9, 0, COUNT, all) == LINEX_OK);
        for (size_t first = 0; first < COUNT; first += 53) {
            CHECK(linex_masks_draw(kind, d, LINEX_DESIGNED, 9, first, COUNT - first, some) == LINEX_OK);
            CHECK(memcmp(some, all + first * d, (COUNT - first) * d) == 0);
            CHECK(linex_masks_draw(kind, d, LINEX_DESIGNED, 9, first, 1, some) == LINEX_OK);
            CHECK(memcmp(some, all + first * d, d) == 0);
        }
        CHECK(linex_masks_draw(kind, d, LINEX_DESIGNED, 10, 0, COUNT, some) == LINEX_OK);
        CHECK(memcmp(some + d, all + d, (COUNT - 1) * d) != 0);
        free(all);
        free(some);
    }
}

int main(void)
{
    RUN(sizes_occur_equally_often);
    RUN(every_part_is_removed_equally_often);
    RUN(one_designed_mask_has_the_law_of_an_independent_one);
    RUN(hadamard_blocks_are_balanced);
    RUN(a_mask_depends_on_the_seed_and_its_index_alone);
    return checks_failed != 0;
}
