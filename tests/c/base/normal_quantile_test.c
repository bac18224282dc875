/* normal_quantile_test.c: quantiles of the normal distribution against values of higher precision. */
#include "base/normal_quantile.h"

#include "../vectors/designs.h"
#include "check.h"

enum { CASES = sizeof QUANTILES / sizeof *QUANTILES, COUNT = 8 * LINEX_NORMALS_BLOCK };

static void quantiles_agree_with_mpmath(void)
{
    uint32_t words[LINEX_NORMALS_BLOCK] = {0}, opposite[LINEX_NORMALS_BLOCK];
    double normals[LINEX_NORMALS_BLOCK], mirrored[LINEX_NORMALS_BLOCK];
    for (size_t i = 0; i < CASES; i++) words[i] = QUANTILES[i].word;
    for (size_t i = 0; i < LINEX_NORMALS_BLOCK; i++) opposite[i] = ~words[i];
    linex_normals_from(words, normals);
    linex_normals_from(opposite, mirrored);
    for (size_t i = 0; i < CASES; i++) {
        CHECK_NEAR(normals[i], QUANTILES[i].quantile, 4e-10 * fabs(QUANTILES[i].quantile));
        CHECK(mirrored[i] == -normals[i]);
    }
}

/* The share below z is erfc(-z / sqrt 2) / 2. */
static void words_become_the_quantiles_of_their_shares(void)
{
    uint32_t words[COUNT];
    double normals[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) words[i] = i < 100 ? i : i < 200 ? 0u - i : i * 2654435769u;
    for (size_t i = 0; i < COUNT; i += LINEX_NORMALS_BLOCK) linex_normals_from(words + i, normals + i);
    for (size_t i = 0; i < COUNT; i++)
        CHECK_NEAR(erfc(-normals[i] / sqrt(2)) / 2 / (((double)words[i] + 0.5) * 0x1p-32), 1, 2e-8);
}

static void the_share_is_the_inverse_of_the_quantile(void)
{
    for (double z = -7; z <= 7; z += 0.25) CHECK_NEAR(linex_normal_share(z), erfc(-z / sqrt(2)) / 2, 4e-9);
    CHECK_NEAR(linex_normal_share((double)INFINITY), 1, 4e-9);
    CHECK_NEAR(linex_normal_share(-(double)INFINITY), 0, 4e-9);
}

int main(void)
{
    RUN(quantiles_agree_with_mpmath);
    RUN(words_become_the_quantiles_of_their_shares);
    RUN(the_share_is_the_inverse_of_the_quantile);
    return checks_failed != 0;
}
