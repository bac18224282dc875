/* inverse_diagonal_test.c: factors and diagonals of inverses, compared with elimination. */
#include "matrices/inverse_diagonal.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "base/random.h"
#include "matrices/factors.h"
#include "matrices/matrix.h"

enum { MOST = 83 };

/* A positive definite matrix: the products of random rows, plus the identity. */
static void fill_definite(linex_random *random, size_t size, double *matrix)
{
    static double rows[MOST * MOST];
    linex_random_normals(random, size * size, rows);
    for (size_t r = 0; r < size; r++)
        for (size_t c = 0; c < size; c++)
            matrix[r * size + c] = linex_dot(size, rows + r * size, rows + c * size) + (r == c);
}

static linex_status factor(size_t size, double *matrix, double *diagonal, double work)
{
    double *scratch = malloc((size_t)linex_inverse_diagonal_scratch(size) * sizeof *scratch);
    linex_cursor at = {0};
    linex_status status = LINEX_UNFINISHED;
    while (status == LINEX_UNFINISHED) {
        linex_slice slice = {.left = work};
        status = linex_inverse_diagonal_advance(size, matrix, scratch, diagonal, &at, &slice);
    }
    CHECK(at.row == 0 && at.column == 0 && at.stage == 0);
    free(scratch);
    return status;
}

static void diagonals_and_solutions_equal_those_of_elimination(void)
{
    static double matrix[MOST * MOST], copy[MOST * MOST], inverse[MOST * MOST];
    double diagonal[MOST], x[MOST], y[MOST];
    linex_random random = linex_random_seed(5);
    for (size_t size = 1; size <= MOST; size++) {
        fill_definite(&random, size, matrix);
        memcpy(copy, matrix, sizeof copy);
        linex_slice slice = linex_slice_endless();
        linex_random_normals(&random, size, x);
        CHECK(linex_invert_advance(size, copy, inverse, &(linex_cursor){0}, &slice) == LINEX_OK);
        for (size_t r = 0; r < size; r++) /* the upper half is not read */
            for (size_t c = r + 1; c < size; c++) matrix[r * size + c] = (double)NAN;
        CHECK(factor(size, matrix, diagonal, (double)INFINITY) == LINEX_OK);
        linex_matrix_apply(size, inverse, x, y);
        linex_cholesky_solve(size, matrix, x);
        for (size_t r = 0; r < size; r++) {
            CHECK_NEAR(diagonal[r], inverse[r * size + r], 1e-12);
            CHECK_NEAR(x[r], y[r], 1e-11);
        }
    }
}

static void matrices_that_are_not_definite_are_refused(void)
{
    static double matrix[MOST * MOST];
    double diagonal[MOST];
    linex_random random = linex_random_seed(6);
    for (size_t bad = 0; bad < MOST; bad += 9) {
        fill_definite(&random, MOST, matrix);
        matrix[bad * MOST + bad] = -1;
        CHECK(factor(MOST, matrix, diagonal, 1e4) == LINEX_DEGENERATE);
        fill_definite(&random, MOST, matrix);
        matrix[bad * MOST + bad] = (double)INFINITY;
        CHECK(factor(MOST, matrix, diagonal, 1e4) == LINEX_DEGENERATE);
        fill_definite(&random, MOST, matrix);
        if (bad > 0) matrix[bad * MOST] = (double)NAN;
        CHECK(factor(MOST, matrix, diagonal, 1e4) == (bad > 0 ? LINEX_DEGENERATE : LINEX_OK));
    }
    double ones[] = {1, 1, 1, 1};
    CHECK(factor(2, ones, diagonal, 1) == LINEX_DEGENERATE);
}

static void slices_do_not_change_a_bit(void)
{
    static double start[MOST * MOST], whole[MOST * MOST], sliced[MOST * MOST];
    double diagonal[MOST], other[MOST];
    linex_random random = linex_random_seed(7);
    fill_definite(&random, MOST, start);
    memcpy(whole, start, sizeof start);
    CHECK(factor(MOST, whole, diagonal, (double)INFINITY) == LINEX_OK);
    for (double work = 1; work < 1e6; work *= 11) {
        memcpy(sliced, start, sizeof start);
        CHECK(factor(MOST, sliced, other, work) == LINEX_OK);
        CHECK(memcmp(whole, sliced, sizeof whole) == 0 && memcmp(diagonal, other, sizeof other) == 0);
    }
}

int main(void)
{
    RUN(diagonals_and_solutions_equal_those_of_elimination);
    RUN(matrices_that_are_not_definite_are_refused);
    RUN(slices_do_not_change_a_bit);
    return checks_failed != 0;
}
