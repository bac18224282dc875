/* wide_system.h: the linear system of a wide game whose pieces are known.
 *
 * If s_c is what player i = o(c) asks for, for the features c in S, and a number of the grid elsewhere, then s solves
 * either of
 *
 *     features  ridge s_c + sum over e in S of x_c'C_i x_e s_e = x_c'C_i (y - X_grid g)    one row per feature in S,
 *     samples   (ridge + sum over c in S of x_c x_c'C_i) rho = y - X_grid g                one row per sample,
 *
 * with s_c = x_c'C_i rho in the second form. The smaller one is solved. Both matrices are kept from one solution to the
 * next, and only what belongs to changed pieces is computed again. */
#ifndef LINEX_WIDE_SYSTEM_H
#define LINEX_WIDE_SYSTEM_H

#include "wide/wide_form.h"

typedef struct {
    linex_cursor at, inner;
    bool by_samples;      /* which form is being solved */
    size_t size;          /* of its system */
    double *rows;         /* features x features: row c is x_c'C_i X without the ridge; NULL until it is needed */
    double *joint;        /* samples x samples: the matrix of the second form without the ridge; NULL until needed */
    double *factors;      /* size x size, up to factor_size */
    size_t factor_size;   /* the allocated size of factors and order */
    uint32_t *order;      /* size */
    uint32_t *row_pieces; /* features: the player whose row is in `rows`; players or more if none */
    uint32_t *joint_pieces; /* features: the piece that is in `joint` */
    uint32_t *changed;      /* features: those whose part is being computed */
    size_t changed_count;
    uint32_t *active; /* features: the features in S, the first active_count */
    size_t active_count;
    uint32_t *where; /* samples: those that a player sees */
    double *targets; /* players x features: x_c'C_i y */
    double *panel;   /* 2 x max(samples, features) x LINEX_CHUNK: borrowed */
    double *side;    /* max(samples, features) */
    double *scratch; /* max(samples, features) */
    double work;     /* multiply-adds so far */
} linex_wide_system;

/* Allocates what every system needs. LINEX_NO_MEMORY leaves a system that linex_wide_system_close releases. */
linex_status linex_wide_system_open(const linex_wide_form *form, double *panel, linex_wide_system *system);
void linex_wide_system_close(linex_wide_system *system);

/* Computes and factors the matrix for these pieces, in slices.
 *
 * by_samples  forces the second form; otherwise the smaller one is taken
 * LINEX_DEGENERATE if it is singular, LINEX_NO_MEMORY. */
linex_status linex_wide_system_factor(const linex_wide_form *form, const uint32_t *pieces, bool by_samples,
                                      linex_wide_system *system, linex_slice *slice);

/* Solves the factored system for s.
 *
 * weights  features: s */
void linex_wide_system_solve(linex_wide_form *form, const uint32_t *pieces, linex_wide_system *system,
                             double *weights);

/* Fills the right-hand side of the second form, y - X_grid g. */
void linex_wide_system_side(const linex_wide_form *form, const uint32_t *pieces, double *side);

#endif
