#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/color.h"
#include "linex.h"
#include "base/alloc.h"
#include "image/superpixels.h"

/* The rounds look at no more than about this many pixels along a step: that places a center to a hundredth of a step,
 * and where the segments end is for the last round to say, which looks at all pixels. */
enum { SAMPLES_A_STEP = 24 };

static const uint32_t NONE = UINT32_MAX;

linex_slic_settings linex_slic_defaults(void)
{
    return (linex_slic_settings){.segments = 50, .compactness = 10, .rounds = 10, .sigma = 0};
}

typedef struct {
    double count, x, y, l, a, b;
} sums;

/* From one column to another, which is not of it. */
typedef struct {
    uint32_t start, end;
} span;

/* The pixels that a round looks at: every stride-th of every stride-th row. */
typedef struct {
    size_t stride, first, width, height;
    float *lab;     /* height x 3 x width; NULL where it is made row by row */
    float *at;      /* width: where they are in the picture's rows */
    uint32_t *home; /* width: the columns of cells that they are in */
} view;

typedef struct {
    const linex_picture *picture;
    linex_cells cells;
    double step;             /* from center to center, the longer way */
    double reach_x, reach_y; /* how far a center's pixels may be from it: two cells */
    float weight;            /* of squared distance in space against that in color */
    size_t count;
    linex_lab_point *centers; /* count, and so for the next four */
    sums *sums;
    span *spans;      /* the columns of a view that they reach */
    uint32_t *next;   /* the next center whose first row is the same */
    uint32_t *active; /* those whose rows the scan is in */
    uint32_t *first;  /* a view's height: the first center of that first row */
    float *lab;       /* 3 x a view's width: a row */
    float *best;      /* a view's width: how near the nearest center is */
    uint32_t *labels; /* a view's width: which it is */
} clustering;

static void release(clustering *slic)
{
    void *blocks[] = {slic->centers, slic->sums, slic->spans, slic->next,  slic->active,
                      slic->first,   slic->lab,  slic->best,  slic->labels};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

static linex_status prepare(const linex_picture *picture, const linex_slic_settings *settings, clustering *slic)
{
    double width = (double)picture->width, height = (double)picture->height;
    linex_cells cells = linex_cells_fit(picture->width, picture->height, settings->segments);
    double count = (double)cells.columns * (double)cells.rows;
    double wide = width / (double)cells.columns, high = height / (double)cells.rows, step = fmax(wide, high);
    double weight = settings->compactness / step;
    *slic = (clustering){.picture = picture, .cells = cells, .step = step, .count = (size_t)count};
    slic->reach_x = 2 * wide;
    slic->reach_y = 2 * high;
    /* Beyond any use, but finite: products with it are never NaN. */
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
    bool room = slic->centers && slic->sums && slic->spans && slic->next && slic->active && slic->first &&
                slic->lab && slic->best && slic->labels;
    return room ? LINEX_OK : LINEX_NO_MEMORY;
}

static void view_close(view *seen)
{
    free(seen->lab);
    free(seen->at);
    free(seen->home);
}

static linex_status view_open(const clustering *slic, size_t stride, bool stored, view *seen)
{
    const linex_picture *picture = slic->picture;
    size_t first = stride / 2;
    size_t width = (picture->width - first - 1) / stride + 1, height = (picture->height - first - 1) / stride + 1;
    *seen = (view){.stride = stride, .first = first, .width = width, .height = height};
    seen->at = linex_alloc_items((double)width, sizeof *seen->at);
    seen->home = linex_alloc_items((double)width, sizeof *seen->home);
    if (stored) seen->lab = linex_alloc_items(3 * (double)width * (double)height, sizeof *seen->lab);
    if (!seen->at || !seen->home || (stored && !seen->lab)) return LINEX_NO_MEMORY;
    for (size_t i = 0, column = 0; i < width; i++) {
        size_t x = first + i * stride;
        while (x >= linex_cell_start(picture->width, slic->cells.columns, column + 1)) column++;
        seen->at[i] = (float)x;
        seen->home[i] = (uint32_t)column;
    }
    for (size_t row = 0; stored && row < height; row++)
        linex_picture_row(picture, first + row * stride, first, stride, width, seen->lab + 3 * width * row);
    return LINEX_OK;
}

/* Where a view's pixels begin that are not before a place in the picture. */
static size_t index_from(const view *seen, double place, size_t most)
{
    return (size_t)fmin(fmax(ceil((place - (double)seen->first) / (double)seen->stride), 0), (double)most);
}

/* What each center can reach: its columns, and, in lists, its first row. */
static void list_by_first_row(clustering *slic, const view *seen)
{
    for (size_t row = 0; row < seen->height; row++) slic->first[row] = NONE;
    for (size_t k = slic->count; k-- > 0;) {
        double x = (double)slic->centers[k].x, y = (double)slic->centers[k].y;
        slic->spans[k].start = (uint32_t)index_from(seen, x - slic->reach_x, seen->width);
        slic->spans[k].end = (uint32_t)index_from(seen, x + slic->reach_x + 0.5, seen->width);
        size_t row = index_from(seen, y - slic->reach_y, seen->height - 1);
        slic->next[k] = slic->first[row];
        slic->first[row] = (uint32_t)k;
    }
}

/* Drops the centers that the scan has passed, takes up those it has come to. Returns how many there are. */
static size_t update_active(clustering *slic, size_t row, double y, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if ((double)slic->centers[slic->active[i]].y + slic->reach_y >= y) slic->active[left++] = slic->active[i];
    for (uint32_t k = slic->first[row]; k != NONE; k = slic->next[k]) slic->active[left++] = k;
    return left;
}

/* Every pixel is its cell's until a center claims it. */
static void start_row(size_t width, uint32_t base, const uint32_t *restrict home, float *restrict best,
                      uint32_t *restrict labels)
{
    for (size_t i = 0; i < width; i++) {
        best[i] = FLT_MAX;
        labels[i] = base + home[i];
    }
}

/* The labels of one row: those of the nearest centers, and of its own cell for a pixel beyond the reach of all. */
static void assign_row(const clustering *slic, const view *seen, double y, size_t active, size_t cell_row,
                       const float *lab, uint32_t *labels)
{
    uint32_t base = (uint32_t)(cell_row * slic->cells.columns);
    size_t width = seen->width;
    start_row(width, base, seen->home, slic->best, labels);
    for (size_t i = 0; i < active; i++) {
        const linex_lab_point *from = slic->centers + slic->active[i];
        span reach = slic->spans[slic->active[i]];
        float dy = (float)y - from->y;
        linex_lab_claim(reach.end - reach.start, width, lab + reach.start, seen->at + reach.start, from, slic->weight,
                        slic->weight * (dy * dy), slic->active[i], slic->best + reach.start, labels + reach.start);
    }
}

static void add_row(clustering *slic, const view *seen, double y, const float *lab)
{
    size_t width = seen->width;
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
        /* Whole numbers: exact, however they are added up. */
        into->x += count * ((double)seen->at[i] + (double)seen->at[end - 1]) / 2;
        into->y += count * y;
        into->l += l;
        into->a += a;
        into->b += b;
    }
}

/* Centers become the means of their pixels; one without any stays where it is. Returns whether any moved. */
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

/* One scan of a view. Labels go to `labels`, or, where that is NULL, the centers move. `homes` leaves every pixel in
 * its own cell: the grid that the rounds start from. Returns whether any center moved. */
static bool scan(clustering *slic, const view *seen, bool homes, uint32_t *labels)
{
    if (!homes) list_by_first_row(slic, seen);
    memset(slic->sums, 0, slic->count * sizeof *slic->sums);
    size_t active = 0, cell_row = 0;
    for (size_t row = 0; row < seen->height; row++) {
        size_t y = seen->first + row * seen->stride;
        while (y >= linex_cell_start(slic->picture->height, slic->cells.rows, cell_row + 1)) cell_row++;
        if (!homes) active = update_active(slic, row, (double)y, active);
        const float *lab = seen->lab ? seen->lab + 3 * seen->width * row : slic->lab;
        if (!seen->lab) linex_picture_row(slic->picture, y, seen->first, seen->stride, seen->width, slic->lab);
        assign_row(slic, seen, (double)y, active, cell_row, lab, labels ? labels + seen->width * row : slic->labels);
        if (!labels) add_row(slic, seen, (double)y, lab);
    }
    return !labels && move_centers(slic);
}

/* The middles of the cells: centers that a view happens to have no pixel of. */
static void place_centers(clustering *slic)
{
    double wide = (double)slic->picture->width / (double)slic->cells.columns;
    double high = (double)slic->picture->height / (double)slic->cells.rows;
    for (size_t k = 0; k < slic->count; k++) {
        double column = (double)(k % slic->cells.columns), row = (double)(k / slic->cells.columns);
        slic->centers[k] = (linex_lab_point){(float)((column + 0.5) * wide), (float)((row + 0.5) * high), 0, 0, 0};
    }
}

static linex_status cluster(clustering *slic, size_t rounds, uint32_t *labels)
{
    size_t stride = (size_t)fmax(slic->step / SAMPLES_A_STEP, 1);
    size_t shorter = slic->picture->width < slic->picture->height ? slic->picture->width : slic->picture->height;
    if (stride > shorter) stride = shorter;
    view sample, all;
    linex_status status = view_open(slic, stride, true, &sample);
    if (!status) {
        place_centers(slic);
        bool moved = scan(slic, &sample, true, NULL);
        for (size_t round = 1; round < rounds && moved; round++) moved = scan(slic, &sample, false, NULL);
        if (stride == 1) scan(slic, &sample, false, labels);
    }
    view_close(&sample);
    if (status || stride == 1) return status;
    status = view_open(slic, 1, false, &all);
    if (!status) scan(slic, &all, false, labels);
    view_close(&all);
    return status;
}

static bool sound(const linex_slic_settings *settings)
{
    return settings && settings->segments && settings->rounds && settings->compactness > 0 &&
           isfinite(settings->compactness) && settings->sigma >= 0 && isfinite(settings->sigma);
}

linex_status linex_slic(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                        const linex_slic_settings *settings, uint32_t *labels, size_t *segments)
{
    if (!linex_is_picture(width, height, channels, pixels) || !sound(settings) || !labels || !segments)
        return LINEX_BAD_ARGUMENT;
    linex_picture picture;
    clustering slic = {0};
    linex_status status = linex_picture_open(width, height, channels, pixels, true, settings->sigma, &picture);
    if (!status) status = prepare(&picture, settings, &slic);
    if (!status) status = cluster(&slic, settings->rounds, labels);
    size_t smallest = slic.count ? width * height / slic.count / 2 : 0;
    release(&slic);
    linex_picture_close(&picture);
    if (status) return status;
    return linex_regions_settle(width, height, channels, pixels, smallest, 0, NULL, labels, segments);
}
