/* sobol_test.c: Sobol points against scipy's, and what scrambling must keep. */
#include "base/sobol.h"

#include <stdbool.h>
#include <string.h>

#include "../vectors/designs.h"
#include "check.h"

enum { ROWS = sizeof SOBOL_ROWS / sizeof *SOBOL_ROWS, POINTS = 4096 };

static uint32_t reversed(uint32_t word)
{
    uint32_t result = 0;
    for (int bit = 0; bit < 32; bit++) result |= (word >> bit & 1) << (31 - bit);
    return result;
}

/* All points of a column, without scrambling, as binary fractions. */
static void plain_column(size_t dimension, uint32_t *words)
{
    for (uint32_t block = 0; block < POINTS / LINEX_SOBOL_BLOCK; block++)
        linex_sobol_points(dimension, block, words + block * LINEX_SOBOL_BLOCK);
    for (size_t i = 0; i < POINTS; i++) words[i] = reversed(words[i]);
}

static void plain_points_are_those_of_scipy(void)
{
    static uint32_t words[POINTS];
    CHECK(sizeof *SOBOL_POINTS / sizeof **SOBOL_POINTS == LINEX_SOBOL_DIMENSIONS);
    for (size_t d = 0; d < LINEX_SOBOL_DIMENSIONS; d++) {
        plain_column(d, words);
        for (size_t r = 0; r < ROWS; r++) CHECK(words[SOBOL_ROWS[r] ^ SOBOL_ROWS[r] >> 1] == SOBOL_POINTS[r][d]);
    }
}

/* Whether each of the 2^digits intervals of equal length holds the same number of points. */
static bool is_even(size_t count, const uint32_t *words, unsigned digits)
{
    uint16_t counts[POINTS] = {0};
    for (size_t i = 0; i < count; i++) counts[digits ? words[i] >> (32 - digits) : 0]++;
    for (size_t i = 0; i < (size_t)1 << digits; i++)
        if (counts[i] != count >> digits) return false;
    return true;
}

static void every_column_has_one_value_in_each_interval(void)
{
    static uint32_t words[POINTS];
    for (uint64_t seed = 0; seed < 3; seed++) {
        const linex_random root = linex_random_seed(seed);
        for (size_t d = 0; d < LINEX_SOBOL_DIMENSIONS; d++) {
            linex_sobol_words(&root, d, 0, POINTS, words);
            for (unsigned digits = 0; digits <= 12; digits++) CHECK(is_even((size_t)1 << digits, words, digits));
            CHECK(is_even(256, words + 3 * 256, 8));
        }
    }
}

/* Whether 2^m points of three columns are a (t, m, 3)-net: every box of 2^a x 2^b x 2^c equal parts with a + b + c = m - t
 * holds 2^t points. */
static bool is_net(unsigned t, unsigned m, const uint32_t *x, const uint32_t *y, const uint32_t *z)
{
    for (unsigned a = 0; a <= m - t; a++)
        for (unsigned b = 0; a + b <= m - t; b++) {
            unsigned c = m - t - a - b;
            uint16_t counts[POINTS] = {0};
            for (size_t i = 0; i < (size_t)1 << m; i++) {
                uint64_t cell = (uint64_t)x[i] >> (32 - a);
                cell = cell << b | (uint64_t)y[i] >> (32 - b);
                counts[cell << c | (uint64_t)z[i] >> (32 - c)]++;
            }
            for (size_t i = 0; i < (size_t)1 << (m - t); i++)
                if (counts[i] != 1u << t) return false;
        }
    return true;
}

/* Sobol (1967): t is at most the sum of the polynomials' degrees less one: 0, 0, 1 for the first columns. */
static void the_first_columns_are_nets_before_and_after_scrambling(void)
{
    static uint32_t plain[3][POINTS], words[3][POINTS], none[POINTS];
    for (size_t d = 0; d < 3; d++) plain_column(d, plain[d]);
    for (uint64_t seed = 0; seed < 20; seed++) {
        const linex_random root = linex_random_seed(seed);
        for (size_t d = 0; d < 3; d++) linex_sobol_words(&root, d, 0, POINTS, words[d]);
        for (unsigned m = 1; m <= 12; m += seed ? 5 : 1) {
            CHECK(is_net(0, m, words[0], words[1], words[0]) == is_net(0, m, plain[0], plain[1], plain[0]));
            CHECK(is_net(1, m, words[0], words[1], words[2]));
            CHECK(is_net(1, m, plain[0], plain[1], plain[2]));
        }
        memset(none, 0, sizeof none);
        CHECK(!is_net(0, 4, words[0], words[1], none));
    }
    /* Two columns alone, as boxes of 2^a x 2^b. */
    for (unsigned m = 1; m <= 12; m++)
        for (unsigned a = 0; a <= m; a++) {
            uint16_t counts[POINTS] = {0};
            for (size_t i = 0; i < (size_t)1 << m; i++)
                counts[((uint64_t)words[0][i] >> (32 - a)) << (m - a) | (uint64_t)words[1][i] >> (32 - m + a)]++;
            for (size_t i = 0; i < (size_t)1 << m; i++) CHECK(counts[i] == 1);
        }
}

static int common_digits(uint32_t a, uint32_t b)
{
    int digits = 0;
    while (digits < 32 && !((a ^ b) >> (31 - digits))) digits++;
    return digits;
}

/* Owen (1995): two points agree in as many leading digits after scrambling as before. */
static void scrambling_is_nested(void)
{
    static uint32_t plain[POINTS], words[POINTS];
    for (size_t d = 0; d < LINEX_SOBOL_DIMENSIONS; d += 4) {
        const linex_random root = linex_random_seed(d);
        plain_column(d, plain);
        linex_sobol_words(&root, d, 0, POINTS, words);
        for (size_t i = 0; i < 300; i++)
            for (size_t j = 0; j < i; j++)
                CHECK(common_digits(plain[i], plain[j]) == common_digits(words[i], words[j]));
    }
}

/* Over many seeds, a point is uniform, and digits are flipped independently of each other, also after another prefix. */
static void scrambling_is_uniform_and_independent(void)
{
    enum { SEEDS = 20000 };
    double sum = 0, squares = 0, joint[4] = {0}, columns = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const linex_random root = linex_random_seed(seed);
        uint32_t words[4], other[4];
        linex_sobol_words(&root, 4, 0, 4, words);
        linex_sobol_words(&root, 5, 0, 4, other);
        double share = linex_word_share(words[3]);
        sum += share / SEEDS;
        squares += share * share / SEEDS;
        columns += (words[1] ^ other[1]) >> 31;
        /* Points 0 and 2 agree in no digit or in one; the flips of digits 1, 2, 3 and 9 of point 0 against the others */
        joint[0] += (words[0] >> 31 ^ words[0] >> 30) & 1;
        joint[1] += (words[0] >> 30 ^ words[1] >> 30) & 1;
        joint[2] += (words[0] >> 29 ^ words[2] >> 29) & 1;
        joint[3] += (words[0] >> 23 ^ words[3] >> 23) & 1;
    }
    CHECK_NEAR(sum, 1.0 / 2, 5 * sqrt(1.0 / 12 / SEEDS));
    CHECK_NEAR(squares, 1.0 / 3, 5 * sqrt(4.0 / 45 / SEEDS));
    CHECK_NEAR(columns / SEEDS, 0.5, 2.5 / sqrt(SEEDS));
    for (int i = 0; i < 4; i++) CHECK_NEAR(joint[i] / SEEDS, 0.5, 2.5 / sqrt(SEEDS));
}

static void a_word_depends_on_the_seed_and_its_index_alone(void)
{
    enum { COUNT = 900 };
    uint32_t all[COUNT], some[COUNT], others[COUNT];
    const linex_random root = linex_random_seed(1), other = linex_random_seed(2);
    for (size_t d = 0; d < 60; d += 7) { /* 56 is beyond the table */
        linex_sobol_words(&root, d, 0, COUNT, all);
        for (size_t first = 0; first < COUNT; first += 113)
            for (size_t count = 0; first + count <= COUNT; count += 97) {
                linex_sobol_words(&root, d, first, count, some);
                CHECK(memcmp(some, all + first, count * sizeof *some) == 0);
            }
        linex_sobol_words(&other, d, 0, COUNT, others);
        int same = 0;
        for (size_t i = 0; i < COUNT; i++) same += all[i] == others[i];
        CHECK(same < 3);
    }
    /* Far away, and beyond 2^32 points, where the next ones start again. */
    const uint64_t far[] = {(UINT64_C(1) << 32) - 2, UINT64_C(1) << 32, UINT64_C(5) << 40};
    for (int i = 0; i < 3; i++) {
        linex_sobol_words(&root, 3, far[i], 600, all);
        linex_sobol_words(&root, 3, far[i] + 599, 1, some);
        CHECK(some[0] == all[599]);
    }
}

int main(void)
{
    RUN(plain_points_are_those_of_scipy);
    RUN(every_column_has_one_value_in_each_interval);
    RUN(the_first_columns_are_nets_before_and_after_scrambling);
    RUN(scrambling_is_nested);
    RUN(scrambling_is_uniform_and_independent);
    RUN(a_word_depends_on_the_seed_and_its_index_alone);
    return checks_failed != 0;
}
