/* kriging_test.c: kriging, compared with dense inverses and numerical integration by numpy. */
#include "kriging/kriging.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "base/elementary.h"

enum { MOST = 640, MOST_COLUMNS = 12 };

typedef struct {
    const char *name;
    size_t count;
    const char *kinds;   /* per column: n (normal), b (binary), l (binary with levels) or c (constant) */
    const char *answers; /* what they depend on */
    double settings[4], gain;
    const double *control, *residuals;
} kriging_case;

#include "../../vectors/kriging_vectors.h"

enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

typedef struct {
    size_t count, columns;
    double points[MOST * MOST_COLUMNS], weights[MOST], answers[MOST];
    linex_column_law laws[MOST_COLUMNS];
    double rows[MOST * MOST_COLUMNS], row[MOST_COLUMNS], frequencies[5 * MOST_COLUMNS];
    uint32_t level_counts[MOST_COLUMNS];
} problem;

static linex_kriging *open_kriging(const problem *given)
{
    const linex_levels levels = {given->rows, given->row, given->level_counts, given->frequencies};
    return linex_kriging_new(given->count, given->columns, given->points, given->laws, &levels, given->weights,
                             given->answers);
}

static linex_kriging *run_kriging(const problem *given, double work)
{
    linex_kriging *kriging = open_kriging(given);
    linex_status status = LINEX_UNFINISHED;
    while (kriging && status == LINEX_UNFINISHED) {
        linex_slice slice = {.left = work};
        status = linex_kriging_advance(kriging, &slice);
    }
    CHECK(status == LINEX_OK);
    return kriging;
}

/* The law of a column, as in make-kriging.py. */
static linex_column_law law_of(char kind, size_t j)
{
    double p = (2 + (double)j) / 8, spread = sqrt(p * (1 - p));
    if (kind == 'c') return (linex_column_law){.mean = 0.5};
    if (kind == 'b' || kind == 'l') return (linex_column_law){true, p, spread, spread};
    return (linex_column_law){false, 0.25 * (double)j, 0.75 + 0.125 * (double)j, 1 + 0.25 * (double)j};
}

static double remainder_of(size_t i, size_t factor, size_t prime)
{
    return (double)((i + 1) * factor % prime) / (double)prime;
}

static double answer_of(const char *kind, double x, double last, double noise)
{
    double steps = (x > 0.3 ? 2.0 : 0.0) + (last > 0.7 ? 1.0 : 0.0) + 0.125 * x;
    double curves = x * last + 0.5 * x * x - 0.25 * last, line = 1 + 2 * x - 0.5 * last, answer = 0;
    if (strcmp(kind, "steps") == 0 || strcmp(kind, "levels") == 0) answer = steps;
    if (strcmp(kind, "curves") == 0) answer = curves;
    if (strcmp(kind, "both") == 0) answer = steps + curves;
    if (strcmp(kind, "line") == 0) answer = line;
    return answer + 0.0625 * noise;
}

enum { OWN_LEVEL = 1 };

static void fill_levels(const char *kinds, problem *to)
{
    double *frequency = to->frequencies;
    for (size_t j = 0; j < to->columns; j++) {
        to->level_counts[j] = kinds[j] == 'l' ? 3 + (uint32_t)j % 3 : 0;
        to->row[j] = OWN_LEVEL;
        for (size_t l = 0; l < to->level_counts[j]; l++) *frequency++ = (double)(l + 1 + j % 2) / 32;
    }
}

/* Fills in the levels of sample i, and returns what they add to its answer. */
static double add_levels(size_t i, problem *to)
{
    double sum = 0;
    for (size_t j = 0; j < to->columns; j++) {
        if (to->level_counts[j] == 0) continue;
        size_t other = (i * 7 + j * 3) % (to->level_counts[j] - 1), at = i * to->columns + j;
        to->rows[at] = to->points[at] > 0 ? OWN_LEVEL : (double)(other + (other >= OWN_LEVEL));
        if (to->rows[at] == 2) sum += to->points[i * to->columns] > 0.5 ? 0.75 : 0.5;
    }
    return sum;
}

/* The samples of a case, as in make-kriging.py. */
static void fill(const kriging_case *one, problem *to)
{
    size_t columns = to->columns = strlen(one->kinds);
    to->count = one->count;
    for (size_t j = 0; j < columns; j++) to->laws[j] = law_of(one->kinds[j], j);
    fill_levels(one->kinds, to);
    for (size_t i = 0; i < one->count; i++) {
        double square = 0, *point = to->points + i * columns;
        for (size_t j = 0; j < columns; j++) {
            const linex_column_law *law = to->laws + j;
            double first = remainder_of(i, 7919 + 613 * j, 1009), second = remainder_of(i, 104729 + 811 * j, 2003);
            double z = 3 * (first + second - 1);
            point[j] = one->kinds[j] == 'c' ? 0.5 : law->binary ? first < law->mean : law->mean + law->unit * z;
            square += z * z;
        }
        to->weights[i] = 1 / (1 + square);
        to->answers[i] = answer_of(one->answers, point[0], point[columns - 1], remainder_of(i, 7877, 31));
        to->answers[i] += add_levels(i, to);
    }
}

static void settings_control_and_residuals_equal_those_of_numpy(void)
{
    static problem given;
    for (size_t c = 0; c < CASE_COUNT; c++) {
        const kriging_case *one = CASES + c;
        fill(one, &given);
        linex_kriging *kriging = run_kriging(&given, (double)INFINITY);
        linex_kriging_settings found = linex_kriging_choice(kriging);
        const double *control = linex_kriging_control(kriging), *residuals = linex_kriging_residuals(kriging);
        CHECK(found.steps == one->settings[0] && found.bells == one->settings[1]);
        CHECK(found.length == one->settings[2] && found.nugget == one->settings[3]);
        CHECK_NEAR(linex_kriging_gain(kriging), one->gain, 1e-7 * one->gain);
        for (size_t i = 0; i < given.count; i++) {
            CHECK_NEAR(control[i], one->control[i], 1e-7);
            CHECK_NEAR(residuals[i], one->residuals[i], 1e-7);
        }
        linex_kriging_free(kriging);
    }
}

static void slices_do_not_change_a_bit(void)
{
    static problem given;
    for (size_t c = 0; c < CASE_COUNT; c++) {
        fill(CASES + c, &given);
        linex_kriging *whole = run_kriging(&given, (double)INFINITY);
        for (double work = 1; work < 1e8; work *= 317) {
            linex_kriging *sliced = run_kriging(&given, work);
            size_t bytes = given.count * sizeof(double);
            CHECK(memcmp(linex_kriging_control(whole), linex_kriging_control(sliced), bytes) == 0);
            CHECK(memcmp(linex_kriging_residuals(whole), linex_kriging_residuals(sliced), bytes) == 0);
            CHECK(linex_kriging_gain(whole) == linex_kriging_gain(sliced));
            linex_kriging_free(sliced);
        }
        linex_kriging_free(whole);
    }
}

/* The control variate has no linear part in the limit of many samples, so its weighted fit is nearly flat. */
static void a_linear_function_is_left_alone(void)
{
    static problem given;
    for (size_t count = 50; count <= 600; count += 550) {
        fill(&(kriging_case){.count = count, .kinds = "nnnn", .answers = "line"}, &given);
        for (size_t i = 0; i < count; i++) {
            const double *point = given.points + i * 4;
            given.answers[i] = 3 * point[0] - 2 * point[1] + 0.5 * point[3] + 7;
        }
        linex_kriging *kriging = run_kriging(&given, (double)INFINITY);
        CHECK(linex_kriging_gain(kriging) >= 1 && linex_kriging_gain(kriging) < 1.1);
        for (size_t i = 0; i < count; i++) {
            CHECK_NEAR(linex_kriging_control(kriging)[i], 0, 1e-3);
            CHECK_NEAR(linex_kriging_residuals(kriging)[i], 0, 0.05);
        }
        linex_kriging_free(kriging);
    }
}

/* Runs a problem that is hard to compute with, and returns its gain. */
static double gain_of_hostile(const problem *given)
{
    linex_kriging *kriging = run_kriging(given, 1e5);
    double gain = linex_kriging_gain(kriging);
    CHECK(gain >= 1 && isfinite(gain));
    for (size_t i = 0; i < given->count; i++) {
        CHECK(isfinite(linex_kriging_control(kriging)[i]));
        CHECK(isfinite(linex_kriging_residuals(kriging)[i]));
        if (gain == 1) CHECK(linex_kriging_control(kriging)[i] == 0);
    }
    linex_kriging_free(kriging);
    return gain;
}

static void constant_answers_have_no_residuals(void)
{
    static problem given;
    fill(CASES, &given);
    for (size_t i = 0; i < given.count; i++) given.answers[i] = 0.1;
    linex_kriging *kriging = run_kriging(&given, (double)INFINITY);
    CHECK(linex_kriging_gain(kriging) == 1);
    for (size_t i = 0; i < given.count; i++)
        CHECK(linex_kriging_control(kriging)[i] == 0 && linex_kriging_residuals(kriging)[i] == 0);
    linex_kriging_free(kriging);
}

static void equal_points_are_no_problem(void)
{
    static problem given;
    fill(CASES, &given);
    for (size_t i = 0; i < given.count * given.columns; i++) given.points[i] = given.points[i % (5 * given.columns)];
    gain_of_hostile(&given);
    for (size_t i = 0; i < given.count * given.columns; i++) given.points[i] = 0.5;
    gain_of_hostile(&given);
}

static void numbers_that_are_too_large_switch_it_off(void)
{
    static problem given;
    for (double size = 1e-300; size < 1e308; size *= 1e30) {
        fill(CASES, &given);
        for (size_t i = 0; i < given.count; i++) given.answers[i] *= size;
        double gain = gain_of_hostile(&given);
        CHECK(gain > 2); /* the scale of the answers does not matter */
    }
    fill(CASES, &given);
    given.answers[0] = 1.7e308, given.answers[4] = -1.7e308;
    CHECK(gain_of_hostile(&given) == 1);
    for (double size = 1e-300; size < 1e308; size *= 1e30) {
        fill(CASES, &given);
        for (size_t i = 0; i < given.count * given.columns; i++) given.points[i] *= size;
        double gain = gain_of_hostile(&given);
        if (size > 1e150) CHECK(gain == 1);
        fill(CASES, &given);
        for (size_t i = 0; i < given.count; i++) given.weights[i] *= size;
        gain_of_hostile(&given);
        fill(CASES, &given);
        given.laws[0].spread = given.laws[0].unit = size;
        gain_of_hostile(&given);
    }
    fill(CASES, &given);
    memset(given.weights, 0, sizeof given.weights);
    CHECK(gain_of_hostile(&given) == 1);
}

static void one_sample_is_enough(void)
{
    static problem given;
    fill(CASES, &given);
    given.count = 1;
    CHECK(gain_of_hostile(&given) == 1);
}

int main(void)
{
    RUN(settings_control_and_residuals_equal_those_of_numpy);
    RUN(slices_do_not_change_a_bit);
    RUN(a_linear_function_is_left_alone);
    RUN(constant_answers_have_no_residuals);
    RUN(equal_points_are_no_problem);
    RUN(numbers_that_are_too_large_switch_it_off);
    RUN(one_sample_is_enough);
    return checks_failed != 0;
}
