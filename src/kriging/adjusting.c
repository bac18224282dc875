/* adjusting.c: finds a control variate, subtracts it and calibrates what is left. */
#include "kriging/adjusting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjust/answered_samples.h"
#include "adjust/bend.h"
#include "adjust/calibration.h"
#include "kriging/kriging.h"
#include "kriging/mask_control.h"
#include "base/alloc.h"
#include "matrices/matrix.h"
#include "environments/environments.h"

/* With fewer samples there is nothing to learn from. */
enum { FEWEST_SAMPLES = 10 };

typedef struct {
    linex_task task;
    linex_samples samples; /* a copy, like the law */
    linex_law law;
    linex_levels levels;
    linex_points points;
    linex_adjustment *adjustment;
    double *totals;                 /* count: the weight of all copies of a point */
    const linex_control_kind *kind; /* NULL if there is nothing to adjust */
    void *control;
    linex_calibration calibration;
    bool calibrating;
} adjusting;

bool linex_adjusting_is_due(const linex_control_kind *kind, const linex_samples *samples,
                            const linex_settings *settings)
{
    linex_environment_kind environments = settings->environments.kind;
    bool random = settings->method == LINEX_METHOD_LIME || environments == LINEX_BOOTSTRAP ||
                  environments == LINEX_HALVES || environments == LINEX_SIDES;
    return settings->adjust == LINEX_ADJUST_AUTO && samples->law && random &&
           settings->intercept == LINEX_INTERCEPT_FREE && samples->count >= FEWEST_SAMPLES && kind->suits(samples) &&
           samples->answers && !linex_answers_are_constant(samples);
}

/* Subtracts the control, and prepares the calibration. Large answers can overflow; then nothing is adjusted. */
static linex_status subtract(adjusting *job)
{
    size_t count = job->samples.count;
    linex_adjustment *adjustment = job->adjustment;
    linex_control control = job->kind->result(job->control);
    adjustment->ridge = control.ridge;
    if (!control.values) return LINEX_OK;
    linex_add_scaled(count, -1, control.values, adjustment->answers);
    if (!linex_all_finite(count, adjustment->answers) || !linex_all_finite(count, control.residuals)) {
        memcpy(adjustment->answers, job->samples.answers, count * sizeof *adjustment->answers);
        return LINEX_OK;
    }
    adjustment->adjusted = (linex_adjusted){job->kind->kind, control.gain};
    job->calibration.residuals = control.residuals;
    job->calibration.variance = control.variance;
    job->calibration.ridge = control.ridge == LINEX_RIDGE_AUTO ? LINEX_NARROW_RIDGE : control.ridge;
    job->calibrating = true;
    return linex_calibration_open(&job->calibration);
}

static linex_status advance(linex_task *task, linex_slice *slice)
{
    adjusting *job = (adjusting *)task;
    if (!job->kind) return LINEX_OK;
    if (!job->calibrating) {
        linex_status status = job->kind->advance(job->control, slice);
        if (!status) status = subtract(job);
        if (status || !job->calibrating) return status;
    }
    return linex_calibration_advance(&job->calibration, slice);
}

/* It is not known beforehand how many settings are tried. */
static double progress(const linex_task *task)
{
    return ((const adjusting *)task)->calibrating ? 0.9 : 0;
}

static void release(linex_task *task)
{
    adjusting *job = (adjusting *)task;
    if (job->control) job->kind->close(job->control);
    linex_calibration_close(&job->calibration);
    free(job->totals);
    free(job);
}

/* Starts to look for the control variate. */
static linex_status open_control(adjusting *job, const linex_control_kind *kind, const linex_settings *settings)
{
    job->totals = linex_alloc_doubles((double)job->samples.count);
    if (!job->totals) return LINEX_NO_MEMORY;
    linex_samples_total(&job->samples, job->totals);
    job->calibration = (linex_calibration){
        .samples = &job->samples,
        .points = &job->points,
        .totals = job->totals,
        .answers = job->adjustment->answers,
        .players = settings->environments.kind == LINEX_BOOTSTRAP ? 0 : settings->environments.players,
        .seed = settings->seed,
    };
    job->kind = kind;
    job->control = kind->open(&job->samples, &job->points, job->totals, settings->ridge);
    return job->control ? LINEX_OK : LINEX_NO_MEMORY;
}

static bool arguments_are_good(const linex_samples *samples, const linex_settings *settings,
                               const linex_adjustment *adjustment)
{
    return samples && settings && adjustment && adjustment->answers && linex_samples_are_good(samples) &&
           linex_environments_are_good(samples, &settings->environments) && isfinite(settings->ridge) &&
           (settings->ridge >= 0 || settings->ridge == LINEX_RIDGE_AUTO);
}

linex_status linex_adjusting_start(const linex_control_kind *kind, const linex_samples *samples,
                                   const linex_settings *settings, linex_adjustment *adjustment, linex_task **task)
{
    if (!task || !arguments_are_good(samples, settings, adjustment)) return LINEX_BAD_ARGUMENT;
    adjusting *job = calloc(1, sizeof *job);
    if (!job) return LINEX_NO_MEMORY;
    job->task = (linex_task){advance, progress, release, LINEX_UNFINISHED, 0};
    job->samples = *samples;
    if (samples->law) {
        job->law = *samples->law;
        job->samples.law = &job->law;
    }
    if (job->law.levels) {
        job->levels = *samples->law->levels;
        job->law.levels = &job->levels;
    }
    job->points = linex_points_of(samples);
    job->adjustment = adjustment;
    memcpy(adjustment->answers, samples->answers, samples->count * sizeof *adjustment->answers);
    adjustment->ridge = settings->ridge;
    adjustment->adjusted = (linex_adjusted){LINEX_ADJUSTED_NONE, 1};
    bool due = linex_adjusting_is_due(kind, samples, settings);
    linex_status status = due ? open_control(job, kind, settings) : LINEX_OK;
    if (status)
        release(&job->task);
    else
        *task = &job->task;
    return status;
}

const linex_control_kind *linex_adjusting_kind(const linex_samples *samples)
{
    const linex_control_kind *kriging = samples->masks ? linex_mask_control_kind() : linex_kriging_control_kind();
    return kriging->suits(samples) ? kriging : linex_bend_control_kind();
}

linex_status linex_answers_adjust_start(const linex_samples *samples, const linex_settings *settings,
                                        linex_adjustment *adjustment, linex_task **task)
{
    if (!samples) return LINEX_BAD_ARGUMENT;
    return linex_adjusting_start(linex_adjusting_kind(samples), samples, settings, adjustment, task);
}

linex_status linex_answers_adjust(const linex_samples *samples, const linex_settings *settings,
                                  linex_adjustment *adjustment)
{
    linex_task *task = NULL;
    linex_status started = linex_answers_adjust_start(samples, settings, adjustment, &task);
    return linex_task_finish(started, task);
}
