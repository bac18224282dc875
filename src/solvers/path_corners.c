/* path_corners.c: finds the next corner of a path of equilibria. */
#include "solvers/path_corners.h"

#include <float.h>
#include <math.h>

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
static void leave_zero(linex_path *path, size_t feature, int up, linex_corner *first)
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
        *first = (linex_corner){distance, feature, LINEX_AT_PLAYER, i, up, up * level, up};
    }
}

/* A player that pushed becomes content. It replaces the content player, or is the only one at GRID. */
static void meet_players(linex_path *path, size_t feature, linex_corner *first)
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
            if (path->places[feature] == LINEX_AT_GRID) level -= side;
            *first = (linex_corner){distance, feature, LINEX_AT_PLAYER, i, sign, level, side};
        }
    }
}

/* The content player reaches its limit, or s_c reaches zero. */
static void meet_limits(linex_path *path, size_t feature, linex_corner *first)
{
    double slope = path->slope[feature];
    if (slope == 0) return;
    int onward = slope > 0 ? 1 : -1, level = path->levels[feature] + onward, sign = path->signs[feature];
    bool at_zero = level * sign <= 0;
    double limit = at_zero ? 0 : level * path->gamma;
    if (!at_zero && isinf(path->gamma)) return;
    double distance = distance_to(onward * (limit - path->weights[feature]), -fabs(slope));
    if (distance < first->distance) {
        linex_place next = at_zero ? LINEX_AT_ZERO : LINEX_AT_GRID;
        *first = (linex_corner){distance, feature, next, path->content[feature], sign, level, onward};
    }
}

linex_corner linex_path_next_corner(linex_path *path)
{
    linex_corner first = {.distance = (double)INFINITY};
    for (size_t c = 0; c < path->feature_count; c++) {
        switch (path->places[c]) {
        case LINEX_AT_ZERO:
            leave_zero(path, c, 1, &first);
            leave_zero(path, c, -1, &first);
            break;
        case LINEX_AT_PLAYER:
            meet_limits(path, c, &first);
            meet_players(path, c, &first);
            break;
        case LINEX_AT_GRID:
            meet_players(path, c, &first);
            break;
        }
    }
    return first;
}
