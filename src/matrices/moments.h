/* moments.h: the weighted means and products of samples that least-squares fits need.
 *
 * Every sum is added up in a fixed order, so the native and the WebAssembly build give the same bits. */
#ifndef LINEX_MOMENTS_H
#define LINEX_MOMENTS_H

#include <stdbool.h>

#include "linex.h"
#include "base/points.h"
#include "base/task.h"

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

#endif
