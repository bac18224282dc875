/* joint_fit.h: a weighted ridge fit of the features together with control variates, and its leave-one-out error.
 *
 * The columns of the fit are the features, then terms (any numbers, one per sample; after the free ones, 0 or 1), then steps. A step is 1 if a
 * column is above one of six knots, otherwise 0, so it is stored as a level from 0 to 6. Their products are then sums
 * over levels, which cost much less than products of 60 columns. All columns have their weighted mean subtracted. */
#ifndef LINEX_JOINT_FIT_H
#define LINEX_JOINT_FIT_H

#include "linex.h"
#include "matrices/moments.h"

enum { LINEX_KNOTS = 6 };

/* Where the knots are, in spreads from the mean. The density of the normal distribution there is the slope of a step, and the
 * probability above is its mean. */
extern const double linex_knots[LINEX_KNOTS], linex_knot_densities[LINEX_KNOTS], linex_knot_shares[LINEX_KNOTS];

typedef struct {
    size_t count, features;     /* the first `count` points are fitted */
    const linex_points *points; /* count x features */
    const double *weights;      /* count */
    const double *answers;      /* count */
    size_t terms;               /* terms of each sample; the caller may change it before it fills them */
    size_t free_terms;          /* how many of them may be any numbers; the caller sets it */
    size_t smooth_terms;        /* how many of the free ones are no products of rows; the caller sets it */
    size_t stepped;             /* columns with steps */
    size_t stride;              /* from one sample to the next in `dense` */
    double *dense;              /* count x stride: the features, less their means, then the terms */
    double *term;               /* the terms of the first sample: the caller fills them; then they lose their mean */
    uint8_t *
        level; /* one row of `stepped` per point, also for points that are not fitted: how many knots are below the value; the caller fills it */
    double *term_mean;     /* terms */
    double *step_mean;     /* stepped x LINEX_KNOTS */
    double *gram;          /* size x size, lower half: sums of products of the columns */
    double *cross;         /* size: sums of products with the answers */
    double *coefficients;  /* size: of the latest trial */
    double *heights;       /* stepped x (LINEX_KNOTS + 1): what the steps of a column add at each level */
    double *residuals;     /* count: leave-one-out residuals of the latest trial */
    linex_moments moments; /* of the features */
    double *factor;        /* size x size */
    double *row, *solved;  /* size: scratch */
    double *buckets;       /* sums by level */
    double *memory;        /* owns the arrays of doubles */
    linex_cursor cursor, inner;
    size_t stage;
    double effective; /* the trace of the hat matrix, without the intercept */
    double error;     /* the leave-one-out error of the trial so far */
} linex_joint;

/* One fit: the first `terms` terms, and no steps, or all terms and all steps. */
typedef struct {
    size_t terms;
    bool steps;
    double ridge, term_ridge, step_ridge; /* penalties of the squared coefficients, as scikit-learn's alpha; that of
                                             steps is also that of the terms after the free ones */
    double pair_ridge;                    /* that of the free terms after the smooth ones */
} linex_trial;

/* Makes room. Release it with linex_joint_close, also after a failure. The inputs are kept, not copied.
 *
 * terms  the largest number of terms */
linex_status linex_joint_open(linex_joint *joint, const linex_points *points, const double *weights,
                              const double *answers, size_t count, size_t terms, size_t stepped);
void linex_joint_close(linex_joint *joint);

/* Takes the moments of the features, in slices. */
linex_status linex_joint_features_advance(linex_joint *joint, linex_slice *slice);

/* Takes the products of the terms and steps, in slices, each time the caller has filled them. */
linex_status linex_joint_products_advance(linex_joint *joint, linex_slice *slice);

/* Returns the number of columns of a trial. */
size_t linex_joint_size(const linex_joint *joint, const linex_trial *trial);

/* Fits, in slices, and finds joint->coefficients, joint->residuals and joint->error: the weighted sum of squares of
 *
 *     residual_i / (1 - leverage_i).
 *
 * If there are many samples, they share the sum of the leverages in proportion to their weights, which is fast.
 * LINEX_DEGENERATE if the fit is singular. */
linex_status linex_joint_try_advance(linex_joint *joint, const linex_trial *trial, linex_slice *slice);

/* Goes back to the coefficients of an earlier trial.
 *
 * coefficients  linex_joint_size(joint, trial) */
void linex_joint_recall(linex_joint *joint, const linex_trial *trial, const double *coefficients);

/* Returns what the latest trial predicts, or the one that was recalled, less the mean answer.
 *
 * row     features and terms, with their means subtracted
 * level   stepped */
double linex_joint_predict(const linex_joint *joint, const linex_trial *trial, const double *row,
                           const uint8_t *level);

#endif
