/* elementary.h: exp, log and the normal distribution from +, -, *, / and the square root alone.
 *
 * The C library's own differ in the last bit from one platform to the next, and a proximity weight that
 * differs in the last bit makes tomorrow's explanation another one. These give the same bits wherever
 * IEEE 754 doubles are used without contraction (-ffp-contract=off), within 2 units in the last place.
 */
#ifndef LINEX_ELEMENTARY_H
#define LINEX_ELEMENTARY_H

#include <stddef.h>

/* e^x. 0 below -708 (no denormals), infinity above 709; NaN for NaN. */
double linex_exp(double x);

/* Natural logarithm of a positive, finite, normal x. */
double linex_log(double x);

/* Turns pairs of independent numbers, uniform in [0, 1), into pairs of independent standard normal ones, in place
 * (Box and Muller 1958). */
void linex_normals_of(size_t pairs, double *first, double *second);

#endif
