/* masks.h: drawing and counting the parts of one mask, also for coalitions (shapley.c). */
#ifndef LINEX_MASKS_H
#define LINEX_MASKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

/* Draws a mask that removes exactly `removed` parts. Every choice of them is equally likely.
 *
 * removed  at most feature_count
 * mask     feature_count */
void linex_subset_draw(size_t feature_count, size_t removed, linex_random *random, uint8_t *mask);

/* Returns the number of parts that a mask keeps. */
size_t linex_mask_size(size_t feature_count, const uint8_t *mask);

#endif
