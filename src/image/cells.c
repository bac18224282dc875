/* cells.c: dividing an image into a grid of cells. */
#include "image/cells.h"

#include <math.h>
#include <stdint.h>

/* A cost that is 1 if the cells are squares and their number is the wanted one. The number has more weight than the
 * shape. */
static double cell_cost(size_t width, size_t height, double segments, linex_cells cells)
{
    double count = (double)cells.columns * (double)cells.rows / segments;
    double shape = (double)width * (double)cells.rows / ((double)height * (double)cells.columns);
    return fmax(count, 1 / count) * fmax(count, 1 / count) * fmax(shape, 1 / shape);
}

static size_t round_down_within(double value, size_t limit)
{
    return (size_t)fmin(fmax(floor(value), 1), (double)limit);
}

linex_cells linex_cells_fit(size_t width, size_t height, size_t segments)
{
    double wanted = fmin((double)segments, (double)width * (double)height);
    double rows = sqrt(wanted * (double)height / (double)width);
    linex_cells best = {1, 1};
    for (int more = 0; more < 2; more++) {
        linex_cells by_rows = {1, round_down_within(rows + more, height)};
        by_rows.columns = round_down_within(wanted / (double)by_rows.rows + 0.5, width);
        linex_cells by_columns = {round_down_within(wanted / rows + more, width), 1};
        by_columns.rows = round_down_within(wanted / (double)by_columns.columns + 0.5, height);
        if (cell_cost(width, height, wanted, by_rows) < cell_cost(width, height, wanted, best)) best = by_rows;
        if (cell_cost(width, height, wanted, by_columns) < cell_cost(width, height, wanted, best)) best = by_columns;
    }
    return best;
}

size_t linex_cell_start(size_t length, size_t parts, size_t index)
{
    return (size_t)((uint64_t)length * index / parts);
}
