/* split.h: where a node of a tree is best cut in two. */
#ifndef LINEX_SPLIT_H
#define LINEX_SPLIT_H

#include "linex.h"
#include "base/random.h"

/* What all trees of a forest look at. Columns are kept as ranks, the place of a value among the column's distinct ones:
 * ranks sort faster than numbers, and equal numbers are equal ranks. */
typedef struct {
    size_t count, width, outputs;
    uint32_t *ranks;   /* width x count */
    double *sorted;    /* width x count: the distinct values of each column, ascending, NaN last */
    double *responses; /* count x outputs; NULL for classes */
    uint32_t *labels;  /* count; NULL for regression */
    double *means;     /* outputs: of the responses; sums are taken around them, lest small differences drown */
} linex_ground;

/* The room to look for splits in; one for all nodes, one node at a time. */
typedef struct {
    const linex_ground *ground;
    size_t min_leaf, tried;  /* tried: columns a split */
    uint32_t *copies;        /* count: how often each row is there */
    uint32_t *order;         /* width: the columns, as they were drawn last */
    uint64_t *items, *spare; /* count each: rank and row of the node's rows */
    double *total, *left;    /* outputs each: sums of responses - means, or counts of the labels */
} linex_splitter;

/* The rows of a node. */
typedef struct {
    double copies;
    double squares; /* sum over the outputs of (what is in splitter->total)^2 */
    bool pure;      /* all of one response */
} linex_node_sums;

/* Leaves the sums of the responses in splitter->total. */
linex_node_sums linex_node_sum(linex_splitter *splitter, size_t count, const uint32_t *rows);

typedef struct {
    uint32_t column;
    uint32_t below, above; /* the ranks on either side of the cut */
    double score;          /* what squares / copies comes to on both sides, added up: the more, the purer */
} linex_split;

/* Looks at `tried` columns drawn at random, at more only until one is found that varies.
 *
 * sums   from linex_node_sum for these rows, as the last call
 * Returns whether there is a split that leaves min_leaf rows on either side. */
bool linex_split_find(linex_splitter *splitter, const linex_node_sums *sums, size_t count, const uint32_t *rows,
                      linex_random *random, linex_split *split);

/* Midway between the values on either side; values up to it are below. */
double linex_split_threshold(const linex_ground *ground, const linex_split *split);

#endif
