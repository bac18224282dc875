/* lu_test.c: tests of LU factors, against products with known vectors. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "wide/lu.h"
#include "base/random.h"
#include "matrices/products.h"

static double *random_matrix(linex_random *random, size_t size)
{
    double *matrix = malloc(size * size * sizeof *matrix);
    linex_random_normals(random, size * size, matrix);
    return matrix;
}

static void systems_are_solved_for_every_size_up_to_forty(void)
{
    linex_random random = linex_random_seed(3);
    for (size_t size = 1; size <= 40; size++) {
        double *matrix = random_matrix(&random, size), expected[40], x[40], scratch[40];
        uint32_t order[40];
        linex_random_normals(&random, size, expected);
        for (size_t r = 0; r < size; r++) {
            x[r] = 0;
            for (size_t c = 0; c < size; c++) x[r] += matrix[r * size + c] * expected[c];
        }
        linex_slice slice = linex_slice_endless();
        CHECK(linex_lu_advance(size, matrix, order, &(linex_cursor){0}, &slice) == LINEX_OK);
        linex_lu_solve(size, matrix, order, x, scratch);
        for (size_t c = 0; c < size; c++) CHECK_NEAR(x[c], expected[c], 1e-10);
        free(matrix);
    }
}

static void zeros_on_the_diagonal_are_passed_by_exchanges(void)
{
    double matrix[] = {0, 2, 0, 0, 0, 3, 5, 0, 0}, x[] = {4, 9, 5}, scratch[3];
    uint32_t order[3];
    linex_slice slice = linex_slice_endless();
    CHECK(linex_lu_advance(3, matrix, order, &(linex_cursor){0}, &slice) == LINEX_OK);
    linex_lu_solve(3, matrix, order, x, scratch);
    CHECK(x[0] == 1 && x[1] == 2 && x[2] == 3);
}

static void singular_matrices_are_refused(void)
{
    double zero[4] = {0}, dependent[] = {1, 2, 3, 2, 4, 6, 1, 0, 1}, infinite[] = {(double)INFINITY};
    uint32_t order[3];
    linex_slice slice = linex_slice_endless();
    linex_cursor at = {0};
    CHECK(linex_lu_advance(2, zero, order, &at, &slice) == LINEX_DEGENERATE);
    CHECK(linex_lu_advance(3, dependent, order, &at, &slice) == LINEX_DEGENERATE);
    CHECK(linex_lu_advance(1, infinite, order, &at, &slice) == LINEX_DEGENERATE);
    CHECK(at.row == 0);
}

static void slices_do_not_change_a_bit(void)
{
    enum { SIZE = 33 };
    linex_random random = linex_random_seed(8);
    double *whole = random_matrix(&random, SIZE), *sliced = malloc(SIZE * SIZE * sizeof *sliced);
    uint32_t order[SIZE], other[SIZE];
    memcpy(sliced, whole, SIZE * SIZE * sizeof *sliced);
    linex_slice slice = linex_slice_endless();
    CHECK(linex_lu_advance(SIZE, whole, order, &(linex_cursor){0}, &slice) == LINEX_OK);
    linex_cursor at = {0};
    linex_status status;
    size_t calls = 0;
    do {
        slice.left = 1;
        status = linex_lu_advance(SIZE, sliced, other, &at, &slice);
        calls++;
    } while (status == LINEX_UNFINISHED);
    CHECK(status == LINEX_OK && calls > 10);
    CHECK(memcmp(whole, sliced, SIZE * SIZE * sizeof *whole) == 0 && memcmp(order, other, sizeof order) == 0);
    free(whole);
    free(sliced);
}

static void products_of_rows_are_their_dot_products(void)
{
    linex_random random = linex_random_seed(5);
    double a[5 * 9], b[7 * 8];
    linex_random_normals(&random, 45, a);
    linex_random_normals(&random, 56, b);
    for (size_t a_rows = 1; a_rows <= 5; a_rows++)
        for (size_t b_rows = 1; b_rows <= 7; b_rows++)
            for (size_t length = 0; length <= 8; length++) {
                double sums[5 * 10];
                for (size_t i = 0; i < 50; i++) sums[i] = 1;
                linex_products_add(length, a_rows, a, 9, b_rows, b, 8, sums, 10);
                for (size_t i = 0; i < 5; i++)
                    for (size_t j = 0; j < 10; j++) {
                        double expected = 1;
                        for (size_t t = 0; i < a_rows && j < b_rows && t < length; t++)
                            expected += a[i * 9 + t] * b[j * 8 + t];
                        CHECK_NEAR(sums[i * 10 + j], expected, 1e-13);
                    }
            }
}

int main(void)
{
    RUN(systems_are_solved_for_every_size_up_to_forty);
    RUN(zeros_on_the_diagonal_are_passed_by_exchanges);
    RUN(singular_matrices_are_refused);
    RUN(slices_do_not_change_a_bit);
    RUN(products_of_rows_are_their_dot_products);
    return checks_failed != 0;
}
