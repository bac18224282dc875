/* explanation_check.c: states what must hold for every explanation. */
#include "explanation_check.h"

#include "certificate_check.h"
#include "fuzz_support.h"

enum { MOST_FEATURES = 64, MOST_PLAYERS = 4 };

linex_explanation check_arrays(size_t players, size_t feature_count)
{
    size_t size = feature_count + 1;
    return (linex_explanation){
        .weights = fuzz_array(feature_count, sizeof(double)),
        .raw = fuzz_or_null(fuzz_array(feature_count, sizeof(double))),
        .low = fuzz_or_null(fuzz_array(feature_count, sizeof(double))),
        .high = fuzz_or_null(fuzz_array(feature_count, sizeof(double))),
        .agreement = fuzz_or_null(fuzz_array(feature_count, sizeof(double))),
        .strategies = fuzz_or_null(fuzz_array(players * feature_count, sizeof(double))),
        .chosen = fuzz_or_null(fuzz_array(feature_count, sizeof(uint32_t))),
        .fitted = fuzz_array(feature_count, sizeof(uint32_t)),
        .silenced = fuzz_array(feature_count, sizeof(uint8_t)),
        .grams = fuzz_or_null(fuzz_array(players * size * size, sizeof(double))),
        .targets = fuzz_or_null(fuzz_array(players * size, sizeof(double))),
    };
}

void check_numbers(const linex_samples *samples, const linex_settings *settings, const linex_explanation *told)
{
    size_t count = samples->feature_count;
    EXPECT_FINITE(count, told->weights);
    EXPECT_FINITE(count, told->raw);
    EXPECT_FINITE(count, told->low);
    EXPECT_FINITE(count, told->high);
    EXPECT_WITHIN(count, told->agreement, 0, 1);
    EXPECT_FINITE(settings->environments.players * count, told->strategies);
    EXPECT(told->chosen_count <= told->fitted_count && told->fitted_count <= count);
    EXPECT_BELOW(told->fitted_count, told->fitted, count);
    for (size_t c = 0; c < count; c++) {
        EXPECT(!told->silenced[c] || (settings->agreement > 0 && told->weights[c] == 0));
        bool holds_zero = told->low && told->high && told->low[c] <= 0 && told->high[c] >= 0;
        EXPECT(!holds_zero || settings->agreement == 0 || told->weights[c] == 0);
    }
    if (told->chosen) EXPECT_BELOW(told->chosen_count, told->chosen, count);
    const double numbers[] = {told->intercept,         told->local_prediction, told->gamma,
                              told->effective_samples, told->ridge_loss,       told->game.multiplier};
    EXPECT_FINITE(sizeof numbers / sizeof *numbers, numbers);
    EXPECT_WITHIN(1, &told->fidelity, -DBL_MAX, 1);
    for (size_t c = 0; told->raw && told->low && told->high && c < count; c++)
        EXPECT(told->low[c] <= told->raw[c] && told->raw[c] <= told->high[c]);
    EXPECT(told->adjusted.gain >= 1 && isfinite(told->adjusted.gain));
    EXPECT(!told->game.converged || told->game.residual <= settings->game.tolerance);
}

void check_equilibrium(const linex_settings *settings, size_t feature_count, const linex_explanation *told)
{
    double weights[MOST_FEATURES], strategies[MOST_PLAYERS * MOST_FEATURES];
    size_t size = told->fitted_count, players = settings->environments.players;
    if (!told->raw || !told->strategies || !told->grams || !told->targets || !size) return;
    if (isnan(told->grams[0])) return; /* there was no game */
    for (size_t c = 0; c < size; c++) {
        weights[c] = told->raw[told->fitted[c]];
        for (size_t i = 0; i < players; i++)
            strategies[i * size + c] = told->strategies[i * feature_count + told->fitted[c]];
    }
    linex_game_settings game = settings->game;
    game.gamma = told->gamma;
    if (!(game.gamma > 0)) return;
    const char *fault =
        certificate_fault(players, size, told->grams, told->targets, &game, weights, strategies, &told->game);
    if (fault) fuzz_fail(__FILE__, __LINE__, fault);
}

void check_slices(const linex_samples *samples, const double *at, const linex_settings *settings,
                  const linex_explanation *told)
{
    size_t bytes = samples->feature_count * sizeof(double);
    linex_explanation sliced = check_arrays(settings->environments.players, samples->feature_count);
    linex_task *task = NULL;
    /* Whoever asks for the Gram matrices of a wide fit gets another solver. */
    if (!told->grams && !told->targets) sliced.grams = sliced.targets = NULL;
    if (CALL_OR_OK(linex_explain_start(samples, at, settings, &sliced, &task))) return;
    if (fuzz_run_task(task, true)) return;
    EXPECT(memcmp(sliced.weights, told->weights, bytes) == 0);
    EXPECT(!sliced.low || !told->low || memcmp(sliced.low, told->low, bytes) == 0);
    EXPECT(!sliced.high || !told->high || memcmp(sliced.high, told->high, bytes) == 0);
    EXPECT(sliced.chosen_count == told->chosen_count && sliced.game.rounds == told->game.rounds);
}
