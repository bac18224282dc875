/* mask_kriging.h: kriging of the answers to masks: its settings, and its posterior mean.
 *
 * The answers, in standard deviations from their mean, are taken as a Gaussian process with the covariance
 *
 *     100 + l agreement + f bell + t terms . terms' / 7 + 4 p products . products' / P
 *         + g (mean weight / weight) [same sample]
 *
 * agreement and bell are those of mask_kernel.h, the terms those of bend_terms.h. The P products are those of neighbors
 * there, each less its linear part; with many parts there are none. Each prediction is thus a constant, a linear function,
 * and what is left, m. Its linear part under the law of the masks is known exactly. The noise of a sample is inverse to its
 * weight, because the answers to masks of small weight need not be met.
 *
 * The settings l, f, t, p, g and the reach of the bells have the smallest leave-one-out error found, weighted and on the
 * first samples: first for equal relevances, without terms and products, then for relevances and terms along the slopes of
 * that fit, or along those of least squares if there are more samples than are fitted. */
#ifndef LINEX_MASK_KRIGING_H
#define LINEX_MASK_KRIGING_H

#include "adjust/bend_terms.h"
#include "adjust/mask_kernel.h"
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

/* Makes room. The points and the law are kept, not copied. Close it in either case.
 *
 * points   masks
 * law      with sizes
 * weights  count, none negative
 * answers  count
 * fitted   at most this many samples are fitted */
linex_status linex_mask_kriging_open(const linex_points *points, const linex_law *law, const double *weights,
                                     const double *answers, size_t fitted, linex_mask_kriging *opened);
void linex_mask_kriging_close(linex_mask_kriging *kriging);

/* Chooses settings and finds the posterior mean, in slices. It cannot fail: if the numbers are too large to compute with,
 * `computable` becomes false. */
linex_status linex_mask_kriging_advance(linex_mask_kriging *kriging, linex_slice *slice);

#endif
