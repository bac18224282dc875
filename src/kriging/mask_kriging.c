/* mask_kriging.c: chooses the settings of kriging on masks by leave-one-out errors, and fits it. */
#include "kriging/mask_kriging.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "matrices/factors.h"
#include "matrices/inverse_diagonal.h"
#include "matrices/matrix.h"

/* The settings are chosen on at most this many samples, so that choosing takes about as long as the final fit. */
enum { MOST_TRIED = 192, ROWS = 16, VALUES = LINEX_MASK_VALUES };
enum { LINE = LINEX_MASK_LINE, BELLS = LINEX_MASK_BELLS, REACH = LINEX_MASK_REACH };
enum { NUGGET = LINEX_MASK_NUGGET, TERMS = LINEX_MASK_TERMS_SIZE, PRODUCTS = LINEX_MASK_PRODUCTS_SIZE };
/* The kernels of the tried samples. */
enum { OF_TERMS = 1, OF_PRODUCTS = 2, OF_BELLS = 3 };

/* Weights below this share of the mean weight count as this share. */
static const double LEAST_WEIGHT = 0.05;
/* Of the fit to all samples that relevances come from. */
static const double SLOPE_RIDGE = 0.3;
/* The share of the relevances that all parts have equally, because a part without slope may matter as well. */
static const double EQUAL_SHARE = 0.2;
/* Standardizes the answers. Differences from the first answer are exactly zero if nothing varies. */
static bool standardize(linex_mask_kriging *kriging, const double *answers)
{
    size_t count = kriging->points->count;
    double *standard = kriging->standard, largest = 0, total = 0, mean = 0, square = 0;
    const double *weights = kriging->weights;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(answers[i] - answers[0]));
        total += weights[i];
    }
    if (!(largest > 0 && isfinite(largest) && total > 0 && isfinite(total))) return false;
    for (size_t i = 0; i < count; i++) {
        standard[i] = (answers[i] - answers[0]) / largest;
        mean += weights[i] / total * standard[i];
    }
    for (size_t i = 0; i < count; i++) {
        standard[i] -= mean;
        square += weights[i] / total * standard[i] * standard[i];
    }
    double spread = sqrt(square);
    for (size_t i = 0; i < count; i++) standard[i] /= spread;
    kriging->scale = spread * largest;
    kriging->mean = answers[0] + mean * largest;
    return spread > 0 && linex_all_finite(count, standard);
}

/* The mean weight is that of a unit of weight, so that samples of hardly any weight do not count. */
static bool find_noise(linex_mask_kriging *kriging)
{
    double sum = 0, square = 0;
    for (size_t i = 0; i < kriging->fitted; i++) {
        sum += kriging->weights[i];
        square += kriging->weights[i] * kriging->weights[i];
    }
    double mean = square / sum;
    if (!(mean > 0 && isfinite(mean))) return false;
    for (size_t i = 0; i < kriging->fitted; i++)
        kriging->noise[i] = 1 / fmax(kriging->weights[i] / mean, LEAST_WEIGHT);
    return true;
}

static bool place_moments(linex_mask_kriging *kriging)
{
    size_t parts = kriging->parts;
    double *next = linex_alloc_doubles((double)parts * ((double)parts + 2) + linex_moments_scratch(parts));
    kriging->memory = next;
    if (!next) return false;
    kriging->moments.gram = next, next += parts * parts;
    kriging->moments.cross = next, next += parts;
    kriging->moments.mean = next, next += parts;
    kriging->moments.scratch = next;
    return true;
}

static bool allocate(linex_mask_kriging *kriging)
{
    size_t count = kriging->points->count, fitted = kriging->fitted, tried = kriging->tried, parts = kriging->parts;
    size_t terms = linex_terms_most(&kriging->terms); /* fewer than LINEX_MASK_TERMS if there is nothing to bend */
    double most = (double)fitted, columns = fmax((double)terms, LINEX_MASK_TERMS);
    double *next =
        linex_alloc_doubles(2 * (double)count + (3 + columns + 2 * ROWS) * most + (double)terms + 4 * (double)parts);
    kriging->weights = next;
    kriging->kernels = linex_alloc_doubles((OF_BELLS + VALUES) * (double)tried * (double)tried);
    kriging->matrix = linex_alloc_doubles(most * most);
    kriging->scratch = linex_alloc_doubles(linex_inverse_diagonal_scratch(fitted));
    if (!next || !kriging->kernels || !kriging->matrix || !kriging->scratch) return false;
    if (fitted < count && !place_moments(kriging)) return false;
    next += count;
    kriging->standard = next, next += count;
    kriging->noise = next, next += fitted;
    kriging->diagonal = next, next += fitted;
    kriging->solution = next, next += fitted;
    kriging->term = next, next += LINEX_MASK_TERMS * fitted;
    kriging->product = next, next += (terms > LINEX_MASK_TERMS ? terms - LINEX_MASK_TERMS : 0) * fitted;
    kriging->values = next, next += terms;
    kriging->rows = next, next += 2 * ROWS * fitted;
    kriging->slopes = next, next += parts;
    kriging->part = next, next += parts;
    kriging->point = next, next += parts;
    kriging->relevance = next;
    return true;
}

static void forget_errors(linex_mask_kriging *kriging)
{
    for (size_t c = 0; c < LINEX_MASK_CANDIDATES; c++) kriging->errors[c] = -1;
}

linex_status linex_mask_kriging_open(const linex_points *points, const linex_law *law, const double *weights,
                                     const double *answers, size_t fitted, linex_mask_kriging *opened)
{
    size_t count = points->count, parts = points->feature_count;
    *opened = (linex_mask_kriging){.points = points, .parts = parts, .choice = {{1, 1, 2, 1}}};
    opened->fitted = count < fitted ? count : fitted;
    opened->tried = opened->fitted < MOST_TRIED ? opened->fitted : MOST_TRIED;
    bool room = linex_mask_kernel_open(opened->fitted, parts, points->masks, law->sizes, &opened->kernel);
    linex_status status = linex_terms_open(&opened->terms, law, parts);
    if (!room || status || !allocate(opened)) return LINEX_NO_MEMORY;
    memcpy(opened->weights, weights, count * sizeof *weights);
    forget_errors(opened);
    for (size_t j = 0; j < parts; j++) opened->relevance[j] = 1 / (double)parts;
    opened->computable =
        linex_mask_kernel_varies(&opened->kernel) && standardize(opened, answers) && find_noise(opened);
    return LINEX_OK;
}

void linex_mask_kriging_close(linex_mask_kriging *kriging)
{
    linex_mask_kernel_close(&kriging->kernel);
    linex_terms_close(&kriging->terms);
    free(kriging->weights);
    free(kriging->kernels);
    free(kriging->matrix);
    free(kriging->scratch);
    free(kriging->memory);
}

/* Stages 0 and 3: the kernels of the samples on which settings are tried. */
static void fill_kernels(void *state, size_t row)
{
    linex_mask_kriging *kriging = state;
    size_t tried = kriging->tried, cells = tried * tried, columns = row + 1;
    double *agreement = kriging->kernels + row * tried;
    linex_mask_kernel_agreement(&kriging->kernel, row, 1, columns, agreement, tried);
    linex_mask_multiply(linex_mask_terms_of(kriging), 1, kriging->term + row * LINEX_MASK_TERMS, columns,
                        kriging->term, agreement + OF_TERMS * cells, tried);
    linex_mask_multiply(kriging->products, 1, kriging->product + row * kriging->products, columns, kriging->product,
                        agreement + OF_PRODUCTS * cells, tried);
    for (size_t v = 0; v < VALUES; v++)
        linex_mask_kernel_bells(columns, agreement, linex_mask_value_at(REACH, v),
                                agreement + (OF_BELLS + v) * cells);
}

static linex_status kernels_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_mask_kriging *kriging = state;
    double work = (double)kriging->tried * ((double)(kriging->parts + kriging->products) + 60);
    return linex_steps_advance(kriging->tried, work, fill_kernels, state, at, slice);
}

/* Solves for the coefficients, once the matrix of the first `count` samples is factored. */
static void solve(linex_mask_kriging *kriging, size_t count)
{
    memcpy(kriging->solution, kriging->standard, count * sizeof *kriging->solution);
    linex_cholesky_solve(count, kriging->matrix, kriging->solution);
}

/* Factors the covariance of the tried samples that is in the matrix. The error is infinite if it cannot be factored. */
static linex_status measure(linex_mask_kriging *kriging, double *error, linex_slice *slice)
{
    size_t tried = kriging->tried;
    linex_status status = linex_inverse_diagonal_advance(tried, kriging->matrix, kriging->scratch, kriging->diagonal,
                                                         &kriging->inner, slice);
    if (status == LINEX_UNFINISHED) return status;
    *error = (double)INFINITY;
    if (status) return LINEX_OK;
    solve(kriging, tried);
    double sum = 0;
    for (size_t i = 0; i < tried; i++) {
        double residual = kriging->solution[i] / kriging->diagonal[i];
        sum += kriging->weights[i] * residual * residual;
    }
    if (isfinite(sum)) *error = sum;
    return LINEX_OK;
}

static bool starts(const linex_mask_kriging *kriging)
{
    return kriging->inner.stage == 0 && kriging->inner.column == 0;
}

static linex_status try_settings(linex_mask_kriging *kriging, const linex_mask_settings *trial, double *error,
                                 linex_slice *slice)
{
    size_t tried = kriging->tried, cells = tried * tried;
    const double *bells = kriging->kernels + (OF_BELLS + (size_t)trial->index[REACH]) * cells;
    for (size_t i = 0; starts(kriging) && i < tried; i++) {
        const double *agreement = kriging->kernels + i * tried;
        linex_mask_covariance_row(kriging, trial, i, agreement, agreement + OF_TERMS * cells,
                                  agreement + OF_PRODUCTS * cells, bells + i * tried, kriging->matrix + i * tried);
    }
    return measure(kriging, error, slice);
}

/* Tries LIME's fit with its ridge of 1: a large linear function, and the noise that makes such a ridge. */
static linex_status try_lime(linex_mask_kriging *kriging, linex_slice *slice)
{
    size_t tried = kriging->tried;
    double line = linex_mask_value_at(LINE, VALUES - 1), total = 0, square = 0;
    for (size_t i = 0; i < kriging->fitted; i++) {
        total += kriging->weights[i];
        square += kriging->weights[i] * kriging->weights[i];
    }
    double nugget = 4 * line * LINEX_NARROW_RIDGE / ((double)kriging->parts * (square / total));
    for (size_t i = 0; starts(kriging) && i < tried; i++) {
        double *to = kriging->matrix + i * tried;
        for (size_t k = 0; k <= i; k++)
            to[k] = linex_mask_kriging_constant() + line * kriging->kernels[i * tried + k];
        to[i] += nugget * kriging->noise[i];
    }
    return measure(kriging, &kriging->lime_error, slice);
}

/* Returns the error of a candidate, and tries it at most once. Without bells, their reach does not matter. */
static linex_status find_error(linex_mask_kriging *kriging, linex_mask_settings trial, double *error,
                               linex_slice *slice)
{
    if (trial.index[BELLS] == 0) trial.index[REACH] = 0;
    size_t place = 0;
    for (size_t grid = 0; grid < LINEX_MASK_GRIDS; grid++) place = place * VALUES + trial.index[grid];
    if (kriging->errors[place] < 0) {
        double found;
        if (try_settings(kriging, &trial, &found, slice)) return LINEX_UNFINISHED;
        kriging->errors[place] = found;
    }
    *error = kriging->errors[place];
    return LINEX_OK;
}

/* Sets one of the settings to its best value; the first one if several are equally good. */
static linex_status improve(linex_mask_kriging *kriging, size_t grid, linex_mask_settings *current, double *error,
                            linex_slice *slice)
{
    linex_mask_settings trial = *current;
    *error = (double)INFINITY;
    current->index[grid] = 0;
    for (size_t v = 0; v < VALUES; v++) {
        double found;
        trial.index[grid] = (uint8_t)v;
        if (find_error(kriging, trial, &found, slice)) return LINEX_UNFINISHED;
        if (found < *error) *error = found, current->index[grid] = (uint8_t)v;
    }
    return LINEX_OK;
}

/* Improves one of the settings after the other. After a pause it starts again, and finds the errors of all candidates
 * that were tried before. */
static linex_status descend(linex_mask_kriging *kriging, linex_mask_settings *current, double *error,
                            linex_slice *slice)
{
    static const size_t ORDER[LINEX_MASK_GRIDS] = {BELLS, TERMS, PRODUCTS, NUGGET, REACH, LINE};
    for (size_t round = 0; round < 3; round++) {
        linex_mask_settings last = *current;
        for (size_t g = 0; g < LINEX_MASK_GRIDS; g++) {
            if (ORDER[g] == TERMS && !kriging->aimed) continue;
            if (ORDER[g] == PRODUCTS && !kriging->products) continue;
            if (improve(kriging, ORDER[g], current, error, slice)) return LINEX_UNFINISHED;
        }
        if (memcmp(&last, current, sizeof last) == 0) break;
    }
    return LINEX_OK;
}

/* Stage 1: LIME's fit, and settings for equal relevances. */
static linex_status first_choice_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_mask_kriging *kriging = state;
    linex_mask_settings current = kriging->choice;
    double error;
    if (at->row == 0 && try_lime(kriging, slice)) return LINEX_UNFINISHED;
    at->row = 1;
    if (descend(kriging, &current, &error, slice)) return LINEX_UNFINISHED;
    kriging->choice = current, kriging->error = error;
    kriging->computable = isfinite(error) && isfinite(kriging->lime_error);
    return LINEX_OK;
}

/* Aims the terms along the slopes, and adds the products of neighbors to them. */
static void aim_terms(linex_mask_kriging *kriging)
{
    linex_terms *terms = &kriging->terms;
    kriging->aimed = terms->count > 0 && linex_terms_aim(terms, kriging->slopes);
    if (!kriging->aimed) return;
    memcpy(kriging->part, kriging->slopes, kriging->parts * sizeof *kriging->part);
    linex_terms_multiply(terms, kriging->part);
    kriging->products = terms->count > LINEX_MASK_TERMS ? terms->sets[1] - LINEX_MASK_TERMS : 0;
}

/* Finds the slopes of the posterior mean of the tried samples. */
static linex_status find_kriged_slopes(linex_mask_kriging *kriging, linex_cursor *at, linex_slice *slice)
{
    double error;
    if (at->column == 0) {
        if (try_settings(kriging, &kriging->choice, &error, slice)) return LINEX_UNFINISHED;
        memset(kriging->slopes, 0, kriging->parts * sizeof *kriging->slopes);
        at->column = 1;
    }
    for (; at->row < kriging->tried; at->row++) {
        if (!linex_slice_take(slice, linex_mask_kernel_work(&kriging->kernel))) return LINEX_UNFINISHED;
        linex_mask_kriging_part(kriging, at->row, kriging->part, kriging->point);
        linex_add_scaled(kriging->parts, kriging->solution[at->row], kriging->part, kriging->slopes);
    }
    return LINEX_OK;
}

/* Finds the slopes of least squares of all samples, with a small ridge. There are more of them than can be tried. */
static linex_status find_fitted_slopes(linex_mask_kriging *kriging, linex_cursor *at, linex_slice *slice)
{
    linex_moments *moments = &kriging->moments;
    linex_status status = LINEX_OK;
    if (at->column == 0) {
        status = linex_moments_advance(kriging->points, kriging->standard, kriging->weights, true, SLOPE_RIDGE,
                                       moments, &kriging->inner, slice);
        if (status) return status;
        at->column = 1;
    }
    status = linex_cholesky_advance(kriging->parts, moments->gram, &kriging->inner, slice);
    if (status == LINEX_UNFINISHED) return status;
    kriging->inner = (linex_cursor){0};
    memset(kriging->slopes, 0, kriging->parts * sizeof *kriging->slopes);
    if (status) return LINEX_OK; /* nothing is aimed */
    linex_cholesky_solve(kriging->parts, moments->gram, moments->cross);
    memcpy(kriging->slopes, moments->cross, kriging->parts * sizeof *kriging->slopes);
    return LINEX_OK;
}

/* Stage 2: relevances and terms along the slopes. */
static linex_status aim_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_mask_kriging *kriging = state;
    size_t parts = kriging->parts;
    double sum = 0, *slopes = kriging->slopes;
    linex_status status =
        kriging->memory ? find_fitted_slopes(kriging, at, slice) : find_kriged_slopes(kriging, at, slice);
    if (status) return status;
    aim_terms(kriging);
    for (size_t j = 0; j < parts; j++) sum += slopes[j] = fabs(slopes[j]);
    for (size_t j = 0; j < parts; j++)
        slopes[j] = EQUAL_SHARE / (double)parts + (1 - EQUAL_SHARE) * (slopes[j] / sum);
    if (!linex_all_finite(parts, slopes)) return LINEX_OK;
    linex_mask_kernel_weigh(&kriging->kernel, slopes);
    for (size_t i = 0; kriging->aimed && i < kriging->fitted; i++)
        linex_mask_fill_terms(kriging, i, kriging->term + i * LINEX_MASK_TERMS,
                              kriging->product + i * kriging->products);
    linex_slice_use(slice, (double)kriging->fitted * (double)((kriging->products + 2) * parts + 40));
    forget_errors(kriging);
    return LINEX_OK;
}

/* Stage 4: chooses settings for these relevances and with terms. The better choice of the two remains. */
static linex_status second_choice_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    (void)at;
    linex_mask_kriging *kriging = state;
    linex_mask_settings current = kriging->choice;
    double error;
    if (descend(kriging, &current, &error, slice)) return LINEX_UNFINISHED;
    if (error < kriging->error) {
        kriging->choice = current, kriging->error = error;
        memcpy(kriging->relevance, kriging->kernel.relevance, kriging->parts * sizeof *kriging->relevance);
    } else {
        linex_mask_kernel_weigh(&kriging->kernel, kriging->relevance);
    }
    return LINEX_OK;
}

/* Stage 5: the covariance of the fitted samples. at->row: the next row */
static linex_status matrix_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_mask_kriging *kriging = state;
    const linex_mask_settings *choice = &kriging->choice;
    size_t fitted = kriging->fitted;
    double *bells = kriging->diagonal;
    for (; at->row < fitted; at->row += ROWS) {
        size_t rows = fitted - at->row < ROWS ? fitted - at->row : ROWS, end = at->row + rows;
        double work = (double)(rows * end) * ((double)(kriging->parts + kriging->products) + 40);
        if (!linex_slice_take(slice, work)) return LINEX_UNFINISHED;
        double *agreement = kriging->matrix + at->row * fitted;
        double *terms = kriging->rows, *products = terms + ROWS * fitted;
        linex_mask_kernel_agreement(&kriging->kernel, at->row, rows, end, agreement, fitted);
        linex_mask_multiply(linex_mask_terms_of(kriging), rows, kriging->term + at->row * LINEX_MASK_TERMS, end,
                            kriging->term, terms, fitted);
        linex_mask_multiply(kriging->products, rows, kriging->product + at->row * kriging->products, end,
                            kriging->product, products, fitted);
        for (size_t i = at->row; i < end; i++, agreement += fitted, terms += fitted, products += fitted) {
            if (choice->index[BELLS])
                linex_mask_kernel_bells(i + 1, agreement, linex_mask_value_of(choice, REACH), bells);
            else
                memset(bells, 0, (i + 1) * sizeof *bells);
            linex_mask_covariance_row(kriging, choice, i, agreement, terms, products, bells, agreement);
        }
    }
    return LINEX_OK;
}

/* Stage 6: the posterior mean. */
static linex_status factor_advance(void *state, linex_cursor *at, linex_slice *slice)
{
    linex_mask_kriging *kriging = state;
    size_t fitted = kriging->fitted;
    if (at->row == 0) {
        linex_status status = linex_inverse_diagonal_advance(fitted, kriging->matrix, kriging->scratch,
                                                             kriging->diagonal, &kriging->inner, slice);
        if (status == LINEX_UNFINISHED) return status;
        if (status) kriging->computable = false;
        if (status) return LINEX_OK;
        at->row = 1;
    }
    if (!linex_slice_take(slice, (double)fitted * (double)fitted)) return LINEX_UNFINISHED;
    solve(kriging, fitted);
    kriging->computable = linex_all_finite(fitted, kriging->solution);
    return LINEX_OK;
}

linex_status linex_mask_kriging_advance(linex_mask_kriging *kriging, linex_slice *slice)
{
    static const linex_stage STAGES[] = {kernels_advance,       first_choice_advance, aim_advance,   kernels_advance,
                                         second_choice_advance, matrix_advance,       factor_advance};
    enum { COUNT = sizeof STAGES / sizeof *STAGES };
    while (kriging->computable && kriging->at.stage < COUNT) {
        linex_status status = STAGES[kriging->at.stage](kriging, &kriging->at, slice);
        if (status) return status;
        kriging->at = (linex_cursor){.stage = kriging->at.stage + 1};
    }
    return LINEX_OK;
}
