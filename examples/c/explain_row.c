/* explain_row.c: explains one row of a made-up table of flats with the C library.
 *
 * Build and run it against an installed linex:
 *
 *     cc examples/c/explain_row.c $(pkg-config --cflags --libs linex) -o explain_row && ./explain_row
 */
#include <math.h>
#include <stdio.h>

#include <linex.h>

enum { ROWS = 101, COLUMNS = 3, SAMPLES = 1000 };

static const char *const names[COLUMNS] = {"area", "distance", "age"};

/* The table: area in square meters, distance to the center in kilometers, age in years. 101 is prime, so each column
 * takes 101 evenly spaced values in a scrambled order. */
static void make_flat(int i, double *flat)
{
    flat[0] = 50 + i * 37 % ROWS;
    flat[1] = (double)(i * 53 % ROWS) / 10;
    flat[2] = i * 19 % ROWS;
}

/* The model that is explained. A real program calls its own model here. */
static double predict_price(const double *flat)
{
    return 20 + 3 * flat[0] - 8 * flat[1];
}

static int fail(const char *step, linex_status status)
{
    fprintf(stderr, "%s: %s\n", step, linex_status_text(status));
    return 1;
}

int main(void)
{
    /* 1. Describe the table. linex needs the mean and the spread of each column, not the rows. */
    static double statistics[COLUMNS * LINEX_COLUMN_SIZE];
    for (int c = 0; c < COLUMNS; c++) {
        double column[ROWS], flat[COLUMNS];
        for (int i = 0; i < ROWS; i++) {
            make_flat(i, flat);
            column[i] = flat[c];
        }
        linex_status status = linex_column_describe(ROWS, column, statistics + c * LINEX_COLUMN_SIZE);
        if (status) return fail("describe", status);
    }
    const uint32_t levels[COLUMNS] = {0}; /* no column is categorical */
    const linex_table table = {.columns = COLUMNS, .levels = levels, .statistics = statistics};

    /* 2. Make rows near the row to explain. */
    static double rows[SAMPLES * COLUMNS], points[SAMPLES * COLUMNS];
    double flat[COLUMNS];
    make_flat(8, flat);
    linex_row_settings neighborhood = linex_row_defaults();
    neighborhood.seed = 1;
    linex_status status = linex_rows_perturb(&table, flat, &neighborhood, 0, SAMPLES, rows);
    if (status) return fail("perturb", status);

    /* 3. Ask the model about them. */
    static double answers[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) answers[i] = predict_price(rows + i * COLUMNS);

    /* 4. Express the rows in standard deviations, and give near rows more weight. Row 0 is the row to explain. */
    static double distances[SAMPLES], proximity[SAMPLES];
    status = linex_rows_represent(&table, flat, &neighborhood, SAMPLES, rows, points);
    if (!status)
        status = linex_proximity(SAMPLES, COLUMNS, points, points, 0.75 * sqrt(COLUMNS), distances, proximity);
    if (status) return fail("represent", status);

    /* 5. Explain the answers. This model has no noise and there are many samples, so no ridge is needed. */
    const linex_samples samples = {.count = SAMPLES,
                                   .feature_count = COLUMNS,
                                   .points = points,
                                   .answers = answers,
                                   .weights = proximity,
                                   .distances = distances,
                                   .planned = SAMPLES,
                                   .block = 2};
    linex_settings settings = linex_defaults();
    settings.ridge = 0;
    settings.seed = 1;
    double weights[COLUMNS], low[COLUMNS], high[COLUMNS];
    linex_explanation explanation = {.weights = weights, .low = low, .high = high};
    status = linex_explain(&samples, points, &settings, &explanation);
    if (status) return fail("explain", status);

    printf("predicted price %.3f, explained as %.3f, fidelity %.3f\n", predict_price(flat),
           explanation.local_prediction, explanation.fidelity);
    printf("change of the price per standard deviation, with its 95 %% interval:\n");
    for (int c = 0; c < COLUMNS; c++) printf("%-8s %8.3f  [%.3f, %.3f]\n", names[c], weights[c], low[c], high[c]);
    return 0;
}
