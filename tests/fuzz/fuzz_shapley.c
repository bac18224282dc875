/* fuzz_shapley.c: attacks the plan of coalitions and the Shapley values. */
#include "fuzz_support.h"

enum { MOST_SAMPLES = 80, MOST_PARTS = 9 };

typedef struct {
    size_t feature_count;
    linex_coalitions plan;
    uint8_t *masks;
    double *weights;
} planned;

/* Checks a plan: masks of 0 and 1, all parts first, then none, and weights that sum to 1. */
static void expect_plan(const planned *made, size_t samples)
{
    size_t parts = made->feature_count, count = made->plan.count;
    double sum = 0;
    EXPECT(count >= 2 && count <= samples && made->plan.taken <= count);
    for (size_t i = 0; i < count * parts; i++) EXPECT(made->masks[i] <= 1);
    for (size_t c = 0; c < parts; c++) EXPECT(made->masks[c] == 1 && made->masks[parts + c] == 0);
    EXPECT_WITHIN(count, made->weights, 0, 1);
    for (size_t i = 0; i < count; i++) sum += made->weights[i];
    EXPECT(parts == 1 || count == 2 ? sum == 0 : fabs(sum - 1) < 1e-9);
}

static bool plan(planned *made)
{
    size_t samples = fuzz_between(fuzz_is_wild() ? 0 : 2, MOST_SAMPLES);
    made->feature_count = fuzz_between(fuzz_is_wild() ? 0 : 1, MOST_PARTS);
    made->masks = fuzz_array((samples ? samples : 1) * (made->feature_count + 1), 1);
    made->weights = fuzz_array(samples ? samples : 1, sizeof(double));
    /* A number of samples that must be refused; the arrays are never as large. */
    if (fuzz_is_wild() && fuzz_rarely(8)) samples = (size_t)1 << (30 + fuzz_below(34));
    if (CALL(linex_coalitions_plan(made->feature_count, samples, fuzz_byte(), fuzz_or_null(made->masks),
                                   made->weights, &made->plan)))
        return false;
    expect_plan(made, samples);
    return true;
}

static void spoil(planned *made)
{
    if (fuzz_rarely(4)) made->masks[fuzz_below(made->plan.count * made->feature_count)] = fuzz_byte();
    if (fuzz_rarely(4)) made->weights[fuzz_below(made->plan.count)] = fuzz_number();
    if (fuzz_rarely(8)) made->plan.taken = fuzz_below(made->plan.count + 1);
    if (fuzz_rarely(8)) made->plan.draws = fuzz_byte();
}

void fuzz_room(void)
{
    planned made;
    if (!plan(&made)) return;
    size_t parts = made.feature_count;
    double *answers = fuzz_array(made.plan.count, sizeof *answers);
    linex_link link = (linex_link)fuzz_choice(2);
    for (size_t i = 0; i < made.plan.count; i++) answers[i] = link == LINEX_LINK_LOGIT ? fuzz_share() : fuzz_number();
    if (fuzz_rarely(4) && made.plan.count > 2) { /* not all were answered */
        size_t before = made.plan.count;
        made.plan.count = fuzz_between(2, before);
        made.plan.draws = made.plan.draws * made.plan.count / before;
        if (made.plan.taken > made.plan.count) made.plan.taken = made.plan.count;
    }
    if (fuzz_is_wild()) spoil(&made);
    double *values = fuzz_array(parts, sizeof *values), *errors = fuzz_array(parts, sizeof *errors);
    double *agreement = fuzz_array(parts, sizeof *agreement), sum = 0, scale = 0;
    linex_shapley_report report;
    if (CALL(linex_shapley_solve(&made.plan, parts, made.masks, answers, made.weights, link, values, errors,
                                 fuzz_or_null(agreement), &report)))
        return;
    EXPECT_FINITE(parts, values);
    EXPECT_WITHIN(parts, errors, 0, DBL_MAX);
    EXPECT_WITHIN(parts, agreement, 0, 1);
    EXPECT_FINITE(1, &report.base);
    EXPECT_FINITE(1, &report.prediction);
    EXPECT_WITHIN(1, &report.fidelity, -DBL_MAX, 1);
    if (link != LINEX_LINK_IDENTITY) return;
    /* A sixteenth, because the sum of nine values may be beyond the range. */
    double whole = answers[0] / 16 - answers[1] / 16;
    for (size_t c = 0; c < parts; c++) sum += values[c] / 16, scale += fabs(values[c] / 16);
    /* Each value is rounded by as much as the largest answer is. */
    for (size_t i = 0; i < made.plan.count; i++) scale = fmax(scale, fabs(answers[i] / 16));
    EXPECT(fabs(sum - whole) <= 1e-9 * scale + DBL_MIN);
}
