/* law.h: the law of the samples under the kernel, column by column, as the control variates read it. */
#ifndef LINEX_ADJUST_LAW_H
#define LINEX_ADJUST_LAW_H

#include "linex.h"

/* The law of one column; the columns are independent. */
typedef struct {
    bool binary;   /* 1 with probability `mean`, otherwise 0; if not binary, the column is normal */
    double mean;   /* under the kernel */
    double spread; /* standard deviation under the kernel: sqrt(mean (1 - mean)) of a binary column; 0 if it does not
                      vary */
    double unit;   /* standard deviation without the kernel, > 0 if the spread is */
} linex_column_law;

/* Whether the law fits the samples: exactly one array, finite, shares in [0, 1]. */
bool linex_law_is_good(const linex_law *law, const linex_samples *samples);

/* Reads the law of one column. */
linex_column_law linex_law_column(const linex_law *law, size_t column);

/* The levels behind a binary column, which says only whether a sample has the level of the row. Which other level it has
 * is noise to a linear fit, but the model sees it. Its law is known: given that a sample has another level than the row,
 * it has level l with probability frequency_l / (1 - frequency of the row's level). */
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
