/* kriging_kernels.c: the kernels of kriging on one set of points, and the exact linear parts of what they span. */
#include "kriging/kriging_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/elementary.h"
#include "matrices/matrix.h"
#include "matrices/products.h"

/* In units from the mean, closer together where there are more samples. */
static const double KNOTS[] = {-2, -1.4, -1, -0.6, -0.25, 0, 0.25, 0.6, 1, 1.4, 2};
enum { KNOT_COUNT = sizeof KNOTS / sizeof *KNOTS };

/* The knots below a coordinate. In a binary column all knots are between 0 and 1, so that its one question counts as
 * much as those of another column. */
static double level_of(const linex_column_law *law, double coordinate)
{
    double level = 0;
    if (law->binary) return coordinate + law->mean > 0.5 ? KNOT_COUNT : 0;
    for (size_t k = 0; k < KNOT_COUNT; k++) level += coordinate > KNOTS[k];
    return level;
}

/* Fills in the levels of one column that the row does not have.
 *
 * values  count, `stride` apart: the levels of the samples */
static void find_others(const linex_column_levels *column, size_t count, const double *values, size_t stride,
                        uint32_t *others, double *shares)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t level = column->count ? (uint32_t)values[i * stride] : 0;
        bool other = column->count && level != column->own;
        others[i] = other ? level + 1 : 0;
        shares[i] = other ? linex_column_levels_share(column, level) : 1;
    }
}

/* Fills in the levels of all columns that vary. */
static bool find_levels(const linex_levels *levels, size_t feature_count, const linex_column_law *laws,
                        linex_kernel_points *opened)
{
    size_t count = opened->count, at = 0;
    linex_column_levels *found = linex_alloc_items((double)feature_count, sizeof *found);
    if (!found) return false;
    linex_column_levels_find(levels, feature_count, found);
    for (size_t j = 0; j < feature_count; j++) {
        if (!(laws[j].spread > 0)) continue;
        opened->any_levels = opened->any_levels || found[j].count;
        find_others(found + j, count, levels ? levels->rows + j : NULL, feature_count, opened->others + at,
                    opened->shares + at);
        at += count;
    }
    free(found);
    return true;
}

bool linex_kernel_points_open(size_t count, size_t feature_count, const double *points, const linex_column_law *laws,
                              const linex_levels *levels, linex_kernel_points *opened)
{
    size_t columns = 0;
    for (size_t j = 0; j < feature_count; j++) columns += laws[j].spread > 0;
    double cells = (double)count * (double)columns;
    *opened = (linex_kernel_points){.count = count, .columns = columns};
    opened->laws = linex_alloc_items((double)columns, sizeof *opened->laws);
    opened->coordinates = linex_alloc_doubles(cells);
    opened->z = linex_alloc_doubles(cells);
    opened->squares = linex_alloc_doubles((double)count);
    opened->levels = linex_alloc_doubles(cells);
    opened->others = linex_alloc_items(cells, sizeof *opened->others);
    opened->shares = linex_alloc_doubles(cells);
    if (!opened->laws || !opened->coordinates || !opened->z || !opened->squares || !opened->levels ||
        !opened->others || !opened->shares || !find_levels(levels, feature_count, laws, opened))
        return false;

    for (size_t j = 0, c = 0; j < feature_count; j++) {
        if (!(laws[j].spread > 0)) continue;
        bool binary = laws[j].binary;
        double unit = binary ? 1 : laws[j].unit;
        opened->laws[c] = (linex_column_law){binary, binary ? laws[j].mean : 0, laws[j].spread / unit, 1};
        for (size_t i = 0; i < count; i++) {
            double coordinate = (points[i * feature_count + j] - laws[j].mean) / unit;
            opened->coordinates[i * columns + c] = coordinate;
            opened->levels[c * count + i] = level_of(opened->laws + c, coordinate);
        }
        c++;
    }
    linex_kernel_points_weigh(opened, NULL);
    return true;
}

void linex_kernel_points_weigh(linex_kernel_points *points, const double *relevance)
{
    size_t columns = points->columns;
    for (size_t c = 0; c < columns; c++) points->laws[c].unit = relevance ? sqrt(relevance[c]) : 1;
    for (size_t i = 0; i < points->count; i++) {
        double *z = points->z + i * columns;
        for (size_t c = 0; c < columns; c++) z[c] = points->coordinates[i * columns + c] * points->laws[c].unit;
        points->squares[i] = linex_dot(columns, z, z);
    }
}

void linex_kernel_points_close(linex_kernel_points *points)
{
    free(points->laws);
    free(points->coordinates);
    free(points->z);
    free(points->squares);
    free(points->levels);
    free(points->others);
    free(points->shares);
}

void linex_kernel_products(const linex_kernel_points *points, size_t first, size_t rows, size_t columns,
                           double *products, size_t stride)
{
    size_t length = points->columns;
    for (size_t r = 0; r < rows; r++) memset(products + r * stride, 0, columns * sizeof *products);
    linex_products_add(length, rows, points->z + first * length, length, columns, points->z, length, products,
                       stride);
}

/* What one answer of a column counts in the steps. */
static double share_of_answer(const linex_kernel_points *points, size_t column)
{
    double root = points->laws[column].unit;
    return root * root / (double)(KNOT_COUNT * points->columns);
}

/* Two other levels have the same coordinate. */
void linex_kernel_apart(const linex_kernel_points *points, size_t index, size_t columns, double *apart)
{
    memset(apart, 0, columns * sizeof *apart);
    for (size_t c = 0; points->any_levels && c < points->columns; c++) {
        const uint32_t *others = points->others + c * points->count;
        const double relevance = points->laws[c].unit * points->laws[c].unit;
        const uint32_t own = others[index];
        for (size_t i = 0; own && i < columns; i++) apart[i] += others[i] && others[i] != own ? relevance : 0;
    }
}

/* The number of different answers is the difference of the levels. Without columns, the steps are 1. */
void linex_kernel_steps(const linex_kernel_points *points, size_t index, size_t columns, const double *apart,
                        double *steps)
{
    for (size_t i = 0; i < columns; i++) steps[i] = 1 - apart[i] / (double)(points->columns ? points->columns : 1);
    for (size_t c = 0; c < points->columns; c++) {
        const double *levels = points->levels + c * points->count;
        double own = levels[index], share = share_of_answer(points, c);
        for (size_t i = 0; i < columns; i++) steps[i] -= share * fabs(own - levels[i]);
    }
}

/* 2 length^2 d */
static double doubled_square(const linex_kernel_points *points, double length)
{
    return 2 * length * length * (double)(points->columns ? points->columns : 1);
}

void linex_kernel_bells(const linex_kernel_points *points, size_t index, size_t columns, double length,
                        const double *products, const double *apart, double *bells)
{
    double width = doubled_square(points, length), own = points->squares[index];
    for (size_t i = 0; i < columns; i++) {
        double square = own + points->squares[i] - 2 * products[i];
        bells[i] = -((square > 0 ? square : 0) + apart[i]) / width;
    }
    linex_exp_all(columns, bells);
}

static const double ROOT_OF_TWO_PI = 2.5066282746310002;

/* The density of the standard normal distribution, and the probability of values above x. All terms of the series
 * x + x^3/3 + x^5/15 + .. have the same sign, so there is no cancellation. */
static double normal_density(double x)
{
    return linex_exp(-x * x / 2) / ROOT_OF_TWO_PI;
}

static double normal_above(double x)
{
    if (!(fabs(x) < 9)) return x > 0 ? 0 : 1;
    double term = x, sum = x;
    for (double k = 3; fabs(term) > 1e-17 * fabs(sum); k += 2) sum += term *= x * x / k;
    return 0.5 - normal_density(x) * sum;
}

/* The function [coordinate > knot] has the constant `above` (its mean) and a slope. By Stein's lemma, the slope of a
 * normal column is the mean of the derivative, which is the density at the knot. That of a binary column is 1. The linear
 * part of "it has this other level" is that of [coordinate below] times the level's share. */
void linex_kernel_add_step_part(const linex_kernel_points *points, size_t count, double factor,
                                const double *coefficients, linex_linear_part *part)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += coefficients[i];
    if (points->columns == 0) part->constant += factor * sum;
    for (size_t c = 0; c < points->columns; c++) {
        const linex_column_law *law = points->laws + c;
        const double *levels = points->levels + c * points->count, *shares = points->shares + c * points->count;
        double share = factor * share_of_answer(points, c);
        for (size_t k = 0; k < KNOT_COUNT; k++) {
            double high = 0, low = 0;
            for (size_t i = 0; i < count; i++)
                if (levels[i] > (double)k)
                    high += coefficients[i];
                else
                    low += coefficients[i] * shares[i];
            double above = law->binary ? law->mean : normal_above(KNOTS[k] / law->spread);
            double slope = law->binary ? 1 : normal_density(KNOTS[k] / law->spread) / law->spread;
            /* Points above the knot add [coordinate > knot], the others 1 - [coordinate > knot]. */
            part->constant += share * (high * above + low * (1 - above));
            part->slopes[c] += share * (high - low) * slope / law->unit;
        }
    }
}

/* The mean of a bell in one column, and its slope divided by its mean. `square` is length^2 d.
 *
 * alike     the probability that a sample without the level of the row is not apart
 * exponent  the logarithm of a factor of the mean is added to it, so that one exponential serves all columns */
static double bell_column(const linex_column_law *law, double square, double z, double alike, double *exponent,
                          double *slope)
{
    if (law->binary) {
        double to_one = z + (law->mean - 1) * law->unit, to_zero = z + law->mean * law->unit;
        double one = linex_exp(-to_one * to_one / (2 * square)), zero = linex_exp(-to_zero * to_zero / (2 * square));
        if (alike < 1) zero *= alike + (1 - alike) * linex_exp(-law->unit * law->unit / (2 * square));
        double mean = law->mean * one + (1 - law->mean) * zero;
        *slope = (one - zero) / (mean * law->unit);
        return mean;
    }
    double spread = law->spread * law->unit, sum = square + spread * spread;
    *slope = z / sum;
    *exponent -= z * z / (2 * sum);
    return sqrt(square / sum);
}

/* Both the mean and the slopes of a product over columns are products over columns. */
void linex_kernel_add_bell_part(const linex_kernel_points *points, size_t count, double length, double factor,
                                const double *coefficients, linex_linear_part *part)
{
    size_t columns = points->columns;
    double square = doubled_square(points, length) / 2;
    for (size_t i = 0; i < count; i++) {
        const double *z = points->z + i * columns;
        double exponent = 0, product = 1, slope;
        for (size_t c = 0; c < columns; c++)
            product *=
                bell_column(points->laws + c, square, z[c], points->shares[c * points->count + i], &exponent, &slope);
        double mean = factor * coefficients[i] * product * linex_exp(exponent);
        part->constant += mean;
        for (size_t c = 0; c < columns; c++) {
            bell_column(points->laws + c, square, z[c], points->shares[c * points->count + i], &exponent, &slope);
            part->slopes[c] += mean * slope;
        }
    }
}
