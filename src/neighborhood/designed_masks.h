/* designed_masks.h: masks that are spread evenly. */
#ifndef LINEX_DESIGNED_MASKS_H
#define LINEX_DESIGNED_MASKS_H

#include "base/random.h"
#include "linex.h"

/* Makes the masks of design points first .. first + count - 1: see linex_masks_draw, which has checked the arguments.
 * Point i belongs to sample i + 1.
 *
 * root   the seed's stream; not changed
 * masks  count x feature_count
 * May return LINEX_BAD_ARGUMENT and LINEX_NO_MEMORY. */
linex_status linex_masks_design(linex_mask_kind kind, size_t feature_count, const linex_random *root, size_t first,
                                size_t count, uint8_t *masks);

#endif
