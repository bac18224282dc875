/* kriging_control.c: kriging as a control variate. */
#include <stdlib.h>

#include "adjust/control.h"
#include "adjust/kriging.h"
#include "base/alloc.h"

typedef struct {
    linex_kriging *kriging;
    double ridge;
} krigings;

/* With more samples kriging takes too long. */
static bool suits(const linex_samples *samples)
{
    return samples->points && samples->count <= LINEX_MOST_KRIGED;
}

static void close_kriging(void *state)
{
    krigings *job = state;
    linex_kriging_free(job->kriging);
    free(job);
}

static void *open_kriging(const linex_samples *samples, const linex_points *points, const double *totals,
                          double ridge)
{
    size_t features = points->feature_count;
    krigings *job = calloc(1, sizeof *job);
    linex_column_law *laws = linex_alloc_items((double)features, sizeof *laws);
    if (job && laws) {
        for (size_t c = 0; c < features; c++) laws[c] = linex_law_column(samples->law, c);
        job->ridge = ridge;
        job->kriging = linex_kriging_new(points->count, features, samples->points, laws, totals, samples->answers);
    }
    free(laws);
    if (job && job->kriging) return job;
    free(job);
    return NULL;
}

static linex_status advance(void *state, linex_slice *slice)
{
    return linex_kriging_advance(((krigings *)state)->kriging, slice);
}

static linex_control result(const void *state)
{
    const krigings *job = state;
    double gain = linex_kriging_gain(job->kriging);
    return (linex_control){gain > 1 ? linex_kriging_control(job->kriging) : NULL,
                           linex_kriging_residuals(job->kriging), gain, job->ridge};
}

const linex_control_kind *linex_kriging_control_kind(void)
{
    static const linex_control_kind kind = {LINEX_ADJUSTED_KRIGING, suits, open_kriging, advance, result,
                                            close_kriging};
    return &kind;
}
