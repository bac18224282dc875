/* random.h: random numbers as a function of (seed, stream, position).
 *
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): a counter goes in, four 32-bit words come out. A stream is
 * a key; splitting one off costs a single block and does not touch the parent, so sample i of a neighborhood
 * has its own stream and is the same sample in whatever batch, shard or order it is made.
 */
#ifndef LINEX_RANDOM_H
#define LINEX_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t key[2];
    uint64_t position; /* words handed out so far */
    uint32_t block[4]; /* the words of the block that position is in */
} linex_random;

/* One block of the generator: exported for the known-answer test. */
void linex_random_block(const uint32_t key[2], const uint32_t counter[4], uint32_t words[4]);

linex_random linex_random_seed(uint64_t seed);

/* The child with this index; the same whatever was drawn from the parent. */
linex_random linex_random_split(const linex_random *parent, uint64_t index);

uint32_t linex_random_bits(linex_random *random);

/* In [0, 1), a multiple of 2^-53. */
double linex_random_uniform(linex_random *random);

/* In 0 .. bound-1, every value equally likely; bound > 0. */
uint32_t linex_random_below(linex_random *random, uint32_t bound);

/* Standard normal. A pair of them takes a block of its own. */
void linex_random_normals(linex_random *random, size_t count, double *normals);

/* Shuffles items in place, every order equally likely. */
void linex_random_shuffle(linex_random *random, size_t count, uint32_t *items);

#endif
