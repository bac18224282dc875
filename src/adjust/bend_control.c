/* bend_control.c: bends as control variates. */
#include <stdlib.h>

#include "adjust/bend.h"
#include "adjust/control.h"

/* With more features bending takes too long. */
enum { MOST_BENT = 256 };

typedef struct {
    linex_bend *bend;
    bool chooses_ridge;
    double ridge;
} bending;

/* The ridge of a wide fit is relative, so the terms of bend would be penalized too little. */
static bool suits(const linex_samples *samples)
{
    bool wide =
        samples->feature_count >= LINEX_WIDE_FEATURES && samples->count < LINEX_WIDE_SAMPLES * samples->feature_count;
    return !wide && samples->feature_count <= MOST_BENT;
}

static void close_bend(void *state)
{
    bending *job = state;
    linex_bend_free(job->bend);
    free(job);
}

static void *open_bend(const linex_samples *samples, const linex_points *points, const double *totals, double ridge)
{
    bending *job = calloc(1, sizeof *job);
    if (!job) return NULL;
    job->chooses_ridge = ridge == LINEX_RIDGE_AUTO && samples->masks;
    job->ridge = ridge;
    job->bend = linex_bend_new(points, samples->law, totals, samples->answers, ridge);
    if (job->bend) return job;
    close_bend(job);
    return NULL;
}

static linex_status advance(void *state, linex_slice *slice)
{
    return linex_bend_advance(((bending *)state)->bend, slice);
}

static linex_control result(const void *state)
{
    const bending *job = state;
    return (linex_control){linex_bend_control(job->bend), linex_bend_residuals(job->bend), linex_bend_gain(job->bend),
                           job->chooses_ridge ? linex_bend_ridge(job->bend) : job->ridge};
}

const linex_control_kind *linex_bend_control_kind(void)
{
    static const linex_control_kind kind = {LINEX_ADJUSTED_BEND, suits, open_bend, advance, result, close_bend};
    return &kind;
}
