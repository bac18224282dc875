#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/matrix.h"
#include "game/equilibrium_path.h"
#include "base/alloc.h"

/* LIME's library fits with all features at this ridge before it takes the highest weights. */
static const double HIGHEST_RIDGE = 0.01;
enum { FORWARD_UP_TO = 6, MOST_CORNERS_A_FEATURE = 50 };

/* Up to here the whole Gram matrix, for which there is a kernel, costs less than the rows that forward selection needs,
 * one by one. */
enum { WIDEST_WHOLE = 64, WHOLE_A_FEATURE = 10 };

/* What is selected from. The moments' Gram matrix is NULL where nobody needs all of it. */
struct field {
    const linex_points *points;
    const double *answers, *weights;
    bool centered;
    linex_moments moments;
    const bool *still; /* feature_count: features that do not vary */
};

/* row[c] = the weighted covariance of features c and q; of the answers, where q is the feature_count. */
static void covariances(const struct field *field, size_t q, double *row)
{
    const linex_points *points = field->points;
    const linex_moments *moments = &field->moments;
    size_t feature_count = points->feature_count;
    if (moments->gram) {
        memcpy(row, q < feature_count ? moments->gram + q * feature_count : moments->cross,
               feature_count * sizeof *row);
        return;
    }
    memset(row, 0, feature_count * sizeof *row);
    for (size_t i = 0; i < points->count; i++) {
        if (field->weights[i] == 0) continue;
        const double *point = linex_points_row(points, i, moments->scratch);
        double other = q < feature_count ? point[q] - moments->mean[q] : field->answers[i] - moments->answer_mean;
        double pull = field->weights[i] * other;
        for (size_t c = 0; c < feature_count; c++) row[c] += pull * (point[c] - moments->mean[c]);
    }
    for (size_t c = 0; c < feature_count; c++) row[c] /= moments->total;
}

static void variances(const struct field *field, double *row)
{
    const linex_moments *moments = &field->moments;
    size_t feature_count = field->points->feature_count;
    for (size_t c = 0; c < feature_count; c++) row[c] = moments->gram ? moments->gram[c * feature_count + c] : 0;
    if (moments->gram) return;
    for (size_t i = 0; i < field->points->count; i++) {
        const double *point = linex_points_row(field->points, i, moments->scratch);
        for (size_t c = 0; c < feature_count; c++) {
            double off = point[c] - moments->mean[c];
            row[c] += field->weights[i] * off * off;
        }
    }
    for (size_t c = 0; c < feature_count; c++) row[c] /= moments->total;
}

/* Which of the features left explains most of what is left of the answers; the feature_count where none does. */
static size_t best_of(const struct field *field, const double *variance, const double *left, const double *pull,
                      const bool *taken)
{
    size_t feature_count = field->points->feature_count, best = feature_count;
    double most = -1;
    for (size_t c = 0; c < feature_count; c++) {
        if (taken[c] || field->still[c] || !(left[c] > 64 * DBL_EPSILON * variance[c])) continue;
        double explained = pull[c] * pull[c] / left[c];
        if (explained > most + 64 * DBL_EPSILON * fabs(most)) { /* equals: the first, whatever rounding says */
            most = explained;
            best = c;
        }
    }
    return best;
}

/* Least squares with one feature more, for each that could be it, would cost a fit each. Taking out of all features
 * what the chosen ones explain leaves the gain of each as one division, and needs one row of the Gram matrix a
 * choice, not the matrix: a text of thousands of words has no room for that. */
static linex_status choose_forward(const struct field *field, size_t features, bool *taken)
{
    size_t feature_count = field->points->feature_count, most = features < feature_count ? features : feature_count;
    double *memory = linex_alloc_doubles((double)feature_count * (double)(most + 3) + (double)most);
    if (!memory) return LINEX_NO_MEMORY;
    double *variance = memory, *left = variance + feature_count, *pull = left + feature_count,
           *rows = pull + feature_count;
    double *own = rows + most * feature_count;
    variances(field, variance);
    memcpy(left, variance, feature_count * sizeof *left);
    covariances(field, feature_count, pull);
    for (size_t step = 0; step < most; step++) {
        size_t best = best_of(field, variance, left, pull, taken);
        if (best == feature_count) break;
        taken[best] = true;
        double *row = rows + step * feature_count;
        covariances(field, best, row);
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

/* The fit is taken in the place of the moments: the Gram matrix is the largest thing there is. */
static linex_status choose_highest(size_t feature_count, linex_moments *moments, const bool *still, const double *at,
                                   size_t features, bool *taken)
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
            if (!taken[c] && !still[c] && (best == feature_count || sizes[c] > sizes[best])) best = c;
        if (best == feature_count) break;
        taken[best] = true;
    }
    return LINEX_OK;
}

/* Keeps the features that are there at a corner with few enough; the last such corner wins. A singular Gram
 * matrix ends the path early, as it does in LIME's library. */
static linex_status choose_lasso(size_t feature_count, const linex_moments *moments, size_t features, bool *taken)
{
    linex_path *path = linex_path_new(1, feature_count, moments->gram, moments->cross, (double)INFINITY, 0);
    if (!path) return LINEX_NO_MEMORY;
    bool ended = false;
    for (size_t corner = 0; !ended && corner < MOST_CORNERS_A_FEATURE * feature_count; corner++) {
        if (linex_path_step(path, (double)INFINITY, &ended)) break;
        const double *weights = linex_path_weights(path);
        size_t there = 0;
        for (size_t c = 0; c < feature_count; c++) there += weights[c] != 0;
        if (there == 0 || there > features) continue;
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

/* Which features have one value only, among the samples that have a weight. */
static void find_still(const linex_points *points, const double *weights, double *scratch, bool *still)
{
    size_t first = 0, feature_count = points->feature_count;
    while (first < points->count && weights[first] == 0) first++;
    for (size_t c = 0; c < feature_count; c++) still[c] = true;
    if (first == points->count) return;
    const double *start = linex_points_row(points, first, scratch);
    for (size_t i = first + 1; i < points->count; i++) {
        if (weights[i] == 0) continue;
        const double *point = linex_points_row(points, i, scratch + feature_count);
        for (size_t c = 0; c < feature_count; c++) still[c] = still[c] && point[c] == start[c];
    }
}

/* A feature that does not vary must not look as if it did: uncentered, a constant explains a great deal. */
static void mute(size_t feature_count, const bool *still, linex_moments *moments)
{
    for (size_t i = 0; i < feature_count * feature_count; i++)
        if (still[i / feature_count] || still[i % feature_count]) moments->gram[i] = 0;
    for (size_t c = 0; c < feature_count; c++)
        if (still[c]) moments->cross[c] = 0;
}

static linex_status choose_by_gram(linex_selection selection, struct field *field, const double *at, size_t features,
                                   bool *taken)
{
    size_t feature_count = field->points->feature_count;
    double *memory = linex_alloc_doubles((double)feature_count * (double)(feature_count + 1));
    if (!memory) return LINEX_NO_MEMORY;
    linex_moments *moments = &field->moments;
    moments->gram = memory;
    moments->cross = memory + feature_count * feature_count;
    linex_moments_take(field->points, field->answers, field->weights, field->centered, 0, moments);
    mute(feature_count, field->still, moments);
    linex_status status = LINEX_OK;
    if (selection == LINEX_SELECT_LASSO) status = choose_lasso(feature_count, moments, features, taken);
    if (selection == LINEX_SELECT_HIGHEST)
        status = choose_highest(feature_count, moments, field->still, at, features, taken);
    /* Features that enter a lasso hand in hand leave no corner with few enough; then one by one. */
    if (!status && selection != LINEX_SELECT_HIGHEST && !any(feature_count, taken))
        status = choose_forward(field, features, taken);
    free(memory);
    return status;
}

static linex_status choose(linex_selection selection, struct field *field, const double *at, size_t features,
                           bool *taken)
{
    size_t feature_count = field->points->feature_count, varying = 0;
    for (size_t c = 0; c < feature_count; c++) varying += !field->still[c];
    bool all = selection == LINEX_SELECT_NONE || features == 0;
    if (all || (features >= varying && selection != LINEX_SELECT_LASSO)) {
        for (size_t c = 0; c < feature_count; c++) taken[c] = !field->still[c];
        return LINEX_OK;
    }
    if (selection == LINEX_SELECT_AUTO)
        selection = features <= FORWARD_UP_TO ? LINEX_SELECT_FORWARD : LINEX_SELECT_HIGHEST;
    switch (selection) {
    case LINEX_SELECT_FORWARD:
        if (feature_count <= WIDEST_WHOLE && feature_count <= WHOLE_A_FEATURE * features)
            return choose_by_gram(selection, field, at, features, taken);
        linex_means_take(field->points, field->answers, field->weights, field->centered, &field->moments);
        return choose_forward(field, features, taken);
    case LINEX_SELECT_HIGHEST:
    case LINEX_SELECT_LASSO:
        return choose_by_gram(selection, field, at, features, taken);
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
    bool *flags = calloc(feature_count, 2 * sizeof *flags), *taken = flags, *still = flags + feature_count;
    linex_status status = numbers && flags ? LINEX_OK : LINEX_NO_MEMORY;
    if (!status) {
        struct field field = {points, answers, weights, centered, .still = still};
        field.moments = (linex_moments){.mean = numbers, .scratch = numbers + feature_count};
        find_still(points, weights, field.moments.scratch, still);
        status = choose(selection, &field, at, features, taken);
    }
    *chosen_count = 0;
    for (size_t c = 0; !status && c < feature_count; c++)
        if (taken[c]) chosen[(*chosen_count)++] = (uint32_t)c;
    free(numbers);
    free(flags);
    return status;
}
