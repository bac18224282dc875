/* random.c: the Philox4x32-10 generator and the distributions drawn from it. */
#include "base/random.h"

#include "base/elementary.h"

void linex_random_block(const uint32_t key[2], const uint32_t counter[4], uint32_t words[4])
{
    uint32_t k0 = key[0], k1 = key[1];
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

/* The kind of a block, as part of its counter. Blocks of different kinds have different counters. */
enum { DRAWS, CHILDREN };

static inline void block_at(const linex_random *random, uint64_t index, uint32_t kind, uint32_t words[4])
{
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), kind, 0};
    linex_random_block(random->key, counter, words);
}

linex_random linex_random_seed(uint64_t seed)
{
    return (linex_random){.key = {(uint32_t)seed, (uint32_t)(seed >> 32)}};
}

linex_random linex_random_split(const linex_random *parent, uint64_t index)
{
    uint32_t words[4];
    block_at(parent, index, CHILDREN, words);
    return (linex_random){.key = {words[0], words[1]}};
}

/* Not inlined, because it takes many bytes and has many callers. */
__attribute__((noinline)) static void next_block(linex_random *random)
{
    block_at(random, random->position >> 2, DRAWS, random->block);
}

uint32_t linex_random_bits(linex_random *random)
{
    unsigned lane = (unsigned)(random->position & 3);
    if (lane == 0) next_block(random);
    random->position++;
    return random->block[lane];
}

static inline double uniform_of(uint32_t high, uint32_t low)
{
    return ((high >> 5) * 67108864.0 + (low >> 6)) * 0x1p-53;
}

double linex_random_uniform(linex_random *random)
{
    uint32_t high = linex_random_bits(random), low = linex_random_bits(random);
    return uniform_of(high, low);
}

/* Lemire's method: a multiplication instead of a remainder. It rejects the low words that would make some values more
 * likely than others. */
uint32_t linex_random_below(linex_random *random, uint32_t bound)
{
    uint64_t product = (uint64_t)linex_random_bits(random) * bound;
    if ((uint32_t)product < bound) {
        uint32_t rejected = (0u - bound) % bound;
        while ((uint32_t)product < rejected) product = (uint64_t)linex_random_bits(random) * bound;
    }
    return (uint32_t)(product >> 32);
}

/* Each pair of numbers uses one block and starts at a new block. The numbers are made in chunks, so compilers can
 * vectorize the transform. */
void linex_random_normals(linex_random *random, size_t count, double *normals)
{
    enum { CHUNK = 32 };
    double pairs[2][CHUNK];
    uint64_t block = (random->position + 3) >> 2;
    for (size_t start = 0; start < count; start += 2 * CHUNK) {
        size_t wanted = count - start < 2 * CHUNK ? count - start : 2 * CHUNK, half = (wanted + 1) / 2;
        for (size_t i = 0; i < half; i++, block++) {
            uint32_t words[4];
            block_at(random, block, DRAWS, words);
            pairs[0][i] = uniform_of(words[0], words[1]);
            pairs[1][i] = uniform_of(words[2], words[3]);
        }
        if (half % 2) pairs[0][half] = pairs[1][half] = 0;
        linex_normals_of(half + half % 2, pairs[0], pairs[1]);
        for (size_t i = 0; i < wanted; i++) normals[start + i] = pairs[i % 2][i / 2];
    }
    random->position = block << 2;
}

void linex_random_shuffle(linex_random *random, size_t count, uint32_t *items)
{
    for (size_t last = count; last > 1; last--) {
        uint32_t pick = linex_random_below(random, (uint32_t)last);
        uint32_t swapped = items[last - 1];
        items[last - 1] = items[pick];
        items[pick] = swapped;
    }
}

static inline uint32_t reverse(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}

/* Owen's scrambling as a hash (Laine and Karras 2011; Burley 2020). Adding, multiplying by an odd number, and
 * x ^= even * x let a bit depend only on the bits to its right, which are the earlier digits. The constants are
 * Vegdahl's (2021). The number of words is constant, so compilers can vectorize the loop in few bytes. */
void linex_random_scramble(const uint32_t key[2], uint32_t *words)
{
    const uint32_t added = key[0], factor = key[1] | 1;
    for (size_t i = 0; i < LINEX_SCRAMBLED; i++) {
        uint32_t x = words[i];
        x ^= x * 0x3d20adeau;
        x = (x + added) * factor;
        x ^= x * 0x05526c56u;
        x ^= x * 0x53a22864u;
        words[i] = reverse(x);
    }
}
