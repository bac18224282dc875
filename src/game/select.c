/* select.c: chooses the features that may get a weight. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/matrix.h"
#include "game/equilibrium_path.h"
#include "base/alloc.h"

/* LIME's library fits all features with this ridge before it takes the highest weights. */
static const double HIGHEST_RIDGE = 0.01;
enum { FORWARD_UP_TO = 6, MAX_CORNERS_PER_FEATURE = 50 };

/* Up to these numbers of features, in all and per chosen feature, the whole Gram matrix is computed. It costs less
 * than the single rows that forward selection needs, because there is a fast kernel for it. */
enum { MAX_GRAM_FEATURES = 64, MAX_GRAM_FEATURES_PER_CHOICE = 10 };

/* The data to select from. The moments' Gram matrix is NULL if the selection does not need all of it. */
struct candidates {
    const linex_points *points;
    const double *answers, *weights;
    bool centered;
    linex_moments moments;
    const bool *constant; /* feature_count: features that do not vary */
};

/* row[c] = the weighted covariance of features c and q, or of feature c and the answers if q is feature_count. */
static void covariances(const struct candidates *data, size_t q, double *row)
{
    const linex_points *points = data->points;
    const linex_moments *moments = &data->moments;
    size_t feature_count = points->feature_count;
    if (moments->gram) {
        memcpy(row, q < feature_count ? moments->gram + q * feature_count : moments->cross,
               feature_count * sizeof *row);
        return;
    }
    memset(row, 0, feature_count * sizeof *row);
    for (size_t i = 0; i < points->count; i++) {
        if (data->weights[i] == 0) continue;
        const double *point = linex_points_row(points, i, moments->scratch);
        double second = q < feature_count ? point[q] - moments->mean[q] : data->answers[i] - moments->answer_mean;
        double pull = data->weights[i] * second;
        for (size_t c = 0; c < feature_count; c++) row[c] += pull * (point[c] - moments->mean[c]);
    }
    for (size_t c = 0; c < feature_count; c++) row[c] /= moments->total;
}

static void variances(const struct candidates *data, double *row)
{
    const linex_moments *moments = &data->moments;
    size_t feature_count = data->points->feature_count;
    for (size_t c = 0; c < feature_count; c++) row[c] = moments->gram ? moments->gram[c * feature_count + c] : 0;
    if (moments->gram) return;
    for (size_t i = 0; i < data->points->count; i++) {
        const double *point = linex_points_row(data->points, i, moments->scratch);
        for (size_t c = 0; c < feature_count; c++) {
            double off = point[c] - moments->mean[c];
            row[c] += data->weights[i] * off * off;
        }
    }
    for (size_t c = 0; c < feature_count; c++) row[c] /= moments->total;
}

/* Returns the feature that explains most of the remainder of the answers; feature_count if none does. */
static size_t best_of(const struct candidates *data, const double *variance, const double *left, const double *pull,
                      const bool *taken)
{
    size_t feature_count = data->points->feature_count, best = feature_count;
    double most = -1;
    for (size_t c = 0; c < feature_count; c++) {
        if (taken[c] || data->constant[c] || !(left[c] > 64 * DBL_EPSILON * variance[c])) continue;
        double explained = pull[c] * pull[c] / left[c];
        if (explained > most + 64 * DBL_EPSILON * fabs(most)) { /* of equal features, takes the first one */
            most = explained;
            best = c;
        }
    }
    return best;
}

/* Trying each remaining feature in a least-squares fit would cost one fit per feature. Instead, what the chosen
 * features explain is removed from all others. The gain of a feature is then one division. This needs one row of the
 * Gram matrix per choice, not the whole matrix, which is too large for a text of thousands of words. */
static linex_status choose_forward(const struct candidates *data, size_t features, bool *taken)
{
    size_t feature_count = data->points->feature_count, most = features < feature_count ? features : feature_count;
    double *memory = linex_alloc_doubles((double)feature_count * (double)(most + 3) + (double)most);
    if (!memory) return LINEX_NO_MEMORY;
    double *variance = memory, *left = variance + feature_count, *pull = left + feature_count,
           *rows = pull + feature_count;
    double *own = rows + most * feature_count;
    variances(data, variance);
    memcpy(left, variance, feature_count * sizeof *left);
    covariances(data, feature_count, pull);
    for (size_t step = 0; step < most; step++) {
        size_t best = best_of(data, variance, left, pull, taken);
        if (best == feature_count) break;
        taken[best] = true;
        double *row = rows + step * feature_count;
        covariances(data, best, row);
        for (size_t before = 0; before < step; before++)
            linex_add_scaled(feature_count, -rows[before * feature_count + best] / own[before],
                             rows + before * feature_count, row);
        own[step] = left[best];
        double factor = pull[best] / own[step];
        for (size_t c = 0; c < feature_count; c++) {
            left[c] -= row[c] * row[c] / own[step];
            pull[c] -= factor * row[c];
        }
    }
    free(memory);
    return LINEX_OK;
}

/* Overwrites the moments with the fit, because the Gram matrix is the largest array. */
static linex_status choose_highest(size_t feature_count, linex_moments *moments, const bool *constant,
                                   const double *at, size_t features, bool *taken)
{
    double *sizes = moments->cross;
    for (size_t c = 0; c < feature_count; c++) moments->gram[c * feature_count + c] += HIGHEST_RIDGE / moments->total;
    linex_status status = linex_cholesky(feature_count, moments->gram);
    if (status) return status;
    linex_cholesky_solve(feature_count, moments->gram, sizes);
    for (size_t c = 0; c < feature_count; c++) sizes[c] = fabs(sizes[c] * at[c]);
    for (size_t step = 0; step < features; step++) {
        size_t best = feature_count;
        for (size_t c = 0; c < feature_count; c++)
            if (!taken[c] && !constant[c] && (best == feature_count || sizes[c] > sizes[best])) best = c;
        if (best == feature_count) break;
        taken[best] = true;
    }
    return LINEX_OK;
}

/* Takes the nonzero features of the last corner that does not have too many. A singular Gram matrix ends the path
 * early, as in LIME's library. */
static linex_status choose_lasso(size_t feature_count, const linex_moments *moments, size_t features, bool *taken)
{
    linex_path *path = linex_path_new(1, feature_count, moments->gram, moments->cross, (double)INFINITY, 0);
    if (!path) return LINEX_NO_MEMORY;
    bool ended = false;
    for (size_t corner = 0; !ended && corner < MAX_CORNERS_PER_FEATURE * feature_count; corner++) {
        if (linex_path_step(path, (double)INFINITY, &ended, &(linex_slice){(double)INFINITY})) break;
        const double *weights = linex_path_weights(path);
        size_t nonzero = 0;
        for (size_t c = 0; c < feature_count; c++) nonzero += weights[c] != 0;
        if (nonzero == 0 || nonzero > features) continue;
        for (size_t c = 0; c < feature_count; c++) taken[c] = weights[c] != 0;
    }
    linex_path_free(path);
    return LINEX_OK;
}

static bool any(size_t feature_count, const bool *flags)
{
    for (size_t c = 0; c < feature_count; c++)
        if (flags[c]) return true;
    return false;
}

/* Finds the features that have a single value among the samples with a weight. */
static void find_constant(const linex_points *points, const double *weights, double *scratch, bool *constant)
{
    size_t first = 0, feature_count = points->feature_count;
    while (first < points->count && weights[first] == 0) first++;
    for (size_t c = 0; c < feature_count; c++) constant[c] = true;
    if (first == points->count) return;
    const double *start = linex_points_row(points, first, scratch);
    for (size_t i = first + 1; i < points->count; i++) {
        if (weights[i] == 0) continue;
        const double *point = linex_points_row(points, i, scratch + feature_count);
        for (size_t c = 0; c < feature_count; c++) constant[c] = constant[c] && point[c] == start[c];
    }
}

/* Clears the moments of features that do not vary. Without centering, a constant would seem to explain a lot. */
static void clear_constant(size_t feature_count, const bool *constant, linex_moments *moments)
{
    for (size_t i = 0; i < feature_count * feature_count; i++)
        if (constant[i / feature_count] || constant[i % feature_count]) moments->gram[i] = 0;
    for (size_t c = 0; c < feature_count; c++)
        if (constant[c]) moments->cross[c] = 0;
}

static linex_status choose_by_gram(linex_selection selection, struct candidates *data, const double *at,
                                   size_t features, bool *taken)
{
    size_t feature_count = data->points->feature_count;
    double *memory = linex_alloc_doubles((double)feature_count * (double)(feature_count + 1));
    if (!memory) return LINEX_NO_MEMORY;
    linex_moments *moments = &data->moments;
    moments->gram = memory;
    moments->cross = memory + feature_count * feature_count;
    linex_moments_take(data->points, data->answers, data->weights, data->centered, 0, moments);
    clear_constant(feature_count, data->constant, moments);
    linex_status status = LINEX_OK;
    if (selection == LINEX_SELECT_LASSO) status = choose_lasso(feature_count, moments, features, taken);
    if (selection == LINEX_SELECT_HIGHEST)
        status = choose_highest(feature_count, moments, data->constant, at, features, taken);
    /* If features enter the lasso path together, every corner may have too many. Then choose one by one. */
    if (!status && selection != LINEX_SELECT_HIGHEST && !any(feature_count, taken))
        status = choose_forward(data, features, taken);
    free(memory);
    return status;
}

static linex_status choose(linex_selection selection, struct candidates *data, const double *at, size_t features,
                           bool *taken)
{
    size_t feature_count = data->points->feature_count, varying = 0;
    for (size_t c = 0; c < feature_count; c++) varying += !data->constant[c];
    bool all = selection == LINEX_SELECT_NONE || features == 0;
    if (all || (features >= varying && selection != LINEX_SELECT_LASSO)) {
        for (size_t c = 0; c < feature_count; c++) taken[c] = !data->constant[c];
        return LINEX_OK;
    }
    if (selection == LINEX_SELECT_AUTO)
        selection = features <= FORWARD_UP_TO ? LINEX_SELECT_FORWARD : LINEX_SELECT_HIGHEST;
    switch (selection) {
    case LINEX_SELECT_FORWARD:
        if (feature_count <= MAX_GRAM_FEATURES && feature_count <= MAX_GRAM_FEATURES_PER_CHOICE * features)
            return choose_by_gram(selection, data, at, features, taken);
        linex_means_take(data->points, data->answers, data->weights, data->centered, &data->moments);
        return choose_forward(data, features, taken);
    case LINEX_SELECT_HIGHEST:
    case LINEX_SELECT_LASSO:
        return choose_by_gram(selection, data, at, features, taken);
    default:
        return LINEX_BAD_ARGUMENT;
    }
}

linex_status linex_select(linex_selection selection, const linex_points *points, const double *answers,
                          const double *weights, bool centered, const double *at, size_t features, uint32_t *chosen,
                          size_t *chosen_count)
{
    if (!points || !points->count || !points->feature_count || !points->values == !points->masks)
        return LINEX_BAD_ARGUMENT;
    if (!answers || !weights || !at || !chosen || !chosen_count) return LINEX_BAD_ARGUMENT;
    size_t feature_count = points->feature_count;
    double *numbers = linex_alloc_doubles((double)feature_count + linex_moments_scratch(feature_count));
    bool *flags = calloc(feature_count, 2 * sizeof *flags), *taken = flags, *constant = flags + feature_count;
    linex_status status = numbers && flags ? LINEX_OK : LINEX_NO_MEMORY;
    if (!status) {
        struct candidates data = {points, answers, weights, centered, .constant = constant};
        data.moments = (linex_moments){.mean = numbers, .scratch = numbers + feature_count};
        find_constant(points, weights, data.moments.scratch, constant);
        status = choose(selection, &data, at, features, taken);
    }
    *chosen_count = 0;
    for (size_t c = 0; !status && c < feature_count; c++)
        if (taken[c]) chosen[(*chosen_count)++] = (uint32_t)c;
    free(numbers);
    free(flags);
    return status;
}
