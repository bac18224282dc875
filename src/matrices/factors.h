/* factors.h: Cholesky factors and inverses of square matrices, row-major.
 *
 * Every sum is added up in a fixed order, so the native and the WebAssembly build give the same bits. */
#ifndef LINEX_FACTORS_H
#define LINEX_FACTORS_H

#include "linex.h"
#include "base/task.h"

/* Replaces the lower half of a symmetric positive definite matrix by its Cholesky factor.
 * Returns LINEX_DEGENERATE if a pivot is not above rounding error; the matrix is then partly overwritten. */
linex_status linex_cholesky(size_t size, double *matrix);

/* linex_cholesky in slices. */
linex_status linex_cholesky_advance(size_t size, double *matrix, linex_cursor *at, linex_slice *slice);

/* Solves L L' x = b with the factor L from linex_cholesky. On entry x holds b, on return the solution. */
void linex_cholesky_solve(size_t size, const double *factor, double *x);

/* Computes the inverse of a square matrix in slices, by Gauss-Jordan elimination with row pivoting. The matrix is
 * overwritten. Returns LINEX_DEGENERATE if a pivot is zero or not finite; the inverse is then undefined. */
linex_status linex_invert_advance(size_t size, double *matrix, double *inverse, linex_cursor *at, linex_slice *slice);

#endif
