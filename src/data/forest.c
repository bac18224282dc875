/* forest.c: random forests, grown with CART. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/sort.h"
#include "base/random.h"
#include "base/alloc.h"
#include "base/task.h"
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

/* ---- a forest without trees ---- */

struct forest_task {
    linex_task task;
    linex_cursor at; /* row: the next column to rank */
    const double *rows, *responses;
    linex_forest *made, **forest;
};

static void rank_next_column(void *state, size_t column)
{
    const struct forest_task *job = state;
    rank_column(&job->made->training, job->rows, column);
}

static linex_status advance_forest(linex_task *task, linex_slice *slice)
{
    struct forest_task *job = (struct forest_task *)task;
    const linex_training_set *training = &job->made->training;
    double work = 200 * (double)training->count;
    if (linex_steps_advance(training->columns, work, rank_next_column, job, &job->at, slice)) return LINEX_UNFINISHED;
    copy_responses(&job->made->training, job->responses);
    *job->forest = job->made;
    job->made = NULL;
    return LINEX_OK;
}

static double forest_progress(const linex_task *task)
{
    const struct forest_task *job = (const struct forest_task *)task;
    return (double)job->at.row / (double)job->made->training.columns;
}

static void release_forest(linex_task *task)
{
    linex_forest_free(((struct forest_task *)task)->made);
    free(task);
}

/* Makes a forest whose columns are not ranked yet, or NULL. */
static linex_forest *make_forest(size_t count, size_t columns, const linex_forest_settings *settings)
{
    linex_forest *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->settings = *settings;
    made->training.count = count;
    made->training.columns = columns;
    made->training.outputs = settings->classes ? settings->classes : settings->outputs;
    made->splitter.training = &made->training;
    made->splitter.min_leaf = settings->min_leaf;
    made->splitter.tried = settings->features ? settings->features : columns;
    if (allocate_arrays(made)) return made;
    linex_forest_free(made);
    return NULL;
}

linex_status linex_forest_start(size_t count, size_t columns, const double *rows, const double *responses,
                                const linex_forest_settings *settings, linex_forest **forest, linex_task **task)
{
    if (!forest || !task) return LINEX_BAD_ARGUMENT;
    *forest = NULL;
    if (!count || !columns || count > UINT32_MAX / 2 || columns >= LINEX_LEAF || !rows || !responses || !settings)
        return LINEX_BAD_ARGUMENT;
    if (!settings->min_leaf || !(settings->outputs || settings->classes) || settings->features > columns ||
        settings->classes > UINT32_MAX)
        return LINEX_BAD_ARGUMENT;
    if (!are_rows_valid(count, columns, rows) || !are_responses_valid(count, responses, settings))
        return LINEX_BAD_ARGUMENT;
    linex_forest *made = make_forest(count, columns, settings);
    struct forest_task *job = calloc(1, sizeof *job);
    if (!made || !job) {
        linex_forest_free(made);
        free(job);
        return LINEX_NO_MEMORY;
    }
    *job = (struct forest_task){.rows = rows, .responses = responses, .made = made, .forest = forest};
    job->task = (linex_task){advance_forest, forest_progress, release_forest, LINEX_UNFINISHED, 0};
    *task = &job->task;
    return LINEX_OK;
}

linex_status linex_forest_new(size_t count, size_t columns, const double *rows, const double *responses,
                              const linex_forest_settings *settings, linex_forest **forest)
{
    linex_task *task = NULL;
    linex_status started = linex_forest_start(count, columns, rows, responses, settings, forest, &task);
    return linex_task_finish(started, task);
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

/* ---- growing ---- */

struct growth {
    linex_task task;
    linex_forest *forest;
    size_t wanted, grown; /* trees */
    size_t nodes, leaves; /* of the complete trees */
    size_t pending_count; /* nodes of the current tree; 0 between two trees */
    linex_random random;  /* of the current tree */
    linex_node_sums sums; /* of the current node */
    linex_split split;
    bool splitting;  /* whether the sums of the current node are known */
    linex_cursor at; /* in the search for its split */
};

static linex_status start_tree(struct growth *growth)
{
    linex_forest *forest = growth->forest;
    linex_status status = reserve_tree(forest);
    if (status) return status;
    linex_random all = linex_random_seed(forest->settings.seed);
    growth->random = linex_random_split(&all, forest->trees);
    for (size_t c = 0; c < forest->training.columns; c++) forest->splitter.order[c] = (uint32_t)c;
    forest->roots[forest->trees] = (uint32_t)forest->nodes;
    forest->pending[0] = (struct pending_node){0, draw_rows(forest, &growth->random), 0, NO_PARENT};
    growth->pending_count = 1;
    return LINEX_OK;
}

/* Writes the current node, which becomes a leaf if no split was found. */
static void write_node(struct growth *growth)
{
    linex_forest *forest = growth->forest;
    struct pending_node next = forest->pending[--growth->pending_count];
    size_t node = forest->nodes++;
    if (next.parent != NO_PARENT) forest->rights[next.parent] = (uint32_t)node;
    if (!(growth->split.score > -INFINITY)) {
        write_leaf(forest, node, &growth->sums, forest->rows[next.first]);
        return;
    }
    write_split(forest, node, &growth->sums, &growth->split, (double)forest->training.count);
    size_t below = partition_rows(forest, &next, &growth->split);
    /* The left child is taken first, so it directly follows its parent. */
    forest->pending[growth->pending_count++] =
        (struct pending_node){next.first + below, next.count - below, next.depth + 1, node};
    forest->pending[growth->pending_count++] = (struct pending_node){next.first, below, next.depth + 1, NO_PARENT};
}

static linex_status grow_node(struct growth *growth, linex_slice *slice)
{
    linex_forest *forest = growth->forest;
    const linex_forest_settings *settings = &forest->settings;
    const struct pending_node *next = forest->pending + growth->pending_count - 1;
    const uint32_t *rows = forest->rows + next->first;
    if (!growth->splitting) {
        if (!linex_slice_take(slice, 8 * (double)next->count)) return LINEX_UNFINISHED;
        growth->sums = linex_node_sum(&forest->splitter, next->count, rows);
        growth->splitting = true;
    }
    growth->split.score = growth->at.row ? growth->split.score : -INFINITY;
    bool may_split = !growth->sums.pure && next->count / 2 >= settings->min_leaf &&
                     (!settings->depth || next->depth < settings->depth);
    if (may_split && linex_split_advance(&forest->splitter, &growth->sums, next->count, rows, &growth->random,
                                         &growth->split, &growth->at, slice))
        return LINEX_UNFINISHED;
    growth->splitting = false;
    write_node(growth);
    return LINEX_OK;
}

static linex_status advance_growth(linex_task *task, linex_slice *slice)
{
    struct growth *growth = (struct growth *)task;
    linex_forest *forest = growth->forest;
    for (; growth->grown < growth->wanted; growth->grown++) {
        if (!growth->pending_count) {
            if (!linex_slice_take(slice, 8 * (double)forest->training.count)) return LINEX_UNFINISHED;
            linex_status status = start_tree(growth);
            if (status) return status;
        }
        while (growth->pending_count)
            if (grow_node(growth, slice)) return LINEX_UNFINISHED;
        forest->trees++;
        growth->nodes = forest->nodes;
        growth->leaves = forest->leaves;
    }
    return LINEX_OK;
}

static double growth_progress(const linex_task *task)
{
    const struct growth *growth = (const struct growth *)task;
    return (double)growth->grown / (double)growth->wanted;
}

/* Drops the tree that is not complete. */
static void release_growth(linex_task *task)
{
    struct growth *growth = (struct growth *)task;
    growth->forest->nodes = growth->nodes;
    growth->forest->leaves = growth->leaves;
    free(growth);
}

linex_status linex_forest_grow_start(linex_forest *forest, size_t trees, linex_task **task)
{
    if (!forest || !task) return LINEX_BAD_ARGUMENT;
    struct growth *made = calloc(1, sizeof *made);
    if (!made) return LINEX_NO_MEMORY;
    *made = (struct growth){.forest = forest, .wanted = trees, .nodes = forest->nodes, .leaves = forest->leaves};
    made->task = (linex_task){advance_growth, growth_progress, release_growth, LINEX_UNFINISHED, 0};
    *task = &made->task;
    return LINEX_OK;
}

linex_status linex_forest_grow(linex_forest *forest, size_t trees)
{
    linex_task *task = NULL;
    linex_status started = linex_forest_grow_start(forest, trees, &task);
    return linex_task_finish(started, task);
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
