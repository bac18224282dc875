/* equilibrium_path.c: the pivots of the path of equilibria (equilibrium_path.h). */
#include "game/equilibrium_path.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/matrix.h"
#include "base/random.h"
#include "base/alloc.h"
#include "game/game_state.h"

enum { REFRESH_EVERY = 40 };

typedef enum { ZERO, GRID, PLAYER } place;

/* What happens at a corner. */
typedef struct {
    double distance;
    size_t feature;
    place next;
    size_t player; /* the player that becomes content; if next is not PLAYER, the one that was content */
    int sign, level;
    int onward; /* the direction after the corner: of s_c, or of the player that was content. It decides whether the
                   price falls or rises */
} corner;

struct linex_path {
    size_t players, feature_count;
    const double *grams;
    double gamma;
    double price;       /* lambda */
    double direction;   /* its slope along the path: -1 or +1 */
    size_t pivots;      /* since the inverse was last computed from scratch */
    size_t standing;    /* consecutive corners at the same spot */
    double *targets;    /* players x feature_count */
    double *weights;    /* feature_count: s */
    double *slope;      /* feature_count: the slope of s along the path */
    double *pull;       /* players x feature_count: r */
    double *pull_slope; /* players x feature_count */
    double *inverse;    /* of the system whose row c is G_i[c] if c is at PLAYER i, otherwise a unit vector */
    double *scratch;    /* (feature_count + 1) x feature_count */
    double *column;     /* feature_count */
    place *places;      /* feature_count */
    int *signs;         /* feature_count: the sign of s_c, unless at ZERO */
    int *levels;        /* feature_count: pushes up minus pushes down, unless at ZERO */
    size_t *content;    /* feature_count: the content player, at PLAYER */
    signed char *sides; /* players x feature_count: +1 pushes up, -1 down, 0 content */
    corner at;          /* the corner that is being turned, if turning */
    bool turning;
    bool from_grid;      /* whether the feature of the corner was at GRID before */
    size_t released;     /* the player that was content before the corner; `players` if none */
    bool inverting;      /* whether the inverse is being computed from scratch */
    linex_cursor cursor; /* its position */
    int polishing;       /* finished passes of linex_path_polish */
};

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

static const double *gram_row(const linex_path *path, size_t player, size_t feature)
{
    return path->grams + (player * path->feature_count + feature) * path->feature_count;
}

/* The natural size of b_ic is sqrt(G_i[c][c]) times the spread of the answers. The largest b_ic / sqrt(G_i[c][c])
 * serves as that spread. */
static void jitter_targets(linex_path *path, double jitter)
{
    size_t feature_count = path->feature_count;
    linex_random random = linex_random_seed(0);
    double spread = 0;
    for (size_t i = 0; i < path->players * feature_count; i++)
        spread = fmax(spread, fabs(path->targets[i]) /
                                  sqrt(gram_row(path, i / feature_count, i % feature_count)[i % feature_count]));
    for (size_t i = 0; i < path->players * feature_count; i++) {
        double size = spread * sqrt(gram_row(path, i / feature_count, i % feature_count)[i % feature_count]);
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

/* Finds how fast every pull changes as s moves along its slope. The pull on a copy of a feature at PLAYER changes
 * exactly as fast as the price. It must do so without rounding errors, because rounding would look like a corner. */
static void find_pull_slopes(linex_path *path)
{
    size_t feature_count = path->feature_count;
    for (size_t i = 0; i < path->players; i++) {
        double reach = 0;
        for (size_t c = 0; c < feature_count; c++) reach += sqrt(gram_row(path, i, c)[c]) * fabs(path->slope[c]);
        for (size_t c = 0; c < feature_count; c++) {
            const double *row = gram_row(path, i, c);
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
        if (path->places[c] != PLAYER) continue;
        const double *row = gram_row(path, path->content[c], c);
        path->column[c] = -path->signs[c] * path->direction - linex_dot(path->feature_count, row, path->slope);
        largest = fmax(largest, fabs(path->column[c]));
    }
    return largest;
}

/* Finds the slope of s and of every pull as the price moves in its direction. In near-singular systems the updated
 * inverse loses some digits; the refinement restores them. */
static void find_slope(linex_path *path)
{
    size_t feature_count = path->feature_count;
    double *step = path->scratch;
    memset(path->slope, 0, feature_count * sizeof *path->slope);
    for (int pass = 0; pass < 3 && slope_residuals(path) > 64 * DBL_EPSILON; pass++) {
        linex_matrix_apply(feature_count, path->inverse, path->column, step);
        for (size_t c = 0; c < feature_count; c++)
            if (path->places[c] == PLAYER) path->slope[c] += step[c];
    }
    find_pull_slopes(path);
}

static void refresh_pulls(linex_path *path)
{
    linex_slice slice = linex_slice_endless();
    linex_pulls_advance(path->players, path->feature_count, path->grams, path->targets, path->weights, path->pull,
                        &(linex_cursor){0}, &slice);
}

/* Writes the system of equations into the scratch and its right side into `column`. */
static void write_system(linex_path *path)
{
    size_t feature_count = path->feature_count;
    for (size_t c = 0; c < feature_count; c++) {
        double *row = path->scratch + c * feature_count;
        if (path->places[c] == PLAYER) {
            memcpy(row, gram_row(path, path->content[c], c), feature_count * sizeof *row);
            path->column[c] = path->targets[path->content[c] * feature_count + c] - path->signs[c] * path->price;
        } else {
            memset(row, 0, feature_count * sizeof *row);
            row[c] = 1;
            path->column[c] = path->places[c] == GRID ? path->levels[c] * path->gamma : 0;
        }
    }
}

/* Computes the inverse, s and the pulls from scratch, without the rounding errors of the updates. */
static linex_status refresh(linex_path *path, linex_slice *slice)
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
        if (path->places[c] != PLAYER) path->weights[c] = path->column[c];
    refresh_pulls(path);
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

/* Returns how far along the path a gap closes; 0 if rounding has left it slightly below zero. */
static double distance_to(double gap, double gap_slope)
{
    if (gap_slope >= 0) return (double)INFINITY;
    return gap > 0 ? gap / -gap_slope : 0;
}

/* Returns whether player i pushes a feature at ZERO in direction `up` (+1 or -1) after the path has moved by
 * `distance`. If its pull is within rounding of the price, the slope of the gap decides. */
static bool pushes(const linex_path *path, size_t feature, size_t i, int up, double distance)
{
    size_t at = i * path->feature_count + feature;
    double gap = up * path->pull[at] - path->price;
    double gap_slope = up * path->pull_slope[at] - path->direction;
    double later = gap + distance * gap_slope;
    double tiny = 64 * DBL_EPSILON * path->price;
    return later > tiny || (later >= -tiny && gap_slope > 0);
}

/* A feature leaves ZERO if more than half of the players push the same way. */
static void leave_zero(linex_path *path, size_t feature, int up, corner *first)
{
    size_t half = path->players / 2;
    double tiny = 64 * DBL_EPSILON * path->price;
    for (size_t i = 0; i < path->players; i++) {
        size_t at = i * path->feature_count + feature;
        double gap = path->price - up * path->pull[at];
        if (gap < -tiny) continue;
        double distance = distance_to(gap, path->direction - up * path->pull_slope[at]);
        if (!(distance < first->distance)) continue;
        size_t pushing = 1;
        for (size_t j = 0; j < path->players; j++) pushing += j != i && pushes(path, feature, j, up, distance);
        if (pushing <= half) continue;
        int level = 2 * (int)half - (int)path->players + 1;
        *first = (corner){distance, feature, PLAYER, i, up, up * level, up};
    }
}

/* A player that pushed becomes content. It replaces the content player, or is the only one at GRID. */
static void meet_players(linex_path *path, size_t feature, corner *first)
{
    size_t feature_count = path->feature_count;
    int sign = path->signs[feature];
    for (size_t i = 0; i < path->players; i++) {
        int side = path->sides[i * feature_count + feature];
        if (side == 0) continue;
        double gap = side * (path->pull[i * feature_count + feature] - sign * path->price);
        double gap_slope = side * (path->pull_slope[i * feature_count + feature] - sign * path->direction);
        double distance = distance_to(gap, gap_slope);
        if (distance < first->distance) {
            int level = path->levels[feature];
            if (path->places[feature] == GRID) level -= side;
            *first = (corner){distance, feature, PLAYER, i, sign, level, side};
        }
    }
}

/* The content player reaches its limit, or s_c reaches zero. */
static void meet_limits(linex_path *path, size_t feature, corner *first)
{
    double slope = path->slope[feature];
    if (slope == 0) return;
    int onward = slope > 0 ? 1 : -1, level = path->levels[feature] + onward, sign = path->signs[feature];
    bool at_zero = level * sign <= 0;
    double limit = at_zero ? 0 : level * path->gamma;
    if (!at_zero && isinf(path->gamma)) return;
    double distance = distance_to(onward * (limit - path->weights[feature]), -fabs(slope));
    if (distance < first->distance) {
        place next = at_zero ? ZERO : GRID;
        *first = (corner){distance, feature, next, path->content[feature], sign, level, onward};
    }
}

static corner next_corner(linex_path *path)
{
    corner first = {.distance = (double)INFINITY};
    for (size_t c = 0; c < path->feature_count; c++) {
        switch (path->places[c]) {
        case ZERO:
            leave_zero(path, c, 1, &first);
            leave_zero(path, c, -1, &first);
            break;
        case PLAYER:
            meet_limits(path, c, &first);
            meet_players(path, c, &first);
            break;
        case GRID:
            meet_players(path, c, &first);
            break;
        }
    }
    return first;
}

static void move(linex_path *path, double distance)
{
    linex_add_scaled(path->feature_count, distance, path->slope, path->weights);
    linex_add_scaled(path->players * path->feature_count, distance, path->pull_slope, path->pull);
    path->price += distance * path->direction;
}

static void take_sides(linex_path *path, const corner *at)
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
static size_t change_place(linex_path *path, const corner *at)
{
    size_t c = at->feature, feature_count = path->feature_count, released = path->players;
    if (path->places[c] == PLAYER) {
        released = path->content[c];
        path->sides[released * feature_count + c] = (signed char)at->onward;
    } else if (path->places[c] == ZERO) {
        take_sides(path, at);
    }
    path->places[c] = at->next;
    path->signs[c] = at->sign;
    path->levels[c] = at->level;
    if (at->next == PLAYER) {
        path->content[c] = at->player;
        path->sides[at->player * feature_count + c] = 0;
    } else {
        path->weights[c] = at->next == GRID ? at->level * path->gamma : 0;
    }
    return released;
}

/* Updates the inverse for the corner, or computes it afresh. */
static linex_status update_system(linex_path *path, linex_slice *slice)
{
    size_t c = path->at.feature, feature_count = path->feature_count;
    if (path->pivots >= REFRESH_EVERY) return refresh(path, slice);
    if (path->at.next == PLAYER) return replace_row(path, c, gram_row(path, path->at.player, c));
    double *unit = path->scratch + feature_count;
    memset(unit, 0, feature_count * sizeof *unit);
    unit[c] = 1;
    return replace_row(path, c, unit);
}

/* Finds the slope after the corner, and whether the price falls or rises. */
static void choose_direction(linex_path *path)
{
    const corner *at = &path->at;
    size_t c = at->feature, feature_count = path->feature_count;
    path->direction = 1;
    find_slope(path);
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
        path->from_grid = path->places[path->at.feature] == GRID;
        path->released = change_place(path, &path->at);
        path->pivots++;
        path->turning = true;
    }
    linex_status status = update_system(path, slice);
    if (status == LINEX_UNFINISHED) return status;
    path->turning = false;
    if (!status) choose_direction(path);
    return status;
}

static double norm_of(const linex_path *path, const double *values)
{
    double sum = 0;
    for (size_t c = 0; c < path->feature_count; c++)
        if (path->places[c] != ZERO) sum += path->signs[c] * values[c];
    return sum;
}

/* Moves to the end of the path if that is before the next corner. */
static linex_status walk_to_end(linex_path *path, double norm, double corner_distance, bool *ended)
{
    double end = path->direction < 0 ? path->price : (double)INFINITY;
    double growth = norm_of(path, path->slope);
    if (growth > 0 && isfinite(norm)) {
        double room = (norm - norm_of(path, path->weights)) / growth;
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
    path->at = next_corner(path);
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
        bool fixed = path->places[c] != PLAYER;
        path->column[c] = fixed ? 0 : path->pull[path->content[c] * feature_count + c] - path->signs[c] * path->price;
    }
    linex_matrix_apply(feature_count, path->inverse, path->column, path->slope);
    for (size_t c = 0; c < feature_count; c++)
        if (path->places[c] == PLAYER) path->weights[c] += path->slope[c];
    refresh_pulls(path);
}

linex_status linex_path_polish(linex_path *path, const double *targets, double norm, linex_slice *slice)
{
    memcpy(path->targets, targets, path->players * path->feature_count * sizeof *targets);
    for (; path->polishing < 3; path->polishing++) {
        linex_status status = refresh(path, slice);
        if (status) return status;
        refine(path);
        if (path->price == 0) break;
        path->direction = 1;
        find_slope(path);
        double growth = norm_of(path, path->slope);
        if (growth == 0) break;
        path->price = fmax(0, path->price + (norm - norm_of(path, path->weights)) / growth);
    }
    path->polishing = 0;
    return LINEX_OK;
}
