/* designed_masks.h: masks that are spread evenly. */
#ifndef LINEX_DESIGNED_MASKS_H
#define LINEX_DESIGNED_MASKS_H

#include "base/random.h"
#include "designs/sobol.h"
#include "linex.h"

/* The most parts of designed sizes: the Sobol points have a column for each part, and one for the number of removed
 * parts. */
enum { LINEX_MOST_SIZES = LINEX_SOBOL_DIMENSIONS - 1 };

/* Returns the number of removed parts that a word of the first column stands for: uniform in 1 .. feature_count. */
size_t linex_removed_by(uint32_t word, size_t feature_count);

/* Makes the masks of design points first .. first + count - 1: see linex_masks_draw, which has checked the arguments.
 * Point i belongs to sample i + 1.
 *
 * feature_count  at most LINEX_MOST_SIZES for LINEX_MASK_SIZES
 * root           the seed's stream; not changed
 * masks          count x feature_count
 * May return LINEX_BAD_ARGUMENT and LINEX_NO_MEMORY. */
linex_status linex_masks_design(linex_mask_kind kind, size_t feature_count, const linex_random *root, size_t first,
                                size_t count, uint8_t *masks);

#endif
