/* path_corners.h: the next corner of a path of equilibria. */
#ifndef LINEX_PATH_CORNERS_H
#define LINEX_PATH_CORNERS_H

#include "solvers/path_state.h"

/* Returns the next corner along the present slope; its distance is infinite if there is none. */
linex_corner linex_path_next_corner(linex_path *path);

#endif
