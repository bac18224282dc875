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
    linex_coalitions coalitions;
    size_t count, feature_count;
    uint8_t *masks;
    double *weights, *answers;
};

static struct plan plan_of(size_t feature_count, size_t samples, uint64_t seed)
{
    struct plan plan = {{0},
                        0,
                        feature_count,
                        malloc(samples * feature_count),
                        malloc(samples * sizeof(double)),
                        malloc(samples * sizeof(double))};
    CHECK(linex_coalitions_plan(feature_count, samples, seed, plan.masks, plan.weights, &plan.coalitions) ==
          LINEX_OK);
    plan.count = plan.coalitions.count;
    CHECK(plan.count <= samples);
    return plan;
}

static void plan_free(struct plan *plan)
{
    free(plan->masks);
    free(plan->weights);
    free(plan->answers);
}

static linex_status solve_with_errors(const struct plan *plan, linex_link link, double *values, double *errors,
                                      double *agreement, linex_shapley_report *report)
{
    return linex_shapley_solve(&plan->coalitions, plan->feature_count, plan->masks, plan->answers, plan->weights,
                               link, values, errors, agreement, report);
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

static void a_plan_of_all_coalitions_has_each_once_with_its_kernel_weight(void)
{
    enum { WIDEST = 11 };
    for (size_t feature_count = 2; feature_count <= WIDEST; feature_count++) {
        struct plan plan = plan_of(feature_count, 5000, 1);
        bool seen[1 << WIDEST] = {false};
        double total = 0;
        for (size_t size = 1; size < feature_count; size++) total += 1 / (double)(size * (feature_count - size));
        for (size_t i = 0; i < plan.count; i++) {
            size_t bits = bits_of(feature_count, plan.masks + i * feature_count),
                   size = size_of(feature_count, plan.masks + i * feature_count);
            CHECK(!seen[bits]);
            seen[bits] = true;
            double kernel =
                i < 2 ? 0 : 1 / (choose(feature_count, size) * (double)(size * (feature_count - size)) * total);
            CHECK_NEAR(plan.weights[i], kernel, 1e-15);
        }
        CHECK(plan.count == (size_t)1 << feature_count);
        plan_free(&plan);
    }
}

static void a_drawn_plan_has_distinct_pairs_and_the_mass_of_the_kernel(void)
{
    enum { FEATURES = 14, SAMPLES = 1000 };
    struct plan plan = plan_of(FEATURES, SAMPLES, 3);
    CHECK(plan.count == SAMPLES);
    bool *seen = calloc((size_t)1 << FEATURES, sizeof *seen);
    double mass[FEATURES + 1] = {0}, total = 0;
    for (size_t i = 0; i < plan.count; i++) {
        const uint8_t *mask = plan.masks + i * FEATURES;
        CHECK(!seen[bits_of(FEATURES, mask)]);
        seen[bits_of(FEATURES, mask)] = true;
        mass[size_of(FEATURES, mask)] += plan.weights[i];
        if (i % 2 == 0)
            CHECK(bits_of(FEATURES, mask) + bits_of(FEATURES, mask + FEATURES) == ((size_t)1 << FEATURES) - 1);
        if (i % 2 == 0) CHECK(plan.weights[i] == plan.weights[i + 1]);
    }
    for (size_t c = 0; c < FEATURES; c++) CHECK(seen[(size_t)1 << c]);
    for (size_t size = 1; size < FEATURES; size++) total += 1 / (double)(size * (FEATURES - size));
    for (size_t size = 1; size < FEATURES; size++)
        CHECK_NEAR(mass[size], 1 / (double)(size * (FEATURES - size)) / total,
                   size == 1 || size == 13 ? 1e-12 : 0.03);
    CHECK_NEAR(sum_of(FEATURES + 1, mass), 1, 1e-12);
    free(seen);
    plan_free(&plan);
}

static void the_same_seed_draws_the_same_plan_and_another_seed_does_not(void)
{
    struct plan plan = plan_of(20, 400, 7), same = plan_of(20, 400, 7), different = plan_of(20, 400, 8);
    CHECK(plan.count == same.count && memcmp(plan.masks, same.masks, plan.count * 20) == 0);
    CHECK(memcmp(plan.weights, same.weights, plan.count * sizeof(double)) == 0);
    CHECK(memcmp(plan.masks, different.masks, plan.count * 20) != 0);
    plan_free(&plan);
    plan_free(&same);
    plan_free(&different);
}

static void the_values_of_a_sum_are_exact_for_any_number_of_draws(void)
{
    enum { FEATURES = 40 };
    for (size_t samples = 2 * FEATURES + 2; samples <= 1500; samples += 353) {
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

enum { TERMS = 60 };

static void answer_products(struct plan *plan, size_t parts[TERMS][3], const double *factors)
{
    for (size_t i = 0; i < plan->count; i++) {
        const uint8_t *mask = plan->masks + i * plan->feature_count;
        plan->answers[i] = 0;
        for (size_t t = 0; t < TERMS; t++)
            plan->answers[i] += factors[t] * mask[parts[t][0]] * mask[parts[t][1]] * mask[parts[t][2]];
    }
}

/* Three parts share their product equally. */
static void other_draws_differ_by_as_much_as_the_errors_say(void)
{
    enum { FEATURES = 24, SEEDS = 40 };
    double factors[TERMS], expected[FEATURES] = {0}, inside = 0, told = 0, real = 0, sure = 0, wrong = 0;
    size_t parts[TERMS][3];
    linex_random random = linex_random_seed(17);
    linex_random_normals(&random, TERMS, factors);
    for (size_t t = 0; t < TERMS; t++)
        for (size_t p = 0; p < 3; p++) {
            parts[t][p] = 8 * p + linex_random_below(&random, 8);
            expected[parts[t][p]] += factors[t] / 3;
        }
    for (size_t samples = 200; samples <= 800; samples += 300)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct plan plan = plan_of(FEATURES, samples, seed);
            double values[FEATURES], errors[FEATURES], agreement[FEATURES];
            linex_shapley_report report;
            answer_products(&plan, parts, factors);
            CHECK(solve_with_errors(&plan, LINEX_LINK_IDENTITY, values, errors, agreement, &report) == LINEX_OK);
            for (size_t c = 0; c < FEATURES; c++) {
                double miss = fabs(values[c] - expected[c]);
                inside += miss <= 1.96 * errors[c];
                told += errors[c] * errors[c];
                real += miss * miss;
                sure += agreement[c] > 0.95;
                wrong += agreement[c] > 0.95 && values[c] * expected[c] < 0;
                CHECK_NEAR(agreement[c], erf(fabs(values[c]) / errors[c] / sqrt(2.0)), 2e-7);
            }
            plan_free(&plan);
        }
    double trials = 3.0 * SEEDS * FEATURES;
    printf("     within 1.96 errors: %.1f %%; error told %.4f, real %.4f; sure signs %.0f, wrong %.0f\n",
           100 * inside / trials, sqrt(told / trials), sqrt(real / trials), sure, wrong);
    CHECK(inside / trials > 0.93 && inside / trials < 0.98);
    CHECK_NEAR(sqrt(told / real), 1, 0.15);
    CHECK(sure > trials / 2 && wrong < 0.025 * sure);
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

/* Without weight the moments are the identity. Solving them once gave equal shares, and NaN as their errors. */
static void coalitions_without_weight_determine_nothing(void)
{
    double values[6];
    linex_shapley_report report;
    const double weights[] = {0, 1e-250, 1e308};
    for (size_t samples = 40; samples <= 64; samples += 24)
        for (size_t w = 0; w < 3; w++) {
            struct plan plan = plan_of(6, samples, 1);
            for (size_t i = 0; i < plan.count; i++) {
                plan.answers[i] = (double)(i * i % 17);
                plan.weights[i] = weights[w];
            }
            CHECK(solve(&plan, LINEX_LINK_IDENTITY, values, &report) == LINEX_DEGENERATE);
            plan_free(&plan);
        }
}

/* The largest size_t plus one is 0. The loop over drawn pairs once began there, far outside the masks. */
static void a_plan_with_more_taken_than_answered_has_no_draws(void)
{
    struct plan plan = plan_of(6, 40, 1);
    double values[6], errors[6], agreement[6];
    linex_shapley_report report;
    for (size_t i = 0; i < plan.count; i++) plan.answers[i] = (double)(i * i % 17);
    CHECK(plan.coalitions.draws > 0);
    plan.coalitions.taken = SIZE_MAX;
    CHECK(linex_shapley_solve(&plan.coalitions, 6, plan.masks, plan.answers, plan.weights, LINEX_LINK_IDENTITY,
                              values, errors, agreement, &report) == LINEX_OK);
    for (size_t c = 0; c < 6; c++) CHECK(errors[c] == 0);
    plan_free(&plan);
}

/* An additive model, whose Shapley values are its terms. Their squares and their sum are beyond the range. */
static void huge_answers_have_finite_values(void)
{
    const double terms[3] = {1.5e308, 0.5e308, -1e307}, base = -1e308;
    uint8_t masks[8 * 3];
    double weights[8], answers[8], values[3], errors[3], agreement[3];
    linex_coalitions plan;
    linex_shapley_report report;
    CHECK(linex_coalitions_plan(3, 8, 0, masks, weights, &plan) == LINEX_OK);
    for (size_t i = 0; i < 8; i++) {
        answers[i] = base;
        for (size_t c = 0; c < 3; c++) answers[i] += masks[3 * i + c] ? terms[c] : 0;
    }
    CHECK(linex_shapley_solve(&plan, 3, masks, answers, weights, LINEX_LINK_IDENTITY, values, errors, agreement,
                              &report) == LINEX_OK);
    for (size_t c = 0; c < 3; c++) CHECK(fabs(values[c] / terms[c] - 1) < 1e-12);
    CHECK(report.base == base && fabs(report.prediction / answers[0] - 1) < 1e-12 && report.fidelity > 1 - 1e-12);
}

static void a_value_beyond_the_range_is_an_overflow(void)
{
    const double answers[2] = {1e308, -1e308}, weights[2] = {0};
    const uint8_t masks[2] = {1, 0};
    const linex_coalitions plan = {.count = 2, .taken = 2};
    double value, error, agreement;
    linex_shapley_report report;
    CHECK(linex_shapley_solve(&plan, 1, masks, answers, weights, LINEX_LINK_IDENTITY, &value, &error, &agreement,
                              &report) == LINEX_OVERFLOW);
}

static void bad_arguments_are_refused(void)
{
    uint8_t masks[8 * 3];
    double weights[8], answers[8] = {0.5, 0.2, 0.1, 0.3, 0.4, 0.5, 0.6, 0.7}, values[3], errors[3], agreement[3];
    linex_coalitions plan;
    linex_shapley_report report;
    CHECK(linex_coalitions_plan(0, 8, 0, masks, weights, &plan) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_plan(3, 1, 0, masks, weights, &plan) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_plan(3, 8, 0, NULL, weights, &plan) == LINEX_BAD_ARGUMENT);
    CHECK(linex_coalitions_plan(3, 8, 0, masks, weights, &plan) == LINEX_OK);
#define SOLVE(chosen_count, link)                                                                                    \
    (plan.count = chosen_count,                                                                                      \
     linex_shapley_solve(&plan, 3, masks, answers, weights, link, values, errors, agreement, &report))
    CHECK(SOLVE(1, LINEX_LINK_IDENTITY) == LINEX_BAD_ARGUMENT);
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
    weights[3] = -1;
    CHECK(SOLVE(8, LINEX_LINK_IDENTITY) == LINEX_BAD_ARGUMENT);
    weights[3] = 1;
    masks[3] = 1; /* coalition 1 must be empty */
    CHECK(SOLVE(8, LINEX_LINK_IDENTITY) == LINEX_BAD_ARGUMENT);
#undef SOLVE
}

static void the_slices_do_not_change_the_values(void)
{
    enum { PARTS = 40, SAMPLES = 300 };
    static uint8_t masks[SAMPLES * PARTS];
    static double weights[SAMPLES], answers[SAMPLES];
    double expected[3 * PARTS], found[3 * PARTS];
    linex_coalitions plan;
    linex_shapley_report all, report;
    linex_random random = linex_random_seed(8);
    CHECK(linex_coalitions_plan(PARTS, SAMPLES, 3, masks, weights, &plan) == LINEX_OK);
    CHECK(plan.draws > 0);
    for (size_t i = 0; i < plan.count; i++) answers[i] = linex_random_uniform(&random);
    CHECK(linex_shapley_solve(&plan, PARTS, masks, answers, weights, LINEX_LINK_LOGIT, expected, expected + PARTS,
                              expected + 2 * PARTS, &all) == LINEX_OK);
    for (size_t i = 0; i < SLICE_COUNT; i++) {
        linex_task *task = NULL;
        linex_status started = linex_shapley_start(&plan, PARTS, masks, answers, weights, LINEX_LINK_LOGIT, found,
                                                   found + PARTS, found + 2 * PARTS, &report, &task);
        CHECK(run_sliced(started, task, SLICES[i]) == LINEX_OK);
        CHECK(memcmp(found, expected, sizeof found) == 0 && memcmp(&report, &all, sizeof report) == 0);
    }
}

int main(void)
{
    RUN(all_coalitions_give_the_values_of_the_definition);
    RUN(a_plan_of_all_coalitions_has_each_once_with_its_kernel_weight);
    RUN(a_drawn_plan_has_distinct_pairs_and_the_mass_of_the_kernel);
    RUN(the_same_seed_draws_the_same_plan_and_another_seed_does_not);
    RUN(the_values_of_a_sum_are_exact_for_any_number_of_draws);
    RUN(interactions_of_two_are_shared_evenly_by_paired_draws);
    RUN(a_part_without_effect_gets_zero_and_equal_parts_get_the_same);
    RUN(values_add_up_with_every_link_and_plan);
    RUN(other_draws_differ_by_as_much_as_the_errors_say);
    RUN(constant_answers_give_zero_values);
    RUN(too_few_coalitions_are_degenerate);
    RUN(coalitions_without_weight_determine_nothing);
    RUN(a_plan_with_more_taken_than_answered_has_no_draws);
    RUN(huge_answers_have_finite_values);
    RUN(a_value_beyond_the_range_is_an_overflow);
    RUN(the_slices_do_not_change_the_values);
    RUN(bad_arguments_are_refused);
    return checks_failed != 0;
}
