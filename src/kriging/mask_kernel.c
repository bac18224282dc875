/* mask_kernel.c: the kernel of kriging on masks, and the exact linear part of what it spans. */
#include "kriging/mask_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/elementary.h"
#include "matrices/matrix.h"
#include "matrices/products.h"

/* Variances below this are rounding. */
static const double LEAST_VARIANCE = 1e-9;

/* The variance of the number of kept parts, divided by that number. */
static double joint_variance(const linex_mask_kernel *kernel)
{
    return kernel->variance + (double)kernel->parts * kernel->shared;
}

static void read_law(const double *sizes, linex_mask_kernel *kernel)
{
    double parts = (double)kernel->parts, masks = 1, both = 0;
    for (size_t q = 0; q <= kernel->parts; q++) {
        double kept = (double)q;
        kernel->mask_shares[q] = sizes[q] / masks;
        kernel->share += sizes[q] * kept / parts;
        if (q > 1) both += sizes[q] * (kept / parts) * ((kept - 1) / (parts - 1));
        masks *= (parts - kept) / (kept + 1);
    }
    kernel->variance = kernel->share - both;
    kernel->shared = both - kernel->share * kernel->share;
}

bool linex_mask_kernel_open(size_t count, size_t parts, const uint8_t *masks, const double *sizes,
                            linex_mask_kernel *opened)
{
    double most = (double)parts, row = most + 1;
    *opened = (linex_mask_kernel){.count = count, .parts = parts, .masks = masks};
    double *next = opened->memory = linex_alloc_doubles((double)count * most + 4 * most + 2 * row + row * row);
    if (!next) return false;
    opened->signs = next, next += count * parts;
    opened->relevance = next, next += parts;
    opened->kept = next, next += parts;
    opened->removed = next, next += parts;
    opened->means = next, next += parts;
    opened->mask_shares = next, next += parts + 1;
    opened->before = next, next += parts + 1;
    opened->after = next;
    read_law(sizes, opened);
    linex_mask_kernel_weigh(opened, NULL);
    return true;
}

void linex_mask_kernel_close(linex_mask_kernel *kernel)
{
    free(kernel->memory);
}

bool linex_mask_kernel_varies(const linex_mask_kernel *kernel)
{
    return kernel->parts >= 2 && kernel->variance > LEAST_VARIANCE && joint_variance(kernel) > LEAST_VARIANCE;
}

void linex_mask_kernel_weigh(linex_mask_kernel *kernel, const double *relevance)
{
    size_t parts = kernel->parts;
    for (size_t j = 0; j < parts; j++) {
        kernel->relevance[j] = relevance ? relevance[j] : 1 / (double)parts;
        double root = sqrt(kernel->relevance[j]);
        for (size_t i = 0; i < kernel->count; i++)
            kernel->signs[i * parts + j] = kernel->masks[i * parts + j] ? root : -root;
    }
}

void linex_mask_kernel_agreement(const linex_mask_kernel *kernel, size_t first, size_t rows, size_t columns,
                                 double *agreement, size_t stride)
{
    size_t parts = kernel->parts;
    for (size_t r = 0; r < rows; r++) memset(agreement + r * stride, 0, columns * sizeof *agreement);
    linex_products_add(parts, rows, kernel->signs + first * parts, parts, columns, kernel->signs, parts, agreement,
                       stride);
}

void linex_mask_kernel_agree(const linex_mask_kernel *kernel, const uint8_t *mask, double *signs, double *agreement)
{
    for (size_t j = 0; j < kernel->parts; j++) {
        double root = sqrt(kernel->relevance[j]);
        signs[j] = mask[j] ? root : -root;
    }
    linex_rows_apply(kernel->count, kernel->parts, kernel->signs, kernel->parts, signs, agreement);
}

void linex_mask_kernel_bells(size_t count, const double *agreement, double reach, double *bells)
{
    for (size_t i = 0; i < count; i++) bells[i] = fmin(0, (agreement[i] - 1) / (2 * reach));
    linex_exp_all(count, bells);
}

/* Fills row j of `after` with B_j, for all j. Row j has the sizes 0 .. j of the parts before it. */
static void pay_backwards(const linex_mask_kernel *kernel)
{
    size_t parts = kernel->parts, stride = parts + 1;
    memcpy(kernel->after + parts * stride, kernel->mask_shares, stride * sizeof *kernel->after);
    for (size_t j = parts; j-- > 0;) {
        const double *from = kernel->after + (j + 1) * stride;
        double *to = kernel->after + j * stride, kept = kernel->kept[j], removed = kernel->removed[j];
        for (size_t q = 0; q <= j; q++) to[q] = removed * from[q] + kept * from[q + 1];
    }
}

void linex_mask_kernel_add_means(const linex_mask_kernel *kernel, size_t i, double reach, double factor, double *mean,
                                 double *kept)
{
    size_t parts = kernel->parts, stride = parts + 1;
    const uint8_t *mask = kernel->masks + i * parts;
    double *before = kernel->before, *apart = kernel->means;
    for (size_t j = 0; j < parts; j++) apart[j] = -kernel->relevance[j] / reach;
    linex_exp_all(parts, apart);
    for (size_t j = 0; j < parts; j++) {
        kernel->kept[j] = mask[j] ? 1 : apart[j];
        kernel->removed[j] = mask[j] ? apart[j] : 1;
    }
    pay_backwards(kernel);
    *mean += factor * kernel->after[0];
    before[0] = 1;
    for (size_t j = 0; j < parts; j++) {
        const double *after = kernel->after + (j + 1) * stride;
        kept[j] += factor * kernel->kept[j] * linex_dot(j + 1, before, after + 1);
        before[j + 1] = 0;
        for (size_t q = j + 1; q > 0; q--)
            before[q] = kernel->removed[j] * before[q] + kernel->kept[j] * before[q - 1];
        before[0] *= kernel->removed[j];
    }
}

/* The slopes are the inverse of the covariance matrix of the parts times the covariances with them. The matrix has
 * variance + shared on its diagonal and `shared` elsewhere. */
double linex_mask_kernel_linear_part(const linex_mask_kernel *kernel, double mean, double *kept)
{
    double sum = 0, together = joint_variance(kernel);
    for (size_t j = 0; j < kernel->parts; j++) sum += kept[j] -= kernel->share * mean;
    for (size_t j = 0; j < kernel->parts; j++)
        kept[j] = (kept[j] - kernel->shared * sum / together) / kernel->variance;
    return mean - kernel->share * sum / together;
}

double linex_mask_kernel_work(const linex_mask_kernel *kernel)
{
    return 2 * (double)kernel->parts * (double)kernel->parts + 16 * (double)kernel->parts;
}
