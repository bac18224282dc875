/* designed_normals.h: normal points that cover their space more evenly than independent ones.
 *
 * Each point alone is standard normal. A point depends only on the seed and its index.
 */
#ifndef LINEX_DESIGNED_NORMALS_H
#define LINEX_DESIGNED_NORMALS_H

#include "base/random.h"
#include "linex_data.h"

/* Makes points first .. first + count - 1: scrambled Sobol points, through the normal distribution.
 *
 * root       the seed's stream; not changed
 * dimension  the first column of the Sobol points to use
 * normals    count x columns */
void linex_sobol_normals(const linex_random *root, size_t dimension, size_t columns, uint64_t first, size_t count,
                         double *normals);

/* Makes points first .. first + count - 1: mirrored orthogonal blocks. Point 2j + 1 is the negative of point 2j. The
 * points 2j of a block are orthogonal. A block has as many pairs as columns, but 64 above 128 columns, because the time
 * per point is proportional to pairs x columns.
 *
 * normals  count x columns
 * May return LINEX_NO_MEMORY. */
linex_status linex_mirrored_normals(const linex_random *root, size_t columns, uint64_t first, size_t count,
                                    double *normals);

/* Makes points first .. first + count - 1: Sobol points if the table of sobol.h has enough columns, otherwise mirrored
 * blocks. May return LINEX_NO_MEMORY. */
linex_status linex_designed_normals(const linex_random *root, size_t columns, uint64_t first, size_t count,
                                    double *normals);

#endif
