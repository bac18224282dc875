/* task.c: runs and frees tasks. */
#include "base/task.h"

linex_status linex_task_run(linex_task *task, double work)
{
    if (!task || !(work > 0)) return LINEX_BAD_ARGUMENT;
    linex_slice slice = {.left = work};
    if (task->status != LINEX_UNFINISHED) return task->status;
    task->status = task->advance(task, &slice);
    task->reached = task->status == LINEX_UNFINISHED ? fmax(task->reached, task->progress(task)) : 1;
    return task->status;
}

double linex_task_progress(const linex_task *task)
{
    return task->reached;
}

void linex_task_free(linex_task *task)
{
    if (task) task->release(task);
}

linex_status linex_task_finish(linex_status started, linex_task *task)
{
    if (started) return started;
    linex_status status = linex_task_run(task, (double)INFINITY);
    linex_task_free(task);
    return status;
}

linex_status linex_stages_advance(size_t count, const linex_stage *stages, void *state, linex_cursor *at,
                                  linex_slice *slice)
{
    while (at->stage < count) {
        linex_status status = stages[at->stage](state, at, slice);
        if (status) return status;
        *at = (linex_cursor){.stage = at->stage + 1};
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}

linex_status linex_steps_advance(size_t count, double work, void (*step)(void *state, size_t i), void *state,
                                 linex_cursor *at, linex_slice *slice)
{
    for (; at->row < count; at->row++) {
        if (!linex_slice_take(slice, work)) return LINEX_UNFINISHED;
        step(state, at->row);
    }
    return LINEX_OK;
}
