/* elementary.h: exp, log and the normal distribution, computed with +, -, *, / and the square root only.
 *
 * The results of the C library's functions differ in the last bit between platforms, and one different bit in a
 * proximity weight can change the explanation. These functions give the same bits on every platform that has IEEE 754
 * doubles and does not contract operations (-ffp-contract=off). The error is at most 2 units in the last place.
 */
#ifndef LINEX_ELEMENTARY_H
#define LINEX_ELEMENTARY_H

#include <stddef.h>

/* Returns e^x: 0 below -708 (no denormals), infinity above 709, NaN for NaN. */
double linex_exp(double x);

/* Replaces each x by e^x, with the accuracy of linex_exp and in a fraction of its time: 0 below -708.
 *
 * values  count, none above 0 */
void linex_exp_all(size_t count, double *values);

/* Returns the natural logarithm of x. x is positive, finite and not denormal. */
double linex_log(double x);

/* Converts pairs of independent uniform numbers in [0, 1) to pairs of independent standard normal numbers, in place
 * (Box and Muller 1958).
 *
 * pairs          even; of an odd number, the last pair is left as it is
 * first, second  pairs each: the numbers of each pair */
void linex_normals_of(size_t pairs, double *first, double *second);

#endif
