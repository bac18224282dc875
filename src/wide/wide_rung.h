/* wide_rung.h: solves a wide game at one ridge, from a given s. */
#ifndef LINEX_WIDE_RUNG_H
#define LINEX_WIDE_RUNG_H

#include "wide/wide_newton.h"
#include "wide/wide_path.h"

/* How hard to try. */
typedef struct {
    size_t attempts; /* to finish by Newton steps, at most */
    size_t corners;  /* of the path, at most */
} linex_wide_effort;

typedef struct {
    linex_cursor at;
    linex_cursor inner;
    linex_wide_effort effort;
    bool solved;     /* the pieces reproduce themselves */
    size_t attempts; /* so far */
    size_t sweeps;   /* since the latest Newton steps */
    size_t changes;  /* pieces that changed since the look before */
    double moved;
    size_t rounds;        /* sweeps, steps and corners of all rungs */
    double work;          /* multiply-adds of all rungs, without those of the system */
    double best;          /* the smallest distance so far */
    double *near;         /* see wide_sweeps.h */
    double *weights;      /* features: s */
    double *medians;      /* features: of what the players ask for at s */
    uint32_t *pieces;     /* features: the pieces of these */
    double *best_weights; /* features: the s of the smallest distance */
    linex_wide_newton newton;
    linex_wide_path path;
    linex_wide_system system;
} linex_wide_rung;

/* Starts at rung->weights, with form->ridge. */
void linex_wide_rung_start(linex_wide_rung *rung, linex_wide_effort effort);

/* Solves the game, in slices. rung->solved says whether it succeeded; the form is then evaluated at rung->weights.
 * LINEX_NO_MEMORY. */
linex_status linex_wide_rung_advance(linex_wide_form *form, linex_wide_rung *rung, linex_slice *slice);

/* The largest distance between s_c and the median of what the players prefer, at the latest evaluation, divided by
 * gamma. It is 0 at an equilibrium. */
double linex_wide_distance(const linex_wide_form *form, const double *weights);

#endif
