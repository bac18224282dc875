/* coalitions.c: draws the coalitions of KernelSHAP, in pairs and without replacement. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/task.h"
#include "explain/coalition_law.h"
#include "linex.h"
#include "neighborhood/masks.h"

/* The rounds of the permutation of a size's pairs. Four are enough for large numbers; few pairs need more. */
enum { FEISTEL_ROUNDS = 8 };

/* What a pair takes beside the writing of its parts, in multiply-adds. */
enum { PAIR_WORK = 1000 };

/* The streams of a size: two for the order of its pairs, then one per pair. */
enum { SHIFT_STREAM, ORDER_STREAM, FIRST_PAIR_STREAM };

struct size_state {
    uint64_t pairs; /* how many there are */
    size_t drawn;   /* how many have been drawn */
    double share;   /* sizes are drawn in proportion to it */
    double behind;  /* share / drawn, or 0 if no pair is left */
};

/* Drawing, pair after pair. */
struct drawing_task {
    linex_task task;
    linex_cursor at; /* row: the next pair */
    size_t feature_count, first, count;
    bool singles_lead;
    linex_random root;
    uint8_t *masks;
    struct size_state *sizes; /* feature_count / 2 + 1; the first is not used */
    uint32_t *order;          /* the order in which each size is drawn once */
    size_t ordered, visited;  /* the length of the order, and how many of them have been drawn */
};

/* Returns a whole number below count. Every number is equally likely. */
static uint64_t draw_below(linex_random *random, uint64_t count)
{
    uint64_t bits, most = UINT64_MAX - UINT64_MAX % count;
    do bits = (uint64_t)linex_random_bits(random) << 32 | linex_random_bits(random);
    while (bits >= most);
    return bits % count;
}

/* Returns item `index` of a random order of 0 .. count - 1, without a list of them. A random shift makes every item
 * equally likely to be among the first m. A Feistel cipher over the next power of four then mixes; a number beyond the
 * end is mixed again, which leaves a permutation of the others. */
static uint64_t shuffled(const linex_random *stream, uint64_t index, uint64_t count)
{
    linex_random shift = linex_random_split(stream, SHIFT_STREAM), key = linex_random_split(stream, ORDER_STREAM);
    uint64_t number = index + draw_below(&shift, count);
    unsigned half = 1;
    if (number >= count) number -= count;
    while (2 * half < 64 && count > (uint64_t)1 << 2 * half) half++;
    uint32_t mask = (uint32_t)(((uint64_t)1 << half) - 1);
    do {
        uint32_t left = (uint32_t)(number >> half), right = (uint32_t)number & mask;
        for (uint32_t round = 0; round < FEISTEL_ROUNDS; round++) {
            uint32_t words[4], counter[4] = {right, round, 0, 0};
            linex_random_block(key.key, counter, words);
            uint32_t mixed = left ^ (words[0] & mask);
            left = right;
            right = mixed;
        }
        number = (uint64_t)left << half | right;
    } while (number >= count);
    return number;
}

/* Writes subset number `rank` of the choose(n, k) = count subsets of k parts. Of them, count k / n contain the first
 * part and come first. The division is split, so that no product overflows. */
static void write_subset(size_t n, size_t k, uint64_t count, uint64_t rank, uint8_t *mask)
{
    size_t c = 0;
    memset(mask, 0, n);
    for (; k > 1; c++) {
        uint64_t left = n - c, with = count / left * k + count % left * k / left;
        mask[c] = rank < with;
        if (!mask[c]) rank -= with;
        count = mask[c] ? with : count - with;
        k -= mask[c];
    }
    if (k == 1) mask[c + rank] = 1;
}

/* Writes the smaller coalition of pair `index` of a size. If there are too many pairs to number them, each is drawn
 * from its own stream: two of more than 2^62 are never the same in practice. */
static void write_smaller(const struct drawing_task *drawing, size_t size, size_t index, uint8_t *mask)
{
    size_t d = drawing->feature_count;
    uint64_t pairs = drawing->sizes[size].pairs;
    bool halves = 2 * size == d; /* of both coalitions, the one with the first part is written */
    const linex_random stream = linex_random_split(&drawing->root, size);
    if (pairs == LINEX_MANY_PAIRS) {
        linex_random random = linex_random_split(&stream, FIRST_PAIR_STREAM + index);
        linex_subset_draw(d, d - size, &random, mask);
        if (halves && !mask[0])
            for (size_t c = 0; c < d; c++) mask[c] = !mask[c];
        return;
    }
    mask[0] = 1;
    write_subset(d - halves, size - halves, pairs, shuffled(&stream, index, pairs), mask + halves);
}

/* Returns the size of the next pair. After one pair of each size, the next one has the size that is furthest behind its
 * share (the divisor method of Adams): a longer sequence begins with the shorter one. */
static size_t next_size(struct drawing_task *drawing)
{
    const struct size_state *sizes = drawing->sizes;
    if (drawing->singles_lead && sizes[1].drawn < sizes[1].pairs) return 1;
    if (drawing->visited < drawing->ordered) return drawing->order[drawing->visited++];
    size_t next = 1;
    for (size_t size = 2; size <= drawing->feature_count / 2; size++)
        if (sizes[size].behind > sizes[next].behind) next = size;
    return next;
}

static void write_pair(const struct drawing_task *drawing, size_t pair, size_t size)
{
    size_t d = drawing->feature_count;
    uint8_t *mask = drawing->masks + (2 * pair + 2 - drawing->first) * d;
    write_smaller(drawing, size, drawing->sizes[size].drawn, mask);
    for (size_t c = 0; c < d; c++) mask[d + c] = !mask[c];
}

static linex_status advance_drawing(linex_task *task, linex_slice *slice)
{
    struct drawing_task *drawing = (struct drawing_task *)task;
    size_t first = drawing->first, end = first + drawing->count, d = drawing->feature_count;
    for (; 2 * drawing->at.row + 2 < end; drawing->at.row++) {
        bool wanted = 2 * drawing->at.row + 2 >= first;
        if (!linex_slice_take(slice, wanted ? 8 * (double)d + PAIR_WORK : (double)d)) return LINEX_UNFINISHED;
        size_t size = next_size(drawing);
        if (wanted) write_pair(drawing, drawing->at.row, size);
        struct size_state *state = &drawing->sizes[size];
        state->drawn++;
        state->behind = state->drawn < state->pairs ? state->share / (double)state->drawn : 0;
    }
    return LINEX_OK;
}

static double drawing_progress(const linex_task *task)
{
    const struct drawing_task *drawing = (const struct drawing_task *)task;
    return fmin(2 * (double)drawing->at.row / (double)(drawing->first + drawing->count), 1);
}

static void release_drawing(linex_task *task)
{
    struct drawing_task *drawing = (struct drawing_task *)task;
    free(drawing->sizes);
    free(drawing->order);
    free(drawing);
}

/* The sizes are shared out by the geometric mean of two laws: the leverage of a pair in the fit, by which every size
 * is drawn equally often, and the kernel, by which size s is drawn in proportion to 1 / (s (d - s)). */
static void prepare_sizes(struct drawing_task *drawing)
{
    size_t d = drawing->feature_count;
    for (size_t size = 1; size <= d / 2; size++) {
        double both = 2 * size == d ? 1 : 2;
        drawing->sizes[size] =
            (struct size_state){linex_pairs_count(d, size), 0, sqrt(both * linex_pairs_mass(d, size)), 0};
        if (size > 1 || !drawing->singles_lead) drawing->order[drawing->ordered++] = (uint32_t)size;
    }
    linex_random random = linex_random_split(&drawing->root, 0);
    linex_random_shuffle(&random, drawing->ordered, drawing->order);
}

static bool drawing_is_good(size_t feature_count, size_t samples, size_t first, size_t count, const uint8_t *masks)
{
    if (!feature_count || feature_count >= UINT32_MAX || samples < 2 || samples > UINT32_MAX / 4 || !masks)
        return false;
    if (first % 2 || count % 2 || first > samples || count > samples - first) return false;
    return feature_count >= 31 || first + count <= (size_t)1 << feature_count;
}

linex_status linex_coalitions_start(size_t feature_count, size_t samples, uint64_t seed, size_t first, size_t count,
                                    uint8_t *masks, linex_task **task)
{
    if (!drawing_is_good(feature_count, samples, first, count, masks) || !task) return LINEX_BAD_ARGUMENT;
    double sizes = (double)(feature_count / 2 + 1);
    struct drawing_task *drawing = calloc(1, sizeof *drawing);
    struct size_state *states = linex_alloc_items(sizes, sizeof *states);
    uint32_t *order = linex_alloc_items(sizes, sizeof *order);
    if (!drawing || !states || !order) {
        free(drawing);
        free(states);
        free(order);
        return LINEX_NO_MEMORY;
    }
    *drawing = (struct drawing_task){.feature_count = feature_count, .first = first, .count = count};
    drawing->task = (linex_task){advance_drawing, drawing_progress, release_drawing, LINEX_UNFINISHED, 0};
    drawing->singles_lead = linex_singles_lead(feature_count, samples);
    drawing->root = linex_random_seed(seed);
    drawing->masks = masks;
    drawing->sizes = states;
    drawing->order = order;
    prepare_sizes(drawing);
    if (!first && count) {
        memset(masks, 1, feature_count);
        memset(masks + feature_count, 0, feature_count);
    }
    *task = &drawing->task;
    return LINEX_OK;
}

linex_status linex_coalitions_draw(size_t feature_count, size_t samples, uint64_t seed, size_t first, size_t count,
                                   uint8_t *masks)
{
    linex_task *task = NULL;
    linex_status started = linex_coalitions_start(feature_count, samples, seed, first, count, masks, &task);
    return linex_task_finish(started, task);
}
