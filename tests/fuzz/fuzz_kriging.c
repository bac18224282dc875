/* fuzz_kriging.c: attacks kriging: any points, laws, weights and answers, in slices of any size. */
#include "fuzz_support.h"

#include "kriging/kriging.h"

enum { MOST_SAMPLES = 40, MOST_COLUMNS = 8 };

typedef struct {
    size_t count, columns;
    double *points, *weights, *answers;
    linex_column_law *laws;
    const linex_levels *levels;
} problem;

/* The caller has checked the arguments, so they are allowed in every execution. */
static double finite_number(void)
{
    double number = fuzz_number();
    return isfinite(number) ? number : 0;
}

static double finite_share(void)
{
    double share = fuzz_share();
    return share >= 0 && share <= 1 ? share : 0.5;
}

static linex_column_law any_law(void)
{
    linex_column_law law = {.binary = fuzz_rarely(3)};
    if (law.binary) {
        law.mean = finite_share();
        law.spread = law.unit = sqrt(law.mean * (1 - law.mean));
    } else {
        law.mean = finite_number();
        law.unit = fabs(finite_number());
        law.spread = law.unit * finite_share();
    }
    return law;
}

/* Levels behind all binary columns, or none. */
static const linex_levels *any_levels(const problem *given)
{
    if (!fuzz_rarely(3)) return NULL;
    linex_levels *levels = fuzz_array(1, sizeof *levels);
    double *rows = fuzz_array(given->count * given->columns, sizeof *rows);
    double *row = fuzz_array(given->columns, sizeof *row);
    uint32_t *counts = fuzz_array(given->columns, sizeof *counts);
    double *frequencies = fuzz_array(4 * given->columns, sizeof *frequencies);
    for (size_t j = 0; j < given->columns; j++) {
        counts[j] = given->laws[j].binary ? 1 + (uint32_t)fuzz_below(4) : 0;
        row[j] = counts[j] ? (double)fuzz_below(counts[j]) : 0;
        for (size_t i = 0; i < given->count; i++)
            rows[i * given->columns + j] = counts[j] ? (double)fuzz_below(counts[j]) : 0;
    }
    for (size_t l = 0; l < 4 * given->columns; l++) frequencies[l] = finite_share();
    *levels = (linex_levels){rows, row, counts, frequencies};
    return levels;
}

static problem any_problem(void)
{
    problem given = {.count = fuzz_between(1, MOST_SAMPLES), .columns = fuzz_between(1, MOST_COLUMNS)};
    given.points = fuzz_array(given.count * given.columns, sizeof *given.points);
    given.weights = fuzz_array(given.count, sizeof *given.weights);
    given.answers = fuzz_array(given.count, sizeof *given.answers);
    given.laws = fuzz_array(given.columns, sizeof *given.laws);
    for (size_t j = 0; j < given.columns; j++) given.laws[j] = any_law();
    for (size_t i = 0; i < given.count; i++) {
        given.weights[i] = finite_share();
        given.answers[i] = finite_number();
        for (size_t j = 0; j < given.columns; j++)
            given.points[i * given.columns + j] = given.laws[j].binary ? (double)fuzz_below(2) : finite_number();
    }
    given.levels = any_levels(&given);
    return given;
}

static linex_status open_kriging(const problem *given, linex_kriging **opened)
{
    *opened = linex_kriging_new(given->count, given->columns, given->points, given->laws, given->levels,
                                given->weights, given->answers);
    return *opened ? LINEX_OK : LINEX_NO_MEMORY;
}

static void run_kriging(linex_kriging *kriging, double work)
{
    linex_status status = LINEX_UNFINISHED;
    while (status == LINEX_UNFINISHED) {
        linex_slice slice = {.left = work};
        status = CALL(linex_kriging_advance(kriging, &slice));
    }
    EXPECT(status == LINEX_OK);
}

static bool same(size_t count, const double *a, const double *b)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

void fuzz_room(void)
{
    problem given = any_problem();
    linex_kriging *whole = NULL, *sliced = NULL;
    if (CALL(open_kriging(&given, &whole)) == LINEX_OK) {
        run_kriging(whole, (double)INFINITY);
        double gain = linex_kriging_gain(whole);
        EXPECT(gain >= 1 && isfinite(gain));
        EXPECT_FINITE(given.count, linex_kriging_control(whole));
        EXPECT_FINITE(given.count, linex_kriging_residuals(whole));
        for (size_t i = 0; gain == 1 && i < given.count; i++) EXPECT(linex_kriging_control(whole)[i] == 0);
    }
    if (CALL(open_kriging(&given, &sliced)) == LINEX_OK) {
        run_kriging(sliced, (double)fuzz_between(1, 100000));
        if (whole) {
            EXPECT(same(given.count, linex_kriging_control(whole), linex_kriging_control(sliced)));
            EXPECT(same(given.count, linex_kriging_residuals(whole), linex_kriging_residuals(sliced)));
        }
    }
    linex_kriging_free(whole);
    linex_kriging_free(sliced);
}
