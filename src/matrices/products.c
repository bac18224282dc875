/* products.c: products of two matrices whose rows are given, as dot products of rows. */
#include "matrices/products.h"

/* Two doubles processed at once. All processors and WebAssembly's SIMD support this size. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

static double sum_of(pair both)
{
    return both[0] + both[1];
}

/* The eight dot products of two rows of a with four rows of b. Eight running sums stay in registers. */
static void multiply_tile(size_t length, const double *const a[2], const double *const b[4], double dots[2][4])
{
    const double *a0 = a[0], *a1 = a[1], *b0 = b[0], *b1 = b[1], *b2 = b[2], *b3 = b[3];
    pair s00 = {0}, s01 = {0}, s02 = {0}, s03 = {0}, s10 = {0}, s11 = {0}, s12 = {0}, s13 = {0};
    size_t t = 0;
    for (; t + 2 <= length; t += 2) {
        pair first = *(const pair *)(a0 + t), second = *(const pair *)(a1 + t);
        pair other = *(const pair *)(b0 + t);
        s00 += first * other, s10 += second * other;
        other = *(const pair *)(b1 + t);
        s01 += first * other, s11 += second * other;
        other = *(const pair *)(b2 + t);
        s02 += first * other, s12 += second * other;
        other = *(const pair *)(b3 + t);
        s03 += first * other, s13 += second * other;
    }
    if (t < length) {
        s00[0] += a0[t] * b0[t], s01[0] += a0[t] * b1[t], s02[0] += a0[t] * b2[t], s03[0] += a0[t] * b3[t];
        s10[0] += a1[t] * b0[t], s11[0] += a1[t] * b1[t], s12[0] += a1[t] * b2[t], s13[0] += a1[t] * b3[t];
    }
    dots[0][0] = sum_of(s00), dots[0][1] = sum_of(s01), dots[0][2] = sum_of(s02), dots[0][3] = sum_of(s03);
    dots[1][0] = sum_of(s10), dots[1][1] = sum_of(s11), dots[1][2] = sum_of(s12), dots[1][3] = sum_of(s13);
}

/* Rows beyond the last are replaced by the last one, and their products are dropped. */
void linex_products_add(size_t length, size_t a_rows, const double *a, size_t a_stride, size_t b_rows,
                        const double *b, size_t b_stride, double *sums, size_t sums_stride)
{
    for (size_t j = 0; j < b_rows; j += 4) {
        const double *b_tile[4];
        for (size_t q = 0; q < 4; q++) b_tile[q] = b + (j + q < b_rows ? j + q : b_rows - 1) * b_stride;
        for (size_t i = 0; i < a_rows; i += 2) {
            const double *a_tile[2] = {a + i * a_stride, a + (i + 1 < a_rows ? i + 1 : i) * a_stride};
            double dots[2][4];
            multiply_tile(length, a_tile, b_tile, dots);
            for (size_t p = 0; p < 2 && i + p < a_rows; p++)
                for (size_t q = 0; q < 4 && j + q < b_rows; q++) sums[(i + p) * sums_stride + j + q] += dots[p][q];
        }
    }
}
