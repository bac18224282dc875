/* mask_covariance.c: the covariance of kriging on masks, row by row, and the linear part of what it spans. */
#include "kriging/mask_covariance.h"

#include <string.h>

#include "base/points.h"
#include "matrices/matrix.h"
#include "matrices/products.h"

enum { LINE = LINEX_MASK_LINE, BELLS = LINEX_MASK_BELLS, REACH = LINEX_MASK_REACH };
enum { NUGGET = LINEX_MASK_NUGGET, TERMS = LINEX_MASK_TERMS_SIZE, PRODUCTS = LINEX_MASK_PRODUCTS_SIZE };

/* It hardly shrinks anything. */
static const double CONSTANT = 100;
/* Makes a product about as large as a term. */
static const double PRODUCT_SIZE = 4;

static const double GRID[LINEX_MASK_GRIDS][LINEX_MASK_VALUES] = {
    [LINE] = {0.3, 2, 12, 64},        [BELLS] = {0, 3, 10, 30},  [REACH] = {0.125, 0.25, 0.5, 1},
    [NUGGET] = {0.003, 0.03, 0.2, 1}, [TERMS] = {0, 0.1, 1, 10}, [PRODUCTS] = {0, 0.3, 3, 30}};

double linex_mask_value_of(const linex_mask_settings *settings, size_t grid)
{
    return GRID[grid][settings->index[grid]];
}

double linex_mask_value_at(size_t grid, size_t index)
{
    return GRID[grid][index];
}

double linex_mask_kriging_value(const linex_mask_kriging *kriging, size_t grid)
{
    return linex_mask_value_of(&kriging->choice, grid);
}

double linex_mask_kriging_constant(void)
{
    return CONSTANT;
}

/* Writes one row of the covariance, up to its diagonal. */
void linex_mask_covariance_row(const linex_mask_kriging *kriging, const linex_mask_settings *chosen, size_t row,
                               const double *agreement, const double *terms, const double *products,
                               const double *bells, double *to)
{
    double line = linex_mask_value_of(chosen, LINE), f = linex_mask_value_of(chosen, BELLS),
           t = linex_mask_value_of(chosen, TERMS) / LINEX_MASK_TERMS;
    double p =
        kriging->products ? PRODUCT_SIZE * linex_mask_value_of(chosen, PRODUCTS) / (double)kriging->products : 0;
    for (size_t i = 0; i <= row; i++)
        to[i] = CONSTANT + line * agreement[i] + f * bells[i] + t * terms[i] + p * products[i];
    to[row] += linex_mask_value_of(chosen, NUGGET) * kriging->noise[row];
}

/* The products of the terms of some samples with those of the samples 0 .. columns - 1. The rows are `stride` apart. */
void linex_mask_multiply(size_t size, size_t rows, const double *some, size_t columns, const double *all,
                         double *products, size_t stride)
{
    for (size_t r = 0; r < rows; r++) memset(products + r * stride, 0, columns * sizeof *products);
    if (size > 0) linex_products_add(size, rows, some, size, columns, all, size, products, stride);
}

size_t linex_mask_terms_of(const linex_mask_kriging *kriging)
{
    return kriging->aimed ? LINEX_MASK_TERMS : 0;
}

/* Computes the terms and the products of a sample. Products have their linear parts subtracted. */
void linex_mask_fill_terms(linex_mask_kriging *kriging, size_t i, double *term, double *product)
{
    const linex_terms *terms = &kriging->terms;
    const double *point = linex_points_row(kriging->points, i, kriging->point);
    linex_terms_fill(terms, i, point, kriging->values);
    memcpy(term, kriging->values, LINEX_MASK_TERMS * sizeof *term);
    for (size_t k = 0; k < kriging->products; k++) {
        const double *slopes = terms->slopes + (LINEX_MASK_TERMS + k) * kriging->parts;
        product[k] = kriging->values[LINEX_MASK_TERMS + k] - terms->constants[LINEX_MASK_TERMS + k] -
                     linex_dot(kriging->parts, slopes, point);
    }
}

/* The linear kernel is the sum of r_j (2 m_j - 1) (2 c_j - 1). */
double linex_mask_kriging_part(linex_mask_kriging *kriging, size_t i, double *slopes, double *rest)
{
    size_t parts = kriging->parts;
    const linex_terms *terms = &kriging->terms;
    const uint8_t *mask = kriging->points->masks + i * parts;
    double line = linex_mask_kriging_value(kriging, LINE), f = linex_mask_kriging_value(kriging, BELLS);
    double share = linex_mask_kriging_value(kriging, TERMS) / LINEX_MASK_TERMS, mean = 0, constant = 0;
    memset(rest, 0, parts * sizeof *rest);
    if (f > 0) {
        linex_mask_kernel_add_means(&kriging->kernel, i, linex_mask_kriging_value(kriging, REACH), f, &mean, rest);
        constant = linex_mask_kernel_linear_part(&kriging->kernel, mean, rest);
    }
    for (size_t k = 0; share > 0 && k < LINEX_MASK_TERMS; k++) {
        double factor = share * kriging->term[i * LINEX_MASK_TERMS + k];
        linex_add_scaled(parts, factor, terms->slopes + k * parts, rest);
        constant += factor * terms->constants[k];
    }
    for (size_t j = 0; j < parts; j++) slopes[j] = rest[j] + (mask[j] ? 2 : -2) * line * kriging->kernel.relevance[j];
    return constant;
}

void linex_mask_kriging_predict(linex_mask_kriging *kriging, size_t i, double *rest, double *all)
{
    size_t parts = kriging->parts, fitted = kriging->fitted;
    const double *solution = kriging->solution;
    double *agreement = kriging->rows, *bells = agreement + fitted, *terms = bells + fitted, total = 0;
    double own[LINEX_MASK_TERMS] = {0}, products[LINEX_MOST_PRODUCTS];
    double t = linex_mask_kriging_value(kriging, TERMS) / LINEX_MASK_TERMS, p = 0;
    if (kriging->products) p = PRODUCT_SIZE * linex_mask_kriging_value(kriging, PRODUCTS) / (double)kriging->products;
    for (size_t k = 0; k < fitted; k++) total += solution[k];
    linex_mask_kernel_agree(&kriging->kernel, kriging->points->masks + i * parts, kriging->part, agreement);
    linex_mask_kernel_bells(fitted, agreement, linex_mask_kriging_value(kriging, REACH), bells);
    *rest = linex_mask_kriging_value(kriging, BELLS) * linex_dot(fitted, bells, solution);
    if (kriging->aimed) linex_mask_fill_terms(kriging, i, own, products);
    linex_mask_multiply(linex_mask_terms_of(kriging), 1, own, fitted, kriging->term, terms, fitted);
    *rest += t * linex_dot(fitted, terms, solution);
    linex_mask_multiply(kriging->products, 1, products, fitted, kriging->product, terms, fitted);
    *rest += p * linex_dot(fitted, terms, solution);
    *all =
        *rest + CONSTANT * total + linex_mask_kriging_value(kriging, LINE) * linex_dot(fitted, agreement, solution);
}
