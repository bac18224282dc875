/* coalitions_test.c: tests of the coalitions that are drawn, and of the law by which they are. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "explain/coalition_law.h"
#include "linex.h"
#include "run_sliced.h"

static size_t bits_of(size_t feature_count, const uint8_t *mask)
{
    size_t bits = 0;
    for (size_t c = 0; c < feature_count; c++) bits |= (size_t)mask[c] << c;
    return bits;
}

static size_t size_of(size_t feature_count, const uint8_t *mask)
{
    size_t size = 0;
    for (size_t c = 0; c < feature_count; c++) size += mask[c];
    return size;
}

static double choose(size_t n, size_t k)
{
    double choices = 1;
    for (size_t i = 0; i < k; i++) choices = choices * (double)(n - i) / (double)(i + 1);
    return choices;
}

/* The number of pairs of a size, by its definition. */
static double pairs_of(size_t feature_count, size_t size)
{
    return choose(feature_count, size) / (2 * size == feature_count ? 2 : 1);
}

static uint8_t *draw(size_t feature_count, size_t samples, uint64_t seed)
{
    uint8_t *masks = malloc(samples * feature_count);
    CHECK(linex_coalitions_draw(feature_count, samples, seed, 0, samples, masks) == LINEX_OK);
    return masks;
}

/* Counts the pairs of each size among the first `count` coalitions. */
static void count_sizes(size_t feature_count, size_t count, const uint8_t *masks, size_t *drawn)
{
    memset(drawn, 0, (feature_count / 2 + 1) * sizeof *drawn);
    for (size_t i = 2; i < count; i += 2) drawn[size_of(feature_count, masks + i * feature_count)]++;
}

static int compare_masks(const void *a, const void *b)
{
    return memcmp(a, b, 40);
}

static void numbers_of_pairs_are_binomial(void)
{
    for (size_t d = 2; d <= 50; d++)
        for (size_t size = 1; size <= d / 2; size++)
            CHECK_NEAR((double)linex_pairs_count(d, size) / pairs_of(d, size), 1, 1e-13);
    CHECK(linex_pairs_count(64, 32) == 916312070471295267u); /* choose(63, 31) */
    CHECK(linex_pairs_count(66, 32) == LINEX_MANY_PAIRS);    /* 7.0e18 is more than 2^62 */
    CHECK(linex_pairs_count(5000, 2500) == LINEX_MANY_PAIRS);
    CHECK(linex_pairs_count(3000000000u, 2) == 4499999998500000000u);
    CHECK(linex_pairs_count(4000000000u, 2) == LINEX_MANY_PAIRS);
}

static void all_coalitions_are_drawn_once_with_their_kernel_weight(void)
{
    for (size_t d = 1; d <= 11; d++) {
        size_t all = (size_t)1 << d, drawn[6];
        uint8_t *masks = draw(d, all, d);
        bool *seen = calloc(all, sizeof *seen);
        double weights[6], missing[6], total = 0;
        for (size_t size = 1; size < d; size++) total += 1 / (double)(size * (d - size));
        count_sizes(d, all, masks, drawn);
        linex_pairs_weigh(d, drawn, weights, missing);
        for (size_t i = 0; i < all; i++) {
            size_t bits = bits_of(d, masks + i * d), size = size_of(d, masks + i * d);
            CHECK(!seen[bits]);
            seen[bits] = true;
            if (i < 2) CHECK(bits == (i ? 0 : all - 1));
            if (i % 2) CHECK((bits ^ bits_of(d, masks + (i - 1) * d)) == all - 1);
            if (i < 2) continue;
            size_t pair = 2 * size > d ? d - size : size;
            double kernel = 1 / (choose(d, size) * (double)(size * (d - size)) * total);
            CHECK_NEAR(weights[pair] / 2, kernel, 1e-15);
            CHECK(missing[pair] == 0);
        }
        free(seen);
        free(masks);
    }
}

static void drawn_pairs_are_distinct(void)
{
    enum { FEATURES = 40, SAMPLES = 12000 };
    uint8_t *masks = draw(FEATURES, SAMPLES, 3);
    for (size_t i = 0; i < SAMPLES; i += 2)
        for (size_t c = 0; c < FEATURES; c++) CHECK(masks[i * FEATURES + c] + masks[(i + 1) * FEATURES + c] == 1);
    qsort(masks, SAMPLES, FEATURES, compare_masks);
    for (size_t i = 1; i < SAMPLES; i++)
        CHECK(memcmp(masks + (i - 1) * FEATURES, masks + i * FEATURES, FEATURES) != 0);
    free(masks);
}

/* The shares of the header. A divisor method is known by its result: the largest share per pair is at most what any
 * size had before its last pair. */
static void sizes_are_drawn_in_proportion_to_their_shares(void)
{
    const size_t parts[] = {7, 12, 13, 30, 61, 200}, samples[] = {96, 200, 1000, 4000};
    for (size_t p = 0; p < 6; p++)
        for (size_t s = 0; s < 4; s++) {
            size_t d = parts[p], drawn[101];
            if (samples[s] < 4 * d + 2 || (d < 20 && samples[s] >= (size_t)1 << d)) continue;
            uint8_t *masks = draw(d, samples[s], 5);
            double most = 0, least = INFINITY;
            count_sizes(d, samples[s], masks, drawn);
            for (size_t size = 1; size <= d / 2; size++) {
                double share = (2 * size == d ? 1 : 2) / sqrt((double)(size * (d - size)));
                CHECK(drawn[size] >= 1 && (double)drawn[size] <= pairs_of(d, size));
                if ((double)drawn[size] < pairs_of(d, size)) most = fmax(most, share / (double)drawn[size]);
                if (drawn[size] > 1) least = fmin(least, share / (double)(drawn[size] - 1));
            }
            CHECK(most <= least * (1 + 1e-12));
            free(masks);
        }
}

static void few_coalitions_begin_with_the_single_parts(void)
{
    enum { FEATURES = 30 };
    for (size_t samples = 2; samples < 122; samples += 12) {
        uint8_t *masks = draw(FEATURES, samples, 1);
        size_t drawn[16];
        count_sizes(FEATURES, samples, masks, drawn);
        size_t pairs = samples / 2 - 1;
        CHECK(drawn[1] == (pairs < FEATURES ? pairs : FEATURES));
        for (size_t size = 2; size <= 15; size++) CHECK(drawn[size] <= (pairs < FEATURES + 15 ? 1 : 3));
        free(masks);
    }
    CHECK(linex_coalitions_few(30) == 122 && linex_coalitions_few(10) == 96 && linex_coalitions_few(5) == 32);
}

/* Every pair of a size is equally likely, and so are two of them together, as without replacement. */
static void each_pair_is_included_with_its_probability(void)
{
    enum { FEATURES = 10, SAMPLES = 120, SEEDS = 20000, ALL = 1 << FEATURES };
    static double found[ALL], together[ALL];
    size_t drawn[6];
    uint8_t masks[SAMPLES * FEATURES];
    const size_t fixed = 3 << 4; /* parts 4 and 5 */
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bool with = false;
        CHECK(linex_coalitions_draw(FEATURES, SAMPLES, seed, 0, SAMPLES, masks) == LINEX_OK);
        for (size_t i = 2; i < SAMPLES; i += 2) with = with || bits_of(FEATURES, masks + i * FEATURES) == fixed;
        for (size_t i = 2; i < SAMPLES; i += 2) {
            found[bits_of(FEATURES, masks + i * FEATURES)]++;
            together[bits_of(FEATURES, masks + i * FEATURES)] += with;
        }
    }
    count_sizes(FEATURES, SAMPLES, masks, drawn);
    for (size_t bits = 0; bits < ALL; bits++) {
        size_t size = (size_t)__builtin_popcountll(bits);
        if (size < 1 || size > 5 || (size == 5 && !(bits & 1))) continue;
        double pairs = pairs_of(FEATURES, size), m = (double)drawn[size], p = m / pairs;
        CHECK_NEAR(found[bits] / SEEDS, p, 5 * sqrt(p * (1 - p) / SEEDS));
        double others = size == 2 ? m * (m - 1) / (pairs * (pairs - 1)) : p * (double)drawn[2] / 45;
        if (bits != fixed) CHECK_NEAR(together[bits] / SEEDS, others, 5 * sqrt(others / SEEDS));
    }
}

/* Three of five sizes are drawn, each with probability 3 / 5. */
static void each_size_is_included_with_its_probability(void)
{
    enum { FEATURES = 12, SAMPLES = 2 + 2 * (FEATURES + 3), SEEDS = 20000 };
    double found[7] = {0};
    uint8_t masks[SAMPLES * FEATURES];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        size_t drawn[7];
        double weights[7], missing[7];
        CHECK(linex_coalitions_draw(FEATURES, SAMPLES, seed, 0, SAMPLES, masks) == LINEX_OK);
        count_sizes(FEATURES, SAMPLES, masks, drawn);
        linex_pairs_weigh(FEATURES, drawn, weights, missing);
        CHECK(drawn[1] == FEATURES && missing[1] == 0 && missing[3] > 0.9);
        for (size_t size = 2; size <= 6; size++) {
            found[size] += (double)drawn[size];
            double mass = (size == 6 ? 1 : 2) / (double)(size * (12 - size)), single = 2.0 / 11 / 12;
            if (drawn[size]) CHECK_NEAR(weights[size] / weights[1], mass * 5 / 3 / single, 1e-12);
        }
    }
    for (size_t size = 2; size <= 6; size++) CHECK_NEAR(found[size] / SEEDS, 0.6, 5 * sqrt(0.24 / SEEDS));
}

/* The weighted sum over the drawn pairs is unbiased for the sum over all of them. */
static void weighted_sums_are_unbiased(void)
{
    enum { FEATURES = 9, SAMPLES = 130, SEEDS = 4000, ALL = 1 << FEATURES };
    static double game[ALL];
    linex_random random = linex_random_seed(2);
    linex_random_normals(&random, ALL, game);
    double expected = 0, total = 0, sum = 0, squares = 0;
    for (size_t bits = 1; bits + 1 < ALL; bits++) {
        size_t size = (size_t)__builtin_popcountll(bits);
        double kernel = 1 / (choose(FEATURES, size) * (double)(size * (FEATURES - size)));
        game[bits] += size == 4 ? 3 : 0; /* so that wrong weights of a size are seen */
        expected += kernel * game[bits];
        total += kernel;
    }
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint8_t masks[SAMPLES * FEATURES];
        size_t drawn[5];
        double weights[5], missing[5], found = 0;
        CHECK(linex_coalitions_draw(FEATURES, SAMPLES, seed, 0, SAMPLES, masks) == LINEX_OK);
        count_sizes(FEATURES, SAMPLES, masks, drawn);
        linex_pairs_weigh(FEATURES, drawn, weights, missing);
        for (size_t i = 2; i < SAMPLES; i++) {
            size_t size = size_of(FEATURES, masks + i * FEATURES);
            found += weights[2 * size > FEATURES ? FEATURES - size : size] / 2 *
                     game[bits_of(FEATURES, masks + i * FEATURES)];
        }
        sum += found;
        squares += found * found;
    }
    double mean = sum / SEEDS, error = sqrt((squares / SEEDS - mean * mean) / SEEDS);
    printf("     mean %.5f, expected %.5f, error %.5f\n", mean, expected / total, error);
    CHECK_NEAR(mean, expected / total, 4 * error);
    CHECK(error < 0.01);
}

static void more_coalitions_begin_with_the_same_ones(void)
{
    enum { FEATURES = 25, SAMPLES = 2000, FEWER = 400 };
    uint8_t *all = draw(FEATURES, SAMPLES, 7), *same = draw(FEATURES, SAMPLES, 7),
            *other = draw(FEATURES, SAMPLES, 8), *fewer = draw(FEATURES, FEWER, 7),
            *parts = malloc(SAMPLES * FEATURES);
    CHECK(memcmp(all, same, SAMPLES * FEATURES) == 0);
    CHECK(memcmp(all, other, SAMPLES * FEATURES) != 0);
    CHECK(memcmp(all, fewer, FEWER * FEATURES) == 0);
    for (size_t first = 0; first < SAMPLES; first += 400)
        CHECK(linex_coalitions_draw(FEATURES, SAMPLES, 7, first, 400, parts + first * FEATURES) == LINEX_OK);
    CHECK(memcmp(all, parts, SAMPLES * FEATURES) == 0);
    free(all);
    free(same);
    free(other);
    free(fewer);
    free(parts);
}

static void thousands_of_parts_have_pairs_of_all_sizes(void)
{
    enum { FEATURES = 2500, SAMPLES = 4 * FEATURES + 2 };
    uint8_t *masks = draw(FEATURES, SAMPLES, 11);
    static size_t drawn[FEATURES / 2 + 1];
    static double weights[FEATURES / 2 + 1], missing[FEATURES / 2 + 1], kept[FEATURES];
    double sum = 0;
    count_sizes(FEATURES, SAMPLES, masks, drawn);
    linex_pairs_weigh(FEATURES, drawn, weights, missing);
    for (size_t size = 1; size <= FEATURES / 2; size++) {
        CHECK(drawn[size] >= 2 && isfinite(weights[size]) && missing[size] > 0.9);
        sum += weights[size] * (double)drawn[size];
    }
    CHECK_NEAR(sum, 1, 1e-12);
    /* No part is kept more often than the sizes say. */
    double expected = 0, spread = 0;
    for (size_t i = 2; i < SAMPLES; i += 2) {
        const uint8_t *mask = masks + i * FEATURES;
        double share = (double)size_of(FEATURES, mask) / FEATURES;
        expected += share;
        spread += share * (1 - share);
        for (size_t c = 0; c < FEATURES; c++) kept[c] += mask[c];
    }
    for (size_t c = 0; c < FEATURES; c++) CHECK_NEAR(kept[c], expected, 5 * sqrt(spread));
    free(masks);
}

static void slices_do_not_change_the_coalitions(void)
{
    enum { FEATURES = 40, SAMPLES = 400 };
    uint8_t *all = draw(FEATURES, SAMPLES, 3), *found = malloc(SAMPLES * FEATURES);
    for (size_t i = 0; i < SLICE_COUNT; i++) {
        linex_task *task = NULL;
        memset(found, 9, SAMPLES * FEATURES);
        linex_status started = linex_coalitions_start(FEATURES, SAMPLES, 3, 0, SAMPLES, found, &task);
        CHECK(run_sliced(started, task, SLICES[i]) == LINEX_OK);
        CHECK(memcmp(found, all, SAMPLES * FEATURES) == 0);
    }
    free(all);
    free(found);
}

static void bad_arguments_are_refused(void)
{
    uint8_t masks[16 * 4];
    CHECK(linex_coalitions_draw(0, 8, 0, 0, 8, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_draw(4, 1, 0, 0, 0, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_draw(4, 8, 0, 0, 8, NULL) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_draw(4, 8, 0, 0, 7, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_draw(4, 8, 0, 1, 6, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_draw(4, 8, 0, 4, 6, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_draw(4, 8, 0, 10, 0, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_draw(4, 20, 0, 0, 18, masks) == LINEX_BAD_ARGUMENT); /* there are 16 */
    CHECK(linex_coalitions_draw(4, (size_t)1 << 30, 0, 0, 16, masks) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_start(4, 8, 0, 0, 8, masks, NULL) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_draw(4, 16, 0, 0, 16, masks) == LINEX_OK);
    CHECK(linex_coalitions_draw(4, 9, 0, 8, 0, masks) == LINEX_OK);
}

int main(void)
{
    RUN(numbers_of_pairs_are_binomial);
    RUN(all_coalitions_are_drawn_once_with_their_kernel_weight);
    RUN(drawn_pairs_are_distinct);
    RUN(sizes_are_drawn_in_proportion_to_their_shares);
    RUN(few_coalitions_begin_with_the_single_parts);
    RUN(each_pair_is_included_with_its_probability);
    RUN(each_size_is_included_with_its_probability);
    RUN(weighted_sums_are_unbiased);
    RUN(more_coalitions_begin_with_the_same_ones);
    RUN(thousands_of_parts_have_pairs_of_all_sizes);
    RUN(slices_do_not_change_the_coalitions);
    RUN(bad_arguments_are_refused);
    return checks_failed != 0;
}
