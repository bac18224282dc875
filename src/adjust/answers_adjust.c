/* answers_adjust.c: chooses the kind of control variate for the samples. */
#include "adjust/adjusting.h"

const linex_control_kind *linex_adjusting_kind(const linex_samples *samples)
{
    const linex_control_kind *kriging = linex_kriging_control_kind();
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
