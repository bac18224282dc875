/* path_system.c: the equations that determine s along a path of equilibria, and their inverse. */
#include "solvers/path_system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "matrices/factors.h"
#include "matrices/matrix.h"
#include "solvers/game_state.h"

enum { REFRESH_EVERY = 40 };

/* Finds how fast every pull changes as s moves along its slope. The pull on a copy of a feature at PLAYER changes
 * exactly as fast as the price. It must do so without rounding errors, because rounding would look like a corner. */
static void find_pull_slopes(linex_path *path)
{
    size_t feature_count = path->feature_count;
    for (size_t i = 0; i < path->players; i++) {
        double reach = 0;
        for (size_t c = 0; c < feature_count; c++)
            reach += sqrt(linex_path_gram_row(path, i, c)[c]) * fabs(path->slope[c]);
        for (size_t c = 0; c < feature_count; c++) {
            const double *row = linex_path_gram_row(path, i, c);
            double slope = -linex_dot(feature_count, row, path->slope);
            double rounding = 32 * DBL_EPSILON * (1 + sqrt(row[c]) * reach);
            if (fabs(fabs(slope) - 1) <= rounding) slope = slope > 0 ? 1 : -1;
            path->pull_slope[i * feature_count + c] = slope;
        }
    }
}

/* Writes the residuals of the slope's equations into `column`. Returns the largest. */
static double slope_residuals(linex_path *path)
{
    double largest = 0;
    for (size_t c = 0; c < path->feature_count; c++) {
        path->column[c] = 0;
        if (path->places[c] != LINEX_AT_PLAYER) continue;
        const double *row = linex_path_gram_row(path, path->content[c], c);
        path->column[c] = -path->signs[c] * path->direction - linex_dot(path->feature_count, row, path->slope);
        largest = fmax(largest, fabs(path->column[c]));
    }
    return largest;
}

/* Finds the slope of s and of every pull as the price moves in its direction. In near-singular systems the updated
 * inverse loses some digits; the refinement restores them. */
void linex_path_find_slope(linex_path *path)
{
    size_t feature_count = path->feature_count;
    double *step = path->scratch;
    memset(path->slope, 0, feature_count * sizeof *path->slope);
    for (int pass = 0; pass < 3 && slope_residuals(path) > 64 * DBL_EPSILON; pass++) {
        linex_matrix_apply(feature_count, path->inverse, path->column, step);
        for (size_t c = 0; c < feature_count; c++)
            if (path->places[c] == LINEX_AT_PLAYER) path->slope[c] += step[c];
    }
    find_pull_slopes(path);
}

void linex_path_refresh_pulls(linex_path *path)
{
    linex_slice slice = linex_slice_endless();
    linex_cursor at = {0};
    linex_pulls_advance(path->players, path->feature_count, path->grams, path->targets, path->weights, path->pull,
                        &at, &slice);
}

/* Writes the system of equations into the scratch and its right side into `column`. */
static void write_system(linex_path *path)
{
    size_t feature_count = path->feature_count;
    for (size_t c = 0; c < feature_count; c++) {
        double *row = path->scratch + c * feature_count;
        if (path->places[c] == LINEX_AT_PLAYER) {
            memcpy(row, linex_path_gram_row(path, path->content[c], c), feature_count * sizeof *row);
            path->column[c] = path->targets[path->content[c] * feature_count + c] - path->signs[c] * path->price;
        } else {
            memset(row, 0, feature_count * sizeof *row);
            row[c] = 1;
            path->column[c] = path->places[c] == LINEX_AT_GRID ? path->levels[c] * path->gamma : 0;
        }
    }
}

/* Computes the inverse, s and the pulls from scratch, without the rounding errors of the updates. */
linex_status linex_path_refresh(linex_path *path, linex_slice *slice)
{
    size_t feature_count = path->feature_count;
    if (!path->inverting) write_system(path);
    path->inverting = true;
    linex_status status = linex_invert_advance(feature_count, path->scratch, path->inverse, &path->cursor, slice);
    if (status == LINEX_UNFINISHED) return status;
    path->inverting = false;
    if (status) return status;
    linex_matrix_apply(feature_count, path->inverse, path->column, path->weights);
    for (size_t c = 0; c < feature_count; c++)
        if (path->places[c] != LINEX_AT_PLAYER) path->weights[c] = path->column[c];
    linex_path_refresh_pulls(path);
    linex_slice_use(slice, (double)(path->players + 1) * (double)feature_count * (double)feature_count);
    path->pivots = 0;
    return LINEX_OK;
}

/* Replaces row `feature` of the system by `row`, with the Sherman-Morrison formula. If the system is exactly
 * singular, which small whole numbers can cause, the divisor is replaced by a tiny one. The path there runs at a
 * constant price. */
static linex_status replace_row(linex_path *path, size_t feature, const double *row)
{
    size_t feature_count = path->feature_count;
    double *inverse = path->inverse, *change = path->scratch, *column = path->column;
    double size = 0;
    memset(change, 0, feature_count * sizeof *change);
    for (size_t c = 0; c < feature_count; c++) {
        column[c] = inverse[c * feature_count + feature];
        size += fabs(row[c] * column[c]);
        if (row[c] != 0) linex_add_scaled(feature_count, row[c], inverse + c * feature_count, change);
    }
    double divisor = change[feature], least = 1e-13 * size;
    if (fabs(divisor) < least) divisor = divisor < 0 ? -least : least;
    if (divisor == 0 || !isfinite(divisor)) return LINEX_DEGENERATE;
    for (size_t c = 0; c < feature_count; c++) {
        if (column[c] == 0) continue;
        linex_add_scaled(feature_count, -column[c] / divisor, change, inverse + c * feature_count);
        inverse[c * feature_count + feature] = column[c] / divisor;
    }
    return LINEX_OK;
}

double linex_path_norm(const linex_path *path, const double *values)
{
    double sum = 0;
    for (size_t c = 0; c < path->feature_count; c++)
        if (path->places[c] != LINEX_AT_ZERO) sum += path->signs[c] * values[c];
    return sum;
}

/* Updates the inverse for the corner, or computes it afresh. */
linex_status linex_path_update_system(linex_path *path, linex_slice *slice)
{
    size_t c = path->at.feature, feature_count = path->feature_count;
    if (path->pivots >= REFRESH_EVERY) return linex_path_refresh(path, slice);
    if (path->at.next == LINEX_AT_PLAYER) return replace_row(path, c, linex_path_gram_row(path, path->at.player, c));
    double *unit = path->scratch + feature_count;
    memset(unit, 0, feature_count * sizeof *unit);
    unit[c] = 1;
    return replace_row(path, c, unit);
}
