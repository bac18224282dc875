/* superpixels.c: grids of cells, and label maps with connected regions. */
#include "image/superpixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A squared distance, in byte values, below which two mean colors count as similar. */
static const float SIMILAR_COLORS = 300;

/* If regions have at least this many pixels, a single pixel does not matter. */
enum { LARGE_REGION = 100 };

bool linex_is_valid_image(size_t width, size_t height, size_t channels, const uint8_t *pixels)
{
    double count = (double)width * (double)height;
    return pixels && count > 0 && (channels == 1 || channels == 3) && count < (double)UINT32_MAX &&
           count * (double)channels < (double)SIZE_MAX;
}

/* A cost that is 1 if the cells are squares and their number is the wanted one. The number has more weight than the
 * shape. */
static double cell_cost(size_t width, size_t height, double segments, linex_cells cells)
{
    double count = (double)cells.columns * (double)cells.rows / segments;
    double shape = (double)width * (double)cells.rows / ((double)height * (double)cells.columns);
    return fmax(count, 1 / count) * fmax(count, 1 / count) * fmax(shape, 1 / shape);
}

static size_t round_down_within(double value, size_t limit)
{
    return (size_t)fmin(fmax(floor(value), 1), (double)limit);
}

linex_cells linex_cells_fit(size_t width, size_t height, size_t segments)
{
    double wanted = fmin((double)segments, (double)width * (double)height);
    double rows = sqrt(wanted * (double)height / (double)width);
    linex_cells best = {1, 1};
    for (int more = 0; more < 2; more++) {
        linex_cells by_rows = {1, round_down_within(rows + more, height)};
        by_rows.columns = round_down_within(wanted / (double)by_rows.rows + 0.5, width);
        linex_cells by_columns = {round_down_within(wanted / rows + more, width), 1};
        by_columns.rows = round_down_within(wanted / (double)by_columns.columns + 0.5, height);
        if (cell_cost(width, height, wanted, by_rows) < cell_cost(width, height, wanted, best)) best = by_rows;
        if (cell_cost(width, height, wanted, by_columns) < cell_cost(width, height, wanted, best)) best = by_columns;
    }
    return best;
}

size_t linex_cell_start(size_t length, size_t parts, size_t index)
{
    return (size_t)((uint64_t)length * index / parts);
}

/* ---- the grid ---- */

struct grid_task {
    linex_task task;
    linex_cursor at; /* row: of pixels */
    size_t width, height;
    linex_cells cells;
    uint32_t *labels;
};

static void label_grid_row(void *state, size_t y)
{
    const struct grid_task *grid = state;
    /* The last row of cells that does not start below the pixels. */
    size_t row = (size_t)(((uint64_t)grid->cells.rows * (y + 1) + grid->height - 1) / grid->height) - 1;
    uint32_t *label = grid->labels + y * grid->width;
    for (size_t column = 0, x = 0; column < grid->cells.columns; column++)
        for (size_t right = linex_cell_start(grid->width, grid->cells.columns, column + 1); x < right; x++)
            *label++ = (uint32_t)(row * grid->cells.columns + column);
}

static linex_status advance_grid(linex_task *task, linex_slice *slice)
{
    struct grid_task *grid = (struct grid_task *)task;
    return linex_steps_advance(grid->height, 4.0 * (double)grid->width, label_grid_row, grid, &grid->at, slice);
}

static double grid_progress(const linex_task *task)
{
    const struct grid_task *grid = (const struct grid_task *)task;
    return (double)grid->at.row / (double)grid->height;
}

static void release_grid(linex_task *task)
{
    free(task);
}

linex_status linex_grid_start(size_t width, size_t height, size_t segments, uint32_t *labels, size_t *found,
                              linex_task **task)
{
    double count = (double)width * (double)height;
    if (!labels || !found || !task || !segments || !(count > 0 && count < (double)UINT32_MAX))
        return LINEX_BAD_ARGUMENT;
    struct grid_task *made = calloc(1, sizeof *made);
    if (!made) return LINEX_NO_MEMORY;
    made->task = (linex_task){advance_grid, grid_progress, release_grid, LINEX_UNFINISHED, 0};
    made->width = width;
    made->height = height;
    made->cells = linex_cells_fit(width, height, segments);
    made->labels = labels;
    *found = made->cells.columns * made->cells.rows;
    *task = &made->task;
    return LINEX_OK;
}

linex_status linex_grid(size_t width, size_t height, size_t segments, uint32_t *labels, size_t *found)
{
    linex_task *task = NULL;
    linex_status started = linex_grid_start(width, height, segments, labels, found, &task);
    return linex_task_finish(started, task);
}

/* ---- connected regions ---- */

typedef struct {
    uint32_t size;
    uint32_t joined; /* the region that it has joined; itself if none */
    uint32_t shared; /* pixel sides shared with the region that is being joined; at the end, its new number */
    float color[3];  /* the mean color, as byte values */
    bool kept;       /* whether it is large enough or anchored */
} region;

/* A pixel side between two regions. */
typedef struct {
    uint32_t first, second;
} border;

struct linex_regions {
    linex_cursor at, pass; /* the stage of all; the stage of a pass of joining */
    size_t width, height, channels;
    const uint8_t *pixels;
    size_t min_size, anchor_count;
    const uint32_t *anchors;
    uint32_t *labels;
    size_t *segments;
    uint32_t *parents; /* height x width, while the regions are numbered */
    size_t count;
    region *regions; /* count */
    size_t border_count;
    border *borders;
    size_t left;                  /* how many borders a pass has kept so far */
    uint32_t *starts, *neighbors; /* count + 1; up to 2 x border_count: the neighbors of each region that is not kept,
                                     one region after the other. A neighbor appears once per shared border */
    uint32_t next;                /* the next new number */
};

/* The regions and borders of one step: a region has much less work than a pixel row, and there may be millions. */
enum { BLOCK = 4096 };

static size_t blocks_of(size_t count)
{
    return (count + BLOCK - 1) / BLOCK;
}

static size_t block_end(size_t block, size_t count)
{
    return (block + 1) * BLOCK < count ? (block + 1) * BLOCK : count;
}

/* Returns the pixel's label if a neighbor has it too, otherwise the most frequent label of its neighbors. */
static uint32_t label_from_neighbors(uint32_t label, size_t count, const uint32_t *neighbors)
{
    size_t most = 0;
    uint32_t best = label;
    for (size_t i = 0; i < count; i++) {
        size_t equal = 0;
        for (size_t j = 0; j < count; j++) equal += neighbors[j] == neighbors[i];
        if (neighbors[i] == label) return label;
        if (equal <= most) continue;
        most = equal;
        best = neighbors[i];
    }
    return best;
}

/* Gives single pixels the label of their neighbors, regardless of color. In a noisy image most regions are single
 * pixels, and joining them later would take most of the time. */
static void absorb_row(void *state, size_t y)
{
    const linex_regions *all = state;
    size_t width = all->width, height = all->height;
    uint32_t *labels = all->labels + y * width;
    for (size_t x = 0; x < width; x++, labels++) {
        if (x > 0 && labels[-1] == *labels) continue;
        uint32_t neighbors[4];
        size_t count = 0;
        if (y > 0) neighbors[count++] = *(labels - width);
        if (x > 0) neighbors[count++] = labels[-1];
        if (x + 1 < width) neighbors[count++] = labels[1];
        if (y + 1 < height) neighbors[count++] = labels[width];
        *labels = label_from_neighbors(*labels, count, neighbors);
    }
}

static linex_status absorb_single_pixels(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    if (all->min_size < LARGE_REGION || all->anchor_count) return LINEX_OK;
    return linex_steps_advance(all->height, 8.0 * (double)all->width, absorb_row, all, at, slice);
}

uint32_t linex_root_find(uint32_t *parents, uint32_t pixel)
{
    while (parents[pixel] != pixel) pixel = parents[pixel] = parents[parents[pixel]];
    return pixel;
}

static void join_pixels(uint32_t *parents, uint32_t first, uint32_t second)
{
    first = linex_root_find(parents, first);
    second = linex_root_find(parents, second);
    /* The earlier pixel becomes the root, so regions are numbered in scan order. */
    if (first < second)
        parents[second] = first;
    else
        parents[first] = second;
}

/* Links each pixel of a row to an earlier pixel with the same label. */
static void link_row(void *state, size_t y)
{
    const linex_regions *all = state;
    size_t width = all->width;
    uint32_t *parents = all->parents, stride = (uint32_t)width, pixel = (uint32_t)(y * width);
    for (size_t x = 0; x < width; x++, pixel++) {
        const uint32_t *label = all->labels + pixel;
        bool left = x > 0 && label[0] == label[-1];
        bool above = y > 0 && label[0] == *(label - width);
        parents[pixel] = left ? parents[pixel - 1] : above ? parents[pixel - stride] : pixel;
        /* If the pixel diagonally above left has the same label, the two are already joined. */
        if (left && above && label[-1] != *(label - width - 1)) join_pixels(parents, pixel, pixel - stride);
    }
}

static linex_status link_pixels(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(all->height, 8.0 * (double)all->width, link_row, all, at, slice);
}

static void number_row(void *state, size_t y)
{
    linex_regions *all = state;
    uint32_t *parents = all->parents, *labels = all->labels;
    for (size_t i = y * all->width; i < (y + 1) * all->width; i++) {
        parents[i] = parents[parents[i]];
        labels[i] = parents[i] == i ? (uint32_t)all->count++ : labels[parents[i]];
    }
}

/* Numbers the connected regions of equal labels in scan order. */
static linex_status number_regions(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    linex_status status = linex_steps_advance(all->height, 8.0 * (double)all->width, number_row, all, at, slice);
    if (status) return status;
    free(all->parents);
    all->parents = NULL;
    all->regions = linex_alloc_items((double)all->count, sizeof *all->regions);
    return all->regions ? LINEX_OK : LINEX_NO_MEMORY;
}

/* Like linex_root_find, for the regions that have joined. */
static uint32_t region_root(region *regions, uint32_t index)
{
    while (regions[index].joined != index) index = regions[index].joined = regions[regions[index].joined].joined;
    return index;
}

/* Adds `size` pixels with this mean color to a region. */
static void add_pixels(region *into, uint32_t size, const float *color)
{
    into->size += size;
    float share = (float)size / (float)into->size;
    for (int c = 0; c < 3; c++) into->color[c] += share * (color[c] - into->color[c]);
}

/* Adds a run of adjacent pixels to a region. */
static void add_run(region *into, uint32_t length, size_t channels, const uint8_t *pixels)
{
    uint64_t sums[3] = {0, 0, 0};
    for (uint32_t i = 0; i < length; i++)
        for (size_t c = 0; c < channels; c++) sums[c] += pixels[i * channels + c];
    float color[3];
    for (int c = 0; c < 3; c++) color[c] = (float)sums[c] / (float)length;
    add_pixels(into, length, color);
}

static void clear_block(void *state, size_t block)
{
    const linex_regions *all = state;
    for (size_t i = block * BLOCK; i < block_end(block, all->count); i++)
        all->regions[i] = (region){.joined = (uint32_t)i};
}

static linex_status clear_regions(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(blocks_of(all->count), BLOCK, clear_block, all, at, slice);
}

static void measure_row(void *state, size_t y)
{
    const linex_regions *all = state;
    size_t width = all->width;
    const uint32_t *labels = all->labels + y * width;
    for (size_t x = 0, start = 0; x < width; start = x) {
        while (x < width && labels[x] == labels[start]) x++;
        add_run(all->regions + labels[start], (uint32_t)(x - start), all->channels,
                all->pixels + (y * width + start) * all->channels);
    }
}

static linex_status measure_regions(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(all->height, 8.0 * (double)all->width, measure_row, all, at, slice);
}

static void keep_block(void *state, size_t block)
{
    const linex_regions *all = state;
    for (size_t i = block * BLOCK; i < block_end(block, all->count); i++)
        all->regions[i].kept = all->regions[i].size >= all->min_size;
}

static linex_status keep_large(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(blocks_of(all->count), BLOCK, keep_block, all, at, slice);
}

static void keep_anchor_block(void *state, size_t block)
{
    const linex_regions *all = state;
    for (size_t i = block * BLOCK; i < block_end(block, all->anchor_count); i++)
        all->regions[all->labels[all->anchors[i]]].kept = true;
}

static linex_status keep_anchored(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(blocks_of(all->anchor_count), 4.0 * BLOCK, keep_anchor_block, all, at, slice);
}

/* Finds all pixel sides of a row between two regions of which at least one is not kept. Counts them, and stores them
 * if there is memory for them. */
static void find_borders_in_row(void *state, size_t y)
{
    linex_regions *all = state;
    size_t width = all->width, count = all->border_count;
    const uint32_t *labels = all->labels + y * width;
    for (size_t x = 0; x < width; x++) {
        uint32_t here = labels[x], right = x + 1 < width ? labels[x + 1] : here;
        uint32_t below = y + 1 < all->height ? labels[x + width] : here;
        if (here == right && here == below) continue;
        bool kept = all->regions[here].kept;
        if (here != right && !(kept && all->regions[right].kept)) {
            if (all->borders) all->borders[count] = (border){here, right};
            count++;
        }
        if (here != below && !(kept && all->regions[below].kept)) {
            if (all->borders) all->borders[count] = (border){here, below};
            count++;
        }
    }
    all->border_count = count;
}

static linex_status count_borders(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    linex_status status =
        linex_steps_advance(all->height, 6.0 * (double)all->width, find_borders_in_row, all, at, slice);
    if (status || all->border_count == 0) return status;
    double borders = (double)all->border_count;
    all->borders = linex_alloc_items(borders, sizeof *all->borders);
    all->neighbors = linex_alloc_items(2 * borders, sizeof *all->neighbors);
    all->starts = linex_alloc_items((double)all->count + 1, sizeof *all->starts);
    all->border_count = 0;
    /* The starts have 32 bits. Only noise of about a billion pixels has more borders. */
    bool allocated = all->borders && all->neighbors && all->starts && 2 * borders <= (double)UINT32_MAX;
    return allocated ? LINEX_OK : LINEX_NO_MEMORY;
}

static linex_status store_borders(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    if (!all->borders) return LINEX_OK;
    return linex_steps_advance(all->height, 6.0 * (double)all->width, find_borders_in_row, all, at, slice);
}

static void thin_block(void *state, size_t block)
{
    linex_regions *all = state;
    region *regions = all->regions;
    border *borders = all->borders;
    for (size_t i = block * BLOCK; i < block_end(block, all->border_count); i++) {
        uint32_t first = region_root(regions, borders[i].first), second = region_root(regions, borders[i].second);
        if (first != second && !(regions[first].kept && regions[second].kept))
            borders[all->left++] = (border){first, second};
    }
}

/* Removes the borders that disappeared in the last pass. */
static linex_status thin_borders(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    if (at->row == 0) all->left = 0;
    linex_status status = linex_steps_advance(blocks_of(all->border_count), 16.0 * BLOCK, thin_block, all, at, slice);
    if (!status) all->border_count = all->left;
    return status;
}

static void count_neighbors_of_block(void *state, size_t block)
{
    const linex_regions *all = state;
    for (size_t i = block * BLOCK; i < block_end(block, all->border_count); i++) {
        border side = all->borders[i];
        if (!all->regions[side.first].kept) all->starts[side.first]++;
        if (!all->regions[side.second].kept) all->starts[side.second]++;
    }
}

static linex_status count_neighbors(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    if (at->row == 0) memset(all->starts, 0, (all->count + 1) * sizeof *all->starts);
    return linex_steps_advance(blocks_of(all->border_count), 16.0 * BLOCK, count_neighbors_of_block, all, at, slice);
}

static void add_starts_of_block(void *state, size_t block)
{
    uint32_t *starts = ((const linex_regions *)state)->starts;
    size_t end = block_end(block, ((const linex_regions *)state)->count);
    for (size_t i = block * BLOCK; i < end; i++) starts[i + 1] += starts[i];
}

static linex_status add_starts(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(blocks_of(all->count), BLOCK, add_starts_of_block, all, at, slice);
}

/* Filling from the end moves each start to its final position. */
static void list_neighbors_of_block(void *state, size_t block)
{
    const linex_regions *all = state;
    size_t from_end = blocks_of(all->border_count) - 1 - block;
    for (size_t i = block_end(from_end, all->border_count); i-- > from_end * BLOCK;) {
        border side = all->borders[i];
        if (!all->regions[side.first].kept) all->neighbors[--all->starts[side.first]] = side.second;
        if (!all->regions[side.second].kept) all->neighbors[--all->starts[side.second]] = side.first;
    }
}

static linex_status list_neighbors(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(blocks_of(all->border_count), 16.0 * BLOCK, list_neighbors_of_block, all, at, slice);
}

/* How well a region fits a neighbor: a long shared border and similar colors. For a tiny region the border counts
 * more, for a larger one the color. */
static float affinity(const region *joining, const region *neighbor)
{
    float gap = SIMILAR_COLORS;
    for (int c = 0; c < 3; c++)
        gap += (joining->color[c] - neighbor->color[c]) * (joining->color[c] - neighbor->color[c]);
    return (float)neighbor->shared / gap;
}

/* Returns the neighbor that fits a region best, or the region itself if it has none. */
static uint32_t best_neighbor(region *regions, uint32_t joining, size_t count, const uint32_t *neighbors)
{
    for (size_t i = 0; i < count; i++) regions[region_root(regions, neighbors[i])].shared++;
    uint32_t best = joining;
    float most = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t neighbor = region_root(regions, neighbors[i]);
        float fit = neighbor == joining ? 0 : affinity(regions + joining, regions + neighbor);
        if (fit > most) {
            most = fit;
            best = neighbor;
        }
        regions[neighbor].shared = 0;
    }
    return best;
}

/* Joins each small region to a neighbor. A region that became large enough because others joined it is kept.
 * Otherwise a chain of joined regions could run through the whole image. */
static linex_status join_regions(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    region *regions = all->regions;
    const uint32_t *starts = all->starts;
    for (; at->row < all->count; at->row++) {
        uint32_t i = (uint32_t)at->row;
        bool joins = regions[i].joined == i && !regions[i].kept;
        size_t borders = joins ? starts[i + 1] - starts[i] : 0;
        if (!linex_slice_take(slice, 1 + 16 * (double)borders)) return LINEX_UNFINISHED;
        if (!joins) continue;
        uint32_t neighbor = best_neighbor(regions, i, borders, all->neighbors + starts[i]);
        if (neighbor == i) continue;
        uint32_t root = i < neighbor ? i : neighbor, leaf = i < neighbor ? neighbor : i;
        add_pixels(regions + root, regions[leaf].size, regions[leaf].color);
        regions[root].kept = regions[root].kept || regions[leaf].kept || regions[root].size >= all->min_size;
        regions[leaf].joined = root;
    }
    return LINEX_OK;
}

/* Joins regions until none is too small or only one is left. */
static linex_status join_all(void *state, linex_cursor *at, linex_slice *slice)
{
    static const linex_stage PASS[] = {count_neighbors, add_starts, list_neighbors, join_regions};
    linex_regions *all = state;
    while (all->borders) {
        if (at->row == 0) {
            if (thin_borders(all, &all->pass, slice)) return LINEX_UNFINISHED;
            all->pass = (linex_cursor){0};
            at->row = 1;
        }
        if (all->border_count == 0) return LINEX_OK;
        if (linex_stages_advance(sizeof PASS / sizeof *PASS, PASS, all, &all->pass, slice)) return LINEX_UNFINISHED;
        at->row = 0;
    }
    return LINEX_OK;
}

static void renumber_block(void *state, size_t block)
{
    linex_regions *all = state;
    for (size_t i = block * BLOCK; i < block_end(block, all->count); i++) {
        uint32_t root = region_root(all->regions, (uint32_t)i);
        all->regions[i].shared = root == i ? all->next++ : all->regions[root].shared;
    }
}

/* Numbers the regions that are left. A root comes before the regions that joined it. */
static linex_status renumber_regions(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(blocks_of(all->count), 4.0 * BLOCK, renumber_block, all, at, slice);
}

static void relabel_row(void *state, size_t y)
{
    const linex_regions *all = state;
    uint32_t *labels = all->labels + y * all->width;
    for (size_t x = 0; x < all->width; x++) labels[x] = all->regions[labels[x]].shared;
}

static linex_status relabel_pixels(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    linex_status status = linex_steps_advance(all->height, (double)all->width, relabel_row, all, at, slice);
    if (!status) *all->segments = all->next;
    return status;
}

linex_status linex_regions_new(size_t width, size_t height, size_t channels, const uint8_t *pixels, size_t min_size,
                               size_t anchor_count, const uint32_t *anchors, uint32_t *labels, size_t *segments,
                               linex_regions **regions)
{
    linex_regions *all = calloc(1, sizeof *all);
    uint32_t *parents = linex_alloc_items((double)width * (double)height, sizeof *parents);
    if (!all || !parents) {
        free(all);
        free(parents);
        return LINEX_NO_MEMORY;
    }
    *all = (linex_regions){.width = width, .height = height, .channels = channels, .pixels = pixels};
    all->min_size = min_size;
    all->anchor_count = anchor_count;
    all->anchors = anchors;
    all->labels = labels;
    all->segments = segments;
    all->parents = parents;
    *regions = all;
    return LINEX_OK;
}

linex_status linex_regions_advance(linex_regions *regions, linex_slice *slice)
{
    static const linex_stage STAGES[] = {absorb_single_pixels, link_pixels, number_regions,   clear_regions,
                                         measure_regions,      keep_large,  keep_anchored,    count_borders,
                                         store_borders,        join_all,    renumber_regions, relabel_pixels};
    return linex_stages_advance(sizeof STAGES / sizeof *STAGES, STAGES, regions, &regions->at, slice);
}

void linex_regions_free(linex_regions *regions)
{
    if (!regions) return;
    void *blocks[] = {regions->parents,   regions->regions, regions->borders,
                      regions->neighbors, regions->starts,  regions};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}
