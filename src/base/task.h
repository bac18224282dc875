/* task.h: computations that run in slices, so that a caller can stop between two of them.
 *
 * A sliced function keeps its position in a struct. Before each unit of work (at most a few million multiply-adds) it
 * asks whether its slice has ended; if so, it returns LINEX_UNFINISHED, and the next call goes on from there. The
 * arithmetic does not depend on the slices, so neither do the results. LINEX_UNFINISHED passes through the callers
 * like a failure, except that nothing is released. */
#ifndef LINEX_TASK_H
#define LINEX_TASK_H

#include <math.h>

#include "linex.h"

/* Work in multiply-adds: what is left until the next pause, and what was used in this slice. */
typedef struct {
    double left, used;
} linex_slice;

static inline linex_slice linex_slice_endless(void)
{
    return (linex_slice){.left = (double)INFINITY};
}

static inline bool linex_slice_ended(const linex_slice *slice)
{
    return slice->left <= 0;
}

static inline void linex_slice_use(linex_slice *slice, double work)
{
    slice->left -= work;
    slice->used += work;
}

/* Uses up the work of the next unit, unless the slice has ended. Returns whether it may be done. */
static inline bool linex_slice_take(linex_slice *slice, double work)
{
    if (linex_slice_ended(slice)) return false;
    linex_slice_use(slice, work);
    return true;
}

/* The position of a sliced loop; all zeros at the start and again at the end. What the fields count is up to the
 * function. */
typedef struct {
    size_t stage, row, column;
} linex_cursor;

/* One of the stages of a computation. It starts with row and column 0, and may use both as it likes. */
typedef linex_status (*linex_stage)(void *state, linex_cursor *at, linex_slice *slice);

/* Runs stages one after the other, from at->stage on. The cursor is all zeros again at the end. */
linex_status linex_stages_advance(size_t count, const linex_stage *stages, void *state, linex_cursor *at,
                                  linex_slice *slice);

/* Calls step(state, i) for i = at->row .. count - 1. Each step is `work` multiply-adds. */
linex_status linex_steps_advance(size_t count, double work, void (*step)(void *state, size_t i), void *state,
                                 linex_cursor *at, linex_slice *slice);

/* The first member of every task's own struct. */
struct linex_task {
    linex_status (*advance)(linex_task *task, linex_slice *slice);
    double (*progress)(const linex_task *task);
    void (*release)(linex_task *task);
    linex_status status; /* LINEX_UNFINISHED at first, then how the task ended */
    double reached;      /* the largest progress so far */
};

/* Runs a task to its end and frees it. Returns how it ended.
 *
 * started  the status of the function that made the task; if it is a failure, there is no task */
linex_status linex_task_finish(linex_status started, linex_task *task);

#endif
