#include <math.h>
#include <stdlib.h>

#include "linex.h"

static const float *vector_at(const linex_word_vectors *vectors, size_t index)
{
    return vectors->blocks[index / vectors->rows] + index % vectors->rows * vectors->width;
}

/* A product of two floats is exact in a double. Four running sums: a single one would make every addition wait for the
 * last. */
static double dot(size_t width, const float *a, const float *b)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t i = 0;
    for (; i + 4 <= width; i += 4) {
        s0 += (double)a[i] * (double)b[i];
        s1 += (double)a[i + 1] * (double)b[i + 1];
        s2 += (double)a[i + 2] * (double)b[i + 2];
        s3 += (double)a[i + 3] * (double)b[i + 3];
    }
    for (; i < width; i++) s0 += (double)a[i] * (double)b[i];
    return (s0 + s1) + (s2 + s3);
}

static bool is_sound(const linex_word_vectors *vectors)
{
    return vectors && vectors->width && vectors->rows && vectors->blocks && vectors->count < UINT32_MAX;
}

linex_status linex_word_vectors_measure(const linex_word_vectors *vectors, double *squares)
{
    if (!is_sound(vectors) || !squares) return LINEX_BAD_ARGUMENT;
    for (size_t i = 0; i < vectors->count; i++) {
        const float *vector = vector_at(vectors, i);
        squares[i] = dot(vectors->width, vector, vector);
        if (!isfinite(squares[i])) return LINEX_BAD_ARGUMENT;
    }
    return LINEX_OK;
}

/* The nearest so far, as a heap with the farthest of them on top. */
typedef struct {
    size_t size;
    uint32_t *words;
    double *cosines;
} nearest_heap;

/* Of two equally near the later word is the farther, so that the order is one. */
static bool is_farther(const nearest_heap *heap, size_t a, size_t b)
{
    if (heap->cosines[a] != heap->cosines[b]) return heap->cosines[a] < heap->cosines[b];
    return heap->words[a] > heap->words[b];
}

static void swap(nearest_heap *heap, size_t a, size_t b)
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
        swap(heap, from, farthest);
        from = farthest;
    }
}

static void offer(nearest_heap *heap, size_t most, uint32_t word, double cosine)
{
    if (heap->size < most) {
        size_t place = heap->size++;
        heap->words[place] = word;
        heap->cosines[place] = cosine;
        for (; place > 0 && is_farther(heap, place, (place - 1) / 2); place = (place - 1) / 2)
            swap(heap, place, (place - 1) / 2);
    } else if (cosine > heap->cosines[0]) {
        /* Words come in order: one that is only as near as the farthest kept is the later of the two. */
        heap->words[0] = word;
        heap->cosines[0] = cosine;
        sink(heap, 0);
    }
}

/* Nearest first: the farthest goes to the end, again and again. */
static void sort(nearest_heap *heap)
{
    for (; heap->size > 1; sink(heap, 0)) swap(heap, 0, --heap->size);
}

/* All queries look at one block before the next: it is then in the cache. */
static void search_block(const linex_word_vectors *vectors, size_t block, size_t queries, const float *points,
                         const double *query_squares, size_t most, nearest_heap *heaps)
{
    size_t first = block * vectors->rows, width = vectors->width;
    size_t end = first + vectors->rows < vectors->count ? first + vectors->rows : vectors->count;
    for (size_t q = 0; q < queries; q++) {
        const float *vector = vectors->blocks[block];
        for (size_t i = first; i < end; i++, vector += width) {
            /* One root of the product, not two roots: vectors in the same direction are then equally near to the bit.
             * Squares of floats are far from the limits of a double. */
            double square = vectors->squares[i] * query_squares[q];
            if (square > 0)
                offer(heaps + q, most, (uint32_t)i, dot(width, vector, points + q * width) / sqrt(square));
        }
    }
}

linex_status linex_words_nearest(const linex_word_vectors *vectors, size_t queries, const float *points, size_t most,
                                 uint32_t *words, double *cosines, size_t *found)
{
    if (!is_sound(vectors) || !vectors->squares || !points || !most || !words || !cosines || !found)
        return LINEX_BAD_ARGUMENT;
    nearest_heap *heaps = calloc(queries ? queries : 1, sizeof *heaps);
    double *query_squares = calloc(queries ? queries : 1, sizeof *query_squares);
    linex_status status = heaps && query_squares ? LINEX_OK : LINEX_NO_MEMORY;
    for (size_t q = 0; q < queries && !status; q++) {
        const float *point = points + q * vectors->width;
        heaps[q] = (nearest_heap){0, words + q * most, cosines + q * most};
        query_squares[q] = dot(vectors->width, point, point);
        if (!isfinite(query_squares[q])) status = LINEX_BAD_ARGUMENT;
    }
    if (!status) {
        for (size_t block = 0; block * vectors->rows < vectors->count; block++)
            search_block(vectors, block, queries, points, query_squares, most, heaps);
        for (size_t q = 0; q < queries; q++) {
            found[q] = heaps[q].size;
            sort(heaps + q);
        }
    }
    free(query_squares);
    free(heaps);
    return status;
}
