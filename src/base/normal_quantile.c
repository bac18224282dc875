/* normal_quantile.c: a rational function for the center of the distribution, and one for its tails. */
#include "base/normal_quantile.h"

#include <math.h>
#include <stdbool.h>

#include "base/elementary.h"

/* The quantile of the share 1/2 + q, for |q| up to 15/32. Has no branch, so compilers can vectorize a loop.
 * tests/vectors/make-designs.py computes the coefficients. */
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

/* The quantile of 1 - share, for a share up to 1/32. */
static double tail(double share)
{
    double t = sqrt(-2.0 * linex_log(share)), above = 0.194759014675780648, below = 0.194699345920657372;
    above = above * t + 2.14013485371996197;
    below = below * t + 2.1463223493927018;
    above = above * t + 2.7839429796125656;
    below = below * t + 3.64506813127272675;
    above = above * t - 4.06377166684796632;
    below = below * t + 1.0;
    return (above * t - 2.94109882003335963) / below;
}

/* The number of words is constant, so compilers can vectorize the loop in few bytes. */
void linex_normals_from(const uint32_t *words, double *normals)
{
    /* Processors convert signed integers faster. */
    for (size_t i = 0; i < LINEX_NORMALS_BLOCK; i++)
        normals[i] = central(((double)(int32_t)(words[i] ^ 0x80000000u) + 0.5) * 0x1p-32);
    for (size_t i = 0; i < LINEX_NORMALS_BLOCK; i++) {
        if (words[i] + 0x08000000u >= 0x10000000u) continue; /* not below 1/32 nor above 31/32 */
        bool low = words[i] < 0x80000000u;
        double far = tail(((double)(low ? words[i] : ~words[i]) + 0.5) * 0x1p-32);
        normals[i] = low ? -far : far;
    }
}

/* A search that divides an interval into 128 parts, and the part that contains z again: it needs no other function. */
double linex_normal_share(double z)
{
    uint32_t words[LINEX_NORMALS_BLOCK], low = 0;
    double normals[LINEX_NORMALS_BLOCK];
    for (int shift = 25; shift > 0; shift -= 7) {
        for (uint32_t i = 0; i < LINEX_NORMALS_BLOCK; i++) words[i] = low + (i << shift);
        linex_normals_from(words, normals);
        for (size_t i = 1; i < LINEX_NORMALS_BLOCK; i++)
            if (normals[i] < z) low = words[i];
    }
    return low * 0x1p-32;
}
