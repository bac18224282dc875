#include "elementary.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ln 2 in two parts: the first has trailing zero bits, so that k * LN2_HIGH is exact for every exponent k. */
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

    /* |r| <= ln(2)/2: the Taylor series to r^13 leaves less than 2^-57. */
    double sum = 1.0;
    for (int term = 13; term >= 1; term--) sum = 1.0 + sum * r / term;
    return sum * two_to_the(k);
}

double linex_log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)((bits >> 52) & 0x7ff) - 1023;
    bits = (bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL;
    double mantissa;
    memcpy(&mantissa, &bits, sizeof mantissa);
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        exponent++;
    }

    /* log m = 2 artanh(u) with u = (m-1)/(m+1), |u| <= 0.172: u^23 is below 2^-57. */
    double u = (mantissa - 1.0) / (mantissa + 1.0);
    double square = u * u, series = 0.0;
    for (int odd = 21; odd >= 3; odd -= 2) series = (series + 1.0 / odd) * square;
    double log_mantissa = 2.0 * u + 2.0 * u * series;
    return exponent * LN2_HIGH + (log_mantissa + exponent * LN2_LOW);
}
