/* wide_energy.h: the energy of the features, which the ridge of a wide fit is relative to. */
#ifndef LINEX_WIDE_ENERGY_H
#define LINEX_WIDE_ENERGY_H

#include "linex.h"

/* Returns the median over the features of the weighted column energy sum_j w_j (x_jc - mean_c)^2, without the mean if
 * not centered. A ridge relative to it means the same for every input. Features that do not vary do not count; 0 if
 * none varies.
 *
 * weights  count
 * scratch  3 x feature_count */
double linex_wide_energy(const linex_points *points, const double *weights, bool centered, double *scratch);

#endif
