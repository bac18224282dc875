/* column_levels.h: the levels behind binary columns, which say only whether a sample has the level of the row.
 *
 * Which other level a sample has is noise to a linear fit, but the model sees it. Its law is known: given that a sample
 * has another level than the row, it has level l with probability frequency_l / (1 - frequency of the row's level). */
#ifndef LINEX_COLUMN_LEVELS_H
#define LINEX_COLUMN_LEVELS_H

#include "linex.h"

/* Where a column's levels are. */
typedef struct {
    uint32_t count, own; /* levels, and the row's; 0 levels if they are not known, or if at most one is another */
    const double *frequencies; /* count */
    double others;             /* the probability of the other levels, > 0 */
} linex_column_levels;

/* Finds the levels of all columns. `levels` may be NULL.
 *
 * columns  feature_count */
void linex_column_levels_find(const linex_levels *levels, size_t feature_count, linex_column_levels *columns);

/* Returns the probability of a level, given that it is not the row's; 0 for that. */
double linex_column_levels_share(const linex_column_levels *column, size_t level);

#endif
