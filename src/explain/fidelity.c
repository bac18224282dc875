/* fidelity.c: the intercept of an explanation, and its weighted R^2 over all samples. */
#include "explain/fidelity.h"

#include "matrices/matrix.h"

linex_status linex_fidelity_add(linex_fidelity *fidelity, const linex_points *points, const double *seen,
                                const double *answers, const double *totals, size_t size, const double *weights,
                                double *scratch, linex_slice *slice)
{
    for (; fidelity->cursor.row < points->count; fidelity->cursor.row++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t i = fidelity->cursor.row;
        double predicted = linex_dot(size, weights, linex_points_row(points, i, scratch));
        fidelity->total += totals[i];
        fidelity->answer += totals[i] * answers[i];
        fidelity->rest += totals[i] * (seen[i] - predicted);
        linex_slice_use(slice, (double)(2 * size + 8));
    }
    fidelity->cursor.row = 0;
    return LINEX_OK;
}

double linex_fidelity_intercept(const linex_fidelity *fidelity)
{
    return fidelity->total > 0 ? fidelity->rest / fidelity->total : 0;
}

linex_status linex_fidelity_measure(linex_fidelity *fidelity, const linex_points *points, const double *answers,
                                    const double *totals, size_t size, const double *weights, double intercept,
                                    double *scratch, linex_slice *slice)
{
    double mean = fidelity->total > 0 ? fidelity->answer / fidelity->total : 0;
    for (; fidelity->cursor.row < points->count; fidelity->cursor.row++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t i = fidelity->cursor.row;
        double predicted = intercept + linex_dot(size, weights, linex_points_row(points, i, scratch));
        double miss = answers[i] - predicted, off = answers[i] - mean;
        fidelity->missed += totals[i] * miss * miss;
        fidelity->varied += totals[i] * off * off;
        linex_slice_use(slice, (double)(2 * size + 8));
    }
    fidelity->cursor.row = 0;
    return LINEX_OK;
}

double linex_fidelity_share(const linex_fidelity *fidelity)
{
    return fidelity->varied > 0 ? 1 - fidelity->missed / fidelity->varied : (double)(fidelity->missed == 0);
}
