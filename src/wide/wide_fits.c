/* wide_fits.c: ridge fits of a wide game's samples, in the smaller of two forms. */
#include "wide/wide_fits.h"

#include <string.h>

#include "matrices/factors.h"
#include "matrices/matrix.h"
#include "matrices/products.h"

typedef struct {
    double total, answer;
} means;

static means take_means(const linex_wide_form *form, const double *weights)
{
    means found = {0, 0};
    for (size_t j = 0; j < form->samples; j++)
        found.total += weights[j], found.answer += weights[j] * form->answers[j];
    found.answer = form->centered && found.total > 0 ? found.answer / found.total : 0;
    return found;
}

static double column_mean(const linex_wide_form *form, const double *weights, double total, const double *column)
{
    return form->centered ? linex_dot(form->samples, weights, column) / total : 0;
}

/* Writes sqrt(w_j) (x_jc - mean_c) for a chunk of the long side: of features in the kernel form (then the rows are
 * samples), of samples otherwise. */
static void pack_chunk(const linex_wide_form *form, const double *weights, double total, linex_wide_fit *fit,
                       size_t first, size_t length, bool kernel)
{
    size_t features = form->features, samples = form->samples;
    size_t begin = kernel ? first : 0, end = kernel ? first + length : features;
    for (size_t c = begin; c < end; c++) {
        const double *column = form->columns + c * samples;
        double mean = column_mean(form, weights, total, column);
        if (kernel)
            for (size_t j = 0; j < fit->on; j++)
                fit->panel[j * LINEX_CHUNK + c - first] =
                    sqrt(weights[fit->where[j]]) * (column[fit->where[j]] - mean);
        else
            for (size_t j = 0; j < length; j++) {
                size_t sample = fit->where[first + j];
                fit->panel[c * LINEX_CHUNK + j] = sqrt(weights[sample]) * (column[sample] - mean);
            }
    }
}

/* Adds up the lower half of the matrix, chunk by chunk. */
static linex_status multiply(const linex_wide_form *form, const double *weights, double total, linex_wide_fit *fit,
                             size_t size, bool kernel, linex_slice *slice)
{
    size_t length = kernel ? form->features : fit->on;
    linex_cursor *at = &fit->at;
    for (; at->column < length; at->column += LINEX_CHUNK, at->row = 0) {
        size_t chunk = length - at->column < LINEX_CHUNK ? length - at->column : LINEX_CHUNK;
        if (at->row == 0) {
            if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
            pack_chunk(form, weights, total, fit, at->column, chunk, kernel);
            linex_slice_use(slice, 4.0 * (double)form->samples * (double)(kernel ? chunk : form->features));
        }
        for (; at->row < size; at->row += LINEX_WIDE_ROWS) {
            if (at->row > 0 && linex_slice_ended(slice)) return LINEX_UNFINISHED;
            size_t rows = size - at->row < LINEX_WIDE_ROWS ? size - at->row : LINEX_WIDE_ROWS;
            linex_products_add(chunk, rows, fit->panel + at->row * LINEX_CHUNK, LINEX_CHUNK, at->row + rows,
                               fit->panel, LINEX_CHUNK, fit->matrix + at->row * size, size);
            linex_slice_use(slice, (double)rows * (double)(at->row + rows) * (double)chunk);
        }
    }
    return LINEX_OK;
}

/* Fills fit->vector with the right-hand side. */
static void take_side(const linex_wide_form *form, const double *weights, means found, linex_wide_fit *fit,
                      bool kernel)
{
    if (kernel) {
        for (size_t j = 0; j < fit->on; j++)
            fit->vector[j] = sqrt(weights[fit->where[j]]) * (form->answers[fit->where[j]] - found.answer);
        return;
    }
    for (size_t c = 0; c < form->features; c++) {
        const double *column = form->columns + c * form->samples;
        double mean = column_mean(form, weights, found.total, column), sum = 0;
        for (size_t j = 0; j < form->samples; j++)
            sum += weights[j] * (column[j] - mean) * (form->answers[j] - found.answer);
        fit->vector[c] = sum;
    }
}

static void take_coefficients(const linex_wide_form *form, const double *weights, double total,
                              const linex_wide_fit *fit, bool kernel, double *coefficients)
{
    if (!kernel) {
        memcpy(coefficients, fit->vector, form->features * sizeof *coefficients);
        return;
    }
    for (size_t c = 0; c < form->features; c++) {
        const double *column = form->columns + c * form->samples;
        double mean = column_mean(form, weights, total, column), sum = 0;
        for (size_t j = 0; j < fit->on; j++)
            sum += sqrt(weights[fit->where[j]]) * (column[fit->where[j]] - mean) * fit->vector[j];
        coefficients[c] = sum;
    }
}

linex_status linex_wide_fit_advance(const linex_wide_form *form, const double *weights, linex_wide_fit *fit,
                                    double *coefficients, linex_slice *slice)
{
    means found = take_means(form, weights);
    if (!(found.total > 0)) {
        memset(coefficients, 0, form->features * sizeof *coefficients);
        return LINEX_OK;
    }
    if (fit->at.stage == 0) {
        fit->on = 0;
        for (size_t j = 0; j < form->samples; j++)
            if (weights[j] > 0) fit->where[fit->on++] = (uint32_t)j;
    }
    bool kernel = fit->on < form->features;
    size_t size = kernel ? fit->on : form->features;
    if (fit->at.stage == 0) {
        memset(fit->matrix, 0, size * size * sizeof *fit->matrix);
        fit->at.stage = 1;
    }
    if (fit->at.stage == 1) {
        if (multiply(form, weights, found.total, fit, size, kernel, slice)) return LINEX_UNFINISHED;
        for (size_t r = 0; r < size; r++) fit->matrix[r * size + r] += form->ridge;
        fit->at = (linex_cursor){.stage = 2};
    }
    linex_status status = linex_cholesky_advance(size, fit->matrix, &fit->inner, slice);
    if (status) return status;
    take_side(form, weights, found, fit, kernel);
    linex_cholesky_solve(size, fit->matrix, fit->vector);
    take_coefficients(form, weights, found.total, fit, kernel, coefficients);
    linex_slice_use(slice, 3.0 * (double)form->samples * (double)form->features + (double)size * (double)size);
    fit->at = (linex_cursor){0};
    return LINEX_OK;
}
