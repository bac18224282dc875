#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"

static bool are_trees_there(const linex_trees *trees)
{
    return trees && trees->width && trees->outputs && trees->trees && trees->nodes && trees->leaves && trees->roots &&
           trees->features && trees->thresholds && trees->rights && trees->gains && trees->values;
}

/* Whether every way from the root leads forward and ends in a leaf of this tree. */
static bool is_tree(const linex_trees *trees, size_t root, size_t end)
{
    for (size_t node = root; node < end; node++) {
        if (trees->features[node] == LINEX_LEAF) {
            if (trees->rights[node] >= trees->leaves) return false;
            continue;
        }
        bool ahead = node + 1 < end && trees->rights[node] > node + 1 && trees->rights[node] < end;
        if (!ahead || trees->features[node] >= trees->width || isnan(trees->thresholds[node])) return false;
    }
    return true;
}

linex_status linex_trees_check(const linex_trees *trees)
{
    if (!are_trees_there(trees) || trees->roots[0] != 0) return LINEX_BAD_ARGUMENT;
    for (size_t t = 0; t < trees->trees; t++) {
        size_t end = t + 1 < trees->trees ? trees->roots[t + 1] : trees->nodes;
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
    if (!are_trees_there(trees) || !rows || !answers) return LINEX_BAD_ARGUMENT;
    size_t outputs = trees->outputs;
    memset(answers, 0, count * outputs * sizeof *answers);
    /* Tree by tree: one of them fits into a cache, all of them may not. */
    for (size_t t = 0; t < trees->trees; t++)
        for (size_t i = 0; i < count; i++) {
            const double *value = trees->values + trees->rights[leaf_of(trees, t, rows + i * trees->width)] * outputs;
            for (size_t o = 0; o < outputs; o++) answers[i * outputs + o] += value[o];
        }
    for (size_t i = 0; i < count * outputs; i++) answers[i] /= (double)trees->trees;
    return LINEX_OK;
}

linex_status linex_trees_apply(const linex_trees *trees, size_t count, const double *rows, uint32_t *leaves)
{
    if (!are_trees_there(trees) || !rows || !leaves) return LINEX_BAD_ARGUMENT;
    for (size_t t = 0; t < trees->trees; t++)
        for (size_t i = 0; i < count; i++)
            leaves[t * count + i] = (uint32_t)(leaf_of(trees, t, rows + i * trees->width) - trees->roots[t]);
    return LINEX_OK;
}

linex_status linex_trees_importances(const linex_trees *trees, double *importances)
{
    if (!are_trees_there(trees) || !importances) return LINEX_BAD_ARGUMENT;
    memset(importances, 0, trees->width * sizeof *importances);
    double splitting = 0;
    for (size_t t = 0; t < trees->trees; t++) {
        size_t root = trees->roots[t], end = t + 1 < trees->trees ? trees->roots[t + 1] : trees->nodes;
        double total = 0;
        for (size_t node = root; node < end; node++) total += trees->gains[node];
        if (!(total > 0)) continue;
        splitting++;
        for (size_t node = root; node < end; node++)
            if (trees->features[node] != LINEX_LEAF) importances[trees->features[node]] += trees->gains[node] / total;
    }
    for (size_t c = 0; c < trees->width && splitting > 0; c++) importances[c] /= splitting;
    return LINEX_OK;
}

linex_status linex_trees_root_scores(const linex_trees *trees, double *scores)
{
    if (!are_trees_there(trees) || !scores) return LINEX_BAD_ARGUMENT;
    memset(scores, 0, trees->width * sizeof *scores);
    for (size_t t = 0; t < trees->trees; t++) {
        size_t root = trees->roots[t];
        if (trees->features[root] != LINEX_LEAF) scores[trees->features[root]] += trees->gains[root];
    }
    return LINEX_OK;
}

linex_status linex_leaves_weigh(size_t trees, size_t count, const uint32_t *leaves, const uint32_t *at,
                                double *weights)
{
    if (!trees || !count || !leaves || !at || !weights) return LINEX_BAD_ARGUMENT;
    memset(weights, 0, count * sizeof *weights);
    for (size_t t = 0; t < trees; t++) {
        const uint32_t *leaf = leaves + t * count;
        double inside = 0;
        for (size_t i = 0; i < count; i++) inside += leaf[i] == at[t];
        if (inside == 0) continue;
        double share = 1 / inside;
        for (size_t i = 0; i < count; i++) weights[i] += leaf[i] == at[t] ? share : 0;
    }
    for (size_t i = 0; i < count; i++) weights[i] /= (double)trees;
    return LINEX_OK;
}
