/* environments.h: the functions of environments.c that are not public, for other files of the core. */
#ifndef LINEX_ENVIRONMENTS_H
#define LINEX_ENVIRONMENTS_H

#include "linex.h"
#include "base/random.h"

/* Returns a view of the points of the samples, which are stored as doubles or as bytes. */
linex_points linex_points_of(const linex_samples *samples);

/* Returns the index of a planned sample's point. */
static inline size_t linex_point_of(const linex_samples *samples, size_t planned)
{
    return samples->point_of ? samples->point_of[planned] : planned;
}

/* Returns whether every planned sample has a point. */
bool linex_point_indices_are_valid(const linex_samples *samples);

/* Returns the random numbers of one draw. */
linex_random linex_environments_stream(uint64_t seed, uint64_t draw);

#endif
