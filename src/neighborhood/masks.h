/* masks.h: random subsets, for whoever takes parts away. */
#ifndef LINEX_MASKS_H
#define LINEX_MASKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

/* Takes away exactly so many parts, every choice of them equally likely.
 *
 * removed  at most feature_count
 * mask     feature_count */
void linex_subset_draw(size_t feature_count, size_t removed, linex_random *random, uint8_t *mask);

#endif
