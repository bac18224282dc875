/* alloc.h: memory for numbers, without the wrap-around that a product of sizes can have where size_t has 32 bits. */
#ifndef LINEX_ROOM_H
#define LINEX_ROOM_H

#include <stddef.h>

/* Zeroed doubles, to be released by free(). The count is a double so that the caller's sums and products cannot
 * wrap. NULL when out of memory, or when there are more than fit into any. */
double *linex_room(double count);

/* The same for items of any size, not zeroed. */
void *linex_room_of(double count, size_t size);

#endif
