/* region_state.h: the regions of a label map while they are numbered, measured and joined. */
#ifndef LINEX_REGION_STATE_H
#define LINEX_REGION_STATE_H

#include "linex.h"
#include "base/task.h"

typedef struct linex_regions linex_regions;

typedef struct {
    uint32_t size;
    uint32_t joined; /* the region that it has joined; itself if none */
    uint32_t shared; /* pixel sides shared with the region that is being joined; at the end, its new number */
    float color[3];  /* the mean color, as byte values */
    bool kept;       /* whether it is large enough or anchored */
} linex_region;

/* A pixel side between two regions. */
typedef struct {
    uint32_t first, second;
} linex_border;

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
    linex_region *regions; /* count */
    size_t border_count;
    linex_border *borders;
    size_t left;                  /* how many borders a pass has kept so far */
    uint32_t *starts, *neighbors; /* count + 1; up to 2 x border_count: the neighbors of each region that is not kept,
                                     one region after the other. A neighbor appears once per shared border */
    uint32_t next;                /* the next new number */
};

/* The regions and borders of one step: a region has much less work than a pixel row, and there may be millions. */
enum { LINEX_REGION_BLOCK = 4096 };

static inline size_t linex_region_blocks(size_t count)
{
    return (count + LINEX_REGION_BLOCK - 1) / LINEX_REGION_BLOCK;
}

static inline size_t linex_region_block_end(size_t block, size_t count)
{
    return (block + 1) * LINEX_REGION_BLOCK < count ? (block + 1) * LINEX_REGION_BLOCK : count;
}

#endif
