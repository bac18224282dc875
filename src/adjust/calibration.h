/* calibration.h: gives adjusted answers residuals of the right size.
 *
 * Fits read the noise of the answers from residuals. Those of adjusted answers are too small, because the control
 * variates were fitted to the same answers; leave-one-out residuals e are not. And designed samples balance each other
 * in runs that are longer than those that halves are made of, so that the fit to all samples is more certain than the
 * runs say, by a factor kappa. With the weighted projection P on the features and a constant, the calibrated answers are
 *
 *     P y + sqrt(kappa) (I - P) e.
 *
 * Every fit to all samples, with any ridge and any of the features, is that of the adjusted answers y.
 *
 * kappa: take influences (X'WX + ridge)^-1 x_i w_i e_i and sum them over runs of L samples. For the longest runs, the
 * logarithm of the sum of their squares is about a line in log2 L. It is extended to one run of all samples, and
 * compared with the runs of the halves. If the variance of the weights is known, kappa is that variance divided by what these
 * runs show. */
#ifndef LINEX_CALIBRATION_H
#define LINEX_CALIBRATION_H

#include "linex.h"
#include "matrices/moments.h"

typedef struct {
    const linex_samples *samples;
    const linex_points *points;
    const double *totals;    /* count: the weight of all copies of a point */
    const double *residuals; /* count: leave-one-out */
    double *answers;         /* count: adjusted on entry, calibrated on return */
    double ridge;
    double variance; /* of the weights, on average; 0 if it is not known */
    size_t players;  /* of the halves; 0 if the environments draw samples, not runs */
    uint64_t seed;
    size_t pooled; /* features whose influences are pooled */
    double kappa;
    linex_moments moments;
    double *factor;         /* features x features */
    double *aside, *rest;   /* count: what the features do not explain of the residuals and of the answers */
    double *slopes, *point; /* features: of the residuals and of the answers; those of a few samples */
    double *directions;     /* pooled x features: rows of the inverse */
    double *influences;     /* planned x pooled */
    double *sums;           /* 2 x pooled */
    double *memory;         /* owns the arrays of doubles above, except the answers */
    uint32_t *run_of;       /* planned */
    size_t pass;
    linex_cursor cursor, inner;
} linex_calibration;

/* Makes room. Release it with linex_calibration_close, also after a failure. The caller has filled the fields from
 * `samples` to `seed`, and cleared the others. */
linex_status linex_calibration_open(linex_calibration *calibration);
void linex_calibration_close(linex_calibration *calibration);

/* Calibrates the answers, in slices. If that is not possible, the answers stay as they are. */
linex_status linex_calibration_advance(linex_calibration *calibration, linex_slice *slice);

#endif
