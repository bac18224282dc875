/* groups_test.c: tests of the sums over groups of samples. */
#include "environments/groups.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "base/random.h"
#include "environments/sample_runs.h"

enum { COUNT = 700, PLANNED = 1000, SIZE = 5, GROUPS = LINEX_GROUPS };

/* LONE is a point that was planned once. */
enum { SEED = 9, LONE = 351 };

static double points[COUNT * SIZE], answers[COUNT], weights[COUNT];
static uint8_t masks[COUNT * SIZE];
static uint32_t point_of[PLANNED], group_of[PLANNED];
static double scratch[1024];

static const linex_environment_settings BOOTSTRAPS = {.kind = LINEX_BOOTSTRAP, .players = 2};

/* Some points were planned twice, some have no weight. Column 4 is nonzero in one sample only. */
static linex_samples make_samples(bool bytes)
{
    linex_random random = linex_random_seed(5);
    linex_random_normals(&random, COUNT * SIZE, points);
    for (size_t i = 0; i < COUNT; i++) {
        answers[i] = 3 * points[i * SIZE] - points[i * SIZE + 1] * points[i * SIZE + 2] + 100;
        weights[i] = i % 9 == 4 ? 0 : linex_random_uniform(&random);
        points[i * SIZE + 4] = i == LONE;
    }
    for (size_t i = 0; i < COUNT * SIZE; i++) masks[i] = i % SIZE == 4 ? i / SIZE == LONE : points[i] > 0;
    for (size_t i = 0; i < PLANNED; i++) point_of[i] = (uint32_t)(i < COUNT ? i : 2 * (i - COUNT));
    linex_samples_spread(PLANNED, GROUPS, SEED, group_of);
    return (linex_samples){.count = COUNT,
                           .feature_count = SIZE,
                           .points = bytes ? NULL : points,
                           .masks = bytes ? masks : NULL,
                           .answers = answers,
                           .weights = weights,
                           .planned = PLANNED,
                           .point_of = point_of};
}

static linex_groups open_groups(const linex_samples *samples, bool centered)
{
    linex_groups groups;
    const linex_points all = {COUNT, SIZE, samples->points, samples->masks};
    CHECK(linex_moments_scratch(SIZE) <= sizeof scratch / sizeof *scratch);
    CHECK(linex_groups_open(&groups, samples, &BOOTSTRAPS, all.feature_count, centered, SEED) == LINEX_OK);
    linex_slice slice = linex_slice_endless();
    CHECK(linex_groups_advance(&groups, samples, &all, scratch, &slice) == LINEX_OK);
    return groups;
}

/* Takes the moments of all samples, each with the weight of its group. */
static void take_directly(const linex_samples *samples, bool centered, const double *drawn, double ridge,
                          linex_moments *moments)
{
    double every[COUNT] = {0};
    for (size_t i = 0; i < PLANNED; i++) every[point_of[i]] += drawn[group_of[i]] * weights[point_of[i]];
    const linex_points all = {COUNT, SIZE, samples->points, samples->masks};
    linex_moments_take(&all, answers, every, centered, ridge, moments);
}

static void a_draw_of_groups_has_the_moments_of_its_samples(void)
{
    for (int which = 0; which < 4; which++) {
        bool bytes = which & 1, centered = which & 2;
        linex_samples samples = make_samples(bytes);
        linex_groups groups = open_groups(&samples, centered);
        for (uint64_t draw = 1; draw < 6; draw++) {
            double drawn[2 * GROUPS], gram[SIZE * SIZE], cross[SIZE];
            double plain_gram[SIZE * SIZE], plain_cross[SIZE], mean[SIZE];
            linex_groups_draw(&groups, &BOOTSTRAPS, 9, draw, drawn);
            linex_moments moments = {.gram = gram, .cross = cross};
            linex_moments plain = {.gram = plain_gram, .cross = plain_cross, .mean = mean, .scratch = scratch};
            linex_groups_moments(&groups, drawn + GROUPS, 0.3, &moments);
            take_directly(&samples, centered, drawn + GROUPS, 0.3, &plain);
            CHECK_NEAR(moments.total, plain.total, 1e-10);
            for (size_t i = 0; i < SIZE * SIZE; i++) CHECK_NEAR(gram[i], plain_gram[i], 1e-12);
            for (size_t c = 0; c < SIZE; c++) CHECK_NEAR(cross[c], plain_cross[c], 1e-10);
        }
        linex_groups_close(&groups);
    }
}

static void a_column_that_does_not_vary_in_a_draw_has_zero_moments(void)
{
    linex_samples samples = make_samples(false);
    linex_groups groups = open_groups(&samples, true);
    double drawn[GROUPS], gram[SIZE * SIZE], cross[SIZE];
    linex_moments moments = {.gram = gram, .cross = cross};
    for (size_t i = 0; i < GROUPS; i++) drawn[i] = i != group_of[LONE];
    linex_groups_moments(&groups, drawn, 0, &moments);
    for (size_t c = 0; c < SIZE; c++) CHECK(gram[4 * SIZE + c] == 0 && gram[c * SIZE + 4] == 0);
    CHECK(cross[4] == 0 && cross[0] != 0);
    linex_groups_close(&groups);

    for (size_t i = 0; i < COUNT; i++) answers[i] = 0.3;
    for (size_t i = 0; i < PLANNED; i++)
        if (group_of[i] < GROUPS / 3) answers[point_of[i]] = 0.1;
    for (size_t i = 0; i < PLANNED; i++)
        if (answers[point_of[i]] == 0.3) drawn[group_of[i]] = -1;
    groups = open_groups(&samples, true);
    for (size_t i = 0; i < GROUPS; i++) drawn[i] = i < GROUPS / 3 && drawn[i] != -1;
    linex_groups_moments(&groups, drawn, 0, &moments);
    for (size_t c = 0; c < SIZE; c++) CHECK(cross[c] == 0);
    CHECK(gram[0] > 0.1);
    linex_groups_close(&groups);
}

static void groups_are_random_and_of_equal_size(void)
{
    int sizes[GROUPS] = {0}, together = 0;
    linex_samples_spread(PLANNED, GROUPS, SEED, group_of);
    CHECK(group_of[0] == 0);
    for (size_t i = 0; i < PLANNED; i++) sizes[group_of[i]]++;
    for (size_t i = 0; i < GROUPS; i++) CHECK(sizes[i] == PLANNED / GROUPS || sizes[i] == PLANNED / GROUPS + 1);
    for (size_t i = 1; i < PLANNED; i++) together += group_of[i] == group_of[i - 1];
    CHECK(together < 15); /* 3 are expected; neighbors in one group would be 744 */
}

/* One answer is 1e10 and not in the draw. The moments of the others must keep their digits. */
static void an_outlier_costs_draws_without_it_no_digits(void)
{
    linex_samples samples = make_samples(false);
    answers[350] = 1e10;
    linex_groups groups = open_groups(&samples, true);
    double drawn[GROUPS], gram[SIZE * SIZE], cross[SIZE], plain_gram[SIZE * SIZE], plain_cross[SIZE], mean[SIZE];
    for (size_t i = 0; i < GROUPS; i++) drawn[i] = 1;
    for (size_t i = 0; i < PLANNED; i++)
        if (point_of[i] == 350) drawn[group_of[i]] = 0;
    linex_moments moments = {.gram = gram, .cross = cross};
    linex_moments plain = {.gram = plain_gram, .cross = plain_cross, .mean = mean, .scratch = scratch};
    linex_groups_moments(&groups, drawn, 0.3, &moments);
    take_directly(&samples, true, drawn, 0.3, &plain);
    for (size_t c = 0; c < SIZE; c++) CHECK_NEAR(cross[c], plain_cross[c], 1e-10);
    CHECK(fabs(cross[0]) > 0.5);
    linex_groups_close(&groups);
}

static void groups_without_weight_have_an_identity_gram(void)
{
    linex_samples samples = make_samples(false);
    linex_groups groups = open_groups(&samples, true);
    double drawn[GROUPS] = {0}, gram[SIZE * SIZE], cross[SIZE];
    linex_moments moments = {.gram = gram, .cross = cross};
    linex_groups_moments(&groups, drawn, 1, &moments);
    for (size_t i = 0; i < SIZE * SIZE; i++) CHECK(gram[i] == (i % (SIZE + 1) == 0));
    for (size_t c = 0; c < SIZE; c++) CHECK(cross[c] == 0);
    linex_groups_close(&groups);
}

/* A multinomial count has mean 1 and variance 1 - 1/256; two environments are independent. */
static void bootstraps_of_groups_are_multinomial(void)
{
    enum { DRAWS = 2000 };
    const linex_groups groups = {.count = GROUPS};
    double drawn[2 * GROUPS], squares = 0, products = 0;
    for (uint64_t draw = 1; draw <= DRAWS; draw++) {
        double sums[2] = {0};
        linex_groups_draw(&groups, &BOOTSTRAPS, 3, draw, drawn);
        for (size_t i = 0; i < GROUPS; i++) {
            sums[0] += drawn[i];
            sums[1] += drawn[GROUPS + i];
            squares += (drawn[i] - 1) * (drawn[i] - 1);
            products += (drawn[i] - 1) * (drawn[GROUPS + i] - 1);
        }
        CHECK(sums[0] == GROUPS && sums[1] == GROUPS);
    }
    CHECK_NEAR(squares / (DRAWS * GROUPS), 1 - 1.0 / GROUPS, 0.01);
    CHECK_NEAR(products / (DRAWS * GROUPS), 0, 0.01);
}

/* The ridge of a half is half of the ridge, and without a run nothing of it is left. */
static void runs_have_the_moments_of_their_samples_and_share_the_ridge(void)
{
    linex_samples samples = make_samples(false);
    samples.block = 4;
    const linex_points all = {COUNT, SIZE, points, NULL};
    const linex_environment_settings halves = {.kind = LINEX_HALVES, .players = 2};
    linex_groups groups;
    linex_slice slice = linex_slice_endless();
    CHECK(linex_groups_open(&groups, &samples, &halves, SIZE, true, SEED) == LINEX_OK);
    CHECK(linex_groups_advance(&groups, &samples, &all, scratch, &slice) == LINEX_OK);
    linex_sample_runs_assign(&samples, 2, SEED, group_of);
    size_t runs = groups.count;
    CHECK(runs > 16 && runs <= LINEX_MOST_RUNS);
    double drawn[2 * LINEX_MOST_RUNS], gram[SIZE * SIZE], cross[SIZE], total = 0;
    double plain_gram[SIZE * SIZE], plain_cross[SIZE], mean[SIZE];
    linex_moments moments = {.gram = gram, .cross = cross};
    linex_moments plain = {.gram = plain_gram, .cross = plain_cross, .mean = mean, .scratch = scratch};
    for (size_t i = 0; i < PLANNED; i++) total += weights[point_of[i]];
    for (size_t without = 0; without <= runs + 1; without++) {
        double own = 0;
        linex_groups_draw(&groups, &halves, 9, 3, drawn);
        for (size_t i = 0; without <= runs && i < runs; i++) drawn[i] = i != without;
        for (size_t i = 0; i < PLANNED; i++) own += drawn[group_of[i]] * weights[point_of[i]];
        if (without <= runs)
            linex_runs_moments_without(&groups, without, 0.3, &moments);
        else
            linex_runs_moments(&groups, drawn, 0.3, &moments);
        take_directly(&samples, true, drawn, 0.3 * own / total, &plain);
        CHECK_NEAR(moments.total, own, 1e-9);
        for (size_t i = 0; i < SIZE * SIZE; i++) CHECK_NEAR(gram[i], plain_gram[i], 1e-12);
        for (size_t c = 0; c < SIZE; c++) CHECK_NEAR(cross[c], plain_cross[c], 1e-10);
    }
    linex_groups_close(&groups);
}

static void an_anchored_draw_contains_the_group_of_the_input(void)
{
    const linex_groups groups = {.count = GROUPS};
    const linex_environment_settings kind = {.kind = LINEX_BOOTSTRAP, .players = 2, .anchored = true};
    double drawn[2 * GROUPS];
    for (uint64_t draw = 1; draw < 20; draw++) {
        linex_groups_draw(&groups, &kind, 3, draw, drawn);
        CHECK(drawn[0] >= 1 && drawn[GROUPS] >= 1);
    }
}

static void groups_are_used_for_many_samples_and_not_too_many_features(void)
{
    CHECK(!linex_groups_are_worth_it(GROUPS, 5));
    CHECK(linex_groups_are_worth_it(300, 5));
    CHECK(!linex_groups_are_worth_it(300, 50));
    CHECK(linex_groups_are_worth_it(5000, 250));
    CHECK(!linex_groups_are_worth_it(5000, 784));
    CHECK(!linex_groups_are_worth_it(5000, SIZE_MAX));
}

int main(void)
{
    RUN(a_draw_of_groups_has_the_moments_of_its_samples);
    RUN(a_column_that_does_not_vary_in_a_draw_has_zero_moments);
    RUN(groups_are_random_and_of_equal_size);
    RUN(an_outlier_costs_draws_without_it_no_digits);
    RUN(groups_without_weight_have_an_identity_gram);
    RUN(bootstraps_of_groups_are_multinomial);
    RUN(runs_have_the_moments_of_their_samples_and_share_the_ridge);
    RUN(an_anchored_draw_contains_the_group_of_the_input);
    RUN(groups_are_used_for_many_samples_and_not_too_many_features);
    return checks_failed != 0;
}
