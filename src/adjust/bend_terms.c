/* bend_terms.c: terms along a fitted direction, and their exact linear parts. */
#include "adjust/bend_terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjust/joint_fit.h"
#include "base/alloc.h"
#include "matrices/matrix.h"

/* Spreads of masks below this are rounding: all masks have one size, or every part is always kept. */
static const double LEAST_SPREAD = 1e-9;

/* moments[k][m] = mean over the sizes q of s^m q (q - 1) .. (q - k + 1) / (d (d - 1) .. (d - k + 1)), where s is the
 * standardized size: the probability that k given parts are kept, times s^m. */
static void find_size_moments(linex_terms *terms)
{
    const double *sizes = terms->law->sizes;
    size_t features = terms->features;
    double mean = 0, square = 0;
    for (size_t size = 0; size <= features; size++) mean += sizes[size] * (double)size;
    for (size_t size = 0; size <= features; size++)
        square += sizes[size] * ((double)size - mean) * ((double)size - mean);
    terms->size_mean = mean;
    terms->size_spread = sqrt(square);
    for (size_t size = 0; size <= features && square > 0; size++) {
        double tuples = sizes[size], s = ((double)size - mean) / terms->size_spread;
        for (size_t k = 0; k < 5; k++) {
            double power = tuples;
            for (size_t m = 0; m < LINEX_SIZE_MOMENTS; m++, power *= s) terms->moments[k][m] += power;
            tuples *= size > k && features > k ? (double)(size - k) / (double)(features - k) : 0;
        }
    }
    terms->share = terms->moments[1][0];
    terms->variance = terms->share - terms->moments[2][0];
    terms->shared = terms->moments[2][0] - terms->share * terms->share;
}

/* Keeps a level if it is among the largest. They are in descending order; of equal ones, the first is kept. */
static void keep_level(linex_terms *terms, linex_level_term level)
{
    size_t at = terms->level_count;
    while (at > 0 && terms->levels[at - 1].size < level.size) at--;
    if (at == LINEX_MOST_LEVELS) return;
    if (terms->level_count < LINEX_MOST_LEVELS) terms->level_count++;
    for (size_t l = terms->level_count - 1; l > at; l--) terms->levels[l] = terms->levels[l - 1];
    terms->levels[at] = level;
}

/* Finds the levels that are terms. */
static bool find_level_terms(linex_terms *terms)
{
    linex_column_levels *found = linex_alloc_items((double)terms->features, sizeof *found);
    if (!found) return false;
    linex_column_levels_find(terms->law->levels, terms->features, found);
    for (size_t c = 0; c < terms->features; c++) {
        if (!(terms->columns[c].spread > 0)) continue;
        for (uint32_t l = 0; l < found[c].count; l++) {
            double share = linex_column_levels_share(found + c, l);
            if (share > 0)
                keep_level(terms, (linex_level_term){(uint32_t)c, l, share,
                                                     (1 - terms->columns[c].mean) * share * (1 - share)});
        }
    }
    free(found);
    return true;
}

static bool read_columns(linex_terms *terms)
{
    for (size_t c = 0; c < terms->features; c++) {
        linex_column_law law = linex_law_column(terms->law, c);
        terms->columns[c] = law;
        terms->origin[c] = law.mean;
        if (!(law.spread > 0)) continue;
        terms->normals += !law.binary;
        terms->binaries += law.binary;
    }
    if (!find_level_terms(terms)) return false;
    bool normal = terms->normals > 0, binary = terms->binaries > 0;
    terms->free = terms->smooth = (normal ? 4u : 0u) + (binary ? 1u : 0u) + (normal && binary ? 1u : 0u);
    terms->count = terms->free + (normal ? LINEX_KNOTS : 0u) + terms->level_count;
    return true;
}

linex_status linex_terms_open(linex_terms *terms, const linex_law *law, size_t features)
{
    *terms = (linex_terms){.features = features, .law = law};
    terms->direction = linex_alloc_doubles((2.0 + LINEX_MOST_TERMS) * (double)features);
    if (law->columns) terms->columns = linex_alloc_items((double)features, sizeof *terms->columns);
    if (!terms->direction || (law->columns && !terms->columns)) return LINEX_NO_MEMORY;
    terms->origin = terms->direction + features;
    terms->slopes = terms->origin + features;
    if (law->columns) return read_columns(terms) ? LINEX_OK : LINEX_NO_MEMORY;
    find_size_moments(terms);
    bool varies = terms->size_spread > LEAST_SPREAD && terms->variance > LEAST_SPREAD;
    terms->free = terms->count = varies && features >= 2 ? LINEX_MASK_TERMS : 0;
    return LINEX_OK;
}

void linex_terms_close(linex_terms *terms)
{
    free(terms->direction);
    free(terms->columns);
}

/* Scales the weights of the normal or the binary columns so that their sum has spread 1. */
static bool aim_columns(linex_terms *terms, const double *weights, bool binary)
{
    double square = 0;
    for (size_t c = 0; c < terms->features; c++) {
        const linex_column_law *law = terms->columns + c;
        double step = law->binary == binary ? weights[c] * law->spread : 0;
        square += step * step;
    }
    if (!(square > 0) || !isfinite(square)) return false;
    for (size_t c = 0; c < terms->features; c++)
        if (terms->columns[c].binary == binary)
            terms->direction[c] = terms->columns[c].spread > 0 ? weights[c] / sqrt(square) : 0;
    return true;
}

/* The linear parts of the steps along the normal columns, and of the levels. */
static void find_binary_slopes(linex_terms *terms)
{
    double *slopes = terms->slopes + terms->free * terms->features;
    double *constants = terms->constants + terms->free;
    memset(slopes, 0, (terms->count - terms->free) * terms->features * sizeof *slopes);
    for (size_t k = 0; terms->normals && k < LINEX_KNOTS; k++, slopes += terms->features) {
        *constants++ = linex_knot_shares[k];
        for (size_t c = 0; c < terms->features; c++)
            if (!terms->columns[c].binary) slopes[c] = linex_knot_densities[k] * terms->direction[c];
    }
    for (size_t l = 0; l < terms->level_count; l++, slopes += terms->features) {
        const linex_level_term *level = terms->levels + l;
        slopes[level->column] = -level->share;
        *constants++ = level->share * (1 - terms->columns[level->column].mean);
    }
}

static bool aim_rows(linex_terms *terms, const double *weights)
{
    memset(terms->direction, 0, terms->features * sizeof *terms->direction);
    bool normal = terms->normals && aim_columns(terms, weights, false);
    bool binary = terms->binaries && aim_columns(terms, weights, true);
    if (terms->binaries) {
        double *slopes = terms->slopes + (terms->smooth - 1) * terms->features; /* those of q^2 - 1 */
        for (size_t c = 0; c < terms->features; c++)
            slopes[c] = terms->columns[c].binary
                            ? terms->direction[c] * terms->direction[c] * (1 - 2 * terms->columns[c].mean)
                            : 0;
    }
    find_binary_slopes(terms);
    return normal || binary;
}

/* The power sums of some numbers b: the sums of b, b^2 and b^3. */
typedef struct {
    double first, second, third;
} power_sums;

/* Computes E[t^a s^m] for a = 0 .. 3, where t is the sum of the kept b. With `kept` parts that are known to be kept
 * and do not count among the sums, it is E[t^a s^m, they are kept]. Products over distinct parts become power sums:
 * for example, the sum over i != j of b_i b_j is first^2 - second. */
static void raw_moments(const linex_terms *terms, power_sums p, size_t kept, size_t m, double powers[4])
{
    double one = terms->moments[kept][m], two = terms->moments[kept + 1][m];
    double three = terms->moments[kept + 2][m], four = terms->moments[kept + 3][m];
    powers[0] = one;
    powers[1] = p.first * two;
    powers[2] = p.second * two + (p.first * p.first - p.second) * three;
    powers[3] = p.third * two + 3 * (p.first * p.second - p.third) * three +
                (p.first * p.first * p.first - 3 * p.first * p.second + 2 * p.third) * four;
}

/* Moments of t around its mean from those around zero, in place. */
static void center_powers(double mean, double powers[4])
{
    powers[3] += -3 * mean * powers[2] + 3 * mean * mean * powers[1] - mean * mean * mean * powers[0];
    powers[2] += -2 * mean * powers[1] + mean * mean * powers[0];
    powers[1] -= mean * powers[0];
}

/* Writes the means of the seven terms. With `own`, the means of part m times the terms, where own is its b. */
static void term_means(const linex_terms *terms, power_sums p, const double *own, double means[LINEX_MASK_TERMS])
{
    static const struct {
        size_t t, s;
    } powers[LINEX_MASK_TERMS] = {{2, 0}, {1, 1}, {0, 2}, {3, 0}, {2, 1}, {1, 2}, {0, 3}};
    double all[LINEX_SIZE_MOMENTS][4];
    for (size_t m = 0; m < LINEX_SIZE_MOMENTS; m++) {
        double b = own ? *own : 0, *sums = all[m];
        power_sums rest = {p.first - b, p.second - b * b, p.third - b * b * b};
        raw_moments(terms, own ? rest : p, own ? 1 : 0, m, sums);
        /* t is the sum over the other parts plus b */
        if (own) center_powers(-b, sums);
        center_powers(terms->shift, sums);
    }
    for (size_t k = 0; k < LINEX_MASK_TERMS; k++) means[k] = all[powers[k].s][powers[k].t];
}

/* Scales the direction so that t has spread 1, and finds its mean. */
static bool aim_masks(linex_terms *terms, const double *weights)
{
    size_t features = terms->features;
    double largest = 0, sum = 0, square = 0;
    for (size_t c = 0; c < features; c++) largest = fmax(largest, fabs(weights[c]));
    if (!(largest > 0)) return false;
    for (size_t c = 0; c < features; c++) {
        terms->direction[c] = weights[c] / largest;
        sum += terms->direction[c];
        square += terms->direction[c] * terms->direction[c];
    }
    double spread = sqrt(fmax(0, terms->variance * square + terms->shared * sum * sum));
    if (!(spread > LEAST_SPREAD)) return false;
    for (size_t c = 0; c < features; c++) terms->direction[c] /= spread;
    terms->shift = terms->share * sum / spread;
    return true;
}

/* The variance of the number of kept parts, divided by that number. */
static double joint_variance(const linex_terms *terms)
{
    return terms->variance + (double)terms->features * terms->shared;
}

/* Turns the covariances of term k with the parts into its slopes, in place: times the inverse of the covariance matrix
 * of the parts, which has `variance + shared` on its diagonal and `shared` elsewhere. */
static void finish_slopes(linex_terms *terms, size_t k, double mean)
{
    double *slopes = terms->slopes + k * terms->features, sum = 0, together = joint_variance(terms);
    for (size_t c = 0; c < terms->features; c++) sum += slopes[c];
    for (size_t c = 0; c < terms->features; c++)
        slopes[c] = (slopes[c] - terms->shared * sum / together) / terms->variance;
    terms->constants[k] = mean - terms->share * sum / together;
}

static bool find_mask_slopes(linex_terms *terms)
{
    size_t features = terms->features;
    double means[LINEX_MASK_TERMS];
    power_sums p = {0};
    if (!(joint_variance(terms) > LEAST_SPREAD * LEAST_SPREAD)) return false;
    for (size_t c = 0; c < features; c++) {
        double b = terms->direction[c];
        p.first += b, p.second += b * b, p.third += b * b * b;
    }
    term_means(terms, p, NULL, means);
    for (size_t c = 0; c < features; c++) {
        double own[LINEX_MASK_TERMS];
        term_means(terms, p, terms->direction + c, own);
        for (size_t k = 0; k < LINEX_MASK_TERMS; k++)
            terms->slopes[k * features + c] = own[k] - terms->share * means[k];
    }
    for (size_t k = 0; k < LINEX_MASK_TERMS; k++) finish_slopes(terms, k, means[k]);
    return true;
}

/* The mean of a product of k parts is the probability that they are kept; so is that of the product times part c, with
 * one part more if c is not among them. */
static void add_product(linex_terms *terms, size_t a, size_t b, size_t c)
{
    size_t count = b == c ? 2 : 3;
    double mean = terms->moments[count][0], more = terms->moments[count + 1][0];
    double *slopes = terms->slopes + terms->count * terms->features;
    for (size_t j = 0; j < terms->features; j++)
        slopes[j] = (j == a || j == b || j == c ? mean : more) - terms->share * mean;
    terms->products[terms->count - LINEX_MASK_TERMS] = (linex_product){{(uint8_t)a, (uint8_t)b, (uint8_t)c}};
    finish_slopes(terms, terms->count++, mean);
}

static bool has_neighbors(const linex_terms *terms)
{
    return terms->features <= LINEX_MOST_IN_LINE;
}

static void add_neighbors(linex_terms *terms)
{
    size_t features = has_neighbors(terms) ? terms->features : 0;
    for (size_t c = 0; c + 1 < features; c++) add_product(terms, c, c + 1, c + 1);
    terms->sets[0] = terms->count;
    for (size_t c = 0; c + 2 < features; c++) {
        add_product(terms, c, c + 2, c + 2);
        add_product(terms, c, c + 1, c + 2);
    }
    terms->sets[1] = terms->count;
}

/* Adds the pair of two leading parts, unless it is one of neighbors. */
static void add_pair(linex_terms *terms, size_t a, size_t b)
{
    size_t apart = a < b ? b - a : a - b;
    if (apart > 2 || !has_neighbors(terms)) add_product(terms, a, b, b);
}

static size_t paired_of(const linex_terms *terms)
{
    size_t most = has_neighbors(terms) ? LINEX_PAIRED_IN_LINE : LINEX_MOST_PAIRED;
    return terms->features < most ? terms->features : most;
}

/* Returns the index of the largest number. */
static size_t largest_of(size_t count, const double *numbers)
{
    size_t best = 0;
    for (size_t c = 1; c < count; c++)
        if (numbers[c] > numbers[best]) best = c;
    return best;
}

/* How many columns of rows are paired. */
static size_t row_paired_of(const linex_terms *terms)
{
    size_t columns = terms->normals + terms->binaries;
    return columns < LINEX_MOST_ROW_PAIRED ? columns : LINEX_MOST_ROW_PAIRED;
}

size_t linex_terms_most(const linex_terms *terms)
{
    size_t paired = terms->columns ? row_paired_of(terms) : paired_of(terms);
    if (terms->count == 0) return 0;
    if (terms->columns) return terms->count + paired * (paired - 1) / 2;
    return LINEX_MASK_TERMS + paired * (paired - 1) / 2 + (has_neighbors(terms) ? 3 * terms->features : 0);
}

/* Adds the products of the leading columns. They have no slopes. The terms after them move. */
static void multiply_columns(linex_terms *terms, double *weights)
{
    size_t features = terms->features, paired = row_paired_of(terms), leading[LINEX_MOST_ROW_PAIRED], pairs = 0;
    for (size_t c = 0; c < features; c++)
        weights[c] = terms->columns[c].spread > 0 ? fabs(weights[c]) * terms->columns[c].spread : -1;
    for (size_t k = 0; k < paired; k++) {
        leading[k] = largest_of(features, weights);
        weights[leading[k]] = -1;
        for (size_t l = 0; l < k; l++, pairs++)
            terms->products[pairs] = (linex_product){{(uint8_t)leading[l], (uint8_t)leading[k], 0}};
    }
    memset(terms->slopes + terms->free * features, 0, pairs * features * sizeof *terms->slopes);
    memset(terms->constants + terms->free, 0, pairs * sizeof *terms->constants);
    terms->free += pairs;
    terms->count += pairs;
    find_binary_slopes(terms);
}

void linex_terms_multiply(linex_terms *terms, double *weights)
{
    size_t features = terms->features, paired = paired_of(terms), leading[LINEX_MOST_PAIRED];
    if (terms->columns) multiply_columns(terms, weights);
    if (terms->columns || features < 3 || terms->count != LINEX_MASK_TERMS) return;
    add_neighbors(terms);
    for (size_t c = 0; c < features; c++) weights[c] = fabs(weights[c]);
    for (size_t k = 0; k < paired; k++) {
        size_t best = leading[k] = largest_of(features, weights);
        weights[best] = -1;
        for (size_t l = 0; l < k; l++) add_pair(terms, leading[l], best);
    }
    terms->sets[LINEX_PRODUCT_SETS - 1] = terms->count;
}

bool linex_terms_aim(linex_terms *terms, const double *weights)
{
    if (!linex_all_finite(terms->features, weights)) return false;
    if (terms->columns) return aim_rows(terms, weights);
    return aim_masks(terms, weights) && find_mask_slopes(terms);
}

/* A column in spreads from its mean. */
static double standardized(const linex_terms *terms, size_t column, const double *point)
{
    return (point[column] - terms->columns[column].mean) / terms->columns[column].spread;
}

static void fill_row_terms(const linex_terms *terms, size_t index, const double *point, double *values)
{
    double t = 0, q = 0, r = 0, normals = (double)terms->normals;
    size_t pairs = terms->free - terms->smooth;
    for (size_t c = 0; c < terms->features; c++) {
        const linex_column_law *law = terms->columns + c;
        double from = point[c] - law->mean, z = law->spread > 0 ? from / law->spread : 0;
        if (law->binary) {
            q += terms->direction[c] * from;
        } else {
            t += terms->direction[c] * from;
            r += z * z;
        }
    }
    if (terms->normals) {
        *values++ = t * t - 1;
        *values++ = t * t * t - 3 * t;
        *values++ = t * (r - normals - 2) / sqrt(normals);
        *values++ = (r - normals) / sqrt(normals);
    }
    if (terms->normals && terms->binaries) *values++ = t * q;
    if (terms->binaries) *values++ = q * q - 1;
    for (size_t k = 0; k < pairs; k++)
        *values++ = standardized(terms, terms->products[k].parts[0], point) *
                    standardized(terms, terms->products[k].parts[1], point);
    for (size_t k = 0; terms->normals && k < LINEX_KNOTS; k++) *values++ = t > linex_knots[k];
    for (size_t l = 0; l < terms->level_count; l++) {
        const linex_level_term *level = terms->levels + l;
        *values++ = terms->law->levels->rows[index * terms->features + level->column] == (double)level->level;
    }
}

void linex_terms_fill(const linex_terms *terms, size_t index, const double *point, double *values)
{
    if (terms->columns) {
        fill_row_terms(terms, index, point, values);
        return;
    }
    double t = -terms->shift, size = 0;
    for (size_t c = 0; c < terms->features; c++) {
        t += terms->direction[c] * point[c];
        size += point[c];
    }
    double s = (size - terms->size_mean) / terms->size_spread;
    const double all[LINEX_MASK_TERMS] = {t * t, t * s, s * s, t * t * t, t * t * s, t * s * s, s * s * s};
    memcpy(values, all, sizeof all);
    for (size_t k = LINEX_MASK_TERMS; k < terms->count; k++) {
        const uint8_t *parts = terms->products[k - LINEX_MASK_TERMS].parts;
        values[k] = point[parts[0]] * point[parts[1]] * point[parts[2]];
    }
}
