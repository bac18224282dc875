/* products.h: products of two matrices whose rows are given, as dot products of rows. */
#ifndef LINEX_PRODUCTS_H
#define LINEX_PRODUCTS_H

#include <stddef.h>

/* Long sums are added up in chunks of this length, so that the rows of a chunk stay in the cache. */
enum { LINEX_CHUNK = 128 };

/* Adds the dot products of rows: sums[i][j] += sum over t of a[i][t] * b[j][t].
 *
 * a     a_rows x length, the rows a_stride apart
 * b     b_rows x length, the rows b_stride apart
 * sums  a_rows x b_rows, the rows sums_stride apart */
void linex_products_add(size_t length, size_t a_rows, const double *a, size_t a_stride, size_t b_rows,
                        const double *b, size_t b_stride, double *sums, size_t sums_stride);

#endif
