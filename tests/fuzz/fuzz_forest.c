/* fuzz_forest.c: attacks the growth of forests, trees that did not come from a forest, and the weights of leaves. */
#include "fuzz_support.h"

enum { MOST_ROWS = 24, MOST_COLUMNS = 4 };

/* Asks trees that are known to be whole.
 *
 * responses  finite: whether the answers must be finite */
static void ask_trees(const linex_trees *trees, const double *rows, size_t count, bool finite)
{
    double *answers = fuzz_array(count * trees->outputs, sizeof *answers);
    double *importances = fuzz_array(trees->columns, sizeof *importances), sum = 0;
    uint32_t *leaves = fuzz_array(trees->trees * count, sizeof *leaves);
    uint32_t *sorted = fuzz_array(trees->trees * count, sizeof *sorted);
    if (CALL(linex_trees_predict(trees, count, rows, fuzz_or_null(answers)))) return;
    if (finite) EXPECT_FINITE(count * trees->outputs, answers);
    if (CALL(linex_trees_apply(trees, count, rows, leaves))) return;
    EXPECT_BELOW(trees->trees * count, leaves, trees->nodes);
    if (CALL(linex_trees_root_scores(trees, fuzz_or_null(importances)))) return;
    if (finite) EXPECT_WITHIN(trees->columns, importances, 0, DBL_MAX);
    if (CALL(linex_trees_importances(trees, importances))) return;
    for (size_t c = 0; c < trees->columns; c++) sum += importances[c];
    if (finite) {
        EXPECT_WITHIN(trees->columns, importances, 0, 1 + 1e-9);
        EXPECT(sum == 0 || fabs(sum - 1) < 1e-9);
    }
    if (count == 0 || CALL(linex_leaves_sort(trees->trees, count, leaves, sorted))) return;
    EXPECT_BELOW(trees->trees * count, sorted, count);
    uint32_t *at = fuzz_array(trees->trees, sizeof *at);
    double *weights = fuzz_array(count, sizeof *weights), total = 0;
    size_t row = fuzz_below(count);
    for (size_t t = 0; t < trees->trees; t++) at[t] = leaves[t * count + row];
    if (CALL(linex_leaves_weigh(trees->trees, count, leaves, sorted, fuzz_or_null(at), weights))) return;
    EXPECT_WITHIN(count, weights, 0, 1 + 1e-9);
    for (size_t i = 0; i < count; i++) total += weights[i];
    EXPECT(fabs(total - 1) < 1e-9);
}

static linex_forest_settings any_settings(size_t columns)
{
    linex_forest_settings settings = linex_forest_defaults();
    size_t least = fuzz_is_wild() ? 0 : 1;
    settings.classes = fuzz_rarely(2) ? fuzz_between(1, 4) : 0;
    settings.outputs = fuzz_between(least, 3);
    settings.depth = fuzz_below(6);
    settings.min_leaf = fuzz_between(least, 4);
    settings.features = fuzz_below(columns + 1 + (fuzz_is_wild() ? 1 : 0));
    settings.bootstrap = fuzz_rarely(2);
    settings.seed = fuzz_byte();
    return settings;
}

static void grow_forest(void)
{
    size_t count = fuzz_between(1, MOST_ROWS), columns = fuzz_between(1, MOST_COLUMNS);
    linex_forest_settings settings = any_settings(columns);
    double *rows = fuzz_numbers(count * columns);
    for (size_t i = 0; rows && i < count * columns; i++)
        if (fuzz_rarely(32)) rows[i] = NAN;
    double *responses = fuzz_numbers(count * (settings.classes || !settings.outputs ? 1 : settings.outputs));
    for (size_t i = 0; responses && settings.classes && i < count; i++)
        if (!fuzz_is_wild() || !fuzz_rarely(16)) responses[i] = (double)fuzz_below(settings.classes);
    linex_forest *forest = NULL;
    if (CALL(linex_forest_new(count, columns, rows, responses, &settings, &forest))) {
        EXPECT(forest == NULL);
        return;
    }
    size_t grown = 0;
    for (size_t step = fuzz_between(1, 2); step > 0; step--) {
        size_t trees = fuzz_below(4);
        linex_status status = CALL(linex_forest_grow(forest, trees));
        linex_trees view = linex_forest_trees(forest);
        EXPECT(status ? view.trees >= grown && view.trees <= grown + trees : view.trees == grown + trees);
        grown = view.trees;
        if (grown == 0) continue;
        EXPECT(CALL(linex_trees_check(&view)) == LINEX_OK);
        ask_trees(&view, rows, count, true);
    }
    linex_forest_free(forest);
}

/* Arrays that may or may not be trees. If the check accepts them, nothing may go wrong. */
static void ask_foreign_trees(void)
{
    linex_trees trees = {.columns = fuzz_between(1, 3), .outputs = fuzz_between(1, 2), .trees = fuzz_between(1, 3)};
    trees.nodes = fuzz_between(trees.trees, 12);
    trees.leaves = fuzz_between(1, 4);
    uint32_t *roots = fuzz_indices(trees.trees, trees.nodes), *features = fuzz_indices(trees.nodes, trees.columns);
    uint32_t *rights = fuzz_indices(trees.nodes, trees.nodes);
    for (size_t i = 0; i < trees.nodes; i++)
        if (features && rights && !fuzz_rarely(3)) {
            features[i] = LINEX_LEAF;
            rights[i] %= (uint32_t)trees.leaves;
        }
    if (roots && fuzz_rarely(2))
        for (size_t t = 0; t < trees.trees; t++) roots[t] = (uint32_t)t;
    trees.roots = roots;
    trees.features = features;
    trees.rights = rights;
    trees.thresholds = fuzz_numbers(trees.nodes);
    trees.gains = fuzz_shares(trees.nodes);
    trees.values = fuzz_numbers(trees.leaves * trees.outputs);
    size_t count = fuzz_below(6);
    double *rows = fuzz_numbers(count * trees.columns);
    if (!CALL(linex_trees_check(&trees))) ask_trees(&trees, rows, count, false);
}

static void weigh_foreign_leaves(void)
{
    size_t trees = fuzz_between(1, 3), count = fuzz_between(1, 12);
    uint32_t *leaves = fuzz_indices(trees * count, 9), *sorted = fuzz_array(trees * count, sizeof *sorted);
    uint32_t *at = fuzz_indices(trees, 10);
    double *weights = fuzz_array(count, sizeof *weights);
    if (CALL(linex_leaves_sort(trees, count, leaves, fuzz_or_null(sorted)))) return;
    EXPECT_BELOW(trees * count, sorted, count);
    if (CALL(linex_leaves_weigh(trees, count, leaves, sorted, at, weights))) return;
    EXPECT_WITHIN(count, weights, 0, 1 + 1e-9);
}

void fuzz_room(void)
{
    static void (*const functions[])(void) = {grow_forest, ask_foreign_trees, weigh_foreign_leaves};
    functions[fuzz_below(sizeof functions / sizeof *functions)]();
}
