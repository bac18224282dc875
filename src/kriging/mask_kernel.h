/* mask_kernel.h: the kernel of kriging on masks, and the exact linear part of what it spans.
 *
 * Each part j has a relevance r_j >= 0; they add up to 1. Two masks m and m' that differ in parts of relevance D together
 * have the kernel
 *
 *     bell(m, m') = exp(-D / reach)
 *
 * which is a product over the parts. Let s_q be the share of the masks that keep q of the d parts; all masks of a size are
 * equally likely. The mean of bell(m, c) is then the sum over all masks of a function of their size, s_q / (d choose q),
 * times a product over the parts. It is found part by part, as the number of ways to pay a sum with coins: with B_d = that
 * function of the size and, from the last part to the first,
 *
 *     B_j[q] = [factor of part j removed] B_j+1[q] + [factor of part j kept] B_j+1[q + 1],
 *
 * it is B_0[0]. The same from the first part on gives the mean of the masks that keep part j. All terms are positive, so
 * nothing cancels. */
#ifndef LINEX_MASK_KERNEL_H
#define LINEX_MASK_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t count, parts;
    const uint8_t *masks; /* count x parts */
    double *relevance;    /* parts */
    double *signs;        /* count x parts: the root of the relevance if the part is kept, otherwise minus it */
    double share, variance, shared; /* of a part: how often it is kept; variance and covariance of two parts */
    double *mask_shares;            /* parts + 1: the probability of one mask of each size */
    double *kept, *removed;         /* parts: the factors of the kernel for one mask */
    double *before, *after;         /* scratch of the linear parts */
    double *means;                  /* parts: scratch */
    double *memory;                 /* owns the arrays of doubles above */
} linex_mask_kernel;

/* Prepares the kernel, with equal relevances. The masks are kept, not copied. Returns false without memory. Close it in
 * either case.
 *
 * sizes  parts + 1: see linex_law */
bool linex_mask_kernel_open(size_t count, size_t parts, const uint8_t *masks, const double *sizes,
                            linex_mask_kernel *opened);
void linex_mask_kernel_close(linex_mask_kernel *kernel);

/* Whether the law has a linear part: the parts vary, and so does the size. */
bool linex_mask_kernel_varies(const linex_mask_kernel *kernel);

/* Sets the relevances.
 *
 * relevance  parts, none negative, with sum 1; NULL for equal ones */
void linex_mask_kernel_weigh(linex_mask_kernel *kernel, const double *relevance);

/* Computes how much `rows` masks from `first` on agree with the masks 0 .. columns - 1: the relevance of the parts that are
 * the same, minus that of the others.
 *
 * agreement  rows x columns, the rows `stride` apart */
void linex_mask_kernel_agreement(const linex_mask_kernel *kernel, size_t first, size_t rows, size_t columns,
                                 double *agreement, size_t stride);

/* The same for any mask, with all masks.
 *
 * signs      parts: scratch
 * agreement  count */
void linex_mask_kernel_agree(const linex_mask_kernel *kernel, const uint8_t *mask, double *signs, double *agreement);

/* Computes bells from agreements. */
void linex_mask_kernel_bells(size_t count, const double *agreement, double reach, double *bells);

/* Adds the means of factor * bell(m, mask i) under the law: of the masks m and, for each part, of those that keep it.
 *
 * mean   of all masks
 * kept   parts: the probability that the part is kept, times the mean over the masks that keep it */
void linex_mask_kernel_add_means(const linex_mask_kernel *kernel, size_t i, double reach, double factor, double *mean,
                                 double *kept);

/* Turns these means into the linear part: a constant plus slopes times mask. Returns the constant.
 *
 * kept  parts: the means on entry, the slopes on return */
double linex_mask_kernel_linear_part(const linex_mask_kernel *kernel, double mean, double *kept);

/* The multiply-adds of linex_mask_kernel_add_means. */
double linex_mask_kernel_work(const linex_mask_kernel *kernel);

#endif
