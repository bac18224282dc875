/* matrix.h: the dense kernels that all fits use.
 *
 * Matrices are row-major doubles. Nothing is allocated. Every sum is added up in a fixed order, so the native and the
 * WebAssembly build give the same bits.
 */
#ifndef LINEX_MATRIX_H
#define LINEX_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "linex.h"
#include "base/points.h"
#include "base/task.h"

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

/* The moments that a weighted least-squares fit needs from its samples. With total = sum(w):
 *
 *     gram[c][d] = (sum_i w_i (x_ic - mean_c)(x_id - mean_d)  +  ridge [c = d]) / total
 *     cross[c]   =  sum_i w_i (x_ic - mean_c)(y_i - answer_mean) / total
 *
 * If centered, the means are the weighted means; otherwise they are zero. If the samples have no weight (the total is
 * at most 1e-200), gram is the identity and cross is zero. The caller owns the arrays. */
typedef struct {
    double *gram;    /* columns x columns, symmetric, both halves filled */
    double *cross;   /* columns */
    double *mean;    /* columns */
    double *scratch; /* linex_moments_scratch(columns) */
    double answer_mean;
    double total;
} linex_moments;

/* Returns how many doubles the scratch needs. The result is a double because it cannot wrap around. */
double linex_moments_scratch(size_t columns);

/* Computes only the means and the total, in slices. gram and cross are not changed and may be NULL.
 *
 * answers  count
 * weights  count, none negative */
linex_status linex_means_advance(const linex_points *points, const double *answers, const double *weights,
                                 bool centered, linex_moments *moments, linex_cursor *at, linex_slice *slice);

/* Computes all moments. The contents of the arrays are replaced.
 *
 * answers  count
 * weights  count, none negative */
void linex_moments_take(const linex_points *points, const double *answers, const double *weights, bool centered,
                        double ridge, linex_moments *moments);

/* linex_moments_take in slices: see base/task.h. Nothing else may use the scratch until it is finished. */
linex_status linex_moments_advance(const linex_points *points, const double *answers, const double *weights,
                                   bool centered, double ridge, linex_moments *moments, linex_cursor *at,
                                   linex_slice *slice);

/* The most samples of linex_block_add. */
enum { LINEX_BLOCK = 64 };

/* Adds some samples to sums of products, in slices: with x_i - mean, and y_i - answer_mean, of the moments as given,
 *
 *     gram[c][d] += sum_i w_i x_ic x_id  for c <= d,   cross[c] += sum_i w_i x_ic y_i,   sums[c] += sum_i w_i x_ic.
 *
 * If moments->gram is NULL, only the sums are added up.
 *
 * count    of the samples, at most LINEX_BLOCK
 * samples  the indices of their points
 * sums     columns */
linex_status linex_block_add(const linex_points *points, const double *answers, const double *weights, size_t count,
                             const uint32_t *samples, linex_moments *moments, double *sums, linex_cursor *at,
                             linex_slice *slice);

/* The last step of linex_moments_take, for sums that were added up elsewhere. On entry, the upper half of gram and
 * cross hold the sums of the products, and total is set. On return, they hold the moments as defined above. */
void linex_moments_finish(size_t columns, double ridge, linex_moments *moments);

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
