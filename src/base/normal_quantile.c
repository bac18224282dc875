/* normal_quantile.c: a rational function for the center of the distribution, and one for its tails. */
#include "base/normal_quantile.h"

#include <math.h>

#include "base/elementary.h"

/* Shares within 15/32 of 1/2 are central. tests/vectors/make-designs.py computes the coefficients. */
enum { CHUNK = 128 };
static const double CENTER = 15.0 / 32, SMALLEST = 0x1p-50;

/* The quantile of the share 1/2 + q. Has no branch, so compilers can vectorize a loop. */
static inline double central(double q)
{
    double r = q * q, above = -32.4348127156434129, below = -46.1008998947852063;
    above = above * r + 194.275905009074842;
    below = below * r + 144.211360126344901;
    above = above * r - 253.669388777489383;
    below = below * r - 144.312668653890226;
    above = above * r + 131.550556158857785;
    below = below * r + 63.7930580280282066;
    above = above * r - 29.9644224882825491;
    below = below * r - 13.0012724221256789;
    above = above * r + 2.50662827553647238;
    below = below * r + 1.0;
    return q * above / below;
}

/* The quantile of 1 - share, given log(share), for shares in 2^-50 .. 1/32. */
static inline double tail(double logarithm)
{
    double t = sqrt(-2.0 * logarithm), above = 0.194759014675780648, below = 0.194699345920657372;
    above = above * t + 2.14013485371996197;
    below = below * t + 2.1463223493927018;
    above = above * t + 2.7839429796125656;
    below = below * t + 3.64506813127272675;
    above = above * t - 4.06377166684796632;
    below = below * t + 1.0;
    return (above * t - 2.94109882003335963) / below;
}

/* One word in 16 is in a tail. These are collected and computed together, because that is faster than one by one. */
static void correct_tails(size_t count, const uint32_t *words, double *normals)
{
    uint8_t places[CHUNK];
    double tails[CHUNK];
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        places[found] = (uint8_t)i;
        found += words[i] + 0x08000000u < 0x10000000u; /* below 1/32 or above 31/32 */
    }
    for (size_t k = 0; k < found; k++) {
        uint32_t word = words[places[k]];
        tails[k] = ((double)(word < 0x80000000u ? word : ~word) + 0.5) * 0x1p-32;
    }
    linex_logs_of(found, tails);
    for (size_t k = 0; k < found; k++) tails[k] = tail(tails[k]);
    for (size_t k = 0; k < found; k++) normals[places[k]] = words[places[k]] < 0x80000000u ? -tails[k] : tails[k];
}

void linex_normals_from(size_t count, const uint32_t *words, double *normals)
{
    /* Processors convert signed integers faster. */
    for (size_t i = 0; i < count; i++)
        normals[i] = central(((double)(int32_t)(words[i] ^ 0x80000000u) + 0.5) * 0x1p-32);
    for (size_t start = 0; start < count; start += CHUNK)
        correct_tails(count - start < CHUNK ? count - start : CHUNK, words + start, normals + start);
}

double linex_normal_quantile(double share)
{
    double q = share - 0.5;
    if (fabs(q) <= CENTER) return central(q);
    double far = tail(linex_log(fmax(q < 0 ? share : 1.0 - share, SMALLEST)));
    return q < 0 ? -far : far;
}

/* Bisection: it takes 60 quantiles and no further coefficients, and it is the inverse of the quantile exactly as that
 * is computed. */
double linex_normal_share(double z)
{
    double low = 0, high = 0.5, positive = z > 0;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (linex_normal_quantile(middle) < -fabs(z))
            low = middle;
        else
            high = middle;
    }
    return positive ? 1.0 - high : high;
}
