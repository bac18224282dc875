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

#endif
