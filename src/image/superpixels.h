/* superpixels.h: what SLIC, quick shift and the grid share: the cells of a picture, and label maps whose labels are
 * connected. */
#ifndef LINEX_SUPERPIXELS_H
#define LINEX_SUPERPIXELS_H

#include "linex.h"

/* Whether there is a picture, with pixels that 32 bits can number and an array can hold. */
bool linex_is_picture(size_t width, size_t height, size_t channels, const uint8_t *pixels);

typedef struct {
    size_t columns, rows;
} linex_cells;

/* About `segments` cells, near to squares; no more than there are pixels. */
linex_cells linex_cells_fit(size_t width, size_t height, size_t segments);

/* The first pixel of part `index` of a side of `length` pixels in `parts`; the length for index = parts. */
size_t linex_cell_start(size_t length, size_t parts, size_t index);

/* Makes every label one connected region: a label in several parts becomes several regions, of which those with
 * fewer than `smallest` pixels join, one after the other, the neighbor that is most alike and shares most of the
 * outline.
 *
 * anchors   anchored pixels: the regions that they are in are kept, however small; NULL for none
 * labels    any on entry; on return 0 .. segments-1 in the order of the scan
 * LINEX_NO_MEMORY leaves labels without meaning. */
linex_status linex_regions_settle(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                                  size_t smallest, size_t anchored, const uint32_t *anchors, uint32_t *labels,
                                  size_t *segments);

#endif
