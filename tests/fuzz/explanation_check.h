/* explanation_check.h: states what must hold for every explanation. */
#ifndef LINEX_EXPLANATION_CHECK_H
#define LINEX_EXPLANATION_CHECK_H

#include "linex.h"

/* Returns an explanation whose arrays have their exact sizes. In a wild execution some are NULL. */
linex_explanation check_arrays(size_t players, size_t feature_count);

/* Expects finite numbers, indices in their range, and weights that agree with their intervals. */
void check_numbers(const linex_samples *samples, const linex_settings *settings, const linex_explanation *told);

/* Checks the certificate of a single game whose strategies and weights are all reported. */
void check_equilibrium(const linex_settings *settings, size_t feature_count, const linex_explanation *told);

/* Explains again in slices, and expects the same bits. */
void check_slices(const linex_samples *samples, const double *at, const linex_settings *settings,
                  const linex_explanation *told);

#endif
