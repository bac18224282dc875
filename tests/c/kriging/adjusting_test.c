/* adjusting_test.c: explanations of adjusted answers, and when answers are left as they are. */
#include "linex.h"

#include <string.h>

#include "check.h"
#include "run_sliced.h"
#include "base/random.h"

enum { MOST = 1400, FEATURES = 6 };

static double points[MOST * FEATURES], weights[MOST], distances[MOST], answers[MOST], law[FEATURES * LINEX_LAW_SIZE];
static uint8_t masks[MOST * FEATURES * 8];
static double sizes[8 * FEATURES + 1];
static linex_law row_law = {.columns = law}, mask_law = {.sizes = sizes};

/* A model with a step and a bend. */
static double bent(const double *x)
{
    double t = x[0] - 0.5 * x[1] + x[2];
    return t / (1 + t * t) + (x[3] > 0.2 ? 0.7 : 0);
}

static double straight(const double *x)
{
    return 4 + 2 * x[0] - x[1] + 0.25 * x[5];
}

static linex_samples rows(size_t count, double (*model)(const double *), uint64_t seed)
{
    double kernel = 0.75 * sqrt(FEATURES), spread = kernel / sqrt(1 + kernel * kernel);
    linex_random random = linex_random_seed(seed);
    linex_random_normals(&random, count * FEATURES, points);
    memset(points, 0, FEATURES * sizeof *points);
    CHECK(!linex_proximity(count, FEATURES, points, points, kernel, distances, weights));
    for (size_t i = 0; i < count; i++) answers[i] = model(points + i * FEATURES);
    for (size_t c = 0; c < FEATURES; c++) {
        law[c * LINEX_LAW_SIZE + LINEX_LAW_SPREAD] = spread;
        law[c * LINEX_LAW_SIZE + LINEX_LAW_UNIT] = 1;
    }
    return (linex_samples){.count = count,
                           .feature_count = FEATURES,
                           .points = points,
                           .answers = answers,
                           .weights = weights,
                           .distances = distances,
                           .planned = count,
                           .block = 2,
                           .law = &row_law};
}

static linex_samples texts(size_t count, size_t words, uint64_t seed)
{
    CHECK(!linex_masks_draw(LINEX_MASK_SIZES, words, LINEX_INDEPENDENT, seed, 0, count, masks));
    CHECK(!linex_masks_weigh(count, words, masks, LINEX_MASK_COSINE, 100, 25, distances, weights));
    CHECK(!linex_masks_law(LINEX_MASK_SIZES, words, LINEX_MASK_COSINE, 100, 25, sizes));
    for (size_t i = 0; i < count; i++) {
        double t = 0;
        for (size_t c = 0; c < words; c++) t += masks[i * words + c] * (1 - 0.4 * (double)(c % 5));
        answers[i] = t / (1 + fabs(t));
    }
    return (linex_samples){.count = count,
                           .feature_count = words,
                           .masks = masks,
                           .answers = answers,
                           .weights = weights,
                           .distances = distances,
                           .planned = count,
                           .block = 2,
                           .law = &mask_law};
}

typedef struct {
    double weights[8 * FEATURES], low[8 * FEATURES], high[8 * FEATURES];
    linex_adjusted adjusted;
    double ridge, fidelity;
    linex_status status;
} result;

static linex_settings lime(linex_adjust adjust)
{
    linex_settings settings = linex_defaults();
    settings.method = LINEX_METHOD_LIME;
    settings.selection = LINEX_SELECT_NONE;
    settings.agreement = 0;
    settings.adjust = adjust;
    return settings;
}

static result explain(const linex_samples *samples, const linex_settings *settings)
{
    static const double zeros[8 * FEATURES];
    result found = {.status = LINEX_OK};
    linex_explanation explanation = {.weights = found.weights, .low = found.low, .high = found.high};
    found.status = linex_explain(samples, zeros, settings, &explanation);
    found.adjusted = explanation.adjusted;
    found.ridge = explanation.ridge;
    found.fidelity = explanation.fidelity;
    return found;
}

/* The squared distance of the weights of several seeds from the mean of many samples. */
static double error_of(size_t count, linex_adjust adjust)
{
    enum { SEEDS = 24 };
    double found[SEEDS][FEATURES], mean[FEATURES] = {0}, error = 0;
    linex_settings settings = lime(adjust);
    settings.draws = 0;
    for (size_t seed = 0; seed < SEEDS; seed++) {
        linex_samples samples = rows(count, bent, seed);
        result one = explain(&samples, &settings);
        CHECK(one.status == LINEX_OK && (one.adjusted.kind == LINEX_ADJUSTED_NONE) == (adjust == LINEX_ADJUST_NONE));
        for (size_t c = 0; c < FEATURES; c++) found[seed][c] = one.weights[c], mean[c] += one.weights[c] / SEEDS;
    }
    for (size_t seed = 0; seed < SEEDS; seed++)
        for (size_t c = 0; c < FEATURES; c++) error += (found[seed][c] - mean[c]) * (found[seed][c] - mean[c]);
    return error;
}

static void adjusted_weights_vary_less_between_seeds(void)
{
    CHECK(error_of(150, LINEX_ADJUST_NONE) > 1.5 * error_of(150, LINEX_ADJUST_AUTO));
    CHECK(error_of(1000, LINEX_ADJUST_NONE) > 1.5 * error_of(1000, LINEX_ADJUST_AUTO));
}

static void adjusted_and_plain_weights_have_the_same_limit(void)
{
    double sums[2][FEATURES] = {{0}};
    for (int adjust = 0; adjust < 2; adjust++) {
        linex_settings settings = lime(adjust ? LINEX_ADJUST_AUTO : LINEX_ADJUST_NONE);
        settings.draws = 0;
        for (uint64_t seed = 0; seed < 60; seed++) {
            linex_samples samples = rows(MOST, bent, seed);
            result one = explain(&samples, &settings);
            for (size_t c = 0; c < FEATURES; c++) sums[adjust][c] += one.weights[c] / 60;
        }
    }
    for (size_t c = 0; c < FEATURES; c++) CHECK_NEAR(sums[1][c], sums[0][c], 0.004);
}

static void the_kind_depends_on_the_samples(void)
{
    linex_settings settings = lime(LINEX_ADJUST_AUTO);
    linex_samples few = rows(600, bent, 1);
    CHECK(explain(&few, &settings).adjusted.kind == LINEX_ADJUSTED_KRIGING);
    linex_samples many = rows(601, bent, 1);
    result found = explain(&many, &settings);
    CHECK(found.adjusted.kind == LINEX_ADJUSTED_BEND && found.adjusted.gain > 1.02 && found.ridge == 1);
    linex_samples words = texts(200, 12, 1);
    found = explain(&words, &settings);
    CHECK(found.adjusted.kind == LINEX_ADJUSTED_KRIGING && found.adjusted.gain > 1.02 && found.ridge == 0.1);
    words = texts(100, 40, 1);
    CHECK(explain(&words, &settings).adjusted.kind == LINEX_ADJUSTED_KRIGING);
    words = texts(500, 40, 1);
    found = explain(&words, &settings);
    CHECK(found.adjusted.kind == LINEX_ADJUSTED_BEND && found.adjusted.gain > 1.02);
    CHECK(found.ridge == 1 || found.ridge == 0.3 || found.ridge == 0.1);
    settings.ridge = 0.7;
    CHECK(explain(&words, &settings).ridge == 0.7);
}

static void a_linear_model_gains_nothing(void)
{
    static const size_t counts[] = {30, 300, 1000};
    for (size_t i = 0; i < 3; i++) {
        linex_settings plain = lime(LINEX_ADJUST_NONE), adjusted = lime(LINEX_ADJUST_AUTO);
        plain.ridge = adjusted.ridge = 1e-7;
        linex_samples samples = rows(counts[i], straight, 3);
        result before = explain(&samples, &plain), after = explain(&samples, &adjusted);
        for (size_t c = 0; c < FEATURES; c++) CHECK_NEAR(after.weights[c], before.weights[c], 1e-5);
        CHECK_NEAR(after.fidelity, 1, 1e-9);
    }
}

/* Everything stays as it is, whatever the reason. */
static void check_untouched(const linex_samples *samples, linex_settings settings)
{
    result found = explain(samples, &settings);
    CHECK(found.status == LINEX_OK && found.adjusted.kind == LINEX_ADJUSTED_NONE && found.adjusted.gain == 1);
    linex_settings plain = settings;
    plain.adjust = LINEX_ADJUST_NONE;
    result expected = explain(samples, &plain);
    CHECK(memcmp(found.weights, expected.weights, sizeof found.weights) == 0);
    CHECK(memcmp(found.low, expected.low, sizeof found.low) == 0 && found.ridge == expected.ridge);
}

static void answers_are_left_alone_where_adjusting_makes_no_sense(void)
{
    linex_settings settings = linex_defaults();
    linex_samples samples = rows(100, bent, 1), lawless = samples, wide = texts(79, 40, 1);
    check_untouched(&wide, settings);
    samples = rows(100, bent, 1);
    lawless.law = NULL;
    check_untouched(&lawless, settings);
    settings.intercept = LINEX_INTERCEPT_NONE;
    check_untouched(&samples, settings);
    settings = linex_defaults();
    settings.environments.kind = LINEX_NEAR_FAR;
    check_untouched(&samples, settings);
    settings.environments.kind = LINEX_CLUSTERS;
    check_untouched(&samples, settings);
    settings = linex_defaults();
    samples = rows(9, bent, 1);
    check_untouched(&samples, settings);
    samples = rows(3, bent, 1);
    check_untouched(&samples, settings);
    samples = rows(900, bent, 1);
    for (size_t i = 0; i < 900; i++) answers[i] = -5;
    check_untouched(&samples, settings);
    CHECK(linex_preset(LINEX_PAPER).adjust == LINEX_ADJUST_NONE);
}

/* Adjusts in slices of this much work, explains the result, and compares it with one call. */
static void compare_two_steps(const linex_samples *samples, const linex_settings *settings, double work)
{
    static double adjusted[MOST];
    linex_adjustment adjustment = {.answers = adjusted};
    linex_samples given = *samples;
    linex_task *task = NULL;
    linex_status started = linex_answers_adjust_start(samples, settings, &adjustment, &task);
    CHECK(run_sliced(started, task, work) == LINEX_OK);
    given.adjustment = &adjustment;
    result whole = explain(samples, settings), second = explain(&given, settings);
    CHECK(second.status == whole.status);
    CHECK(memcmp(second.weights, whole.weights, sizeof whole.weights) == 0);
    CHECK(memcmp(second.low, whole.low, sizeof whole.low) == 0 && second.ridge == whole.ridge);
    CHECK(second.fidelity == whole.fidelity && second.adjusted.kind == whole.adjusted.kind);
    CHECK(second.adjusted.gain == whole.adjusted.gain);
    bool same = memcmp(adjusted, samples->answers, samples->count * sizeof *adjusted) == 0;
    CHECK(same == (adjustment.adjusted.kind == LINEX_ADJUSTED_NONE));
}

static void adjusting_first_gives_the_same_explanation(void)
{
    linex_settings settings = linex_defaults(), strict = linex_preset(LINEX_STRICT), none = lime(LINEX_ADJUST_NONE);
    for (size_t s = 0; s < SLICE_COUNT; s++) {
        linex_samples few = rows(120, bent, 5);
        compare_two_steps(&few, &settings, SLICES[s]);
        linex_samples many = rows(700, bent, 5);
        compare_two_steps(&many, &settings, SLICES[s]);
        compare_two_steps(&many, &strict, SLICES[s]);
        compare_two_steps(&many, &none, SLICES[s]);
        linex_samples words = texts(200, 12, 1);
        compare_two_steps(&words, &settings, SLICES[s]);
        linex_samples wide = texts(100, 40, 1);
        compare_two_steps(&wide, &settings, SLICES[s]);
    }
}

static void bad_arguments_of_adjusting_are_refused(void)
{
    double adjusted[60];
    linex_adjustment adjustment = {.answers = adjusted}, missing = {0};
    linex_settings settings = linex_defaults(), negative = settings;
    linex_samples samples = rows(50, bent, 1), bad = samples;
    CHECK(linex_answers_adjust(&samples, &settings, &adjustment) == LINEX_OK);
    CHECK(linex_answers_adjust(NULL, &settings, &adjustment) == LINEX_BAD_ARGUMENT);
    CHECK(linex_answers_adjust(&samples, NULL, &adjustment) == LINEX_BAD_ARGUMENT);
    CHECK(linex_answers_adjust(&samples, &settings, NULL) == LINEX_BAD_ARGUMENT);
    CHECK(linex_answers_adjust(&samples, &settings, &missing) == LINEX_BAD_ARGUMENT);
    CHECK(linex_answers_adjust_start(&samples, &settings, &adjustment, NULL) == LINEX_BAD_ARGUMENT);
    negative.ridge = -2;
    CHECK(linex_answers_adjust(&samples, &negative, &adjustment) == LINEX_BAD_ARGUMENT);
    bad.answers = NULL;
    CHECK(linex_answers_adjust(&bad, &settings, &adjustment) == LINEX_BAD_ARGUMENT);
    /* An adjustment that does not fit is refused too. */
    samples.adjustment = &missing;
    CHECK(explain(&samples, &settings).status == LINEX_BAD_ARGUMENT);
    samples.adjustment = &adjustment;
    adjusted[3] = (double)NAN;
    CHECK(explain(&samples, &settings).status == LINEX_BAD_ARGUMENT);
    adjusted[3] = 0;
    CHECK(explain(&samples, &settings).status == LINEX_OK);
    adjustment.ridge = -3;
    CHECK(explain(&samples, &settings).status == LINEX_BAD_ARGUMENT);
}

static void answers_of_any_size_are_explained_or_overflow(void)
{
    static const double scales[] = {1e-300, 1e-150, 1e150, 1e300, 1e308};
    linex_settings settings = linex_defaults();
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
        for (size_t count = 20; count < 1000; count += 700) {
            linex_samples samples = rows(count, bent, 2);
            for (size_t i = 0; i < count; i++) answers[i] *= scales[s];
            result found = explain(&samples, &settings);
            CHECK(found.status == LINEX_OK || found.status == LINEX_OVERFLOW);
            CHECK(found.status || s > 1 || found.adjusted.kind != LINEX_ADJUSTED_NONE || scales[s] < 1e-100);
        }
}

static void a_law_that_does_not_fit_is_refused(void)
{
    linex_settings settings = linex_defaults();
    linex_samples samples = rows(50, bent, 1);
    linex_law both = {.columns = law, .sizes = sizes}, none = {0};
    samples.law = &both;
    CHECK(explain(&samples, &settings).status == LINEX_BAD_ARGUMENT);
    samples.law = &none;
    CHECK(explain(&samples, &settings).status == LINEX_BAD_ARGUMENT);
    samples.law = &mask_law;
    CHECK(explain(&samples, &settings).status == LINEX_BAD_ARGUMENT);
    samples.law = &row_law;
    law[LINEX_LAW_SPREAD] = -1;
    CHECK(explain(&samples, &settings).status == LINEX_BAD_ARGUMENT);
    settings.adjust = (linex_adjust)2;
    samples = rows(50, bent, 1);
    CHECK(explain(&samples, &settings).status == LINEX_BAD_ARGUMENT);
}

/* Each number is right, but one. */
static void levels_that_do_not_fit_are_refused(void)
{
    enum { COUNT = 50 };
    static double cells[COUNT * FEATURES], row[FEATURES], frequencies[3] = {0.25, 0.5, 0.25};
    uint32_t counts[FEATURES] = {0};
    const linex_levels levels = {cells, row, counts, frequencies};
    const linex_settings settings = linex_defaults();
    double *bad[] = {cells + 7 * FEATURES, row, frequencies + 2};
    for (size_t b = 0; b < 5; b++) {
        linex_samples samples = rows(COUNT, bent, 1);
        linex_law with = {.columns = law, .levels = &levels};
        samples.law = &with;
        counts[0] = 3;
        law[LINEX_LAW_BINARY] = 1, law[LINEX_LAW_MEAN] = 0.5, law[LINEX_LAW_SPREAD] = 0.5;
        if (b < 3) *bad[b] += 3;
        if (b == 3) law[LINEX_LAW_BINARY] = 0;
        CHECK(explain(&samples, &settings).status == (b < 4 ? LINEX_BAD_ARGUMENT : LINEX_OK));
        if (b < 3) *bad[b] -= 3;
    }
}

int main(void)
{
    RUN(adjusted_weights_vary_less_between_seeds);
    RUN(adjusted_and_plain_weights_have_the_same_limit);
    RUN(the_kind_depends_on_the_samples);
    RUN(a_linear_model_gains_nothing);
    RUN(answers_are_left_alone_where_adjusting_makes_no_sense);
    RUN(adjusting_first_gives_the_same_explanation);
    RUN(bad_arguments_of_adjusting_are_refused);
    RUN(answers_of_any_size_are_explained_or_overflow);
    RUN(a_law_that_does_not_fit_is_refused);
    RUN(levels_that_do_not_fit_are_refused);
    return checks_failed != 0;
}
