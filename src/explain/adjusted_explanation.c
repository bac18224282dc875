/* adjusted_explanation.c: adjusts the answers, then explains them. */
#include <stdlib.h>

#include "kriging/adjusting.h"
#include "base/alloc.h"
#include "explain/explaining.h"
#include "explain/wide_play.h"

/* Both steps. */
typedef struct {
    linex_task task;
    linex_task *adjusting; /* NULL when it has ended */
    linex_task *explaining;
    linex_adjustment adjustment;
} adjusted_explanation;

static linex_status advance(linex_task *task, linex_slice *slice)
{
    adjusted_explanation *job = (adjusted_explanation *)task;
    if (job->adjusting) {
        linex_status status = job->adjusting->advance(job->adjusting, slice);
        if (status) return status;
        linex_task_free(job->adjusting);
        job->adjusting = NULL;
    }
    return job->explaining->advance(job->explaining, slice);
}

static double progress(const linex_task *task)
{
    const adjusted_explanation *job = (const adjusted_explanation *)task;
    return job->adjusting ? 0 : job->explaining->progress(job->explaining);
}

static void release(linex_task *task)
{
    adjusted_explanation *job = (adjusted_explanation *)task;
    linex_task_free(job->adjusting);
    linex_task_free(job->explaining);
    free(job->adjustment.answers);
    free(job);
}

/* Starts both steps, so that bad arguments and missing memory are found before any work. */
static linex_status start_both(adjusted_explanation *job, const linex_samples *samples, const double *at,
                               const linex_settings *settings, linex_explanation *explanation)
{
    linex_samples adjusted = *samples;
    adjusted.adjustment = &job->adjustment;
    job->adjustment.answers = linex_alloc_doubles((double)samples->count);
    if (!job->adjustment.answers) return LINEX_NO_MEMORY;
    linex_status status = linex_answers_adjust_start(samples, settings, &job->adjustment, &job->adjusting);
    if (status) return status;
    return linex_explaining_start(&adjusted, at, settings, linex_fits_wide_player(), explanation, &job->explaining);
}

linex_status linex_explain_start(const linex_samples *samples, const double *at, const linex_settings *settings,
                                 linex_explanation *explanation, linex_task **task)
{
    if (!samples || !settings || !task || samples->adjustment ||
        !linex_adjusting_is_due(linex_adjusting_kind(samples), samples, settings))
        return linex_explaining_start(samples, at, settings, linex_fits_wide_player(), explanation, task);
    adjusted_explanation *job = calloc(1, sizeof *job);
    if (!job) return LINEX_NO_MEMORY;
    job->task = (linex_task){advance, progress, release, LINEX_UNFINISHED, 0};
    linex_status status = start_both(job, samples, at, settings, explanation);
    if (status)
        release(&job->task);
    else
        *task = &job->task;
    return status;
}

linex_status linex_explain(const linex_samples *samples, const double *at, const linex_settings *settings,
                           linex_explanation *explanation)
{
    linex_task *task = NULL;
    linex_status started = linex_explain_start(samples, at, settings, explanation, &task);
    return linex_task_finish(started, task);
}
