/* equilibrium_path.c: follows a path of equilibria, corner by corner. */
#include "solvers/equilibrium_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/alloc.h"
#include "matrices/matrix.h"
#include "solvers/path_corners.h"
#include "solvers/path_system.h"

static void allocate_parts(linex_path *path, double *numbers, size_t players, size_t feature_count)
{
    double **parts[] = {&path->targets, &path->pull, &path->pull_slope};
    for (size_t i = 0; i < 3; i++, numbers += players * feature_count) *parts[i] = numbers;
    path->inverse = numbers, numbers += feature_count * feature_count;
    path->scratch = numbers, numbers += feature_count * (feature_count + 1);
    path->weights = numbers, numbers += feature_count;
    path->slope = numbers, numbers += feature_count;
    path->column = numbers;
}

/* The natural size of b_ic is sqrt(G_i[c][c]) times the spread of the answers. The largest b_ic / sqrt(G_i[c][c])
 * serves as that spread. */
static void jitter_targets(linex_path *path, double jitter)
{
    size_t feature_count = path->feature_count;
    linex_random random = linex_random_seed(0);
    double spread = 0;
    for (size_t i = 0; i < path->players * feature_count; i++)
        spread = fmax(spread,
                      fabs(path->targets[i]) /
                          sqrt(linex_path_gram_row(path, i / feature_count, i % feature_count)[i % feature_count]));
    for (size_t i = 0; i < path->players * feature_count; i++) {
        double size =
            spread * sqrt(linex_path_gram_row(path, i / feature_count, i % feature_count)[i % feature_count]);
        path->targets[i] += jitter * size * (2 * linex_random_uniform(&random) - 1);
    }
}

linex_path *linex_path_new(size_t players, size_t feature_count, const double *grams, const double *targets,
                           double gamma, double jitter)
{
    linex_path *path = calloc(1, sizeof *path);
    if (!path) return NULL;
    *path = (linex_path){
        .players = players, .feature_count = feature_count, .grams = grams, .gamma = gamma, .direction = -1};
    double *numbers =
        linex_alloc_doubles(3.0 * (double)players * (double)feature_count +
                            2.0 * (double)feature_count * (double)feature_count + 4.0 * (double)feature_count);
    path->targets = numbers;
    path->places = calloc(feature_count, sizeof *path->places);
    path->signs = calloc(feature_count, sizeof *path->signs);
    path->levels = calloc(feature_count, sizeof *path->levels);
    path->content = calloc(feature_count, sizeof *path->content);
    path->sides = calloc(players * feature_count, sizeof *path->sides);
    if (!numbers || !path->places || !path->signs || !path->levels || !path->content || !path->sides) {
        linex_path_free(path);
        return NULL;
    }
    allocate_parts(path, numbers, players, feature_count);
    memcpy(path->targets, targets, players * feature_count * sizeof *targets);
    if (jitter > 0) jitter_targets(path, jitter);
    memcpy(path->pull, path->targets, players * feature_count * sizeof *targets);
    for (size_t i = 0; i < players * feature_count; i++)
        if (fabs(path->pull[i]) > path->price) path->price = fabs(path->pull[i]);
    for (size_t c = 0; c < feature_count; c++) path->inverse[c * feature_count + c] = 1;
    return path;
}

void linex_path_free(linex_path *path)
{
    if (!path) return;
    free(path->targets);
    free(path->places);
    free(path->signs);
    free(path->levels);
    free(path->content);
    free(path->sides);
    free(path);
}

const double *linex_path_weights(const linex_path *path)
{
    return path->weights;
}

double linex_path_price(const linex_path *path)
{
    return path->price;
}

static void move(linex_path *path, double distance)
{
    linex_add_scaled(path->feature_count, distance, path->slope, path->weights);
    linex_add_scaled(path->players * path->feature_count, distance, path->pull_slope, path->pull);
    path->price += distance * path->direction;
}

static void take_sides(linex_path *path, const linex_corner *at)
{
    for (size_t i = 0; i < path->players; i++) {
        double gap = path->pull[i * path->feature_count + at->feature] - at->sign * path->price;
        path->sides[i * path->feature_count + at->feature] = gap > 0 ? 1 : -1;
    }
    /* The pushes must add up to the level. If rounding at a tie says otherwise, the player nearest to content
     * flips. */
    int sum = 0;
    for (size_t i = 0; i < path->players; i++)
        if (i != at->player) sum += path->sides[i * path->feature_count + at->feature];
    while (sum != at->level) {
        int wrong = sum > at->level ? 1 : -1;
        size_t nearest = at->player;
        double nearest_gap = (double)INFINITY;
        for (size_t i = 0; i < path->players; i++) {
            double gap = fabs(path->pull[i * path->feature_count + at->feature] - at->sign * path->price);
            if (i != at->player && path->sides[i * path->feature_count + at->feature] == wrong && gap < nearest_gap) {
                nearest = i;
                nearest_gap = gap;
            }
        }
        path->sides[nearest * path->feature_count + at->feature] = (signed char)-wrong;
        sum -= 2 * wrong;
    }
}

/* Puts the feature into its new place. Returns the player that was content before the corner, or `players` if
 * none. */
static size_t change_place(linex_path *path, const linex_corner *at)
{
    size_t c = at->feature, feature_count = path->feature_count, released = path->players;
    if (path->places[c] == LINEX_AT_PLAYER) {
        released = path->content[c];
        path->sides[released * feature_count + c] = (signed char)at->onward;
    } else if (path->places[c] == LINEX_AT_ZERO) {
        take_sides(path, at);
    }
    path->places[c] = at->next;
    path->signs[c] = at->sign;
    path->levels[c] = at->level;
    if (at->next == LINEX_AT_PLAYER) {
        path->content[c] = at->player;
        path->sides[at->player * feature_count + c] = 0;
    } else {
        path->weights[c] = at->next == LINEX_AT_GRID ? at->level * path->gamma : 0;
    }
    return released;
}

/* Finds the slope after the corner, and whether the price falls or rises. */
static void choose_direction(linex_path *path)
{
    const linex_corner *at = &path->at;
    size_t c = at->feature, feature_count = path->feature_count;
    path->direction = 1;
    linex_path_find_slope(path);
    double motion;
    int onward = at->onward;
    if (path->released < path->players) {
        motion = path->pull_slope[path->released * feature_count + c] - at->sign * path->direction;
    } else {
        /* If a player stops pushing up, the feature leaves GRID downwards; if it stops pushing down, upwards. */
        motion = path->slope[c];
        if (path->from_grid) onward = -onward;
    }
    if (motion * onward < 0) {
        path->direction = -1;
        for (size_t i = 0; i < feature_count; i++) path->slope[i] = -path->slope[i];
        for (size_t i = 0; i < path->players * feature_count; i++) path->pull_slope[i] = -path->pull_slope[i];
    }
}

/* Passes the corner path->at. */
static linex_status turn(linex_path *path, linex_slice *slice)
{
    if (!path->turning) {
        path->from_grid = path->places[path->at.feature] == LINEX_AT_GRID;
        path->released = change_place(path, &path->at);
        path->pivots++;
        path->turning = true;
    }
    linex_status status = linex_path_update_system(path, slice);
    if (status == LINEX_UNFINISHED) return status;
    path->turning = false;
    if (!status) choose_direction(path);
    return status;
}

/* Moves to the end of the path if that is before the next corner. */
static linex_status walk_to_end(linex_path *path, double norm, double corner_distance, bool *ended)
{
    double end = path->direction < 0 ? path->price : (double)INFINITY;
    double growth = linex_path_norm(path, path->slope);
    if (growth > 0 && isfinite(norm)) {
        double room = (norm - linex_path_norm(path, path->weights)) / growth;
        if (room < end) end = room > 0 ? room : 0;
    }
    *ended = end <= corner_distance;
    if (!*ended) return LINEX_OK;
    if (!isfinite(end)) return LINEX_NOT_CONVERGED;
    move(path, end);
    if (path->direction < 0 && path->price < 0) path->price = 0;
    return LINEX_OK;
}

linex_status linex_path_step(linex_path *path, double norm, bool *ended, linex_slice *slice)
{
    *ended = false;
    if (path->turning) return turn(path, slice);
    if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
    linex_slice_use(slice, (double)(path->players + 4) * (double)path->feature_count * (double)path->feature_count);
    path->at = linex_path_next_corner(path);
    linex_status status = walk_to_end(path, norm, path->at.distance, ended);
    if (status || *ended) return status;
    /* If there are more corners at one point than pairs to swap, ties make the path cycle. */
    path->standing = path->at.distance > 0 ? 0 : path->standing + 1;
    if (path->standing > 4 * path->players * path->feature_count) return LINEX_NOT_CONVERGED;
    move(path, path->at.distance);
    return turn(path, slice);
}

/* One step of iterative refinement: solves for the residuals of the equations and adds the result. */
static void refine(linex_path *path)
{
    size_t feature_count = path->feature_count;
    for (size_t c = 0; c < feature_count; c++) {
        bool fixed = path->places[c] != LINEX_AT_PLAYER;
        path->column[c] = fixed ? 0 : path->pull[path->content[c] * feature_count + c] - path->signs[c] * path->price;
    }
    linex_matrix_apply(feature_count, path->inverse, path->column, path->slope);
    for (size_t c = 0; c < feature_count; c++)
        if (path->places[c] == LINEX_AT_PLAYER) path->weights[c] += path->slope[c];
    linex_path_refresh_pulls(path);
}

linex_status linex_path_polish(linex_path *path, const double *targets, double norm, linex_slice *slice)
{
    memcpy(path->targets, targets, path->players * path->feature_count * sizeof *targets);
    for (; path->polishing < 3; path->polishing++) {
        linex_status status = linex_path_refresh(path, slice);
        if (status) return status;
        refine(path);
        if (path->price == 0) break;
        path->direction = 1;
        linex_path_find_slope(path);
        double growth = linex_path_norm(path, path->slope);
        if (growth == 0) break;
        path->price = fmax(0, path->price + (norm - linex_path_norm(path, path->weights)) / growth);
    }
    path->polishing = 0;
    return LINEX_OK;
}
