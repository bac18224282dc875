/* trees.c: predictions, importances and leaf weights of grown trees. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/alloc.h"

static bool has_trees(const linex_trees *trees)
{
    return trees && trees->columns && trees->outputs && trees->trees && trees->nodes && trees->leaves &&
           trees->roots && trees->features && trees->thresholds && trees->rights && trees->gains && trees->values;
}

/* Returns the node after the last node of a tree. */
static size_t tree_end(const linex_trees *trees, size_t tree)
{
    return tree + 1 < trees->trees ? trees->roots[tree + 1] : trees->nodes;
}

/* Whether every path from the root leads forward and ends in a leaf of this tree. */
static bool is_tree(const linex_trees *trees, size_t root, size_t end)
{
    for (size_t node = root; node < end; node++) {
        if (trees->features[node] == LINEX_LEAF) {
            if (trees->rights[node] >= trees->leaves) return false;
            continue;
        }
        bool forward = node + 1 < end && trees->rights[node] > node + 1 && trees->rights[node] < end;
        if (!forward || trees->features[node] >= trees->columns || isnan(trees->thresholds[node])) return false;
    }
    return true;
}

linex_status linex_trees_check(const linex_trees *trees)
{
    if (!has_trees(trees) || trees->roots[0] != 0) return LINEX_BAD_ARGUMENT;
    for (size_t t = 0; t < trees->trees; t++) {
        size_t end = tree_end(trees, t);
        if (end > trees->nodes || end <= trees->roots[t] || !is_tree(trees, trees->roots[t], end))
            return LINEX_BAD_ARGUMENT;
    }
    return LINEX_OK;
}

static size_t leaf_of(const linex_trees *trees, size_t tree, const double *row)
{
    size_t node = trees->roots[tree];
    while (trees->features[node] != LINEX_LEAF)
        node = row[trees->features[node]] <= trees->thresholds[node] ? node + 1 : trees->rights[node];
    return node;
}

linex_status linex_trees_predict(const linex_trees *trees, size_t count, const double *rows, double *answers)
{
    if (!has_trees(trees) || !rows || !answers) return LINEX_BAD_ARGUMENT;
    size_t outputs = trees->outputs;
    memset(answers, 0, count * outputs * sizeof *answers);
    /* Tree by tree, because one tree fits into a cache and all trees may not. */
    for (size_t t = 0; t < trees->trees; t++)
        for (size_t i = 0; i < count; i++) {
            const double *value =
                trees->values + trees->rights[leaf_of(trees, t, rows + i * trees->columns)] * outputs;
            for (size_t o = 0; o < outputs; o++) answers[i * outputs + o] += value[o];
        }
    for (size_t i = 0; i < count * outputs; i++) answers[i] /= (double)trees->trees;
    return LINEX_OK;
}

linex_status linex_trees_apply(const linex_trees *trees, size_t count, const double *rows, uint32_t *leaves)
{
    if (!has_trees(trees) || !rows || !leaves) return LINEX_BAD_ARGUMENT;
    for (size_t t = 0; t < trees->trees; t++)
        for (size_t i = 0; i < count; i++)
            leaves[t * count + i] = (uint32_t)(leaf_of(trees, t, rows + i * trees->columns) - trees->roots[t]);
    return LINEX_OK;
}

linex_status linex_trees_importances(const linex_trees *trees, double *importances)
{
    if (!has_trees(trees) || !importances) return LINEX_BAD_ARGUMENT;
    memset(importances, 0, trees->columns * sizeof *importances);
    double split_trees = 0;
    for (size_t t = 0; t < trees->trees; t++) {
        size_t root = trees->roots[t], end = tree_end(trees, t);
        double total = 0;
        for (size_t node = root; node < end; node++) total += trees->gains[node];
        if (!(total > 0)) continue;
        split_trees++;
        for (size_t node = root; node < end; node++)
            if (trees->features[node] != LINEX_LEAF) importances[trees->features[node]] += trees->gains[node] / total;
    }
    for (size_t c = 0; c < trees->columns && split_trees > 0; c++) importances[c] /= split_trees;
    return LINEX_OK;
}

linex_status linex_trees_root_scores(const linex_trees *trees, double *scores)
{
    if (!has_trees(trees) || !scores) return LINEX_BAD_ARGUMENT;
    memset(scores, 0, trees->columns * sizeof *scores);
    for (size_t t = 0; t < trees->trees; t++) {
        size_t root = trees->roots[t];
        if (trees->features[root] != LINEX_LEAF) scores[trees->features[root]] += trees->gains[root];
    }
    return LINEX_OK;
}

linex_status linex_leaves_sort(size_t trees, size_t count, const uint32_t *leaves, uint32_t *sorted)
{
    if (!trees || !count || count > UINT32_MAX || !leaves || !sorted) return LINEX_BAD_ARGUMENT;
    size_t highest = 0;
    for (size_t i = 0; i < trees * count; i++) highest = leaves[i] > highest ? leaves[i] : highest;
    if (highest == UINT32_MAX) return LINEX_BAD_ARGUMENT; /* no node has this number, and adding 1 would wrap to 0 */
    uint32_t *starts = linex_alloc_items((double)highest + 2, sizeof *starts);
    if (!starts) return LINEX_NO_MEMORY;
    for (size_t t = 0; t < trees; t++, leaves += count, sorted += count) {
        memset(starts, 0, (highest + 2) * sizeof *starts);
        for (size_t i = 0; i < count; i++) starts[leaves[i] + 1]++;
        for (size_t leaf = 0; leaf <= highest; leaf++) starts[leaf + 1] += starts[leaf];
        for (size_t i = 0; i < count; i++) sorted[starts[leaves[i]]++] = (uint32_t)i;
    }
    free(starts);
    return LINEX_OK;
}

/* Returns how many of a tree's rows end in leaves before this one. */
static size_t rows_before(size_t count, const uint32_t *leaves, const uint32_t *sorted, uint64_t leaf)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (leaves[sorted[middle]] < leaf)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

linex_status linex_leaves_weigh(size_t trees, size_t count, const uint32_t *leaves, const uint32_t *sorted,
                                const uint32_t *at, double *weights)
{
    if (!trees || !count || !leaves || !sorted || !at || !weights) return LINEX_BAD_ARGUMENT;
    memset(weights, 0, count * sizeof *weights);
    for (size_t t = 0; t < trees; t++, leaves += count, sorted += count) {
        size_t first = rows_before(count, leaves, sorted, at[t]);
        size_t end = rows_before(count, leaves, sorted, (uint64_t)at[t] + 1);
        for (size_t i = first; i < end; i++) weights[sorted[i]] += 1 / (double)(end - first);
    }
    for (size_t i = 0; i < count; i++) weights[i] /= (double)trees;
    return LINEX_OK;
}
