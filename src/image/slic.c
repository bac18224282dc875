/* slic.c: superpixels by SLIC: k-means in color and space. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/alloc.h"
#include "image/color.h"
#include "image/cells.h"
#include "image/segmenting.h"

/* The rounds use at most about this many pixels along a step. That is enough to place a center within a hundredth of
 * a step. The last round uses all pixels and decides where the segments end. */
enum { SAMPLES_PER_STEP = 24 };

static const uint32_t NONE = UINT32_MAX;

linex_slic_settings linex_slic_defaults(void)
{
    return (linex_slic_settings){.segments = 50, .compactness = 10, .rounds = 10, .sigma = 0};
}

typedef struct {
    double count, x, y, l, a, b;
} sums;

/* A range of columns. `end` is not part of it. */
typedef struct {
    uint32_t start, end;
} span;

/* The pixels that a round uses: every stride-th pixel of every stride-th row. */
typedef struct {
    size_t stride, first, width, height;
    float *lab;            /* height x 3 x width; NULL if rows are converted when they are used */
    float *at;             /* width: the x coordinates of the pixels in the image */
    uint32_t *cell_column; /* width: the column of cells that each pixel is in */
} pixel_sample;

typedef struct {
    const linex_lab_image *image;
    linex_cells cells;
    double step;             /* the larger distance between adjacent centers, across or down */
    double reach_x, reach_y; /* how far a pixel may be from its center: two cells */
    float weight;            /* of the squared distance in space relative to color */
    size_t count;
    linex_lab_point *centers; /* count, as are the next four arrays */
    sums *sums;
    span *spans;                   /* the sample's columns within reach of each center */
    uint32_t *next;                /* the next center in the list of the same first row, or NONE */
    uint32_t *active;              /* the centers within reach of the current row */
    uint32_t *first;               /* a sample's height: the first center in the list of each first row */
    float *lab;                    /* 3 x a sample's width: the current row */
    float *best;                   /* a sample's width: the squared distance to the nearest center */
    uint32_t *labels;              /* a sample's width: the nearest center */
    size_t active_count, cell_row; /* while a sample is scanned */
} clustering;

static void release(clustering *slic)
{
    void *blocks[] = {slic->centers, slic->sums, slic->spans, slic->next,  slic->active,
                      slic->first,   slic->lab,  slic->best,  slic->labels};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    *slic = (clustering){0};
}

static linex_status prepare(const linex_lab_image *image, const linex_slic_settings *settings, clustering *slic)
{
    double width = (double)image->width, height = (double)image->height;
    linex_cells cells = linex_cells_fit(image->width, image->height, settings->segments);
    double count = (double)cells.columns * (double)cells.rows;
    double cell_width = width / (double)cells.columns, cell_height = height / (double)cells.rows;
    double step = fmax(cell_width, cell_height);
    double weight = settings->compactness / step;
    *slic = (clustering){.image = image, .cells = cells, .step = step, .count = (size_t)count};
    slic->reach_x = 2 * cell_width;
    slic->reach_y = 2 * cell_height;
    /* The limit is far above useful weights. It keeps products finite, so they are never NaN. */
    slic->weight = (float)fmin(weight * weight, 1e18);
    slic->centers = linex_alloc_items(count, sizeof *slic->centers);
    slic->sums = linex_alloc_items(count, sizeof *slic->sums);
    slic->spans = linex_alloc_items(count, sizeof *slic->spans);
    slic->next = linex_alloc_items(count, sizeof *slic->next);
    slic->active = linex_alloc_items(count, sizeof *slic->active);
    slic->first = linex_alloc_items(height, sizeof *slic->first);
    slic->lab = linex_alloc_items(3 * width, sizeof *slic->lab);
    slic->best = linex_alloc_items(width, sizeof *slic->best);
    slic->labels = linex_alloc_items(width, sizeof *slic->labels);
    bool allocated = slic->centers && slic->sums && slic->spans && slic->next && slic->active && slic->first &&
                     slic->lab && slic->best && slic->labels;
    return allocated ? LINEX_OK : LINEX_NO_MEMORY;
}

static void sample_close(pixel_sample *sample)
{
    free(sample->lab);
    free(sample->at);
    free(sample->cell_column);
    *sample = (pixel_sample){0};
}

/* stored  whether all pixels are converted before the scans, because several of them read them */
static linex_status sample_open(const clustering *slic, size_t stride, bool stored, pixel_sample *sample)
{
    const linex_lab_image *image = slic->image;
    size_t first = stride / 2;
    size_t width = (image->width - first - 1) / stride + 1, height = (image->height - first - 1) / stride + 1;
    *sample = (pixel_sample){.stride = stride, .first = first, .width = width, .height = height};
    sample->at = linex_alloc_items((double)width, sizeof *sample->at);
    sample->cell_column = linex_alloc_items((double)width, sizeof *sample->cell_column);
    if (stored) sample->lab = linex_alloc_items(3 * (double)width * (double)height, sizeof *sample->lab);
    if (!sample->at || !sample->cell_column || (stored && !sample->lab)) return LINEX_NO_MEMORY;
    for (size_t i = 0, column = 0; i < width; i++) {
        size_t x = first + i * stride;
        while (x >= linex_cell_start(image->width, slic->cells.columns, column + 1)) column++;
        sample->at[i] = (float)x;
        sample->cell_column[i] = (uint32_t)column;
    }
    return LINEX_OK;
}

/* Returns the index of the first sampled pixel at or after a coordinate of the image, at most `limit`. */
static size_t index_from(const pixel_sample *sample, double coordinate, size_t limit)
{
    return (size_t)fmin(fmax(ceil((coordinate - (double)sample->first) / (double)sample->stride), 0), (double)limit);
}

/* Finds the columns within reach of each center, and lists the centers by the first row within reach. */
static void list_by_first_row(clustering *slic, const pixel_sample *sample)
{
    for (size_t row = 0; row < sample->height; row++) slic->first[row] = NONE;
    for (size_t k = slic->count; k-- > 0;) {
        double x = (double)slic->centers[k].x, y = (double)slic->centers[k].y;
        slic->spans[k].start = (uint32_t)index_from(sample, x - slic->reach_x, sample->width);
        slic->spans[k].end = (uint32_t)index_from(sample, x + slic->reach_x + 0.5, sample->width);
        size_t row = index_from(sample, y - slic->reach_y, sample->height - 1);
        slic->next[k] = slic->first[row];
        slic->first[row] = (uint32_t)k;
    }
}

/* Removes the centers that are out of reach of this row and adds those that come into reach. */
static void update_active(clustering *slic, size_t row, double y)
{
    size_t left = 0;
    for (size_t i = 0; i < slic->active_count; i++)
        if ((double)slic->centers[slic->active[i]].y + slic->reach_y >= y) slic->active[left++] = slic->active[i];
    for (uint32_t k = slic->first[row]; k != NONE; k = slic->next[k]) slic->active[left++] = k;
    slic->active_count = left;
}

/* Assigns each pixel to the center of its cell, until a nearer center claims it. */
static void start_row(size_t width, uint32_t base, const uint32_t *restrict cell_column, float *restrict best,
                      uint32_t *restrict labels)
{
    for (size_t i = 0; i < width; i++) {
        best[i] = FLT_MAX;
        labels[i] = base + cell_column[i];
    }
}

/* Labels one row with the nearest centers. A pixel out of reach of all centers gets the label of its own cell. */
static void assign_row(const clustering *slic, const pixel_sample *sample, double y, const float *lab,
                       uint32_t *labels)
{
    uint32_t base = (uint32_t)(slic->cell_row * slic->cells.columns);
    size_t width = sample->width;
    start_row(width, base, sample->cell_column, slic->best, labels);
    for (size_t i = 0; i < slic->active_count; i++) {
        const linex_lab_point *center = slic->centers + slic->active[i];
        span reach = slic->spans[slic->active[i]];
        float dy = (float)y - center->y;
        linex_lab_claim(reach.end - reach.start, width, lab + reach.start, sample->at + reach.start, center,
                        slic->weight, slic->weight * (dy * dy), slic->active[i], slic->best + reach.start,
                        labels + reach.start);
    }
}

/* Adds the pixels of one row to the sums of their centers. */
static void add_row(clustering *slic, const pixel_sample *sample, double y, const float *lab)
{
    size_t width = sample->width;
    for (size_t i = 0, end; i < width; i = end) {
        sums *into = slic->sums + slic->labels[i];
        for (end = i + 1; end < width && slic->labels[end] == slic->labels[i]; end++) continue;
        double count = (double)(end - i), l = 0, a = 0, b = 0;
        for (size_t at = i; at < end; at++) {
            l += (double)lab[at];
            a += (double)lab[width + at];
            b += (double)lab[2 * width + at];
        }
        into->count += count;
        /* Sums of coordinates are exact, so their order does not matter. */
        into->x += count * ((double)sample->at[i] + (double)sample->at[end - 1]) / 2;
        into->y += count * y;
        into->l += l;
        into->a += a;
        into->b += b;
    }
}

/* Moves each center to the mean of its pixels. A center without pixels stays. Returns whether any center moved. */
static bool move_centers(clustering *slic)
{
    bool moved = false;
    for (size_t k = 0; k < slic->count; k++) {
        const sums *sum = slic->sums + k;
        if (sum->count == 0) continue;
        linex_lab_point mean = {(float)(sum->x / sum->count), (float)(sum->y / sum->count),
                                (float)(sum->l / sum->count), (float)(sum->a / sum->count),
                                (float)(sum->b / sum->count)};
        moved = moved || memcmp(&mean, slic->centers + k, sizeof mean) != 0;
        slic->centers[k] = mean;
    }
    return moved;
}

/* Scans one row of a sample. */
static void scan_row(clustering *slic, const pixel_sample *sample, size_t row, bool by_cell, uint32_t *labels)
{
    size_t y = sample->first + row * sample->stride;
    while (y >= linex_cell_start(slic->image->height, slic->cells.rows, slic->cell_row + 1)) slic->cell_row++;
    if (!by_cell) update_active(slic, row, (double)y);
    const float *lab = sample->lab ? sample->lab + 3 * sample->width * row : slic->lab;
    if (!sample->lab) linex_lab_image_row(slic->image, y, sample->first, sample->stride, sample->width, slic->lab);
    assign_row(slic, sample, (double)y, lab, labels ? labels + sample->width * row : slic->labels);
    if (!labels) add_row(slic, sample, (double)y, lab);
}

/* Scans a sample. If `labels` is NULL, the centers move; otherwise the labels are written there. If `by_cell`, each
 * pixel belongs to its own cell: the grid that the rounds start from.
 *
 * row    the next row to scan; 0 at the end
 * moved  whether any center moved */
static linex_status scan(clustering *slic, const pixel_sample *sample, bool by_cell, uint32_t *labels, size_t *row,
                         bool *moved, linex_slice *slice)
{
    if (*row == 0) {
        if (!by_cell) list_by_first_row(slic, sample);
        memset(slic->sums, 0, slic->count * sizeof *slic->sums);
        slic->active_count = slic->cell_row = 0;
    }
    for (; *row < sample->height; ++*row) {
        /* A pixel is within reach of about sixteen centers. */
        if (!linex_slice_take(slice, 16.0 * (double)sample->width)) return LINEX_UNFINISHED;
        scan_row(slic, sample, *row, by_cell, labels);
    }
    *row = 0;
    *moved = !labels && move_centers(slic);
    return LINEX_OK;
}

/* Puts the centers in the middle of their cells. Centers without a sampled pixel stay there. */
static void place_centers(clustering *slic)
{
    double cell_width = (double)slic->image->width / (double)slic->cells.columns;
    double cell_height = (double)slic->image->height / (double)slic->cells.rows;
    for (size_t k = 0; k < slic->count; k++) {
        double column = (double)(k % slic->cells.columns), row = (double)(k / slic->cells.columns);
        slic->centers[k] =
            (linex_lab_point){(float)((column + 0.5) * cell_width), (float)((row + 0.5) * cell_height), 0, 0, 0};
    }
}

/* ---- the task ---- */

struct slic_task {
    linex_segmenting all;
    linex_slic_settings settings;
    clustering slic;
    pixel_sample sample; /* for the rounds, then for the labels */
    bool moved;
};

static linex_status open_image(void *state, linex_cursor *at, linex_slice *slice)
{
    struct slic_task *job = state;
    (void)at;
    linex_status status = linex_lab_image_advance(&job->all.image, slice);
    if (!status) status = prepare(&job->all.image, &job->settings, &job->slic);
    if (status) return status;
    size_t stride = (size_t)fmax(job->slic.step / SAMPLES_PER_STEP, 1);
    size_t shorter = job->all.input.width < job->all.input.height ? job->all.input.width : job->all.input.height;
    place_centers(&job->slic);
    return sample_open(&job->slic, stride > shorter ? shorter : stride, true, &job->sample);
}

static void convert_row(void *state, size_t row)
{
    struct slic_task *job = state;
    const pixel_sample *sample = &job->sample;
    linex_lab_image_row(&job->all.image, sample->first + row * sample->stride, sample->first, sample->stride,
                        sample->width, sample->lab + 3 * sample->width * row);
}

static linex_status convert_sample(void *state, linex_cursor *at, linex_slice *slice)
{
    struct slic_task *job = state;
    return linex_steps_advance(job->sample.height, 4.0 * (double)job->sample.width, convert_row, job, at, slice);
}

/* at  column: the round */
static linex_status move_in_rounds(void *state, linex_cursor *at, linex_slice *slice)
{
    struct slic_task *job = state;
    for (; at->column == 0 || (at->column < job->settings.rounds && job->moved); at->column++)
        if (scan(&job->slic, &job->sample, at->column == 0, NULL, &at->row, &job->moved, slice))
            return LINEX_UNFINISHED;
    if (job->sample.stride == 1) return LINEX_OK;
    sample_close(&job->sample);
    return sample_open(&job->slic, 1, false, &job->sample);
}

static void close_slic(linex_segmenting *task)
{
    struct slic_task *job = (struct slic_task *)task;
    release(&job->slic);
    sample_close(&job->sample);
}

static linex_status label_pixels(void *state, linex_cursor *at, linex_slice *slice)
{
    struct slic_task *job = state;
    const linex_segmented *input = &job->all.input;
    if (scan(&job->slic, &job->sample, false, input->labels, &at->row, &job->moved, slice)) return LINEX_UNFINISHED;
    return linex_segmenting_connect(&job->all, input->width * input->height / job->slic.count / 2, 0);
}

static bool settings_are_valid(const linex_slic_settings *settings)
{
    return settings && settings->segments && settings->rounds && settings->compactness > 0 &&
           isfinite(settings->compactness) && settings->sigma >= 0 && isfinite(settings->sigma);
}

linex_status linex_slic_start(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                              const linex_slic_settings *settings, uint32_t *labels, size_t *segments,
                              linex_task **task)
{
    static const linex_stage stages[] = {open_image, convert_sample, move_in_rounds, label_pixels};
    static const linex_segmenting_kind kind = {sizeof(struct slic_task), true, sizeof stages / sizeof *stages, stages,
                                               close_slic};
    const linex_segmented input = {width, height, channels, pixels, labels, segments};
    linex_segmenting *made = NULL;
    if (!settings_are_valid(settings) || !task) return LINEX_BAD_ARGUMENT;
    linex_status status = linex_segmenting_new(&kind, &input, settings->sigma, &made);
    if (status) return status;
    ((struct slic_task *)made)->settings = *settings;
    *task = &made->task;
    return LINEX_OK;
}

linex_status linex_slic(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                        const linex_slic_settings *settings, uint32_t *labels, size_t *segments)
{
    linex_task *task = NULL;
    linex_status started = linex_slic_start(width, height, channels, pixels, settings, labels, segments, &task);
    return linex_task_finish(started, task);
}
