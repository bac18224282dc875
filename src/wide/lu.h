/* lu.h: solves systems of linear equations whose matrix is not symmetric. */
#ifndef LINEX_LU_H
#define LINEX_LU_H

#include <stdint.h>

#include "base/task.h"

/* Replaces a square matrix by its factors L and U, in slices. Columns are exchanged where a pivot would be small.
 *
 * order  size: the column of the matrix that is at each place of U
 * LINEX_DEGENERATE if a pivot is zero or not finite; the matrix is then partly overwritten. */
linex_status linex_lu_advance(size_t size, double *matrix, uint32_t *order, linex_cursor *at, linex_slice *slice);

/* Solves A x = b with the factors from linex_lu_advance.
 *
 * x        size: on entry b, on return the solution
 * scratch  size */
void linex_lu_solve(size_t size, const double *factors, const uint32_t *order, double *x, double *scratch);

#endif
