/* run_sliced.h: runs a task in slices, for the tests that compare sizes of slices. */
#ifndef LINEX_RUN_SLICED_H
#define LINEX_RUN_SLICED_H

#include "linex.h"

#include "check.h"

/* The work of a slice in these tests; the last one is the whole task. */
static const double SLICES[] = {1, 1000, 1e6, INFINITY};
enum { SLICE_COUNT = sizeof SLICES / sizeof *SLICES };

/* Runs a task to its end, checks its progress, and frees it. Returns how it ended. */
static linex_status run_sliced(linex_status started, linex_task *task, double work)
{
    if (started) return started;
    double progress = 0;
    linex_status status;
    while ((status = linex_task_run(task, work)) == LINEX_UNFINISHED) {
        double now = linex_task_progress(task);
        CHECK(now >= progress && now <= 1);
        progress = now;
    }
    CHECK(linex_task_progress(task) == 1);
    linex_task_free(task);
    return status;
}

#endif
