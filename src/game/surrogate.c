/* surrogate.c: solves a ridge regression, and combines the fits of several environments. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/sort.h"
#include "base/alloc.h"
#include "matrices/factors.h"
#include "matrices/matrix.h"

linex_status linex_ridge_solve(size_t feature_count, const double *gram, const double *cross, double *coefficients)
{
    if (!feature_count || !gram || !cross || !coefficients) return LINEX_BAD_ARGUMENT;
    double *factor = linex_alloc_doubles((double)feature_count * ((double)feature_count + 1));
    if (!factor) return LINEX_NO_MEMORY;
    size_t entries = feature_count * feature_count, bytes = feature_count * sizeof *factor;
    double *solution = factor + entries;
    linex_status status = LINEX_BAD_ARGUMENT;
    if (linex_all_finite(entries, gram) && linex_all_finite(feature_count, cross)) {
        memcpy(factor, gram, entries * sizeof *factor);
        status = linex_cholesky(feature_count, factor);
    }
    if (!status) {
        memcpy(solution, cross, bytes);
        linex_cholesky_solve(feature_count, factor, solution);
        if (!linex_all_finite(feature_count, solution)) status = LINEX_OVERFLOW;
    }
    if (!status) memcpy(coefficients, solution, bytes);
    free(factor);
    return status;
}

/* The mean of one feature over the players first .. last-1. */
static double mean_fit(size_t feature_count, const double *fits, size_t first, size_t last)
{
    double sum = 0, mean = 0, players = (double)(last - first);
    for (size_t i = first; i < last; i++) sum += fits[i * feature_count];
    if (isfinite(sum)) return sum / players;
    /* The sum of huge fits overflows although their mean does not. The parts may add up to a little too much. */
    for (size_t i = first; i < last; i++) mean += fits[i * feature_count] / players;
    return fmax(-DBL_MAX, fmin(mean, DBL_MAX));
}

linex_status linex_smooth(linex_smoothing smoothing, size_t players, size_t feature_count, const double *fits,
                          double *smoothed)
{
    if (!players || !feature_count || !fits || !smoothed) return LINEX_BAD_ARGUMENT;
    if (smoothing < LINEX_SMOOTH_MEAN || smoothing > LINEX_SMOOTH_MEDIAN_OF_MEANS) return LINEX_BAD_ARGUMENT;
    if (!linex_all_finite(players * feature_count, fits)) return LINEX_BAD_ARGUMENT;
    size_t groups = smoothing == LINEX_SMOOTH_MEAN ? 1 : players;
    if (smoothing == LINEX_SMOOTH_MEDIAN_OF_MEANS) groups = (size_t)ceil(sqrt((double)players));
    double *means = linex_alloc_doubles((double)groups);
    if (!means) return LINEX_NO_MEMORY;
    for (size_t c = 0; c < feature_count; c++) {
        for (size_t group = 0; group < groups; group++) {
            size_t first = group * players / groups, last = (group + 1) * players / groups;
            means[group] = mean_fit(feature_count, fits + c, first, last);
        }
        linex_sort(groups, means);
        smoothed[c] = linex_quantile(groups, means, 0.5);
    }
    free(means);
    return LINEX_OK;
}
