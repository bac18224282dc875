/* normal_quantile_test.c: quantiles of the normal distribution against values of higher precision. */
#include "base/normal_quantile.h"

#include "../vectors/designs.h"
#include "check.h"

enum { CASES = sizeof QUANTILES / sizeof *QUANTILES };

static void quantiles_agree_with_mpmath(void)
{
    for (size_t i = 0; i < CASES; i++) {
        double share = QUANTILES[i][0], expected = QUANTILES[i][1];
        CHECK_NEAR(linex_normal_quantile(share), expected, 4e-10 * fabs(expected));
        CHECK_NEAR(linex_normal_quantile(1 - share), -expected, share < 1e-6 ? 0.05 : 1e-9 * fabs(expected) + 1e-15);
    }
    CHECK(linex_normal_quantile(0.5) == 0);
    CHECK(linex_normal_quantile(0) == linex_normal_quantile(0x1p-50));
    CHECK(linex_normal_quantile(1) == -linex_normal_quantile(0));
}

/* The share below z is erfc(-z / sqrt 2) / 2. */
static void words_become_the_quantiles_of_their_shares(void)
{
    enum { COUNT = 1000 };
    uint32_t words[COUNT], opposite[COUNT];
    double normals[COUNT], mirrored[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) words[i] = i < 100 ? i : i < 200 ? 0u - i : i * 2654435769u;
    for (size_t i = 0; i < COUNT; i++) opposite[i] = ~words[i];
    linex_normals_from(COUNT, words, normals);
    linex_normals_from(COUNT, opposite, mirrored);
    for (size_t i = 0; i < COUNT; i++) {
        double share = ((double)words[i] + 0.5) * 0x1p-32;
        CHECK_NEAR(erfc(-normals[i] / sqrt(2)) / 2 / share, 1, 2e-8);
        CHECK(mirrored[i] == -normals[i]);
    }
    for (size_t count = 0; count < 300; count += 37) {
        linex_normals_from(count, words + 3, mirrored);
        for (size_t i = 0; i < count; i++) CHECK(mirrored[i] == normals[i + 3]);
    }
}

static void the_share_is_the_inverse_of_the_quantile(void)
{
    for (double z = -6; z <= 6; z += 0.25) {
        double share = erfc(-z / sqrt(2)) / 2;
        CHECK_NEAR(linex_normal_share(z), share, 1e-8 * share);
    }
    CHECK(linex_normal_share((double)INFINITY) == 1);
    CHECK_NEAR(linex_normal_share(-(double)INFINITY), 0, 1e-15);
}

int main(void)
{
    RUN(quantiles_agree_with_mpmath);
    RUN(words_become_the_quantiles_of_their_shares);
    RUN(the_share_is_the_inverse_of_the_quantile);
    return checks_failed != 0;
}
