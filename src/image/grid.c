/* grid.c: superpixels that are the cells of a grid. */
#include <stdlib.h>

#include "linex.h"
#include "base/task.h"
#include "image/cells.h"

struct grid_task {
    linex_task task;
    linex_cursor at; /* row: of pixels */
    size_t width, height;
    linex_cells cells;
    uint32_t *labels;
};

static void label_grid_row(void *state, size_t y)
{
    const struct grid_task *grid = state;
    /* The last row of cells that does not start below the pixels. */
    size_t row = (size_t)(((uint64_t)grid->cells.rows * (y + 1) + grid->height - 1) / grid->height) - 1;
    uint32_t *label = grid->labels + y * grid->width;
    for (size_t column = 0, x = 0; column < grid->cells.columns; column++)
        for (size_t right = linex_cell_start(grid->width, grid->cells.columns, column + 1); x < right; x++)
            *label++ = (uint32_t)(row * grid->cells.columns + column);
}

static linex_status advance_grid(linex_task *task, linex_slice *slice)
{
    struct grid_task *grid = (struct grid_task *)task;
    return linex_steps_advance(grid->height, 4.0 * (double)grid->width, label_grid_row, grid, &grid->at, slice);
}

static double grid_progress(const linex_task *task)
{
    const struct grid_task *grid = (const struct grid_task *)task;
    return (double)grid->at.row / (double)grid->height;
}

static void release_grid(linex_task *task)
{
    free(task);
}

linex_status linex_grid_start(size_t width, size_t height, size_t segments, uint32_t *labels, size_t *found,
                              linex_task **task)
{
    double count = (double)width * (double)height;
    if (!labels || !found || !task || !segments || !(count > 0 && count < (double)UINT32_MAX))
        return LINEX_BAD_ARGUMENT;
    struct grid_task *made = calloc(1, sizeof *made);
    if (!made) return LINEX_NO_MEMORY;
    made->task = (linex_task){advance_grid, grid_progress, release_grid, LINEX_UNFINISHED, 0};
    made->width = width;
    made->height = height;
    made->cells = linex_cells_fit(width, height, segments);
    made->labels = labels;
    *found = made->cells.columns * made->cells.rows;
    *task = &made->task;
    return LINEX_OK;
}

linex_status linex_grid(size_t width, size_t height, size_t segments, uint32_t *labels, size_t *found)
{
    linex_task *task = NULL;
    linex_status started = linex_grid_start(width, height, segments, labels, found, &task);
    return linex_task_finish(started, task);
}
