/* joint_fit.c: fits features, terms and steps together, and finds the leave-one-out error of the fit. */
#include "adjust/joint_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "matrices/factors.h"
#include "matrices/matrix.h"

/* Leverages are exact up to this many multiply-adds, and this many samples per column: with more samples they are small,
 * and so are their differences. */
static const double EXACT_WORK = 1e6, EXACT_SAMPLES = 16;
/* A residual is divided by at least one minus this. */
static const double MOST_LEVERAGE = 0.98;

const double linex_knots[LINEX_KNOTS] = {-1.4, -0.8, -0.25, 0.25, 0.8, 1.4};
const double linex_knot_densities[LINEX_KNOTS] = {0.1497274656357449, 0.2896915527614828, 0.3866681168028493,
                                                  0.3866681168028493, 0.2896915527614828, 0.1497274656357449};
const double linex_knot_shares[LINEX_KNOTS] = {0.9192433407662289, 0.7881446014166033, 0.5987063256829237,
                                               0.4012936743170763, 0.2118553985833967, 0.08075665923377107};

/* AT_ONCE samples stay in the cache while each term is multiplied with them. */
enum { LEVELS = LINEX_KNOTS + 1, AT_ONCE = 32 };

static size_t full_size(const linex_joint *joint)
{
    return joint->features + joint->terms + joint->stepped * LINEX_KNOTS;
}

/* How many numbers are summed up for each level of a column: one per feature and term, the answer, the weight. */
static size_t bucket_size(const linex_joint *joint)
{
    return joint->features + joint->terms + 2;
}

size_t linex_joint_size(const linex_joint *joint, const linex_trial *trial)
{
    return joint->features + trial->terms + (trial->steps ? joint->stepped * LINEX_KNOTS : 0);
}

linex_status linex_joint_open(linex_joint *joint, const linex_points *points, const double *weights,
                              const double *answers, size_t count, size_t terms, size_t stepped)
{
    *joint = (linex_joint){.count = count,
                           .features = points->feature_count,
                           .points = points,
                           .weights = weights,
                           .answers = answers,
                           .terms = terms,
                           .stepped = stepped,
                           .stride = points->feature_count + terms};
    size_t features = joint->features, size = full_size(joint);
    double square = (double)size * (double)size, samples = (double)count;
    double pairs = (double)(stepped * stepped) * LEVELS * LEVELS;
    double buckets = (double)(stepped * LEVELS) * (double)bucket_size(joint) + pairs;
    double all = samples * (double)(joint->stride + 1) + 2 * square + (double)(features * features + 2 * features) +
                 linex_moments_scratch(features) + 7.0 * (double)(size + 2) + buckets;
    double *next = linex_alloc_doubles(all);
    joint->memory = next;
    joint->level = linex_alloc_items((double)points->count * (double)(stepped + 1), sizeof *joint->level);
    if (!next || !joint->level) return LINEX_NO_MEMORY;
    joint->dense = next, next += count * joint->stride;
    joint->term = joint->dense + features;
    joint->residuals = next, next += count;
    joint->gram = next, next += size * size;
    joint->factor = next, next += size * size;
    joint->moments.gram = next, next += features * features;
    joint->moments.cross = next, next += features;
    joint->moments.mean = next, next += features;
    joint->cross = next, next += size;
    joint->coefficients = next, next += size;
    joint->heights = next, next += stepped * LEVELS;
    joint->term_mean = next, next += size;
    joint->step_mean = joint->term_mean + terms;
    joint->row = next, next += size + 2;
    joint->solved = next, next += size + 2;
    joint->buckets = next, next += (size_t)buckets;
    joint->moments.scratch = next;
    return LINEX_OK;
}

void linex_joint_close(linex_joint *joint)
{
    free(joint->memory);
    free(joint->level);
}

/* Writes the products of the features, whose place depends on the number of terms. */
static void place_features(linex_joint *joint)
{
    size_t features = joint->features, size = full_size(joint);
    const linex_moments *moments = &joint->moments;
    for (size_t a = 0; a < features; a++) {
        joint->cross[a] = moments->cross[a] * moments->total;
        for (size_t b = 0; b <= a; b++) joint->gram[a * size + b] = moments->gram[a * features + b] * moments->total;
    }
}

/* Writes the features of a sample, less their means. They are read for each trial. */
static void fill_features(linex_joint *joint, size_t i)
{
    double *row = joint->dense + i * joint->stride;
    const double *point = linex_points_row(joint->points, i, row);
    for (size_t c = 0; c < joint->features; c++) row[c] = point[c] - joint->moments.mean[c];
}

linex_status linex_joint_features_advance(linex_joint *joint, linex_slice *slice)
{
    linex_moments *moments = &joint->moments;
    const linex_points fitted = {joint->count, joint->features, joint->points->values, joint->points->masks};
    linex_status status = LINEX_OK;
    if (joint->cursor.row == 0)
        status =
            linex_moments_advance(&fitted, joint->answers, joint->weights, true, 0, moments, &joint->inner, slice);
    if (status) return status;
    if (!(moments->total > 0)) return LINEX_DEGENERATE;
    do {
        fill_features(joint, joint->cursor.row);
        linex_slice_use(slice, 2.0 * (double)joint->features);
        if (++joint->cursor.row < joint->count && linex_slice_ended(slice)) return LINEX_UNFINISHED;
    } while (joint->cursor.row < joint->count);
    joint->cursor.row = 0;
    place_features(joint);
    return LINEX_OK;
}

/* Subtracts the weighted mean of each term. */
static void center_terms(linex_joint *joint)
{
    size_t terms = joint->terms;
    memset(joint->term_mean, 0, terms * sizeof *joint->term_mean);
    for (size_t i = 0; i < joint->count; i++)
        linex_add_scaled(terms, joint->weights[i] / joint->moments.total, joint->term + i * joint->stride,
                         joint->term_mean);
    for (size_t i = 0; i < joint->count; i++)
        linex_add_scaled(terms, -1, joint->term_mean, joint->term + i * joint->stride);
}

/* Writes all columns of sample i. */
static void fill_row(const linex_joint *joint, size_t i, const linex_trial *trial, double *row)
{
    size_t dense = joint->features + trial->terms;
    memcpy(row, joint->dense + i * joint->stride, dense * sizeof *row);
    double *to = row + dense;
    for (size_t j = 0; trial->steps && j < joint->stepped; j++)
        for (size_t k = 0; k < LINEX_KNOTS; k++, to++)
            *to = (joint->level[i * joint->stepped + j] > k) - joint->step_mean[j * LINEX_KNOTS + k];
}

/* Adds some samples to the products of term k. All columns have mean zero, so the mean of a term that is 0 or 1 does not
 * matter for its products, and samples where it is 0 need not be added. They are left out without a branch, because the
 * processor could not predict it. */
static void add_to_term(linex_joint *joint, size_t first, size_t end, size_t k)
{
    size_t column = joint->features + k, found = 0, j = 0;
    double factors[AT_ONCE], kept[AT_ONCE], *products = joint->gram + column * full_size(joint);
    const double *rows[AT_ONCE], *row = joint->dense + first * joint->stride;
    for (size_t i = first; i < end; i++, row += joint->stride) {
        double weight = joint->weights[i], term = row[column];
        bool binary = k >= joint->free_terms;
        rows[found] = row;
        factors[found] = binary ? weight : weight * term;
        kept[found] = joint->answers[i] - joint->moments.answer_mean;
        found += (weight != 0) & !(binary & (weight * term < 0));
    }
    for (size_t i = 0; i < found; i++) joint->cross[column] += factors[i] * kept[i];
    for (; j + 4 <= found; j += 4) linex_add_four(column + 1, factors + j, rows + j, products);
    for (; j < found; j++) linex_add_scaled(column + 1, factors[j], rows[j], products);
}

/* Adds one sample to the sums of its levels. */
static void add_to_levels(linex_joint *joint, size_t i)
{
    size_t stepped = joint->stepped, width = bucket_size(joint), dense = joint->features + joint->terms;
    double *row = joint->row, weight = joint->weights[i];
    double *pairs = joint->buckets + stepped * LEVELS * width;
    if (weight == 0) return;
    memcpy(row, joint->dense + i * joint->stride, dense * sizeof *row);
    row[dense] = joint->answers[i] - joint->moments.answer_mean;
    row[dense + 1] = 1;
    const uint8_t *level = joint->level + i * stepped;
    for (size_t j = 0; j < stepped; j++) {
        linex_add_scaled(width, weight, row, joint->buckets + (j * LEVELS + level[j]) * width);
        for (size_t k = 0; k < j; k++) pairs[((j * stepped + k) * LEVELS + level[j]) * LEVELS + level[k]] += weight;
    }
}

/* Adds the levels above to each level, so that it holds the sums of the samples above its lower knot. */
static void sum_from_above(size_t stride, size_t width, double *levels)
{
    for (size_t level = LINEX_KNOTS; level-- > 0;)
        for (size_t c = 0; c < width; c++) levels[level * stride + c] += levels[(level + 1) * stride + c];
}

/* The products of the steps of columns j and k. */
static void finish_pair(linex_joint *joint, size_t j, size_t k)
{
    size_t stepped = joint->stepped, size = full_size(joint), width = bucket_size(joint);
    size_t first = joint->features + joint->terms;
    double *pair = joint->buckets + stepped * LEVELS * width + (j * stepped + k) * LEVELS * LEVELS;
    const double *own = joint->buckets + j * LEVELS * width + width - 1;
    if (k < j) {
        sum_from_above(LEVELS, LEVELS, pair);
        for (size_t level = 0; level < LEVELS; level++) sum_from_above(1, 1, pair + level * LEVELS);
    }
    for (size_t a = 0; a < LINEX_KNOTS; a++)
        for (size_t b = 0; b < (k < j ? LINEX_KNOTS : a + 1); b++) {
            double both = k < j ? pair[(a + 1) * LEVELS + b + 1] : own[(a + 1) * width];
            double means = joint->step_mean[j * LINEX_KNOTS + a] * joint->step_mean[k * LINEX_KNOTS + b];
            joint->gram[(first + j * LINEX_KNOTS + a) * size + first + k * LINEX_KNOTS + b] =
                both - joint->moments.total * means;
        }
}

/* The products of the steps, from the sums by level. The other columns have mean zero, so the means of the steps do
 * not matter for the products with them. */
static void finish_steps(linex_joint *joint)
{
    size_t size = full_size(joint), width = bucket_size(joint), dense = joint->features + joint->terms;
    for (size_t j = 0; j < joint->stepped; j++) {
        double *levels = joint->buckets + j * LEVELS * width;
        sum_from_above(width, width, levels);
        for (size_t k = 0; k < LINEX_KNOTS; k++) {
            const double *above = levels + (k + 1) * width;
            size_t at = dense + j * LINEX_KNOTS + k;
            memcpy(joint->gram + at * size, above, dense * sizeof *above);
            joint->cross[at] = above[dense];
            joint->step_mean[j * LINEX_KNOTS + k] = above[dense + 1] / joint->moments.total;
        }
    }
    for (size_t j = 0; j < joint->stepped; j++)
        for (size_t k = 0; k <= j; k++) finish_pair(joint, j, k);
}

static size_t end_of_block(const linex_joint *joint)
{
    size_t left = joint->count - joint->cursor.row;
    return joint->cursor.row + (left < AT_ONCE ? left : AT_ONCE);
}

static void clear_products(linex_joint *joint)
{
    size_t features = joint->features, stepped = joint->stepped, size = full_size(joint);
    size_t pairs = stepped * stepped * LEVELS * LEVELS;
    place_features(joint);
    memset(joint->gram + features * size, 0, (size - features) * size * sizeof *joint->gram);
    memset(joint->cross + features, 0, (size - features) * sizeof *joint->cross);
    memset(joint->buckets, 0, (stepped * LEVELS * bucket_size(joint) + pairs) * sizeof *joint->buckets);
}

linex_status linex_joint_products_advance(linex_joint *joint, linex_slice *slice)
{
    size_t dense = joint->features + joint->terms, stepped = joint->stepped;
    double work = (double)((joint->terms + stepped + 2) * dense + stepped * stepped);
    if (joint->stage == 0) {
        if (!linex_slice_take(slice, 3.0 * (double)joint->count * (double)joint->terms)) return LINEX_UNFINISHED;
        center_terms(joint);
        clear_products(joint);
        joint->stage = 1;
    }
    for (size_t end; joint->cursor.row < joint->count; joint->cursor.row = end) {
        end = end_of_block(joint);
        if (!linex_slice_take(slice, work * (double)(end - joint->cursor.row))) return LINEX_UNFINISHED;
        for (size_t k = 0; k < joint->terms; k++) add_to_term(joint, joint->cursor.row, end, k);
        for (size_t i = joint->cursor.row; stepped && i < end; i++) add_to_levels(joint, i);
    }
    finish_steps(joint);
    joint->cursor.row = joint->stage = 0;
    return LINEX_OK;
}

/* The penalty of a column. */
static double penalty_of(const linex_joint *joint, const linex_trial *trial, size_t column)
{
    if (column < joint->features) return trial->ridge;
    size_t term = column - joint->features, terms = trial->terms;
    if (term >= terms || term >= joint->free_terms) return trial->step_ridge;
    return term < joint->smooth_terms ? trial->term_ridge : trial->pair_ridge;
}

/* Copies the products of the trial's columns, which are the first ones: a trial with steps has all terms. */
static void copy_products(linex_joint *joint, const linex_trial *trial)
{
    size_t full = full_size(joint), size = linex_joint_size(joint, trial);
    for (size_t a = 0; a < size; a++) {
        memcpy(joint->factor + a * size, joint->gram + a * full, (a + 1) * sizeof *joint->gram);
        joint->factor[a * size + a] += penalty_of(joint, trial, a);
    }
    memcpy(joint->coefficients, joint->cross, size * sizeof *joint->cross);
}

/* Solves L u = x in place, for x whose first entries are zero. */
static void solve_lower(size_t size, const double *factor, size_t first, double *x)
{
    for (size_t a = first; a < size; a++)
        x[a] = (x[a] - linex_dot(a - first, factor + a * size + first, x + first)) / factor[a * size + a];
}

/* Adds up the steps of each column, level by level. At each level, less the mean. */
static void find_heights(linex_joint *joint, const linex_trial *trial)
{
    const double *step = joint->coefficients + joint->features + trial->terms, *mean = joint->step_mean;
    double *height = joint->heights;
    for (size_t j = 0; trial->steps && j < joint->stepped; j++, height += LEVELS) {
        height[0] = 0;
        for (size_t k = 0; k < LINEX_KNOTS; k++) height[0] -= *step++ * *mean++;
        for (size_t k = 0; k < LINEX_KNOTS; k++) height[k + 1] = height[k] + step[k - LINEX_KNOTS];
    }
}

/* Adds the steps of a sample to a sum. */
static double step_heights(const linex_joint *joint, const linex_trial *trial, const uint8_t *level, double sum)
{
    for (size_t j = 0; trial->steps && j < joint->stepped; j++) sum += joint->heights[j * LEVELS + level[j]];
    return sum;
}

void linex_joint_recall(linex_joint *joint, const linex_trial *trial, const double *coefficients)
{
    memcpy(joint->coefficients, coefficients, linex_joint_size(joint, trial) * sizeof *coefficients);
    find_heights(joint, trial);
}

double linex_joint_predict(const linex_joint *joint, const linex_trial *trial, const double *row,
                           const uint8_t *level)
{
    double sum = linex_dot(joint->features + trial->terms, row, joint->coefficients);
    return step_heights(joint, trial, level, sum);
}

/* Adds what column a counts to the trace of the hat matrix: 1 - penalty (M^-1)_aa. */
static void add_effective(linex_joint *joint, const linex_trial *trial, size_t size, size_t a)
{
    double penalty = penalty_of(joint, trial, a), *column = joint->solved;
    memset(column + a, 0, (size - a) * sizeof *column);
    column[a] = 1;
    solve_lower(size, joint->factor, a, column);
    joint->effective += 1 - penalty * linex_dot(size - a, column + a, column + a);
}

/* dense  what the features and the terms predict */
static void add_residual(linex_joint *joint, const linex_trial *trial, size_t size, bool exact, size_t i,
                         double dense)
{
    double weight = joint->weights[i], share = weight / joint->moments.total;
    double predicted = step_heights(joint, trial, joint->level + i * joint->stepped, dense);
    double residual = joint->answers[i] - joint->moments.answer_mean - predicted;
    double leverage = share * (1 + joint->effective);
    if (exact) {
        fill_row(joint, i, trial, joint->row);
        solve_lower(size, joint->factor, 0, joint->row);
        leverage = share + weight * linex_dot(size, joint->row, joint->row);
    }
    residual /= 1 - fmin(leverage, MOST_LEVERAGE);
    joint->residuals[i] = residual;
    joint->error += weight * residual * residual;
}

/* Adds the residuals of a block of samples. */
static void add_residuals(linex_joint *joint, const linex_trial *trial, size_t size, bool exact, size_t end)
{
    size_t first = joint->cursor.row;
    double predicted[AT_ONCE];
    linex_rows_apply(end - first, joint->features + trial->terms, joint->dense + first * joint->stride, joint->stride,
                     joint->coefficients, predicted);
    for (size_t i = first; i < end; i++) add_residual(joint, trial, size, exact, i, predicted[i - first]);
}

linex_status linex_joint_try_advance(linex_joint *joint, const linex_trial *trial, linex_slice *slice)
{
    enum { COPY, FACTORIZE, COUNT, MEASURE };
    size_t size = linex_joint_size(joint, trial);
    double square = (double)size * (double)size / 2;
    double count = (double)joint->count;
    bool exact = count * square <= EXACT_WORK && count <= EXACT_SAMPLES * (double)size;
    if (joint->stage == COPY) {
        if (!linex_slice_take(slice, square)) return LINEX_UNFINISHED;
        copy_products(joint, trial);
        joint->effective = joint->error = 0;
        joint->stage = FACTORIZE;
    }
    if (joint->stage == FACTORIZE) {
        linex_status status = linex_cholesky_advance(size, joint->factor, &joint->inner, slice);
        if (status == LINEX_DEGENERATE) joint->inner = (linex_cursor){0}, joint->stage = COPY;
        if (status) return status;
        linex_cholesky_solve(size, joint->factor, joint->coefficients);
        find_heights(joint, trial);
        joint->stage = COUNT;
    }
    for (; joint->stage == COUNT && !exact && joint->cursor.row < size; joint->cursor.row++) {
        double rest = (double)(size - joint->cursor.row);
        if (!linex_slice_take(slice, rest * rest / 2)) return LINEX_UNFINISHED;
        add_effective(joint, trial, size, joint->cursor.row);
    }
    if (joint->stage == COUNT) joint->cursor.row = 0;
    joint->stage = MEASURE;
    for (size_t end; joint->cursor.row < joint->count; joint->cursor.row = end) {
        end = end_of_block(joint);
        double work = (double)(2 * size) + (exact ? square + (double)size : 0);
        if (!linex_slice_take(slice, work * (double)(end - joint->cursor.row))) return LINEX_UNFINISHED;
        add_residuals(joint, trial, size, exact, end);
    }
    joint->cursor.row = joint->stage = 0;
    return LINEX_OK;
}
