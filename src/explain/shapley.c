/* shapley.c: KernelSHAP: plans coalitions, and fits Shapley values to their answers. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "linex.h"
#include "neighborhood/masks.h"
#include "base/matrix.h"
#include "base/alloc.h"
#include "base/task.h"

/* How many rounds replace pairs that were drawn twice. If few pairs are left, more rounds would hardly find them. */
enum { MAX_ROUNDS = 4 };

/* Values below this share of the range of the answers are rounding. */
static const double ROUNDING = 1e-14;
/* The residual of a pair with a higher leverage says little about the error of the fit. */
static const double MAX_LEVERAGE = 0.9;
/* A pivot below this share of the mean pivot: the coalitions do not determine a direction. */
static const double MIN_PIVOT = 1e-10;
/* For a smaller sum of weights the Gram matrix of the moments is the identity (matrix.h). */
static const double MIN_TOTAL = 1e-200;
/* Answers from this size on are divided by the unit, because their squares may overflow. */
static const double HUGE_ANSWER = 1e100;
static const double HUGE_UNIT = 0x1p600;

/* The mass of the kernel on the sizes `size` and feature_count - size together, up to a factor that all sizes
 * share. */
static double mass_of(size_t feature_count, size_t size)
{
    double both = 2 * size == feature_count ? 1 : 2;
    return both / ((double)size * (double)(feature_count - size));
}

/* The number of coalitions of the sizes `size` and feature_count - size together. */
static double coalitions_of(size_t feature_count, size_t size)
{
    double choices = 2 * size == feature_count ? 1 : 2;
    for (size_t i = 0; i < size; i++) choices = choices * (double)(feature_count - i) / (double)(i + 1);
    return choices;
}

static void write_complement(size_t feature_count, const uint8_t *mask, uint8_t *complement)
{
    for (size_t c = 0; c < feature_count; c++) complement[c] = !mask[c];
}

/* Steps to the next mask of the same size. In this order, masks that contain the first part come first. */
static void step_mask(size_t feature_count, uint8_t *mask)
{
    size_t last = feature_count, tail = 0;
    while (mask[last - 1]) last--, tail++;
    while (last > 0 && !mask[last - 1]) last--;
    if (last == 0) return;
    memset(mask + last - 1, 0, feature_count - last + 1);
    memset(mask + last, 1, tail + 1);
}

/* Writes all pairs of a size, each with its complement. If both have the same size, the mask with the first part is
 * written first; the order above ensures this. */
static void write_size(size_t feature_count, size_t size, size_t pairs, uint8_t *masks)
{
    memset(masks, 0, feature_count);
    memset(masks, 1, size);
    for (size_t i = 0; i < pairs; i++) {
        uint8_t *mask = masks + 2 * i * feature_count;
        write_complement(feature_count, mask, mask + feature_count);
        if (i + 1 == pairs) return;
        memcpy(mask + 2 * feature_count, mask, feature_count);
        step_mask(feature_count, mask + 2 * feature_count);
    }
}

/* Draws the smaller coalition of a pair. Its size is at least `smallest` and drawn in proportion to the kernel's
 * mass. */
static void draw_pair(size_t feature_count, size_t smallest, double mass, linex_random *random, uint8_t *mask)
{
    size_t size = smallest;
    double left = mass * linex_random_uniform(random);
    while (size < feature_count / 2 && (left -= mass_of(feature_count, size)) >= 0) size++;
    linex_subset_draw(feature_count, feature_count - size, random, mask);
    if (2 * size == feature_count && !mask[0]) write_complement(feature_count, mask, mask);
}

/* Draws distinct pairs, one mask per pair, and counts how often each was drawn.
 *
 * masks    pairs x feature_count; on return the first *distinct are the distinct ones
 * pair_of  pairs: scratch
 * counts   pairs */
static linex_status draw_distinct(size_t feature_count, size_t smallest, double mass, uint64_t seed, size_t pairs,
                                  uint8_t *masks, uint32_t *pair_of, double *counts, size_t *distinct, size_t *draws)
{
    const linex_random root = linex_random_seed(seed);
    size_t found = 0, drawn = 0;
    memset(counts, 0, pairs * sizeof *counts);
    for (int round = 0; round < MAX_ROUNDS && found < pairs; round++) {
        size_t before = found;
        for (size_t i = before; i < pairs; i++) {
            linex_random random = linex_random_split(&root, drawn++);
            draw_pair(feature_count, smallest, mass, &random, masks + i * feature_count);
        }
        linex_status status = linex_rows_merge(pairs, feature_count, masks, pair_of, &found);
        if (status) return status;
        for (size_t i = before; i < pairs; i++) counts[pair_of[i]] += 1;
    }
    *distinct = found;
    *draws = drawn;
    return LINEX_OK;
}

/* Turns masks into pairs in place, from the last one on so that no mask is overwritten before it is read. Each pair
 * gets a share of the mass in proportion to how often it was drawn. */
static void spread_pairs(size_t feature_count, size_t pairs, double mass, uint8_t *masks, double *weights)
{
    double drawn = 0;
    for (size_t i = 0; i < pairs; i++) drawn += weights[i];
    for (size_t i = pairs; i-- > 0;) {
        uint8_t *mask = masks + 2 * i * feature_count;
        memmove(mask, masks + i * feature_count, feature_count);
        write_complement(feature_count, mask, mask + feature_count);
        weights[2 * i] = weights[2 * i + 1] = weights[i] / drawn * mass / 2;
    }
}

static linex_status add_drawn(size_t feature_count, size_t smallest, double mass, uint64_t seed, size_t pairs,
                              uint8_t *masks, double *weights, linex_coalitions *plan)
{
    uint32_t *pair_of = linex_alloc_items((double)pairs, sizeof *pair_of);
    if (!pair_of) return LINEX_NO_MEMORY;
    size_t distinct = 0;
    linex_status status =
        draw_distinct(feature_count, smallest, mass, seed, pairs, masks, pair_of, weights, &distinct, &plan->draws);
    free(pair_of);
    if (status) return status;
    spread_pairs(feature_count, distinct, mass, masks, weights);
    plan->count += 2 * distinct;
    return LINEX_OK;
}

static void normalize(size_t count, double *weights)
{
    double total = 0;
    for (size_t i = 0; i < count; i++) total += weights[i];
    for (size_t i = 0; i < count && total > 0; i++) weights[i] /= total;
}

linex_status linex_coalitions_plan(size_t feature_count, size_t samples, uint64_t seed, uint8_t *masks,
                                   double *weights, linex_coalitions *coalitions)
{
    if (!feature_count || feature_count >= UINT32_MAX || samples < 2 || samples > UINT32_MAX / 4 || !masks ||
        !weights || !coalitions)
        return LINEX_BAD_ARGUMENT;
    bool all = feature_count < 31 && ((size_t)1 << feature_count) <= samples;
    size_t next = 2, size = 1;
    double mass = 0;
    memset(masks, 1, feature_count);
    memset(masks + feature_count, 0, feature_count);
    weights[0] = weights[1] = 0;
    for (size_t s = 1; s <= feature_count / 2; s++) mass += mass_of(feature_count, s);
    for (; size <= feature_count / 2; size++) {
        double in_size = coalitions_of(feature_count, size), share = mass_of(feature_count, size),
               left = (double)(samples - next);
        if (in_size > left || !(all || size == 1 || left * share / mass >= in_size)) break;
        size_t added = (size_t)in_size;
        write_size(feature_count, size, added / 2, masks + next * feature_count);
        for (size_t i = 0; i < added; i++) weights[next + i] = share / in_size;
        next += added;
        mass -= share;
    }
    *coalitions = (linex_coalitions){.count = next, .taken = next};
    linex_status status = LINEX_OK;
    size_t pairs = (samples - next) / 2;
    if (size <= feature_count / 2 && pairs)
        status = add_drawn(feature_count, size, mass, seed, pairs, masks + next * feature_count, weights + next,
                           coalitions);
    if (!status) normalize(coalitions->count, weights);
    return status;
}

static double logit(double share)
{
    return linex_log(share) - linex_log(1 - share);
}

static double logistic(double x)
{
    return x < 0 ? linex_exp(x) / (1 + linex_exp(x)) : 1 / (1 + linex_exp(-x));
}

static bool link_answers(size_t count, const double *answers, linex_link link, double *linked)
{
    for (size_t i = 0; i < count; i++) {
        if (link == LINEX_LINK_LOGIT && !(answers[i] >= DBL_MIN && answers[i] < 1)) return false;
        linked[i] = link == LINEX_LINK_LOGIT ? logit(answers[i]) : answers[i];
    }
    return true;
}

static bool coalitions_are_good(size_t count, size_t feature_count, const uint8_t *masks, const double *answers,
                                const double *weights)
{
    linex_points points = {count, feature_count, NULL, masks};
    if (!linex_points_are_good(&points) || !linex_all_finite(count, answers)) return false;
    for (size_t i = 2; i < count; i++)
        if (!(weights[i] >= 0) || !isfinite(weights[i])) return false;
    return linex_mask_size(feature_count, masks) == feature_count &&
           linex_mask_size(feature_count, masks + feature_count) == 0;
}

/* The fit of Shapley values, in stages. */
struct shapley_task {
    linex_task task;
    linex_cursor at, kernel; /* kernel: inside of a matrix kernel */
    linex_coalitions plan;
    size_t feature_count;
    const uint8_t *masks;
    const double *weights;
    linex_link link;
    double *values, *errors, *agreement;
    linex_shapley_report *report;
    double unit;           /* of everything below, and of the values and errors until they are reported */
    double *linked;        /* count: the answers, transformed by the link */
    double *left;          /* count: what remains of each answer without the equal shares */
    double *scratch;       /* 2 feature_count */
    linex_moments moments; /* in the end with the Cholesky factor in place of the Gram matrix */
    double mean;           /* of the eigenvalues; before that, of the Gram matrix */
    double missed, varied; /* weighted squares */
};

static const uint8_t *mask_at(const struct shapley_task *fit, size_t i)
{
    return fit->masks + i * fit->feature_count;
}

static void take_remainder(void *state, size_t i)
{
    const struct shapley_task *fit = state;
    double even = (fit->linked[0] - fit->linked[1]) / (double)fit->feature_count;
    if (i < 2) return;
    fit->left[i] =
        fit->linked[i] - fit->linked[1] - even * (double)linex_mask_size(fit->feature_count, mask_at(fit, i));
}

static linex_status take_remainders(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    return linex_steps_advance(fit->plan.count, (double)fit->feature_count, take_remainder, fit, at, slice);
}

static linex_status take_moments(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    (void)at;
    linex_points between = {fit->plan.count - 2, fit->feature_count, NULL, mask_at(fit, 2)};
    linex_status status = linex_moments_advance(&between, fit->left + 2, fit->weights + 2, false, 0, &fit->moments,
                                                &fit->kernel, slice);
    if (status) return status;
    /* The moments are then the identity or not finite, and solving would return meaningless equal shares. */
    double total = fit->moments.total;
    return total > MIN_TOTAL && !isinf(total) ? LINEX_OK : LINEX_DEGENERATE;
}

static void average_row(void *state, size_t c)
{
    struct shapley_task *fit = state;
    size_t feature_count = fit->feature_count;
    double *means = fit->moments.mean;
    means[c] = 0;
    for (size_t d = 0; d < feature_count; d++) means[c] += fit->moments.gram[c * feature_count + d];
    means[c] /= (double)feature_count;
    fit->mean += means[c] / (double)feature_count;
}

static linex_status average_gram(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    return linex_steps_advance(fit->feature_count, (double)fit->feature_count, average_row, fit, at, slice);
}

/* Subtracts the means of a row and of all columns. */
static void center_row(void *state, size_t c)
{
    const struct shapley_task *fit = state;
    size_t feature_count = fit->feature_count;
    const double *means = fit->moments.mean;
    double *row = fit->moments.gram + c * feature_count;
    for (size_t d = 0; d < feature_count; d++) row[d] -= means[c] + means[d] - fit->mean;
}

static linex_status center_gram(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    size_t feature_count = fit->feature_count;
    linex_status status = linex_steps_advance(feature_count, (double)feature_count, center_row, fit, at, slice);
    if (status) return status;
    double trace = 0;
    for (size_t c = 0; c < feature_count; c++) trace += fit->moments.gram[c * feature_count + c];
    fit->mean = trace / (double)(feature_count - 1);
    return LINEX_OK;
}

static void lift_row(void *state, size_t c)
{
    const struct shapley_task *fit = state;
    double *row = fit->moments.gram + c * fit->feature_count;
    for (size_t d = 0; d < fit->feature_count; d++) row[d] += fit->mean / (double)fit->feature_count;
}

/* The last of three stages that replace G by P G P with P = I - 11'/feature_count, which subtracts the mean from rows
 * and columns. The direction that P removes gets the mean of the other eigenvalues. Under the whole kernel G is
 * p I + q 11', so the result is p I and well conditioned for any range of weights. The usual way, eliminating one
 * part, would give p (I + 11'), and different rounding for that part. */
static linex_status lift_gram(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    return linex_steps_advance(fit->feature_count, (double)fit->feature_count, lift_row, fit, at, slice);
}

static void subtract_mean(size_t feature_count, double *values)
{
    double mean = 0;
    for (size_t c = 0; c < feature_count; c++) mean += values[c] / (double)feature_count;
    for (size_t c = 0; c < feature_count; c++) values[c] -= mean;
}

/* Finds how the values differ from equal shares. The moments are those of the answers minus the equal shares. */
static linex_status solve_projected(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    size_t feature_count = fit->feature_count;
    linex_moments *moments = &fit->moments;
    (void)at;
    if (!(fit->mean > 0)) return LINEX_DEGENERATE;
    linex_status status = linex_cholesky_advance(feature_count, moments->gram, &fit->kernel, slice);
    if (status) return status;
    for (size_t c = 0; c < feature_count; c++) {
        double root = moments->gram[c * feature_count + c];
        if (root * root < MIN_PIVOT * fit->mean) return LINEX_DEGENERATE;
    }
    memcpy(fit->values, moments->cross, feature_count * sizeof *fit->values);
    subtract_mean(feature_count, fit->values);
    linex_cholesky_solve(feature_count, moments->gram, fit->values);
    subtract_mean(feature_count, fit->values);
    return LINEX_OK;
}

/* The residual of a drawn coalition minus that of its complement. It says how the pair pulls the fit. */
static double pull_of(size_t feature_count, const uint8_t *mask, const double *left, const double *values)
{
    double pull = left[0] - left[1];
    for (size_t c = 0; c < feature_count; c++) pull -= mask[c] ? values[c] : -values[c];
    return pull;
}

/* Adds what pair p says about the errors: one more draw of it, of weight u, would move the values by u A^-1 x_p pull_p.
 * The fit follows the pairs that it has seen, by their leverage. Dividing by 1 - leverage gives the pull of an unseen
 * pair, as in a jackknife. */
static void add_error(const struct shapley_task *fit, size_t i, double unit)
{
    size_t feature_count = fit->feature_count;
    const linex_moments *moments = &fit->moments;
    const uint8_t *mask = mask_at(fit, i);
    double *x = fit->scratch, *moved = fit->scratch + feature_count;
    double weight = fit->weights[i] / moments->total,
           share = (double)linex_mask_size(feature_count, mask) / (double)feature_count;
    for (size_t c = 0; c < feature_count; c++) moved[c] = x[c] = mask[c] - share;
    linex_cholesky_solve(feature_count, moments->gram, moved);
    double leverage = fmin(2 * weight * linex_dot(feature_count, x, moved), MAX_LEVERAGE);
    double pull = pull_of(feature_count, mask, fit->left + i, fit->values) / (1 - leverage);
    for (size_t c = 0; c < feature_count; c++)
        fit->errors[c] += weight * unit * (moved[c] * pull) * (moved[c] * pull);
}

/* The sandwich estimator: the draws are independent, so the squares of what they say add up. */
static linex_status measure_errors(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    const linex_coalitions *plan = &fit->plan;
    double drawn = 0, d = (double)fit->feature_count;
    if (!plan->draws || plan->taken >= plan->count) return LINEX_OK;
    for (size_t i = plan->taken; i < plan->count; i++) drawn += fit->weights[i];
    double unit = drawn / (2 * (double)plan->draws * fit->moments.total);
    for (; at->row + 1 < plan->count - plan->taken; at->row += 2) {
        if (!linex_slice_take(slice, d * d)) return LINEX_UNFINISHED;
        add_error(fit, plan->taken + at->row, unit);
    }
    for (size_t c = 0; c < fit->feature_count; c++) fit->errors[c] = sqrt(fit->errors[c]);
    return LINEX_OK;
}

/* Adds the equal shares. The rounding error of the sum goes to the largest value, so that the values add up. */
static void finish_values(size_t count, size_t feature_count, const double *linked, double *values)
{
    double scale = 0, whole = linked[0] - linked[1], sum = 0;
    size_t largest = 0;
    for (size_t i = 0; i < count; i++) scale = fmax(scale, fabs(linked[i] - linked[1]));
    for (size_t c = 0; c < feature_count; c++) {
        values[c] += whole / (double)feature_count;
        if (fabs(values[c]) <= ROUNDING * scale) values[c] = 0;
        if (fabs(values[c]) > fabs(values[largest])) largest = c;
        sum += values[c];
    }
    values[largest] += whole - sum;
}

/* erf(|value| / error / sqrt 2), by Abramowitz and Stegun 7.1.26, within 2e-7. For a normal distribution around the
 * value, this is the probability of its sign minus that of the opposite sign. */
static double agreement_of(double value, double error)
{
    if (value == 0 || error == 0) return value != 0;
    double x = fabs(value) / error * 0.70710678118654752, t = 1 / (1 + 0.3275911 * x);
    double series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return 1 - series * linex_exp(-x * x);
}

/* The values as they are reported. */
static linex_status complete_values(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    (void)at;
    (void)slice;
    finish_values(fit->plan.count, fit->feature_count, fit->linked, fit->values);
    return LINEX_OK;
}

static linex_status measure_fidelity(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    size_t feature_count = fit->feature_count, count = fit->plan.count;
    const double *linked = fit->linked, *weights = fit->weights;
    double total = 0, mean = 0;
    fit->report->fidelity = 1;
    for (size_t i = 2; i < count; i++) {
        total += weights[i];
        mean += weights[i] * (linked[i] - linked[2]);
    }
    if (!(total > 0)) return LINEX_OK;
    mean = linked[2] + mean / total;
    for (; at->row + 2 < count; at->row++) {
        if (!linex_slice_take(slice, 4 * (double)feature_count)) return LINEX_UNFINISHED;
        size_t i = at->row + 2;
        const uint8_t *mask = mask_at(fit, i);
        double predicted = linked[1];
        for (size_t c = 0; c < feature_count; c++) predicted += mask[c] ? fit->values[c] : 0;
        fit->missed += weights[i] * (linked[i] - predicted) * (linked[i] - predicted);
        fit->varied += weights[i] * (linked[i] - mean) * (linked[i] - mean);
    }
    fit->report->fidelity = fit->varied > 0 ? 1 - fit->missed / fit->varied : (double)(fit->missed == 0);
    return LINEX_OK;
}

/* Fills the rest of the report, and scales the values and the errors back. */
static linex_status report_values(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    size_t feature_count = fit->feature_count;
    double sum = 0, base = fit->linked[1], *values = fit->values, *errors = fit->errors;
    linex_shapley_report *report = fit->report;
    (void)at;
    (void)slice;
    for (size_t c = 0; c < feature_count; c++) {
        sum += values[c];
        fit->agreement[c] = agreement_of(values[c], errors[c]);
        values[c] *= fit->unit;
        errors[c] *= fit->unit;
    }
    report->base = base * fit->unit;
    report->prediction = fit->link == LINEX_LINK_LOGIT ? logistic(base + sum) : (base + sum) * fit->unit;
    bool finite = linex_all_finite(feature_count, values) && linex_all_finite(feature_count, errors) &&
                  linex_all_finite(feature_count, fit->agreement) && isfinite(report->prediction) &&
                  isfinite(report->fidelity);
    return finite ? LINEX_OK : LINEX_OVERFLOW;
}

static const linex_stage STAGES[] = {take_remainders,  take_moments,    average_gram,   center_gram,
                                     lift_gram,        solve_projected, measure_errors, complete_values,
                                     measure_fidelity, report_values};
enum { STAGE_COUNT = sizeof STAGES / sizeof *STAGES, COMPLETE = 7 };

static linex_status advance_shapley(linex_task *task, linex_slice *slice)
{
    struct shapley_task *fit = (struct shapley_task *)task;
    /* A single part takes everything. */
    if (fit->at.stage == 0 && fit->feature_count == 1) fit->at.stage = COMPLETE;
    if (fit->at.stage == 0 && fit->plan.count == 2) return LINEX_DEGENERATE;
    return linex_stages_advance(STAGE_COUNT, STAGES, fit, &fit->at, slice);
}

/* By the work of the stages that take long: for d parts, count d^2 / 2, d^3 / 6 and d^2 for every pair. */
static double shapley_progress(const linex_task *task)
{
    const struct shapley_task *fit = (const struct shapley_task *)task;
    double count = (double)fit->plan.count, d = (double)fit->feature_count, stage = (double)fit->at.stage;
    double moments = count / 2, factor = d / 6, errors = count / 2, done = 0;
    if (fit->at.stage == 1 && fit->kernel.stage == 1) done = fmin((double)fit->kernel.row / 2, moments);
    if (stage >= 2 || fit->kernel.stage == 2) done = moments;
    double rows = (double)fit->kernel.row / d;
    if (fit->at.stage == 5) done += factor * rows * rows * rows;
    if (stage >= 6) done += factor;
    if (fit->at.stage == 6) done += (double)fit->at.row / 2;
    if (stage >= 7) done += errors;
    return fmin(done / (moments + factor + errors), 1);
}

static void release_shapley(linex_task *task)
{
    free(((struct shapley_task *)task)->linked);
    free(task);
}

/* Divides the memory among the arrays of the fit. */
static void place_arrays(struct shapley_task *fit, double *memory)
{
    size_t feature_count = fit->feature_count;
    fit->linked = memory;
    fit->left = fit->linked + fit->plan.count;
    fit->moments.gram = fit->left + fit->plan.count;
    fit->moments.cross = fit->moments.gram + feature_count * feature_count;
    fit->moments.mean = fit->moments.cross + feature_count;
    fit->scratch = fit->moments.mean + feature_count;
    fit->moments.scratch = fit->scratch + 2 * feature_count;
}

/* Scales huge answers down, so that no square overflows. Returns the factor that scales back. It is a power of two,
 * which changes no digit. */
static double scale_down(size_t count, double *linked)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(linked[i]));
    if (largest < HUGE_ANSWER) return 1;
    for (size_t i = 0; i < count; i++) linked[i] /= HUGE_UNIT;
    return HUGE_UNIT;
}

linex_status linex_shapley_start(const linex_coalitions *plan, size_t feature_count, const uint8_t *masks,
                                 const double *answers, const double *weights, linex_link link, double *values,
                                 double *errors, double *agreement, linex_shapley_report *report, linex_task **task)
{
    if (!plan || plan->count < 2 || plan->taken < 2 || !feature_count || !masks || !answers || !weights)
        return LINEX_BAD_ARGUMENT;
    if (!values || !errors || !agreement || !report || !task) return LINEX_BAD_ARGUMENT;
    size_t count = plan->count;
    if (link != LINEX_LINK_IDENTITY && link != LINEX_LINK_LOGIT) return LINEX_BAD_ARGUMENT;
    if (!coalitions_are_good(count, feature_count, masks, answers, weights)) return LINEX_BAD_ARGUMENT;
    double d = (double)feature_count;
    /* Not cleared: everything is written before it is read, and clearing the Gram matrix twice would take long. */
    double doubles = 2.0 * (double)count + d * d + 4 * d + linex_moments_scratch(feature_count);
    double *memory = linex_alloc_items(doubles, sizeof *memory);
    struct shapley_task *fit = calloc(1, sizeof *fit);
    linex_status status = memory && fit ? LINEX_OK : LINEX_NO_MEMORY;
    if (!status && !link_answers(count, answers, link, memory)) status = LINEX_BAD_ARGUMENT;
    if (status) {
        free(memory);
        free(fit);
        return status;
    }
    *fit = (struct shapley_task){.plan = *plan, .feature_count = feature_count, .masks = masks, .weights = weights};
    fit->task = (linex_task){advance_shapley, shapley_progress, release_shapley, LINEX_UNFINISHED, 0};
    fit->link = link;
    fit->values = values;
    fit->errors = errors;
    fit->agreement = agreement;
    fit->report = report;
    place_arrays(fit, memory);
    fit->unit = scale_down(count, memory);
    memset(values, 0, feature_count * sizeof *values);
    memset(errors, 0, feature_count * sizeof *errors);
    *task = &fit->task;
    return LINEX_OK;
}

linex_status linex_shapley_solve(const linex_coalitions *plan, size_t feature_count, const uint8_t *masks,
                                 const double *answers, const double *weights, linex_link link, double *values,
                                 double *errors, double *agreement, linex_shapley_report *report)
{
    linex_task *task = NULL;
    linex_status started = linex_shapley_start(plan, feature_count, masks, answers, weights, link, values, errors,
                                               agreement, report, &task);
    return linex_task_finish(started, task);
}
