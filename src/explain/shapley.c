#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "linex.h"
#include "neighborhood/masks.h"
#include "base/matrix.h"
#include "base/alloc.h"

/* How often the draw is topped up for pairs that came twice: with few left, more rounds would hardly find them. */
enum { MOST_ROUNDS = 4 };

/* Values below this share of what the answers vary by are rounding. */
static const double ROUNDING = 1e-14;
/* A pair that the fit all but obeys says little of how wrong it is. */
static const double MOST_LEVERAGE = 0.9;
/* A pivot below this share of the mean one: the coalitions leave a direction open. */
static const double LEAST_PIVOT = 1e-10;
/* Up to here, all weights together, the moments are an identity (matrix.h). */
static const double LEAST_TOTAL = 1e-200;

/* Sizes s and width - s together: how much of the kernel's mass they have (up to a factor that all sizes share), and
 * how many coalitions. */
static double mass_of(size_t width, size_t size)
{
    double both = 2 * size == width ? 1 : 2;
    return both / ((double)size * (double)(width - size));
}

static double coalitions_of(size_t width, size_t size)
{
    double choices = 2 * size == width ? 1 : 2;
    for (size_t i = 0; i < size; i++) choices = choices * (double)(width - i) / (double)(i + 1);
    return choices;
}

static void write_complement(size_t width, const uint8_t *mask, uint8_t *complement)
{
    for (size_t c = 0; c < width; c++) complement[c] = !mask[c];
}

/* The next mask of as many parts in the order in which those with the first part come first. */
static void step_mask(size_t width, uint8_t *mask)
{
    size_t last = width, tail = 0;
    while (mask[last - 1]) last--, tail++;
    while (last > 0 && !mask[last - 1]) last--;
    if (last == 0) return;
    memset(mask + last - 1, 0, width - last + 1);
    memset(mask + last, 1, tail + 1);
}

/* All pairs of a size, two coalitions each. Of two halves the one with the first part leads: in the order above,
 * those come first. */
static void write_size(size_t width, size_t size, size_t pairs, uint8_t *masks)
{
    memset(masks, 0, width);
    memset(masks, 1, size);
    for (size_t i = 0; i < pairs; i++) {
        uint8_t *mask = masks + 2 * i * width;
        write_complement(width, mask, mask + width);
        if (i + 1 == pairs) return;
        memcpy(mask + 2 * width, mask, width);
        step_mask(width, mask + 2 * width);
    }
}

/* The smaller of a pair of coalitions, its size drawn by the kernel's mass from `smallest` up. */
static void draw_pair(size_t width, size_t smallest, double mass, linex_random *random, uint8_t *mask)
{
    size_t size = smallest;
    double left = mass * linex_random_uniform(random);
    while (size < width / 2 && (left -= mass_of(width, size)) >= 0) size++;
    linex_subset_draw(width, width - size, random, mask);
    if (2 * size == width && !mask[0]) write_complement(width, mask, mask);
}

/* Draws distinct pairs, one mask each, and how often each came.
 *
 * owner  room for `pairs` */
static linex_status draw_distinct(size_t width, size_t smallest, double mass, uint64_t seed, size_t pairs,
                                  uint8_t *masks, uint32_t *owner, double *counts, size_t *distinct, size_t *draws)
{
    const linex_random root = linex_random_seed(seed);
    size_t found = 0, drawn = 0;
    memset(counts, 0, pairs * sizeof *counts);
    for (int round = 0; round < MOST_ROUNDS && found < pairs; round++) {
        size_t before = found;
        for (size_t i = before; i < pairs; i++) {
            linex_random random = linex_random_split(&root, drawn++);
            draw_pair(width, smallest, mass, &random, masks + i * width);
        }
        linex_status status = linex_rows_merge(pairs, width, masks, owner, &found);
        if (status) return status;
        for (size_t i = before; i < pairs; i++) counts[owner[i]] += 1;
    }
    *distinct = found;
    *draws = drawn;
    return LINEX_OK;
}

/* Pairs from masks, in place: from the last on, so that none is written over before it is read. Each gets its share
 * of the mass by how often it was drawn. */
static void spread_pairs(size_t width, size_t pairs, double mass, uint8_t *masks, double *weights)
{
    double drawn = 0;
    for (size_t i = 0; i < pairs; i++) drawn += weights[i];
    for (size_t i = pairs; i-- > 0;) {
        uint8_t *mask = masks + 2 * i * width;
        memmove(mask, masks + i * width, width);
        write_complement(width, mask, mask + width);
        weights[2 * i] = weights[2 * i + 1] = weights[i] / drawn * mass / 2;
    }
}

static linex_status add_drawn(size_t width, size_t smallest, double mass, uint64_t seed, size_t pairs, uint8_t *masks,
                              double *weights, linex_coalitions *plan)
{
    uint32_t *owner = linex_alloc_items((double)pairs, sizeof *owner);
    if (!owner) return LINEX_NO_MEMORY;
    size_t distinct = 0;
    linex_status status =
        draw_distinct(width, smallest, mass, seed, pairs, masks, owner, weights, &distinct, &plan->draws);
    free(owner);
    if (status) return status;
    spread_pairs(width, distinct, mass, masks, weights);
    plan->count += 2 * distinct;
    return LINEX_OK;
}

static void normalize(size_t count, double *weights)
{
    double total = 0;
    for (size_t i = 0; i < count; i++) total += weights[i];
    for (size_t i = 0; i < count && total > 0; i++) weights[i] /= total;
}

linex_status linex_coalitions_plan(size_t width, size_t samples, uint64_t seed, uint8_t *masks, double *weights,
                                   linex_coalitions *coalitions)
{
    if (!width || width >= UINT32_MAX || samples < 2 || samples > UINT32_MAX / 4 || !masks || !weights || !coalitions)
        return LINEX_BAD_ARGUMENT;
    bool all = width < 31 && ((size_t)1 << width) <= samples;
    size_t next = 2, size = 1;
    double mass = 0;
    memset(masks, 1, width);
    memset(masks + width, 0, width);
    weights[0] = weights[1] = 0;
    for (size_t s = 1; s <= width / 2; s++) mass += mass_of(width, s);
    for (; size <= width / 2; size++) {
        double of_size = coalitions_of(width, size), share = mass_of(width, size), left = (double)(samples - next);
        if (of_size > left || !(all || size == 1 || left * share / mass >= of_size)) break;
        size_t added = (size_t)of_size;
        write_size(width, size, added / 2, masks + next * width);
        for (size_t i = 0; i < added; i++) weights[next + i] = share / of_size;
        next += added;
        mass -= share;
    }
    *coalitions = (linex_coalitions){.count = next, .taken = next};
    linex_status status = LINEX_OK;
    size_t pairs = (samples - next) / 2;
    if (size <= width / 2 && pairs)
        status = add_drawn(width, size, mass, seed, pairs, masks + next * width, weights + next, coalitions);
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

static size_t size_of(size_t width, const uint8_t *mask)
{
    size_t size = 0;
    for (size_t c = 0; c < width; c++) size += mask[c];
    return size;
}

static bool coalitions_are_good(size_t count, size_t width, const uint8_t *masks, const double *answers,
                                const double *weights)
{
    linex_points points = {count, width, NULL, masks};
    if (!linex_points_are_good(&points) || !linex_all_finite(count, answers)) return false;
    for (size_t i = 2; i < count; i++)
        if (!(weights[i] >= 0) || !isfinite(weights[i])) return false;
    return size_of(width, masks) == width && size_of(width, masks + width) == 0;
}

/* P G P with P = I - 11'/width, which takes the mean away from rows and columns; the direction that it silences gets
 * the mean of the other eigenvalues. Under the whole kernel G is p I + q 11', so that this is p I: whatever the
 * weights range over, the system is as good as solved. Eliminating one part, as is usual, would give p (I + 11'), and
 * that part other rounding than the rest. Returns that mean. */
static double project_gram(size_t width, double *gram, double *means)
{
    double grand = 0, trace = 0;
    for (size_t c = 0; c < width; c++) {
        means[c] = 0;
        for (size_t d = 0; d < width; d++) means[c] += gram[c * width + d];
        means[c] /= (double)width;
        grand += means[c] / (double)width;
    }
    for (size_t c = 0; c < width; c++) {
        for (size_t d = 0; d < width; d++) gram[c * width + d] -= means[c] + means[d] - grand;
        trace += gram[c * width + c];
    }
    double mean = trace / (double)(width - 1);
    for (size_t i = 0; i < width * width; i++) gram[i] += mean / (double)width;
    return mean;
}

static void take_mean(size_t width, double *values)
{
    double mean = 0;
    for (size_t c = 0; c < width; c++) mean += values[c] / (double)width;
    for (size_t c = 0; c < width; c++) values[c] -= mean;
}

/* How the values differ from an even share, from the moments of what an even share leaves over. */
static linex_status solve_projected(size_t width, linex_moments *moments, double *values)
{
    double mean = project_gram(width, moments->gram, moments->mean);
    take_mean(width, moments->cross);
    if (!(mean > 0)) return LINEX_DEGENERATE;
    linex_status status = linex_cholesky(width, moments->gram);
    if (status) return status;
    for (size_t c = 0; c < width; c++) {
        double root = moments->gram[c * width + c];
        if (root * root < LEAST_PIVOT * mean) return LINEX_DEGENERATE;
    }
    memcpy(values, moments->cross, width * sizeof *values);
    linex_cholesky_solve(width, moments->gram, values);
    take_mean(width, values);
    return LINEX_OK;
}

/* What a drawn coalition misses by, less what its complement does: by this the pair pulls at the fit. */
static double pull_of(size_t width, const uint8_t *mask, const double *left, const double *values)
{
    double pull = left[0] - left[1];
    for (size_t c = 0; c < width; c++) pull -= mask[c] ? values[c] : -values[c];
    return pull;
}

/* The sandwich: one more draw of pair p, of weight u, moves the values by u A^-1 x_p pull_p, and the draws are
 * independent. The fit bends towards the pairs that it has seen, by their leverage; divided by what that leaves, the
 * pull is that of a pair not seen, as a jackknife has it.
 *
 * moments  with the factor of A in place of the Gram matrix
 * scratch  2 width */
static void measure_errors(const linex_coalitions *plan, size_t width, const uint8_t *masks, const double *left,
                           const double *weights, const linex_moments *moments, const double *values, double *scratch,
                           double *errors)
{
    double drawn = 0, *x = scratch, *moved = scratch + width;
    for (size_t i = plan->taken; i < plan->count; i++) drawn += weights[i];
    double unit = drawn / (2 * (double)plan->draws * moments->total);
    for (size_t i = plan->taken; i < plan->count - 1; i += 2) {
        const uint8_t *mask = masks + i * width;
        double weight = weights[i] / moments->total, share = (double)size_of(width, mask) / (double)width;
        for (size_t c = 0; c < width; c++) moved[c] = x[c] = mask[c] - share;
        linex_cholesky_solve(width, moments->gram, moved);
        double leverage = fmin(2 * weight * linex_dot(width, x, moved), MOST_LEVERAGE);
        double pull = pull_of(width, mask, left + i, values) / (1 - leverage);
        for (size_t c = 0; c < width; c++) errors[c] += weight * unit * (moved[c] * pull) * (moved[c] * pull);
    }
    for (size_t c = 0; c < width; c++) errors[c] = sqrt(errors[c]);
}

/* scratch: count + width^2 + 4 width doubles, and those of the moments */
static linex_status fit_values(const linex_coalitions *plan, size_t width, const uint8_t *masks, const double *linked,
                               const double *weights, double *scratch, double *values, double *errors)
{
    size_t count = plan->count;
    memset(values, 0, width * sizeof *values);
    memset(errors, 0, width * sizeof *errors);
    if (width == 1) return LINEX_OK;
    if (count == 2) return LINEX_DEGENERATE;
    double *left = scratch, even = (linked[0] - linked[1]) / (double)width;
    for (size_t i = 2; i < count; i++)
        left[i] = linked[i] - linked[1] - even * (double)size_of(width, masks + i * width);
    linex_moments moments = {.gram = left + count};
    moments.cross = moments.gram + width * width;
    moments.mean = moments.cross + width;
    moments.scratch = moments.mean + 3 * width;
    linex_points between = {count - 2, width, NULL, masks + 2 * width};
    linex_moments_take(&between, left + 2, weights + 2, false, 0, &moments);
    /* So they are beyond what a double holds. Solved, an identity would give an even share that nobody asked for. */
    if (!(moments.total > LEAST_TOTAL) || isinf(moments.total)) return LINEX_DEGENERATE;
    linex_status status = solve_projected(width, &moments, values);
    if (!status && plan->draws)
        measure_errors(plan, width, masks, left, weights, &moments, values, moments.mean + width, errors);
    return status;
}

/* The even share, and the last bits: they go to the largest value, so that the values add up. */
static void settle_values(size_t count, size_t width, const double *linked, double *values)
{
    double scale = 0, whole = linked[0] - linked[1], sum = 0;
    size_t largest = 0;
    for (size_t i = 0; i < count; i++) scale = fmax(scale, fabs(linked[i] - linked[1]));
    for (size_t c = 0; c < width; c++) {
        values[c] += whole / (double)width;
        if (fabs(values[c]) <= ROUNDING * scale) values[c] = 0;
        if (fabs(values[c]) > fabs(values[largest])) largest = c;
        sum += values[c];
    }
    values[largest] += whole - sum;
}

/* erf(|value| / error / sqrt 2), by Abramowitz and Stegun 7.1.26, within 2e-7: of what is normal around the value,
 * the share of its sign less that of the other. */
static double agreement_of(double value, double error)
{
    if (value == 0 || error == 0) return value != 0;
    double x = fabs(value) / error * 0.70710678118654752, t = 1 / (1 + 0.3275911 * x);
    double series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return 1 - series * linex_exp(-x * x);
}

static double fidelity_of(size_t count, size_t width, const uint8_t *masks, const double *linked,
                          const double *weights, const double *values)
{
    double total = 0, mean = 0, missed = 0, varied = 0;
    for (size_t i = 2; i < count; i++) {
        total += weights[i];
        mean += weights[i] * (linked[i] - linked[2]);
    }
    if (!(total > 0)) return 1;
    mean = linked[2] + mean / total;
    for (size_t i = 2; i < count; i++) {
        double said = linked[1];
        for (size_t c = 0; c < width; c++) said += masks[i * width + c] ? values[c] : 0;
        missed += weights[i] * (linked[i] - said) * (linked[i] - said);
        varied += weights[i] * (linked[i] - mean) * (linked[i] - mean);
    }
    return varied > 0 ? 1 - missed / varied : (double)(missed == 0);
}

linex_status linex_shapley_solve(const linex_coalitions *plan, size_t width, const uint8_t *masks,
                                 const double *answers, const double *weights, linex_link link, double *values,
                                 double *errors, double *agreement, linex_shapley_report *report)
{
    if (!plan || plan->count < 2 || plan->taken < 2 || !width || !masks || !answers || !weights)
        return LINEX_BAD_ARGUMENT;
    if (!values || !errors || !agreement || !report) return LINEX_BAD_ARGUMENT;
    size_t count = plan->count;
    if (link != LINEX_LINK_IDENTITY && link != LINEX_LINK_LOGIT) return LINEX_BAD_ARGUMENT;
    if (!coalitions_are_good(count, width, masks, answers, weights)) return LINEX_BAD_ARGUMENT;
    double d = (double)width;
    double *linked = linex_alloc_doubles(2.0 * (double)count + d * d + 4 * d + linex_moments_scratch(width));
    if (!linked) return LINEX_NO_MEMORY;
    linex_status status = LINEX_BAD_ARGUMENT;
    if (link_answers(count, answers, link, linked))
        status = fit_values(plan, width, masks, linked, weights, linked + count, values, errors);
    if (!status) {
        settle_values(count, width, linked, values);
        /* Finite answers may still lie farther apart than a double holds. */
        if (!linex_all_finite(width, values)) status = LINEX_BAD_ARGUMENT;
    }
    if (!status) {
        double sum = 0;
        for (size_t c = 0; c < width; c++) {
            sum += values[c];
            agreement[c] = agreement_of(values[c], errors[c]);
        }
        report->base = linked[1];
        report->prediction = link == LINEX_LINK_LOGIT ? logistic(linked[1] + sum) : linked[1] + sum;
        report->fidelity = fidelity_of(count, width, masks, linked, weights, values);
    }
    free(linked);
    return status;
}
