/* cases.h: the work of the benchmark cases, the same in the native build and in WebAssembly.
 *
 * bench_open prepares everything that must not be timed. */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include <stddef.h>

typedef enum {
    BENCH_ROW,            /* a row of a table: neighbors, distances, explanation */
    BENCH_TEXT,           /* masks of words: drawing, merging, weighing, explanation */
    BENCH_IMAGE,          /* SLIC, normalized float32 nchw tensors in batches, explanation */
    BENCH_PIXELS,         /* each pixel is a feature, ridge 0.001 */
    BENCH_GRAM,           /* linex_moments_take alone */
    BENCH_COMPOSE_BYTES,  /* masked images alone, one plane of bytes */
    BENCH_COMPOSE_FLOATS, /* the same as float32, one plane per channel */
    BENCH_KINDS
} bench_kind;

typedef struct bench_case bench_case;

/* Prepares a case. samples, players, draws and method are as in linex.h; a kind ignores what it does not use. Images
 * are 224 x 224 pixels with about `feature_count` segments. The last two kinds write `samples` images at once.
 * Returns NULL without memory or for an unknown kind. */
bench_case *bench_open(int kind, size_t samples, size_t feature_count, size_t players, size_t draws, int method);

void bench_close(bench_case *bench);

/* Does the work `times` times. Returns a sum over the results, which has the same bits in every build; NaN after a
 * failure. */
double bench_run(bench_case *bench, size_t times);

/* Returns the number of bytes that one run writes; 0 for kinds that do not measure that. */
double bench_bytes(const bench_case *bench);

/* Returns where composing reads and writes: 0 for the shown tensor, 1 for the hidden one, 2 for the masked ones. */
void *bench_place(const bench_case *bench, int which);

#endif
