/* matrix.h: dot products, sums of rows, and matrices times vectors.
 *
 * Matrices are row-major doubles. Nothing is allocated. Every sum is added up in a fixed order, so the native and the
 * WebAssembly build give the same bits.
 */
#ifndef LINEX_MATRIX_H
#define LINEX_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

/* Whether no value is infinite or NaN. */
bool linex_all_finite(size_t count, const double *values);

/* Returns the sum of a[i] * b[i]. */
double linex_dot(size_t size, const double *a, const double *b);

/* y += factor * x */
void linex_add_scaled(size_t size, double factor, const double *x, double *y);

/* y += factors[i] * rows[i] for i = 0, 1, 2, 3 in this order. It gives the same bits as four calls of
 * linex_add_scaled and costs about as much as two. */
void linex_add_four(size_t size, const double factors[4], const double *const rows[4], double *y);

/* y = A x, each entry with the bits of linex_dot.
 *
 * matrix  count rows of `size` numbers, `stride` apart
 * y       count */
void linex_rows_apply(size_t count, size_t size, const double *matrix, size_t stride, const double *x, double *y);

/* y = A x for a matrix A of size x size. */
void linex_matrix_apply(size_t size, const double *matrix, const double *x, double *y);

#endif
