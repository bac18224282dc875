/* kriging_kernels.h: the kernels of kriging on one set of points, and the exact linear parts of what they span.
 *
 * Coordinates are in units from the mean under the kernel: z = (x - mean) / unit; a binary column has unit 1. Columns
 * that do not vary are left out; d columns remain. There are three kernels:
 *
 *     products   z . z'
 *     steps      the share of equal answers to "is z above the knot?", over the knots of a column and over columns; a
 *                binary column has one such question
 *     bells      exp(-|z - z'|^2 / (2 length^2 d))
 *
 * The linear part of a function of independent columns is its best linear approximation under their law: a constant
 * plus slopes times z. For steps and bells it is known in closed form. */
#ifndef LINEX_KRIGING_KERNELS_H
#define LINEX_KRIGING_KERNELS_H

#include <stdint.h>

#include "adjust/law.h"

typedef struct {
    size_t count, columns;
    size_t words; /* per point in `answers` */
    linex_column_law
        *laws;         /* columns: in the units of z, except that the mean of a binary column is its share of 1 */
    double *z;         /* count x columns */
    double *squares;   /* count: |z|^2 */
    uint64_t *answers; /* count x words: bit by bit, whether z is above each knot */
} linex_kernel_points;

/* Prepares the kernels. Returns false if there is not enough memory. Close the points in either case.
 *
 * points  count x feature_count
 * laws    feature_count */
bool linex_kernel_points_open(size_t count, size_t feature_count, const double *points, const linex_column_law *laws,
                              linex_kernel_points *opened);

void linex_kernel_points_close(linex_kernel_points *points);

/* Computes the products of `rows` points from `first` on with the points 0 .. columns-1.
 *
 * products  rows x columns, the rows `stride` apart */
void linex_kernel_products(const linex_kernel_points *points, size_t first, size_t rows, size_t columns,
                           double *products, size_t stride);

/* Computes the steps between one point and the points 0 .. columns-1. */
void linex_kernel_steps(const linex_kernel_points *points, size_t index, size_t columns, double *steps);

/* Computes the bells between one point and the points 0 .. columns-1, from the products of the same points. */
void linex_kernel_bells(const linex_kernel_points *points, size_t index, size_t columns, double length,
                        const double *products, double *bells);

/* A linear part: constant + slopes . z. */
typedef struct {
    double constant;
    double *slopes; /* one per column of z */
} linex_linear_part;

/* Adds the linear part of factor * sum over i of coefficients[i] * steps(z, z_i). */
void linex_kernel_add_step_part(const linex_kernel_points *points, double factor, const double *coefficients,
                                linex_linear_part *part);

/* Adds the linear part of factor * sum over i of coefficients[i] * bells(z, z_i). */
void linex_kernel_add_bell_part(const linex_kernel_points *points, double length, double factor,
                                const double *coefficients, linex_linear_part *part);

#endif
