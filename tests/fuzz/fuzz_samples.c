/* fuzz_samples.c: answered samples and the settings of their environments, made from the bytes of an execution. */
#include "fuzz_samples.h"

#include <math.h>

#include "fuzz_support.h"

linex_environment_settings fuzz_environment_settings(void)
{
    linex_environment_settings settings = {0};
    settings.kind = (linex_environment_kind)fuzz_choice(6);
    /* The kinds are still those of the corpus; LINEX_SIDES comes from fuzz_runs_and_sides. */
    if (settings.kind == LINEX_SIDES) settings.kind = LINEX_OWN;
    settings.players = fuzz_between(1, 4);
    settings.anchored = fuzz_rarely(4);
    settings.kernel = fuzz_positive();
    return settings;
}

/* Copies of earlier points, so that features are equal and games have ties. */
static void repeat_points(size_t count, size_t feature_count, double *points)
{
    for (size_t i = 1; i < count; i++)
        if (fuzz_rarely(4))
            memcpy(points + i * feature_count, points + fuzz_below(i) * feature_count,
                   feature_count * sizeof *points);
}

/* The law of one column. Three of four executions must have a valid one. */
static void fill_law(double *law)
{
    bool binary = fuzz_rarely(3);
    double share = fuzz_share();
    law[LINEX_LAW_BINARY] = binary;
    law[LINEX_LAW_MEAN] = binary ? share : fuzz_number();
    law[LINEX_LAW_UNIT] = fuzz_rarely(8) ? 0 : fuzz_positive();
    law[LINEX_LAW_SPREAD] = binary ? sqrt(share * (1 - share)) : law[LINEX_LAW_UNIT] * share;
}

/* Levels behind the binary columns. */
static const linex_levels *any_levels(const linex_samples *samples, const double *columns)
{
    size_t features = samples->feature_count;
    linex_levels *levels = fuzz_array(1, sizeof *levels);
    double *rows = fuzz_array(samples->count * features, sizeof *rows), *row = fuzz_array(features, sizeof *row);
    uint32_t *counts = fuzz_array(features, sizeof *counts);
    double *frequencies = fuzz_array(4 * features, sizeof *frequencies);
    *levels = (linex_levels){rows, row, counts, frequencies};
    for (size_t c = 0; c < features; c++) {
        counts[c] = columns[c * LINEX_LAW_SIZE + LINEX_LAW_BINARY] == 1 ? (uint32_t)fuzz_below(5) : 0;
        row[c] = fuzz_is_wild() && fuzz_rarely(16) ? fuzz_number() : (double)fuzz_below(counts[c] + 1);
        if (counts[c] && row[c] == counts[c]) row[c] = 0;
        for (size_t i = 0; i < samples->count; i++) rows[i * features + c] = counts[c] ? (double)(i % counts[c]) : 0;
    }
    for (size_t l = 0; l < 4 * features; l++) frequencies[l] = fuzz_share();
    return levels;
}

/* Any law of the points, or NULL. */
static const linex_law *any_law(const linex_samples *samples)
{
    linex_law *law = fuzz_array(1, sizeof *law);
    size_t features = samples->feature_count;
    *law = (linex_law){0};
    if (samples->masks) {
        double *sizes = fuzz_array(features + 1, sizeof *sizes);
        if (linex_masks_law((linex_mask_kind)fuzz_choice(2), features, (linex_mask_distance)fuzz_choice(2),
                            fuzz_positive(), fuzz_positive(), sizes))
            return NULL;
        law->sizes = sizes;
    } else {
        double *columns = fuzz_array(features * LINEX_LAW_SIZE, sizeof *columns);
        for (size_t c = 0; c < features; c++) fill_law(columns + c * LINEX_LAW_SIZE);
        law->columns = columns;
        if (fuzz_rarely(3)) law->levels = any_levels(samples, columns);
    }
    return law;
}

linex_samples fuzz_samples(size_t players)
{
    linex_samples samples = {.count = fuzz_between(1, 24), .feature_count = fuzz_between(1, 6)};
    size_t cells = samples.count * samples.feature_count;
    bool masks = fuzz_rarely(3);
    if (masks || (fuzz_is_wild() && fuzz_rarely(16))) samples.masks = fuzz_masks(cells);
    if (!masks) {
        double *points = fuzz_numbers(cells);
        if (points && fuzz_rarely(2)) repeat_points(samples.count, samples.feature_count, points);
        samples.points = points;
    }
    double *answers = fuzz_numbers(samples.count);
    if (answers && fuzz_rarely(16))
        for (size_t i = 1; i < samples.count; i++) answers[i] = answers[0];
    samples.answers = answers;
    samples.weights = fuzz_shares(samples.count);
    if (!fuzz_rarely(4)) samples.distances = fuzz_numbers(samples.count);
    samples.planned = samples.count;
    if (fuzz_rarely(2)) {
        samples.planned = fuzz_between(1, 40);
        samples.point_of = fuzz_indices(samples.planned, samples.count);
        if (!samples.point_of) samples.planned = samples.count;
    }
    samples.block = fuzz_below(5);
    if (fuzz_rarely(2)) samples.law = any_law(&samples);
    if (!fuzz_rarely(3)) samples.own_weights = fuzz_shares(players * samples.planned);
    return samples;
}

void fuzz_runs_and_sides(linex_environment_settings *settings, linex_samples *samples)
{
    if (fuzz_rarely(3)) settings->kind = LINEX_HALVES;
    if (fuzz_rarely(4) && (settings->players == 2 || fuzz_is_wild())) settings->kind = LINEX_SIDES;
    if (fuzz_rarely(2)) samples->block = fuzz_is_wild() && fuzz_rarely(4) ? SIZE_MAX : fuzz_below(9);
    samples->complete = fuzz_rarely(8);
}
