/* fuzz_neighborhood.c: attacks perturbed rows, merged rows, their representation and proximity, masks, and MAPLE. */
#include "fuzz_support.h"

enum { MOST_COLUMNS = 5, MOST_ROWS = 24 };

/* A table of described columns, or in a wild execution of any statistics. */
static linex_table any_table(void)
{
    linex_table table = {.columns = fuzz_between(1, MOST_COLUMNS)};
    uint32_t *levels = fuzz_array(table.columns, sizeof *levels);
    double *statistics = fuzz_array(table.columns * LINEX_COLUMN_SIZE, sizeof *statistics), sum = 0;
    size_t all_levels = 0;
    for (size_t c = 0; c < table.columns; c++) {
        double *column = fuzz_array(8, sizeof *column);
        levels[c] = fuzz_rarely(3) ? (uint32_t)fuzz_between(1, 4) : 0;
        all_levels += levels[c];
        for (size_t i = 0; i < 8; i++) column[i] = fuzz_number();
        linex_column_describe(8, column, statistics + c * LINEX_COLUMN_SIZE);
        if (!fuzz_is_wild() || !fuzz_rarely(2)) continue;
        statistics[c * LINEX_COLUMN_SIZE + fuzz_below(LINEX_COLUMN_SIZE)] = fuzz_number();
    }
    double *frequencies = fuzz_array(all_levels, sizeof *frequencies);
    for (size_t i = 0; i < all_levels; i++) sum += frequencies[i] = fuzz_share();
    for (size_t i = 0; !fuzz_is_wild() && i < all_levels; i++)
        frequencies[i] = sum > 0 ? frequencies[i] / sum : 1 / (double)all_levels;
    table.levels = fuzz_or_null(levels);
    table.statistics = fuzz_or_null(statistics);
    table.frequencies = all_levels ? fuzz_or_null(frequencies) : NULL;
    return table;
}

static linex_row_settings any_settings(void)
{
    linex_row_settings settings = linex_row_defaults();
    settings.center = (linex_center)fuzz_choice(2);
    settings.discretize = fuzz_rarely(3);
    settings.raw = fuzz_rarely(3);
    settings.seed = fuzz_byte();
    settings.sampling = (linex_sampling)fuzz_choice(2);
    return settings;
}

/* A row that the table could contain. */
static double *any_rows(const linex_table *table, size_t count)
{
    double *rows = fuzz_numbers(count * table->columns);
    for (size_t i = 0; rows && table->levels && i < count * table->columns; i++) {
        size_t levels = table->levels[i % table->columns];
        if (levels && !(fuzz_is_wild() && fuzz_rarely(8))) rows[i] = (double)fuzz_below(levels);
    }
    return rows;
}

static void perturb_rows(void)
{
    linex_table table = any_table();
    linex_row_settings settings = any_settings();
    size_t count = fuzz_below(MOST_ROWS), cells = count * table.columns;
    size_t first = fuzz_rarely(4) ? (size_t)fuzz_bits() : fuzz_below(3);
    double *row = any_rows(&table, 1), *rows = fuzz_array(cells, sizeof *rows);
    double *points = fuzz_array(cells, sizeof *points);
    if (CALL(linex_rows_perturb(&table, row, &settings, first, count, rows))) return;
    EXPECT_FINITE(cells, rows);
    for (size_t i = 0; i < cells; i++) {
        size_t levels = table.levels[i % table.columns];
        if (levels && (i >= table.columns || first > 0))
            EXPECT(rows[i] >= 0 && rows[i] < (double)levels && rows[i] == floor(rows[i]));
    }
    if (CALL(linex_rows_represent(&table, row, &settings, count, rows, fuzz_or_null(points)))) return;
    EXPECT_FINITE(cells, points);
}

static void represent_rows(void)
{
    linex_table table = any_table();
    linex_row_settings settings = any_settings();
    size_t count = fuzz_below(MOST_ROWS);
    double *row = any_rows(&table, 1), *rows = any_rows(&table, count);
    double *points = fuzz_array(count * table.columns, sizeof *points);
    if (CALL(linex_rows_represent(&table, row, &settings, count, rows, points))) return;
    EXPECT_FINITE(count * table.columns, points);
    for (size_t i = 0; i < count * table.columns; i++)
        if (table.levels[i % table.columns] || settings.discretize) EXPECT(points[i] == 0 || points[i] == 1);
}

static void merge_rows(void)
{
    size_t count = fuzz_between(1, 40), bytes = fuzz_between(1, 24), distinct = 0;
    uint8_t *rows = fuzz_array(count * bytes, 1), *before = fuzz_array(count * bytes, 1);
    uint32_t *point_of = fuzz_array(count, sizeof *point_of);
    for (size_t i = 0; i < count * bytes; i++) before[i] = rows[i] = i % bytes == 0 ? fuzz_byte() % 8 : 0;
    size_t asked = fuzz_is_wild() && fuzz_rarely(4) ? (size_t)1 << (30 + fuzz_below(34)) : count;
    linex_status status = CALL(linex_rows_merge(asked, bytes, rows, fuzz_or_null(point_of), &distinct));
    if (status == LINEX_NO_MEMORY) EXPECT(memcmp(rows, before, count * bytes) == 0);
    if (status) return;
    EXPECT(distinct >= 1 && distinct <= count);
    EXPECT_BELOW(count, point_of, distinct);
    for (size_t i = 0; i < count; i++) EXPECT(memcmp(rows + point_of[i] * bytes, before + i * bytes, bytes) == 0);
    for (size_t i = 0; i < distinct; i++)
        for (size_t j = 0; j < i; j++) EXPECT(memcmp(rows + i * bytes, rows + j * bytes, bytes) != 0);
}

static void weigh_points(void)
{
    size_t count = fuzz_below(MOST_ROWS), columns = fuzz_between(1, MOST_COLUMNS);
    double *points = fuzz_numbers(count * columns), *at = fuzz_numbers(columns);
    double *distances = fuzz_array(count, sizeof *distances), *weights = fuzz_array(count, sizeof *weights);
    if (CALL(linex_proximity(count, columns, points, at, fuzz_positive(), fuzz_or_null(distances), weights))) return;
    EXPECT_WITHIN(count, distances, 0, DBL_MAX);
    EXPECT_WITHIN(count, weights, 0, 1);
}

static void fit_maple(void)
{
    linex_table table = any_table();
    size_t count = fuzz_between(1, MOST_ROWS), outputs = fuzz_between(1, 3), columns = table.columns;
    double *rows = any_rows(&table, count), *responses = fuzz_numbers(count * outputs), *weights = fuzz_shares(count);
    double *row = any_rows(&table, 1), *response = fuzz_numbers(outputs),
           *errors = fuzz_array(columns, sizeof *errors);
    uint32_t *order = fuzz_indices(columns, columns);
    for (size_t c = 0; order && !fuzz_is_wild() && c < columns; c++) order[c] = (uint32_t)((c + order[0]) % columns);
    memset(errors, 0, columns * sizeof *errors);
    if (CALL(linex_maple_errors(&table, count, rows, outputs, responses, weights, row, response, order,
                                fuzz_positive(), errors)))
        return;
    EXPECT_WITHIN(columns, errors, 0, DBL_MAX);
}

static void expect_masks(size_t count, size_t feature_count, const uint8_t *masks)
{
    for (size_t i = 0; i < count * feature_count; i++) EXPECT(masks[i] <= 1);
}

static void draw_masks(void)
{
    size_t feature_count = fuzz_between(1, 70), count = fuzz_below(MOST_ROWS), first = fuzz_below(3);
    uint8_t *masks = fuzz_array(count * feature_count, 1);
    double *distances = fuzz_array(count, sizeof *distances), *weights = fuzz_array(count, sizeof *weights);
    size_t asked = feature_count;
    if (fuzz_is_wild() && fuzz_rarely(8)) asked = fuzz_rarely(2) ? 0 : UINT32_MAX + (size_t)fuzz_byte();
    if (fuzz_rarely(8)) first = SIZE_MAX - fuzz_byte();
    const linex_mask_kind kind = (linex_mask_kind)fuzz_choice(2);
    const linex_sampling sampling = (linex_sampling)fuzz_choice(2);
    if (CALL(linex_masks_draw(kind, asked, sampling, fuzz_byte(), first, count, fuzz_or_null(masks)))) return;
    expect_masks(count, feature_count, masks);
    for (size_t c = 0; first == 0 && count > 0 && c < feature_count; c++) EXPECT(masks[c] == 1);
    linex_mask_distance distance = (linex_mask_distance)fuzz_choice(2);
    double scale = fuzz_positive(), kernel = fuzz_positive();
    if (CALL(linex_masks_weigh(count, feature_count, masks, distance, scale, kernel, distances, weights))) return;
    EXPECT_WITHIN(count, distances, 0, DBL_MAX);
    EXPECT_WITHIN(count, weights, 0, 1);
}

static void enumerate_masks(void)
{
    size_t feature_count = fuzz_between(1, 8), count = (size_t)1 << feature_count, samples = fuzz_between(1, 3000);
    size_t planned = count + fuzz_below(300), asked = planned;
    uint8_t *masks = fuzz_array(count * feature_count, 1);
    uint32_t *point_of = fuzz_array(planned, sizeof *point_of);
    double *factors = fuzz_array(count, sizeof *factors), sum = 0;
    linex_mask_kind kind = (linex_mask_kind)fuzz_choice(2);
    if (fuzz_is_wild() && fuzz_rarely(4)) asked = fuzz_rarely(2) ? count - 1 : (size_t)UINT32_MAX + 1;
    if (fuzz_is_wild() && fuzz_rarely(8)) feature_count = 25 + fuzz_byte();
    if (CALL(linex_masks_enumerate(kind, feature_count, fuzz_byte(), samples, asked, masks, fuzz_or_null(point_of),
                                   factors)))
        return;
    expect_masks(count, feature_count, masks);
    EXPECT_BELOW(planned, point_of, count);
    EXPECT_WITHIN(count, factors, 0, DBL_MAX);
    for (size_t i = 0; i < planned; i++) {
        EXPECT(i == 0 ? point_of[i] == 0 : point_of[i] - point_of[i - 1] <= 1);
        sum += factors[point_of[i]];
    }
    EXPECT(point_of[planned - 1] == count - 1);
    /* The copies count together as often as the masks are expected among the samples. */
    EXPECT(fabs(sum - (double)samples) <= 1e-9 * (double)samples);
}

void fuzz_room(void)
{
    static void (*const functions[])(void) = {perturb_rows, represent_rows, merge_rows,     weigh_points,
                                              fit_maple,    draw_masks,     enumerate_masks};
    functions[fuzz_below(sizeof functions / sizeof *functions)]();
}
