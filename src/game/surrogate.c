/* surrogate.c: solves a ridge regression, and combines the fits of several environments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linex.h"
#include "base/matrix.h"
#include "base/sort.h"
#include "base/alloc.h"

linex_status linex_ridge_solve(size_t feature_count, const double *gram, const double *cross, double *coefficients)
{
    if (!feature_count || !gram || !cross || !coefficients) return LINEX_BAD_ARGUMENT;
    double *factor = linex_alloc_doubles((double)feature_count * (double)feature_count);
    if (!factor) return LINEX_NO_MEMORY;
    memcpy(factor, gram, feature_count * feature_count * sizeof *factor);
    linex_status status = linex_cholesky(feature_count, factor);
    if (!status) {
        memmove(coefficients, cross, feature_count * sizeof *coefficients);
        linex_cholesky_solve(feature_count, factor, coefficients);
    }
    free(factor);
    return status;
}

linex_status linex_smooth(linex_smoothing smoothing, size_t players, size_t feature_count, const double *fits,
                          double *smoothed)
{
    if (!players || !feature_count || !fits || !smoothed) return LINEX_BAD_ARGUMENT;
    size_t groups = smoothing == LINEX_SMOOTH_MEAN ? 1 : players;
    if (smoothing == LINEX_SMOOTH_MEDIAN_OF_MEANS) groups = (size_t)ceil(sqrt((double)players));
    double *means = linex_alloc_doubles((double)groups);
    if (!means) return LINEX_NO_MEMORY;
    for (size_t c = 0; c < feature_count; c++) {
        for (size_t group = 0; group < groups; group++) {
            size_t first = group * players / groups, last = (group + 1) * players / groups;
            double sum = 0;
            for (size_t i = first; i < last; i++) sum += fits[i * feature_count + c];
            means[group] = sum / (double)(last - first);
        }
        linex_sort(groups, means);
        smoothed[c] = linex_quantile(groups, means, 0.5);
    }
    free(means);
    return LINEX_OK;
}
