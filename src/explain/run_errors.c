/* run_errors.c: the fit to all samples, and its standard errors from runs of samples.
 *
 * A fit follows its samples, so its residuals are smaller than the noise: with leverage h, their variance is 1 - h times
 * that of the noise. The influences of the runs then underestimate the variance by 1 - h, and refits without a run
 * overestimate it by 1 / (1 - h). Their geometric mean is right. If the answers are calibrated, their residuals are those
 * of the noise, and the influences are right. */
#include <math.h>
#include <string.h>

#include "explain/environment_fits.h"

#include "matrices/factors.h"
#include "matrices/matrix.h"

/* Without the ridge, many a weight would be exactly zero. Then its loss is its size, and rounding must not decide which
 * of the two is larger. */
static const double ABOVE_ROUNDING = 1 + 1e-6;

/* Takes the moments of all runs except the present one, and factorizes their Gram matrix, in fits->factor. */
static linex_status factorize_runs(linex_fits *fits, linex_slice *slice)
{
    size_t size = fits->size, runs = fits->groups.count;
    if (!fits->factorizing) {
        linex_moments moments = linex_fits_moments(fits, 0);
        linex_runs_moments_without(&fits->groups, fits->fitted_whole ? fits->run - 1 : runs, fits->ridge, &moments);
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
        fits->whole_total = fits->total;
        fits->stage = LINEX_FIT;
    }
    bool loses = fits->settings->draws > 0 && fits->ridge > 0 && !fits->wide && fits->total > 0;
    if (loses && linex_fits_refit(fits, scratch, slice)) return LINEX_UNFINISHED;
    for (size_t c = 0; loses && c < size; c++) losses[c] = ABOVE_ROUNDING * scratch[c];
    memset(scratch, 0, size * sizeof *scratch);
    fits->stage = LINEX_DRAW;
    return LINEX_OK;
}

/* Whether there are so few samples per column of rows that no run shows some directions. Not for masks, where it was not
 * measured. */
static bool has_unseen(const linex_fits *fits)
{
    return fits->wide && !fits->samples->masks && fits->settings->draws > 0 && fits->shared_ridge > 0;
}

/* Finds the variance of what the ridge keeps the fit from seeing. With H the share of the true weights w that the fit
 * sees, it misses (I - H) w. No sample tells these weights, so they are taken to be as large as those that it sees, in
 * spreads of their columns: with v the variances of the columns, the variance of w_k is t^2 / v_k. The factor of all
 * samples has to be known.
 *
 * unseen  size */
static void find_unseen(linex_fits *fits, const double *whole, double *unseen, linex_slice *slice)
{
    size_t size = fits->size;
    double seen = 0, square = 0, *row = fits->crosses;
    for (size_t c = 0; c < size; c++) {
        double variance = fits->variances[c];
        memset(row, 0, size * sizeof *row);
        row[c] = 1;
        linex_cholesky_solve(size, fits->factor, row);
        unseen[c] = 0;
        for (size_t k = 0; k < size; k++) {
            double missed = fits->shared_ridge * row[k], share = (k == c) - missed;
            unseen[c] += missed * missed / fits->variances[k];
            seen += share * share * variance / fits->variances[k];
        }
        square += whole[c] * whole[c] * variance;
    }
    for (size_t c = 0; c < size; c++) unseen[c] *= seen > 0 ? square / seen : 0;
    linex_slice_use(slice, 2.0 * (double)size * (double)size * (double)size);
}

/* The variance is a factor times the sum of (move - mean move)^2. The factor of the jackknife with R runs is (R - 1) / R.
 * The R influences are each smaller than a refit by (R - 1) / R, so theirs is R / (R - 1).
 *
 * sums, squares  size: of the moves of the fit; the squares become the variances */
static void finish_variances(size_t size, double runs, double factor, const double *sums, double *squares)
{
    for (size_t c = 0; c < size; c++)
        squares[c] = runs > 1 ? fmax(0, factor * (squares[c] - sums[c] * sums[c] / runs)) : 0;
}

/* Without two runs nothing is known; then the errors are as large as the weights. */
static void finish_errors(const linex_fits *fits, const double *whole, const double *refitted, double *errors)
{
    double largest = 0;
    for (size_t c = 0; c < fits->size; c++) largest = fmax(largest, fabs(whole[c]));
    for (size_t c = 0; c < fits->size; c++) {
        if (fits->calibrated || fits->left_out < 2)
            errors[c] = fits->left_out > 1 ? sqrt(errors[c]) : largest;
        else
            errors[c] = sqrt(sqrt(errors[c]) * sqrt(refitted[c]));
    }
}

/* Finds by how much the fit moves without the present run, to first order: one step with the factor of all samples. */
static void find_influence(linex_fits *fits, const double *whole, linex_slice *slice)
{
    size_t size = fits->size;
    linex_moments moments = linex_fits_moments(fits, 0);
    linex_runs_moments_without(&fits->groups, fits->run - 1, fits->ridge, &moments);
    double share = fits->whole_total > 0 ? moments.total / fits->whole_total : 0;
    for (size_t c = 0; c < size; c++)
        fits->crosses[c] = share * (fits->crosses[c] - linex_dot(size, fits->grams + c * size, whole));
    linex_cholesky_solve(size, fits->factor, fits->crosses);
    linex_slice_use(slice, 5.0 * (double)size * (double)size);
}

/* Adds the move in fits->crosses to the sums. */
static void add_move(const linex_fits *fits, double *sums, double *squares)
{
    for (size_t c = 0; c < fits->size; c++) {
        sums[c] += fits->crosses[c];
        squares[c] += fits->crosses[c] * fits->crosses[c];
    }
}

/* The influences of all runs. */
static linex_status add_influences(linex_fits *fits, size_t runs, const double *whole, double *sums, double *squares,
                                   linex_slice *slice)
{
    for (; fits->run <= runs; fits->run++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        if (linex_run_weight(&fits->groups, fits->run - 1) == 0) continue;
        find_influence(fits, whole, slice);
        add_move(fits, sums, squares);
        fits->left_out++;
    }
    return LINEX_OK;
}

/* The moves of the fit without each run, made again. */
static linex_status add_refits(linex_fits *fits, size_t runs, const double *whole, double *sums, double *squares,
                               linex_slice *slice)
{
    for (; fits->run <= runs; fits->run++) {
        if (!fits->factorizing && linex_slice_ended(slice)) return LINEX_UNFINISHED;
        if (linex_run_weight(&fits->groups, fits->run - 1) == 0) continue;
        linex_status status = factorize_runs(fits, slice);
        if (status == LINEX_UNFINISHED) return status;
        if (status) continue; /* without a ridge, too few samples may be left */
        linex_cholesky_solve(fits->size, fits->factor, fits->crosses);
        for (size_t c = 0; c < fits->size; c++) fits->crosses[c] -= whole[c];
        add_move(fits, sums, squares);
        fits->left_out++;
    }
    return LINEX_OK;
}

linex_status linex_fits_find_errors(linex_fits *fits, double *scratch, double *whole, double *errors, double *losses,
                                    linex_slice *slice)
{
    size_t size = fits->size;
    size_t runs = fits->settings->draws > 0 && !fits->samples->complete ? fits->groups.count : 0;
    double *refitted = scratch + size;
    if (!fits->fitted_whole) {
        linex_status status = fit_all(fits, scratch, whole, losses, slice);
        if (status) return status;
        fits->fitted_whole = true;
        fits->run = 1;
    }
    if (!fits->influenced) {
        if (add_influences(fits, runs, whole, scratch, errors, slice)) return LINEX_UNFINISHED;
        if (has_unseen(fits)) find_unseen(fits, whole, fits->fits, slice);
        double influences = (double)fits->left_out;
        finish_variances(size, influences, influences / (influences - 1), scratch, errors);
        fits->influenced = true;
        fits->run = 1;
        if (!fits->calibrated) fits->left_out = 0;
        memset(scratch, 0, 2 * size * sizeof *scratch);
    }
    if (!fits->calibrated) {
        if (add_refits(fits, runs, whole, scratch, refitted, slice)) return LINEX_UNFINISHED;
        double refits = (double)fits->left_out;
        finish_variances(size, refits, (refits - 1) / refits, scratch, refitted);
    }
    if (runs > 0) finish_errors(fits, whole, refitted, errors);
    for (size_t c = 0; has_unseen(fits) && c < size; c++) errors[c] = sqrt(errors[c] * errors[c] + fits->fits[c]);
    memset(scratch, 0, 2 * size * sizeof *scratch);
    return LINEX_OK;
}
