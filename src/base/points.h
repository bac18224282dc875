/* points.h: reading points, whichever way they are stored. */
#ifndef LINEX_POINTS_H
#define LINEX_POINTS_H

#include "linex.h"

/* The values of one point: where they stand, or spread out in the scratch (width) where they are bytes. Valid until
 * the scratch is used again. */
const double *linex_points_row(const linex_points *points, size_t index, double *scratch);

/* Whether there are points, stored in one way, none of them infinite or not a number, and no byte above 1. */
bool linex_points_are_good(const linex_points *points);

#endif
