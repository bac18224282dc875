/* fuzz_shapley.c: attacks the drawing of coalitions and the Shapley values. */
#include "fuzz_support.h"

enum { MOST_SAMPLES = 80, MOST_PARTS = 9 };

typedef struct {
    size_t feature_count, count;
    uint8_t *masks;
} coalitions;

/* Checks drawn coalitions: all parts, none, then pairs of a coalition and its complement, all different. */
static void expect_coalitions(const coalitions *made)
{
    size_t parts = made->feature_count;
    bool seen[1 << MOST_PARTS] = {false};
    for (size_t i = 0; i < made->count; i++) {
        size_t bits = 0;
        for (size_t c = 0; c < parts; c++) {
            EXPECT(made->masks[i * parts + c] <= 1);
            if (i % 2) EXPECT(made->masks[i * parts + c] + made->masks[(i - 1) * parts + c] == 1);
            bits |= (size_t)made->masks[i * parts + c] << c;
        }
        EXPECT(!seen[bits] && (i || bits + 1 == (size_t)1 << parts));
        seen[bits] = true;
    }
}

/* Draws the rest in a second call, from the first `some` on, in slices. The coalitions must be the same. */
static void expect_same_rest(const coalitions *made, size_t samples, uint64_t seed)
{
    size_t some = fuzz_below(made->count / 2 + 1) * 2, parts = made->feature_count;
    uint8_t *rest = fuzz_array((made->count - some) * parts + 1, 1);
    linex_task *task = NULL;
    linex_status started = CALL(linex_coalitions_start(parts, samples, seed, some, made->count - some, rest, &task));
    if (started || fuzz_run_task(task, false)) return;
    EXPECT(memcmp(rest, made->masks + some * parts, (made->count - some) * parts) == 0);
}

static bool draw(coalitions *made)
{
    size_t samples = fuzz_between(fuzz_is_wild() ? 0 : 2, MOST_SAMPLES);
    uint64_t seed = fuzz_byte();
    made->feature_count = fuzz_between(fuzz_is_wild() ? 0 : 1, MOST_PARTS);
    size_t all = (size_t)1 << made->feature_count;
    made->count = samples < all ? samples / 2 * 2 : all;
    made->masks = fuzz_array((made->count ? made->count : 1) * (made->feature_count + 1), 1);
    if (fuzz_is_wild() && fuzz_rarely(8)) made->count += 1 + fuzz_below(3);
    /* A number of samples that must be refused; the arrays are never as large. */
    if (fuzz_is_wild() && fuzz_rarely(8)) samples = (size_t)1 << (30 + fuzz_below(34));
    if (made->count > samples / 2 * 2 || made->count > all || made->count % 2) {
        EXPECT(CALL(linex_coalitions_draw(made->feature_count, samples, seed, 0, made->count, made->masks)));
        return false;
    }
    if (CALL(linex_coalitions_draw(made->feature_count, samples, seed, 0, made->count, fuzz_or_null(made->masks))))
        return false;
    expect_coalitions(made);
    expect_same_rest(made, samples, seed);
    return made->count >= 2;
}

void fuzz_room(void)
{
    coalitions made;
    if (!draw(&made)) return;
    size_t parts = made.feature_count;
    double *answers = fuzz_array(made.count, sizeof *answers);
    linex_link link = (linex_link)fuzz_choice(2);
    for (size_t i = 0; i < made.count; i++) answers[i] = link == LINEX_LINK_LOGIT ? fuzz_share() : fuzz_number();
    if (fuzz_rarely(4)) made.count = fuzz_between(1, made.count / 2) * 2; /* not all were answered */
    if (fuzz_is_wild() && fuzz_rarely(4)) made.masks[fuzz_below(made.count * parts)] = fuzz_byte();
    double *values = fuzz_array(parts, sizeof *values), *errors = fuzz_array(parts, sizeof *errors);
    double *agreement = fuzz_array(parts, sizeof *agreement), sum = 0, scale = 0;
    linex_shapley_report report;
    if (CALL(linex_shapley_solve(parts, made.count, made.masks, answers, link, values, errors,
                                 fuzz_or_null(agreement), &report)))
        return;
    EXPECT_FINITE(parts, values);
    EXPECT_WITHIN(parts, errors, 0, DBL_MAX);
    EXPECT_WITHIN(parts, agreement, 0, 1);
    EXPECT_FINITE(1, &report.base);
    EXPECT_FINITE(1, &report.prediction);
    EXPECT_WITHIN(1, &report.fidelity, -DBL_MAX, 1);
    EXPECT_WITHIN(1, &report.quantile, 1.95, 13);
    EXPECT_WITHIN(1, &report.effective, 0, (double)made.count + 1e-6);
    if (link != LINEX_LINK_IDENTITY) return;
    /* A sixteenth, because the sum of nine values may be beyond the range. */
    double whole = answers[0] / 16 - answers[1] / 16;
    for (size_t c = 0; c < parts; c++) sum += values[c] / 16, scale += fabs(values[c] / 16);
    /* Each value is rounded by as much as the largest answer is. */
    for (size_t i = 0; i < made.count; i++) scale = fmax(scale, fabs(answers[i] / 16));
    EXPECT(fabs(sum - whole) <= 1e-9 * scale + DBL_MIN);
}
