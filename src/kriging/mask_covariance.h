/* mask_covariance.h: the state of kriging on masks, its covariance, and the linear part of what that spans.
 *
 * mask_kriging.h has the formula. */
#ifndef LINEX_MASK_COVARIANCE_H
#define LINEX_MASK_COVARIANCE_H

#include "adjust/bend_terms.h"
#include "kriging/mask_kernel.h"
#include "base/task.h"
#include "matrices/moments.h"

/* Settings are indices into grids. */
enum {
    LINEX_MASK_LINE,
    LINEX_MASK_BELLS,
    LINEX_MASK_REACH,
    LINEX_MASK_NUGGET,
    LINEX_MASK_TERMS_SIZE,
    LINEX_MASK_PRODUCTS_SIZE,
    LINEX_MASK_GRIDS,
    LINEX_MASK_VALUES = 4,
    LINEX_MASK_CANDIDATES = 4096 /* 4^6 */
};

typedef struct {
    uint8_t index[LINEX_MASK_GRIDS];
} linex_mask_settings;

typedef struct {
    linex_mask_kernel kernel;
    linex_terms terms;
    const linex_points *points;
    size_t parts, fitted, tried; /* the first samples are fitted, and settings are tried on the first of these */
    bool computable;             /* whether all numbers are within range and the answers vary */
    bool aimed;                  /* whether there are terms */
    size_t products;             /* how many there are; 0 before the terms are aimed */
    double mean, scale;          /* of the answers, weighted */
    double *weights;             /* count */
    double *standard;            /* count: the answers in standard deviations from their mean */
    double *noise;               /* fitted: the mean weight divided by the weight */
    double *term;                /* fitted x LINEX_MASK_TERMS: the terms */
    double *product;             /* fitted x products: the products less their linear parts */
    double *values;              /* the terms and products of one sample */
    double *kernels; /* 3 + VALUES matrices of tried x tried: agreement, terms, products, bells of each reach */
    double *matrix;  /* fitted x fitted: the covariance, then its factor; of fewer samples while settings are tried */
    double *scratch; /* for linex_inverse_diagonal_advance */
    double *diagonal;                     /* fitted: the diagonal of the inverse */
    double *solution;                     /* fitted: the inverse times the standardized answers */
    double *rows;                         /* 2 x ROWS x fitted: terms and products */
    double *slopes, *part;                /* parts: of the posterior mean; of the kernel of one sample */
    double *point;                        /* parts */
    double *relevance;                    /* parts: the better one */
    double errors[LINEX_MASK_CANDIDATES]; /* the error of each candidate that was tried, otherwise -1 */
    linex_mask_settings choice;
    double error, lime_error; /* of the choice, and of LIME's fit */
    linex_moments moments;    /* of all samples, if not all are fitted; its gram becomes the factor */
    double *memory;           /* owns the arrays of the moments */
    linex_cursor at, inner;
} linex_mask_kriging;

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
