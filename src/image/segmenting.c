/* segmenting.c: runs the stages of an algorithm for superpixels, then connects its regions. */
#include "image/segmenting.h"

#include <stdlib.h>

static bool is_valid(const linex_segmented *input)
{
    double count = (double)input->width * (double)input->height;
    return input->pixels && input->labels && input->segments && count > 0 &&
           (input->channels == 1 || input->channels == 3) && count < (double)UINT32_MAX &&
           count * (double)input->channels < (double)SIZE_MAX;
}

static void close(linex_segmenting *job)
{
    job->kind->close(job);
    linex_lab_image_close(&job->image);
}

static linex_status advance(linex_task *task, linex_slice *slice)
{
    linex_segmenting *job = (linex_segmenting *)task;
    if (!job->regions) {
        linex_status status = linex_stages_advance(job->kind->stage_count, job->kind->stages, job, &job->at, slice);
        if (status) return status;
    }
    return linex_regions_advance(job->regions, slice);
}

static double progress(const linex_task *task)
{
    const linex_segmenting *job = (const linex_segmenting *)task;
    size_t count = job->kind->stage_count;
    return (double)(job->regions ? count : job->at.stage) / (double)(count + 1);
}

static void release(linex_task *task)
{
    linex_segmenting *job = (linex_segmenting *)task;
    close(job);
    linex_regions_free(job->regions);
    free(job->anchors);
    free(job);
}

linex_status linex_segmenting_new(const linex_segmenting_kind *kind, const linex_segmented *input, double sigma,
                                  linex_segmenting **task)
{
    if (!is_valid(input)) return LINEX_BAD_ARGUMENT;
    linex_segmenting *made = calloc(1, kind->bytes);
    if (!made) return LINEX_NO_MEMORY;
    made->task = (linex_task){advance, progress, release, LINEX_UNFINISHED, 0};
    made->kind = kind;
    made->input = *input;
    linex_lab_image_open(input->width, input->height, input->channels, input->pixels, kind->stretched, sigma,
                         &made->image);
    *task = made;
    return LINEX_OK;
}

linex_status linex_segmenting_connect(linex_segmenting *task, size_t min_size, size_t anchor_count)
{
    const linex_segmented *input = &task->input;
    close(task);
    return linex_regions_new(input->width, input->height, input->channels, input->pixels, min_size, anchor_count,
                             task->anchors, input->labels, input->segments, &task->regions);
}
