/* knots.h: where steps of standard normal numbers are, and what is known about them. */
#ifndef LINEX_KNOTS_H
#define LINEX_KNOTS_H

enum { LINEX_KNOTS = 6 };

/* The distances from the mean, in spreads. The density of the normal distribution there is the slope of a step, and the
 * probability above is its mean. */
extern const double linex_knots[LINEX_KNOTS], linex_knot_densities[LINEX_KNOTS], linex_knot_shares[LINEX_KNOTS];

#endif
