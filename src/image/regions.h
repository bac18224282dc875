/* regions.h: makes the labels of an image connected regions that are large enough. */
#ifndef LINEX_REGIONS_H
#define LINEX_REGIONS_H

#include "linex.h"
#include "base/task.h"

/* Returns the root of a pixel in a forest of parent links. A root is its own parent. The path is halved on the way,
 * so later searches are faster. */
uint32_t linex_root_find(uint32_t *parents, uint32_t pixel);

/* Makes each label one connected region. A label with several parts becomes several regions. Then each region with
 * fewer than `min_size` pixels, one after the other, joins the neighbor with the most similar color and the longest
 * shared border. */
typedef struct linex_regions linex_regions;

/* Prepares for linex_regions_advance. The arrays stay in use until then.
 *
 * anchors  anchor_count pixels: the regions that contain them are kept even if they are small; NULL for none
 * labels   any labels on entry; 0 .. segments-1 in scan order at the end */
linex_status linex_regions_new(size_t width, size_t height, size_t channels, const uint8_t *pixels, size_t min_size,
                               size_t anchor_count, const uint32_t *anchors, uint32_t *labels, size_t *segments,
                               linex_regions **regions);

/* Connects the regions, in slices: see base/task.h. After LINEX_NO_MEMORY the labels are undefined. */
linex_status linex_regions_advance(linex_regions *regions, linex_slice *slice);

/* NULL is fine. */
void linex_regions_free(linex_regions *regions);

#endif
