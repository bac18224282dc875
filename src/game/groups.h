/* groups.h: further draws of the environments, from sums over groups of samples.
 *
 * A fit sees its samples only through sums of products. Taken once for each of a few hundred groups of samples, these
 * make a further draw a weighted sum of as many short vectors, however many samples there are. What is drawn, or dealt,
 * is then whole groups. Samples are put into groups by chance, so a bootstrap of groups is as wide as one of samples,
 * whatever their order. */
#ifndef LINEX_GROUPS_H
#define LINEX_GROUPS_H

#include "linex.h"
#include "base/matrix.h"

enum { LINEX_GROUPS = 256 };

typedef struct {
    size_t size;    /* features */
    bool centered;  /* whether the intercept is free */
    double *sums;   /* LINEX_GROUPS x a triangle: the products of one, the features and the answer */
    double *center; /* 1 + size + 1: what is taken off before multiplying, lest the products lose digits */
    double *point;  /* 1 + size + 1: scratch */
    double *drawn;  /* a triangle: the sums of one environment */
    double *memory;
} linex_groups;

/* Whether groups spare time: a draw of samples sees them all, one of groups handles longer sums; and there is an end to
 * the room that these take. */
bool linex_groups_are_worth_it(size_t count, size_t size);

/* points   the samples', with the features that are fitted
 * centered  whether the intercept is free
 * seed     of the groups
 * scratch  linex_moments_scratch(size)
 * Given back by linex_groups_close, also after a failure. */
linex_status linex_groups_open(linex_groups *groups, const linex_samples *samples, const linex_points *points,
                               bool centered, uint64_t seed, double *scratch);

void linex_groups_close(linex_groups *groups);

/* One draw of the environments, which must be bootstraps or disjoint random parts.
 *
 * weights  players x LINEX_GROUPS: how much of each group each of them has */
void linex_groups_draw(const linex_environment_settings *settings, uint64_t seed, uint64_t draw, double *weights);

/* The group of each planned sample. Sample 0 is in group 0.
 *
 * dealt  planned */
void linex_groups_deal(size_t planned, uint64_t seed, uint32_t *dealt);

/* As linex_moments_take, of samples that have their group's weight times their own. The mean is left as it was. */
void linex_groups_moments(linex_groups *groups, const double *weights, double ridge, linex_moments *moments);

#endif
