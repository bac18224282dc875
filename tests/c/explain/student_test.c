/* student_test.c: tests of the quantiles of Student's distribution. */
#include "explain/student.h"

#include "check.h"

/* From scipy 1.10: stats.t.ppf(0.975, freedom). */
static void quantiles_are_those_of_scipy(void)
{
    static const struct {
        size_t freedom;
        double quantile;
    } known[] = {
        {1, 12.706205},   {2, 4.302653},  {3, 3.182446},  {4, 2.776445},  {5, 2.570582},   {6, 2.446912},
        {7, 2.364624},    {8, 2.306004},  {9, 2.262157},  {10, 2.228139}, {11, 2.200985},  {12, 2.178813},
        {13, 2.160369},   {14, 2.144787}, {15, 2.131450}, {16, 2.119905}, {17, 2.109816},  {18, 2.100922},
        {19, 2.093024},   {20, 2.085963}, {21, 2.079614}, {22, 2.073873}, {23, 2.068658},  {24, 2.063899},
        {25, 2.059539},   {26, 2.055529}, {27, 2.051831}, {28, 2.048407}, {29, 2.045230},  {30, 2.042272},
        {31, 2.039513},   {32, 2.036933}, {40, 2.021075}, {63, 1.998341}, {127, 1.978820}, {255, 1.969311},
        {1000, 1.962339},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK_NEAR(linex_student_quantile(known[i].freedom), known[i].quantile, 1e-3);
}

static void quantiles_fall_towards_that_of_the_normal_distribution(void)
{
    for (size_t freedom = 1; freedom < 1000; freedom++)
        CHECK(linex_student_quantile(freedom + 1) < linex_student_quantile(freedom));
    CHECK_NEAR(linex_student_quantile(100000000), 1.959964, 1e-6);
}

int main(void)
{
    RUN(quantiles_are_those_of_scipy);
    RUN(quantiles_fall_towards_that_of_the_normal_distribution);
    return checks_failed != 0;
}
