/* stability.h: how sure an explanation is, from many draws of its environments. */
#ifndef LINEX_STABILITY_H
#define LINEX_STABILITY_H

#include <stddef.h>

/* For one feature: the middle 95 % of its weights, and |mean of their signs|, where zero has no sign. With
 * two players on each side of zero the agreement is 0; with all on one side it is 1.
 *
 * weights  draws values; sorted on return */
void linex_stability_of(size_t draws, double *weights, double *low, double *high, double *agreement);

#endif
