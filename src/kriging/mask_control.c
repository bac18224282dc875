/* mask_control.c: kriging as a control variate for masks. */
#include "kriging/mask_control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kriging/mask_kriging.h"
#include "base/alloc.h"
#include "base/points.h"
#include "matrices/factors.h"
#include "matrices/matrix.h"
#include "matrices/moments.h"

/* Features whose errors are compared. More would take time and hardly change a mean over them. */
enum { MOST_POOLED = 16 };
/* A gain below this may be chance. */
static const double LEAST_GAIN = 1.02;
/* The ridge of the fits, if it is to be chosen. It hardly shrinks anything. */
static const double RIDGE = 0.1;
/* Relative to the largest feature, because features may be collinear. */
static const double TINY_RIDGE = 1e-9;

typedef struct {
    linex_mask_kriging kriging;
    const linex_samples *samples;
    const linex_points *points;
    const double *totals;
    double given; /* the ridge of the settings */
    double ridge; /* of the fits */
    double gain;
    bool whole; /* whether the adjusted answers are those of a linear function */
    size_t pooled;
    linex_moments moments;
    double *factor;              /* parts x parts */
    double *slopes, *rest;       /* parts: of the posterior mean, and of m alone */
    double *target;              /* parts: the slopes of the adjusted answers */
    double *row, *other;         /* parts: scratch */
    double *traces;              /* pooled x fitted: how pooled slopes follow the answers */
    double *control, *residuals; /* count */
    double constant;             /* of m */
    double kriged, free_fit;     /* sums of squared influences: of the posterior mean, and of least squares */
    double variance;             /* of the weights: see linex_control */
    double *memory;              /* owns the arrays of doubles above */
    linex_cursor cursor, inner;
} mask_control;

static bool suits(const linex_samples *samples)
{
    size_t parts = samples->feature_count, count = samples->count;
    bool few = parts <= LINEX_MOST_IN_LINE; /* then the terms of bend explain less */
    return samples->masks && samples->law && samples->law->sizes && parts >= 2 && parts <= LINEX_MOST_KRIGED_PARTS &&
           count >= LINEX_FEWEST_PER_PART * parts &&
           count <= (few ? LINEX_MOST_KRIGED_MASKS : LINEX_MOST_FITTED_MASKS);
}

static void close_control(void *state)
{
    mask_control *job = state;
    linex_mask_kriging_close(&job->kriging);
    free(job->memory);
    free(job);
}

static bool place_arrays(mask_control *job)
{
    size_t parts = job->points->feature_count, count = job->points->count, fitted = job->kriging.fitted;
    double square = (double)parts * (double)parts;
    double *next = job->memory =
        linex_alloc_doubles(2 * square + 7 * (double)parts + 2 * (double)count +
                            (double)job->pooled * (double)fitted + linex_moments_scratch(parts));
    if (!next) return false;
    job->moments.gram = next, next += parts * parts;
    job->factor = next, next += parts * parts;
    job->moments.cross = next, next += parts;
    job->moments.mean = next, next += parts;
    job->slopes = next, next += parts;
    job->rest = next, next += parts;
    job->target = next, next += parts;
    job->row = next, next += parts;
    job->other = next, next += parts;
    job->control = next, next += count;
    job->residuals = next, next += count;
    job->traces = next, next += job->pooled * fitted;
    job->moments.scratch = next;
    return true;
}

static void *open_control(const linex_samples *samples, const linex_points *points, const double *totals,
                          double ridge)
{
    mask_control *job = calloc(1, sizeof *job);
    if (!job) return NULL;
    job->samples = samples;
    job->points = points;
    job->totals = totals;
    job->given = ridge;
    job->ridge = ridge == LINEX_RIDGE_AUTO ? RIDGE : ridge;
    job->gain = 1;
    job->whole = ridge == LINEX_RIDGE_AUTO && points->count <= LINEX_MOST_FITTED_MASKS;
    job->pooled = !job->whole ? 0 : points->feature_count < MOST_POOLED ? points->feature_count : MOST_POOLED;
    linex_status status = linex_mask_kriging_open(points, samples->law, totals, samples->answers,
                                                  LINEX_MOST_FITTED_MASKS, &job->kriging);
    if (!status && place_arrays(job)) return job;
    close_control(job);
    return NULL;
}

static linex_status krige(void *state, linex_cursor *at, linex_slice *slice)
{
    mask_control *job = state;
    linex_mask_kriging *kriging = &job->kriging;
    (void)at;
    linex_status status = linex_mask_kriging_advance(kriging, slice);
    if (status) return status;
    if (!kriging->computable || !(kriging->error > 0)) return LINEX_DEGENERATE;
    job->gain = kriging->lime_error / kriging->error;
    return job->gain >= LEAST_GAIN ? LINEX_OK : LINEX_DEGENERATE;
}

/* The pooled features are spread evenly. */
static size_t pooled_part(const mask_control *job, size_t k)
{
    return k * job->points->feature_count / job->pooled;
}

/* The linear part of the posterior mean, and of each sample's share in it for the pooled features. */
static linex_status find_slopes(void *state, linex_cursor *at, linex_slice *slice)
{
    mask_control *job = state;
    linex_mask_kriging *kriging = &job->kriging;
    size_t parts = job->points->feature_count, fitted = kriging->fitted;
    if (at->row == 0) memset(job->slopes, 0, parts * sizeof *job->slopes);
    if (at->row == 0) memset(job->rest, 0, parts * sizeof *job->rest);
    for (; at->row < fitted; at->row++) {
        if (!linex_slice_take(slice, linex_mask_kernel_work(&kriging->kernel))) return LINEX_UNFINISHED;
        double solution = kriging->solution[at->row];
        job->constant += solution * linex_mask_kriging_part(kriging, at->row, job->row, job->other);
        linex_add_scaled(parts, solution, job->row, job->slopes);
        linex_add_scaled(parts, solution, job->other, job->rest);
        for (size_t k = 0; k < job->pooled; k++) job->traces[k * fitted + at->row] = job->row[pooled_part(job, k)];
    }
    return LINEX_OK;
}

/* The residuals, each from a fit without its sample, and m less its linear part. The covariance times the solution is the
 * vector of answers, so m is what remains of an answer after the constant, the linear function and the noise. */
static linex_status find_control(void *state, linex_cursor *at, linex_slice *slice)
{
    mask_control *job = state;
    linex_mask_kriging *kriging = &job->kriging;
    size_t parts = job->points->feature_count, fitted = kriging->fitted;
    double nugget = linex_mask_kriging_value(kriging, LINEX_MASK_NUGGET), total = 0;
    for (size_t i = 0; i < fitted; i++) total += kriging->solution[i];
    for (; at->row < job->points->count; at->row++) {
        size_t i = at->row;
        double all, rest;
        if (!linex_slice_take(slice, (double)parts + (i < fitted ? 0 : (double)fitted * ((double)parts + 150))))
            return LINEX_UNFINISHED;
        if (i < fitted) {
            const uint8_t *mask = job->points->masks + i * parts;
            all = kriging->standard[i] - nugget * kriging->noise[i] * kriging->solution[i];
            rest = all - linex_mask_kriging_constant() * total;
            for (size_t j = 0; j < parts; j++) rest -= (mask[j] ? 0.5 : -0.5) * (job->slopes[j] - job->rest[j]);
            job->residuals[i] = kriging->scale * kriging->solution[i] / kriging->diagonal[i];
        } else {
            linex_mask_kriging_predict(kriging, i, &rest, &all);
            job->residuals[i] = kriging->scale * (kriging->standard[i] - all);
        }
        const double *point = linex_points_row(job->points, i, job->row);
        job->control[i] = kriging->scale * (rest - job->constant - linex_dot(parts, job->rest, point));
    }
    return LINEX_OK;
}

/* The moments of the masks and of the residuals. */
static linex_status take_moments(void *state, linex_cursor *at, linex_slice *slice)
{
    mask_control *job = state;
    (void)at;
    if (!job->whole) return LINEX_DEGENERATE; /* the control is ready */
    return linex_moments_advance(job->points, job->residuals, job->totals, true, 0, &job->moments, &job->inner,
                                 slice);
}

static linex_status factorize(mask_control *job, double ridge, linex_cursor *at, linex_slice *slice)
{
    size_t parts = job->points->feature_count;
    if (at->column == 0) {
        for (size_t i = 0; i < parts * parts; i++)
            job->factor[i] = job->moments.gram[i] * job->moments.total + (i % (parts + 1) == 0 ? ridge : 0);
        at->column = 1;
        job->inner = (linex_cursor){0};
    }
    return linex_cholesky_advance(parts, job->factor, &job->inner, slice);
}

/* Finds the slopes of least squares whose ridge fit has those of the posterior mean: b + ridge G^-1 b. And the slopes of the
 * residuals. */
static linex_status find_targets(void *state, linex_cursor *at, linex_slice *slice)
{
    mask_control *job = state;
    size_t parts = job->points->feature_count;
    double largest = 0, mean = 0;
    for (size_t j = 0; j < parts; j++) {
        double energy = job->moments.gram[j * (parts + 1)] * job->moments.total;
        largest = fmax(largest, energy);
        mean += energy / (double)parts;
    }
    linex_status status = factorize(job, TINY_RIDGE * largest, at, slice);
    if (status) return status;
    bool wide = parts >= LINEX_WIDE_FEATURES && job->points->count < LINEX_WIDE_SAMPLES * parts;
    if (wide) job->ridge = LINEX_WIDE_RIDGE * mean;
    memcpy(job->target, job->slopes, parts * sizeof *job->target);
    linex_cholesky_solve(parts, job->factor, job->target);
    for (size_t j = 0; j < parts; j++) job->target[j] = job->slopes[j] + job->ridge * job->target[j];
    for (size_t j = 0; j < parts; j++) job->moments.cross[j] *= job->moments.total;
    linex_cholesky_solve(parts, job->factor, job->moments.cross);
    return LINEX_OK;
}

/* Least squares with a ridge that hardly shrinks anything. */
static linex_status factorize_free(void *state, linex_cursor *at, linex_slice *slice)
{
    return factorize(state, RIDGE, at, slice);
}

/* Adds the squared influences of the samples on one pooled slope of least squares. */
static double add_influences(mask_control *job, size_t k)
{
    size_t parts = job->points->feature_count;
    double *direction = job->other, sum = 0;
    memset(direction, 0, parts * sizeof *direction);
    direction[pooled_part(job, k)] = 1;
    linex_cholesky_solve(parts, job->factor, direction);
    for (size_t i = 0; i < job->kriging.fitted; i++) {
        const double *point = linex_points_row(job->points, i, job->row);
        for (size_t j = 0; j < parts; j++) job->row[j] = point[j] - job->moments.mean[j];
        double explained = job->moments.answer_mean + linex_dot(parts, job->row, job->moments.cross);
        double influence = linex_dot(parts, job->row, direction) * job->totals[i] * (job->residuals[i] - explained);
        sum += influence * influence;
    }
    return sum;
}

static void add_free(void *state, size_t k)
{
    mask_control *job = state;
    size_t fitted = job->kriging.fitted;
    double *trace = job->traces + k * fitted;
    linex_cholesky_solve(fitted, job->kriging.matrix, trace);
    for (size_t i = 0; i < fitted; i++) {
        double influence = trace[i] * job->residuals[i];
        job->kriged += influence * influence;
    }
    job->free_fit += add_influences(job, k);
}

static linex_status compare_free(void *state, linex_cursor *at, linex_slice *slice)
{
    mask_control *job = state;
    double fitted = (double)job->kriging.fitted;
    return linex_steps_advance(job->pooled, fitted * (fitted + 3 * (double)job->points->feature_count), add_free, job,
                               at, slice);
}

/* Replaces the control by what leaves a linear function of the answers, and finds the variance of its slopes. */
static linex_status replace_control(void *state, linex_cursor *at, linex_slice *slice)
{
    mask_control *job = state;
    linex_mask_kriging *kriging = &job->kriging;
    size_t parts = job->points->feature_count, fitted = kriging->fitted;
    double total = 0;
    (void)at;
    job->variance = sqrt(job->kriged) * sqrt(job->free_fit) / (double)job->pooled;
    for (size_t i = 0; i < fitted; i++) total += kriging->solution[i];
    double constant = linex_mask_kriging_constant() * total + job->constant;
    for (size_t j = 0; j < parts; j++) {
        constant -= (job->slopes[j] - job->rest[j]) / 2;
        constant -= job->moments.mean[j] * (job->target[j] - job->slopes[j]);
    }
    for (size_t i = 0; i < fitted; i++) {
        const double *point = linex_points_row(job->points, i, job->row);
        double linear = kriging->mean + kriging->scale * (constant + linex_dot(parts, job->target, point));
        job->control[i] = job->samples->answers[i] - linear;
    }
    linex_slice_use(slice, 2 * (double)fitted * (double)parts);
    return LINEX_OK;
}

static linex_status advance_control(void *state, linex_slice *slice)
{
    static const linex_stage stages[] = {krige,        find_slopes,    find_control, take_moments,
                                         find_targets, factorize_free, compare_free, replace_control};
    enum { COUNT = sizeof stages / sizeof *stages };
    mask_control *job = state;
    linex_status status = linex_stages_advance(COUNT, stages, job, &job->cursor, slice);
    return status == LINEX_DEGENERATE ? LINEX_OK : status;
}

static linex_control result_of(const void *state)
{
    const mask_control *job = state;
    bool good = job->gain >= LEAST_GAIN;
    return (linex_control){good ? job->control : NULL, job->residuals, good ? job->gain : 1,
                           good ? job->ridge : job->given, good ? job->variance : 0};
}

const linex_control_kind *linex_mask_control_kind(void)
{
    static const linex_control_kind kind = {LINEX_ADJUSTED_KRIGING, suits,     open_control,
                                            advance_control,        result_of, close_control};
    return &kind;
}
