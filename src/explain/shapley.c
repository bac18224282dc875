/* shapley.c: KernelSHAP: fits Shapley values to the answers for coalitions. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "linex.h"
#include "neighborhood/masks.h"
#include "base/alloc.h"
#include "base/task.h"
#include "matrices/factors.h"
#include "matrices/matrix.h"
#include "matrices/moments.h"
#include "explain/coalition_law.h"
#include "explain/student.h"

/* Values below this share of the range of the answers are rounding. */
static const double ROUNDING = 1e-14;
/* The residual of a pair with a higher leverage says little about the error of the fit. */
static const double MAX_LEVERAGE = 0.9;
/* The largest power of 1 - leverage by which a squared residual is divided. */
static const double MAX_POWER = 4;
/* 95 % of a normal distribution is within this many standard deviations of its mean. */
static const double NORMAL_QUANTILE = 1.959963984540054;
/* A pivot below this share of the mean pivot: the coalitions do not determine a direction. */
static const double MIN_PIVOT = 1e-10;
/* Answers from this size on are divided by the unit, because their squares may overflow. */
static const double HUGE_ANSWER = 1e100;
static const double HUGE_UNIT = 0x1p600;

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

/* Whether a pair consists of a coalition, neither empty nor full, and its complement. */
static bool is_pair(size_t feature_count, const uint8_t *mask)
{
    size_t size = linex_mask_size(feature_count, mask);
    for (size_t c = 0; c < feature_count; c++)
        if (mask[c] == mask[feature_count + c]) return false;
    return size > 0 && size < feature_count;
}

static bool coalitions_are_good(size_t feature_count, size_t count, const uint8_t *masks, const double *answers)
{
    linex_points points = {count, feature_count, NULL, masks};
    if (count < 2 || count % 2 || !linex_points_are_good(&points) || !linex_all_finite(count, answers)) return false;
    for (size_t i = 2; i < count; i += 2)
        if (!is_pair(feature_count, masks + i * feature_count)) return false;
    return linex_mask_size(feature_count, masks) == feature_count &&
           linex_mask_size(feature_count, masks + feature_count) == 0;
}

/* The fit of Shapley values, in stages. */
struct shapley_task {
    linex_task task;
    linex_cursor at, kernel; /* kernel: inside of a matrix kernel */
    size_t feature_count, count;
    const uint8_t *masks;
    linex_link link;
    double *values, *errors, *agreement;
    linex_shapley_report *report;
    double unit;           /* of everything below, and of the values and errors until they are reported */
    double *linked;        /* count: the answers, transformed by the link */
    double *left;          /* count: what remains of each answer without the equal shares */
    double *weights;       /* count */
    double *scratch;       /* 2 feature_count */
    linex_moments moments; /* in the end with the Cholesky factor in place of the Gram matrix */
    double mean;           /* of the eigenvalues; before that, of the Gram matrix */
    double missed, varied; /* weighted squares */
    /* One number per size of a pair, 0 to feature_count / 2: */
    size_t *drawn;       /* how many pairs */
    double *pair_weight; /* of one pair */
    double *missing;     /* the share of the pairs that was not drawn */
};

static const uint8_t *mask_at(const struct shapley_task *fit, size_t i)
{
    return fit->masks + i * fit->feature_count;
}

/* The size of the pair that a coalition belongs to. */
static size_t pair_size(const struct shapley_task *fit, size_t i)
{
    size_t size = linex_mask_size(fit->feature_count, mask_at(fit, i));
    return 2 * size > fit->feature_count ? fit->feature_count - size : size;
}

static void take_remainder(void *state, size_t i)
{
    const struct shapley_task *fit = state;
    double even = (fit->linked[0] - fit->linked[1]) / (double)fit->feature_count;
    size_t size = linex_mask_size(fit->feature_count, mask_at(fit, i));
    fit->left[i] = fit->linked[i] - fit->linked[1] - even * (double)size;
    if (i >= 2 && i % 2 == 0) fit->drawn[pair_size(fit, i)]++;
}

static linex_status take_remainders(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    linex_status status = linex_steps_advance(fit->count, (double)fit->feature_count, take_remainder, fit, at, slice);
    if (!status) linex_pairs_weigh(fit->feature_count, fit->drawn, fit->pair_weight, fit->missing);
    return status;
}

static void weigh(void *state, size_t i)
{
    const struct shapley_task *fit = state;
    fit->weights[i] = i < 2 ? 0 : fit->pair_weight[pair_size(fit, i)] / 2;
}

static linex_status weigh_all(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    return linex_steps_advance(fit->count, (double)fit->feature_count, weigh, fit, at, slice);
}

static linex_status take_moments(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    (void)at;
    linex_points between = {fit->count - 2, fit->feature_count, NULL, mask_at(fit, 2)};
    return linex_moments_advance(&between, fit->left + 2, fit->weights + 2, false, 0, &fit->moments, &fit->kernel,
                                 slice);
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

/* Adds what pair i says about the errors: how far it moves the values. The fit follows the pairs that it has seen, so
 * their residuals are too small, above all those with more leverage than others. Without correction the intervals of
 * few pairs are too short; a jackknife, which divides by (1 - leverage)^2 throughout, makes them too long. */
static void add_error(const struct shapley_task *fit, size_t i, double missing)
{
    size_t feature_count = fit->feature_count;
    const uint8_t *mask = mask_at(fit, i);
    double *x = fit->scratch, *moved = fit->scratch + feature_count;
    double weight = fit->weights[i] / fit->moments.total, pairs = (double)fit->count / 2 - 1,
           share = (double)linex_mask_size(feature_count, mask) / (double)feature_count;
    for (size_t c = 0; c < feature_count; c++) moved[c] = x[c] = mask[c] - share;
    linex_cholesky_solve(feature_count, fit->moments.gram, moved);
    double leverage = fmin(2 * weight * linex_dot(feature_count, x, moved), MAX_LEVERAGE),
           power = fmin(leverage * pairs / (double)(feature_count - 1), MAX_POWER),
           pull = weight * pull_of(feature_count, mask, fit->left + i, fit->values);
    double factor = missing * linex_exp(-power * linex_log(1 - leverage));
    for (size_t c = 0; c < feature_count; c++) fit->errors[c] += factor * (moved[c] * pull) * (moved[c] * pull);
}

static linex_status measure_errors(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    double d = (double)fit->feature_count;
    for (; at->row + 2 < fit->count; at->row += 2) {
        double missing = fit->missing[pair_size(fit, at->row + 2)];
        if (!linex_slice_take(slice, missing > 0 ? d * d : d)) return LINEX_UNFINISHED;
        if (missing > 0) add_error(fit, at->row + 2, missing);
    }
    for (size_t c = 0; c < fit->feature_count; c++) fit->errors[c] = sqrt(fit->errors[c]);
    return LINEX_OK;
}

/* The pairs that were drawn, but no more than the fit leaves free. */
static size_t freedom_of(const struct shapley_task *fit)
{
    size_t drawn = 0, pairs = fit->count / 2 - 1, free = 1;
    for (size_t size = 1; size <= fit->feature_count / 2; size++)
        drawn += fit->missing[size] > 0 ? fit->drawn[size] : 0;
    if (pairs > fit->feature_count) free = pairs + 1 - fit->feature_count;
    return drawn && drawn < free ? drawn : free;
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
    finish_values(fit->count, fit->feature_count, fit->linked, fit->values);
    return LINEX_OK;
}

static linex_status measure_fidelity(void *state, linex_cursor *at, linex_slice *slice)
{
    struct shapley_task *fit = state;
    size_t feature_count = fit->feature_count, count = fit->count;
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

static double effective_count(size_t count, const double *weights)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += weights[i];
        squares += weights[i] * weights[i];
    }
    return squares > 0 ? sum * sum / squares : (double)count;
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
    report->quantile = linex_student_quantile(freedom_of(fit));
    report->effective = effective_count(fit->count, fit->weights);
    for (size_t c = 0; c < feature_count; c++) {
        sum += values[c];
        fit->agreement[c] = agreement_of(values[c], errors[c] * (report->quantile / NORMAL_QUANTILE));
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

static const linex_stage STAGES[] = {take_remainders, weigh_all,        take_moments,    average_gram,
                                     center_gram,     lift_gram,        solve_projected, measure_errors,
                                     complete_values, measure_fidelity, report_values};
enum { STAGE_COUNT = sizeof STAGES / sizeof *STAGES, MOMENTS = 2, SOLVE = 6, ERRORS = 7, COMPLETE = 8 };

static linex_status advance_shapley(linex_task *task, linex_slice *slice)
{
    struct shapley_task *fit = (struct shapley_task *)task;
    /* A single part takes everything. */
    if (fit->at.stage == 0 && fit->feature_count == 1) fit->at.stage = COMPLETE;
    if (fit->at.stage == 0 && fit->count == 2) return LINEX_DEGENERATE;
    return linex_stages_advance(STAGE_COUNT, STAGES, fit, &fit->at, slice);
}

/* By the work of the stages that take long: for d parts, count d^2 / 2, d^3 / 6 and d^2 for every pair. */
static double shapley_progress(const linex_task *task)
{
    const struct shapley_task *fit = (const struct shapley_task *)task;
    double count = (double)fit->count, d = (double)fit->feature_count;
    double moments = count / 2, factor = d / 6, errors = count / 2, done = 0;
    size_t stage = fit->at.stage;
    if (stage == MOMENTS && fit->kernel.stage == 1) done = fmin((double)fit->kernel.row / 2, moments);
    if (stage > MOMENTS || fit->kernel.stage == 2) done = moments;
    double rows = (double)fit->kernel.row / d;
    if (stage == SOLVE) done += factor * rows * rows * rows;
    if (stage > SOLVE) done += factor;
    if (stage == ERRORS) done += (double)fit->at.row / 2;
    if (stage > ERRORS) done += errors;
    return fmin(done / (moments + factor + errors), 1);
}

static void release_shapley(linex_task *task)
{
    struct shapley_task *fit = (struct shapley_task *)task;
    free(fit->linked);
    free(fit->drawn);
    free(fit);
}

/* Returns how many doubles a fit needs. The result is a double because it cannot wrap around. */
static double doubles_of(size_t feature_count, size_t count)
{
    double d = (double)feature_count, sizes = (double)(feature_count / 2 + 1);
    return 3.0 * (double)count + d * d + 4 * d + 2 * sizes + linex_moments_scratch(feature_count);
}

/* Divides the memory among the arrays of the fit. */
static void place_arrays(struct shapley_task *fit, double *memory)
{
    size_t feature_count = fit->feature_count, sizes = feature_count / 2 + 1;
    fit->linked = memory;
    fit->left = fit->linked + fit->count;
    fit->weights = fit->left + fit->count;
    fit->pair_weight = fit->weights + fit->count;
    fit->missing = fit->pair_weight + sizes;
    fit->moments.gram = fit->missing + sizes;
    fit->moments.cross = fit->moments.gram + feature_count * feature_count;
    fit->moments.mean = fit->moments.cross + feature_count;
    fit->scratch = fit->moments.mean + feature_count;
    fit->moments.scratch = fit->scratch + 2 * feature_count;
    memset(fit->weights, 0, fit->count * sizeof *fit->weights);
    memset(fit->missing, 0, sizes * sizeof *fit->missing);
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

linex_status linex_shapley_start(size_t feature_count, size_t count, const uint8_t *masks, const double *answers,
                                 linex_link link, double *values, double *errors, double *agreement,
                                 linex_shapley_report *report, linex_task **task)
{
    if (!feature_count || !masks || !answers || !values || !errors || !agreement || !report || !task)
        return LINEX_BAD_ARGUMENT;
    if (link != LINEX_LINK_IDENTITY && link != LINEX_LINK_LOGIT) return LINEX_BAD_ARGUMENT;
    if (!coalitions_are_good(feature_count, count, masks, answers)) return LINEX_BAD_ARGUMENT;
    /* Not cleared: everything is written before it is read, and clearing the Gram matrix twice would take long. */
    double *memory = linex_alloc_items(doubles_of(feature_count, count), sizeof *memory);
    size_t *drawn = calloc(feature_count / 2 + 1, sizeof *drawn);
    struct shapley_task *fit = calloc(1, sizeof *fit);
    linex_status status = memory && drawn && fit ? LINEX_OK : LINEX_NO_MEMORY;
    if (!status && !link_answers(count, answers, link, memory)) status = LINEX_BAD_ARGUMENT;
    if (status) {
        free(memory);
        free(drawn);
        free(fit);
        return status;
    }
    *fit = (struct shapley_task){.feature_count = feature_count, .count = count, .masks = masks, .link = link};
    fit->task = (linex_task){advance_shapley, shapley_progress, release_shapley, LINEX_UNFINISHED, 0};
    fit->values = values;
    fit->errors = errors;
    fit->agreement = agreement;
    fit->report = report;
    fit->drawn = drawn;
    place_arrays(fit, memory);
    fit->unit = scale_down(count, memory);
    memset(values, 0, feature_count * sizeof *values);
    memset(errors, 0, feature_count * sizeof *errors);
    *task = &fit->task;
    return LINEX_OK;
}

linex_status linex_shapley_solve(size_t feature_count, size_t count, const uint8_t *masks, const double *answers,
                                 linex_link link, double *values, double *errors, double *agreement,
                                 linex_shapley_report *report)
{
    linex_task *task = NULL;
    linex_status started =
        linex_shapley_start(feature_count, count, masks, answers, link, values, errors, agreement, report, &task);
    return linex_task_finish(started, task);
}
