/* matrix.h: the small dense kernels that everything is fitted with. Row-major, doubles, no allocation.
 *
 * Every sum is taken in a fixed order, so the native and the WebAssembly build agree to the last bit.
 */
#ifndef LINEX_MATRIX_H
#define LINEX_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "linex.h"
#include "base/points.h"

/* Whether none of them is infinite or not a number. */
bool linex_all_finite(size_t count, const double *values);

double linex_dot(size_t size, const double *a, const double *b);

/* y += factor * x */
void linex_add_scaled(size_t size, double factor, const double *x, double *y);

/* y += factors[0] * rows[0], then the second, the third and the fourth: the bits of linex_add_scaled four times, at the
 * price of about two. */
void linex_add_four(size_t size, const double factors[4], const double *const rows[4], double *y);

/* y = A x for a size x size matrix. */
void linex_matrix_apply(size_t size, const double *matrix, const double *x, double *y);

/* What a weighted least-squares fit needs to know of its samples, and all that it needs. With total = sum(w):
 *
 *     gram[c][d] = (sum_i w_i (x_ic - mean_c)(x_id - mean_d)  +  ridge [c = d]) / total
 *     cross[c]   =  sum_i w_i (x_ic - mean_c)(y_i - answer_mean) / total
 *
 * where the means are the weighted ones when centered, and zero when not. Samples without any weight (a total
 * below 1e-200) have nothing to say: gram is then the identity and cross is zero. */
typedef struct {
    double *gram;    /* width x width, symmetric, both halves filled */
    double *cross;   /* width */
    double *mean;    /* width */
    double *scratch; /* linex_moments_scratch(width) */
    double answer_mean;
    double total;
} linex_moments;

/* How many doubles of scratch it takes; a double itself, which cannot wrap. */
double linex_moments_scratch(size_t width);

/* The means and the total alone; gram and cross may be NULL and are left as they are.
 *
 * answers  count
 * weights  count, none negative */
void linex_means_take(const linex_points *points, const double *answers, const double *weights, bool centered,
                      linex_moments *moments);

/* All of it. The arrays of the moments are the caller's; their contents are replaced. */
void linex_moments_take(const linex_points *points, const double *answers, const double *weights, bool centered,
                        double ridge, linex_moments *moments);

/* The last step of it: makes sums of the products and their total, the upper half of gram and cross as they were added
 * up, what is said above. */
void linex_moments_finish(size_t width, double ridge, linex_moments *moments);

/* Replaces the lower half of a symmetric positive definite matrix by its Cholesky factor.
 * LINEX_DEGENERATE if a pivot is not above rounding error; the matrix is then half-done. */
linex_status linex_cholesky(size_t size, double *matrix);

/* Solves L L' x = b in place, b in x, with the factor from linex_cholesky. */
void linex_cholesky_solve(size_t size, const double *factor, double *x);

/* The inverse of any square matrix, by Gauss-Jordan with row pivoting. The matrix is destroyed.
 * LINEX_DEGENERATE if a pivot vanishes; the inverse is then meaningless. */
linex_status linex_invert(size_t size, double *matrix, double *inverse);

#endif
