/* fuzz_samples.c: answered samples and the settings of their environments, made from the bytes of an execution. */
#include "fuzz_samples.h"

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
    if (!fuzz_rarely(3)) samples.own_weights = fuzz_shares(players * samples.planned);
    return samples;
}

void fuzz_runs_and_sides(linex_environment_settings *settings, linex_samples *samples)
{
    if (fuzz_rarely(3)) settings->kind = LINEX_HALVES;
    if (fuzz_rarely(4) && (settings->players == 2 || fuzz_is_wild())) settings->kind = LINEX_SIDES;
    if (fuzz_rarely(2)) samples->block = fuzz_is_wild() && fuzz_rarely(4) ? SIZE_MAX : fuzz_below(9);
}
