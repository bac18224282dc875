#include "data/split.h"

#include <math.h>
#include <string.h>

/* Up to here insertion is quicker than counting 256 digits. */
enum { FEW = 40, DIGITS = 256 };

static void add_row(const linex_splitter *splitter, uint32_t row, double copies, double *sums)
{
    const linex_ground *ground = splitter->ground;
    if (ground->labels) {
        sums[ground->labels[row]] += copies;
        return;
    }
    const double *response = ground->responses + row * ground->outputs;
    for (size_t o = 0; o < ground->outputs; o++) sums[o] += copies * (response[o] - ground->means[o]);
}

static bool is_alike(const linex_ground *ground, uint32_t one, uint32_t other)
{
    if (ground->labels) return ground->labels[one] == ground->labels[other];
    const double *a = ground->responses + one * ground->outputs, *b = ground->responses + other * ground->outputs;
    for (size_t o = 0; o < ground->outputs; o++)
        if (a[o] != b[o]) return false;
    return true;
}

linex_node_sums linex_node_sum(linex_splitter *splitter, size_t count, const uint32_t *rows)
{
    size_t outputs = splitter->ground->outputs;
    linex_node_sums sums = {0, 0, true};
    memset(splitter->total, 0, outputs * sizeof *splitter->total);
    for (size_t i = 0; i < count; i++) {
        double copies = splitter->copies[rows[i]];
        sums.copies += copies;
        sums.pure = sums.pure && is_alike(splitter->ground, rows[0], rows[i]);
        add_row(splitter, rows[i], copies, splitter->total);
    }
    for (size_t o = 0; o < outputs; o++) sums.squares += splitter->total[o] * splitter->total[o];
    return sums;
}

static uint32_t rank_of(uint64_t item)
{
    return (uint32_t)(item >> 32);
}

static void sort_by_insertion(size_t count, uint64_t *items)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t item = items[i];
        size_t j = i;
        for (; j > 0 && items[j - 1] > item; j--) items[j] = items[j - 1];
        items[j] = item;
    }
}

/* By rank, a byte at a time from the lowest. Rows of one rank keep their order, which is by row in every node, so that
 * both ways of sorting give the same. */
static void sort_items(linex_splitter *splitter, size_t count, uint32_t lowest, uint32_t highest)
{
    if (count <= FEW) {
        sort_by_insertion(count, splitter->items);
        return;
    }
    for (unsigned shift = 0; shift < 32 && (highest - lowest) >> shift; shift += 8) {
        size_t starts[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++)
            starts[(((rank_of(splitter->items[i]) - lowest) >> shift) & (DIGITS - 1)) + 1]++;
        for (size_t digit = 0; digit < DIGITS; digit++) starts[digit + 1] += starts[digit];
        for (size_t i = 0; i < count; i++) {
            uint64_t item = splitter->items[i];
            splitter->spare[starts[((rank_of(item) - lowest) >> shift) & (DIGITS - 1)]++] = item;
        }
        uint64_t *sorted = splitter->spare;
        splitter->spare = splitter->items;
        splitter->items = sorted;
    }
}

/* Both sides' squares over their copies. The right side is what the left one leaves of the total. */
static double score_values(const linex_splitter *splitter, double left_copies, double right_copies)
{
    double left = 0, right = 0;
    for (size_t o = 0; o < splitter->ground->outputs; o++) {
        double rest = splitter->total[o] - splitter->left[o];
        left += splitter->left[o] * splitter->left[o];
        right += rest * rest;
    }
    return left / left_copies + right / right_copies;
}

/* Goes through the sorted items from left to right. Labels are counted in whole numbers, so that their squares can
 * follow one row at a time without rounding. */
static void scan_column(linex_splitter *splitter, const linex_node_sums *sums, size_t count, uint32_t column,
                        linex_split *best)
{
    const linex_ground *ground = splitter->ground;
    double *left = splitter->left, copies_left = 0, squares_left = 0, squares_right = sums->squares;
    memset(left, 0, ground->outputs * sizeof *left);
    for (size_t i = 0; i + splitter->min_leaf < count; i++) {
        uint32_t row = (uint32_t)splitter->items[i];
        double copies = splitter->copies[row];
        if (ground->labels) {
            uint32_t label = ground->labels[row];
            squares_left += copies * (2 * left[label] + copies);
            squares_right -= copies * (2 * (splitter->total[label] - left[label]) - copies);
        }
        add_row(splitter, row, copies, left);
        copies_left += copies;
        uint32_t below = rank_of(splitter->items[i]), above = rank_of(splitter->items[i + 1]);
        if (below == above || i + 1 < splitter->min_leaf) continue;
        double copies_right = sums->copies - copies_left;
        double score = ground->labels ? squares_left / copies_left + squares_right / copies_right
                                      : score_values(splitter, copies_left, copies_right);
        if (score > best->score) *best = (linex_split){column, below, above, score};
    }
}

/* Whether the column varies over the rows; its items are then there, sorted. */
static bool sort_column(linex_splitter *splitter, size_t count, const uint32_t *rows, uint32_t column)
{
    const uint32_t *ranks = splitter->ground->ranks + (size_t)column * splitter->ground->count;
    uint32_t lowest = UINT32_MAX, highest = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t rank = ranks[rows[i]];
        lowest = rank < lowest ? rank : lowest;
        highest = rank > highest ? rank : highest;
        splitter->items[i] = (uint64_t)rank << 32 | rows[i];
    }
    if (lowest == highest) return false;
    sort_items(splitter, count, lowest, highest);
    return true;
}

bool linex_split_find(linex_splitter *splitter, const linex_node_sums *sums, size_t count, const uint32_t *rows,
                      linex_random *random, linex_split *split)
{
    size_t width = splitter->ground->width, varying = 0;
    uint32_t *order = splitter->order;
    split->score = -INFINITY;
    for (size_t i = 0; i < width && (i < splitter->tried || !varying); i++) {
        size_t pick = i + linex_random_below(random, (uint32_t)(width - i));
        uint32_t column = order[pick];
        order[pick] = order[i];
        order[i] = column;
        if (!sort_column(splitter, count, rows, column)) continue;
        varying++;
        scan_column(splitter, sums, count, column, split);
    }
    return split->score > -INFINITY;
}

double linex_split_threshold(const linex_ground *ground, const linex_split *split)
{
    const double *sorted = ground->sorted + (size_t)split->column * ground->count;
    double below = sorted[split->below], above = sorted[split->above];
    double middle = below / 2 + above / 2;
    /* Between neighboring numbers the middle may round up, and before NaN there is none. */
    return middle < above && middle >= below ? middle : below;
}
