/* sort_test.c: sorting compared with qsort, quantiles compared with numpy. */
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

static void numbers_are_sorted_as_qsort_does(void)
{
    static double sorted[5000], expected[5000];
    linex_random random = linex_random_seed(8);
    const size_t sizes[] = {0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 40, 41, 200, 4999, 5000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int ties = 0; ties < 2; ties++) {
            for (size_t i = 0; i < sizes[s]; i++)
                sorted[i] = ties ? (double)linex_random_below(&random, 7) : linex_random_uniform(&random) - 0.5;
            memcpy(expected, sorted, sizeof sorted);
            linex_sort(sizes[s], sorted);
            qsort(expected, sizes[s], sizeof *expected, ascending);
            CHECK(memcmp(sorted, expected, sizes[s] * sizeof *sorted) == 0);
        }
    }
}

typedef struct {
    double value;
    uint32_t index;
} ranked;

static int by_value_then_index(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void an_order_sorts_equal_values_by_index(void)
{
    enum { MOST = 2000 };
    static double values[MOST];
    static ranked expected[MOST];
    static uint32_t order[MOST];
    linex_random random = linex_random_seed(9);
    const size_t sizes[] = {0, 1, 2, 3, 13, 14, 41, 1999, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint32_t different = 1; different < 2000; different *= 9) {
            for (size_t i = 0; i < sizes[s]; i++) {
                values[i] = (double)linex_random_below(&random, different);
                expected[i] = (ranked){values[i], (uint32_t)i};
            }
            linex_sort_order(sizes[s], values, order);
            qsort(expected, sizes[s], sizeof *expected, by_value_then_index);
            for (size_t i = 0; i < sizes[s]; i++) CHECK(order[i] == expected[i].index);
        }
}

/* numpy.percentile([1, 2, 4, 8], [0, 2.5, 50, 90, 100]) */
static void quantiles_match_numpy(void)
{
    const double sorted[] = {1, 2, 4, 8};
    CHECK(linex_quantile(4, sorted, 0) == 1);
    CHECK_NEAR(linex_quantile(4, sorted, 0.025), 1.075, 1e-15);
    CHECK(linex_quantile(4, sorted, 0.5) == 3);
    CHECK_NEAR(linex_quantile(4, sorted, 0.9), 6.8, 1e-14);
    CHECK(linex_quantile(4, sorted, 1) == 8);
    CHECK(linex_quantile(1, sorted, 0.3) == 1);
}

static void quantiles_of_huge_numbers_are_finite(void)
{
    const double sorted[] = {-1.6e308, 1.6e308};
    CHECK_NEAR(linex_quantile(2, sorted, 0.5) / 1.6e308, 0, 1e-15);
    CHECK_NEAR(linex_quantile(2, sorted, 0.25) / 1.6e308, -0.5, 1e-15);
    CHECK_NEAR(linex_quantile(2, sorted, 0.75) / 1.6e308, 0.5, 1e-15);
}

int main(void)
{
    RUN(numbers_are_sorted_as_qsort_does);
    RUN(an_order_sorts_equal_values_by_index);
    RUN(quantiles_match_numpy);
    RUN(quantiles_of_huge_numbers_are_finite);
    return checks_failed != 0;
}
