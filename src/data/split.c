/* split.c: the search for the best split of a tree node. */
#include "data/split.h"

#include <math.h>
#include <string.h>

/* Up to this many items, insertion sort is faster than counting 256 digits. */
enum { INSERTION_LIMIT = 40, DIGITS = 256 };

static void add_row(const linex_splitter *splitter, uint32_t row, double copies, double *sums)
{
    const linex_training_set *training = splitter->training;
    if (training->labels) {
        sums[training->labels[row]] += copies;
        return;
    }
    const double *response = training->responses + row * training->outputs;
    for (size_t o = 0; o < training->outputs; o++) sums[o] += copies * (response[o] - training->means[o]);
}

static bool have_equal_responses(const linex_training_set *training, uint32_t first, uint32_t second)
{
    if (training->labels) return training->labels[first] == training->labels[second];
    const double *a = training->responses + first * training->outputs,
                 *b = training->responses + second * training->outputs;
    for (size_t o = 0; o < training->outputs; o++)
        if (a[o] != b[o]) return false;
    return true;
}

linex_node_sums linex_node_sum(linex_splitter *splitter, size_t count, const uint32_t *rows)
{
    size_t outputs = splitter->training->outputs;
    linex_node_sums sums = {0, 0, true};
    memset(splitter->total, 0, outputs * sizeof *splitter->total);
    for (size_t i = 0; i < count; i++) {
        double copies = splitter->copies[rows[i]];
        sums.copies += copies;
        sums.pure = sums.pure && have_equal_responses(splitter->training, rows[0], rows[i]);
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

/* Sorts by rank: a radix sort, one byte at a time, from the lowest. Rows of equal rank keep their order. In every
 * node that order is ascending by row, so both sorts give the same result. */
static void sort_items(linex_splitter *splitter, size_t count, uint32_t lowest, uint32_t highest)
{
    if (count <= INSERTION_LIMIT) {
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

/* The squares of both sides over their copies. The sums of the right side are the total minus the left side. */
static double score_values(const linex_splitter *splitter, double left_copies, double right_copies)
{
    double left = 0, right = 0;
    for (size_t o = 0; o < splitter->training->outputs; o++) {
        double rest = splitter->total[o] - splitter->left[o];
        left += splitter->left[o] * splitter->left[o];
        right += rest * rest;
    }
    return left / left_copies + right / right_copies;
}

/* Scans the sorted items and keeps the best split. The counts of labels are whole numbers, so their squares can be
 * updated row by row without rounding errors. */
static void scan_column(linex_splitter *splitter, const linex_node_sums *sums, size_t count, uint32_t column,
                        linex_split *best)
{
    const linex_training_set *training = splitter->training;
    double *left = splitter->left, copies_left = 0, squares_left = 0, squares_right = sums->squares;
    memset(left, 0, training->outputs * sizeof *left);
    for (size_t i = 0; i + splitter->min_leaf < count; i++) {
        uint32_t row = (uint32_t)splitter->items[i];
        double copies = splitter->copies[row];
        if (training->labels) {
            uint32_t label = training->labels[row];
            squares_left += copies * (2 * left[label] + copies);
            squares_right -= copies * (2 * (splitter->total[label] - left[label]) - copies);
        }
        add_row(splitter, row, copies, left);
        copies_left += copies;
        uint32_t below = rank_of(splitter->items[i]), above = rank_of(splitter->items[i + 1]);
        if (below == above || i + 1 < splitter->min_leaf) continue;
        double copies_right = sums->copies - copies_left;
        double score = training->labels ? squares_left / copies_left + squares_right / copies_right
                                        : score_values(splitter, copies_left, copies_right);
        if (score > best->score) *best = (linex_split){column, below, above, score};
    }
}

/* Fills splitter->items with the sorted items of a column. Returns false, with unsorted items, if it does not
 * vary. */
static bool sort_column(linex_splitter *splitter, size_t count, const uint32_t *rows, uint32_t column)
{
    const uint32_t *ranks = splitter->training->ranks + (size_t)column * splitter->training->count;
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

/* at  row: how many columns were tried; column: how many of them vary */
linex_status linex_split_advance(linex_splitter *splitter, const linex_node_sums *sums, size_t count,
                                 const uint32_t *rows, linex_random *random, linex_split *split, linex_cursor *at,
                                 linex_slice *slice)
{
    size_t columns = splitter->training->columns;
    double work = (double)count * (16 + 2 * (double)splitter->training->outputs);
    uint32_t *order = splitter->order;
    if (at->row == 0) split->score = -INFINITY;
    for (; at->row < columns && (at->row < splitter->tried || !at->column); at->row++) {
        if (!linex_slice_take(slice, work)) return LINEX_UNFINISHED;
        size_t i = at->row, pick = i + linex_random_below(random, (uint32_t)(columns - i));
        uint32_t column = order[pick];
        order[pick] = order[i];
        order[i] = column;
        if (!sort_column(splitter, count, rows, column)) continue;
        at->column++;
        scan_column(splitter, sums, count, column, split);
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}

double linex_split_threshold(const linex_training_set *training, const linex_split *split)
{
    const double *sorted = training->sorted + (size_t)split->column * training->count;
    double below = sorted[split->below], above = sorted[split->above];
    double middle = below / 2 + above / 2;
    /* The midpoint of adjacent doubles can round up, and there is no midpoint before NaN. */
    return middle < above && middle >= below ? middle : below;
}
