/* elementary_test.c: exp, log and normals, compared with the C library. */
#include "base/elementary.h"

#include <float.h>

#include "check.h"

/* The distance in units in the last place. The C library's functions are accurate to one unit. */
static double units_apart(double a, double b)
{
    return a == b ? 0 : fabs(a - b) / (fabs(b) * DBL_EPSILON);
}

static void exp_is_accurate_to_two_units_in_the_last_place(void)
{
    for (double x = -700; x < 700; x += 0.37) CHECK(units_apart(linex_exp(x), exp(x)) <= 2);
    for (double x = -1; x < 1; x += 0.00071) CHECK(units_apart(linex_exp(x), exp(x)) <= 2);
}

static void exp_handles_its_limits(void)
{
    CHECK(linex_exp(0) == 1);
    CHECK(linex_exp(-1e9) == 0);
    CHECK(isinf(linex_exp(1e9)));
    CHECK(isnan(linex_exp((double)NAN)));
}

static void many_exponentials_have_the_bits_of_single_ones(void)
{
    enum { COUNT = 1013 };
    double values[COUNT];
    for (double step = 1e-6; step < 1; step *= 3) {
        for (int i = 0; i < COUNT; i++) values[i] = -step * i;
        linex_exp_all(COUNT, values);
        for (int i = 0; i < COUNT; i++) CHECK(values[i] == linex_exp(-step * i));
    }
    double limits[] = {0, -708, -708.1, -1e9, (double)-INFINITY};
    linex_exp_all(5, limits);
    CHECK(limits[0] == 1 && limits[1] > 0 && limits[2] == 0 && limits[3] == 0 && limits[4] == 0);
}

static void log_is_accurate_to_two_units_in_the_last_place(void)
{
    for (double x = 1e-300; x < 1e300; x *= 1.37) CHECK(units_apart(linex_log(x), log(x)) <= 2);
    for (double x = 0.5; x < 2; x += 0.00071) CHECK(fabs(linex_log(x) - log(x)) <= 2 * DBL_EPSILON * fabs(log(x)));
    CHECK(linex_log(1) == 0);
}

static void normals_follow_the_box_muller_formula(void)
{
    enum { SIDE = 200 };
    double first[SIDE], second[SIDE];
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            first[j] = (double)i / SIDE;
            second[j] = (double)j / SIDE;
        }
        linex_normals_of(SIDE, first, second);
        double radius = sqrt(-2 * log(1 - (double)i / SIDE));
        for (int j = 0; j < SIDE; j++) {
            double angle = 2 * acos(-1) * j / SIDE;
            CHECK_NEAR(first[j], radius * cos(angle), 1e-14);
            CHECK_NEAR(second[j], radius * sin(angle), 1e-14);
        }
    }
    first[0] = 1 - 0x1p-53;
    second[0] = 0;
    linex_normals_of(2, first, second);
    CHECK_NEAR(first[0], sqrt(106 * log(2)), 1e-14);
    CHECK(second[0] == 0);
}

int main(void)
{
    RUN(exp_is_accurate_to_two_units_in_the_last_place);
    RUN(exp_handles_its_limits);
    RUN(many_exponentials_have_the_bits_of_single_ones);
    RUN(log_is_accurate_to_two_units_in_the_last_place);
    RUN(normals_follow_the_box_muller_formula);
    return checks_failed != 0;
}
