/* designed_masks.c: masks from Sobol points, and from Hadamard matrices with complements. */
#include "neighborhood/designed_masks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "designs/sobol.h"

enum {
    INDEX_BITS = 6, /* they number the parts of a table with 53 columns */
    MASKS_AT_ONCE = 2 * LINEX_SOBOL_BLOCK
};

size_t linex_removed_by(uint32_t word, size_t feature_count)
{
    return 1 + (size_t)((uint64_t)word * feature_count >> 32);
}

/* Returns the word at this rank, counted from 1, without sorting all of them: the words are spread evenly, so those that
 * begin with the same bits as the one that is looked for are few. */
static uint32_t word_at_rank(size_t count, size_t rank, const uint32_t *words)
{
    enum { SHIFT = 26, BUCKETS = 1 << (32 - SHIFT) };
    uint8_t sizes[BUCKETS] = {0};
    uint32_t near[LINEX_MOST_SIZES];
    size_t bucket = 0, found = 0;
    for (size_t c = 0; c < count; c++) sizes[words[c] >> SHIFT]++;
    for (; sizes[bucket] < rank; bucket++) rank -= sizes[bucket];
    for (size_t c = 0; c < count; c++) {
        if (words[c] >> SHIFT != bucket) continue;
        size_t at = found++;
        for (; at > 0 && near[at - 1] > words[c]; at--) near[at] = near[at - 1];
        near[at] = words[c];
    }
    return near[rank - 1];
}

/* Removes the parts with the smallest words. The last bits of a word are replaced by the part's number, so no two words
 * are equal. */
static void remove_smallest(size_t feature_count, size_t removed, const uint32_t *words, uint8_t *mask)
{
    uint32_t last = word_at_rank(feature_count, removed, words);
    for (size_t c = 0; c < feature_count; c++) mask[c] = words[c] > last;
}

static linex_status design_sizes(size_t feature_count, const linex_random *root, size_t first, size_t count,
                                 uint8_t *masks)
{
    uint32_t column[MASKS_AT_ONCE], sizes[MASKS_AT_ONCE];
    uint32_t *words = linex_alloc_items(MASKS_AT_ONCE * (double)feature_count, sizeof *words);
    if (!words) return LINEX_NO_MEMORY;
    for (size_t done = 0; done < count; done += MASKS_AT_ONCE) {
        size_t some = count - done < MASKS_AT_ONCE ? count - done : MASKS_AT_ONCE;
        linex_sobol_words(root, 0, first + done, some, sizes);
        for (size_t c = 0; c < feature_count; c++) {
            linex_sobol_words(root, c + 1, first + done, some, column);
            for (size_t i = 0; i < some; i++)
                words[i * feature_count + c] = (column[i] >> INDEX_BITS << INDEX_BITS) + (uint32_t)c;
        }
        for (size_t i = 0; i < some; i++)
            remove_smallest(feature_count, linex_removed_by(sizes[i], feature_count), words + i * feature_count,
                            masks + (done + i) * feature_count);
    }
    free(words);
    return LINEX_OK;
}

/* Whether a word has an odd number of ones: the sign in a row and a column of Sylvester's Hadamard matrix. */
static uint32_t parity(uint32_t word)
{
    for (unsigned shift = 16; shift; shift /= 2) word ^= word >> shift;
    return word & 1;
}

/* A block of masks: the rows of a Hadamard matrix in random order, each followed by its complement. Each part takes a
 * column of the matrix, but not the first, which is constant, and flips it or not. */
typedef struct {
    size_t order;             /* of the matrix: a power of two above the number of parts */
    uint32_t *rows, *columns; /* order each: the columns of the parts begin at 1; the last bit is whether they flip */
} hadamard_block;

static void shuffle_block(const hadamard_block *block, const linex_random *root, size_t index)
{
    linex_random random = linex_random_split(root, (UINT64_C(1) << 62) + index);
    for (size_t i = 0; i < block->order; i++) block->rows[i] = block->columns[i] = (uint32_t)i;
    linex_random_shuffle(&random, block->order, block->rows);
    linex_random_shuffle(&random, block->order - 1, block->columns + 1);
    for (size_t i = 1; i < block->order; i++)
        block->columns[i] = block->columns[i] * 2 + (linex_random_bits(&random) & 1);
}

static linex_status design_coins(size_t feature_count, const linex_random *root, size_t first, size_t count,
                                 uint8_t *masks)
{
    hadamard_block block = {.order = 2};
    while (block.order <= feature_count) block.order *= 2;
    const size_t size = 2 * block.order;
    block.rows = linex_alloc_items((double)size, sizeof *block.rows);
    if (!block.rows) return LINEX_NO_MEMORY;
    block.columns = block.rows + block.order;
    for (size_t i = 0; i < count; i++) {
        const size_t point = first + i;
        if (i == 0 || point % size == 0) shuffle_block(&block, root, point / size);
        /* The last bit of the row lets the columns flip. */
        const uint32_t row = block.rows[point % size / 2] * 2 + 1, complement = point % 2;
        uint8_t *mask = masks + i * feature_count;
        for (size_t c = 0; c < feature_count; c++)
            mask[c] = (uint8_t)(parity(row & block.columns[c + 1]) ^ complement);
    }
    free(block.rows);
    return LINEX_OK;
}

linex_status linex_masks_design(linex_mask_kind kind, size_t feature_count, const linex_random *root, size_t first,
                                size_t count, uint8_t *masks)
{
    if (kind == LINEX_MASK_SIZES) return design_sizes(feature_count, root, first, count, masks);
    if (feature_count >= (size_t)1 << 30) return LINEX_BAD_ARGUMENT;
    return design_coins(feature_count, root, first, count, masks);
}
