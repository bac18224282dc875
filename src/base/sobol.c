/* sobol.c: the table of directions, the points and their scrambling. */
#include "base/sobol.h"

#include <string.h>

enum { BITS = 32, BLOCK_BITS = 7, LAP_BITS = BITS - BLOCK_BITS };

/* For each column but the first: the coefficients of its primitive polynomial, without the last one, which is 1. */
static const uint8_t POLYNOMIALS[LINEX_SOBOL_DIMENSIONS - 1] = {
    1,   3,   5,   6,   9,   12,  18,  20,  23,  27,  29,  30,  33,  45,  48,  51,  54,  57,
    65,  68,  71,  72,  78,  83,  85,  92,  95,  96,  101, 105, 106, 114, 119, 120, 123, 126,
    142, 149, 150, 166, 175, 177, 178, 180, 184, 195, 198, 212, 225, 231, 243, 250};

/* The initial numbers m_2, m_3, .. of each column. m_k has k bits and is odd; its other k - 1 bits are here, reversed,
 * from bit (k-1)(k-2)/2 on. m_1 is 1. */
static const uint32_t NUMBERS[LINEX_SOBOL_DIMENSIONS - 1] = {
    0x0000000, 0x0000001, 0x0000001, 0x0000000, 0x0000024, 0x000001b, 0x0000052, 0x0000112, 0x000026e,
    0x0000002, 0x00002a0, 0x00003d3, 0x0000f0d, 0x0002978, 0x0000ed9, 0x0002338, 0x00019b9, 0x0003e52,
    0x019f36f, 0x008f19f, 0x01f471c, 0x00b180b, 0x015c499, 0x01e3ed1, 0x00f166a, 0x008b223, 0x000481e,
    0x0174997, 0x00538cc, 0x01b035b, 0x0025da7, 0x008ad21, 0x00c0752, 0x017bc36, 0x0033d8e, 0x0016e15,
    0x5e333f9, 0x0df5ffb, 0x3ecd2a9, 0x218d6e9, 0x682d17e, 0xe40f8e7, 0x6705241, 0x72e2a4a, 0x3a6842f,
    0xc5c93a5, 0xb1be7af, 0x0e1fa84, 0x1a75760, 0xc490877, 0x577fed1, 0x42b5694};

/* The first `count` direction numbers of a column, with their bits reversed. In this form the recurrence of Bratley and
 * Fox (1988) shifts to the left. */
static void find_directions(size_t dimension, unsigned count, uint32_t *directions)
{
    for (unsigned k = 0; k < count; k++) directions[k] = 1u << k;
    if (dimension == 0) return;
    unsigned polynomial = POLYNOMIALS[dimension - 1], degree = 0;
    while (polynomial >> degree) degree++;
    for (unsigned k = 1; k < count && k < degree; k++)
        directions[k] |= NUMBERS[dimension - 1] >> (k * (k - 1) / 2) & (directions[k] - 1);
    for (unsigned k = degree; k < count; k++) {
        uint32_t next = directions[k - degree] ^ directions[k - degree] << degree;
        for (unsigned j = 1; j < degree; j++)
            if (polynomial >> (degree - 1 - j) & 1) next ^= directions[k - j];
        directions[k] = next;
    }
}

void linex_sobol_points(size_t dimension, uint32_t block, uint32_t *points)
{
    uint32_t directions[BITS];
    unsigned digits = BLOCK_BITS;
    while (block >> (digits - BLOCK_BITS)) digits++;
    find_directions(dimension, digits, directions);
    points[0] = 0;
    for (unsigned k = BLOCK_BITS; k < digits; k++)
        if (block >> (k - BLOCK_BITS) & 1) points[0] ^= directions[k];
    for (unsigned i = 1; i < LINEX_SOBOL_BLOCK; i++) {
        unsigned last = 0; /* the place of the last 1 in the number of the point */
        while (!(i >> last & 1)) last++;
        points[i] = points[i & (i - 1)] ^ directions[last];
    }
}

/* Makes the words of a block. */
static void make_words(const linex_random *root, size_t dimension, uint64_t block, uint32_t *words)
{
    uint64_t lap = block >> LAP_BITS;
    /* Independent samples use the children from 0 on. */
    linex_random column = linex_random_split(root, (UINT64_C(1) << 62) + (lap << BITS) + dimension);
    if (dimension < LINEX_SOBOL_DIMENSIONS) {
        linex_sobol_points(dimension, (uint32_t)(block & ((1u << LAP_BITS) - 1)), words);
        linex_random_scramble(column.key, words);
    } else {
        column.position = block << BLOCK_BITS;
        for (size_t i = 0; i < LINEX_SOBOL_BLOCK; i++) words[i] = linex_random_bits(&column);
    }
}

void linex_sobol_words(const linex_random *root, size_t dimension, uint64_t first, size_t count, uint32_t *words)
{
    uint32_t block[LINEX_SOBOL_BLOCK];
    for (size_t done = 0; done < count;) {
        size_t skipped = (size_t)((first + done) % LINEX_SOBOL_BLOCK), left = count - done;
        size_t taken = left < LINEX_SOBOL_BLOCK - skipped ? left : LINEX_SOBOL_BLOCK - skipped;
        make_words(root, dimension, (first + done) / LINEX_SOBOL_BLOCK, block);
        memcpy(words + done, block + skipped, taken * sizeof *words);
        done += taken;
    }
}
