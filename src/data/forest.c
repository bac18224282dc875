#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/sort.h"
#include "base/random.h"
#include "base/alloc.h"
#include "data/split.h"

/* Numbers up to here have squares whose sums are finite. */
static const double LARGEST = 1e100;
static const size_t NONE = SIZE_MAX;

/* A node that waits to be grown. */
struct job {
    size_t first, count; /* which of the tree's rows are in it */
    size_t depth;
    size_t parent; /* whose right child it is; NONE for other nodes */
};

struct linex_forest {
    linex_forest_settings settings;
    linex_ground ground;
    linex_splitter splitter;
    uint32_t *rows, *aside; /* count each: the tree's rows, node after node; room to part them in */
    struct job *jobs;       /* count: no more nodes wait than there are rows */
    size_t trees, nodes, leaves, tree_room, node_room, leaf_room;
    uint32_t *roots, *features, *rights;
    double *thresholds, *gains, *values;
};

linex_forest_settings linex_forest_defaults(void)
{
    return (linex_forest_settings){.outputs = 1, .min_leaf = 1, .bootstrap = true};
}

static bool are_rows_good(size_t count, size_t width, const double *rows)
{
    for (size_t i = 0; i < count * width; i++)
        if (fabs(rows[i]) > LARGEST) return false;
    return true;
}

static bool are_responses_good(size_t count, const double *responses, const linex_forest_settings *settings)
{
    size_t classes = settings->classes, numbers = classes ? count : count * settings->outputs;
    for (size_t i = 0; i < numbers; i++) {
        double response = responses[i];
        bool good = classes ? response >= 0 && response < (double)classes && response == floor(response)
                            : fabs(response) <= LARGEST;
        if (!good) return false;
    }
    return true;
}

/* The distinct ones of sorted numbers, in place. Returns how many. */
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

static void rank_column(linex_ground *ground, const double *rows, size_t column)
{
    size_t count = ground->count, numbers = 0;
    double *sorted = ground->sorted + column * count;
    for (size_t i = 0; i < count; i++) {
        double value = rows[i * ground->width + column];
        if (!isnan(value)) sorted[numbers++] = value;
    }
    linex_sort(numbers, sorted);
    size_t distinct = drop_repeated(numbers, sorted);
    if (numbers < count) sorted[distinct] = NAN;
    for (size_t i = 0; i < count; i++) {
        double value = rows[i * ground->width + column];
        uint32_t rank = isnan(value) ? (uint32_t)distinct : rank_among(distinct, sorted, value);
        ground->ranks[column * count + i] = rank;
    }
}

static void copy_responses(linex_ground *ground, const double *responses)
{
    size_t count = ground->count, outputs = ground->outputs;
    if (ground->labels) {
        for (size_t i = 0; i < count; i++) ground->labels[i] = (uint32_t)responses[i];
        return;
    }
    memcpy(ground->responses, responses, count * outputs * sizeof *responses);
    for (size_t i = 0; i < count * outputs; i++) ground->means[i % outputs] += responses[i] / (double)count;
}

/* Whether there is room for everything; what there is not is NULL. */
static bool take_room(linex_forest *forest)
{
    linex_ground *ground = &forest->ground;
    linex_splitter *splitter = &forest->splitter;
    double count = (double)ground->count, width = (double)ground->width, outputs = (double)ground->outputs;
    bool classes = forest->settings.classes > 0;
    ground->ranks = linex_alloc_items(count * width, sizeof *ground->ranks);
    ground->sorted = linex_alloc_doubles(count * width);
    ground->responses = classes ? NULL : linex_alloc_doubles(count * outputs);
    ground->labels = classes ? linex_alloc_items(count, sizeof *ground->labels) : NULL;
    ground->means = linex_alloc_doubles(outputs);
    splitter->copies = linex_alloc_items(count, sizeof *splitter->copies);
    splitter->order = linex_alloc_items(width, sizeof *splitter->order);
    splitter->items = linex_alloc_items(count, sizeof *splitter->items);
    splitter->spare = linex_alloc_items(count, sizeof *splitter->spare);
    splitter->total = linex_alloc_doubles(outputs);
    splitter->left = linex_alloc_doubles(outputs);
    forest->rows = linex_alloc_items(count, sizeof *forest->rows);
    forest->aside = linex_alloc_items(count, sizeof *forest->aside);
    forest->jobs = linex_alloc_items(count, sizeof *forest->jobs);
    return ground->ranks && ground->sorted && (classes ? ground->labels != NULL : ground->responses != NULL) &&
           ground->means && splitter->copies && splitter->order && splitter->items && splitter->spare &&
           splitter->total && splitter->left && forest->rows && forest->aside && forest->jobs;
}

linex_status linex_forest_new(size_t count, size_t width, const double *rows, const double *responses,
                              const linex_forest_settings *settings, linex_forest **forest)
{
    if (!forest) return LINEX_BAD_ARGUMENT;
    *forest = NULL;
    if (!count || !width || count > UINT32_MAX / 2 || width >= LINEX_LEAF || !rows || !responses || !settings)
        return LINEX_BAD_ARGUMENT;
    if (!settings->min_leaf || !(settings->outputs || settings->classes) || settings->features > width ||
        settings->classes > UINT32_MAX)
        return LINEX_BAD_ARGUMENT;
    if (!are_rows_good(count, width, rows) || !are_responses_good(count, responses, settings))
        return LINEX_BAD_ARGUMENT;
    linex_forest *made = calloc(1, sizeof *made);
    if (!made) return LINEX_NO_MEMORY;
    made->settings = *settings;
    made->ground.count = count;
    made->ground.width = width;
    made->ground.outputs = settings->classes ? settings->classes : settings->outputs;
    made->splitter.ground = &made->ground;
    made->splitter.min_leaf = settings->min_leaf;
    made->splitter.tried = settings->features ? settings->features : width;
    if (!take_room(made)) {
        linex_forest_free(made);
        return LINEX_NO_MEMORY;
    }
    for (size_t column = 0; column < width; column++) rank_column(&made->ground, rows, column);
    copy_responses(&made->ground, responses);
    *forest = made;
    return LINEX_OK;
}

void linex_forest_free(linex_forest *forest)
{
    if (!forest) return;
    void *const rooms[] = {forest->ground.ranks,   forest->ground.sorted,  forest->ground.responses,
                           forest->ground.labels,  forest->ground.means,   forest->splitter.copies,
                           forest->splitter.order, forest->splitter.items, forest->splitter.spare,
                           forest->splitter.total, forest->splitter.left,  forest->rows,
                           forest->aside,          forest->jobs,           forest->roots,
                           forest->features,       forest->rights,         forest->thresholds,
                           forest->gains,          forest->values};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) free(rooms[i]);
    free(forest);
}

/* Whether an array could be made that large; it is as it was if not. */
static bool widen(void **array, double count, size_t size)
{
    if (!(count <= (double)(SIZE_MAX / 2 / size))) return false;
    void *wider = realloc(*array, (size_t)count * size);
    if (wider) *array = wider;
    return wider != NULL;
}

static linex_status reserve_nodes(linex_forest *forest, double nodes)
{
    if (nodes <= (double)forest->node_room) return LINEX_OK;
    nodes += (double)(forest->node_room / 2);
    bool enough = widen((void **)&forest->features, nodes, sizeof *forest->features) &&
                  widen((void **)&forest->rights, nodes, sizeof *forest->rights) &&
                  widen((void **)&forest->thresholds, nodes, sizeof *forest->thresholds) &&
                  widen((void **)&forest->gains, nodes, sizeof *forest->gains);
    if (!enough) return LINEX_NO_MEMORY;
    forest->node_room = (size_t)nodes;
    return LINEX_OK;
}

static linex_status reserve_leaves(linex_forest *forest, double leaves)
{
    if (leaves <= (double)forest->leaf_room) return LINEX_OK;
    leaves += (double)(forest->leaf_room / 2);
    if (!widen((void **)&forest->values, leaves * (double)forest->ground.outputs, sizeof *forest->values))
        return LINEX_NO_MEMORY;
    forest->leaf_room = (size_t)leaves;
    return LINEX_OK;
}

/* Room for another tree, whatever it will be like: at most one leaf a row. So nothing can fail while it grows. */
static linex_status reserve_tree(linex_forest *forest)
{
    double count = (double)forest->ground.count, nodes = (double)forest->nodes + 2 * count;
    if (nodes >= (double)LINEX_LEAF) return LINEX_NO_MEMORY;
    if (forest->trees == forest->tree_room) {
        size_t trees = 2 * forest->tree_room + 1;
        if (!widen((void **)&forest->roots, (double)trees, sizeof *forest->roots)) return LINEX_NO_MEMORY;
        forest->tree_room = trees;
    }
    linex_status status = reserve_nodes(forest, nodes);
    return status ? status : reserve_leaves(forest, (double)forest->leaves + count);
}

/* Returns how many rows the tree will see, each once, ascending. */
static size_t draw_rows(linex_forest *forest, linex_random *random)
{
    size_t count = forest->ground.count, there = 0;
    uint32_t *copies = forest->splitter.copies;
    for (size_t i = 0; i < count; i++) copies[i] = forest->settings.bootstrap ? 0 : 1;
    if (forest->settings.bootstrap)
        for (size_t i = 0; i < count; i++) copies[linex_random_below(random, (uint32_t)count)]++;
    for (size_t i = 0; i < count; i++)
        if (copies[i]) forest->rows[there++] = (uint32_t)i;
    return there;
}

/* What a leaf answers. Where all of its rows say the same, exactly that. */
static void write_leaf(linex_forest *forest, size_t node, const linex_node_sums *sums, uint32_t first)
{
    const linex_ground *ground = &forest->ground;
    double *value = forest->values + forest->leaves * ground->outputs;
    for (size_t o = 0; o < ground->outputs; o++) {
        double share = forest->splitter.total[o] / sums->copies;
        if (ground->labels)
            value[o] = share;
        else
            value[o] = sums->pure ? ground->responses[first * ground->outputs + o] : ground->means[o] + share;
    }
    forest->features[node] = LINEX_LEAF;
    forest->thresholds[node] = forest->gains[node] = 0;
    forest->rights[node] = (uint32_t)forest->leaves++;
}

/* Brings the rows below the cut to the front, both sides in their order. Returns how many are below. */
static size_t part_rows(linex_forest *forest, const struct job *job, const linex_split *split)
{
    const uint32_t *ranks = forest->ground.ranks + (size_t)split->column * forest->ground.count;
    uint32_t *rows = forest->rows + job->first;
    size_t below = 0, above = 0;
    for (size_t i = 0; i < job->count; i++) {
        if (ranks[rows[i]] <= split->below)
            rows[below++] = rows[i];
        else
            forest->aside[above++] = rows[i];
    }
    memcpy(rows + below, forest->aside, above * sizeof *rows);
    return below;
}

static void write_split(linex_forest *forest, size_t node, const linex_node_sums *sums, const linex_split *split,
                        double all_copies)
{
    double outputs = forest->ground.labels ? 1 : (double)forest->ground.outputs;
    double gain = (split->score - sums->squares / sums->copies) / all_copies / outputs;
    forest->features[node] = split->column;
    forest->thresholds[node] = linex_split_threshold(&forest->ground, split);
    forest->gains[node] = gain > 0 ? gain : 0;
}

static void grow_tree(linex_forest *forest, linex_random *random)
{
    const linex_forest_settings *settings = &forest->settings;
    size_t waiting = 1;
    for (size_t c = 0; c < forest->ground.width; c++) forest->splitter.order[c] = (uint32_t)c;
    forest->roots[forest->trees] = (uint32_t)forest->nodes;
    forest->jobs[0] = (struct job){0, draw_rows(forest, random), 0, NONE};
    while (waiting) {
        struct job job = forest->jobs[--waiting];
        const uint32_t *rows = forest->rows + job.first;
        size_t node = forest->nodes++;
        if (job.parent != NONE) forest->rights[job.parent] = (uint32_t)node;
        linex_node_sums sums = linex_node_sum(&forest->splitter, job.count, rows);
        linex_split split;
        bool may_split =
            !sums.pure && job.count / 2 >= settings->min_leaf && (!settings->depth || job.depth < settings->depth);
        if (!may_split || !linex_split_find(&forest->splitter, &sums, job.count, rows, random, &split)) {
            write_leaf(forest, node, &sums, rows[0]);
            continue;
        }
        write_split(forest, node, &sums, &split, (double)forest->ground.count);
        size_t below = part_rows(forest, &job, &split);
        /* The left one is taken first, and so stands right after its parent. */
        forest->jobs[waiting++] = (struct job){job.first + below, job.count - below, job.depth + 1, node};
        forest->jobs[waiting++] = (struct job){job.first, below, job.depth + 1, NONE};
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
    return (linex_trees){forest->ground.width, forest->ground.outputs, forest->trees,    forest->nodes,
                         forest->leaves,       forest->roots,          forest->features, forest->thresholds,
                         forest->rights,       forest->gains,          forest->values};
}
