/* wide_energy.c: the energy of the features, which the ridge of a wide fit is relative to. */
#include "wide/wide_energy.h"

#include <string.h>

#include "base/points.h"
#include "base/sort.h"

/* Means are differences from the first sample that counts, so a column that does not vary has no energy at all. */
double linex_wide_energy(const linex_points *points, const double *weights, bool centered, double *scratch)
{
    size_t count = points->count, features = points->feature_count, first = 0, varying = 0;
    double *means = scratch, *energies = scratch + features, *row = energies + features, total = 0;
    while (first < count && !(weights[first] > 0)) first++;
    if (first == count) return 0;
    const double *start = linex_points_row(points, first, row);
    memset(energies, 0, features * sizeof *energies);
    for (size_t c = 0; c < features; c++) means[c] = centered ? start[c] : 0;
    for (size_t j = first; j < count; j++) total += weights[j];
    for (size_t j = first; centered && j < count; j++) {
        if (weights[j] == 0) continue;
        const double *values = linex_points_row(points, j, row);
        for (size_t c = 0; c < features; c++) energies[c] += weights[j] * (values[c] - means[c]);
    }
    for (size_t c = 0; c < features; c++) means[c] += energies[c] / total, energies[c] = 0;
    for (size_t j = first; j < count; j++) {
        if (weights[j] == 0) continue;
        const double *values = linex_points_row(points, j, row);
        for (size_t c = 0; c < features; c++)
            energies[c] += weights[j] * ((values[c] - means[c]) * (values[c] - means[c]));
    }
    for (size_t c = 0; c < features; c++)
        if (energies[c] > 0) energies[varying++] = energies[c];
    if (varying == 0) return 0;
    linex_sort(varying, energies);
    return linex_quantile(varying, energies, 0.5);
}
