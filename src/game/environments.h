/* environments.h: what explanation.c and groups.c need of environments.c beside the public calls. */
#ifndef LINEX_ENVIRONMENTS_H
#define LINEX_ENVIRONMENTS_H

#include "linex.h"
#include "base/random.h"

/* The points of the samples, however they are stored. */
linex_points linex_points_of(const linex_samples *samples);

/* Whether every planned sample is a point that there is. */
bool linex_point_indices_are_valid(const linex_samples *samples);

/* The random numbers of one draw. */
linex_random linex_environments_stream(uint64_t seed, uint64_t draw);

#endif
