/* maple.c: the errors of MAPLE's local regressions, by the number of features. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/matrix.h"
#include "base/alloc.h"

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

/* With G = L L', the fit on the first k features predicts mean + a' G^-1 b over these k features. The factor of the
 * first k features is the corner of the whole L. So this is mean + sum over j <= k of (L^-1 a)_j (L^-1 b)_j, and one
 * factor serves every k. */
static linex_status add_errors(struct local *local, const double *answers, double ridge, double response,
                               double *errors)
{
    size_t feature_count = local->feature_count;
    linex_moments *moments = &local->moments;
    linex_points points = {local->count, feature_count, local->rows, NULL};
    linex_moments_take(&points, answers, local->weights, true, ridge, moments);
    linex_status status = linex_cholesky(feature_count, moments->gram);
    if (status) return status;
    double *offset = moments->mean, predicted = moments->answer_mean;
    for (size_t c = 0; c < feature_count; c++) offset[c] = local->at[c] - moments->mean[c];
    forward(feature_count, moments->gram, offset);
    forward(feature_count, moments->gram, moments->cross);
    for (size_t c = 0; c < feature_count; c++) {
        predicted += offset[c] * moments->cross[c];
        errors[c] += (response - predicted) * (response - predicted);
    }
    return LINEX_OK;
}

static bool is_valid_order(size_t feature_count, const uint32_t *order)
{
    for (size_t c = 0; c < feature_count; c++)
        if (order[c] >= feature_count) return false;
    return true;
}

linex_status linex_maple_errors(const linex_table *table, size_t count, const double *rows, size_t outputs,
                                const double *responses, const double *weights, const double *row,
                                const double *response, const uint32_t *order, double ridge, double *errors)
{
    if (!table || !count || !rows || !outputs || !responses || !weights || !row || !response || !order || !errors ||
        !(ridge > 0) || !isfinite(ridge) || !is_valid_order(table->columns, order) ||
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
        size_t kept = 0;
        for (size_t i = 0; i < count; i++) {
            if (!(weights[i] > 0)) continue;
            memcpy(local.rows + kept * local.feature_count, rows + i * local.feature_count,
                   local.feature_count * sizeof *rows);
            for (size_t o = 0; o < outputs; o++) local.answers[o * local.count + kept] = responses[i * outputs + o];
            local.weights[kept++] = weights[i];
        }
        bool finite = linex_all_finite(local.count * outputs, local.answers);
        status = finite ? represent(&local, table, row, order) : LINEX_BAD_ARGUMENT;
    }
    for (size_t o = 0; o < outputs && !status; o++)
        status = add_errors(&local, local.answers + o * local.count, ridge, response[o], errors);
    release(&local);
    return status || linex_all_finite(table->columns, errors) ? status : LINEX_OVERFLOW;
}
