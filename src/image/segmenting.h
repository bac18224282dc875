/* segmenting.h: what SLIC and quick shift share: a task with an image in Lab, stages, and regions at the end. */
#ifndef LINEX_SEGMENTING_H
#define LINEX_SEGMENTING_H

#include "linex.h"
#include "base/task.h"
#include "image/lab_image.h"
#include "image/regions.h"

typedef struct linex_segmenting linex_segmenting;

/* An algorithm. */
typedef struct {
    size_t bytes;   /* of its task, which begins with a linex_segmenting */
    bool stretched; /* of the image in Lab */
    size_t stage_count;
    const linex_stage *stages; /* each gets the task; regions are connected after the last one */
    void (*close)(
        linex_segmenting *task); /* frees what the stages have allocated for the task; may be called twice */
} linex_segmenting_kind;

/* What is segmented, and where the results go. */
typedef struct {
    size_t width, height, channels;
    const uint8_t *pixels; /* height x width x channels */
    uint32_t *labels;      /* height x width */
    size_t *segments;
} linex_segmented;

struct linex_segmenting {
    linex_task task;
    const linex_segmenting_kind *kind;
    linex_cursor at;
    linex_segmented input;
    linex_lab_image image;
    linex_regions *regions; /* NULL until linex_segmenting_connect */
    uint32_t *anchors;      /* owned by the task, from the algorithm; NULL if it has none */
};

/* Makes a task of an algorithm, of its own size and filled with zeros after the shared part. LINEX_BAD_ARGUMENT if an
 * array is missing, there are not one or three channels, or the pixels do not fit into 32-bit indices.
 *
 * sigma  of the image in Lab */
linex_status linex_segmenting_new(const linex_segmenting_kind *kind, const linex_segmented *input, double sigma,
                                  linex_segmenting **task);

/* For the last stage: frees what the algorithm does not need any more, and prepares to connect the regions. */
linex_status linex_segmenting_connect(linex_segmenting *task, size_t min_size, size_t anchor_count);

#endif
