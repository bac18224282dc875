/* matrix_test.c: moments, factorizations and inverses, compared with their definitions. */
#include "matrices/factors.h"
#include "matrices/matrix.h"
#include "matrices/moments.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "base/random.h"

/* The moments by their definition, in long double, one sum after the other. */
static void moments_by_definition(size_t count, size_t columns, const double *points, const double *answers,
                                  const double *weights, bool centered, double ridge, double *gram, double *cross)
{
    long double total = 0, answer = 0, *mean = calloc(columns, sizeof *mean);
    for (size_t i = 0; i < count; i++) {
        total += weights[i];
        answer += (long double)weights[i] * answers[i];
        for (size_t c = 0; c < columns; c++) mean[c] += (long double)weights[i] * points[i * columns + c];
    }
    answer = centered ? answer / total : 0;
    for (size_t c = 0; c < columns; c++) mean[c] = centered ? mean[c] / total : 0;
    for (size_t c = 0; c < columns; c++) {
        long double product = 0;
        for (size_t i = 0; i < count; i++)
            product += weights[i] * (points[i * columns + c] - mean[c]) * (answers[i] - answer);
        cross[c] = (double)(product / total);
        for (size_t d = 0; d < columns; d++) {
            long double sum = c == d ? ridge : 0;
            for (size_t i = 0; i < count; i++)
                sum += weights[i] * (points[i * columns + c] - mean[c]) * (points[i * columns + d] - mean[d]);
            gram[c * columns + d] = (double)(sum / total);
        }
    }
    free(mean);
}

static void compare_moments(size_t count, size_t columns, bool centered, double ridge)
{
    linex_random random = linex_random_seed(count * 1000 + columns);
    double *points = malloc(count * columns * sizeof *points), *answers = malloc(count * sizeof *answers);
    double *weights = malloc(count * sizeof *weights),
           *memory = calloc(2 * columns * columns + 3 * columns, sizeof *memory);
    linex_random_normals(&random, count * columns, points);
    linex_random_normals(&random, count, answers);
    for (size_t i = 0; i < count; i++) weights[i] = linex_random_below(&random, 4) * linex_random_uniform(&random);
    weights[0] = 1;
    double *gram = memory, *cross = gram + columns * columns, *expected = cross + 2 * columns;
    double *expected_cross = calloc(columns, sizeof *expected_cross);
    double *scratch = calloc((size_t)linex_moments_scratch(columns), sizeof *scratch);
    linex_moments moments = {.gram = gram, .cross = cross, .mean = cross + columns, .scratch = scratch};
    linex_moments_take(&(linex_points){count, columns, points, NULL}, answers, weights, centered, ridge, &moments);
    moments_by_definition(count, columns, points, answers, weights, centered, ridge, expected, expected_cross);
    for (size_t i = 0; i < columns * columns; i++) CHECK_NEAR(gram[i], expected[i], 1e-13);
    for (size_t c = 0; c < columns; c++) CHECK_NEAR(cross[c], expected_cross[c], 1e-13);
    free(points);
    free(answers);
    free(weights);
    free(memory);
    free(expected_cross);
    free(scratch);
}

static void the_moments_match_their_definition(void)
{
    static const size_t column_counts[] = {1, 2, 3, 4, 5, 7, 8, 13, 33}, counts[] = {1, 2, 63, 64, 65, 200};
    for (size_t i = 0; i < sizeof column_counts / sizeof *column_counts; i++) {
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            compare_moments(counts[j], column_counts[i], true, 0.5);
            compare_moments(counts[j], column_counts[i], false, 0);
        }
    }
}

/* Whether two sets of samples have moments with the same bits. */
static bool moments_are_equal(const linex_points *first, const linex_points *second, const double *answers,
                              const double *second_answers, const double *weights)
{
    size_t columns = first->feature_count, each = columns * (columns + 2),
           scratch = (size_t)linex_moments_scratch(columns);
    double *memory = calloc(2 * each + scratch, sizeof *memory);
    for (size_t i = 0; i < 2; i++) {
        double *gram = memory + i * each;
        linex_moments moments = {.gram = gram,
                                 .cross = gram + columns * columns,
                                 .mean = gram + columns * (columns + 1),
                                 .scratch = memory + 2 * each};
        linex_moments_take(i ? second : first, i ? second_answers : answers, weights, true, 1, &moments);
    }
    bool equal = memcmp(memory, memory + each, each * sizeof *memory) == 0;
    free(memory);
    return equal;
}

static void masks_give_the_same_moments_as_numbers(void)
{
    enum { COUNT = 150, MAX_COLUMNS = 13 };
    linex_random random = linex_random_seed(11);
    uint8_t masks[COUNT * MAX_COLUMNS];
    double values[COUNT * MAX_COLUMNS], answers[COUNT], weights[COUNT];
    for (size_t i = 0; i < COUNT * MAX_COLUMNS; i++) values[i] = masks[i] = (uint8_t)linex_random_below(&random, 2);
    linex_random_normals(&random, COUNT, answers);
    for (size_t i = 0; i < COUNT; i++) weights[i] = (double)linex_random_below(&random, 3);
    for (size_t columns = 1; columns <= MAX_COLUMNS; columns++)
        CHECK(moments_are_equal(&(linex_points){COUNT, columns, NULL, masks},
                                &(linex_points){COUNT, columns, values, NULL}, answers, answers, weights));
}

static void samples_with_zero_weight_are_ignored(void)
{
    enum { COUNT = 150, COLUMNS = 6 };
    linex_random random = linex_random_seed(12);
    double points[COUNT * COLUMNS], others[COUNT * COLUMNS], answers[COUNT], other_answers[COUNT], weights[COUNT];
    linex_random_normals(&random, COUNT * COLUMNS, points);
    linex_random_normals(&random, COUNT, answers);
    for (size_t i = 0; i < COUNT; i++) {
        weights[i] =
            i < 70 ? 0 : (double)linex_random_below(&random, 3); /* a whole block of zeros, and single zeros */
        for (size_t c = 0; c < COLUMNS; c++)
            others[i * COLUMNS + c] = weights[i] == 0 ? 1e9 : points[i * COLUMNS + c];
        other_answers[i] = weights[i] == 0 ? -1e9 : answers[i];
    }
    CHECK(moments_are_equal(&(linex_points){COUNT, COLUMNS, points, NULL},
                            &(linex_points){COUNT, COLUMNS, others, NULL}, answers, other_answers, weights));
}

static void a_total_weight_of_zero_gives_the_identity(void)
{
    const double points[] = {1, 2, 3, 4}, answers[] = {5, 6}, weights[] = {0, 0};
    double gram[4], cross[2], mean[2], scratch[1000];
    CHECK(linex_moments_scratch(2) <= 1000);
    linex_moments moments = {.gram = gram, .cross = cross, .mean = mean, .scratch = scratch};
    linex_moments_take(&(linex_points){2, 2, points, NULL}, answers, weights, true, 0, &moments);
    CHECK(gram[0] == 1 && gram[1] == 0 && gram[2] == 0 && gram[3] == 1);
    CHECK(cross[0] == 0 && cross[1] == 0);
}

static void equal_answers_have_a_cross_moment_of_exactly_zero(void)
{
    const double points[] = {1, 2, 4}, answers[] = {0.1, 0.1, 0.1}, weights[] = {0.3, 0.7, 0.1};
    double gram[1], cross[1], mean[1], scratch[1000];
    linex_moments moments = {.gram = gram, .cross = cross, .mean = mean, .scratch = scratch};
    linex_moments_take(&(linex_points){3, 1, points, NULL}, answers, weights, true, 0, &moments);
    CHECK(cross[0] == 0);
}

/* A = L L' with a known L. */
static void cholesky_finds_the_factor_that_made_the_matrix(void)
{
    const double factor[9] = {2, 0, 0, 6, 1, 0, -8, 5, 3};
    double matrix[9] = {4, 12, -16, 12, 37, -43, -16, -43, 98}, x[3] = {1, 2, 3}, b[3];
    linex_matrix_apply(3, matrix, x, b);
    CHECK(linex_cholesky(3, matrix) == LINEX_OK);
    for (size_t row = 0; row < 3; row++)
        for (size_t column = 0; column <= row; column++)
            CHECK_NEAR(matrix[row * 3 + column], factor[row * 3 + column], 0);
    linex_cholesky_solve(3, matrix, b);
    for (size_t i = 0; i < 3; i++) CHECK_NEAR(b[i], x[i], 1e-12);
}

static void bytes_are_converted_one_by_one(void)
{
    uint8_t masks[2 * 9];
    double row[9];
    for (size_t bits = 0; bits < 512; bits++)
        for (size_t columns = 1; columns <= 9; columns++) {
            for (size_t c = 0; c < columns; c++) masks[columns + c] = bits >> c & 1;
            linex_points_row(&(linex_points){2, columns, NULL, masks}, 1, row);
            for (size_t c = 0; c < columns; c++) CHECK(row[c] == (double)(bits >> c & 1));
        }
}

/* The expected bits come from the kernels that process one row at a time. */
static void kernels_of_several_rows_give_the_bits_of_one_row_at_a_time(void)
{
    enum { MAX_COLUMNS = 14 };
    double square[MAX_COLUMNS * MAX_COLUMNS], plain[MAX_COLUMNS * MAX_COLUMNS], x[MAX_COLUMNS], y[MAX_COLUMNS],
        expected[MAX_COLUMNS];
    const double factors[4] = {0.3, -1.7, 2.1, 0.9};
    linex_random random = linex_random_seed(6);
    for (size_t size = 1; size <= MAX_COLUMNS; size++) {
        linex_random_normals(&random, size * size, square);
        linex_random_normals(&random, size, x);
        linex_matrix_apply(size, square, x, y);
        for (size_t row = 0; row < size; row++) expected[row] = linex_dot(size, square + row * size, x);
        CHECK(memcmp(y, expected, size * sizeof *y) == 0);
        size_t some = size - size / 3, part = size - size / 2; /* of the rows and of their numbers */
        linex_rows_apply(some, part, square, size, x, y);
        for (size_t row = 0; row < some; row++) expected[row] = linex_dot(part, square + row * size, x);
        CHECK(memcmp(y, expected, size * sizeof *y) == 0);

        const double *rows[4] = {square, x, square + (size - 1) * size, x};
        linex_add_four(size, factors, rows, y);
        for (size_t i = 0; i < 4; i++) linex_add_scaled(size, factors[i], rows[i], expected);
        CHECK(memcmp(y, expected, size * sizeof *y) == 0);

        for (size_t i = 0; i < size; i++) square[i * size + i] += 4.0 * (double)size;
        memcpy(plain, square, sizeof plain);
        for (size_t row = 0; row < size; row++) {
            double *current = plain + row * size;
            for (size_t c = 0; c < row; c++)
                current[c] = (current[c] - linex_dot(c, current, plain + c * size)) / plain[c * size + c];
            current[row] = sqrt(current[row] - linex_dot(row, current, current));
        }
        CHECK(linex_cholesky(size, square) == LINEX_OK);
        CHECK(memcmp(square, plain, size * size * sizeof *square) == 0);
    }
}

static void cholesky_reports_a_degenerate_matrix(void)
{
    double twins[4] = {1, 1, 1, 1}, zero[1] = {0}, indefinite[4] = {1, 2, 2, 1}, broken[1] = {(double)NAN};
    CHECK(linex_cholesky(2, twins) == LINEX_DEGENERATE);
    CHECK(linex_cholesky(1, zero) == LINEX_DEGENERATE);
    CHECK(linex_cholesky(2, indefinite) == LINEX_DEGENERATE);
    CHECK(linex_cholesky(1, broken) == LINEX_DEGENERATE);
}

static void a_matrix_times_its_inverse_is_the_identity(void)
{
    enum { SIZE = 17 };
    double matrix[SIZE * SIZE], kept[SIZE * SIZE], inverse[SIZE * SIZE];
    linex_random random = linex_random_seed(5);
    linex_random_normals(&random, SIZE * SIZE, matrix);
    linex_slice slice = linex_slice_endless();
    matrix[0] = 0; /* the first step needs a row swap */
    memcpy(kept, matrix, sizeof matrix);
    CHECK(linex_invert_advance(SIZE, matrix, inverse, &(linex_cursor){0}, &slice) == LINEX_OK);
    for (size_t row = 0; row < SIZE; row++) {
        for (size_t column = 0; column < SIZE; column++) {
            double sum = 0;
            for (size_t i = 0; i < SIZE; i++) sum += kept[row * SIZE + i] * inverse[i * SIZE + column];
            CHECK_NEAR(sum, row == column, 1e-10);
        }
    }
    double singular[4] = {1, 2, 2, 4}, ignored[4];
    CHECK(linex_invert_advance(2, singular, ignored, &(linex_cursor){0}, &slice) == LINEX_DEGENERATE);
}

int main(void)
{
    RUN(the_moments_match_their_definition);
    RUN(masks_give_the_same_moments_as_numbers);
    RUN(samples_with_zero_weight_are_ignored);
    RUN(a_total_weight_of_zero_gives_the_identity);
    RUN(equal_answers_have_a_cross_moment_of_exactly_zero);
    RUN(cholesky_finds_the_factor_that_made_the_matrix);
    RUN(bytes_are_converted_one_by_one);
    RUN(kernels_of_several_rows_give_the_bits_of_one_row_at_a_time);
    RUN(cholesky_reports_a_degenerate_matrix);
    RUN(a_matrix_times_its_inverse_is_the_identity);
    return checks_failed != 0;
}
