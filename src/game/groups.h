/* groups.h: draws environments faster, from sums over groups of samples.
 *
 * A fit sees its samples only through sums of products. These sums are taken once for each of LINEX_GROUPS groups
 * of samples. A draw of whole groups is then a weighted sum of LINEX_GROUPS short vectors, for any number of
 * samples. The samples are assigned to groups at random. So a bootstrap of groups has the same spread as a
 * bootstrap of samples, for any order of the samples. */
#ifndef LINEX_GROUPS_H
#define LINEX_GROUPS_H

#include "linex.h"
#include "base/matrix.h"

enum { LINEX_GROUPS = 256 };

typedef struct {
    size_t size;        /* features */
    bool centered;      /* whether the intercept is free */
    double *sums;       /* LINEX_GROUPS x triangle: sums of products of the columns: one, the features, the answer */
    double *center;     /* 1 + size + 1: subtracted before multiplying, so that the products keep their digits */
    double *point;      /* 1 + size + 1: scratch */
    double *drawn;      /* triangle: the sums of one environment */
    double *memory;     /* owns the arrays above */
    uint32_t *group_of; /* planned: the group of each sample; NULL once the sums are finished */
    bool found_center;  /* whether the center is known */
    size_t next;        /* the next planned sample to add */
} linex_groups;

/* Returns whether groups save time. A draw of samples reads every sample; a draw of groups adds longer vectors.
 * Groups are also refused if their sums take too much memory. */
bool linex_groups_are_worth_it(size_t count, size_t size);

/* Makes room for the sums of all groups. Release it with linex_groups_close, also after a failure.
 *
 * size      the number of fitted features
 * centered  whether the intercept is free
 * seed      of the assignment to groups */
linex_status linex_groups_open(linex_groups *groups, const linex_samples *samples, size_t size, bool centered,
                               uint64_t seed);

/* Computes the sums of all groups, in slices.
 *
 * points   the points of the samples, with the fitted features only
 * scratch  linex_moments_scratch(size) */
linex_status linex_groups_advance(linex_groups *groups, const linex_samples *samples, const linex_points *points,
                                  double *scratch, linex_slice *slice);

void linex_groups_close(linex_groups *groups);

/* Draws the environments, which must be LINEX_BOOTSTRAP or LINEX_HALVES.
 *
 * weights  players x LINEX_GROUPS: the weight of each group in each environment */
void linex_groups_draw(const linex_environment_settings *settings, uint64_t seed, uint64_t draw, double *weights);

/* Assigns each planned sample to a group. Sample 0 is in group 0.
 *
 * group_of  planned */
void linex_groups_assign(size_t planned, uint64_t seed, uint32_t *group_of);

/* Computes what linex_moments_take computes for samples whose weight is their own times that of their group. Does not
 * change moments->mean. */
void linex_groups_moments(linex_groups *groups, const double *weights, double ridge, linex_moments *moments);

#endif
