/* stability.h: how much a weight varies over many draws of the environments. */
#ifndef LINEX_STABILITY_H
#define LINEX_STABILITY_H

#include <stddef.h>

/* Finds, for one feature, the middle 95 % of its weights, and the agreement |mean of their signs|, where zero has no
 * sign. If half of the weights are positive and half negative, the agreement is 0. If all have one sign, it is 1.
 *
 * draws    > 0
 * weights  draws values; sorted on return */
void linex_stability_of(size_t draws, double *weights, double *low, double *high, double *agreement);

#endif
