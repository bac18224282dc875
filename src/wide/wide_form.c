/* wide_form.c: the columns of a wide game, and what its players ask for. */
#include "wide/wide_form.h"

#include <float.h>
#include <string.h>

#include "base/points.h"
#include "matrices/matrix.h"
#include "matrices/products.h"

/* Columns that are read together, because the points are stored sample by sample. */
enum { TOGETHER = 8 };

static double value_of(const linex_points *points, size_t sample, size_t feature)
{
    size_t at = sample * points->feature_count + feature;
    return points->values ? points->values[at] : (double)points->masks[at];
}

/* The mean is computed as a difference from a value that occurs. If a column does not vary, its mean is exact and the
 * energy exactly zero. */
static double mean_of(size_t count, const double *weights, const double *column, double total)
{
    size_t first = 0;
    while (first < count && weights[first] == 0) first++;
    if (first == count || !(total > 0)) return 0;
    double sum = 0;
    for (size_t j = first; j < count; j++) sum += weights[j] * (column[j] - column[first]);
    return column[first] + sum / total;
}

static double energy_of(size_t count, const double *weights, const double *column, double mean)
{
    double sum = 0;
    for (size_t j = 0; j < count; j++) sum += weights[j] * ((column[j] - mean) * (column[j] - mean));
    if (isfinite(sum)) return sum;
    /* The square of a value that the player does not see may overflow. */
    sum = 0;
    for (size_t j = 0; j < count; j++)
        if (weights[j] > 0) sum += weights[j] * ((column[j] - mean) * (column[j] - mean));
    return sum;
}

/* Whether a column varies for a player, in its own digits. */
static bool varies(const linex_points *points, const linex_wide_form *form, size_t feature, const double *weights)
{
    size_t first = 0;
    while (first < form->samples && weights[first] == 0) first++;
    for (size_t j = first + 1; j < form->samples; j++)
        if (weights[j] > 0 &&
            value_of(points, form->seen[j], feature) != value_of(points, form->seen[first], feature))
            return true;
    return false;
}

/* Keeps a column if it has energy for anybody. Returns false if its energy overflows. */
static bool take_column(const linex_points *points, linex_wide_form *form, size_t feature, const double *all_weights,
                        double all_total)
{
    size_t samples = form->samples, at = form->features;
    double *column = form->columns + at * samples;
    if (form->centered) {
        double mean = mean_of(samples, all_weights, column, all_total);
        for (size_t j = 0; j < samples; j++) column[j] -= mean;
    }
    double largest = 0;
    size_t stride = form->features; /* players' values are put side by side at first: see spread_players */
    for (size_t i = 0; i < form->players; i++) {
        const double *weights = form->weights + i * samples;
        double mean = form->centered ? mean_of(samples, weights, column, form->totals[i]) : 0;
        double energy = form->totals[i] > 0 ? energy_of(samples, weights, column, mean) : 0;
        if (!isfinite(energy)) return false;
        /* An outlier that another player has can take all digits of the others. This is not the same as a column that
         * does not vary: wide_game.c then knows that it cannot certify anything. */
        if (energy == 0 && form->centered && varies(points, form, feature, weights)) energy = DBL_MIN;
        form->means[stride * form->players + i] = mean;
        form->energies[stride * form->players + i] = energy;
        largest = fmax(largest, energy);
    }
    if (!(largest > 0)) return true;
    form->kept[at] = (uint32_t)feature;
    form->features++;
    return true;
}

/* features x players becomes players x features. */
static void transpose(size_t features, size_t players, double *values, double *scratch)
{
    memcpy(scratch, values, features * players * sizeof *values);
    for (size_t c = 0; c < features; c++)
        for (size_t i = 0; i < players; i++) values[i * features + c] = scratch[c * players + i];
}

linex_status linex_wide_prepare(const linex_points *points, linex_wide_form *form, double *scratch, linex_cursor *at,
                                linex_slice *slice)
{
    size_t samples = form->samples, players = form->players, feature_count = points->feature_count;
    double all_total = 0;
    for (size_t i = 0; i < players; i++) all_total += form->totals[i];
    if (linex_slice_ended(slice)) return LINEX_UNFINISHED; /* the answers must not be centered twice */
    if (at->row == 0) {
        form->features = 0;
        memset(scratch, 0, samples * sizeof *scratch);
        for (size_t i = 0; i < players; i++) linex_add_scaled(samples, 1, form->weights + i * samples, scratch);
        if (form->centered) {
            double mean = mean_of(samples, scratch, form->answers, all_total);
            for (size_t j = 0; j < samples; j++) form->answers[j] -= mean;
        }
    }
    for (; at->row < feature_count; at->row += TOGETHER) {
        if (at->row > 0 && linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t count = feature_count - at->row < TOGETHER ? feature_count - at->row : TOGETHER;
        size_t first = form->features;
        /* The kept columns are at most as many as those read, so none is overwritten before it is taken. */
        for (size_t j = 0; j < samples; j++)
            for (size_t c = 0; c < count; c++)
                form->columns[(first + c) * samples + j] = value_of(points, form->seen[j], at->row + c);
        for (size_t c = 0; c < count; c++) {
            double *to = form->columns + form->features * samples;
            if (form->features != first + c) memcpy(to, form->columns + (first + c) * samples, samples * sizeof *to);
            if (!take_column(points, form, at->row + c, scratch, all_total)) return LINEX_OVERFLOW;
        }
        linex_slice_use(slice, 4.0 * (double)count * (double)samples * (double)(players + 1));
    }
    transpose(form->features, players, form->means, form->forces);
    transpose(form->features, players, form->energies, form->forces);
    *at = (linex_cursor){0};
    return LINEX_OK;
}

void linex_wide_push(const linex_wide_form *form, const double *left, double *pushes)
{
    size_t samples = form->samples;
    for (size_t i = 0; i < form->players; i++) {
        const double *weights = form->weights + i * samples;
        double *push = pushes + i * samples;
        double mean = form->centered && form->totals[i] > 0 ? linex_dot(samples, weights, left) / form->totals[i] : 0;
        for (size_t j = 0; j < samples; j++) push[j] = weights[j] * (left[j] - mean);
    }
}

double linex_wide_evaluation_work(const linex_wide_form *form)
{
    return (double)(form->players + 1) * (double)form->samples * (double)form->features;
}

/* Subtracts features at .. at + 15 times their weights from the answers. */
static void subtract_columns(linex_wide_form *form, const double *weights, size_t from)
{
    size_t samples = form->samples, end = from + 16 < form->features ? from + 16 : form->features;
    for (size_t c = from; c < end; c += 4) {
        double factors[4] = {0};
        const double *columns[4];
        for (size_t q = 0; q < 4; q++) {
            size_t feature = c + q < end ? c + q : end - 1;
            columns[q] = form->columns + feature * samples;
            if (c + q < end) factors[q] = -weights[feature];
        }
        if (factors[0] != 0 || factors[1] != 0 || factors[2] != 0 || factors[3] != 0)
            linex_add_four(samples, factors, columns, form->left);
    }
}

linex_status linex_wide_evaluate(linex_wide_form *form, const double *weights, linex_cursor *at, linex_slice *slice)
{
    size_t samples = form->samples, features = form->features, players = form->players;
    if (at->stage == 0) {
        if (at->row == 0) memcpy(form->left, form->answers, samples * sizeof *form->left);
        for (; at->row < features; at->row += 16) {
            if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
            subtract_columns(form, weights, at->row);
            linex_slice_use(slice, 16.0 * (double)samples);
        }
        linex_wide_push(form, form->left, form->pushes);
        memset(form->forces, 0, players * features * sizeof *form->forces);
        *at = (linex_cursor){.stage = 1};
    }
    for (; at->row < features; at->row += 16) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        size_t count = features - at->row < 16 ? features - at->row : 16;
        linex_products_add(samples, players, form->pushes, samples, count, form->columns + at->row * samples, samples,
                           form->forces + at->row, features);
        linex_slice_use(slice, 16.0 * (double)samples * (double)players);
    }
    /* What a feature that does not vary gets from rounding has a sign, and a sign matters. */
    for (size_t i = 0; i < players * features; i++)
        if (form->energies[i] == 0) form->forces[i] = 0;
    *at = (linex_cursor){0};
    return LINEX_OK;
}

/* Two numbers that differ by less than this share of gamma are equal up to rounding. */
static const double SAME = 1e-12;

double linex_wide_median(const linex_wide_form *form, uint32_t *piece)
{
    size_t players = form->players;
    const double *asks = form->asks;
    uint32_t *order = form->order, found;
    for (size_t i = 0; i < players; i++) {
        size_t at = i;
        for (; at > 0 && asks[order[at - 1]] > asks[i]; at--) order[at] = order[at - 1];
        order[at] = (uint32_t)i;
    }
    size_t target = 0, step = 0;
    double median;
    for (;;) {
        double grid = linex_wide_grid(form, step);
        bool take_target = target < players && asks[order[target]] <= grid;
        median = take_target ? asks[order[target]] : grid;
        found = take_target ? order[target] : (uint32_t)(players + step);
        if (target + step == players) break;
        if (take_target)
            target++;
        else
            step++;
    }
    if (*piece <= 2 * players) {
        double before = *piece < players ? asks[*piece] : linex_wide_grid(form, *piece - players);
        if (fabs(before - median) <= SAME * form->gamma) return before;
    }
    *piece = found;
    return median;
}

size_t linex_wide_ask(const linex_wide_form *form, uint32_t *pieces, double *medians)
{
    size_t changes = 0, features = form->features;
    for (size_t c = 0; c < features; c++) {
        for (size_t i = 0; i < form->players; i++) form->asks[i] = form->forces[i * features + c] / form->ridge;
        uint32_t before = pieces[c];
        medians[c] = linex_wide_median(form, pieces + c);
        changes += pieces[c] != before;
    }
    return changes;
}
