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

linex_status linex_grid(size_t width, size_t height, size_t segments, uint32_t *labels, size_t *found)
{
    double count = (double)width * (double)height;
    if (!labels || !found || !segments || !(count > 0 && count < (double)UINT32_MAX)) return LINEX_BAD_ARGUMENT;
    linex_cells cells = linex_cells_fit(width, height, segments);
    uint32_t *label = labels;
    for (size_t row = 0, y = 0; row < cells.rows; row++)
        for (size_t bottom = linex_cell_start(height, cells.rows, row + 1); y < bottom; y++)
            for (size_t column = 0, x = 0; column < cells.columns; column++)
                for (size_t right = linex_cell_start(width, cells.columns, column + 1); x < right; x++)
                    *label++ = (uint32_t)(row * cells.columns + column);
    *found = cells.columns * cells.rows;
    return LINEX_OK;
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
static void absorb_single_pixels(size_t width, size_t height, uint32_t *labels)
{
    for (size_t y = 0; y < height; y++)
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

/* Numbers the connected regions of equal labels in scan order. Returns how many there are. */
static size_t number_regions(size_t width, size_t height, uint32_t *parents, uint32_t *labels)
{
    uint32_t stride = (uint32_t)width, pixel = 0, regions = 0;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++, pixel++) {
            const uint32_t *label = labels + pixel;
            bool left = x > 0 && label[0] == label[-1];
            bool above = y > 0 && label[0] == *(label - width);
            parents[pixel] = left ? parents[pixel - 1] : above ? parents[pixel - stride] : pixel;
            /* If the pixel diagonally above left has the same label, the two are already joined. */
            if (left && above && label[-1] != *(label - width - 1)) join_pixels(parents, pixel, pixel - stride);
        }
    for (uint32_t i = 0; i < pixel; i++) {
        parents[i] = parents[parents[i]];
        labels[i] = parents[i] == i ? regions++ : labels[parents[i]];
    }
    return regions;
}

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

static void measure_regions(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                            const uint32_t *labels, size_t count, region *regions)
{
    for (size_t i = 0; i < count; i++) regions[i] = (region){.joined = (uint32_t)i};
    for (size_t y = 0; y < height; y++, labels += width)
        for (size_t x = 0, start = 0; x < width; start = x) {
            while (x < width && labels[x] == labels[start]) x++;
            add_run(regions + labels[start], (uint32_t)(x - start), channels,
                    pixels + (y * width + start) * channels);
        }
}

/* Finds all pixel sides between two regions of which at least one is not kept. Returns how many there are. Stores
 * them unless `borders` is NULL. */
static size_t find_borders(size_t width, size_t height, const uint32_t *labels, const region *regions,
                           border *borders)
{
    size_t count = 0;
    for (size_t y = 0; y < height; y++, labels += width)
        for (size_t x = 0; x < width; x++) {
            uint32_t here = labels[x], right = x + 1 < width ? labels[x + 1] : here;
            uint32_t below = y + 1 < height ? labels[x + width] : here;
            if (here == right && here == below) continue;
            bool kept = regions[here].kept;
            if (here != right && !(kept && regions[right].kept)) {
                if (borders) borders[count] = (border){here, right};
                count++;
            }
            if (here != below && !(kept && regions[below].kept)) {
                if (borders) borders[count] = (border){here, below};
                count++;
            }
        }
    return count;
}

/* Removes the borders that disappeared in the last pass. Returns how many are left. */
static size_t thin_borders(size_t count, border *borders, region *regions)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t first = region_root(regions, borders[i].first), second = region_root(regions, borders[i].second);
        if (first != second && !(regions[first].kept && regions[second].kept))
            borders[left++] = (border){first, second};
    }
    return left;
}

/* Lists the neighbors of each region that is not kept, one region after the other. A neighbor appears once per shared
 * border.
 *
 * starts     count + 1: where the neighbors of each region start
 * neighbors  up to 2 x border_count */
static void list_neighbors(size_t border_count, const border *borders, size_t count, const region *regions,
                           uint32_t *starts, uint32_t *neighbors)
{
    memset(starts, 0, (count + 1) * sizeof *starts);
    for (size_t i = 0; i < border_count; i++) {
        if (!regions[borders[i].first].kept) starts[borders[i].first]++;
        if (!regions[borders[i].second].kept) starts[borders[i].second]++;
    }
    for (size_t i = 0; i < count; i++) starts[i + 1] += starts[i];
    /* Filling from the end moves each start to its final position. */
    for (size_t i = border_count; i-- > 0;) {
        border side = borders[i];
        if (!regions[side.first].kept) neighbors[--starts[side.first]] = side.second;
        if (!regions[side.second].kept) neighbors[--starts[side.second]] = side.first;
    }
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
static void join_regions(size_t count, region *regions, size_t min_size, const uint32_t *starts,
                         const uint32_t *neighbors)
{
    for (uint32_t i = 0; i < count; i++) {
        if (regions[i].joined != i || regions[i].kept) continue;
        uint32_t neighbor = best_neighbor(regions, i, starts[i + 1] - starts[i], neighbors + starts[i]);
        if (neighbor == i) continue;
        uint32_t root = i < neighbor ? i : neighbor, leaf = i < neighbor ? neighbor : i;
        add_pixels(regions + root, regions[leaf].size, regions[leaf].color);
        regions[root].kept = regions[root].kept || regions[leaf].kept || regions[root].size >= min_size;
        regions[leaf].joined = root;
    }
}

/* Joins regions until none is too small or only one is left. */
static linex_status join_all(size_t width, size_t height, const uint32_t *labels, size_t count, region *regions,
                             size_t min_size)
{
    size_t left = find_borders(width, height, labels, regions, NULL);
    if (left == 0) return LINEX_OK;
    border *borders = linex_alloc_items((double)left, sizeof *borders);
    uint32_t *neighbors = linex_alloc_items(2 * (double)left, sizeof *neighbors);
    uint32_t *starts = linex_alloc_items((double)count + 1, sizeof *starts);
    /* The starts have 32 bits. Only noise of about a billion pixels has more borders. */
    bool allocated = borders && neighbors && starts && 2 * (double)left <= (double)UINT32_MAX;
    if (allocated) find_borders(width, height, labels, regions, borders);
    while (allocated && (left = thin_borders(left, borders, regions)) > 0) {
        list_neighbors(left, borders, count, regions, starts, neighbors);
        join_regions(count, regions, min_size, starts, neighbors);
    }
    free(borders);
    free(neighbors);
    free(starts);
    return allocated ? LINEX_OK : LINEX_NO_MEMORY;
}

/* Numbers the regions that are left. A root comes before the regions that joined it. Returns how many there are. */
static size_t renumber(size_t pixels, uint32_t *labels, size_t count, region *regions)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t root = region_root(regions, i);
        regions[i].shared = root == i ? next++ : regions[root].shared;
    }
    for (size_t i = 0; i < pixels; i++) labels[i] = regions[labels[i]].shared;
    return next;
}

linex_status linex_regions_connect(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                                   size_t min_size, size_t anchor_count, const uint32_t *anchors, uint32_t *labels,
                                   size_t *segments)
{
    uint32_t *parents = linex_alloc_items((double)width * (double)height, sizeof *parents);
    if (!parents) return LINEX_NO_MEMORY;
    if (min_size >= LARGE_REGION && !anchor_count) absorb_single_pixels(width, height, labels);
    size_t count = number_regions(width, height, parents, labels);
    free(parents);

    region *regions = linex_alloc_items((double)count, sizeof *regions);
    if (!regions) return LINEX_NO_MEMORY;
    measure_regions(width, height, channels, pixels, labels, count, regions);
    for (size_t i = 0; i < count; i++) regions[i].kept = regions[i].size >= min_size;
    for (size_t i = 0; i < anchor_count; i++) regions[labels[anchors[i]]].kept = true;

    linex_status status = join_all(width, height, labels, count, regions, min_size);
    if (!status) *segments = renumber(width * height, labels, count, regions);
    free(regions);
    return status;
}
