/* coalition_law.h: how many coalitions of each size there are, how many are drawn, and what each of them counts.
 *
 * A coalition and its complement are a pair. A pair has the size of its smaller coalition, so the sizes are 1 to d / 2
 * for d parts. */
#ifndef LINEX_COALITION_LAW_H
#define LINEX_COALITION_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Larger numbers of pairs are not computed: nobody draws as many. */
#define LINEX_MANY_PAIRS UINT64_MAX

/* Returns how many pairs of a size there are, or LINEX_MANY_PAIRS if more than 2^62. 0 < size <= feature_count / 2. */
uint64_t linex_pairs_count(size_t feature_count, size_t size);

/* Returns the kernel's mass on all pairs of a size, up to a factor that all sizes share. */
double linex_pairs_mass(size_t feature_count, size_t size);

/* Returns whether all pairs of size 1 come before the others: see linex_coalitions_draw. */
bool linex_singles_lead(size_t feature_count, size_t samples);

/* Computes what each pair counts: the kernel's mass divided by the probability that the pair was drawn, with sum 1.
 *
 * drawn    feature_count / 2 + 1: how many pairs of each size were drawn; [0] is not read
 * weights  feature_count / 2 + 1: what one pair of each size counts
 * missing  feature_count / 2 + 1: the share of each size that was not drawn */
void linex_pairs_weigh(size_t feature_count, const size_t *drawn, double *weights, double *missing);

#endif
