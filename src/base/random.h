/* random.h: random numbers as a function of (seed, stream, position).
 *
 * The generator is Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011). It maps a counter to four 32-bit words. A stream
 * is a key. Splitting off a stream costs one block and does not change the parent. So sample i of a neighborhood has
 * its own stream, and it is the same sample in every batch, shard and order.
 */
#ifndef LINEX_RANDOM_H
#define LINEX_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t key[2];
    uint64_t position; /* how many words have been drawn */
    uint32_t block[4]; /* the words of the current block */
} linex_random;

/* Computes one block of the generator. Public for the known-answer test. */
void linex_random_block(const uint32_t key[2], const uint32_t counter[4], uint32_t words[4]);

/* Returns the root stream of a seed. */
linex_random linex_random_seed(uint64_t seed);

/* Returns the child stream with this index. It does not depend on what was drawn from the parent. */
linex_random linex_random_split(const linex_random *parent, uint64_t index);

/* Returns 32 random bits. */
uint32_t linex_random_bits(linex_random *random);

/* Returns a uniform number in [0, 1), a multiple of 2^-53. */
double linex_random_uniform(linex_random *random);

/* Returns a whole number in 0 .. bound-1. Every value is equally likely; bound > 0. */
uint32_t linex_random_below(linex_random *random, uint32_t bound);

/* Draws standard normal numbers. Each pair of them uses one new block.
 *
 * normals  count */
void linex_random_normals(linex_random *random, size_t count, double *normals);

/* Shuffles the items in place. Every order is equally likely. */
void linex_random_shuffle(linex_random *random, size_t count, uint32_t *items);

enum { LINEX_SCRAMBLED = 128 }; /* words that are scrambled together */

/* Scrambles the digits of binary fractions at random (Owen 1995): whether a digit is flipped depends on the digits
 * before it, so fractions that agree in their first k digits still do, and each fraction is uniform.
 *
 * words  LINEX_SCRAMBLED: on entry with their bits reversed, the first digit in the last bit; on return not */
void linex_random_scramble(const uint32_t key[2], uint32_t *words);

#endif
