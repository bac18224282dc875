/* sobol.h: scrambled Sobol points.
 *
 * The first 2^k points are spread evenly: every column has one value in each interval of length 2^-k, and small groups
 * of columns are even too. The direction numbers are those of Joe and Kuo (2008). The digits are scrambled as Owen
 * (1995) describes it, so each point alone is uniform and other seeds give other points, but the points stay even.
 * A point depends only on the seed and its index.
 */
#ifndef LINEX_SOBOL_H
#define LINEX_SOBOL_H

#include "base/random.h"

enum {
    LINEX_SOBOL_DIMENSIONS = 53,        /* the columns of the table: all primitive polynomials up to degree 8 */
    LINEX_SOBOL_BLOCK = LINEX_SCRAMBLED /* points that are made together */
};

/* Makes one column of points 128 * block .. 128 * block + 127, without scrambling.
 *
 * dimension  below LINEX_SOBOL_DIMENSIONS
 * block      below 2^25
 * points     LINEX_SOBOL_BLOCK: binary fractions with their bits reversed, the first digit in the last bit */
void linex_sobol_points(size_t dimension, uint32_t block, uint32_t *points);

/* Makes one scrambled column of points first .. first + count - 1. Columns beyond the table are independent random
 * numbers. The 2^32 points from a multiple of 2^32 on belong together; the next ones have another scrambling.
 *
 * root   the seed's stream; not changed
 * words  count: binary fractions of 32 digits */
void linex_sobol_words(const linex_random *root, size_t dimension, uint64_t first, size_t count, uint32_t *words);

/* Returns the number in (0, 1) that a word stands for. */
static inline double linex_word_share(uint32_t word)
{
    return ((double)word + 0.5) * 0x1p-32;
}

#endif
