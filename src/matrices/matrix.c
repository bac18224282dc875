/* matrix.c: dot products, sums of rows, and matrices times vectors. */
#include "matrices/matrix.h"

#include "matrices/pair.h"

/* Zero times a finite number is zero; times another one, it is NaN. */
bool linex_all_finite(size_t count, const double *values)
{
    pair low = {0}, high = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        low += 0 * *(const pair *)(values + i);
        high += 0 * *(const pair *)(values + i + 2);
    }
    for (; i < count; i++) low[0] += 0 * values[i];
    return (low[0] + low[1]) + (high[0] + high[1]) == 0;
}

/* Four running sums, because with one sum each addition waits for the previous one. */
NOINLINE double linex_dot(size_t size, const double *a, const double *b)
{
    pair low = {0}, high = {0};
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        low += *(const pair *)(a + i) * *(const pair *)(b + i);
        high += *(const pair *)(a + i + 2) * *(const pair *)(b + i + 2);
    }
    for (; i < size; i++) low[0] += a[i] * b[i];
    return (low[0] + low[1]) + (high[0] + high[1]);
}

NOINLINE void linex_add_scaled(size_t size, double factor, const double *x, double *y)
{
    size_t i = 0;
    for (; i + 2 <= size; i += 2) *(pair *)(y + i) += factor * *(const pair *)(x + i);
    if (i < size) y[i] += factor * x[i];
}

/* linex_dot of two rows with the same x, with the same bits. The two sums do not wait for each other, and x is read
 * once. With four rows, WebAssembly engines would not keep all sums in registers. */
NOINLINE static void dot_two(size_t size, const double *a, const double *b, const double *x, double dots[2])
{
    pair a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0};
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        pair low = *(const pair *)(x + i), high = *(const pair *)(x + i + 2);
        a0 += *(const pair *)(a + i) * low, a1 += *(const pair *)(a + i + 2) * high;
        b0 += *(const pair *)(b + i) * low, b1 += *(const pair *)(b + i + 2) * high;
    }
    for (; i < size; i++) {
        a0[0] += a[i] * x[i];
        b0[0] += b[i] * x[i];
    }
    dots[0] = (a0[0] + a0[1]) + (a1[0] + a1[1]);
    dots[1] = (b0[0] + b0[1]) + (b1[0] + b1[1]);
}

void linex_add_four(size_t size, const double factors[4], const double *const rows[4], double *y)
{
    const double *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    double first = factors[0], second = factors[1], third = factors[2], fourth = factors[3];
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        const pair *p = (const pair *)(a + i), *q = (const pair *)(b + i), *r = (const pair *)(c + i),
                   *s = (const pair *)(d + i);
        pair *to = (pair *)(y + i), low = to[0] + first * p[0], high = to[1] + first * p[1];
        low += second * q[0], high += second * q[1];
        low += third * r[0], high += third * r[1];
        to[0] = low + fourth * s[0], to[1] = high + fourth * s[1];
    }
    for (; i + 2 <= size; i += 2) {
        pair *to = (pair *)(y + i);
        *to = *to + first * *(const pair *)(a + i) + second * *(const pair *)(b + i) +
              third * *(const pair *)(c + i) + fourth * *(const pair *)(d + i);
    }
    if (i < size) y[i] = y[i] + first * a[i] + second * b[i] + third * c[i] + fourth * d[i];
}

void linex_rows_apply(size_t count, size_t size, const double *matrix, size_t stride, const double *x, double *y)
{
    for (; count >= 2; count -= 2, matrix += 2 * stride, y += 2) dot_two(size, matrix, matrix + stride, x, y);
    if (count) *y = linex_dot(size, matrix, x);
}

void linex_matrix_apply(size_t size, const double *matrix, const double *x, double *y)
{
    linex_rows_apply(size, size, matrix, size, x, y);
}
