/* elementary.c: exp, log and the Box-Muller transform in plain arithmetic. */
#include "base/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ln 2 in two parts. The first ends in zero bits, so k * LN2_HIGH is exact for every exponent k. */
static const double LN2_HIGH = 0x1.62e42fee00000p-1;
static const double LN2_LOW = 0x1.a39ef35793c76p-33;
static const double LOG2_E = 1.4426950408889634;

static double two_to_the(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

double linex_exp(double x)
{
    if (x != x) return x;
    if (x < -708.0) return 0.0;
    if (x > 709.0) return (double)INFINITY;

    double scaled = x * LOG2_E;
    int k = (int)(scaled + (scaled < 0 ? -0.5 : 0.5));
    double r = (x - k * LN2_HIGH) - k * LN2_LOW;

    /* |r| <= ln(2)/2, so the error of the Taylor series up to r^13 is below 2^-57. */
    static const double terms[] = {
        1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
        1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       1.0 / 2,      1.0,         1.0};
    double sum = 0;
    for (int i = 0; i < 14; i++) sum = sum * r + terms[i];
    return sum * two_to_the(k);
}

/* Has no branch and no loop inside, so compilers vectorize it. */
void linex_exp_all(size_t count, double *values)
{
    /* A sum with 1.5 * 2^52 is rounded to a whole number, which is then in its last bits. */
    const double rounding = 6755399441055744.0;
    for (size_t i = 0; i < count; i++) {
        double x = values[i] > -708.0 ? values[i] : -708.0, rounded = x * LOG2_E + rounding, k = rounded - rounding;
        double r = (x - k * LN2_HIGH) - k * LN2_LOW, sum = (1.0 / 6227020800) * r + 1.0 / 479001600;
        sum = sum * r + 1.0 / 39916800;
        sum = sum * r + 1.0 / 3628800;
        sum = sum * r + 1.0 / 362880;
        sum = sum * r + 1.0 / 40320;
        sum = sum * r + 1.0 / 5040;
        sum = sum * r + 1.0 / 720;
        sum = sum * r + 1.0 / 120;
        sum = sum * r + 1.0 / 24;
        sum = sum * r + 1.0 / 6;
        sum = sum * r + 1.0 / 2;
        sum = sum * r + 1.0;
        sum = sum * r + 1.0;
        uint64_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        bits = (bits + 1023) << 52;
        double power;
        memcpy(&power, &bits, sizeof power);
        values[i] = values[i] < -708.0 ? 0.0 : sum * power;
    }
}

/* Has no branch, so compilers can vectorize a loop of logarithms. */
static inline double logarithm(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    /* Writes the exponent into the last bits of 2^52 + exponent, because not every processor has a vector instruction
     * that converts integers to doubles. */
    uint64_t shifted = (bits >> 52) | 0x4330000000000000ULL;
    double exponent;
    memcpy(&exponent, &shifted, sizeof exponent);
    exponent -= 4503599627370496.0 + 1023.0;
    bits = (bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL;
    double mantissa;
    memcpy(&mantissa, &bits, sizeof mantissa);
    bool high = mantissa > 1.4142135623730951;
    mantissa = high ? mantissa * 0.5 : mantissa;
    exponent = high ? exponent + 1.0 : exponent;

    /* log m = 2 artanh(u) with u = (m-1)/(m+1). |u| <= 0.172, so u^23 is below 2^-57. */
    double u = (mantissa - 1.0) / (mantissa + 1.0);
    double square = u * u, series = (1.0 / 21) * square;
    series = (series + 1.0 / 19) * square;
    series = (series + 1.0 / 17) * square;
    series = (series + 1.0 / 15) * square;
    series = (series + 1.0 / 13) * square;
    series = (series + 1.0 / 11) * square;
    series = (series + 1.0 / 9) * square;
    series = (series + 1.0 / 7) * square;
    series = (series + 1.0 / 5) * square;
    series = (series + 1.0 / 3) * square;
    double log_mantissa = 2.0 * u + 2.0 * u * series;
    return exponent * LN2_HIGH + (log_mantissa + exponent * LN2_LOW);
}

double linex_log(double x)
{
    return logarithm(x);
}

/* The cosine and sine of `quarters` right angles, 0 <= quarters <= 4. */
static inline void cosine_and_sine(double quarters, double *cosine, double *sine)
{
    double nearest = floor(quarters + 0.5), x = (quarters - nearest) * 1.5707963267948966, square = x * x;

    /* |x| <= pi/4, so the error of the series up to x^16 is below 2^-53. */
    double c = square * (1.0 / 20922789888000.0) - 1.0 / 87178291200.0;
    c = c * square + 1.0 / 479001600.0;
    c = c * square - 1.0 / 3628800.0;
    c = c * square + 1.0 / 40320.0;
    c = c * square - 1.0 / 720.0;
    c = c * square + 1.0 / 24.0;
    c = 1.0 - square * (0.5 - c * square);
    double s = 1.0 / 6227020800.0 - square * (1.0 / 1307674368000.0);
    s = s * square - 1.0 / 39916800.0;
    s = s * square + 1.0 / 362880.0;
    s = s * square - 1.0 / 5040.0;
    s = s * square + 1.0 / 120.0;
    s = s * square - 1.0 / 6.0;
    s = x + x * (s * square);

    bool odd = nearest == 1.0 || nearest == 3.0;
    double unsigned_cosine = odd ? s : c, unsigned_sine = odd ? c : s;
    *cosine = nearest == 1.0 || nearest == 2.0 ? -unsigned_cosine : unsigned_cosine;
    *sine = nearest == 2.0 || nearest == 3.0 ? -unsigned_sine : unsigned_sine;
}

void linex_normals_of(size_t pairs, double *first, double *second)
{
    size_t even = pairs - pairs % 2; /* so that compilers need no loop for a last pair */
    for (size_t i = 0; i < even; i++) {
        double cosine, sine, radius = sqrt(-2.0 * logarithm(1.0 - first[i]));
        cosine_and_sine(4.0 * second[i], &cosine, &sine);
        first[i] = radius * cosine;
        second[i] = radius * sine;
    }
}
