/* wide_path.h: follows the exact path of a wide game's equations from any point to an equilibrium.
 *
 * With s(rho) the medians of what the players ask for at rho, the equations are Phi(rho) = ridge rho + X s(rho) - y = 0
 * (wide_form.h). They are piecewise linear. The path keeps Phi(rho) = (1 - time) Phi(start). It starts at time 0 and
 * passes from piece to piece, one feature at a time (a corner), until time 1. Time can also run backward for a while.
 * A corner changes the matrix of the equations by a rank-one term. Its inverse is kept as factors and a list of such
 * terms. */
#ifndef LINEX_WIDE_PATH_H
#define LINEX_WIDE_PATH_H

#include "wide/wide_system.h"

/* Terms in the list before the matrix is factored again. */
enum { LINEX_PATH_TERMS = 64 };

typedef struct {
    linex_cursor at, inner;
    bool reached;        /* whether time 1 was reached */
    size_t corners;      /* so far */
    size_t most;         /* corners */
    double time, onward; /* onward is +1, or -1 while time runs backward */
    size_t terms;
    double dots[LINEX_PATH_TERMS];
    double *lefts, *rights; /* LINEX_PATH_TERMS x samples: the vectors z and v of each term */
    double *base;           /* samples: y + Phi(start) */
    double *toward;         /* samples: -Phi(start) */
    double *slope;          /* samples: the slope of rho */
    double *vector;         /* samples: scratch */
    double *asks;           /* players x features */
    double *ask_slopes;     /* players x features */
    signed char *sides;     /* features x (2 players + 1): on which side of the median each number is */
    double *memory;
} linex_wide_path;

linex_status linex_wide_path_open(const linex_wide_form *form, linex_wide_path *path);
void linex_wide_path_close(linex_wide_path *path);

/* Starts at the latest evaluation, which was at `weights`.
 *
 * medians  features: of that evaluation */
void linex_wide_path_start(const linex_wide_form *form, const double *weights, const double *medians, size_t most,
                           linex_wide_path *path);

/* Follows the path, in slices, until time 1, or until it cannot go on or has too many corners.
 *
 * pieces  features: on entry those of the evaluation, on return those at the end of the path
 * LINEX_NO_MEMORY. */
linex_status linex_wide_path_advance(linex_wide_form *form, linex_wide_system *system, linex_wide_path *path,
                                     uint32_t *pieces, linex_slice *slice);

/* The multiply-adds of one corner, about. */
double linex_wide_corner_work(const linex_wide_form *form);

#endif
