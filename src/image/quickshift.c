/* quickshift.c: superpixels by quick shift: trees of links towards higher density. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/alloc.h"
#include "image/color.h"
#include "image/segmenting.h"

linex_quickshift_settings linex_quickshift_defaults(void)
{
    return (linex_quickshift_settings){.ratio = 0.2, .kernel = 4, .reach = 200, .sigma = 0};
}

typedef struct {
    int32_t dx, dy;
    uint32_t square; /* dx^2 + dy^2 */
} offset;

typedef struct {
    size_t width, height;
    size_t window; /* the largest distance across or down at which two pixels affect each other */
    float ratio;   /* squared, because it multiplies squared distances in Lab */
    double kernel, reach;
    float *lab;     /* height x 3 x width */
    float *density; /* height x width */
    float *weights; /* width */
    uint32_t
        *links; /* height x width: the pixel that each pixel is linked to; the root of a tree is linked to itself */
    size_t offset_count;
    offset *offsets; /* all offsets in the window, nearest first */
} quickshift;

/* Weighs the pairs of a row and the row dy below it. Each pair is weighted once and added to both pixels, so half the
 * window is enough. */
static void weigh_rows(const quickshift *shift, size_t y, size_t dy)
{
    size_t width = shift->width, window = shift->window;
    /* exp(-square / (2 kernel^2)) as a power of two. */
    float factor = (float)fmax(-0.5 / (shift->kernel * shift->kernel) * 1.4426950408889634, -1e30);
    for (size_t shifted = dy ? 0 : window + 1; shifted <= 2 * window; shifted++) {
        /* The offset dx is shifted - window. One of the two rows starts |dx| pixels from its left edge. */
        size_t start = shifted < window ? window - shifted : 0;
        size_t other_start = shifted > window ? shifted - window : 0;
        if (start + other_start >= width) continue;
        size_t count = width - start - other_start;
        const float *lab = shift->lab + 3 * width * y;
        float space = (float)((start + other_start) * (start + other_start) + dy * dy);
        linex_lab_weigh(count, width, lab + start, lab + 3 * width * dy + other_start, shift->ratio, space, factor,
                        shift->weights);
        linex_lab_add(count, shift->weights, shift->density + width * y + start);
        linex_lab_add(count, shift->weights, shift->density + width * (y + dy) + other_start);
    }
}

/* Compares offsets: nearest first, equally near ones in scan order. */
static int by_distance(const void *left, const void *right)
{
    const offset *a = left, *b = right;
    if (a->square != b->square) return a->square < b->square ? -1 : 1;
    if (a->dy != b->dy) return a->dy < b->dy ? -1 : 1;
    return a->dx < b->dx ? -1 : a->dx > b->dx;
}

static void list_offsets(quickshift *shift)
{
    int32_t window = (int32_t)shift->window;
    int32_t across = shift->width <= shift->window ? (int32_t)shift->width - 1 : window;
    int32_t down = shift->height <= shift->window ? (int32_t)shift->height - 1 : window;
    offset *next = shift->offsets;
    for (int32_t dy = -down; dy <= down; dy++)
        for (int32_t dx = -across; dx <= across; dx++)
            if (dx || dy) *next++ = (offset){dx, dy, (uint32_t)(dx * dx + dy * dy)};
    qsort(shift->offsets, shift->offset_count, sizeof *shift->offsets, by_distance);
}

/* Returns the nearest pixel of higher density, or of the same density and earlier in the scan. Returns the pixel
 * itself if the window has none.
 *
 * seen  how many offsets were looked at */
static uint32_t link_of(const quickshift *shift, size_t x, size_t y, size_t *seen)
{
    size_t width = shift->width, at = y * width + x, found = at;
    const float *here = shift->lab + 3 * width * y + x;
    float density = shift->density[at], nearest = (float)fmin(shift->reach * shift->reach, 1e38);
    size_t i = 0;
    for (; i < shift->offset_count; i++) {
        const offset *to = shift->offsets + i;
        /* All later offsets are farther away in space alone. */
        if ((float)to->square > nearest) break;
        size_t nx = x + (size_t)to->dx, ny = y + (size_t)to->dy;
        /* A negative coordinate wraps around to a large one. */
        if (nx >= width || ny >= shift->height) continue;
        size_t there = ny * width + nx;
        if (shift->density[there] < density || (shift->density[there] == density && there > at)) continue;
        const float *other = shift->lab + 3 * width * ny + nx;
        float dl = here[0] - other[0], da = here[width] - other[width], db = here[2 * width] - other[2 * width];
        float square = shift->ratio * (dl * dl + da * da + db * db) + (float)to->square;
        if (square > nearest || (square == nearest && found != at)) continue;
        nearest = square;
        found = there;
    }
    *seen = i;
    return (uint32_t)found;
}

static void release(quickshift *shift)
{
    void *blocks[] = {shift->lab, shift->density, shift->weights, shift->links, shift->offsets};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    *shift = (quickshift){0};
}

static linex_status prepare(const linex_lab_image *image, const linex_quickshift_settings *settings,
                            quickshift *shift)
{
    double width = (double)image->width, height = (double)image->height;
    double window = fmin(ceil(3 * settings->kernel), fmax(fmax(width, height) - 1, 1));
    /* Offsets beyond the size of the image are never used. */
    double offsets = (2 * fmin(window, width - 1) + 1) * (2 * fmin(window, height - 1) + 1);
    *shift = (quickshift){.width = image->width, .height = image->height, .window = (size_t)window};
    shift->ratio = (float)fmin(settings->ratio * settings->ratio, 1e30);
    shift->kernel = settings->kernel;
    shift->reach = settings->reach;
    /* Larger squares would not fit into 32 bits, and the run would take far too long anyway. */
    if (window > 30000) return LINEX_NO_MEMORY;
    shift->lab = linex_alloc_items(3 * width * height, sizeof *shift->lab);
    shift->density = linex_alloc_items(width * height, sizeof *shift->density);
    shift->links = linex_alloc_items(width * height, sizeof *shift->links);
    shift->weights = linex_alloc_items(width, sizeof *shift->weights);
    shift->offset_count = (size_t)(offsets - 1);
    shift->offsets = linex_alloc_items(offsets, sizeof *shift->offsets);
    bool allocated = shift->lab && shift->density && shift->links && shift->weights && shift->offsets;
    return allocated ? LINEX_OK : LINEX_NO_MEMORY;
}

static bool settings_are_valid(const linex_quickshift_settings *settings)
{
    return settings && settings->ratio > 0 && isfinite(settings->ratio) && settings->kernel > 0 &&
           isfinite(settings->kernel) && settings->reach > 0 && isfinite(settings->reach) && settings->sigma >= 0 &&
           isfinite(settings->sigma);
}

/* The size below which a part of a tree without its root is too small: half a squared kernel width or half a mean
 * segment, whichever is smaller. */
static size_t min_part_size(size_t count, size_t roots, double kernel)
{
    return (size_t)fmin(kernel * kernel / 2, (double)count / (double)roots / 2);
}

/* ---- the task ---- */

struct quickshift_task {
    linex_segmenting all; /* its anchors are the roots of the segments */
    linex_quickshift_settings settings;
    quickshift shift;
    size_t root_count;
};

static linex_status open_image(void *state, linex_cursor *at, linex_slice *slice)
{
    struct quickshift_task *job = state;
    (void)at;
    linex_status status = linex_lab_image_advance(&job->all.image, slice);
    if (!status) status = prepare(&job->all.image, &job->settings, &job->shift);
    if (!status) list_offsets(&job->shift);
    return status;
}

static void convert_row(void *state, size_t y)
{
    const struct quickshift_task *job = state;
    size_t width = job->all.input.width;
    linex_lab_image_row(&job->all.image, y, 0, 1, width, job->shift.lab + 3 * width * y);
    memset(job->shift.density + y * width, 0, width * sizeof *job->shift.density);
}

static linex_status convert_pixels(void *state, linex_cursor *at, linex_slice *slice)
{
    struct quickshift_task *job = state;
    return linex_steps_advance(job->all.input.height, 4.0 * (double)job->all.input.width, convert_row, job, at,
                               slice);
}

/* at  row, and column: how far below it the other row is */
static linex_status measure_density(void *state, linex_cursor *at, linex_slice *slice)
{
    const quickshift *shift = &((struct quickshift_task *)state)->shift;
    double work = 4.0 * (double)shift->width * (double)(2 * shift->window + 1);
    for (; at->row < shift->height; at->row++, at->column = 0)
        for (; at->column <= shift->window && at->row + at->column < shift->height; at->column++) {
            if (!linex_slice_take(slice, work)) return LINEX_UNFINISHED;
            weigh_rows(shift, at->row, at->column);
        }
    return LINEX_OK;
}

static linex_status link_pixels(void *state, linex_cursor *at, linex_slice *slice)
{
    const quickshift *shift = &((struct quickshift_task *)state)->shift;
    for (; at->row < shift->height; at->row++, at->column = 0)
        for (; at->column < shift->width; at->column++) {
            if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
            size_t seen = 0;
            shift->links[at->row * shift->width + at->column] = link_of(shift, at->column, at->row, &seen);
            linex_slice_use(slice, 16 + 12 * (double)seen);
        }
    return LINEX_OK;
}

/* Labels each pixel with the root of its tree. */
static void label_row(void *state, size_t y)
{
    const struct quickshift_task *job = state;
    size_t first = y * job->all.input.width;
    for (size_t x = 0; x < job->all.input.width; x++)
        job->all.input.labels[first + x] = linex_root_find(job->shift.links, (uint32_t)(first + x));
}

static linex_status label_pixels(void *state, linex_cursor *at, linex_slice *slice)
{
    struct quickshift_task *job = state;
    if (linex_steps_advance(job->all.input.height, 8.0 * (double)job->all.input.width, label_row, job, at, slice))
        return LINEX_UNFINISHED;
    /* The links are not needed after this, so the roots take their memory. */
    job->all.anchors = job->shift.links;
    job->shift.links = NULL;
    return LINEX_OK;
}

/* Lists the roots of a row. */
static void gather_row(void *state, size_t y)
{
    struct quickshift_task *job = state;
    for (size_t i = y * job->all.input.width; i < (y + 1) * job->all.input.width; i++)
        if (job->all.input.labels[i] == i) job->all.anchors[job->root_count++] = (uint32_t)i;
}

static linex_status gather_roots(void *state, linex_cursor *at, linex_slice *slice)
{
    struct quickshift_task *job = state;
    linex_status status =
        linex_steps_advance(job->all.input.height, (double)job->all.input.width, gather_row, job, at, slice);
    if (status) return status;
    size_t min_size =
        min_part_size(job->all.input.width * job->all.input.height, job->root_count, job->settings.kernel);
    return linex_segmenting_connect(&job->all, min_size, job->root_count);
}

static void close_quickshift(linex_segmenting *task)
{
    release(&((struct quickshift_task *)task)->shift);
}

linex_status linex_quickshift_start(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                                    const linex_quickshift_settings *settings, uint32_t *labels, size_t *segments,
                                    linex_task **task)
{
    static const linex_stage stages[] = {open_image,  convert_pixels, measure_density,
                                         link_pixels, label_pixels,   gather_roots};
    static const linex_segmenting_kind kind = {sizeof(struct quickshift_task), false, sizeof stages / sizeof *stages,
                                               stages, close_quickshift};
    const linex_segmented input = {width, height, channels, pixels, labels, segments};
    linex_segmenting *made = NULL;
    if (!settings_are_valid(settings) || !task) return LINEX_BAD_ARGUMENT;
    linex_status status = linex_segmenting_new(&kind, &input, settings->sigma, &made);
    if (status) return status;
    ((struct quickshift_task *)made)->settings = *settings;
    *task = &made->task;
    return LINEX_OK;
}

linex_status linex_quickshift(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                              const linex_quickshift_settings *settings, uint32_t *labels, size_t *segments)
{
    linex_task *task = NULL;
    linex_status started = linex_quickshift_start(width, height, channels, pixels, settings, labels, segments, &task);
    return linex_task_finish(started, task);
}
