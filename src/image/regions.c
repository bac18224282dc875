/* regions.c: numbers and measures the connected regions of a label map, and labels what is left after joining. */
#include "image/regions.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "image/region_joining.h"

/* If regions have at least this many pixels, a single pixel does not matter. */
enum { LARGE_REGION = 100 };

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

/* Adds a run of adjacent pixels to a region. */
static void add_run(linex_region *into, uint32_t length, size_t channels, const uint8_t *pixels)
{
    uint64_t sums[3] = {0, 0, 0};
    for (uint32_t i = 0; i < length; i++)
        for (size_t c = 0; c < channels; c++) sums[c] += pixels[i * channels + c];
    float color[3];
    for (int c = 0; c < 3; c++) color[c] = (float)sums[c] / (float)length;
    linex_region_add(into, length, color);
}

static void clear_block(void *state, size_t block)
{
    const linex_regions *all = state;
    for (size_t i = block * LINEX_REGION_BLOCK; i < linex_region_block_end(block, all->count); i++)
        all->regions[i] = (linex_region){.joined = (uint32_t)i};
}

static linex_status clear_regions(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(linex_region_blocks(all->count), LINEX_REGION_BLOCK, clear_block, all, at, slice);
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
    for (size_t i = block * LINEX_REGION_BLOCK; i < linex_region_block_end(block, all->count); i++)
        all->regions[i].kept = all->regions[i].size >= all->min_size;
}

static linex_status keep_large(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(linex_region_blocks(all->count), LINEX_REGION_BLOCK, keep_block, all, at, slice);
}

static void keep_anchor_block(void *state, size_t block)
{
    const linex_regions *all = state;
    for (size_t i = block * LINEX_REGION_BLOCK; i < linex_region_block_end(block, all->anchor_count); i++)
        all->regions[all->labels[all->anchors[i]]].kept = true;
}

static linex_status keep_anchored(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(linex_region_blocks(all->anchor_count), 4.0 * LINEX_REGION_BLOCK, keep_anchor_block,
                               all, at, slice);
}

static void renumber_block(void *state, size_t block)
{
    linex_regions *all = state;
    for (size_t i = block * LINEX_REGION_BLOCK; i < linex_region_block_end(block, all->count); i++) {
        uint32_t root = linex_region_root(all->regions, (uint32_t)i);
        all->regions[i].shared = root == i ? all->next++ : all->regions[root].shared;
    }
}

/* Numbers the regions that are left. A root comes before the regions that joined it. */
static linex_status renumber_regions(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_regions *all = state;
    return linex_steps_advance(linex_region_blocks(all->count), 4.0 * LINEX_REGION_BLOCK, renumber_block, all, at,
                               slice);
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
    static const linex_stage STAGES[] = {absorb_single_pixels, link_pixels,         number_regions,
                                         clear_regions,        measure_regions,     keep_large,
                                         keep_anchored,        linex_borders_count, linex_borders_store,
                                         linex_regions_join,   renumber_regions,    relabel_pixels};
    return linex_stages_advance(sizeof STAGES / sizeof *STAGES, STAGES, regions, &regions->at, slice);
}

void linex_regions_free(linex_regions *regions)
{
    if (!regions) return;
    void *blocks[] = {regions->parents,   regions->regions, regions->borders,
                      regions->neighbors, regions->starts,  regions};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}
