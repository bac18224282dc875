/* stability.c: intervals and sign agreement of weights over many draws. */
#include "explain/stability.h"

#include <math.h>

#include "base/sort.h"

void linex_stability_of(size_t draws, double *weights, double *low, double *high, double *agreement)
{
    double signs = 0;
    for (size_t i = 0; i < draws; i++) signs += (weights[i] > 0) - (weights[i] < 0);
    linex_sort(draws, weights);
    *low = linex_quantile(draws, weights, 0.025);
    *high = linex_quantile(draws, weights, 0.975);
    *agreement = fabs(signs) / (double)draws;
}
