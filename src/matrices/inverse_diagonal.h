/* inverse_diagonal.h: the Cholesky factor of a matrix together with the diagonal of its inverse, in blocks.
 *
 * It needs size^3 / 3 multiply-adds, half of them for the factor. Nearly all are dot products of rows that stay in the
 * cache, so for matrices of a few hundred rows it is several times as fast as linex_invert_advance.
 */
#ifndef LINEX_INVERSE_DIAGONAL_H
#define LINEX_INVERSE_DIAGONAL_H

#include "base/task.h"

/* Returns how many doubles the scratch needs. The result is a double because it cannot wrap around. */
double linex_inverse_diagonal_scratch(size_t size);

/* Replaces the lower half of a symmetric positive definite matrix by its Cholesky factor L, in slices. What was above
 * the diagonal is not read; it is replaced by numbers that only this function uses. linex_cholesky_solve takes the
 * result. Returns LINEX_DEGENERATE if a pivot is not above rounding error; the outputs are then undefined.
 *
 * matrix    size x size
 * scratch   linex_inverse_diagonal_scratch(size); not to be changed between two slices
 * diagonal  size: the diagonal of the inverse of the matrix */
linex_status linex_inverse_diagonal_advance(size_t size, double *matrix, double *scratch, double *diagonal,
                                            linex_cursor *at, linex_slice *slice);

#endif
