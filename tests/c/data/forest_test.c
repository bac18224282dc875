/* forest_test.c: forests, trees and their leaf weights. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "run_sliced.h"
#include "linex.h"
#include "base/random.h"

enum { ROWS = 60, COLUMNS = 4, MAX_OUTPUTS = 3 };

/* Draws small whole numbers, so that values repeat. */
static void draw_rows(linex_random *random, double *rows)
{
    for (size_t i = 0; i < ROWS * COLUMNS; i++) rows[i] = linex_random_below(random, 12);
}

/* The impurity of one side, times its rows: the squared distances from the mean, summed over the outputs. Classes are
 * one-hot outputs; the Gini impurity is then the sum of their variances. */
static double impurity_of(size_t outputs, const double *rows, const double *responses, size_t column,
                          double threshold, bool left, size_t *inside)
{
    double sums[MAX_OUTPUTS] = {0}, squares[MAX_OUTPUTS] = {0}, total = 0;
    *inside = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if ((rows[i * COLUMNS + column] <= threshold) != left) continue;
        (*inside)++;
        for (size_t o = 0; o < outputs; o++) {
            sums[o] += responses[i * outputs + o];
            squares[o] += responses[i * outputs + o] * responses[i * outputs + o];
        }
    }
    for (size_t o = 0; o < outputs && *inside; o++) total += squares[o] - sums[o] * sums[o] / (double)*inside;
    return total;
}

/* The least impurity of all splits, by brute force. */
static double least_impurity(size_t outputs, const double *rows, const double *responses, size_t min_leaf)
{
    double least = INFINITY;
    for (size_t column = 0; column < COLUMNS; column++)
        for (double threshold = 0.5; threshold < 12; threshold++) {
            size_t below, above;
            double both = impurity_of(outputs, rows, responses, column, threshold, true, &below) +
                          impurity_of(outputs, rows, responses, column, threshold, false, &above);
            if (below >= min_leaf && above >= min_leaf && both < least) least = both;
        }
    return least;
}

static linex_forest *grow(const double *rows, const double *responses, linex_forest_settings settings, size_t trees)
{
    linex_forest *forest = NULL;
    CHECK(linex_forest_new(ROWS, COLUMNS, rows, responses, &settings, &forest) == LINEX_OK);
    CHECK(linex_forest_grow(forest, trees) == LINEX_OK);
    return forest;
}

/* Compares the first split of one tree with all possible splits. */
static void check_root(uint64_t seed, size_t classes, size_t outputs, size_t min_leaf)
{
    linex_random random = linex_random_seed(seed);
    double rows[ROWS * COLUMNS], responses[ROWS * MAX_OUTPUTS], labels[ROWS], shares[ROWS * MAX_OUTPUTS] = {0};
    draw_rows(&random, rows);
    linex_random_normals(&random, ROWS * outputs, responses);
    for (size_t i = 0; i < ROWS; i++) {
        labels[i] = linex_random_below(&random, MAX_OUTPUTS);
        shares[i * MAX_OUTPUTS + (size_t)labels[i]] = 1;
    }
    linex_forest_settings settings = linex_forest_defaults();
    settings.classes = classes;
    settings.outputs = outputs;
    settings.min_leaf = min_leaf;
    settings.bootstrap = false;
    linex_forest *forest = grow(rows, classes ? labels : responses, settings, 1);
    linex_trees trees = linex_forest_trees(forest);
    const double *targets = classes ? shares : responses;
    size_t numbers = classes ? classes : outputs, all, below, above;
    CHECK(trees.features[0] != LINEX_LEAF);
    double before = impurity_of(numbers, rows, targets, 0, INFINITY, true, &all);
    double after = impurity_of(numbers, rows, targets, trees.features[0], trees.thresholds[0], true, &below) +
                   impurity_of(numbers, rows, targets, trees.features[0], trees.thresholds[0], false, &above);
    CHECK(below >= min_leaf && above >= min_leaf);
    CHECK_NEAR(after, least_impurity(numbers, rows, targets, min_leaf), 1e-9);
    CHECK_NEAR(trees.gains[0], (before - after) / ROWS / (double)(classes ? 1 : outputs), 1e-9);
    linex_forest_free(forest);
}

static void the_first_split_is_the_best_split(void)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        check_root(seed, 0, 1, 1 + seed % 20);
        check_root(seed, 0, 3, 1 + seed % 20);
        check_root(seed, MAX_OUTPUTS, 1, 1 + seed % 20);
    }
}

static void a_threshold_is_a_midpoint_and_missing_values_are_the_largest(void)
{
    const double rows[] = {1, 4, NAN, 2}, responses[] = {0, 0, 7, 0};
    linex_forest_settings settings = linex_forest_defaults();
    settings.bootstrap = false;
    linex_forest *forest;
    CHECK(linex_forest_new(4, 1, rows, responses, &settings, &forest) == LINEX_OK);
    CHECK(linex_forest_grow(forest, 1) == LINEX_OK);
    linex_trees trees = linex_forest_trees(forest);
    double answers[4];
    CHECK(trees.nodes == 3 && trees.thresholds[0] == 4);
    CHECK(linex_trees_predict(&trees, 4, rows, answers) == LINEX_OK);
    CHECK(memcmp(answers, responses, sizeof answers) == 0);
    linex_forest_free(forest);

    const double others[] = {0, 0, 7, 7};
    CHECK(linex_forest_new(4, 1, (const double[]){1, 2, 4, 5}, others, &settings, &forest) == LINEX_OK);
    CHECK(linex_forest_grow(forest, 1) == LINEX_OK);
    trees = linex_forest_trees(forest);
    CHECK(trees.nodes == 3 && trees.thresholds[0] == 3);
    linex_forest_free(forest);

    /* Adjacent doubles have no midpoint. */
    const double close[] = {1, nextafter(1, 2)};
    CHECK(linex_forest_new(2, 1, close, others + 1, &settings, &forest) == LINEX_OK);
    CHECK(linex_forest_grow(forest, 1) == LINEX_OK);
    trees = linex_forest_trees(forest);
    CHECK(trees.nodes == 3 && trees.thresholds[0] == 1);
    linex_forest_free(forest);
}

static void trees_do_not_depend_on_how_many_a_call_grows(void)
{
    linex_random random = linex_random_seed(9);
    double rows[ROWS * COLUMNS], responses[ROWS];
    draw_rows(&random, rows);
    linex_random_normals(&random, ROWS, responses);
    linex_forest_settings settings = linex_forest_defaults();
    settings.features = 2;
    linex_forest *at_once = grow(rows, responses, settings, 12), *in_turn = grow(rows, responses, settings, 5);
    CHECK(linex_forest_grow(in_turn, 7) == LINEX_OK);
    linex_trees expected = linex_forest_trees(at_once), trees = linex_forest_trees(in_turn);
    CHECK(trees.trees == 12 && trees.nodes == expected.nodes && trees.leaves == expected.leaves);
    CHECK(memcmp(trees.features, expected.features, trees.nodes * sizeof *trees.features) == 0);
    CHECK(memcmp(trees.thresholds, expected.thresholds, trees.nodes * sizeof *trees.thresholds) == 0);
    CHECK(memcmp(trees.values, expected.values, trees.leaves * sizeof *trees.values) == 0);
    CHECK(linex_trees_check(&trees) == LINEX_OK);
    linex_forest_free(at_once);
    linex_forest_free(in_turn);
}

static void a_forest_can_hold_many_large_or_small_trees(void)
{
    linex_random random = linex_random_seed(9);
    double rows[ROWS * COLUMNS], responses[2][ROWS] = {{0}};
    draw_rows(&random, rows);
    linex_random_normals(&random, ROWS, responses[1]);
    for (size_t kind = 0; kind < 2; kind++) {
        linex_forest *forest = grow(rows, responses[kind], linex_forest_defaults(), 2000);
        linex_trees trees = linex_forest_trees(forest);
        CHECK(linex_trees_check(&trees) == LINEX_OK);
        CHECK(trees.trees == 2000 && trees.nodes == 2 * trees.leaves - trees.trees);
        linex_forest_free(forest);
    }
}

/* Two trees: one splits column 0 at 1.5, the other is a single leaf. */
static const uint32_t ROOTS[] = {0, 3}, FEATURES[] = {0, LINEX_LEAF, LINEX_LEAF, LINEX_LEAF}, RIGHTS[] = {2, 0, 1, 2};
static const double THRESHOLDS[] = {1.5, 0, 0, 0}, GAINS[] = {0.25, 0, 0, 0}, VALUES[] = {10, 20, 40};

static linex_trees two_trees(void)
{
    return (linex_trees){2, 1, 2, 4, 3, ROOTS, FEATURES, THRESHOLDS, RIGHTS, GAINS, VALUES};
}

static void a_row_in_the_same_leaf_weighs_one_over_the_size_of_the_leaf(void)
{
    linex_trees trees = two_trees();
    const double rows[] = {1, 0, 2, 0, 1.5, 0, 0, 0}, at[] = {0, 9};
    uint32_t leaves[8], sorted[8], here[2];
    double weights[4], answers[4], importances[2], scores[2];
    CHECK(linex_trees_check(&trees) == LINEX_OK);
    CHECK(linex_trees_apply(&trees, 4, rows, leaves) == LINEX_OK);
    const uint32_t wanted[] = {1, 2, 1, 1, 0, 0, 0, 0};
    CHECK(memcmp(leaves, wanted, sizeof leaves) == 0);
    CHECK(linex_trees_apply(&trees, 1, at, here) == LINEX_OK);
    CHECK(linex_leaves_sort(2, 4, leaves, sorted) == LINEX_OK);
    const uint32_t by_leaf[] = {0, 2, 3, 1, 0, 1, 2, 3};
    CHECK(memcmp(sorted, by_leaf, sizeof sorted) == 0);
    CHECK(linex_leaves_weigh(2, 4, leaves, sorted, here, weights) == LINEX_OK);
    CHECK_NEAR(weights[0], (1.0 / 3 + 1.0 / 4) / 2, 1e-15);
    CHECK_NEAR(weights[1], 1.0 / 4 / 2, 1e-15);
    CHECK(linex_trees_predict(&trees, 4, rows, answers) == LINEX_OK);
    CHECK(answers[0] == 25 && answers[1] == 30);
    CHECK(linex_trees_importances(&trees, importances) == LINEX_OK && importances[0] == 1 && importances[1] == 0);
    CHECK(linex_trees_root_scores(&trees, scores) == LINEX_OK && scores[0] == 0.25 && scores[1] == 0);
}

static void invalid_trees_are_rejected(void)
{
    linex_trees trees = two_trees();
    const uint32_t backwards[] = {0, 0, 1, 2}, too_far[] = {3, 0, 1, 2}, no_leaf[] = {2, 0, 3, 2};
    const uint32_t columns[] = {2, LINEX_LEAF, LINEX_LEAF, LINEX_LEAF}, endless[] = {0, LINEX_LEAF, 0, LINEX_LEAF};
    const uint32_t late[] = {1, 3}, beyond[] = {0, 5};
    const uint32_t *wrong_rights[] = {backwards, too_far, no_leaf};
    for (size_t i = 0; i < 3; i++) {
        trees.rights = wrong_rights[i];
        CHECK(linex_trees_check(&trees) == LINEX_BAD_ARGUMENT);
    }
    trees = two_trees();
    trees.features = columns;
    CHECK(linex_trees_check(&trees) == LINEX_BAD_ARGUMENT);
    trees.features = endless;
    CHECK(linex_trees_check(&trees) == LINEX_BAD_ARGUMENT);
    trees = two_trees();
    trees.roots = late;
    CHECK(linex_trees_check(&trees) == LINEX_BAD_ARGUMENT);
    trees.roots = beyond;
    CHECK(linex_trees_check(&trees) == LINEX_BAD_ARGUMENT);
}

static void maple_errors_are_those_of_one_ridge_regression_per_feature_count(void)
{
    enum { COUNT = 40, TABLE_COLUMNS = 3 };
    linex_random random = linex_random_seed(4);
    double rows[COUNT * TABLE_COLUMNS], responses[COUNT], weights[COUNT],
        statistics[TABLE_COLUMNS * LINEX_COLUMN_SIZE];
    linex_random_normals(&random, COUNT * TABLE_COLUMNS, rows);
    for (size_t i = 0; i < COUNT; i++) {
        responses[i] = rows[i * TABLE_COLUMNS] - 2 * rows[i * TABLE_COLUMNS + 2] + linex_random_uniform(&random);
        weights[i] = i % 4 ? linex_random_uniform(&random) : 0;
    }
    for (size_t c = 0; c < TABLE_COLUMNS; c++) {
        double column[COUNT];
        for (size_t i = 0; i < COUNT; i++) column[i] = rows[i * TABLE_COLUMNS + c];
        CHECK(linex_column_describe(COUNT, column, statistics + c * LINEX_COLUMN_SIZE) == LINEX_OK);
    }
    const uint32_t levels[TABLE_COLUMNS] = {0}, order[TABLE_COLUMNS] = {2, 0, 1};
    linex_table table = {TABLE_COLUMNS, levels, statistics, NULL};
    double errors[TABLE_COLUMNS] = {0}, points[COUNT * TABLE_COLUMNS], selected[COUNT * TABLE_COLUMNS];
    const double row[TABLE_COLUMNS] = {0.3, -0.2, 1}, response = 5;
    CHECK(linex_maple_errors(&table, COUNT, rows, 1, responses, weights, row, &response, order, 0.01, errors) ==
          LINEX_OK);

    linex_row_settings row_settings = linex_row_defaults();
    double here[TABLE_COLUMNS], at[TABLE_COLUMNS];
    CHECK(linex_rows_represent(&table, row, &row_settings, COUNT, rows, points) == LINEX_OK);
    CHECK(linex_rows_represent(&table, row, &row_settings, 1, row, here) == LINEX_OK);
    for (size_t kept = 1; kept <= TABLE_COLUMNS; kept++) {
        for (size_t i = 0; i < COUNT; i++)
            for (size_t c = 0; c < kept; c++) selected[i * kept + c] = points[i * TABLE_COLUMNS + order[c]];
        for (size_t c = 0; c < kept; c++) at[c] = here[order[c]];
        linex_samples samples = {COUNT, kept, selected, responses, weights, NULL, COUNT, NULL, NULL, NULL};
        linex_settings settings = linex_preset(LINEX_PAPER);
        settings.method = LINEX_METHOD_LIME;
        settings.selection = LINEX_SELECT_NONE;
        settings.ridge = 0.01;
        settings.draws = 0;
        linex_explanation explanation = {0};
        CHECK(linex_explain(&samples, at, &settings, &explanation) == LINEX_OK);
        double error = response - explanation.local_prediction;
        CHECK_NEAR(errors[kept - 1], error * error, 1e-9);
    }

    /* An infinite weight once made every error NaN; NaN and negative weights were treated as zeros. */
    const double wrong[] = {(double)INFINITY, (double)NAN, -1};
    for (size_t i = 0; i < 3; i++) {
        weights[0] = wrong[i];
        CHECK(linex_maple_errors(&table, COUNT, rows, 1, responses, weights, row, &response, order, 0.01, errors) ==
              LINEX_BAD_ARGUMENT);
    }
    weights[0] = 0;
    const double far = 1e200, nowhere = (double)NAN;
    CHECK(linex_maple_errors(&table, COUNT, rows, 1, responses, weights, row, &far, order, 0.01, errors) ==
          LINEX_OVERFLOW);
    errors[0] = errors[1] = errors[2] = 0;
    CHECK(linex_maple_errors(&table, COUNT, rows, 1, responses, weights, row, &nowhere, order, 0.01, errors) ==
          LINEX_BAD_ARGUMENT);
}

static void bad_arguments_are_rejected(void)
{
    const double rows[] = {1, 2}, huge[] = {1, 1e101}, responses[] = {0, 1}, half[] = {0, 0.5};
    linex_forest_settings settings = linex_forest_defaults(), wrong = settings;
    linex_forest *forest;
    CHECK(linex_forest_new(0, 1, rows, responses, &settings, &forest) == LINEX_BAD_ARGUMENT && !forest);
    CHECK(linex_forest_new(2, 1, huge, responses, &settings, &forest) == LINEX_BAD_ARGUMENT);
    CHECK(linex_forest_new(2, 1, rows, huge, &settings, &forest) == LINEX_BAD_ARGUMENT);
    wrong.classes = 2;
    CHECK(linex_forest_new(2, 1, rows, half, &wrong, &forest) == LINEX_BAD_ARGUMENT);
    CHECK(linex_forest_new(2, 1, rows, rows, &wrong, &forest) == LINEX_BAD_ARGUMENT);
#if SIZE_MAX > UINT32_MAX
    wrong.classes = (size_t)UINT32_MAX + 1; /* labels have 32 bits */
    CHECK(linex_forest_new(2, 1, rows, responses, &wrong, &forest) == LINEX_BAD_ARGUMENT);
#endif
    wrong = settings;
    wrong.min_leaf = 0;
    CHECK(linex_forest_new(2, 1, rows, responses, &wrong, &forest) == LINEX_BAD_ARGUMENT);
    wrong = settings;
    wrong.features = 2;
    CHECK(linex_forest_new(2, 1, rows, responses, &wrong, &forest) == LINEX_BAD_ARGUMENT);
    CHECK(linex_forest_new(2, 1, rows, responses, &settings, NULL) == LINEX_BAD_ARGUMENT);
    CHECK(linex_forest_grow(NULL, 1) == LINEX_BAD_ARGUMENT);
    CHECK(linex_forest_new(2, 1, rows, responses, &settings, &forest) == LINEX_OK);
    linex_trees none = linex_forest_trees(forest);
    CHECK(linex_trees_check(&none) == LINEX_BAD_ARGUMENT);
    double answers[2];
    CHECK(linex_trees_predict(&none, 2, rows, answers) == LINEX_BAD_ARGUMENT);
    linex_forest_free(forest);
    linex_forest_free(NULL);
    const uint32_t leaves[] = {0, UINT32_MAX}; /* adding 1 would wrap to 0 */
    uint32_t sorted[2];
    CHECK(linex_leaves_sort(1, 2, leaves, sorted) == LINEX_BAD_ARGUMENT);
}

enum { SLICED_ROWS = 150, SLICED_COLUMNS = 4 };

static linex_forest *grow_sliced(const double *rows, const double *responses, bool classes, double work)
{
    linex_forest_settings settings = linex_forest_defaults();
    settings.features = 2;
    settings.classes = classes ? 3 : 0;
    linex_forest *forest = NULL;
    linex_task *task = NULL;
    linex_status started =
        linex_forest_start(SLICED_ROWS, SLICED_COLUMNS, rows, responses, &settings, &forest, &task);
    CHECK(run_sliced(started, task, work) == LINEX_OK);
    started = linex_forest_grow_start(forest, 5, &task);
    CHECK(run_sliced(started, task, work) == LINEX_OK);
    /* A tree that is given up leaves no trace. */
    CHECK(linex_forest_grow_start(forest, 1, &task) == LINEX_OK);
    for (int i = 0; i < 9; i++) linex_task_run(task, 1);
    linex_task_free(task);
    CHECK(linex_forest_grow(forest, 1) == LINEX_OK);
    return forest;
}

static bool are_same_trees(linex_trees a, linex_trees b)
{
    return a.trees == b.trees && a.nodes == b.nodes && a.leaves == b.leaves &&
           !memcmp(a.roots, b.roots, a.trees * sizeof *a.roots) &&
           !memcmp(a.features, b.features, a.nodes * sizeof *a.features) &&
           !memcmp(a.thresholds, b.thresholds, a.nodes * sizeof *a.thresholds) &&
           !memcmp(a.rights, b.rights, a.nodes * sizeof *a.rights) &&
           !memcmp(a.gains, b.gains, a.nodes * sizeof *a.gains) &&
           !memcmp(a.values, b.values, a.leaves * a.outputs * sizeof *a.values);
}

static void the_slices_do_not_change_the_trees(void)
{
    static double rows[SLICED_ROWS * SLICED_COLUMNS], responses[SLICED_ROWS];
    linex_random random = linex_random_seed(11);
    for (size_t i = 0; i < SLICED_ROWS * SLICED_COLUMNS; i++) rows[i] = floor(20 * linex_random_uniform(&random));
    for (size_t i = 0; i < SLICED_ROWS; i++) responses[i] = floor(3 * linex_random_uniform(&random));
    for (int classes = 0; classes < 2; classes++) {
        linex_forest_settings settings = linex_forest_defaults();
        settings.features = 2;
        settings.classes = classes ? 3 : 0;
        linex_forest *expected = NULL;
        CHECK(linex_forest_new(SLICED_ROWS, SLICED_COLUMNS, rows, responses, &settings, &expected) == LINEX_OK);
        CHECK(linex_forest_grow(expected, 6) == LINEX_OK);
        for (size_t i = 0; i < SLICE_COUNT; i++) {
            linex_forest *forest = grow_sliced(rows, responses, classes, SLICES[i]);
            CHECK(are_same_trees(linex_forest_trees(forest), linex_forest_trees(expected)));
            linex_forest_free(forest);
        }
        linex_forest_free(expected);
    }
}

int main(void)
{
    RUN(the_first_split_is_the_best_split);
    RUN(a_threshold_is_a_midpoint_and_missing_values_are_the_largest);
    RUN(trees_do_not_depend_on_how_many_a_call_grows);
    RUN(a_forest_can_hold_many_large_or_small_trees);
    RUN(a_row_in_the_same_leaf_weighs_one_over_the_size_of_the_leaf);
    RUN(invalid_trees_are_rejected);
    RUN(maple_errors_are_those_of_one_ridge_regression_per_feature_count);
    RUN(bad_arguments_are_rejected);
    RUN(the_slices_do_not_change_the_trees);
    return checks_failed != 0;
}
