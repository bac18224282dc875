#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "base/random.h"

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The C library's sort is the judge. */
static void numbers_are_sorted(void)
{
    static double ours[5000], theirs[5000];
    linex_random random = linex_random_seed(8);
    const size_t sizes[] = {0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 40, 41, 200, 4999, 5000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int ties = 0; ties < 2; ties++) {
            for (size_t i = 0; i < sizes[s]; i++)
                ours[i] = ties ? (double)linex_random_below(&random, 7) : linex_random_uniform(&random) - 0.5;
            memcpy(theirs, ours, sizeof ours);
            linex_sort(sizes[s], ours);
            qsort(theirs, sizes[s], sizeof *theirs, ascending);
            CHECK(memcmp(ours, theirs, sizes[s] * sizeof *ours) == 0);
        }
    }
}

/* numpy.percentile([1, 2, 4, 8], [0, 2.5, 50, 90, 100]) */
static void quantiles_are_those_of_numpy(void)
{
    const double sorted[] = {1, 2, 4, 8};
    CHECK(linex_quantile(4, sorted, 0) == 1);
    CHECK_NEAR(linex_quantile(4, sorted, 0.025), 1.075, 1e-15);
    CHECK(linex_quantile(4, sorted, 0.5) == 3);
    CHECK_NEAR(linex_quantile(4, sorted, 0.9), 6.8, 1e-14);
    CHECK(linex_quantile(4, sorted, 1) == 8);
    CHECK(linex_quantile(1, sorted, 0.3) == 1);
}

int main(void)
{
    RUN(numbers_are_sorted);
    RUN(quantiles_are_those_of_numpy);
    return checks_failed != 0;
}
