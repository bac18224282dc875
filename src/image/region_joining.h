/* region_joining.h: joins regions that are too small to the neighbors that fit them best. */
#ifndef LINEX_REGION_JOINING_H
#define LINEX_REGION_JOINING_H

#include "image/region_state.h"

/* Returns the region that a region has joined, itself if none. */
uint32_t linex_region_root(linex_region *regions, uint32_t index);

/* Adds `size` pixels with this mean color to a region. */
void linex_region_add(linex_region *into, uint32_t size, const float *color);

/* The stages, one after the other: they count the pixel sides between regions of which at least one is not kept, store
 * them, and join regions until none is too small or only one is left. */
linex_status linex_borders_count(void *state, linex_cursor *at, linex_slice *slice);
linex_status linex_borders_store(void *state, linex_cursor *at, linex_slice *slice);
linex_status linex_regions_join(void *state, linex_cursor *at, linex_slice *slice);

#endif
