/* wide_sweeps.h: sets one feature after the other to its players' rest point, without Gram matrices. */
#ifndef LINEX_WIDE_SWEEPS_H
#define LINEX_WIDE_SWEEPS_H

#include "wide/wide_form.h"

/* Features that are visited together: their forces are computed in one pass over the samples. */
enum { LINEX_WIDE_BLOCK = 4 };

/* Computes the products x_c'C_i x_e of the features of each block. In slices.
 *
 * near     players x features x LINEX_WIDE_BLOCK: row c holds the products of feature c with its block's features
 * scratch  LINEX_WIDE_BLOCK x samples */
linex_status linex_wide_near_advance(const linex_wide_form *form, double *near, double *scratch, linex_cursor *at,
                                     linex_slice *slice);

/* Makes sweeps from s. In slices. On entry form->left is y - X s; it is kept up to date. form->forces is not.
 *
 * near     from linex_wide_near_advance
 * sweeps   how many
 * weights  features: s
 * moved    the largest change in the last sweep; also in use between slices */
linex_status linex_wide_sweep_advance(linex_wide_form *form, const double *near, size_t sweeps, double *weights,
                                      double *moved, linex_cursor *at, linex_slice *slice);
double linex_wide_sweep_work(const linex_wide_form *form);

#endif
