/* random_test.c: published answers of the generator, and the distributions drawn from it. */
#include "base/random.h"

#include "check.h"

/* The values come from the known-answer file of Random123, the reference implementation. */
static void philox_gives_its_published_answers(void)
{
    static const uint32_t cases[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
         0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420,
         0x24126ea1},
    };
    for (size_t i = 0; i < 3; i++) {
        uint32_t words[4];
        linex_random_block(cases[i] + 4, cases[i], words);
        for (size_t j = 0; j < 4; j++) CHECK(words[j] == cases[i][6 + j]);
    }
}

static void a_child_does_not_depend_on_what_its_parent_has_drawn(void)
{
    linex_random fresh = linex_random_seed(7), used = linex_random_seed(7);
    for (int i = 0; i < 13; i++) linex_random_bits(&used);
    linex_random a = linex_random_split(&fresh, 3), b = linex_random_split(&used, 3);
    for (int i = 0; i < 20; i++) CHECK(linex_random_bits(&a) == linex_random_bits(&b));
}

static void children_and_seeds_differ(void)
{
    linex_random root = linex_random_seed(0), other = linex_random_seed(1);
    linex_random first = linex_random_split(&root, 0), second = linex_random_split(&root, 1);
    linex_random grandchild = linex_random_split(&first, 0);
    uint32_t words[5] = {linex_random_bits(&root), linex_random_bits(&other), linex_random_bits(&first),
                         linex_random_bits(&second), linex_random_bits(&grandchild)};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++) CHECK(words[i] != words[j]);
}

static void uniform_numbers_have_the_moments_of_a_uniform(void)
{
    linex_random random = linex_random_seed(1);
    enum { DRAWS = 200000 };
    double sum = 0, squares = 0;
    for (int i = 0; i < DRAWS; i++) {
        double u = linex_random_uniform(&random);
        CHECK(u >= 0 && u < 1);
        sum += u;
        squares += u * u;
    }
    CHECK_NEAR(sum / DRAWS, 1.0 / 2, 0.003);
    CHECK_NEAR(squares / DRAWS, 1.0 / 3, 0.003);
}

static void bounded_numbers_have_no_bias(void)
{
    /* With a bound of 3 * 2^30, a plain remainder would make a third of the values twice as likely. */
    linex_random random = linex_random_seed(2);
    enum { DRAWS = 100000 };
    int low = 0, counts[7] = {0};
    for (int i = 0; i < DRAWS; i++) {
        low += linex_random_below(&random, 3u << 30) < 1u << 30;
        counts[linex_random_below(&random, 7)]++;
    }
    CHECK_NEAR((double)low / DRAWS, 1.0 / 3, 0.006);
    for (int i = 0; i < 7; i++) CHECK_NEAR((double)counts[i] / DRAWS, 1.0 / 7, 0.005);
}

static void normal_numbers_have_the_moments_and_tails_of_a_normal(void)
{
    enum { DRAWS = 200001 };
    static double normals[DRAWS];
    linex_random random = linex_random_seed(3);
    linex_random_normals(&random, DRAWS, normals);
    double sum = 0, squares = 0, fourths = 0;
    int beyond = 0;
    for (int i = 0; i < DRAWS; i++) {
        double square = normals[i] * normals[i];
        sum += normals[i];
        squares += square;
        fourths += square * square;
        beyond += fabs(normals[i]) > 1.959963984540054;
    }
    CHECK_NEAR(sum / DRAWS, 0, 0.01);
    CHECK_NEAR(squares / DRAWS, 1, 0.015);
    CHECK_NEAR(fourths / DRAWS, 3, 0.12);
    CHECK_NEAR((double)beyond / DRAWS, 0.05, 0.002);
}

static void every_order_is_equally_likely(void)
{
    linex_random random = linex_random_seed(4);
    enum { DRAWS = 60000 };
    int counts[27] = {0};
    for (int i = 0; i < DRAWS; i++) {
        uint32_t items[3] = {0, 1, 2};
        linex_random_shuffle(&random, 3, items);
        counts[items[0] * 9 + items[1] * 3 + items[2]]++;
    }
    int orders = 0;
    for (int i = 0; i < 27; i++) {
        if (counts[i] == 0) continue;
        orders++;
        CHECK_NEAR((double)counts[i] / DRAWS, 1.0 / 6, 0.008);
    }
    CHECK(orders == 6);
}

int main(void)
{
    RUN(philox_gives_its_published_answers);
    RUN(a_child_does_not_depend_on_what_its_parent_has_drawn);
    RUN(children_and_seeds_differ);
    RUN(uniform_numbers_have_the_moments_of_a_uniform);
    RUN(bounded_numbers_have_no_bias);
    RUN(normal_numbers_have_the_moments_and_tails_of_a_normal);
    RUN(every_order_is_equally_likely);
    return checks_failed != 0;
}
