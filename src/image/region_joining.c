/* region_joining.c: joins regions that are too small to the neighbors that fit them best. */
#include "image/region_joining.h"

#include <string.h>

#include "base/alloc.h"

/* A squared distance, in byte values, below which two mean colors count as similar. */
static const float SIMILAR_COLORS = 300;

/* Like linex_root_find, for regions. */
uint32_t linex_region_root(linex_region *regions, uint32_t index)
{
    while (regions[index].joined != index) index = regions[index].joined = regions[regions[index].joined].joined;
    return index;
}

void linex_region_add(linex_region *into, uint32_t size, const float *color)
{
    into->size += size;
    float share = (float)size / (float)into->size;
    for (int c = 0; c < 3; c++) into->color[c] += share * (color[c] - into->color[c]);
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
            if (all->borders) all->borders[count] = (linex_border){here, right};
            count++;
        }
        if (here != below && !(kept && all->regions[below].kept)) {
            if (all->borders) all->borders[count] = (linex_border){here, below};
            count++;
        }
    }
    all->border_count = count;
}

linex_status linex_borders_count(void *state, linex_cursor *at, linex_slice *slice)
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

linex_status linex_borders_store(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    if (!all->borders) return LINEX_OK;
    return linex_steps_advance(all->height, 6.0 * (double)all->width, find_borders_in_row, all, at, slice);
}

static void thin_block(void *state, size_t block)
{
    linex_regions *all = state;
    linex_region *regions = all->regions;
    linex_border *borders = all->borders;
    for (size_t i = block * LINEX_REGION_BLOCK; i < linex_region_block_end(block, all->border_count); i++) {
        uint32_t first = linex_region_root(regions, borders[i].first),
                 second = linex_region_root(regions, borders[i].second);
        if (first != second && !(regions[first].kept && regions[second].kept))
            borders[all->left++] = (linex_border){first, second};
    }
}

/* Removes the borders that disappeared in the last pass. */
static linex_status thin_borders(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    if (at->row == 0) all->left = 0;
    linex_status status = linex_steps_advance(linex_region_blocks(all->border_count), 16.0 * LINEX_REGION_BLOCK,
                                              thin_block, all, at, slice);
    if (!status) all->border_count = all->left;
    return status;
}

static void count_neighbors_of_block(void *state, size_t block)
{
    const linex_regions *all = state;
    for (size_t i = block * LINEX_REGION_BLOCK; i < linex_region_block_end(block, all->border_count); i++) {
        linex_border side = all->borders[i];
        if (!all->regions[side.first].kept) all->starts[side.first]++;
        if (!all->regions[side.second].kept) all->starts[side.second]++;
    }
}

static linex_status count_neighbors(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    if (at->row == 0) memset(all->starts, 0, (all->count + 1) * sizeof *all->starts);
    return linex_steps_advance(linex_region_blocks(all->border_count), 16.0 * LINEX_REGION_BLOCK,
                               count_neighbors_of_block, all, at, slice);
}

static void add_starts_of_block(void *state, size_t block)
{
    uint32_t *starts = ((const linex_regions *)state)->starts;
    size_t end = linex_region_block_end(block, ((const linex_regions *)state)->count);
    for (size_t i = block * LINEX_REGION_BLOCK; i < end; i++) starts[i + 1] += starts[i];
}

static linex_status add_starts(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(linex_region_blocks(all->count), LINEX_REGION_BLOCK, add_starts_of_block, all, at,
                               slice);
}

/* Filling from the end moves each start to its final position. */
static void list_neighbors_of_block(void *state, size_t block)
{
    const linex_regions *all = state;
    size_t from_end = linex_region_blocks(all->border_count) - 1 - block;
    for (size_t i = linex_region_block_end(from_end, all->border_count); i-- > from_end * LINEX_REGION_BLOCK;) {
        linex_border side = all->borders[i];
        if (!all->regions[side.first].kept) all->neighbors[--all->starts[side.first]] = side.second;
        if (!all->regions[side.second].kept) all->neighbors[--all->starts[side.second]] = side.first;
    }
}

static linex_status list_neighbors(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(linex_region_blocks(all->border_count), 16.0 * LINEX_REGION_BLOCK,
                               list_neighbors_of_block, all, at, slice);
}

/* How well a region fits a neighbor: a long shared border and similar colors. For a tiny region the border counts
 * more, for a larger one the color. */
static float affinity(const linex_region *joining, const linex_region *neighbor)
{
    float gap = SIMILAR_COLORS;
    for (int c = 0; c < 3; c++)
        gap += (joining->color[c] - neighbor->color[c]) * (joining->color[c] - neighbor->color[c]);
    return (float)neighbor->shared / gap;
}

/* Returns the neighbor that fits a region best, or the region itself if it has none. */
static uint32_t best_neighbor(linex_region *regions, uint32_t joining, size_t count, const uint32_t *neighbors)
{
    for (size_t i = 0; i < count; i++) regions[linex_region_root(regions, neighbors[i])].shared++;
    uint32_t best = joining;
    float most = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t neighbor = linex_region_root(regions, neighbors[i]);
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
    linex_region *regions = all->regions;
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
        linex_region_add(regions + root, regions[leaf].size, regions[leaf].color);
        regions[root].kept = regions[root].kept || regions[leaf].kept || regions[root].size >= all->min_size;
        regions[leaf].joined = root;
    }
    return LINEX_OK;
}

/* Joins regions until none is too small or only one is left. */
linex_status linex_regions_join(void *state, linex_cursor *at, linex_slice *slice)
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
