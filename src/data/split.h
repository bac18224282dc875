/* split.h: the search for the best split of a tree node. */
#ifndef LINEX_SPLIT_H
#define LINEX_SPLIT_H

#include "linex.h"
#include "base/random.h"
#include "base/task.h"

/* The training data that all trees of a forest share. Columns are stored as ranks: the position of a value among the
 * column's distinct values. Ranks sort faster than numbers, and equal numbers have equal ranks. */
typedef struct {
    size_t count, columns, outputs;
    uint32_t *ranks;   /* columns x count */
    double *sorted;    /* columns x count: the distinct values of each column, ascending, NaN last */
    double *responses; /* count x outputs; NULL for classes */
    uint32_t *labels;  /* count; NULL for regression */
    double *means;     /* outputs: the mean responses; sums use differences from them, which loses fewer digits */
} linex_training_set;

/* The memory for the search for splits. All nodes use it, one at a time. */
typedef struct {
    const linex_training_set *training;
    size_t min_leaf, tried;  /* tried: columns per split */
    uint32_t *copies;        /* count: how many copies of each row the tree has */
    uint32_t *order;         /* columns: the columns in the order of the last draw */
    uint64_t *items, *spare; /* count each: rank (high 32 bits) and row of the node's rows */
    double *total, *left;    /* outputs each: sums of responses - means, or counts of the labels */
} linex_splitter;

/* Sums over the rows of a node. */
typedef struct {
    double copies;
    double squares; /* sum over the outputs of splitter->total^2 */
    bool pure;      /* all responses are equal */
} linex_node_sums;

/* Computes the sums over the rows of a node. Writes the sums of the responses to splitter->total.
 *
 * rows  count > 0 */
linex_node_sums linex_node_sum(linex_splitter *splitter, size_t count, const uint32_t *rows);

typedef struct {
    uint32_t column;
    uint32_t below, above; /* the ranks on either side of the split */
    double score;          /* squares / copies, added up over both sides; a larger score is a purer split */
} linex_split;

/* Tries `tried` columns, drawn at random, in slices: see base/task.h. If none of them varies, it tries more until one
 * does.
 *
 * sums   from linex_node_sum for these rows, with no other call in between
 * split  the score is -INFINITY if no split leaves at least min_leaf rows on each side */
linex_status linex_split_advance(linex_splitter *splitter, const linex_node_sums *sums, size_t count,
                                 const uint32_t *rows, linex_random *random, linex_split *split, linex_cursor *at,
                                 linex_slice *slice);

/* Returns the midpoint between the values on either side of the split. Values up to it are below the split. */
double linex_split_threshold(const linex_training_set *training, const linex_split *split);

#endif
