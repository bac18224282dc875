#include "random.h"

#include <math.h>

#include "elementary.h"

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

linex_random linex_random_seed(uint64_t seed)
{
    return (linex_random){.key = {(uint32_t)seed, (uint32_t)(seed >> 32)}};
}

linex_random linex_random_split(const linex_random *parent, uint64_t index)
{
    /* Draws count blocks in the first two words and leave the third at 0, so this block is never drawn. */
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), 1, 0};
    uint32_t words[4];
    linex_random_block(parent->key, counter, words);
    return (linex_random){.key = {words[0], words[1]}};
}

uint32_t linex_random_bits(linex_random *random)
{
    unsigned lane = (unsigned)(random->position & 3);
    if (lane == 0) {
        uint64_t block = random->position >> 2;
        const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), 0, 0};
        linex_random_block(random->key, counter, random->block);
    }
    random->position++;
    return random->block[lane];
}

double linex_random_uniform(linex_random *random)
{
    uint32_t high = linex_random_bits(random) >> 5, low = linex_random_bits(random) >> 6;
    return (high * 67108864.0 + low) * 0x1p-53;
}

/* Lemire's multiplication in place of a remainder: the low words that would make a value too likely are
 * refused. */
uint32_t linex_random_below(linex_random *random, uint32_t bound)
{
    uint64_t product = (uint64_t)linex_random_bits(random) * bound;
    if ((uint32_t)product < bound) {
        uint32_t refused = (0u - bound) % bound;
        while ((uint32_t)product < refused) product = (uint64_t)linex_random_bits(random) * bound;
    }
    return (uint32_t)(product >> 32);
}

/* Marsaglia's polar method: needs only log and sqrt, both of which we control to the last bit. */
void linex_random_normals(linex_random *random, size_t count, double *normals)
{
    for (size_t i = 0; i < count; i += 2) {
        double u, v, square;
        do {
            u = 2.0 * linex_random_uniform(random) - 1.0;
            v = 2.0 * linex_random_uniform(random) - 1.0;
            square = u * u + v * v;
        } while (square >= 1.0 || square == 0.0);
        double stretch = sqrt(-2.0 * linex_log(square) / square);
        normals[i] = u * stretch;
        if (i + 1 < count) normals[i + 1] = v * stretch;
    }
}

void linex_random_shuffle(linex_random *random, size_t count, uint32_t *items)
{
    for (size_t last = count; last > 1; last--) {
        uint32_t pick = linex_random_below(random, (uint32_t)last);
        uint32_t kept = items[last - 1];
        items[last - 1] = items[pick];
        items[pick] = kept;
    }
}
