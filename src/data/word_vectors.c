/* word_vectors.c: lengths of word vectors, and the nearest words by cosine similarity. */
#include <math.h>
#include <stdlib.h>

#include "linex.h"
#include "base/alloc.h"
#include "base/task.h"

static const float *vector_at(const linex_word_vectors *vectors, size_t index)
{
    return vectors->blocks[index / vectors->words_per_block] + index % vectors->words_per_block * vectors->dimensions;
}

/* A product of two floats is exact in a double. There are four running sums, because with one sum each addition waits
 * for the previous one. */
static double dot(size_t dimensions, const float *a, const float *b)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t i = 0;
    for (; i + 4 <= dimensions; i += 4) {
        s0 += (double)a[i] * (double)b[i];
        s1 += (double)a[i + 1] * (double)b[i + 1];
        s2 += (double)a[i + 2] * (double)b[i + 2];
        s3 += (double)a[i + 3] * (double)b[i + 3];
    }
    for (; i < dimensions; i++) s0 += (double)a[i] * (double)b[i];
    return (s0 + s1) + (s2 + s3);
}

static bool are_vectors(const linex_word_vectors *vectors)
{
    return vectors && vectors->dimensions && vectors->words_per_block && vectors->blocks &&
           vectors->count < UINT32_MAX;
}

linex_status linex_word_vectors_measure(const linex_word_vectors *vectors, double *squares)
{
    if (!are_vectors(vectors) || !squares) return LINEX_BAD_ARGUMENT;
    for (size_t i = 0; i < vectors->count; i++) {
        const float *vector = vector_at(vectors, i);
        squares[i] = dot(vectors->dimensions, vector, vector);
        if (!isfinite(squares[i])) return LINEX_BAD_ARGUMENT;
    }
    return LINEX_OK;
}

/* The nearest words so far, as a heap with the farthest word at the top. */
typedef struct {
    size_t size;
    uint32_t *words;
    double *cosines;
} nearest_heap;

/* If two words are equally near, the later word counts as farther, so the order is unique. */
static bool is_farther(const nearest_heap *heap, size_t a, size_t b)
{
    if (heap->cosines[a] != heap->cosines[b]) return heap->cosines[a] < heap->cosines[b];
    return heap->words[a] > heap->words[b];
}

static void swap_words(nearest_heap *heap, size_t a, size_t b)
{
    uint32_t word = heap->words[a];
    double cosine = heap->cosines[a];
    heap->words[a] = heap->words[b];
    heap->cosines[a] = heap->cosines[b];
    heap->words[b] = word;
    heap->cosines[b] = cosine;
}

static void sink(nearest_heap *heap, size_t from)
{
    for (;;) {
        size_t left = 2 * from + 1, right = left + 1, farthest = from;
        if (left < heap->size && is_farther(heap, left, farthest)) farthest = left;
        if (right < heap->size && is_farther(heap, right, farthest)) farthest = right;
        if (farthest == from) return;
        swap_words(heap, from, farthest);
        from = farthest;
    }
}

static void offer(nearest_heap *heap, size_t max_words, uint32_t word, double cosine)
{
    if (heap->size < max_words) {
        size_t place = heap->size++;
        heap->words[place] = word;
        heap->cosines[place] = cosine;
        for (; place > 0 && is_farther(heap, place, (place - 1) / 2); place = (place - 1) / 2)
            swap_words(heap, place, (place - 1) / 2);
    } else if (cosine > heap->cosines[0]) {
        /* Words come in order, so a word that is only as near as the farthest one comes later and is dropped. */
        heap->words[0] = word;
        heap->cosines[0] = cosine;
        sink(heap, 0);
    }
}

/* Sorts the words, nearest first: repeatedly moves the farthest to the end. */
static void sort_words(nearest_heap *heap)
{
    for (; heap->size > 1; sink(heap, 0)) swap_words(heap, 0, --heap->size);
}

struct search_task {
    linex_task task;
    linex_cursor at; /* row: the block; column: the query. All queries read a block before the next block is read, so
                        the block stays in the cache */
    linex_word_vectors vectors;
    size_t queries, max_words;
    const float *points;
    size_t *found;
    nearest_heap *heaps;   /* queries */
    double *query_squares; /* queries */
};

static void search_block(struct search_task *search, size_t block, size_t q)
{
    const linex_word_vectors *vectors = &search->vectors;
    size_t first = block * vectors->words_per_block, dimensions = vectors->dimensions;
    size_t end =
        first + vectors->words_per_block < vectors->count ? first + vectors->words_per_block : vectors->count;
    const float *vector = vectors->blocks[block];
    for (size_t i = first; i < end; i++, vector += dimensions) {
        /* One root of the product, not two roots, so vectors in the same direction have exactly equal cosines.
         * The product of the squares cannot overflow: they are squares of floats. */
        double square = vectors->squares[i] * search->query_squares[q];
        if (square > 0)
            offer(search->heaps + q, search->max_words, (uint32_t)i,
                  dot(dimensions, vector, search->points + q * dimensions) / sqrt(square));
    }
}

static linex_status advance_search(linex_task *task, linex_slice *slice)
{
    struct search_task *search = (struct search_task *)task;
    const linex_word_vectors *vectors = &search->vectors;
    linex_cursor *at = &search->at;
    double work = (double)vectors->words_per_block * (double)(vectors->dimensions + 8);
    for (; at->row * vectors->words_per_block < vectors->count; at->row++, at->column = 0)
        for (; at->column < search->queries; at->column++) {
            if (!linex_slice_take(slice, work)) return LINEX_UNFINISHED;
            search_block(search, at->row, at->column);
        }
    for (size_t q = 0; q < search->queries; q++) {
        search->found[q] = search->heaps[q].size;
        sort_words(search->heaps + q);
    }
    return LINEX_OK;
}

static double search_progress(const linex_task *task)
{
    const struct search_task *search = (const struct search_task *)task;
    return (double)search->at.row * (double)search->vectors.words_per_block /
           ((double)search->vectors.count + (double)search->vectors.words_per_block);
}

static void release_search(linex_task *task)
{
    free(((struct search_task *)task)->heaps);
    free(((struct search_task *)task)->query_squares);
    free(task);
}

linex_status linex_words_nearest_start(const linex_word_vectors *vectors, size_t queries, const float *points,
                                       size_t max_words, uint32_t *words, double *cosines, size_t *found,
                                       linex_task **task)
{
    if (!are_vectors(vectors) || !vectors->squares || !points || !max_words || !words || !cosines || !found || !task)
        return LINEX_BAD_ARGUMENT;
    struct search_task *search = calloc(1, sizeof *search);
    if (!search) return LINEX_NO_MEMORY;
    *search = (struct search_task){.vectors = *vectors, .queries = queries, .max_words = max_words, .points = points};
    search->task = (linex_task){advance_search, search_progress, release_search, LINEX_UNFINISHED, 0};
    search->found = found;
    search->heaps = linex_alloc_items((double)queries, sizeof *search->heaps);
    search->query_squares = linex_alloc_doubles((double)queries);
    linex_status status = search->heaps && search->query_squares ? LINEX_OK : LINEX_NO_MEMORY;
    for (size_t q = 0; q < queries && !status; q++) {
        const float *point = points + q * vectors->dimensions;
        search->heaps[q] = (nearest_heap){0, words + q * max_words, cosines + q * max_words};
        search->query_squares[q] = dot(vectors->dimensions, point, point);
        if (!isfinite(search->query_squares[q])) status = LINEX_BAD_ARGUMENT;
    }
    if (status)
        release_search(&search->task);
    else
        *task = &search->task;
    return status;
}

linex_status linex_words_nearest(const linex_word_vectors *vectors, size_t queries, const float *points,
                                 size_t max_words, uint32_t *words, double *cosines, size_t *found)
{
    linex_task *task = NULL;
    linex_status started =
        linex_words_nearest_start(vectors, queries, points, max_words, words, cosines, found, &task);
    return linex_task_finish(started, task);
}
