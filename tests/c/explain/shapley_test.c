/* shapley_test.c: tests of Shapley values against their definition. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"
#include "base/random.h"
#include "run_sliced.h"

/* A game is a table of the values of all coalitions. The index has one bit per part that is kept. */
static size_t bits_of(size_t feature_count, const uint8_t *mask)
{
    size_t bits = 0;
    for (size_t c = 0; c < feature_count; c++) bits |= (size_t)mask[c] << c;
    return bits;
}

static double choose(size_t n, size_t k)
{
    double choices = 1;
    for (size_t i = 0; i < k; i++) choices = choices * (double)(n - i) / (double)(i + 1);
    return choices;
}

/* The definition: phi_c = sum over S without c of |S|! (d - |S| - 1)! / d! (f(S and c) - f(S)). */
static void by_definition(size_t feature_count, const double *game, double *values)
{
    for (size_t c = 0; c < feature_count; c++) {
        values[c] = 0;
        for (size_t bits = 0; bits < (size_t)1 << feature_count; bits++) {
            if (bits >> c & 1) continue;
            size_t size = 0;
            for (size_t d = 0; d < feature_count; d++) size += bits >> d & 1;
            double share = 1 / ((double)feature_count * choose(feature_count - 1, size));
            values[c] += share * (game[bits | (size_t)1 << c] - game[bits]);
        }
    }
}

/* Every coalition has a random value, so that all parts interact. */
static double *random_game(size_t feature_count, uint64_t seed)
{
    linex_random random = linex_random_seed(seed);
    double *game = malloc(((size_t)1 << feature_count) * sizeof *game);
    linex_random_normals(&random, (size_t)1 << feature_count, game);
    return game;
}

struct plan {
    size_t count, feature_count;
    uint8_t *masks;
    double *answers;
};

static struct plan plan_of(size_t feature_count, size_t samples, uint64_t seed)
{
    size_t all = feature_count < 30 ? (size_t)1 << feature_count : SIZE_MAX,
           count = samples < all ? samples / 2 * 2 : all;
    struct plan plan = {count, feature_count, malloc(count * feature_count), malloc(count * sizeof(double))};
    CHECK(linex_coalitions_draw(feature_count, samples, seed, 0, count, plan.masks) == LINEX_OK);
    return plan;
}

static void plan_free(struct plan *plan)
{
    free(plan->masks);
    free(plan->answers);
}

static linex_status solve_with_errors(const struct plan *plan, linex_link link, double *values, double *errors,
                                      double *agreement, linex_shapley_report *report)
{
    return linex_shapley_solve(plan->feature_count, plan->count, plan->masks, plan->answers, link, values, errors,
                               agreement, report);
}

static linex_status solve(const struct plan *plan, linex_link link, double *values, linex_shapley_report *report)
{
    double errors[64], agreement[64];
    return solve_with_errors(plan, link, values, errors, agreement, report);
}

static double sum_of(size_t feature_count, const double *values)
{
    double sum = 0;
    for (size_t c = 0; c < feature_count; c++) sum += values[c];
    return sum;
}

static void all_coalitions_give_the_values_of_the_definition(void)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        size_t feature_count = 1 + seed % 12;
        double *game = random_game(feature_count, seed), expected[12], values[12];
        struct plan plan = plan_of(feature_count, (size_t)1 << feature_count, seed);
        CHECK(plan.count == (size_t)1 << feature_count);
        for (size_t i = 0; i < plan.count; i++)
            plan.answers[i] = game[bits_of(feature_count, plan.masks + i * feature_count)];
        linex_shapley_report report;
        CHECK(solve(&plan, LINEX_LINK_IDENTITY, values, &report) == LINEX_OK);
        by_definition(feature_count, game, expected);
        for (size_t c = 0; c < feature_count; c++) CHECK_NEAR(values[c], expected[c], 1e-12);
        CHECK(report.base == game[0]);
        CHECK_NEAR(report.prediction, plan.answers[0], 1e-12);
        plan_free(&plan);
        free(game);
    }
}

static void the_values_of_a_sum_are_exact_for_any_number_of_draws(void)
{
    enum { FEATURES = 40 };
    for (size_t samples = 2 * FEATURES + 2; samples <= 1500; samples += 79) {
        struct plan plan = plan_of(FEATURES, samples, samples);
        double parts[FEATURES], values[FEATURES];
        linex_random random = linex_random_seed(9);
        linex_random_normals(&random, FEATURES, parts);
        for (size_t i = 0; i < plan.count; i++) {
            plan.answers[i] = 3;
            for (size_t c = 0; c < FEATURES; c++) plan.answers[i] += plan.masks[i * FEATURES + c] * parts[c];
        }
        linex_shapley_report report;
        CHECK(solve(&plan, LINEX_LINK_IDENTITY, values, &report) == LINEX_OK);
        for (size_t c = 0; c < FEATURES; c++) CHECK_NEAR(values[c], parts[c], 1e-11);
        CHECK_NEAR(report.fidelity, 1, 1e-12);
        plan_free(&plan);
    }
}

/* f = sum a_c z_c + sum b_cd z_c z_d has phi_c = a_c + 1/2 sum_d b_cd: two parts share their interaction
 * equally. Pairs of a coalition and its complement cancel interactions of two parts exactly. */
static void interactions_of_two_are_shared_evenly_by_paired_draws(void)
{
    enum { FEATURES = 50 };
    struct plan plan = plan_of(FEATURES, 2148, 5);
    double *together = calloc(FEATURES * FEATURES, sizeof *together), alone[FEATURES], values[FEATURES];
    linex_random random = linex_random_seed(4);
    linex_random_normals(&random, FEATURES, alone);
    linex_random_normals(&random, FEATURES * FEATURES, together);
    for (size_t i = 0; i < plan.count; i++) {
        const uint8_t *mask = plan.masks + i * FEATURES;
        plan.answers[i] = 0;
        for (size_t c = 0; c < FEATURES; c++) {
            plan.answers[i] += mask[c] * alone[c];
            for (size_t d = 0; d < c; d++) plan.answers[i] += mask[c] * mask[d] * together[c * FEATURES + d];
        }
    }
    linex_shapley_report report;
    CHECK(solve(&plan, LINEX_LINK_IDENTITY, values, &report) == LINEX_OK);
    for (size_t c = 0; c < FEATURES; c++) {
        double expected = alone[c];
        for (size_t d = 0; d < FEATURES; d++)
            expected += d == c ? 0 : 0.5 * together[d < c ? c * FEATURES + d : d * FEATURES + c];
        CHECK_NEAR(values[c], expected, 1e-9);
    }
    free(together);
    plan_free(&plan);
}

static void a_part_without_effect_gets_zero_and_equal_parts_get_the_same(void)
{
    enum { FEATURES = 9 };
    struct plan plan = plan_of(FEATURES, 512, 0);
    double values[FEATURES];
    for (size_t i = 0; i < plan.count; i++) {
        const uint8_t *m = plan.masks + i * FEATURES; /* part 4 has no effect; parts 1 and 2 have the same effect */
        plan.answers[i] =
            m[0] * (m[1] + m[2]) - 0.7 * m[1] * m[2] * m[3] + 0.1 * m[5] * m[6] * m[7] * (1 + m[8]) + 0.3 * m[0];
    }
    linex_shapley_report report;
    CHECK(solve(&plan, LINEX_LINK_IDENTITY, values, &report) == LINEX_OK);
    CHECK(values[4] == 0);
    CHECK_NEAR(values[1], values[2], 1e-14);
    CHECK_NEAR(values[5], values[6], 1e-14);
    plan_free(&plan);
}

static void values_add_up_with_every_link_and_plan(void)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        size_t feature_count = 2 + seed % 30, samples = 2 * feature_count + 2 + 37 * (seed % 7);
        struct plan plan = plan_of(feature_count, samples, seed);
        linex_random random = linex_random_seed(seed + 100);
        double values[32];
        linex_shapley_report report;
        for (size_t i = 0; i < plan.count; i++) plan.answers[i] = 1e-4 + 0.9998 * linex_random_uniform(&random);
        CHECK(solve(&plan, LINEX_LINK_IDENTITY, values, &report) == LINEX_OK);
        CHECK_NEAR(sum_of(feature_count, values), plan.answers[0] - plan.answers[1], 1e-13);
        CHECK(solve(&plan, LINEX_LINK_LOGIT, values, &report) == LINEX_OK);
        double whole = log(plan.answers[0] / (1 - plan.answers[0])) - log(plan.answers[1] / (1 - plan.answers[1]));
        CHECK_NEAR(sum_of(feature_count, values), whole, 1e-12);
        CHECK_NEAR(report.prediction, plan.answers[0], 1e-13);
        CHECK_NEAR(report.base, log(plan.answers[1] / (1 - plan.answers[1])), 1e-13);
        plan_free(&plan);
    }
}

/* Games whose Shapley values are known. */
enum { TERMS = 60, MOST_PARTS = 40 };
struct game {
    size_t feature_count;
    double expected[MOST_PARTS];
    const double *table;      /* one value per coalition, or NULL */
    double costs[MOST_PARTS]; /* the most expensive part that is kept decides; all 0 if there are terms */
    size_t parts[TERMS][3];
    double factors[TERMS]; /* of the products of three parts */
};

static double play(const struct game *game, const uint8_t *mask)
{
    double answer = 0;
    if (game->table) return game->table[bits_of(game->feature_count, mask)];
    for (size_t c = 0; c < game->feature_count; c++) answer = fmax(answer, mask[c] * game->costs[c]);
    for (size_t t = 0; t < TERMS; t++)
        answer += game->factors[t] * mask[game->parts[t][0]] * mask[game->parts[t][1]] * mask[game->parts[t][2]];
    return answer;
}

/* Three parts share their product equally. */
static struct game products_of_three(void)
{
    struct game game = {.feature_count = 24};
    linex_random random = linex_random_seed(17);
    linex_random_normals(&random, TERMS, game.factors);
    for (size_t t = 0; t < TERMS; t++)
        for (size_t p = 0; p < 3; p++) {
            game.parts[t][p] = 8 * p + linex_random_below(&random, 8);
            game.expected[game.parts[t][p]] += game.factors[t] / 3;
        }
    return game;
}

/* The airport game (Littlechild and Owen 1973): the cost from one part to the next more expensive one is shared by all
 * parts that are at least as expensive. Part c costs more than part c - 1. */
static struct game airport(void)
{
    struct game game = {.feature_count = 40};
    for (size_t c = 0; c < 40; c++) {
        game.costs[c] = 0.1 * (double)((c + 1) * (c + 2));
        double before = c ? game.costs[c - 1] : 0;
        game.expected[c] = (c ? game.expected[c - 1] : 0) + (game.costs[c] - before) / (double)(40 - c);
    }
    return game;
}

static struct game table_of(size_t feature_count, const double *table)
{
    struct game game = {.feature_count = feature_count, .table = table};
    by_definition(feature_count, table, game.expected);
    return game;
}

struct coverage {
    double trials, inside, told, real, sure, wrong;
};

static void measure(const struct game *game, size_t samples, uint64_t seed, struct coverage *sums)
{
    struct plan plan = plan_of(game->feature_count, samples, seed);
    double values[MOST_PARTS], errors[MOST_PARTS], agreement[MOST_PARTS];
    linex_shapley_report report;
    for (size_t i = 0; i < plan.count; i++) plan.answers[i] = play(game, plan.masks + i * game->feature_count);
    CHECK(solve_with_errors(&plan, LINEX_LINK_IDENTITY, values, errors, agreement, &report) == LINEX_OK);
    for (size_t c = 0; c < game->feature_count; c++) {
        double miss = fabs(values[c] - game->expected[c]), z = fabs(values[c]) / errors[c];
        sums->trials++;
        sums->inside += miss <= report.quantile * errors[c];
        sums->told += errors[c] * errors[c];
        sums->real += miss * miss;
        sums->sure += agreement[c] > 0.95;
        sums->wrong += agreement[c] > 0.95 && values[c] * game->expected[c] < 0;
        CHECK_NEAR(agreement[c], erf(z * 1.959963984540054 / report.quantile / sqrt(2.0)), 2e-7);
        if (fabs(z - report.quantile) > 1e-4) CHECK((agreement[c] > 0.95) == (z > report.quantile));
    }
    plan_free(&plan);
}

/* Of the 95 % intervals, 92 to 98 % contain the value, from few coalitions to nearly all. */
static void intervals_contain_the_values(void)
{
    enum { SEEDS = 40 };
    double *small = random_game(8, 5), *large = random_game(10, 6);
    const struct game games[] = {products_of_three(), airport(), table_of(8, small), table_of(10, large)};
    const size_t samples[][3] = {{98, 200, 800}, {162, 400, 1000}, {96, 150, 240}, {100, 500, 1000}};
    for (size_t g = 0; g < 4; g++)
        for (size_t s = 0; s < 3; s++) {
            struct coverage sums = {0};
            for (uint64_t seed = 0; seed < (games[g].table ? 4 : 1) * SEEDS; seed++)
                measure(&games[g], samples[g][s], seed, &sums);
            double inside = sums.inside / sums.trials, ratio = sqrt(sums.told / sums.real);
            printf(
                "     %2zu parts, %4zu coalitions: %.1f %% inside, error told / real %.2f; sure %.0f, wrong %.0f\n",
                games[g].feature_count, samples[g][s], 100 * inside, ratio, sums.sure, sums.wrong);
            CHECK(inside > 0.92 && inside < 0.98);
            CHECK_NEAR(ratio, 1, 0.15);
            CHECK(sums.wrong <= 0.025 * sums.trials);
        }
    free(small);
    free(large);
}

/* 48 pairs minus 23 free values are 25 degrees of freedom; 2.0595 is from a table of Student's t distribution. */
static void intervals_from_few_coalitions_are_longer_than_normal_ones(void)
{
    const struct game game = products_of_three();
    struct plan plan = plan_of(24, 98, 1);
    double values[24];
    linex_shapley_report report;
    for (size_t i = 0; i < plan.count; i++) plan.answers[i] = play(&game, plan.masks + 24 * i);
    CHECK(solve(&plan, LINEX_LINK_IDENTITY, values, &report) == LINEX_OK);
    CHECK_NEAR(report.quantile, 2.0595, 1e-4);
    CHECK(report.effective > 30 && report.effective < 96);
    plan_free(&plan);
}

static void errors_are_zero_if_all_coalitions_are_answered(void)
{
    double *table = random_game(7, 8), values[7], errors[7], agreement[7];
    for (size_t samples = 126; samples <= 128; samples += 2) {
        struct plan plan = plan_of(7, samples, 2);
        linex_shapley_report report;
        for (size_t i = 0; i < plan.count; i++) plan.answers[i] = table[bits_of(7, plan.masks + 7 * i)];
        CHECK(solve_with_errors(&plan, LINEX_LINK_IDENTITY, values, errors, agreement, &report) == LINEX_OK);
        for (size_t c = 0; c < 7; c++) CHECK(samples == 128 ? errors[c] == 0 && agreement[c] == 1 : errors[c] > 0);
        plan_free(&plan);
    }
    free(table);
}

static void constant_answers_give_zero_values(void)
{
    struct plan plan = plan_of(6, 30, 0);
    double values[6];
    linex_shapley_report report;
    for (size_t i = 0; i < plan.count; i++) plan.answers[i] = 0.1;
    CHECK(solve(&plan, LINEX_LINK_IDENTITY, values, &report) == LINEX_OK);
    for (size_t c = 0; c < 6; c++) CHECK(values[c] == 0);
    CHECK(report.fidelity == 1 && report.prediction == 0.1);
    plan_free(&plan);
}

static void too_few_coalitions_are_degenerate(void)
{
    double values[30];
    linex_shapley_report report;
    for (size_t samples = 2; samples < 58; samples += 6) {
        struct plan plan = plan_of(30, samples, 1);
        for (size_t i = 0; i < plan.count; i++) plan.answers[i] = (double)(i * i % 17);
        CHECK(solve(&plan, LINEX_LINK_IDENTITY, values, &report) == LINEX_DEGENERATE);
        plan_free(&plan);
    }
}

/* An additive model, whose Shapley values are its terms. Their squares and their sum are beyond the range. */
static void huge_answers_have_finite_values(void)
{
    const double terms[3] = {1.5e308, 0.5e308, -1e307}, base = -1e308;
    uint8_t masks[8 * 3];
    double answers[8], values[3], errors[3], agreement[3];
    linex_shapley_report report;
    CHECK(linex_coalitions_draw(3, 8, 0, 0, 8, masks) == LINEX_OK);
    for (size_t i = 0; i < 8; i++) {
        answers[i] = base;
        for (size_t c = 0; c < 3; c++) answers[i] += masks[3 * i + c] ? terms[c] : 0;
    }
    CHECK(linex_shapley_solve(3, 8, masks, answers, LINEX_LINK_IDENTITY, values, errors, agreement, &report) ==
          LINEX_OK);
    for (size_t c = 0; c < 3; c++) CHECK(fabs(values[c] / terms[c] - 1) < 1e-12);
    CHECK(report.base == base && fabs(report.prediction / answers[0] - 1) < 1e-12 && report.fidelity > 1 - 1e-12);
}

static void a_value_beyond_the_range_is_an_overflow(void)
{
    const double answers[2] = {1e308, -1e308};
    const uint8_t masks[2] = {1, 0};
    double value, error, agreement;
    linex_shapley_report report;
    CHECK(linex_shapley_solve(1, 2, masks, answers, LINEX_LINK_IDENTITY, &value, &error, &agreement, &report) ==
          LINEX_OVERFLOW);
}

static void bad_arguments_are_refused(void)
{
    uint8_t masks[8 * 3];
    double answers[8] = {0.5, 0.2, 0.1, 0.3, 0.4, 0.5, 0.6, 0.7}, values[3], errors[3], agreement[3];
    linex_shapley_report report;
    CHECK(linex_coalitions_draw(3, 8, 0, 0, 8, masks) == LINEX_OK);
#define SOLVE(count, link) linex_shapley_solve(3, count, masks, answers, link, values, errors, agreement, &report)
    CHECK(SOLVE(0, LINEX_LINK_IDENTITY) == LINEX_BAD_ARGUMENT);
    CHECK(SOLVE(7, LINEX_LINK_IDENTITY) == LINEX_BAD_ARGUMENT);
    CHECK(SOLVE(8, (linex_link)7) == LINEX_BAD_ARGUMENT);
    CHECK(SOLVE(8, LINEX_LINK_LOGIT) == LINEX_OK);
    answers[5] = 1;
    CHECK(SOLVE(8, LINEX_LINK_IDENTITY) == LINEX_OK);
    CHECK(SOLVE(8, LINEX_LINK_LOGIT) == LINEX_BAD_ARGUMENT);
    answers[5] = 0;
    CHECK(SOLVE(8, LINEX_LINK_LOGIT) == LINEX_BAD_ARGUMENT);
    answers[5] = (double)NAN;
    CHECK(SOLVE(8, LINEX_LINK_IDENTITY) == LINEX_BAD_ARGUMENT);
    answers[5] = 0.5;
    masks[3 * 4] = !masks[3 * 4]; /* coalition 5 is no longer its complement */
    CHECK(SOLVE(8, LINEX_LINK_IDENTITY) == LINEX_BAD_ARGUMENT);
    CHECK(SOLVE(4, LINEX_LINK_IDENTITY) != LINEX_BAD_ARGUMENT);
    memset(masks + 3 * 4, 1, 3);
    memset(masks + 3 * 5, 0, 3);
    CHECK(SOLVE(8, LINEX_LINK_IDENTITY) == LINEX_BAD_ARGUMENT);
    masks[3] = 1; /* coalition 1 must be empty */
    CHECK(SOLVE(4, LINEX_LINK_IDENTITY) == LINEX_BAD_ARGUMENT);
#undef SOLVE
}

static void the_slices_do_not_change_the_values(void)
{
    enum { PARTS = 40, SAMPLES = 300 };
    static uint8_t masks[SAMPLES * PARTS];
    static double answers[SAMPLES];
    double expected[3 * PARTS], found[3 * PARTS];
    linex_shapley_report all, report;
    linex_random random = linex_random_seed(8);
    CHECK(linex_coalitions_draw(PARTS, SAMPLES, 3, 0, SAMPLES, masks) == LINEX_OK);
    for (size_t i = 0; i < SAMPLES; i++) answers[i] = linex_random_uniform(&random);
    CHECK(linex_shapley_solve(PARTS, SAMPLES, masks, answers, LINEX_LINK_LOGIT, expected, expected + PARTS,
                              expected + 2 * PARTS, &all) == LINEX_OK);
    for (size_t i = 0; i < SLICE_COUNT; i++) {
        linex_task *task = NULL;
        linex_status started = linex_shapley_start(PARTS, SAMPLES, masks, answers, LINEX_LINK_LOGIT, found,
                                                   found + PARTS, found + 2 * PARTS, &report, &task);
        CHECK(run_sliced(started, task, SLICES[i]) == LINEX_OK);
        CHECK(memcmp(found, expected, sizeof found) == 0 && memcmp(&report, &all, sizeof report) == 0);
    }
}

int main(void)
{
    RUN(all_coalitions_give_the_values_of_the_definition);
    RUN(the_values_of_a_sum_are_exact_for_any_number_of_draws);
    RUN(interactions_of_two_are_shared_evenly_by_paired_draws);
    RUN(a_part_without_effect_gets_zero_and_equal_parts_get_the_same);
    RUN(values_add_up_with_every_link_and_plan);
    RUN(intervals_contain_the_values);
    RUN(intervals_from_few_coalitions_are_longer_than_normal_ones);
    RUN(errors_are_zero_if_all_coalitions_are_answered);
    RUN(constant_answers_give_zero_values);
    RUN(too_few_coalitions_are_degenerate);
    RUN(huge_answers_have_finite_values);
    RUN(a_value_beyond_the_range_is_an_overflow);
    RUN(the_slices_do_not_change_the_values);
    RUN(bad_arguments_are_refused);
    return checks_failed != 0;
}
