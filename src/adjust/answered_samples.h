/* answered_samples.h: what adjusting and explaining check and sum up about answered samples. */
#ifndef LINEX_ANSWERED_SAMPLES_H
#define LINEX_ANSWERED_SAMPLES_H

#include "linex.h"

/* Whether the samples can be explained: every array is there, and the numbers are in their range. The environments are
 * checked by linex_environments_are_good. */
bool linex_samples_are_good(const linex_samples *samples);

/* Whether all answers are the same. */
bool linex_answers_are_constant(const linex_samples *samples);

/* Computes the weight of each point: the weight of one copy times the number of copies. Returns the effective number
 * of samples, (sum w)^2 / sum w^2.
 *
 * totals  count */
double linex_samples_total(const linex_samples *samples, double *totals);

#endif
