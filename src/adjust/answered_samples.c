/* answered_samples.c: what adjusting and explaining check and sum up about answered samples. */
#include "adjust/answered_samples.h"

#include <math.h>
#include <string.h>

#include "adjust/law.h"
#include "base/points.h"
#include "matrices/matrix.h"
#include "environments/sample_runs.h"

static bool adjustment_is_good(const linex_adjustment *adjustment, size_t count)
{
    return adjustment->answers && linex_all_finite(count, adjustment->answers) && isfinite(adjustment->ridge) &&
           (adjustment->ridge >= 0 || adjustment->ridge == LINEX_RIDGE_AUTO);
}

bool linex_samples_are_good(const linex_samples *samples)
{
    const linex_points points = linex_points_of(samples);
    if (!samples->answers || !samples->weights || !linex_points_are_good(&points)) return false;
    if (samples->planned < 2 || (samples->law && !linex_law_is_good(samples->law, samples))) return false;
    if (samples->adjustment && !adjustment_is_good(samples->adjustment, samples->count)) return false;
    return linex_all_finite(samples->count, samples->answers);
}

bool linex_answers_are_constant(const linex_samples *samples)
{
    for (size_t i = 1; i < samples->count; i++)
        if (samples->answers[i] != samples->answers[0]) return false;
    return true;
}

double linex_samples_total(const linex_samples *samples, double *totals)
{
    double sum = 0, squares = 0;
    memset(totals, 0, samples->count * sizeof *totals);
    for (size_t i = 0; i < samples->planned; i++) {
        size_t point = linex_point_of(samples, i);
        double weight = samples->weights[point];
        totals[point] += weight;
        sum += weight;
        squares += weight * weight;
    }
    return squares > 0 ? sum * sum / squares : 0;
}
