/* alloc.h: memory allocation that cannot overflow when a product of sizes exceeds size_t.
 *
 * size_t has 32 bits in WebAssembly, so a product of counts can wrap around. The counts here are doubles, so the
 * caller's sums and products cannot wrap. Release the memory with free(). Both functions return NULL if there is not
 * enough memory or if the size does not fit into size_t.
 */
#ifndef LINEX_ALLOC_H
#define LINEX_ALLOC_H

#include <stddef.h>

/* Returns an array of zeros. */
double *linex_alloc_doubles(double count);

/* Returns memory for `count` items of `size` bytes each. The memory is not initialized. */
void *linex_alloc_items(double count, size_t size);

#endif
