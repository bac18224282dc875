/* environments.h: the functions of environments.c that are not public, for other files of the core. */
#ifndef LINEX_ENVIRONMENTS_H
#define LINEX_ENVIRONMENTS_H

#include "linex.h"
#include "base/random.h"
#include "base/task.h"
#include "environments/sample_runs.h"
#include "environments/sides.h"

/* Returns whether every planned sample has a point. */
bool linex_point_indices_are_valid(const linex_samples *samples);

/* Checks the arguments of linex_environments_draw. */
bool linex_environments_are_good(const linex_samples *samples, const linex_environment_settings *settings);

/* The state of k-means; the arrays are NULL for other kinds. */
typedef struct {
    double *positions; /* players x feature_count: the centers; owns the arrays of doubles below */
    double *sums;      /* players x feature_count: the sum of the points of each center */
    double *sizes;     /* players: the number of the points of each center */
    double *scratch;   /* feature_count */
    double *squares;   /* count: the squared distance of each point from the nearest of the placed centers */
    uint32_t *labels;  /* count: the center of each point */
    size_t placed;     /* centers */
    size_t rounds;
    bool moving; /* whether a point has changed its center in this round */
    bool moved;  /* the same for the last finished round */
} linex_clusters;

/* Draws environments again and again, with one set of arrays. */
typedef struct {
    const linex_samples *samples;
    const linex_environment_settings *settings;
    double *copies; /* 2 x count: how often each point was planned, then scratch */
    size_t runs;    /* of LINEX_HALVES; otherwise 0 */
    uint32_t *run_of, *order;
    double *run_weights; /* players x runs */
    bool assigned;       /* whether run_of is filled */
    bool started;        /* whether a draw is unfinished */
    linex_random random;
    linex_cursor cursor;
    linex_clusters clusters;
    linex_sides sides;
    double *input; /* feature_count: scratch of LINEX_SIDES; otherwise NULL */
} linex_drawing;

/* Release the drawing with linex_drawing_close, also after a failure. The arguments must be good. */
linex_status linex_drawing_open(linex_drawing *drawing, const linex_samples *samples,
                                const linex_environment_settings *settings);
void linex_drawing_close(linex_drawing *drawing);

/* linex_environments_draw in slices. */
linex_status linex_drawing_advance(linex_drawing *drawing, uint64_t seed, uint64_t draw, double *weights,
                                   linex_slice *slice);

#endif
