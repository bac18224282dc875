/* wide_newton.h: Newton steps on the pieces of a wide game. */
#ifndef LINEX_WIDE_NEWTON_H
#define LINEX_WIDE_NEWTON_H

#include "game/wide_system.h"

typedef enum { LINEX_NEWTON_FAILED, LINEX_NEWTON_SOLVED } linex_newton_outcome;

enum { LINEX_NEWTON_MOST = 32 };

typedef struct {
    linex_cursor at, inner;
    linex_newton_outcome outcome;
    bool damped;          /* whether steps are shortened until they get closer to an equilibrium */
    size_t most;          /* steps; at most LINEX_NEWTON_MOST */
    size_t steps, trials; /* so far */
    double length;        /* of the step being tried, 0 .. 1 */
    double merit;         /* |s - medians| at the pieces */
    double *weights;      /* features: s */
    double *full;         /* features: where a full step leads */
    double *trial;        /* features */
    double *medians;      /* features: at the trial */
    uint32_t *pieces;     /* features: the pieces at s */
    uint32_t *tried;      /* features: the pieces at the trial */
    uint64_t hashes[LINEX_NEWTON_MOST]; /* of the pieces that were solved for */
} linex_wide_newton;

/* Prepares for steps from an s.
 *
 * weights, medians, pieces  features: s, and the medians and pieces at s; copied */
void linex_wide_newton_start(const linex_wide_form *form, const double *weights, const double *medians,
                             const uint32_t *pieces, size_t most, bool damped, linex_wide_newton *newton);

/* Takes steps until the solution of a set of pieces has these pieces, or until that fails. In slices. If solved,
 * newton->weights is the solution, and the form is evaluated there. LINEX_NO_MEMORY. */
linex_status linex_wide_newton_advance(linex_wide_form *form, linex_wide_system *system, linex_wide_newton *newton,
                                       linex_slice *slice);

#endif
