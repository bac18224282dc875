/* mask_covariance.h: the covariance of kriging on masks, and the linear part of what it spans.
 *
 * See mask_kriging.h for the formula. */
#ifndef LINEX_MASK_COVARIANCE_H
#define LINEX_MASK_COVARIANCE_H

#include "adjust/mask_kriging.h"

/* Returns a value of a grid: by its index, or that of some settings. */
double linex_mask_value_at(size_t grid, size_t index);
double linex_mask_value_of(const linex_mask_settings *settings, size_t grid);

/* Writes one row of the covariance, up to its diagonal, from the kernels of the sample with those before it. */
void linex_mask_covariance_row(const linex_mask_kriging *kriging, const linex_mask_settings *chosen, size_t row,
                               const double *agreement, const double *terms, const double *products,
                               const double *bells, double *to);

/* Computes the dot products of some rows with the first rows of all.
 *
 * size      of a row; may be 0
 * products  rows x columns, the rows `stride` apart */
void linex_mask_multiply(size_t size, size_t rows, const double *some, size_t columns, const double *all,
                         double *products, size_t stride);

/* Returns how many terms there are. */
size_t linex_mask_terms_of(const linex_mask_kriging *kriging);

/* Computes the terms and the products of a sample. Products have their linear parts subtracted.
 *
 * term     LINEX_MASK_TERMS
 * product  products */
void linex_mask_fill_terms(linex_mask_kriging *kriging, size_t i, double *term, double *product);

/* Returns the value of a setting that was chosen. */
double linex_mask_kriging_value(const linex_mask_kriging *kriging, size_t grid);

/* Returns the variance of the constant. */
double linex_mask_kriging_constant(void);

/* Computes the linear part of the covariance with fitted sample i, without the constant's own part: slopes times mask plus
 * the constant that is returned. That of the linear kernel is left out of `rest`.
 *
 * slopes, rest  parts */
double linex_mask_kriging_part(linex_mask_kriging *kriging, size_t i, double *slopes, double *rest);

/* Computes how much m of the covariance with the fitted samples predicts at any sample, and what all of it predicts. */
void linex_mask_kriging_predict(linex_mask_kriging *kriging, size_t i, double *rest, double *all);

#endif
