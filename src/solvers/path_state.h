/* path_state.h: the state of a path of equilibria, for the files that follow it. */
#ifndef LINEX_PATH_STATE_H
#define LINEX_PATH_STATE_H

#include "linex.h"
#include "base/task.h"

typedef struct linex_path linex_path;

/* Where a feature is: see equilibrium_path.h. */
typedef enum { LINEX_AT_ZERO, LINEX_AT_GRID, LINEX_AT_PLAYER } linex_place;

/* What happens at a corner. */
typedef struct {
    double distance;
    size_t feature;
    linex_place next;
    size_t player; /* the player that becomes content; if next is not PLAYER, the one that was content */
    int sign, level;
    int onward; /* the direction after the corner: of s_c, or of the player that was content. It decides whether the
                   price falls or rises */
} linex_corner;

struct linex_path {
    size_t players, feature_count;
    const double *grams;
    double gamma;
    double price;        /* lambda */
    double direction;    /* its slope along the path: -1 or +1 */
    size_t pivots;       /* since the inverse was last computed from scratch */
    size_t standing;     /* consecutive corners at the same spot */
    double *targets;     /* players x feature_count */
    double *weights;     /* feature_count: s */
    double *slope;       /* feature_count: the slope of s along the path */
    double *pull;        /* players x feature_count: r */
    double *pull_slope;  /* players x feature_count */
    double *inverse;     /* of the system whose row c is G_i[c] if c is at PLAYER i, otherwise a unit vector */
    double *scratch;     /* (feature_count + 1) x feature_count */
    double *column;      /* feature_count */
    linex_place *places; /* feature_count */
    int *signs;          /* feature_count: the sign of s_c, unless at ZERO */
    int *levels;         /* feature_count: pushes up minus pushes down, unless at ZERO */
    size_t *content;     /* feature_count: the content player, at PLAYER */
    signed char *sides;  /* players x feature_count: +1 pushes up, -1 down, 0 content */
    linex_corner at;     /* the corner that is being turned, if turning */
    bool turning;
    bool from_grid;      /* whether the feature of the corner was at GRID before */
    size_t released;     /* the player that was content before the corner; `players` if none */
    bool inverting;      /* whether the inverse is being computed from scratch */
    linex_cursor cursor; /* its position */
    int polishing;       /* finished passes of linex_path_polish */
};

/* Row `feature` of a player's Gram matrix. */
static inline const double *linex_path_gram_row(const linex_path *path, size_t player, size_t feature)
{
    return path->grams + (player * path->feature_count + feature) * path->feature_count;
}

#endif
