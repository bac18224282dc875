/* cells.h: dividing an image into a grid of cells. */
#ifndef LINEX_CELLS_H
#define LINEX_CELLS_H

#include <stddef.h>

typedef struct {
    size_t columns, rows;
} linex_cells;

/* Returns about `segments` cells that are nearly square, at most one per pixel. */
linex_cells linex_cells_fit(size_t width, size_t height, size_t segments);

/* Returns the first pixel of part `index`, if a side of `length` pixels is divided into `parts`. Returns the length
 * for index = parts. */
size_t linex_cell_start(size_t length, size_t parts, size_t index);

#endif
