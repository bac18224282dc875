/* bend_test.c: control variates along the first fit, compared with dense numpy. */
#include "adjust/bend.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "base/elementary.h"

enum { MOST = 2300, MOST_COLUMNS = 60, SHOWN = 6 };

typedef struct {
    const char *name;
    size_t count;
    const char *kinds; /* per column: n (normal), b (binary), l (binary with levels), c (constant) or m (a part of a
                          mask) */
    double ridge, gain, used;
    double control[SHOWN + 1], residuals[SHOWN + 1]; /* the first ones and the last */
    double control_square, residual_square;          /* weighted sums */
} bend_case;

#include "../../vectors/bend_vectors.h"

enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

typedef struct {
    size_t count, columns;
    double values[MOST * MOST_COLUMNS], weights[MOST], answers[MOST];
    uint8_t masks[MOST * MOST_COLUMNS];
    double laws[MOST_COLUMNS * LINEX_LAW_SIZE], sizes[MOST_COLUMNS + 1];
    double rows[MOST * MOST_COLUMNS], row[MOST_COLUMNS], frequencies[5 * MOST_COLUMNS];
    uint32_t level_counts[MOST_COLUMNS];
    linex_points points;
    linex_levels levels;
    linex_law law;
} problem;

static problem given;

static double remainder_of(size_t i, size_t factor, size_t prime)
{
    return (double)((i + 1) * factor % prime) / (double)prime;
}

/* The following functions make the same numbers as make-bend.py. */
static void fill_law(char kind, size_t j, double *law)
{
    double p = (2 + (double)(j % 5)) / 8;
    bool binary = kind == 'b' || kind == 'l';
    law[LINEX_LAW_BINARY] = binary;
    law[LINEX_LAW_MEAN] = kind == 'c' ? 0.5 : binary ? p : 0.25 * (double)(j % 4);
    law[LINEX_LAW_SPREAD] = kind == 'c' ? 0 : binary ? sqrt(p * (1 - p)) : 0.75 + 0.125 * (double)(j % 3);
    law[LINEX_LAW_UNIT] = 2;
}

static double normal_of(size_t i, size_t j)
{
    double sum = 0;
    for (size_t k = 0; k < 4; k++) sum += remainder_of(i * (5 * k + 2 * j + 1) + j, 7919 + 1000 * k + 17 * j, 104729);
    return (sum - 2) * 1.7320508075688772;
}

enum { OWN_LEVEL = 1 };

static void fill_levels(const char *kinds)
{
    double *frequency = given.frequencies;
    for (size_t j = 0; j < given.columns; j++) {
        given.level_counts[j] = kinds[j] == 'l' ? 3 + (uint32_t)j % 3 : 0;
        given.row[j] = OWN_LEVEL;
        for (size_t l = 0; l < given.level_counts[j]; l++) *frequency++ = (double)(l + 1 + j % 2) / 32;
    }
    given.levels = (linex_levels){given.rows, given.row, given.level_counts, given.frequencies};
}

static double level_of(size_t i, size_t j, bool own)
{
    size_t other = (i * 7 + j * 3) % (given.level_counts[j] - 1);
    return own ? OWN_LEVEL : (double)(other + (other >= OWN_LEVEL));
}

static void make_row(const char *kinds, size_t i)
{
    double *x = given.values + i * given.columns, t = 0;
    for (size_t j = 0; j < given.columns; j++) {
        const double *law = given.laws + j * LINEX_LAW_SIZE;
        double z = normal_of(i, j);
        x[j] = law[LINEX_LAW_BINARY] == 1 ? z > 0.3 : law[LINEX_LAW_MEAN] + law[LINEX_LAW_SPREAD] * z;
        t += x[j] * (0.9 - 0.4 * (double)(j % 4));
    }
    given.weights[i] = 0.25 + 0.75 * remainder_of(i, 4027, 104729);
    given.answers[i] = t / (1 + t * t) + (x[0] > 0.4) * 0.5 + 0.05 * remainder_of(i, 6113, 104729);
    for (size_t j = 0; j < given.columns; j++) {
        if (kinds[j] != 'l') continue;
        double level = given.rows[i * given.columns + j] = level_of(i, j, x[j] > 0);
        given.answers[i] += (level == 2) * 0.0625;
    }
}

static void make_mask(size_t i)
{
    size_t d = given.columns;
    uint8_t *mask = given.masks + i * d;
    double kept = floor(remainder_of(i, 7603, 12289) * (double)d), t = 0, draws[MOST_COLUMNS];
    for (size_t j = 0; j < d; j++) draws[j] = remainder_of(i * (j + 3) + j, 3079, 12289);
    for (size_t j = 0; j < d; j++) {
        size_t rank = 0;
        for (size_t k = 0; k < d; k++) rank += draws[k] < draws[j] || (draws[k] == draws[j] && k < j);
        mask[j] = (double)rank < kept;
        t += mask[j] * (1 - 0.37 * (double)(j % 5));
    }
    double far = 100 * (1 - sqrt(kept / (double)d)) / 25;
    t = t * 4 / (double)d;
    given.weights[i] = linex_exp(-0.5 * far * far);
    given.answers[i] = t / (1 + t * t) + 0.9 * mask[0] * mask[1] + 0.05 * remainder_of(i, 7919, 104729);
    if (d != 17 && d != 13) return;
    for (size_t j = 0; j + 2 < d; j++)
        given.answers[i] += (d == 17 ? 0.1 : 0) * (j % 2 ? -1 : 1) * mask[j] * (1 - mask[j + 1]) * mask[j + 2];
    for (size_t j = 0; j + 1 < d; j++) given.answers[i] += (j / 2 % 2 ? -0.1 : 0.1) * mask[j] * mask[j + 1];
}

static void make_problem(const bend_case *expected)
{
    bool masks = expected->kinds[0] == 'm';
    given.count = expected->count;
    given.columns = strlen(expected->kinds);
    for (size_t j = 0; j < given.columns; j++) fill_law(expected->kinds[j], j, given.laws + j * LINEX_LAW_SIZE);
    fill_levels(expected->kinds);
    for (size_t i = 0; i < given.count; i++)
        if (masks)
            make_mask(i);
        else
            make_row(expected->kinds, i);
    if (masks) CHECK(!linex_masks_law(LINEX_MASK_SIZES, given.columns, LINEX_MASK_COSINE, 100, 25, given.sizes));
    given.points =
        (linex_points){given.count, given.columns, masks ? NULL : given.values, masks ? given.masks : NULL};
    given.law = (linex_law){masks ? NULL : given.laws, masks ? given.sizes : NULL, masks ? NULL : &given.levels};
}

static linex_bend *run_bend(double ridge, double work)
{
    linex_bend *bend = linex_bend_new(&given.points, &given.law, given.weights, given.answers, ridge);
    linex_status status = LINEX_UNFINISHED;
    while (bend && status == LINEX_UNFINISHED) {
        linex_slice slice = {.left = work};
        status = linex_bend_advance(bend, &slice);
    }
    CHECK(bend && status == LINEX_OK);
    return bend;
}

static void check_array(const double *actual, const double *expected, double square)
{
    double sum = 0;
    for (size_t i = 0; i < given.count; i++) sum += given.weights[i] * actual[i] * actual[i];
    CHECK_NEAR(sum, square, 1e-8 * square);
    for (size_t i = 0; i < SHOWN; i++) CHECK_NEAR(actual[i], expected[i], 1e-8);
    CHECK_NEAR(actual[given.count - 1], expected[SHOWN], 1e-8);
}

static void the_control_and_the_residuals_are_those_of_numpy(void)
{
    for (size_t c = 0; c < CASE_COUNT; c++) {
        int before = checks_failed;
        make_problem(CASES + c);
        linex_bend *bend = run_bend(CASES[c].ridge, (double)INFINITY);
        CHECK_NEAR(linex_bend_gain(bend), CASES[c].gain, 1e-8 * CASES[c].gain);
        CHECK(linex_bend_ridge(bend) == CASES[c].used);
        if (linex_bend_control(bend)) {
            check_array(linex_bend_control(bend), CASES[c].control, CASES[c].control_square);
            check_array(linex_bend_residuals(bend), CASES[c].residuals, CASES[c].residual_square);
        }
        CHECK(linex_bend_control(bend));
        linex_bend_free(bend);
        if (checks_failed > before) printf("  %s\n", CASES[c].name);
    }
}

static void the_bits_do_not_depend_on_the_slices(void)
{
    for (size_t c = 0; c < CASE_COUNT; c += 3) {
        make_problem(CASES + c);
        linex_bend *whole = run_bend(CASES[c].ridge, (double)INFINITY);
        for (double work = 1; work < 1e6; work *= 700) {
            linex_bend *sliced = run_bend(CASES[c].ridge, work);
            size_t bytes = given.count * sizeof(double);
            CHECK(memcmp(linex_bend_control(whole), linex_bend_control(sliced), bytes) == 0);
            CHECK(memcmp(linex_bend_residuals(whole), linex_bend_residuals(sliced), bytes) == 0);
            CHECK(linex_bend_gain(whole) == linex_bend_gain(sliced));
            linex_bend_free(sliced);
        }
        linex_bend_free(whole);
    }
}

/* A linear model bends nowhere. What the terms explain is at most what the ridge took away. */
static void a_linear_model_is_not_bent_by_much(void)
{
    for (size_t c = 0; c < CASE_COUNT; c++) {
        make_problem(CASES + c);
        for (size_t i = 0; i < given.count; i++) {
            given.answers[i] = 3;
            for (size_t j = 0; j < given.columns; j++)
                given.answers[i] +=
                    (0.5 - (double)(j % 3)) *
                    (given.points.masks ? given.masks[i * given.columns + j] : given.values[i * given.columns + j]);
        }
        linex_bend *bend = run_bend(1e-6, (double)INFINITY);
        const double *control = linex_bend_control(bend);
        for (size_t i = 0; control && i < given.count; i++) CHECK_NEAR(control[i], 0, 1e-4);
        linex_bend_free(bend);
    }
}

static void numbers_of_any_size_are_finite_or_refused(void)
{
    static const double scales[] = {1e-300, 1e-100, 1e100, 1e300, 1.7e308};
    for (size_t c = 0; c < CASE_COUNT; c += 2)
        for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
            make_problem(CASES + c);
            for (size_t i = 0; i < given.count; i++) given.answers[i] *= scales[s] / 3; /* below 3 before */
            linex_bend *bend = run_bend(CASES[c].ridge, (double)INFINITY);
            CHECK_NEAR(linex_bend_gain(bend), CASES[c].gain, 1e-6 * CASES[c].gain);
            linex_bend_free(bend);
        }
}

static void answers_without_variation_are_left_alone(void)
{
    static const double constants[] = {0, 1, -7e300};
    for (size_t c = 0; c < CASE_COUNT; c += 2)
        for (size_t k = 0; k < sizeof constants / sizeof *constants; k++) {
            make_problem(CASES + c);
            for (size_t i = 0; i < given.count; i++) given.answers[i] = constants[k];
            linex_bend *bend = run_bend(CASES[c].ridge, (double)INFINITY);
            CHECK(!linex_bend_control(bend) && linex_bend_gain(bend) == 1);
            linex_bend_free(bend);
        }
}

static void few_samples_and_no_weight_are_left_alone(void)
{
    for (size_t c = 0; c < CASE_COUNT; c++) {
        make_problem(CASES + c);
        given.points.count = given.count = 3;
        linex_bend *bend = run_bend(-1, (double)INFINITY);
        CHECK(linex_bend_gain(bend) >= 1);
        linex_bend_free(bend);
        memset(given.weights, 0, sizeof given.weights);
        bend = run_bend(0, (double)INFINITY);
        CHECK(!linex_bend_control(bend) && linex_bend_gain(bend) == 1);
        linex_bend_free(bend);
    }
}

int main(void)
{
    RUN(the_control_and_the_residuals_are_those_of_numpy);
    RUN(the_bits_do_not_depend_on_the_slices);
    RUN(a_linear_model_is_not_bent_by_much);
    RUN(numbers_of_any_size_are_finite_or_refused);
    RUN(answers_without_variation_are_left_alone);
    RUN(few_samples_and_no_weight_are_left_alone);
    return checks_failed != 0;
}
