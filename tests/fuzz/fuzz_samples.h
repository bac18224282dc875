/* fuzz_samples.h: answered samples and the settings of their environments, made from the bytes of an execution. */
#ifndef LINEX_FUZZ_SAMPLES_H
#define LINEX_FUZZ_SAMPLES_H

#include "linex.h"

/* Returns 1 to 24 points with 1 to 6 features, planned once or several times, as numbers or as masks.
 *
 * players  rows of the caller's own environments */
linex_samples fuzz_samples(size_t players);

/* Returns 1 to 4 players in environments of any kind. */
linex_environment_settings fuzz_environment_settings(void);

/* Changes some environments to halves of runs, or to sides. What came later than the corpus is read last, so that the
 * inputs in it still mean the same. */
void fuzz_runs_and_sides(linex_environment_settings *settings, linex_samples *samples);

#endif
