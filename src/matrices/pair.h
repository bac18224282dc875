/* pair.h: what the inner loops of the dense kernels are written with. */
#ifndef LINEX_PAIR_H
#define LINEX_PAIR_H

/* Two doubles that are processed at once. All processors and WebAssembly's SIMD support this size. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

/* For kernels with many callers. Inlining them everywhere would make the download larger. */
#define NOINLINE __attribute__((noinline))

#endif
