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
