/* fuzz_environments.c: attacks the split of answered samples into environments. */
#include "fuzz_samples.h"
#include "fuzz_support.h"

/* Disjoint parts: together they count every copy of a sample as often as they should.
 *
 * times  1, or the number of players if each of them has every sample */
static void expect_parts(const linex_samples *samples, size_t players, const double *weights, double times)
{
    for (size_t j = 0; j < samples->count; j++) {
        double sum = 0, copies = samples->point_of ? 0 : 1;
        for (size_t i = 0; samples->point_of && i < samples->planned; i++) copies += samples->point_of[i] == j;
        /* A part of the weights, because their sum may be beyond the range. */
        for (size_t i = 0; i < players; i++) sum += weights[i * samples->count + j] / 64;
        double whole = times * copies * (samples->weights[j] / 64);
        EXPECT(fabs(sum - whole) <= 1e-9 * whole + DBL_MIN);
    }
}

void fuzz_room(void)
{
    linex_environment_settings settings = fuzz_environment_settings();
    linex_samples samples = fuzz_samples(settings.players);
    double *weights = fuzz_array(settings.players * samples.count, sizeof *weights);
    uint64_t seed = fuzz_byte(), draw = fuzz_below(3);
    fuzz_runs_and_sides(&settings, &samples);
    if (CALL(linex_environments_draw(&samples, &settings, seed, draw, fuzz_or_null(weights)))) return;
    EXPECT_WITHIN(settings.players * samples.count, weights, 0, DBL_MAX);
    bool parts = settings.kind == LINEX_HALVES || settings.kind == LINEX_SIDES ||
                 (settings.kind == LINEX_NEAR_FAR && draw == 0) || (settings.kind == LINEX_CLUSTERS && draw == 0);
    /* Halves of all that there is are the whole. */
    double times = settings.kind == LINEX_HALVES && samples.complete ? (double)settings.players : 1;
    if (parts && !settings.anchored) expect_parts(&samples, settings.players, weights, times);
}
