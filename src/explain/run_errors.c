/* run_errors.c: the fit to all samples, and its standard errors from runs of samples. */
#include <math.h>
#include <string.h>

#include "explain/environment_fits.h"

/* Without the ridge, many a weight would be exactly zero. Then its loss is its size, and rounding must not decide which
 * of the two is larger. */
static const double ABOVE_ROUNDING = 1 + 1e-6;

/* Takes the moments of all runs except the present one, and factorizes their Gram matrix, in fits->factor. */
static linex_status factorize_runs(linex_fits *fits, linex_slice *slice)
{
    size_t size = fits->size, runs = fits->groups.count;
    if (!fits->factorizing) {
        linex_moments moments = linex_fits_moments(fits, 0);
        linex_runs_moments_without(&fits->groups, fits->run > 0 ? fits->run - 1 : runs, fits->ridge, &moments);
        linex_slice_use(slice, 3.0 * (double)size * (double)size);
        fits->total = moments.total;
        memcpy(fits->factor, fits->grams, size * size * sizeof *fits->factor);
        fits->factorizing = true;
    }
    linex_status status = linex_cholesky_advance(size, fits->factor, &fits->factor_cursor, slice);
    if (status != LINEX_UNFINISHED) fits->factorizing = false;
    return status;
}

/* Fits all samples, and finds what the ridge takes. */
static linex_status fit_all(linex_fits *fits, double *scratch, double *whole, double *losses, linex_slice *slice)
{
    size_t size = fits->size;
    if (fits->stage == LINEX_DRAW) {
        linex_status status = factorize_runs(fits, slice);
        if (status) return status;
        memcpy(whole, fits->crosses, size * sizeof *whole);
        linex_cholesky_solve(size, fits->factor, whole);
        for (size_t c = 0; c < size; c++) fits->variances[c] = fits->grams[c * size + c];
        fits->shared_ridge = fits->total > 0 ? fits->ridge / fits->total : 0;
        fits->stage = LINEX_FIT;
    }
    bool loses = fits->settings->draws > 0 && fits->ridge > 0 && !fits->wide && fits->total > 0;
    if (loses && linex_fits_refit(fits, scratch, slice)) return LINEX_UNFINISHED;
    for (size_t c = 0; loses && c < size; c++) losses[c] = ABOVE_ROUNDING * fabs(scratch[c]);
    memset(scratch, 0, size * sizeof *scratch);
    fits->stage = LINEX_DRAW;
    return LINEX_OK;
}

/* The variance of the jackknife with R runs is (R - 1) / R sum (b_r - mean of b_r)^2. Without two runs nothing is known;
 * then the errors are as large as the weights. */
static void finish_errors(const linex_fits *fits, const double *sums, const double *whole, double *errors)
{
    double runs = (double)fits->left_out, largest = 0;
    for (size_t c = 0; c < fits->size; c++) largest = fmax(largest, fabs(whole[c]));
    for (size_t c = 0; c < fits->size; c++) {
        double variance = runs > 1 ? (runs - 1) / runs * (errors[c] - sums[c] * sums[c] / runs) : 0;
        errors[c] = runs > 1 ? sqrt(fmax(0, variance)) : largest;
    }
}

linex_status linex_fits_find_errors(linex_fits *fits, double *scratch, double *whole, double *errors, double *losses,
                                    linex_slice *slice)
{
    size_t size = fits->size;
    size_t runs = fits->settings->draws > 0 && !fits->samples->complete ? fits->groups.count : 0;
    if (fits->run == 0) {
        linex_status status = fit_all(fits, scratch, whole, losses, slice);
        if (status) return status;
        fits->run = 1;
    }
    for (; fits->run <= runs; fits->run++) {
        if (!fits->factorizing && linex_slice_ended(slice)) return LINEX_UNFINISHED;
        if (linex_run_weight(&fits->groups, fits->run - 1) == 0) continue;
        linex_status status = factorize_runs(fits, slice);
        if (status == LINEX_UNFINISHED) return status;
        if (status) continue; /* without a ridge, too few samples may be left */
        linex_cholesky_solve(size, fits->factor, fits->crosses);
        for (size_t c = 0; c < size; c++) {
            double off = fits->crosses[c] - whole[c];
            scratch[c] += off;
            errors[c] += off * off;
        }
        fits->left_out++;
    }
    if (runs > 0) finish_errors(fits, scratch, whole, errors);
    return LINEX_OK;
}
