/* groups.h: draws environments faster, from sums over groups of samples.
 *
 * A fit sees its samples only through sums of products. These sums are taken once for each group of samples. A draw of
 * whole groups is then a weighted sum of a few short vectors, for any number of samples.
 *
 * For LINEX_BOOTSTRAP there are LINEX_GROUPS groups, and the samples are assigned to them at random. So a bootstrap of
 * groups has the same spread as a bootstrap of samples, for any order of the samples. For LINEX_HALVES the groups are
 * the runs of sample_runs.h. */
#ifndef LINEX_GROUPS_H
#define LINEX_GROUPS_H

#include "linex.h"
#include "matrices/moments.h"

enum { LINEX_GROUPS = 256 };

typedef struct {
    size_t count;       /* groups */
    size_t size;        /* features */
    bool centered;      /* whether the intercept is free */
    bool complete;      /* whether the samples are all there are */
    double *sums;       /* count x triangle: sums of products of the columns: one, the features, the answer */
    double *all;        /* triangle: the sums of all groups; filled for runs only */
    double *center;     /* 1 + size + 1: subtracted before multiplying, so that the products keep their digits */
    double *varies;     /* 1 + size + 1: scratch */
    double *drawn;      /* triangle: the sums of one environment */
    double *gram;       /* size x size: the products of the features of one group */
    double *cross;      /* size: their products with the answer */
    double *feature;    /* size: their sums */
    double *memory;     /* owns the arrays above */
    uint32_t *order;    /* count: scratch */
    uint32_t *point_of; /* planned: the points of all samples with a weight, group by group */
    size_t *ends;       /* count: where each group ends in point_of */
    bool found_center;  /* whether the center is known */
    size_t group;       /* the next one to sum up */
    size_t next;        /* its next sample, in point_of */
    linex_cursor cursor;
} linex_groups;

/* Returns whether groups save time, for bootstraps. A draw of samples reads every sample; a draw of groups adds longer
 * vectors. Groups are also refused if their sums take too much memory. */
bool linex_groups_are_worth_it(size_t count, size_t size);

/* Returns whether the sums of this many runs do not take too much memory. */
bool linex_runs_fit(size_t runs, size_t size);

/* Makes room for the sums of all groups. Release it with linex_groups_close, also after a failure.
 *
 * environments  LINEX_BOOTSTRAP or LINEX_HALVES
 * size          the number of fitted features
 * centered      whether the intercept is free
 * seed          of the assignment to groups */
linex_status linex_groups_open(linex_groups *groups, const linex_samples *samples,
                               const linex_environment_settings *environments, size_t size, bool centered,
                               uint64_t seed);

/* Computes the sums of all groups, in slices.
 *
 * points   the points of the samples, with the fitted features only
 * scratch  linex_moments_scratch(size) */
linex_status linex_groups_advance(linex_groups *groups, const linex_samples *samples, const linex_points *points,
                                  double *scratch, linex_slice *slice);

void linex_groups_close(linex_groups *groups);

/* Draws the environments, which must be those that the groups were opened for.
 *
 * weights  players x count: the weight of each group in each environment */
void linex_groups_draw(const linex_groups *groups, const linex_environment_settings *settings, uint64_t seed,
                       uint64_t draw, double *weights);

/* Computes what linex_moments_take computes for samples whose weight is their own times that of their group. Does not
 * change moments->mean.
 *
 * weights  count */
void linex_groups_moments(linex_groups *groups, const double *weights, double ridge, linex_moments *moments);

/* The same for runs, with a ridge that is shared: environments get it in proportion to their weight, so that the fit
 * of a half is that of all samples but for its noise. */
void linex_runs_moments(linex_groups *groups, const double *weights, double ridge, linex_moments *moments);

/* The moments of all runs, or of all except one; the ridge is shared.
 *
 * without  the run that is left out, or count for none */
void linex_runs_moments_without(linex_groups *groups, size_t without, double ridge, linex_moments *moments);

/* Returns the weight of one run's samples. */
double linex_run_weight(const linex_groups *groups, size_t run);

#endif
