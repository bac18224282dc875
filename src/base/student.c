/* student.c: quantiles of Student's t distribution. */
#include "base/student.h"

/* Up to four degrees of freedom the series below converges too slowly. */
static const double FEW[] = {12.706205, 4.302653, 3.182446, 2.776445};

/* The quantile is that of the normal distribution, z, plus a series in 1 / freedom: Fisher and Cornish 1960, "The
 * percentile points of distributions having known cumulants", Technometrics 2. */
double linex_student_quantile(size_t freedom)
{
    if (freedom <= sizeof FEW / sizeof *FEW) return FEW[freedom - 1];
    const double z = 1.959963984540054, q = z * z, v = 1 / (double)freedom;
    double first = (q + 1) / 4;
    double second = ((5 * q + 16) * q + 3) / 96;
    double third = (((3 * q + 19) * q + 17) * q - 15) / 384;
    double fourth = ((((79 * q + 776) * q + 1482) * q - 1920) * q - 945) / 92160;
    return z * (1 + v * (first + v * (second + v * (third + v * fourth))));
}
