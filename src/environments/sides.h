/* sides.h: environments on either side of a random plane near the input.
 *
 * A feature that raises the answers on one side of the input and lowers them on the other has no direction there. Two
 * environments on either side of a plane see that; random halves do not. */
#ifndef LINEX_SIDES_H
#define LINEX_SIDES_H

#include "linex.h"
#include "base/random.h"
#include "base/task.h"

typedef struct {
    double *center;    /* feature_count: where the planes go through; owns the arrays below */
    double *scale;     /* feature_count: 1 / the weighted spread of each feature; 0 if it does not vary */
    double *direction; /* feature_count: of the present plane */
    double *low, *high;
    double *scratch; /* feature_count */
    double total;    /* weight */
    bool found;      /* whether the center is known */
    bool directed;   /* whether the direction is drawn */
} linex_sides;

/* Release the sides with linex_sides_close, also after a failure. */
linex_status linex_sides_open(linex_sides *sides, size_t feature_count);
void linex_sides_close(linex_sides *sides);

/* Puts each point on a side of a new plane, in slices. The planes go through `at`. In a feature that has no value beyond
 * that of `at` (a mask: the input has all parts), they go through its weighted mean instead, or all samples would be on
 * one side.
 *
 * copies   count: how often each point was planned
 * at       feature_count: the input
 * cursor   all zeros at the start
 * weights  2 x count, all zeros: the copies on either side */
linex_status linex_sides_advance(linex_sides *sides, const linex_samples *samples, const double *copies,
                                 const double *at, linex_random *random, linex_cursor *cursor, double *weights,
                                 linex_slice *slice);

#endif
