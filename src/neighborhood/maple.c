/* maple.c: the errors of MAPLE's local regressions, by the number of features. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/alloc.h"
#include "matrices/factors.h"
#include "matrices/matrix.h"
#include "matrices/moments.h"

/* The training rows with a weight, as the fit sees them. The columns are in the order of importance. */
struct local {
    size_t count, feature_count;
    double *rows, *points; /* count x feature_count each */
    double *answers, *weights;
    double *at; /* feature_count: the validation row */
    linex_moments moments;
};

static linex_status allocate(struct local *local, size_t outputs)
{
    double count = (double)local->count, feature_count = (double)local->feature_count;
    local->rows = linex_alloc_doubles(count * feature_count);
    local->points = linex_alloc_doubles(count * feature_count);
    local->answers = linex_alloc_doubles(count * (double)outputs);
    local->weights = linex_alloc_doubles(count);
    local->at = linex_alloc_doubles(feature_count);
    local->moments.gram = linex_alloc_doubles(feature_count * feature_count);
    local->moments.cross = linex_alloc_doubles(feature_count);
    local->moments.mean = linex_alloc_doubles(feature_count);
    local->moments.scratch = linex_alloc_doubles(linex_moments_scratch(local->feature_count));
    bool all = local->rows && local->points && local->answers && local->weights && local->at && local->moments.gram &&
               local->moments.cross && local->moments.mean && local->moments.scratch;
    return all ? LINEX_OK : LINEX_NO_MEMORY;
}

static void release(struct local *local)
{
    double *const arrays[] = {local->rows,          local->points,       local->answers,
                              local->weights,       local->at,           local->moments.gram,
                              local->moments.cross, local->moments.mean, local->moments.scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

static void reorder(size_t count, size_t feature_count, const uint32_t *order, const double *from, double *to)
{
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < feature_count; c++) to[i * feature_count + c] = from[i * feature_count + order[c]];
}

static linex_status represent(struct local *local, const linex_table *table, const double *row, const uint32_t *order)
{
    linex_row_settings settings = linex_row_defaults();
    size_t count = local->count, feature_count = local->feature_count;
    linex_status status = linex_rows_represent(table, row, &settings, count, local->rows, local->points);
    if (status) return status;
    /* The rows are not needed after this, so their memory is reused. */
    reorder(count, feature_count, order, local->points, local->rows);
    status = linex_rows_represent(table, row, &settings, 1, row, local->points);
    if (!status) reorder(1, feature_count, order, local->points, local->at);
    return status;
}

/* x = L^-1 x */
static void forward(size_t size, const double *factor, double *x)
{
    for (size_t row = 0; row < size; row++)
        x[row] = (x[row] - linex_dot(row, factor + row * size, x)) / factor[row * size + row];
}

struct maple_task {
    linex_task task;
    linex_cursor at, kernel; /* at: row is the output, stage 1 after its moments; kernel: inside of a matrix kernel */
    struct local local;
    size_t outputs;
    const double *response;
    double ridge;
    double *errors;
};

/* With G = L L', the fit on the first k features predicts mean + a' G^-1 b over these k features. The factor of the
 * first k features is the corner of the whole L. So this is mean + sum over j <= k of (L^-1 a)_j (L^-1 b)_j, and one
 * factor serves every k. */
static void add_errors(struct local *local, double response, double *errors)
{
    size_t feature_count = local->feature_count;
    linex_moments *moments = &local->moments;
    double *offset = moments->mean, predicted = moments->answer_mean;
    for (size_t c = 0; c < feature_count; c++) offset[c] = local->at[c] - moments->mean[c];
    forward(feature_count, moments->gram, offset);
    forward(feature_count, moments->gram, moments->cross);
    for (size_t c = 0; c < feature_count; c++) {
        predicted += offset[c] * moments->cross[c];
        errors[c] += (response - predicted) * (response - predicted);
    }
}

static linex_status advance_maple(linex_task *task, linex_slice *slice)
{
    struct maple_task *job = (struct maple_task *)task;
    struct local *local = &job->local;
    linex_points points = {local->count, local->feature_count, local->rows, NULL};
    for (; job->at.row < job->outputs; job->at.row++, job->at.stage = 0) {
        const double *answers = local->answers + job->at.row * local->count;
        linex_status status = LINEX_OK;
        if (job->at.stage == 0)
            status = linex_moments_advance(&points, answers, local->weights, true, job->ridge, &local->moments,
                                           &job->kernel, slice);
        if (status) return status;
        job->at.stage = 1;
        status = linex_cholesky_advance(local->feature_count, local->moments.gram, &job->kernel, slice);
        if (status) return status;
        add_errors(local, job->response[job->at.row], job->errors);
    }
    return linex_all_finite(local->feature_count, job->errors) ? LINEX_OK : LINEX_OVERFLOW;
}

static double maple_progress(const linex_task *task)
{
    const struct maple_task *job = (const struct maple_task *)task;
    return (double)job->at.row / (double)job->outputs;
}

static void release_maple(linex_task *task)
{
    release(&((struct maple_task *)task)->local);
    free(task);
}

static bool is_valid_order(size_t feature_count, const uint32_t *order)
{
    for (size_t c = 0; c < feature_count; c++)
        if (order[c] >= feature_count) return false;
    return true;
}

/* Copies the training rows that have a weight. */
static void copy_rows(struct local *local, size_t count, const double *rows, size_t outputs, const double *responses,
                      const double *weights)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(weights[i] > 0)) continue;
        memcpy(local->rows + kept * local->feature_count, rows + i * local->feature_count,
               local->feature_count * sizeof *rows);
        for (size_t o = 0; o < outputs; o++) local->answers[o * local->count + kept] = responses[i * outputs + o];
        local->weights[kept++] = weights[i];
    }
}

linex_status linex_maple_start(const linex_table *table, size_t count, const double *rows, size_t outputs,
                               const double *responses, const double *weights, const double *row,
                               const double *response, const uint32_t *order, double ridge, double *errors,
                               linex_task **task)
{
    if (!table || !count || !rows || !outputs || !responses || !weights || !row || !response || !order || !errors ||
        !task || !(ridge > 0) || !isfinite(ridge) || !is_valid_order(table->columns, order) ||
        !linex_all_finite(outputs, response) || !linex_all_finite(table->columns, errors))
        return LINEX_BAD_ARGUMENT;
    struct local local = {.feature_count = table->columns};
    for (size_t i = 0; i < count; i++) {
        if (!(weights[i] >= 0) || !isfinite(weights[i])) return LINEX_BAD_ARGUMENT;
        local.count += weights[i] > 0;
    }
    if (!local.count) return LINEX_BAD_ARGUMENT;
    linex_status status = allocate(&local, outputs);
    if (!status) {
        copy_rows(&local, count, rows, outputs, responses, weights);
        bool finite = linex_all_finite(local.count * outputs, local.answers);
        status = finite ? represent(&local, table, row, order) : LINEX_BAD_ARGUMENT;
    }
    struct maple_task *made = status ? NULL : calloc(1, sizeof *made);
    if (!made) {
        release(&local);
        return status ? status : LINEX_NO_MEMORY;
    }
    *made = (struct maple_task){.local = local, .outputs = outputs, .response = response, .ridge = ridge};
    made->task = (linex_task){advance_maple, maple_progress, release_maple, LINEX_UNFINISHED, 0};
    made->errors = errors;
    *task = &made->task;
    return LINEX_OK;
}

linex_status linex_maple_errors(const linex_table *table, size_t count, const double *rows, size_t outputs,
                                const double *responses, const double *weights, const double *row,
                                const double *response, const uint32_t *order, double ridge, double *errors)
{
    linex_task *task = NULL;
    linex_status started = linex_maple_start(table, count, rows, outputs, responses, weights, row, response, order,
                                             ridge, errors, &task);
    return linex_task_finish(started, task);
}
