/* cases.h: the work of the bench's cases, the same in the native build and in WebAssembly, so that the two can be timed
 * against each other. Everything that is not to be timed is made by bench_open. */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include <stddef.h>

typedef enum {
    BENCH_ROW,            /* a row of a table: neighbors, distances, explanation */
    BENCH_TEXT,           /* masks of words: drawing, merging, weighing, explanation */
    BENCH_IMAGE,          /* SLIC, normalized float32 nchw tensors in batches, explanation */
    BENCH_PIXELS,         /* every pixel a feature, ridge 0.001 */
    BENCH_GRAM,           /* linex_moments_take alone */
    BENCH_COMPOSE_BYTES,  /* masked pictures alone, one plane of bytes */
    BENCH_COMPOSE_FLOATS, /* the same as float32, a plane a channel */
    BENCH_KINDS
} bench_kind;

typedef struct bench_case bench_case;

/* samples, width, players, draws, method as in linex.h; what a kind has no use for is not looked at. The pictures are
 * 224 x 224, about `width` segments; of the two last kinds `samples` are written at once.
 * NULL without memory or for a kind that does not exist. */
bench_case *bench_open(int kind, size_t samples, size_t width, size_t players, size_t draws, int method);

void bench_close(bench_case *one);

/* Does the work so many times. Returns a sum over the results, which has the same bits in every build; NaN if
 * anything failed. */
double bench_run(bench_case *one, size_t times);

/* How many bytes one run writes; 0 for kinds that are not about that. */
double bench_bytes(const bench_case *one);

/* Where composing reads and writes: 0 the shown picture's tensor, 1 the hidden one's, 2 the masked ones. */
void *bench_place(const bench_case *one, int which);

#endif
