/* designed_normals_test.c: the moments of designed normal points, and their mirrored orthogonal blocks. */
#include "base/designed_normals.h"

#include <stdlib.h>
#include <string.h>

#include "base/sobol.h"
#include "check.h"

/* Independent numbers have means within 0.016 and variances within 0.022 of these, two times out of three. */
static void sobol_normals_have_the_moments_of_a_normal(void)
{
    enum { COUNT = 4096, COLUMNS = LINEX_SOBOL_DIMENSIONS };
    double *normals = malloc(COUNT * COLUMNS * sizeof *normals);
    const linex_random root = linex_random_seed(3);
    CHECK(linex_designed_normals(&root, COLUMNS, 0, COUNT, normals) == LINEX_OK);
    for (size_t c = 0; c < COLUMNS; c++) {
        double sums[4] = {0};
        for (size_t i = 0; i < COUNT; i++)
            for (int k = 0; k < 4; k++) sums[k] += pow(normals[i * COLUMNS + c], k + 1) / COUNT;
        CHECK_NEAR(sums[0], 0, 0.001);
        CHECK_NEAR(sums[1], 1, 0.005);
        CHECK_NEAR(sums[2], 0, 0.05);
        CHECK_NEAR(sums[3], 3, 0.2);
    }
    for (size_t c = 1; c < COLUMNS; c++) {
        double product = 0;
        for (size_t i = 0; i < COUNT; i++) product += normals[i * COLUMNS] * normals[i * COLUMNS + c] / COUNT;
        CHECK_NEAR(product, 0, 0.02);
    }
    free(normals);
}

static double product_of(size_t columns, const double *a, const double *b)
{
    double sum = 0;
    for (size_t c = 0; c < columns; c++) sum += a[c] * b[c];
    return sum;
}

static void mirrored_pairs_are_opposite_and_their_blocks_orthogonal(void)
{
    const size_t sizes[] = {2, 7, 61, 128, 130};
    for (int s = 0; s < 5; s++) {
        const size_t columns = sizes[s], pairs = columns > 128 ? 64 : columns, count = 4 * pairs;
        double *normals = malloc(count * columns * sizeof *normals);
        const linex_random root = linex_random_seed(5);
        CHECK(linex_mirrored_normals(&root, columns, 0, count, normals) == LINEX_OK);
        for (size_t i = 0; i < count * columns; i++)
            if (i / columns % 2 == 0) CHECK(normals[i] == -normals[i + columns]);
        for (size_t i = 0; i < count; i += 2)
            for (size_t j = i / (2 * pairs) * 2 * pairs; j < i; j += 2)
                CHECK_NEAR(product_of(columns, normals + i * columns, normals + j * columns), 0,
                           1e-9 * (double)columns);
        free(normals);
    }
}

/* Every point of a block is standard normal: its numbers have the moments 0, 1, 0, 3, and its squared length, which has
 * the chi-squared distribution, has the variance 2 x columns. */
static void each_mirrored_point_is_normal(void)
{
    enum { COLUMNS = 5, SEEDS = 20000 };
    for (size_t point = 0; point < 2 * COLUMNS; point += 3) {
        double sums[4] = {0}, squares = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            double normals[COLUMNS];
            const linex_random root = linex_random_seed(seed);
            CHECK(linex_mirrored_normals(&root, COLUMNS, point, 1, normals) == LINEX_OK);
            for (int k = 0; k < 4; k++) sums[k] += pow(normals[2], k + 1) / SEEDS;
            squares += pow(product_of(COLUMNS, normals, normals) - COLUMNS, 2) / SEEDS;
        }
        const double expected[] = {0, 1, 0, 3}, variances[] = {1, 2, 15, 96};
        for (int k = 0; k < 4; k++) CHECK_NEAR(sums[k], expected[k], 4.5 * sqrt(variances[k] / SEEDS));
        CHECK_NEAR(squares, 2 * COLUMNS, 0.6);
    }
}

static void a_point_depends_on_the_seed_and_its_index_alone(void)
{
    enum { COUNT = 300 };
    const size_t sizes[] = {3, 53, 54, 140};
    for (int s = 0; s < 4; s++) {
        const size_t columns = sizes[s];
        double *all = malloc(COUNT * columns * sizeof *all), *some = malloc(COUNT * columns * sizeof *some);
        const linex_random root = linex_random_seed(9), other = linex_random_seed(10);
        CHECK(linex_designed_normals(&root, columns, 0, COUNT, all) == LINEX_OK);
        for (size_t first = 0; first < COUNT; first += 41) {
            CHECK(linex_designed_normals(&root, columns, first, COUNT - first, some) == LINEX_OK);
            CHECK(memcmp(some, all + first * columns, (COUNT - first) * columns * sizeof *all) == 0);
            CHECK(linex_designed_normals(&root, columns, first, 1, some) == LINEX_OK);
            CHECK(memcmp(some, all + first * columns, columns * sizeof *all) == 0);
        }
        CHECK(linex_designed_normals(&other, columns, 0, COUNT, some) == LINEX_OK);
        for (size_t i = 0; i < COUNT; i++) CHECK(some[i * columns] != all[i * columns]);
        free(all);
        free(some);
    }
}

int main(void)
{
    RUN(sobol_normals_have_the_moments_of_a_normal);
    RUN(mirrored_pairs_are_opposite_and_their_blocks_orthogonal);
    RUN(each_mirrored_point_is_normal);
    RUN(a_point_depends_on_the_seed_and_its_index_alone);
    return checks_failed != 0;
}
