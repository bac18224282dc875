/* kriging_kernels.h: the kernels of kriging on one set of points, and the exact linear parts of what they span.
 *
 * Coordinates are in units from the mean under the kernel of the law: (x - mean) / unit; a binary column has unit 1.
 * Columns that do not vary are left out; d columns remain. Each has a relevance r_j, 1 on average, and z_j is the
 * coordinate times the root of r_j. There are three kernels:
 *
 *     products   z . z'
 *     steps      the mean over columns of r_j times the share of equal answers to "is the coordinate above the knot?"
 *                over the knots; a binary column has one such question
 *     bells      exp(-(|z - z'|^2 + apart) / (2 length^2 d))
 *
 * If the levels behind a binary column are known, its question is "which level?", and samples with different levels are
 * r_j apart although their coordinates may be equal: `apart` is the sum of these r_j.
 *
 * The linear part of a function of independent columns is its best linear approximation under their law: a constant
 * plus slopes times z. For steps and bells it is known in closed form. */
#ifndef LINEX_KRIGING_KERNELS_H
#define LINEX_KRIGING_KERNELS_H

#include "adjust/law.h"

typedef struct {
    size_t count, columns;
    linex_column_law
        *laws; /* columns: of the coordinates, but the mean of a binary column is its share of ones; the unit
                               is the root of the relevance */
    double *coordinates; /* count x columns */
    double *z;           /* count x columns */
    double *squares;     /* count: |z|^2 */
    double *levels;      /* columns x count: how many knots are below the coordinate */
    uint32_t
        *others;    /* columns x count: 0 if the level is the row's or not known, otherwise one more than the level */
    double *shares; /* columns x count: the probability of this level among those other than the row's; 1 for 0 */
    bool any_levels; /* whether any levels are known */
} linex_kernel_points;

/* Prepares the kernels, with equal relevances. Returns false if there is not enough memory. Close the points in either case.
 *
 * points  count x feature_count
 * laws    feature_count
 * levels  NULL if they are not known */
bool linex_kernel_points_open(size_t count, size_t feature_count, const double *points, const linex_column_law *laws,
                              const linex_levels *levels, linex_kernel_points *opened);

void linex_kernel_points_close(linex_kernel_points *points);

/* Sets the relevance of each column, and z with it.
 *
 * relevance  columns, positive; NULL for equal relevances */
void linex_kernel_points_weigh(linex_kernel_points *points, const double *relevance);

/* Computes the products of `rows` points from `first` on with the points 0 .. columns-1.
 *
 * products  rows x columns, the rows `stride` apart */
void linex_kernel_products(const linex_kernel_points *points, size_t first, size_t rows, size_t columns,
                           double *products, size_t stride);

/* Computes how far one point is apart from the points 0 .. columns-1 by levels that their coordinates do not show. */
void linex_kernel_apart(const linex_kernel_points *points, size_t index, size_t columns, double *apart);

/* Computes the steps between one point and the points 0 .. columns-1. */
void linex_kernel_steps(const linex_kernel_points *points, size_t index, size_t columns, const double *apart,
                        double *steps);

/* Computes the bells between one point and the points 0 .. columns-1, from the products of the same points. */
void linex_kernel_bells(const linex_kernel_points *points, size_t index, size_t columns, double length,
                        const double *products, const double *apart, double *bells);

/* A linear part: constant + slopes . z. */
typedef struct {
    double constant;
    double *slopes; /* one per column of z */
} linex_linear_part;

/* Adds the linear part of factor * sum over i < count of coefficients[i] * steps(z, z_i). */
void linex_kernel_add_step_part(const linex_kernel_points *points, size_t count, double factor,
                                const double *coefficients, linex_linear_part *part);

/* Adds the linear part of factor * sum over i < count of coefficients[i] * bells(z, z_i). */
void linex_kernel_add_bell_part(const linex_kernel_points *points, size_t count, double length, double factor,
                                const double *coefficients, linex_linear_part *part);

#endif
