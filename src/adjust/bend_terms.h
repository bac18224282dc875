/* bend_terms.h: smooth terms along a fitted direction, whose linear part under the law of the samples is known.
 *
 * Rows. Let t be the fitted sum over the normal columns, standardized under the law, r^2 the squared distance from the
 * mean in spreads, d the number of normal columns, and q the fitted sum over the binary columns, standardized. Then
 *
 *     t^2 - 1,  t^3 - 3t,  t (r^2 - d - 2) / sqrt(d),  (r^2 - d) / sqrt(d),  t q
 *
 * have mean zero and no linear part, and the slopes of q^2 - 1 are direction_c^2 (1 - 2 mean_c). Products of two of the
 * leading columns, standardized, may follow: the columns are independent, so they have no linear part either. Then come
 * steps of t and levels, which are 0 or 1. The slopes of "t is above the knot" are the density at the knot times the direction. A sample
 * with another level than the row has level l with a known probability, so the slope of "it has level l" is minus this
 * probability, in the column of the level.
 *
 * Masks. Let t be the fitted sum over the kept parts and s their number, both standardized. The terms are t^2, ts, s^2,
 * t^3, t^2 s, t s^2, s^3. Their linear parts follow from power sums of the direction, because all masks of a size are
 * equally likely. Products of parts may follow: 1 if all of them are kept, otherwise 0. First those of neighbors, if
 * there are few parts: parts c and c + 1, then c and c + 2 as well as all three, because a model of texts may read two
 * words together, or two words if the one between them is gone. Then the pairs of the leading parts. */
#ifndef LINEX_BEND_TERMS_H
#define LINEX_BEND_TERMS_H

#include "adjust/law.h"

enum { LINEX_SQUARES = 3, LINEX_MASK_TERMS = 7, LINEX_SIZE_MOMENTS = 4 };
enum {
    LINEX_MOST_ROW_PAIRED = 8, /* leading columns that are paired with each other */
    LINEX_MOST_PAIRED = 12,    /* leading parts that are paired with each other */
    LINEX_PAIRED_IN_LINE = 8,  /* the same if neighbors are terms, because more would take too long */
    LINEX_MOST_IN_LINE = 32,   /* with more parts, neighbors are no terms: it would take too long */
    LINEX_MOST_PRODUCTS = 3 * (LINEX_MOST_IN_LINE - 1) + LINEX_MOST_PAIRED * (LINEX_MOST_PAIRED - 1) / 2,
    LINEX_MOST_TERMS = LINEX_MASK_TERMS + LINEX_MOST_PRODUCTS,
    LINEX_PRODUCT_SETS = 3,
    LINEX_MOST_LEVELS = 48 /* levels that are terms */
};

/* A product of parts; that of a pair repeats the last part. */
typedef struct {
    uint8_t parts[3];
} linex_product;

/* A level as a term. */
typedef struct {
    uint32_t column, level;
    double share; /* the probability of the level, given that it is not the row's */
    double size;  /* the variance of the term that its linear part leaves */
} linex_level_term;

typedef struct {
    size_t features;
    size_t count;             /* terms; 0 if the law has nothing to bend */
    size_t free;              /* how many of them may be any numbers; those after them are 0 or 1 */
    size_t smooth;            /* of rows: the free ones without products */
    size_t normals, binaries; /* columns that vary */
    const linex_law *law;
    linex_column_law *columns; /* features: the laws of rows; NULL for masks */
    double *direction;         /* features: the factors of t and q */
    double *slopes;            /* count x features: linear parts, around `origin` */
    double *origin;            /* features: the means of the columns; zeros for masks */
    double constants[LINEX_MOST_TERMS];
    linex_level_term levels[LINEX_MOST_LEVELS]; /* of rows: the last terms */
    size_t level_count;
    linex_product products[LINEX_MOST_PRODUCTS]; /* of rows: pairs, the last free terms; of masks: the terms after the
                                                    first seven */
    size_t sets[LINEX_PRODUCT_SETS];             /* of masks: how many terms there are with close neighbors, with all
                                                    neighbors, and with all products; some may be equal */
    double shift;                                /* of masks: subtracted from the fitted sum */
    double size_mean, size_spread;               /* of masks */
    double share, variance, shared;        /* of a part: how often it is kept; variance and covariance of two parts */
    double moments[5][LINEX_SIZE_MOMENTS]; /* of masks: the mean of (share of ordered tuples of k kept parts) s^m */
} linex_terms;

/* Makes room. Release it with linex_terms_close, also after a failure. The law is kept, not copied. */
linex_status linex_terms_open(linex_terms *terms, const linex_law *law, size_t features);
void linex_terms_close(linex_terms *terms);

/* Sets the direction, and finds the linear parts. Returns false if the sum does not vary along it.
 *
 * weights  features */
bool linex_terms_aim(linex_terms *terms, const double *weights);

/* Returns the most terms that there can be after linex_terms_multiply. */
size_t linex_terms_most(const linex_terms *terms);

/* Adds products to terms that have been aimed. Rows: of the columns with the largest weights, in spreads. Masks: of
 * neighbors, and of the parts with the largest weights; without a third part, a pair is a sum of the other terms, and
 * nothing is added.
 *
 * weights  features; changed */
void linex_terms_multiply(linex_terms *terms, double *weights);

/* Computes the terms of one point.
 *
 * index   of the sample, for its levels
 * point   features
 * values  count */
void linex_terms_fill(const linex_terms *terms, size_t index, const double *point, double *values);

#endif
