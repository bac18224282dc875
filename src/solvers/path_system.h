/* path_system.h: the equations that determine s along a path of equilibria, and their inverse. */
#ifndef LINEX_PATH_SYSTEM_H
#define LINEX_PATH_SYSTEM_H

#include "solvers/path_state.h"

/* Finds the slope of s and of every pull as the price moves in its direction. */
void linex_path_find_slope(linex_path *path);

/* Computes the pulls from s. */
void linex_path_refresh_pulls(linex_path *path);

/* Computes the inverse, s and the pulls from scratch, without the rounding errors of the updates. In slices. */
linex_status linex_path_refresh(linex_path *path, linex_slice *slice);

/* Updates the inverse for the corner path->at, or computes it afresh. In slices. */
linex_status linex_path_update_system(linex_path *path, linex_slice *slice);

/* Returns the sum of the values of the features that are not at ZERO, each with the sign of s_c: |s|_1 if the values
 * are s. */
double linex_path_norm(const linex_path *path, const double *values);

#endif
