/* wide_newton.h: Newton steps on the pieces of a wide game.
 *
 * A step solves the linear system of the present pieces (wide_system.h) and goes toward the solution: all the way, or
 * half, or a quarter .. until s is closer to the medians of what the players ask for. */
#ifndef LINEX_WIDE_NEWTON_H
#define LINEX_WIDE_NEWTON_H

#include "wide/wide_system.h"

typedef struct {
    linex_cursor at, inner;
    bool solved;          /* whether the pieces reproduce themselves */
    size_t most;          /* steps */
    size_t changes;       /* pieces that the latest step changed */
    size_t steps, trials; /* so far */
    double length;        /* of the step being tried, 0 .. 1 */
    double merit;         /* |s - medians| at the pieces */
    double *weights;      /* features: s */
    double *full;         /* features: where a full step leads */
    double *trial;        /* features */
    double *medians;      /* features: at the trial */
    uint32_t *pieces;     /* features: the pieces at s */
    uint32_t *tried;      /* features: the pieces at the trial */
} linex_wide_newton;

/* Prepares for steps from an s.
 *
 * weights, medians, pieces  features: s, and the medians and pieces at s; copied */
void linex_wide_newton_start(const linex_wide_form *form, const double *weights, const double *medians,
                             const uint32_t *pieces, size_t most, linex_wide_newton *newton);

/* Takes steps until the solution of a set of pieces has these pieces, or until that fails. In slices. If solved,
 * newton->weights is the solution, and the form is evaluated there. LINEX_NO_MEMORY. */
linex_status linex_wide_newton_advance(linex_wide_form *form, linex_wide_system *system, linex_wide_newton *newton,
                                       linex_slice *slice);

#endif
