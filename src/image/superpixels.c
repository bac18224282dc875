#include "image/superpixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Mean colors that are this far apart, squared and in bytes, still look alike. */
static const float ALIKE = 300;

/* Where regions have at least this many pixels, a single one does not matter. */
enum { LARGE = 100 };

bool linex_is_picture(size_t width, size_t height, size_t channels, const uint8_t *pixels)
{
    double count = (double)width * (double)height;
    return pixels && count > 0 && (channels == 1 || channels == 3) && count < (double)UINT32_MAX &&
           count * (double)channels < (double)SIZE_MAX;
}

/* 1 for cells that are squares and as many as wanted; the number counts for more than the shape. */
static double misfit(size_t width, size_t height, double segments, linex_cells cells)
{
    double count = (double)cells.columns * (double)cells.rows / segments;
    double shape = (double)width * (double)cells.rows / ((double)height * (double)cells.columns);
    return fmax(count, 1 / count) * fmax(count, 1 / count) * fmax(shape, 1 / shape);
}

static size_t whole_within(double value, size_t most)
{
    return (size_t)fmin(fmax(floor(value), 1), (double)most);
}

linex_cells linex_cells_fit(size_t width, size_t height, size_t segments)
{
    double wanted = fmin((double)segments, (double)width * (double)height);
    double rows = sqrt(wanted * (double)height / (double)width);
    linex_cells best = {1, 1};
    for (int more = 0; more < 2; more++) {
        linex_cells by_rows = {1, whole_within(rows + more, height)};
        by_rows.columns = whole_within(wanted / (double)by_rows.rows + 0.5, width);
        linex_cells by_columns = {whole_within(wanted / rows + more, width), 1};
        by_columns.rows = whole_within(wanted / (double)by_columns.columns + 0.5, height);
        if (misfit(width, height, wanted, by_rows) < misfit(width, height, wanted, best)) best = by_rows;
        if (misfit(width, height, wanted, by_columns) < misfit(width, height, wanted, best)) best = by_columns;
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

/* What most of a pixel's neighbors are, if it is like none of them. */
static uint32_t label_among(uint32_t label, size_t count, const uint32_t *neighbors)
{
    size_t most = 0;
    uint32_t best = label;
    for (size_t i = 0; i < count; i++) {
        size_t alike = 0;
        for (size_t j = 0; j < count; j++) alike += neighbors[j] == neighbors[i];
        if (neighbors[i] == label) return label;
        if (alike <= most) continue;
        most = alike;
        best = neighbors[i];
    }
    return best;
}

/* Gives lone pixels to their surroundings, whatever their color. In noise they are most of the regions, and would be
 * most of the work. */
static void absorb_lone_pixels(size_t width, size_t height, uint32_t *labels)
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
            *labels = label_among(*labels, count, neighbors);
        }
}

/* The pixel that stands for a pixel's region so far; the way there is halved for those who come later. */
static uint32_t pixel_root(uint32_t *parents, uint32_t pixel)
{
    while (parents[pixel] != pixel) pixel = parents[pixel] = parents[parents[pixel]];
    return pixel;
}

static void join_pixels(uint32_t *parents, uint32_t one, uint32_t other)
{
    one = pixel_root(parents, one);
    other = pixel_root(parents, other);
    /* The earlier in the scan stands for both, so that a region is numbered when the scan meets it. */
    if (one < other)
        parents[other] = one;
    else
        parents[one] = other;
}

/* Connected regions of one label, numbered in the order of the scan. Returns how many. */
static size_t number_regions(size_t width, size_t height, uint32_t *parents, uint32_t *labels)
{
    uint32_t stride = (uint32_t)width, pixel = 0, regions = 0;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++, pixel++) {
            const uint32_t *label = labels + pixel;
            bool left = x > 0 && label[0] == label[-1];
            bool above = y > 0 && label[0] == *(label - width);
            parents[pixel] = left ? parents[pixel - 1] : above ? parents[pixel - stride] : pixel;
            /* Where the corner between the two has the label as well, they have been joined already. */
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
    uint32_t owner;  /* the region that it has joined; itself if none */
    uint32_t shared; /* the sides that it shares with the region that is being joined; in the end, its number */
    float color[3];  /* the mean, in bytes */
    bool kept;       /* large enough, or anchored */
} region;

typedef struct {
    uint32_t one, other;
} border;

static uint32_t region_root(region *regions, uint32_t one)
{
    while (regions[one].owner != one) one = regions[one].owner = regions[regions[one].owner].owner;
    return one;
}

/* Adds `size` pixels of a mean color. */
static void mix(region *into, uint32_t size, const float *color)
{
    into->size += size;
    float share = (float)size / (float)into->size;
    for (int c = 0; c < 3; c++) into->color[c] += share * (color[c] - into->color[c]);
}

/* Adds a run of pixels that are side by side. */
static void mix_run(region *into, uint32_t length, size_t channels, const uint8_t *pixels)
{
    uint64_t sums[3] = {0, 0, 0};
    for (uint32_t i = 0; i < length; i++)
        for (size_t c = 0; c < channels; c++) sums[c] += pixels[i * channels + c];
    float color[3];
    for (int c = 0; c < 3; c++) color[c] = (float)sums[c] / (float)length;
    mix(into, length, color);
}

static void measure_regions(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                            const uint32_t *labels, size_t count, region *regions)
{
    for (size_t i = 0; i < count; i++) regions[i] = (region){.owner = (uint32_t)i};
    for (size_t y = 0; y < height; y++, labels += width)
        for (size_t x = 0, start = 0; x < width; start = x) {
            while (x < width && labels[x] == labels[start]) x++;
            mix_run(regions + labels[start], (uint32_t)(x - start), channels,
                    pixels + (y * width + start) * channels);
        }
}

/* Every side of a pixel at which a region ends that is to be joined. Returns how many; stores them unless `borders` is
 * NULL. */
static size_t find_borders(size_t width, size_t height, const uint32_t *labels, const region *regions,
                           border *borders)
{
    size_t count = 0;
    for (size_t y = 0; y < height; y++, labels += width)
        for (size_t x = 0; x < width; x++) {
            uint32_t one = labels[x], right = x + 1 < width ? labels[x + 1] : one;
            uint32_t below = y + 1 < height ? labels[x + width] : one;
            if (one == right && one == below) continue;
            bool kept = regions[one].kept;
            if (one != right && !(kept && regions[right].kept)) {
                if (borders) borders[count] = (border){one, right};
                count++;
            }
            if (one != below && !(kept && regions[below].kept)) {
                if (borders) borders[count] = (border){one, below};
                count++;
            }
        }
    return count;
}

/* Drops the borders that have gone since the last pass. Returns how many are left. */
static size_t thin_borders(size_t count, border *borders, region *regions)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t one = region_root(regions, borders[i].one), other = region_root(regions, borders[i].other);
        if (one != other && !(regions[one].kept && regions[other].kept)) borders[left++] = (border){one, other};
    }
    return left;
}

/* Who is on the other side of each border of each region that is to be joined, one region after the other.
 *
 * starts  count + 1: where a region's neighbors start */
static void list_neighbors(size_t border_count, const border *borders, size_t count, const region *regions,
                           uint32_t *starts, uint32_t *neighbors)
{
    memset(starts, 0, (count + 1) * sizeof *starts);
    for (size_t i = 0; i < border_count; i++) {
        if (!regions[borders[i].one].kept) starts[borders[i].one]++;
        if (!regions[borders[i].other].kept) starts[borders[i].other]++;
    }
    for (size_t i = 0; i < count; i++) starts[i + 1] += starts[i];
    /* Filled from the end, each start comes to stand where it belongs. */
    for (size_t i = border_count; i-- > 0;) {
        border side = borders[i];
        if (!regions[side.one].kept) neighbors[--starts[side.one]] = side.other;
        if (!regions[side.other].kept) neighbors[--starts[side.other]] = side.one;
    }
}

/* Like colors, and a long border: a speck goes where it makes the outline shorter, a part of some size to what it
 * looks like. */
static float affinity(const region *one, const region *other)
{
    float gap = ALIKE;
    for (int c = 0; c < 3; c++) gap += (one->color[c] - other->color[c]) * (one->color[c] - other->color[c]);
    return (float)other->shared / gap;
}

static uint32_t best_neighbor(region *regions, uint32_t one, size_t count, const uint32_t *neighbors)
{
    for (size_t i = 0; i < count; i++) regions[region_root(regions, neighbors[i])].shared++;
    uint32_t best = one;
    float most = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t other = region_root(regions, neighbors[i]);
        float close = other == one ? 0 : affinity(regions + one, regions + other);
        if (close > most) {
            most = close;
            best = other;
        }
        regions[other].shared = 0;
    }
    return best;
}

/* Joins every small region to a neighbor. One that others have joined before its turn, and made large enough, stays:
 * else a chain of them could run through the whole picture. */
static void join_regions(size_t count, region *regions, size_t smallest, const uint32_t *starts,
                         const uint32_t *neighbors)
{
    for (uint32_t i = 0; i < count; i++) {
        if (regions[i].owner != i || regions[i].kept) continue;
        uint32_t other = best_neighbor(regions, i, starts[i + 1] - starts[i], neighbors + starts[i]);
        if (other == i) continue;
        uint32_t root = i < other ? i : other, leaf = i < other ? other : i;
        mix(regions + root, regions[leaf].size, regions[leaf].color);
        regions[root].kept = regions[root].kept || regions[leaf].kept || regions[root].size >= smallest;
        regions[leaf].owner = root;
    }
}

/* Joins until no region is too small, or only one is left. */
static linex_status join_all(size_t width, size_t height, const uint32_t *labels, size_t count, region *regions,
                             size_t smallest)
{
    size_t left = find_borders(width, height, labels, regions, NULL);
    if (left == 0) return LINEX_OK;
    border *borders = linex_alloc_items((double)left, sizeof *borders);
    uint32_t *neighbors = linex_alloc_items(2 * (double)left, sizeof *neighbors);
    uint32_t *starts = linex_alloc_items((double)count + 1, sizeof *starts);
    /* The starts count to 2^32: only noise of a billion pixels has more sides than that. */
    bool room = borders && neighbors && starts && 2 * (double)left <= (double)UINT32_MAX;
    if (room) find_borders(width, height, labels, regions, borders);
    while (room && (left = thin_borders(left, borders, regions)) > 0) {
        list_neighbors(left, borders, count, regions, starts, neighbors);
        join_regions(count, regions, smallest, starts, neighbors);
    }
    free(borders);
    free(neighbors);
    free(starts);
    return room ? LINEX_OK : LINEX_NO_MEMORY;
}

/* New numbers for the regions that own themselves; owners stand before those they own. Returns how many. */
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

linex_status linex_regions_settle(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                                  size_t smallest, size_t anchored, const uint32_t *anchors, uint32_t *labels,
                                  size_t *segments)
{
    uint32_t *parents = linex_alloc_items((double)width * (double)height, sizeof *parents);
    if (!parents) return LINEX_NO_MEMORY;
    if (smallest >= LARGE && !anchored) absorb_lone_pixels(width, height, labels);
    size_t count = number_regions(width, height, parents, labels);
    free(parents);

    region *regions = linex_alloc_items((double)count, sizeof *regions);
    if (!regions) return LINEX_NO_MEMORY;
    measure_regions(width, height, channels, pixels, labels, count, regions);
    for (size_t i = 0; i < count; i++) regions[i].kept = regions[i].size >= smallest;
    for (size_t i = 0; i < anchored; i++) regions[labels[anchors[i]]].kept = true;

    linex_status status = join_all(width, height, labels, count, regions, smallest);
    if (!status) *segments = renumber(width * height, labels, count, regions);
    free(regions);
    return status;
}
