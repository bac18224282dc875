/* calibration.c: replaces the residuals of adjusted answers by leave-one-out residuals of the right size. */
#include "adjust/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/elementary.h"
#include "matrices/factors.h"
#include "matrices/matrix.h"
#include "environments/environments.h"
#include "environments/sample_runs.h"

/* More features would take time and hardly change a mean over them. */
enum { MOST_POOLED = 16, FEWEST_RUNS = 8, MOST_LENGTHS = 32, LENGTHS = 4 };
/* The fewest runs of a length that the line goes through. */
static const double LEAST_ROW_RUNS = 4, LEAST_MASK_RUNS = 7.5;
/* Samples that are projected together. */
enum { AT_ONCE = 4 };
/* The projection has this ridge relative to the largest feature, because features may be collinear. Projecting twice
 * makes it exact. */
static const double PROJECTION_RIDGE = 1e-9;
static const double LEAST_KAPPA = 1.0 / 64;
/* Fits with hardly more samples than features leave hardly any residuals. */
static const double MOST_KAPPA = 1024;

linex_status linex_calibration_open(linex_calibration *calibration)
{
    size_t count = calibration->points->count, features = calibration->points->feature_count;
    size_t planned = calibration->samples->planned, pooled = features < MOST_POOLED ? features : MOST_POOLED;
    bool scaled = calibration->players > 0 && calibration->samples->block >= 2 && planned >= 4 * FEWEST_RUNS;
    calibration->pooled = scaled || calibration->variance > 0 ? pooled : 0;
    calibration->kappa = 1;
    double square = (double)features * (double)features, influences = (double)planned * (double)calibration->pooled;
    double *next =
        linex_alloc_doubles(2 * square + 2.0 * (double)count + (4.0 + AT_ONCE + (double)pooled) * (double)features +
                            influences + 2.0 * MOST_POOLED + linex_moments_scratch(features));
    calibration->memory = next;
    calibration->run_of = linex_alloc_items((double)planned, sizeof *calibration->run_of);
    if (!next || !calibration->run_of) return LINEX_NO_MEMORY;
    calibration->moments.gram = next, next += features * features;
    calibration->factor = next, next += features * features;
    calibration->aside = next, next += count;
    calibration->rest = next, next += count;
    calibration->moments.cross = next, next += features;
    calibration->moments.mean = next, next += features;
    calibration->slopes = next, next += 2 * features;
    calibration->point = next, next += AT_ONCE * features;
    calibration->directions = next, next += pooled * features;
    calibration->influences = next, next += planned * calibration->pooled;
    calibration->sums = next, next += 2 * MOST_POOLED;
    calibration->moments.scratch = next;
    return LINEX_OK;
}

void linex_calibration_close(linex_calibration *calibration)
{
    free(calibration->memory);
    free(calibration->run_of);
}

static linex_status take_moments(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_calibration *job = state;
    (void)at;
    return linex_moments_advance(job->points, job->answers, job->totals, true, 0, &job->moments, &job->inner, slice);
}

/* Factorizes the Gram matrix, in sums, plus a ridge. */
static linex_status factorize(linex_calibration *job, double ridge, linex_cursor *at, linex_slice *slice)
{
    size_t features = job->points->feature_count;
    if (at->column == 0) {
        if (!linex_slice_take(slice, (double)features * (double)features)) return LINEX_UNFINISHED;
        for (size_t i = 0; i < features * features; i++)
            job->factor[i] = job->moments.gram[i] * job->moments.total + (i % (features + 1) == 0 ? ridge : 0);
        at->column = 1;
        job->inner = (linex_cursor){0};
    }
    return linex_cholesky_advance(features, job->factor, &job->inner, slice);
}

static linex_status factorize_projection(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_calibration *job = state;
    size_t features = job->points->feature_count;
    double largest = 0;
    for (size_t c = 0; c < features; c++) largest = fmax(largest, job->moments.gram[c * (features + 1)]);
    return factorize(job, PROJECTION_RIDGE * largest * job->moments.total, at, slice);
}

/* The row of sample i, around the weighted mean. */
static void center(const linex_calibration *job, size_t i, double *row)
{
    const double *point = linex_points_row(job->points, i, row);
    for (size_t c = 0; c < job->points->feature_count; c++) row[c] = point[c] - job->moments.mean[c];
}

/* Subtracts the weighted mean. */
static void remove_mean(const linex_calibration *job, double *values)
{
    double mean = 0;
    for (size_t i = 0; i < job->points->count; i++) mean += job->totals[i] * values[i] / job->moments.total;
    for (size_t i = 0; i < job->points->count; i++) values[i] -= mean;
}

/* Adds rows of samples to the sums whose solution is the slopes of `values`. */
static void add_to_slopes(const linex_calibration *job, size_t first, size_t rows, const double *values,
                          double *slopes)
{
    size_t features = job->points->feature_count;
    double factors[AT_ONCE];
    const double *points[AT_ONCE];
    for (size_t r = 0; r < rows; r++) {
        factors[r] = job->totals[first + r] * values[first + r];
        points[r] = job->point + r * features;
    }
    if (rows == AT_ONCE)
        linex_add_four(features, factors, points, slopes);
    else
        for (size_t r = 0; r < rows; r++) linex_add_scaled(features, factors[r], points[r], slopes);
}

static void subtract_plane(const linex_calibration *job, size_t first, size_t rows, const double *slopes,
                           double *values)
{
    size_t features = job->points->feature_count;
    double explained[AT_ONCE];
    linex_rows_apply(rows, features, job->point, features, slopes, explained);
    for (size_t r = 0; r < rows; r++) values[first + r] -= explained[r];
}

/* Subtracts from the residuals and from the answers what the features explain of them. column counts the stages: sum up,
 * subtract, twice. */
static linex_status project(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_calibration *job = state;
    size_t features = job->points->feature_count, count = job->points->count;
    double *values[] = {job->aside, job->rest}, *slopes[] = {job->slopes, job->slopes + features};
    if (at->column == 0 && at->row == 0) {
        memcpy(job->aside, job->residuals, count * sizeof *job->aside);
        memcpy(job->rest, job->answers, count * sizeof *job->rest);
    }
    for (; at->column < 4; at->column++, at->row = 0) {
        bool subtract = at->column % 2;
        if (at->row == 0 && !subtract) {
            memset(job->slopes, 0, 2 * features * sizeof *job->slopes);
            for (size_t v = 0; v < 2; v++) remove_mean(job, values[v]);
        }
        for (; at->row < count; at->row += AT_ONCE) {
            size_t rows = count - at->row < AT_ONCE ? count - at->row : AT_ONCE;
            if (at->row > 0 && !linex_slice_take(slice, 12.0 * (double)features)) return LINEX_UNFINISHED;
            for (size_t r = 0; r < rows; r++) center(job, at->row + r, job->point + r * features);
            for (size_t v = 0; v < 2; v++)
                if (subtract)
                    subtract_plane(job, at->row, rows, slopes[v], values[v]);
                else
                    add_to_slopes(job, at->row, rows, values[v], slopes[v]);
        }
        for (size_t v = 0; !subtract && v < 2; v++) linex_cholesky_solve(features, job->factor, slopes[v]);
    }
    return LINEX_OK;
}

/* The rows of (X'WX + ridge)^-1 that belong to the pooled features. */
static linex_status find_directions(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_calibration *job = state;
    size_t features = job->points->feature_count;
    if (job->pooled == 0) return LINEX_OK;
    linex_status status = factorize(job, job->ridge, at, slice);
    if (status == LINEX_DEGENERATE) job->pooled = 0; /* without a ridge: kappa stays 1 */
    if (status) return status == LINEX_DEGENERATE ? LINEX_OK : status;
    for (size_t k = 0; k < job->pooled; k++) {
        double *direction = job->directions + k * features;
        memset(direction, 0, features * sizeof *direction);
        direction[k] = 1;
        linex_cholesky_solve(features, job->factor, direction);
    }
    linex_slice_use(slice, (double)job->pooled * (double)features * (double)features);
    return LINEX_OK;
}

static linex_status find_influences(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_calibration *job = state;
    size_t features = job->points->feature_count;
    for (; job->pooled > 0 && at->row < job->samples->planned; at->row++) {
        if (!linex_slice_take(slice, (double)(features * (job->pooled + 1)))) return LINEX_UNFINISHED;
        size_t i = linex_point_of(job->samples, at->row);
        double factor = job->samples->weights[i] * job->aside[i];
        double *influences = job->influences + at->row * job->pooled;
        center(job, i, job->point);
        linex_rows_apply(job->pooled, features, job->directions, features, job->point, influences);
        for (size_t k = 0; k < job->pooled; k++) influences[k] *= factor;
    }
    return LINEX_OK;
}

/* Adds up the influences by runs, and the squares of these sums by features.
 *
 * length   of the runs; 0 for those in run_of, which are ascending
 * squares  pooled */
static void square_runs(const linex_calibration *job, size_t length, double *squares)
{
    size_t pooled = job->pooled, planned = job->samples->planned, runs = 1, run = 0;
    double *sums = job->sums;
    memset(sums, 0, pooled * sizeof *sums);
    memset(squares, 0, pooled * sizeof *squares);
    for (size_t i = 0; i <= planned; i++) {
        size_t here = i == 0 || i == planned ? run : length ? (i - 1) / length : job->run_of[i];
        for (size_t k = 0; (here != run || i == planned) && k < pooled; k++) {
            squares[k] += sums[k] * sums[k];
            sums[k] = 0;
        }
        runs += here != run;
        run = here;
        if (i < planned) linex_add_scaled(pooled, 1, job->influences + i * pooled, sums);
    }
    for (size_t k = 0; k < pooled; k++) squares[k] *= runs > 1 ? (double)runs / (double)(runs - 1) : 1;
}

/* The logarithm of the variance that runs of a length show, relative to that of single samples. */
static double log_variance(const linex_calibration *job, size_t length, const double *single)
{
    double squares[MOST_POOLED], sum = 0, count = 0;
    square_runs(job, length, squares);
    for (size_t k = 0; k < job->pooled; k++) {
        if (!(single[k] > 1e-250)) continue;
        sum += squares[k] / single[k];
        count++;
    }
    return sum > 0 && isfinite(sum) ? linex_log(fmax(sum / count, 1e-12)) : 0;
}

/* The known variance, divided by that of the runs of the halves, or of single samples if there are no such runs. */
static double known_kappa(linex_calibration *job)
{
    double squares[MOST_POOLED], sum = 0;
    if (job->players > 0) linex_sample_runs_assign(job->samples, job->players, job->seed, job->run_of);
    square_runs(job, job->players > 0 ? 0 : 1, squares);
    for (size_t k = 0; k < job->pooled; k++) sum += squares[k] / (double)job->pooled;
    double kappa = job->variance / sum;
    return sum > 0 && isfinite(kappa) ? fmin(kappa, MOST_KAPPA) : 1;
}

/* A line through the logarithms of variances: level + slope * (log2 L - log2 of the longest runs). */
typedef struct {
    double level, slope, longest;
} variance_line;

/* Returns false if there are too few samples.
 *
 * single  pooled: the squares of single samples */
static bool fit_line(const linex_calibration *job, const double *single, variance_line *line)
{
    double logs[MOST_LENGTHS], planned = (double)job->samples->planned, products = 0, squares = 0, mean = 0;
    const bool rows = job->samples->points;
    const double least = rows ? LEAST_ROW_RUNS : LEAST_MASK_RUNS;
    size_t lengths = 0, length = 2;
    while (rows && planned >= least * (double)(length << LENGTHS)) length *= 2;
    for (; planned >= least * (double)length && lengths < MOST_LENGTHS; length *= 2)
        logs[lengths++] = log_variance(job, length, single);
    if (lengths < 2) return false;
    double middle = ((double)lengths - 1) / 2;
    for (size_t i = 0; i < lengths; i++) {
        mean += logs[i] / (double)lengths;
        products += ((double)i - middle) * logs[i];
        squares += ((double)i - middle) * ((double)i - middle);
    }
    line->slope = fmin(products / squares, 0);
    line->level = rows ? mean + line->slope * middle : logs[lengths - 1];
    line->longest = (double)(length / 2);
    return true;
}

/* The logarithm of the variance per sample of runs of a length, relative to that of single samples. */
static double line_at(const variance_line *line, double length)
{
    return line->level + line->slope * (linex_log(length / line->longest) / linex_log(2));
}

/* The same for all rows. Blocks of 2^k rows balance each other, so all rows are sums and differences of blocks: those with
 * the least variance. `below` is the variance of the first rows, a multiple of the present block, and `above` that of one
 * block more. */
static double log_variance_of_rows(const variance_line *line, size_t planned)
{
    size_t block = 1;
    while (block <= planned) block *= 2;
    double below = 0, above = (double)block * linex_exp(fmin(line_at(line, (double)block), 0));
    while (block > 1) {
        block /= 2;
        double middle = fmin(below, above) + (double)block * linex_exp(fmin(line_at(line, (double)block), 0));
        if (planned & block)
            below = middle;
        else
            above = middle;
    }
    return linex_log(below / (double)planned);
}

/* The variance of all samples, divided by that of the runs of the halves. Rows balance each other in long runs, so for
 * rows the line goes through the longest ones that leave enough runs. */
static double find_kappa(linex_calibration *job)
{
    double single[MOST_POOLED];
    size_t planned = job->samples->planned;
    variance_line line;
    square_runs(job, 1, single);
    if (!fit_line(job, single, &line)) return 1;
    linex_sample_runs_assign(job->samples, job->players, job->seed, job->run_of);
    double all = job->samples->points ? log_variance_of_rows(&line, planned) : line_at(&line, (double)planned);
    return linex_exp(all - log_variance(job, 0, single));
}

static linex_status finish(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_calibration *job = state;
    size_t count = job->points->count;
    (void)at;
    if (job->pooled > 0) job->kappa = fmax(job->variance > 0 ? known_kappa(job) : find_kappa(job), LEAST_KAPPA);
    double root = sqrt(job->kappa);
    for (size_t i = 0; i < count; i++) job->rest[i] = job->answers[i] - job->rest[i] + root * job->aside[i];
    if (linex_all_finite(count, job->rest)) memcpy(job->answers, job->rest, count * sizeof *job->rest);
    linex_slice_use(slice, 16.0 * (double)(job->samples->planned * (job->pooled + 1)));
    return LINEX_OK;
}

linex_status linex_calibration_advance(linex_calibration *calibration, linex_slice *slice)
{
    static const linex_stage stages[] = {take_moments,    factorize_projection, project,
                                         find_directions, find_influences,      finish};
    linex_status status =
        linex_stages_advance(sizeof stages / sizeof *stages, stages, calibration, &calibration->cursor, slice);
    return status == LINEX_DEGENERATE ? LINEX_OK : status;
}
