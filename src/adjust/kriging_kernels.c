/* kriging_kernels.c: the kernels of kriging on one set of points, and the exact linear parts of what they span. */
#include "adjust/kriging_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/elementary.h"
#include "base/matrix.h"
#include "base/products.h"

/* In units from the mean, closer together where there are more samples. */
static const double KNOTS[] = {-2, -1.4, -1, -0.6, -0.25, 0, 0.25, 0.6, 1, 1.4, 2};
enum { KNOT_COUNT = sizeof KNOTS / sizeof *KNOTS };

/* Columns whose answers fit into one word of 64 bits. */
enum { COLUMNS_PER_WORD = 64 / KNOT_COUNT };

/* In a binary column all knots are between 0 and 1, so that its one question counts as much as those of another
 * column. */
static double knot_of(const linex_column_law *law, size_t k)
{
    return law->binary ? 0.5 - law->mean : KNOTS[k];
}

/* The answers of one point to the questions of one column. */
static uint64_t answers_to(const linex_column_law *law, double z)
{
    uint64_t bits = 0;
    for (size_t k = 0; k < KNOT_COUNT; k++) bits = bits << 1 | (z > knot_of(law, k));
    return bits;
}

static void fill_point(linex_kernel_points *points, size_t index)
{
    double *z = points->z + index * points->columns;
    uint64_t *answers = points->answers + index * points->words;
    for (size_t c = 0; c < points->columns; c++) {
        uint64_t *word = answers + c / COLUMNS_PER_WORD;
        *word = *word << KNOT_COUNT | answers_to(points->laws + c, z[c]);
    }
    points->squares[index] = linex_dot(points->columns, z, z);
}

bool linex_kernel_points_open(size_t count, size_t feature_count, const double *points, const linex_column_law *laws,
                              linex_kernel_points *opened)
{
    size_t columns = 0;
    for (size_t j = 0; j < feature_count; j++) columns += laws[j].spread > 0;
    size_t words = columns / COLUMNS_PER_WORD + 1;
    *opened = (linex_kernel_points){.count = count, .columns = columns, .words = words};
    opened->laws = linex_alloc_items((double)columns, sizeof *opened->laws);
    opened->z = linex_alloc_doubles((double)count * (double)columns);
    opened->squares = linex_alloc_doubles((double)count);
    opened->answers = linex_alloc_items((double)count * (double)words, sizeof *opened->answers);
    if (!opened->laws || !opened->z || !opened->squares || !opened->answers) return false;

    memset(opened->answers, 0, count * words * sizeof *opened->answers);
    for (size_t j = 0, c = 0; j < feature_count; j++) {
        if (!(laws[j].spread > 0)) continue;
        double unit = laws[j].binary ? 1 : laws[j].unit;
        opened->laws[c] =
            (linex_column_law){laws[j].binary, laws[j].binary ? laws[j].mean : 0, laws[j].spread / unit, 1};
        for (size_t i = 0; i < count; i++)
            opened->z[i * columns + c] = (points[i * feature_count + j] - laws[j].mean) / unit;
        c++;
    }
    for (size_t i = 0; i < count; i++) fill_point(opened, i);
    return true;
}

void linex_kernel_points_close(linex_kernel_points *points)
{
    free(points->laws);
    free(points->z);
    free(points->squares);
    free(points->answers);
}

void linex_kernel_products(const linex_kernel_points *points, size_t first, size_t rows, size_t columns,
                           double *products, size_t stride)
{
    size_t length = points->columns;
    for (size_t r = 0; r < rows; r++) memset(products + r * stride, 0, columns * sizeof *products);
    linex_products_add(length, rows, points->z + first * length, length, columns, points->z, length, products,
                       stride);
}

/* Without columns, the share of equal answers is 1. */
void linex_kernel_steps(const linex_kernel_points *points, size_t index, size_t columns, double *steps)
{
    size_t words = points->words;
    double share = points->columns ? 1 / (double)(KNOT_COUNT * points->columns) : 0;
    const uint64_t *own = points->answers + index * words, *other = points->answers;
    for (size_t i = 0; i < columns; i++, other += words) {
        int different = 0;
        for (size_t w = 0; w < words; w++) different += __builtin_popcountll(own[w] ^ other[w]);
        steps[i] = 1 - share * different;
    }
}

/* 2 length^2 d */
static double doubled_square(const linex_kernel_points *points, double length)
{
    return 2 * length * length * (double)(points->columns ? points->columns : 1);
}

void linex_kernel_bells(const linex_kernel_points *points, size_t index, size_t columns, double length,
                        const double *products, double *bells)
{
    double width = doubled_square(points, length), own = points->squares[index];
    for (size_t i = 0; i < columns; i++) {
        double square = own + points->squares[i] - 2 * products[i];
        bells[i] = square > 0 ? -square / width : 0;
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

/* The function [z > knot] has the constant `above` (its mean) and a slope. By Stein's lemma, the slope of a normal
 * column is the mean of the derivative, which is the density at the knot. That of a binary column is 1. */
void linex_kernel_add_step_part(const linex_kernel_points *points, double factor, const double *coefficients,
                                linex_linear_part *part)
{
    size_t columns = points->columns;
    double total = 0;
    for (size_t i = 0; i < points->count; i++) total += coefficients[i];
    if (columns == 0) part->constant += factor * total;
    for (size_t c = 0; c < columns; c++) {
        const linex_column_law *law = points->laws + c;
        double share = factor / (double)(KNOT_COUNT * columns);
        for (size_t k = 0; k < KNOT_COUNT; k++) {
            double knot = knot_of(law, k), high = 0;
            for (size_t i = 0; i < points->count; i++)
                if (points->z[i * columns + c] > knot) high += coefficients[i];
            double above = law->binary ? law->mean : normal_above(knot / law->spread);
            double slope = law->binary ? 1 : normal_density(knot / law->spread) / law->spread;
            /* Points above the knot add [z > knot], the others 1 - [z > knot]. */
            part->constant += share * (high * above + (total - high) * (1 - above));
            part->slopes[c] += share * (2 * high - total) * slope;
        }
    }
}

/* The mean of a bell in one column, and its slope divided by its mean. `square` is length^2 d.
 *
 * exponent  the logarithm of a factor of the mean is added to it, so that one exponential serves all columns */
static double bell_column(const linex_column_law *law, double square, double z, double *exponent, double *slope)
{
    if (law->binary) {
        double one = linex_exp(-(z + law->mean - 1) * (z + law->mean - 1) / (2 * square));
        double zero = linex_exp(-(z + law->mean) * (z + law->mean) / (2 * square));
        double mean = law->mean * one + (1 - law->mean) * zero;
        *slope = (one - zero) / mean;
        return mean;
    }
    double sum = square + law->spread * law->spread;
    *slope = z / sum;
    *exponent -= z * z / (2 * sum);
    return sqrt(square / sum);
}

/* Both the mean and the slopes of a product over columns are products over columns. */
void linex_kernel_add_bell_part(const linex_kernel_points *points, double length, double factor,
                                const double *coefficients, linex_linear_part *part)
{
    size_t columns = points->columns;
    double square = doubled_square(points, length) / 2;
    for (size_t i = 0; i < points->count; i++) {
        const double *z = points->z + i * columns;
        double exponent = 0, product = 1, slope;
        for (size_t c = 0; c < columns; c++)
            product *= bell_column(points->laws + c, square, z[c], &exponent, &slope);
        double mean = factor * coefficients[i] * product * linex_exp(exponent);
        part->constant += mean;
        for (size_t c = 0; c < columns; c++) {
            bell_column(points->laws + c, square, z[c], &exponent, &slope);
            part->slopes[c] += mean * slope;
        }
    }
}
