/* surrogate_test.c: tests of the ridge fit and of the means of fits, up to the ends of the range of doubles. */
#include <float.h>

#include "check.h"
#include "linex.h"

static void a_ridge_fit_solves_its_equations_whatever_their_size(void)
{
    /* [2 1; 1 2] x = [4 5] has the solution [1 2]. */
    const double sizes[] = {1e-150, 1, 1e150, 3e307};
    for (size_t i = 0; i < 4; i++) {
        double size = sizes[i], fit[2];
        const double gram[] = {2 * size, size, size, 2 * size}, side[] = {4 * size, 5 * size};
        CHECK(linex_ridge_solve(2, gram, side, fit) == LINEX_OK);
        CHECK_NEAR(fit[0], 1, 1e-12);
        CHECK_NEAR(fit[1], 2, 1e-12);
    }
}

static void a_fit_beyond_the_range_is_an_overflow_and_changes_nothing(void)
{
    const double small[] = {1e-10}, nothing[] = {(double)NAN}, endless[] = {(double)INFINITY};
    double fit[] = {1e300};
    CHECK(linex_ridge_solve(1, small, fit, fit) == LINEX_OVERFLOW);
    CHECK(fit[0] == 1e300);
    CHECK(linex_ridge_solve(1, nothing, fit, fit) == LINEX_BAD_ARGUMENT);
    CHECK(linex_ridge_solve(1, small, endless, fit) == LINEX_BAD_ARGUMENT);
    CHECK(fit[0] == 1e300);
}

static void the_mean_of_huge_fits_is_finite(void)
{
    const double alike[] = {DBL_MAX, DBL_MAX, DBL_MAX}, rising[] = {1.2e308, 1.5e308, 1.5e308},
                 opposite[] = {DBL_MAX, -DBL_MAX};
    double smoothed;
    CHECK(linex_smooth(LINEX_SMOOTH_MEAN, 3, 1, alike, &smoothed) == LINEX_OK);
    CHECK_NEAR(smoothed / DBL_MAX, 1, 1e-15);
    CHECK(linex_smooth(LINEX_SMOOTH_MEAN, 3, 1, rising, &smoothed) == LINEX_OK);
    CHECK_NEAR(smoothed / 1.4e308, 1, 1e-15);
    CHECK(linex_smooth(LINEX_SMOOTH_MEDIAN, 2, 1, opposite, &smoothed) == LINEX_OK);
    CHECK(smoothed == 0);
}

static void bad_fits_are_refused(void)
{
    const double fits[] = {1, (double)NAN};
    double smoothed[1];
    CHECK(linex_smooth(LINEX_SMOOTH_MEAN, 2, 1, fits, smoothed) == LINEX_BAD_ARGUMENT);
    CHECK(linex_smooth(LINEX_SMOOTH_MEDIAN, 2, 1, fits, smoothed) == LINEX_BAD_ARGUMENT);
    CHECK(linex_smooth((linex_smoothing)9, 1, 1, fits, smoothed) == LINEX_BAD_ARGUMENT);
    CHECK(linex_smooth(LINEX_SMOOTH_MEDIAN, 1, 1, fits, smoothed) == LINEX_OK && smoothed[0] == 1);
}

int main(void)
{
    RUN(a_ridge_fit_solves_its_equations_whatever_their_size);
    RUN(a_fit_beyond_the_range_is_an_overflow_and_changes_nothing);
    RUN(the_mean_of_huge_fits_is_finite);
    RUN(bad_fits_are_refused);
    return checks_failed != 0;
}
