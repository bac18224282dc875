/* masks.c: draws, enumerates and weighs masks that keep or remove parts. */
#include "neighborhood/masks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "linex.h"
#include "neighborhood/designed_masks.h"

enum { MAX_ENUMERATED = 24 };

/* Floyd's algorithm for a random subset. It needs no list of the parts, because the mask marks the parts that are
 * picked. It picks the removed or the kept parts, whichever are fewer. */
void linex_subset_draw(size_t feature_count, size_t removed, linex_random *random, uint8_t *mask)
{
    bool pick_removed = removed <= feature_count / 2;
    size_t picks = pick_removed ? removed : feature_count - removed;
    uint8_t picked = pick_removed ? 0 : 1;
    memset(mask, 1 - picked, feature_count);
    for (size_t last = feature_count - picks; last < feature_count; last++) {
        size_t pick = linex_random_below(random, (uint32_t)last + 1);
        mask[mask[pick] == picked ? last : pick] = picked;
    }
}

static void toss_coins(size_t feature_count, linex_random *random, uint8_t *mask)
{
    uint32_t bits = 0;
    for (size_t c = 0; c < feature_count; c++) {
        if (c % 32 == 0) bits = linex_random_bits(random);
        mask[c] = (uint8_t)(bits & 1);
        bits >>= 1;
    }
}

linex_status linex_masks_draw(linex_mask_kind kind, size_t feature_count, linex_sampling sampling, uint64_t seed,
                              size_t first, size_t count, uint8_t *masks)
{
    bool known = kind == LINEX_MASK_SIZES || kind == LINEX_MASK_COINS, designed = sampling == LINEX_DESIGNED;
    if (!known || !feature_count || feature_count >= UINT32_MAX || !masks) return LINEX_BAD_ARGUMENT;
    if (!designed && sampling != LINEX_INDEPENDENT) return LINEX_BAD_ARGUMENT;
    const linex_random root = linex_random_seed(seed);
    const size_t inputs = first == 0 && count > 0;
    memset(masks, 1, inputs * feature_count);
    if (designed && count > inputs)
        return linex_masks_design(kind, feature_count, &root, first + inputs - 1, count - inputs,
                                  masks + inputs * feature_count);
    for (size_t i = inputs; i < count; i++) {
        uint8_t *mask = masks + i * feature_count;
        linex_random random = linex_random_split(&root, first + i);
        if (kind == LINEX_MASK_SIZES)
            linex_subset_draw(feature_count, 1 + linex_random_below(&random, (uint32_t)feature_count), &random, mask);
        else
            toss_coins(feature_count, &random, mask);
    }
    return LINEX_OK;
}

size_t linex_mask_size(size_t feature_count, const uint8_t *mask)
{
    size_t kept = 0;
    for (size_t c = 0; c < feature_count; c++) kept += mask[c];
    return kept;
}

/* The expected number of copies of a mask among `planned` samples, the first of which is the full mask. */
static double expected_copies(linex_mask_kind kind, size_t feature_count, size_t removed, size_t planned)
{
    double full = removed == 0, draws = (double)(planned - 1);
    if (kind == LINEX_MASK_COINS) return full + draws / (double)((size_t)1 << feature_count);
    if (removed == 0) return 1;
    double choices = 1;
    for (size_t i = 0; i < removed; i++) choices = choices * (double)(feature_count - i) / (double)(i + 1);
    return draws / ((double)feature_count * choices);
}

/* Writes the full mask, then all others in random order. Mask i removes the parts whose bits are set in order[i]. */
static void write_masks(size_t feature_count, size_t count, linex_random *random, uint32_t *order, uint8_t *masks)
{
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    linex_random_shuffle(random, count - 1, order + 1);
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < feature_count; c++) masks[i * feature_count + c] = !(order[i] >> c & 1);
}

/* Plans one sample per mask, and the rest in proportion to the copies that are still expected. The running sum is
 * rounded, so the copies add up to the planned samples. The factors correct for the rounding and the minimum of
 * one. */
static void plan_copies(linex_mask_kind kind, size_t feature_count, size_t samples, size_t planned,
                        const uint8_t *masks, uint32_t *point_of, double *factors)
{
    size_t count = (size_t)1 << feature_count, next = 0;
    double all = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        size_t removed = feature_count - linex_mask_size(feature_count, masks + i * feature_count);
        factors[i] = fmax(0, expected_copies(kind, feature_count, removed, planned) - 1);
        all += factors[i];
    }
    double share = all > 0 ? (double)(planned - count) / all : 0;
    for (size_t i = 0; i < count; i++) {
        size_t first = next, removed = feature_count - linex_mask_size(feature_count, masks + i * feature_count);
        sum += share * factors[i];
        size_t end = i + 1 == count ? planned : i + 1 + (size_t)floor(sum + 0.5);
        if (end > planned - (count - 1 - i)) end = planned - (count - 1 - i);
        while (next < end) point_of[next++] = (uint32_t)i;
        factors[i] = expected_copies(kind, feature_count, removed, samples) / (double)(next - first);
    }
}

linex_status linex_masks_enumerate(linex_mask_kind kind, size_t feature_count, uint64_t seed, size_t samples,
                                   size_t planned, uint8_t *masks, uint32_t *point_of, double *factors)
{
    bool known = kind == LINEX_MASK_SIZES || kind == LINEX_MASK_COINS;
    if (!known || !feature_count || feature_count > MAX_ENUMERATED || !samples || !masks || !point_of || !factors)
        return LINEX_BAD_ARGUMENT;
    size_t count = (size_t)1 << feature_count;
    if (count > planned || planned > UINT32_MAX) return LINEX_BAD_ARGUMENT;
    uint32_t *order = calloc(count, sizeof *order);
    if (!order) return LINEX_NO_MEMORY;
    const linex_random root = linex_random_seed(seed);
    linex_random random = linex_random_split(&root, 0);
    write_masks(feature_count, count, &random, order, masks);
    plan_copies(kind, feature_count, samples, planned, masks, point_of, factors);
    free(order);
    return LINEX_OK;
}

linex_status linex_masks_weigh(size_t count, size_t feature_count, const uint8_t *masks, linex_mask_distance distance,
                               double scale, double kernel, double *distances, double *weights)
{
    bool known = distance == LINEX_MASK_COSINE || distance == LINEX_MASK_EUCLIDEAN;
    if (!known || !feature_count || !masks || !distances || !weights || !(kernel > 0)) return LINEX_BAD_ARGUMENT;
    if (!(scale > 0) || !isfinite(scale)) return LINEX_BAD_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        double kept = (double)linex_mask_size(feature_count, masks + i * feature_count), all = (double)feature_count;
        double measured = scale * (distance == LINEX_MASK_COSINE ? 1 - sqrt(kept / all) : sqrt(all - kept));
        distances[i] = fmin(measured, DBL_MAX);
        double scaled = distances[i] / kernel;
        weights[i] = linex_exp(-0.5 * scaled * scaled);
    }
    return LINEX_OK;
}
