/* forest.c: random forests, grown with CART. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/sort.h"
#include "base/random.h"
#include "base/alloc.h"
#include "data/split.h"

/* Sums of squares of numbers up to this size are finite. */
static const double MAX_VALUE = 1e100;
static const size_t NO_PARENT = SIZE_MAX;

/* A node that has not been grown yet. */
struct pending_node {
    size_t first, count; /* the range of the tree's rows that are in it */
    size_t depth;
    size_t parent; /* the node whose right child it is; NO_PARENT if it is not a right child */
};

struct linex_forest {
    linex_forest_settings settings;
    linex_training_set training;
    linex_splitter splitter;
    uint32_t *rows;               /* count: the tree's rows, node after node */
    uint32_t *scratch_rows;       /* count: memory for partition_rows */
    struct pending_node *pending; /* count: there are never more pending nodes than rows */
    size_t trees, nodes, leaves, tree_capacity, node_capacity, leaf_capacity;
    uint32_t *roots, *features, *rights;
    double *thresholds, *gains, *values;
};

linex_forest_settings linex_forest_defaults(void)
{
    return (linex_forest_settings){.outputs = 1, .min_leaf = 1, .bootstrap = true};
}

static bool are_rows_valid(size_t count, size_t columns, const double *rows)
{
    for (size_t i = 0; i < count * columns; i++)
        if (fabs(rows[i]) > MAX_VALUE) return false;
    return true;
}

static bool are_responses_valid(size_t count, const double *responses, const linex_forest_settings *settings)
{
    size_t classes = settings->classes, numbers = classes ? count : count * settings->outputs;
    for (size_t i = 0; i < numbers; i++) {
        double response = responses[i];
        bool valid = classes ? response >= 0 && response < (double)classes && response == floor(response)
                             : fabs(response) <= MAX_VALUE;
        if (!valid) return false;
    }
    return true;
}

/* Removes repeated values from sorted numbers, in place. Returns the number of distinct values. */
static size_t drop_repeated(size_t count, double *sorted)
{
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++)
        if (distinct == 0 || sorted[i] != sorted[distinct - 1]) sorted[distinct++] = sorted[i];
    return distinct;
}

static uint32_t rank_among(size_t distinct, const double *sorted, double value)
{
    size_t low = 0, high = distinct;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void rank_column(linex_training_set *training, const double *rows, size_t column)
{
    size_t count = training->count, numbers = 0;
    double *sorted = training->sorted + column * count;
    for (size_t i = 0; i < count; i++) {
        double value = rows[i * training->columns + column];
        if (!isnan(value)) sorted[numbers++] = value;
    }
    linex_sort(numbers, sorted);
    size_t distinct = drop_repeated(numbers, sorted);
    if (numbers < count) sorted[distinct] = NAN;
    for (size_t i = 0; i < count; i++) {
        double value = rows[i * training->columns + column];
        uint32_t rank = isnan(value) ? (uint32_t)distinct : rank_among(distinct, sorted, value);
        training->ranks[column * count + i] = rank;
    }
}

static void copy_responses(linex_training_set *training, const double *responses)
{
    size_t count = training->count, outputs = training->outputs;
    if (training->labels) {
        for (size_t i = 0; i < count; i++) training->labels[i] = (uint32_t)responses[i];
        return;
    }
    memcpy(training->responses, responses, count * outputs * sizeof *responses);
    for (size_t i = 0; i < count * outputs; i++) training->means[i % outputs] += responses[i] / (double)count;
}

/* Allocates all arrays. Returns false if an array could not be allocated; that array is then NULL. */
static bool allocate_arrays(linex_forest *forest)
{
    linex_training_set *training = &forest->training;
    linex_splitter *splitter = &forest->splitter;
    double count = (double)training->count, columns = (double)training->columns, outputs = (double)training->outputs;
    bool classes = forest->settings.classes > 0;
    training->ranks = linex_alloc_items(count * columns, sizeof *training->ranks);
    training->sorted = linex_alloc_doubles(count * columns);
    training->responses = classes ? NULL : linex_alloc_doubles(count * outputs);
    training->labels = classes ? linex_alloc_items(count, sizeof *training->labels) : NULL;
    training->means = linex_alloc_doubles(outputs);
    splitter->copies = linex_alloc_items(count, sizeof *splitter->copies);
    splitter->order = linex_alloc_items(columns, sizeof *splitter->order);
    splitter->items = linex_alloc_items(count, sizeof *splitter->items);
    splitter->spare = linex_alloc_items(count, sizeof *splitter->spare);
    splitter->total = linex_alloc_doubles(outputs);
    splitter->left = linex_alloc_doubles(outputs);
    forest->rows = linex_alloc_items(count, sizeof *forest->rows);
    forest->scratch_rows = linex_alloc_items(count, sizeof *forest->scratch_rows);
    forest->pending = linex_alloc_items(count, sizeof *forest->pending);
    return training->ranks && training->sorted &&
           (classes ? training->labels != NULL : training->responses != NULL) && training->means &&
           splitter->copies && splitter->order && splitter->items && splitter->spare && splitter->total &&
           splitter->left && forest->rows && forest->scratch_rows && forest->pending;
}

linex_status linex_forest_new(size_t count, size_t columns, const double *rows, const double *responses,
                              const linex_forest_settings *settings, linex_forest **forest)
{
    if (!forest) return LINEX_BAD_ARGUMENT;
    *forest = NULL;
    if (!count || !columns || count > UINT32_MAX / 2 || columns >= LINEX_LEAF || !rows || !responses || !settings)
        return LINEX_BAD_ARGUMENT;
    if (!settings->min_leaf || !(settings->outputs || settings->classes) || settings->features > columns ||
        settings->classes > UINT32_MAX)
        return LINEX_BAD_ARGUMENT;
    if (!are_rows_valid(count, columns, rows) || !are_responses_valid(count, responses, settings))
        return LINEX_BAD_ARGUMENT;
    linex_forest *made = calloc(1, sizeof *made);
    if (!made) return LINEX_NO_MEMORY;
    made->settings = *settings;
    made->training.count = count;
    made->training.columns = columns;
    made->training.outputs = settings->classes ? settings->classes : settings->outputs;
    made->splitter.training = &made->training;
    made->splitter.min_leaf = settings->min_leaf;
    made->splitter.tried = settings->features ? settings->features : columns;
    if (!allocate_arrays(made)) {
        linex_forest_free(made);
        return LINEX_NO_MEMORY;
    }
    for (size_t column = 0; column < columns; column++) rank_column(&made->training, rows, column);
    copy_responses(&made->training, responses);
    *forest = made;
    return LINEX_OK;
}

void linex_forest_free(linex_forest *forest)
{
    if (!forest) return;
    void *const arrays[] = {forest->training.ranks,  forest->training.sorted, forest->training.responses,
                            forest->training.labels, forest->training.means,  forest->splitter.copies,
                            forest->splitter.order,  forest->splitter.items,  forest->splitter.spare,
                            forest->splitter.total,  forest->splitter.left,   forest->rows,
                            forest->scratch_rows,    forest->pending,         forest->roots,
                            forest->features,        forest->rights,          forest->thresholds,
                            forest->gains,           forest->values};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    free(forest);
}

/* Resizes an array. Returns false, and leaves the array unchanged, if there is not enough memory. */
static bool resize(void **array, double count, size_t size)
{
    if (!(count <= (double)(SIZE_MAX / 2 / size))) return false;
    void *resized = realloc(*array, (size_t)count * size);
    if (resized) *array = resized;
    return resized != NULL;
}

static linex_status reserve_nodes(linex_forest *forest, double nodes)
{
    if (nodes <= (double)forest->node_capacity) return LINEX_OK;
    nodes += (double)(forest->node_capacity / 2);
    bool enough = resize((void **)&forest->features, nodes, sizeof *forest->features) &&
                  resize((void **)&forest->rights, nodes, sizeof *forest->rights) &&
                  resize((void **)&forest->thresholds, nodes, sizeof *forest->thresholds) &&
                  resize((void **)&forest->gains, nodes, sizeof *forest->gains);
    if (!enough) return LINEX_NO_MEMORY;
    forest->node_capacity = (size_t)nodes;
    return LINEX_OK;
}

static linex_status reserve_leaves(linex_forest *forest, double leaves)
{
    if (leaves <= (double)forest->leaf_capacity) return LINEX_OK;
    leaves += (double)(forest->leaf_capacity / 2);
    if (!resize((void **)&forest->values, leaves * (double)forest->training.outputs, sizeof *forest->values))
        return LINEX_NO_MEMORY;
    forest->leaf_capacity = (size_t)leaves;
    return LINEX_OK;
}

/* Reserves memory for the largest possible tree, which has one leaf per row. So growing the tree cannot fail. */
static linex_status reserve_tree(linex_forest *forest)
{
    double count = (double)forest->training.count, nodes = (double)forest->nodes + 2 * count;
    if (nodes >= (double)LINEX_LEAF) return LINEX_NO_MEMORY;
    if (forest->trees == forest->tree_capacity) {
        size_t trees = 2 * forest->tree_capacity + 1;
        if (!resize((void **)&forest->roots, (double)trees, sizeof *forest->roots)) return LINEX_NO_MEMORY;
        forest->tree_capacity = trees;
    }
    linex_status status = reserve_nodes(forest, nodes);
    return status ? status : reserve_leaves(forest, (double)forest->leaves + count);
}

/* Draws the rows of a tree, distinct and ascending. Returns how many there are. */
static size_t draw_rows(linex_forest *forest, linex_random *random)
{
    size_t count = forest->training.count, distinct = 0;
    uint32_t *copies = forest->splitter.copies;
    for (size_t i = 0; i < count; i++) copies[i] = forest->settings.bootstrap ? 0 : 1;
    if (forest->settings.bootstrap)
        for (size_t i = 0; i < count; i++) copies[linex_random_below(random, (uint32_t)count)]++;
    for (size_t i = 0; i < count; i++)
        if (copies[i]) forest->rows[distinct++] = (uint32_t)i;
    return distinct;
}

/* Writes the answer of a leaf. If all its responses are equal, the answer is exactly that response. */
static void write_leaf(linex_forest *forest, size_t node, const linex_node_sums *sums, uint32_t first)
{
    const linex_training_set *training = &forest->training;
    double *value = forest->values + forest->leaves * training->outputs;
    for (size_t o = 0; o < training->outputs; o++) {
        double share = forest->splitter.total[o] / sums->copies;
        if (training->labels)
            value[o] = share;
        else
            value[o] = sums->pure ? training->responses[first * training->outputs + o] : training->means[o] + share;
    }
    forest->features[node] = LINEX_LEAF;
    forest->thresholds[node] = forest->gains[node] = 0;
    forest->rights[node] = (uint32_t)forest->leaves++;
}

/* Moves the rows below the split to the front; both sides keep their order. Returns how many rows are below. */
static size_t partition_rows(linex_forest *forest, const struct pending_node *node, const linex_split *split)
{
    const uint32_t *ranks = forest->training.ranks + (size_t)split->column * forest->training.count;
    uint32_t *rows = forest->rows + node->first;
    size_t below = 0, above = 0;
    for (size_t i = 0; i < node->count; i++) {
        if (ranks[rows[i]] <= split->below)
            rows[below++] = rows[i];
        else
            forest->scratch_rows[above++] = rows[i];
    }
    memcpy(rows + below, forest->scratch_rows, above * sizeof *rows);
    return below;
}

static void write_split(linex_forest *forest, size_t node, const linex_node_sums *sums, const linex_split *split,
                        double all_copies)
{
    double outputs = forest->training.labels ? 1 : (double)forest->training.outputs;
    double gain = (split->score - sums->squares / sums->copies) / all_copies / outputs;
    forest->features[node] = split->column;
    forest->thresholds[node] = linex_split_threshold(&forest->training, split);
    forest->gains[node] = gain > 0 ? gain : 0;
}

static void grow_tree(linex_forest *forest, linex_random *random)
{
    const linex_forest_settings *settings = &forest->settings;
    size_t pending_count = 1;
    for (size_t c = 0; c < forest->training.columns; c++) forest->splitter.order[c] = (uint32_t)c;
    forest->roots[forest->trees] = (uint32_t)forest->nodes;
    forest->pending[0] = (struct pending_node){0, draw_rows(forest, random), 0, NO_PARENT};
    while (pending_count) {
        struct pending_node next = forest->pending[--pending_count];
        const uint32_t *rows = forest->rows + next.first;
        size_t node = forest->nodes++;
        if (next.parent != NO_PARENT) forest->rights[next.parent] = (uint32_t)node;
        linex_node_sums sums = linex_node_sum(&forest->splitter, next.count, rows);
        linex_split split;
        bool may_split =
            !sums.pure && next.count / 2 >= settings->min_leaf && (!settings->depth || next.depth < settings->depth);
        if (!may_split || !linex_split_find(&forest->splitter, &sums, next.count, rows, random, &split)) {
            write_leaf(forest, node, &sums, rows[0]);
            continue;
        }
        write_split(forest, node, &sums, &split, (double)forest->training.count);
        size_t below = partition_rows(forest, &next, &split);
        /* The left child is taken first, so it directly follows its parent. */
        forest->pending[pending_count++] =
            (struct pending_node){next.first + below, next.count - below, next.depth + 1, node};
        forest->pending[pending_count++] = (struct pending_node){next.first, below, next.depth + 1, NO_PARENT};
    }
    forest->trees++;
}

linex_status linex_forest_grow(linex_forest *forest, size_t trees)
{
    if (!forest) return LINEX_BAD_ARGUMENT;
    linex_random all = linex_random_seed(forest->settings.seed);
    for (size_t i = 0; i < trees; i++) {
        linex_status status = reserve_tree(forest);
        if (status) return status;
        linex_random random = linex_random_split(&all, forest->trees);
        grow_tree(forest, &random);
    }
    return LINEX_OK;
}

linex_trees linex_forest_trees(const linex_forest *forest)
{
    return (linex_trees){forest->training.columns,
                         forest->training.outputs,
                         forest->trees,
                         forest->nodes,
                         forest->leaves,
                         forest->roots,
                         forest->features,
                         forest->thresholds,
                         forest->rights,
                         forest->gains,
                         forest->values};
}
