/* designed_rows.h: rows near a row whose columns are spread evenly. */
#ifndef LINEX_DESIGNED_ROWS_H
#define LINEX_DESIGNED_ROWS_H

#include "linex.h"

/* Makes the rows of design points first .. first + count - 1: see linex_rows_perturb, which has checked the arguments.
 * Point i belongs to sample i + 1.
 *
 * rows  count x columns
 * May return LINEX_NO_MEMORY. */
linex_status linex_rows_design(const linex_table *table, const double *row, const linex_row_settings *settings,
                               size_t first, size_t count, double *rows);

/* Returns the first index whose running sum of shares exceeds `at`, and where in its share that is.
 *
 * shares  count, `stride` apart
 * within  in 0 .. 1 */
size_t linex_share_find(size_t count, const double *shares, size_t stride, double at, double *within);

#endif
