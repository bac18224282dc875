/* wide_fits.h: ridge fits of a wide game's samples, in the smaller of two forms. */
#ifndef LINEX_WIDE_FITS_H
#define LINEX_WIDE_FITS_H

#include "wide/wide_form.h"

/* Rows of a product that are computed in one unit of work. */
enum { LINEX_WIDE_ROWS = 16 };

/* The place of a fit in its work, and its arrays. The arrays belong to the caller and are shared with other steps. */
typedef struct {
    linex_cursor at, inner;
    size_t on;       /* samples with a weight */
    double *matrix;  /* size x size, size = min(samples, features) */
    double *panel;   /* max(samples, features) x LINEX_CHUNK */
    double *vector;  /* max(samples, features) */
    uint32_t *where; /* samples: those with a weight */
} linex_wide_fit;

/* Fits the answers under one set of weights, in slices. With fewer samples than features it solves the system of the
 * samples (the kernel form), otherwise that of the features.
 *
 * weights       samples, none negative
 * coefficients  features
 * LINEX_DEGENERATE if rounding makes the system singular. */
linex_status linex_wide_fit_advance(const linex_wide_form *form, const double *weights, linex_wide_fit *fit,
                                    double *coefficients, linex_slice *slice);

#endif
