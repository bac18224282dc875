/* elementary.h: exp and log from +, -, *, / alone.
 *
 * The C library's own differ in the last bit from one platform to the next, and a proximity weight that
 * differs in the last bit makes tomorrow's explanation another one. These give the same bits wherever
 * IEEE 754 doubles are used without contraction (-ffp-contract=off), within 2 units in the last place.
 */
#ifndef LINEX_ELEMENTARY_H
#define LINEX_ELEMENTARY_H

/* e^x. 0 below -708 (no denormals), infinity above 709; NaN for NaN. */
double linex_exp(double x);

/* Natural logarithm of a positive, finite, normal x. */
double linex_log(double x);

#endif
