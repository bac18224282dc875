/* game_solver.h: solves a game given by its Gram matrices, in slices. */
#ifndef LINEX_GAME_SOLVER_H
#define LINEX_GAME_SOLVER_H

#include "base/task.h"

typedef struct linex_solving linex_solving;

/* Prepares what linex_game_solve does. The arguments are those of linex_game_solve, and stay in use until
 * linex_solving_free. On success, *solving is set.
 *
 * fits  players x feature_count: what each player alone would choose, from which the automatic choice of a solver
 *       starts; NULL if not known */
linex_status linex_solving_new(size_t players, size_t feature_count, const double *grams, const double *targets,
                               const linex_game_settings *settings, const double *fits, double *weights,
                               double *strategies, linex_game_report *report, linex_solving **solving);

/* LINEX_OK when the outputs are filled. */
linex_status linex_solving_advance(linex_solving *solving, linex_slice *slice);

/* Returns the multiply-adds so far, about. */
double linex_solving_work(const linex_solving *solving);

void linex_solving_free(linex_solving *solving);

#endif
