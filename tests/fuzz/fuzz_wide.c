/* fuzz_wide.c: attacks linex_explain with wide fits, which are solved without Gram matrices, and checks their
 * certificate with the Gram matrices of the same game.
 *
 * A wide fit has thousands of numbers. Most of them come from a few bytes, so that the inputs stay small. */
#include "certificate_check.h"
#include "explanation_check.h"
#include "fuzz_support.h"

enum { LEAST_FEATURES = LINEX_WIDE_FEATURES - 2, MOST_FEATURES = LINEX_WIDE_FEATURES + 8, MOST_SAMPLES = 48 };

static uint64_t state; /* of the numbers that come from few bytes */

static uint64_t next_bits(void)
{
    uint64_t mixed = state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return mixed ^ mixed >> 27;
}

/* A number in -1 .. 1, in 128 steps, so that there are ties; rarely any number. */
static double next_number(void)
{
    uint64_t bits = next_bits();
    if (bits % 256 == 0) return fuzz_number();
    return (double)(bits >> 8 & 127) / 64 - 1;
}

static linex_settings any_settings(void)
{
    static const double ridges[] = {0.1, 1, 1e-3, 10, 1e-10, 0};
    linex_settings settings = linex_preset(fuzz_rarely(3) ? (linex_preset_kind)fuzz_choice(3) : LINEX_PAPER);
    settings.selection = LINEX_SELECT_NONE;
    settings.features = fuzz_rarely(8) ? fuzz_between(1, MOST_FEATURES) : 0;
    if (fuzz_rarely(8)) settings.method = (linex_method)fuzz_choice(3);
    if (fuzz_rarely(4)) settings.environments.kind = (linex_environment_kind)fuzz_choice(6);
    if (settings.environments.kind != LINEX_SIDES) settings.environments.players = fuzz_between(1, 4);
    settings.environments.anchored = fuzz_rarely(8);
    settings.environments.kernel = fuzz_positive();
    if (fuzz_rarely(4)) settings.intercept = (linex_intercept)fuzz_choice(3);
    settings.ridge = fuzz_rarely(3) ? ridges[fuzz_below(6)] : LINEX_RIDGE_AUTO;
    if (fuzz_rarely(8)) settings.ridge = fuzz_positive();
    if (fuzz_rarely(4)) settings.game.gamma = fuzz_positive();
    if (fuzz_rarely(16)) settings.game.l1 = fuzz_positive();
    if (fuzz_rarely(16)) settings.game.tolerance = fuzz_positive();
    settings.game.max_rounds = 400;
    settings.game.max_work = 1e6;
    settings.games = fuzz_rarely(4) ? fuzz_between(1, 3) : 1;
    settings.draws = fuzz_rarely(4) ? fuzz_below(4) : 0;
    settings.agreement = settings.draws && fuzz_rarely(2) ? fuzz_share() : 0;
    settings.weight = (linex_weight)fuzz_choice(2);
    settings.seed = fuzz_byte();
    return settings;
}

/* Points with columns that are constant or equal, and with equal rows. */
static double *any_points(size_t count, size_t feature_count)
{
    double *points = fuzz_array(count * feature_count, sizeof *points);
    for (size_t i = 0; i < count * feature_count; i++) points[i] = next_number();
    for (size_t times = fuzz_below(4); times > 0; times--) {
        size_t from = fuzz_below(feature_count), to = fuzz_below(feature_count);
        bool constant = fuzz_rarely(2);
        for (size_t i = 0; i < count; i++)
            points[i * feature_count + to] = constant ? points[to] : points[i * feature_count + from];
    }
    if (count > 1 && fuzz_rarely(4)) memcpy(points + feature_count, points, feature_count * sizeof *points);
    return points;
}

static linex_samples any_samples(void)
{
    linex_samples samples = {.count = fuzz_between(2, MOST_SAMPLES),
                             .feature_count = fuzz_between(LEAST_FEATURES, MOST_FEATURES)};
    size_t cells = samples.count * samples.feature_count;
    samples.planned = samples.count;
    if (fuzz_rarely(2)) {
        uint8_t *masks = fuzz_array(cells, 1);
        for (size_t i = 0; i < cells; i++) masks[i] = next_bits() >> 20 & 1;
        samples.masks = masks;
    } else {
        samples.points = any_points(samples.count, samples.feature_count);
    }
    double *answers = fuzz_array(samples.count, sizeof *answers);
    double *weights = fuzz_array(samples.count, sizeof *weights);
    double *distances = fuzz_array(samples.count, sizeof *distances);
    bool exact = fuzz_rarely(4); /* the answers depend on one feature alone */
    for (size_t i = 0; i < samples.count; i++) {
        size_t first = i * samples.feature_count;
        answers[i] = !exact ? next_number() : samples.masks ? samples.masks[first] : samples.points[first];
        weights[i] = (double)(next_bits() >> 30 & 63) / 63;
        distances[i] = fabs(next_number());
    }
    samples.answers = fuzz_or_null(answers);
    samples.weights = fuzz_or_null(weights);
    samples.distances = fuzz_or_null(distances);
    if (fuzz_rarely(4)) {
        samples.planned = fuzz_between(2, MOST_SAMPLES);
        samples.point_of = fuzz_indices(samples.planned, samples.count);
        if (!samples.point_of) samples.planned = samples.count;
    }
    samples.block = fuzz_rarely(2) ? fuzz_below(5) : 0;
    return samples;
}

/* The game is explained again with its Gram matrices. The weights and strategies that were found without them must be an
 * equilibrium of it. */
static void check_wide_game(const linex_samples *samples, const double *at, const linex_settings *settings,
                            const linex_explanation *told)
{
    linex_explanation gram = check_arrays(settings->environments.players, samples->feature_count), both = *told;
    if (!gram.grams || !gram.targets || CALL_OR_OK(linex_explain(samples, at, settings, &gram))) return;
    EXPECT(gram.ridge == told->ridge && gram.fitted_count == told->fitted_count);
    both.grams = gram.grams;
    both.targets = gram.targets;
    check_equilibrium(settings, samples->feature_count, &both);
}

void fuzz_room(void)
{
    state = fuzz_byte() | (uint64_t)fuzz_byte() << 8;
    linex_settings settings = any_settings();
    linex_samples samples = any_samples();
    double *at = fuzz_array(samples.feature_count, sizeof *at);
    for (size_t c = 0; c < samples.feature_count; c++) at[c] = next_number();
    linex_explanation told = check_arrays(settings.environments.players, samples.feature_count);
    told.grams = told.targets = NULL;
    if (CALL_OR_OK(linex_explain(&samples, at, &settings, &told))) return;
    check_numbers(&samples, &settings, &told);
    bool certified = settings.method == LINEX_METHOD_LINEX && settings.games == 1 &&
                     settings.weight == LINEX_WEIGHT_GAMES && settings.environments.kind != LINEX_SIDES &&
                     settings.intercept != LINEX_INTERCEPT_FEATURE;
    if (certified) check_wide_game(&samples, at, &settings, &told);
    if (fuzz_rarely(4)) check_slices(&samples, at, &settings, &told);
}
