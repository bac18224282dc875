/* points.h: reading points that are stored as doubles or as bytes. */
#ifndef LINEX_POINTS_H
#define LINEX_POINTS_H

#include "linex.h"

/* Returns the values of one point. If the points are doubles, this is a view of them. If they are bytes, they are
 * converted into the scratch, which has one double per feature; the result is valid until the scratch is used
 * again. */
const double *linex_points_row(const linex_points *points, size_t index, double *scratch);

/* Whether there is at least one point and one feature, exactly one of `values` and `masks` is set, every value is
 * finite and no byte is above 1. */
bool linex_points_are_good(const linex_points *points);

#endif
