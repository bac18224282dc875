/* fuzz_explain.c: attacks linex_explain and linex_answers_adjust with any samples and settings, and checks the
 * certificate of the game. */
#include "explanation_check.h"
#include "fuzz_samples.h"
#include "fuzz_support.h"

/* Of Algorithm 1, which would take nine tenths of the time. With little work it settles 96 of 100 games that it settles
 * with much. */
static const double LITTLE_WORK = 1e5, MUCH_WORK = 1e7;

static linex_settings any_settings(void)
{
    static const double ridges[] = {1, 0, 1e-10, 1e-3, 0.1, 1e8};
    linex_settings settings = linex_preset(LINEX_PAPER);
    settings.environments = fuzz_environment_settings();
    settings.method = (linex_method)(fuzz_rarely(2) ? fuzz_choice(3) : 0);
    settings.smoothing = (linex_smoothing)fuzz_choice(3);
    settings.selection = (linex_selection)fuzz_choice(5);
    settings.features = fuzz_below(8);
    settings.intercept = (linex_intercept)fuzz_choice(3);
    settings.ridge = fuzz_rarely(8) ? fuzz_positive() : ridges[fuzz_below(6)];
    settings.game.solver = (linex_solver)fuzz_choice(4);
    if (fuzz_rarely(2)) settings.game.gamma = fuzz_positive();
    if (fuzz_rarely(3)) settings.game.l1 = fuzz_positive();
    if (fuzz_rarely(8)) settings.game.tolerance = fuzz_positive();
    settings.game.max_rounds = settings.game.solver == LINEX_SOLVER_BEST_RESPONSE ? fuzz_between(1, 4) : 400;
    settings.game.max_work = settings.game.solver == LINEX_SOLVER_BEST_RESPONSE ? LITTLE_WORK : 0;
    settings.games = fuzz_between(fuzz_is_wild() && fuzz_rarely(8) ? 0 : 1, 3);
    settings.draws = fuzz_rarely(2) ? fuzz_below(12) : 0;
    if (settings.draws && fuzz_rarely(2)) settings.agreement = fuzz_share();
    settings.seed = fuzz_byte();
    settings.adjust = (linex_adjust)fuzz_choice(2);
    settings.weight = (linex_weight)fuzz_choice(2);
    return settings;
}

/* What came later than the corpus is read last, so that its inputs still mean the same. */
static void steady_settings(linex_settings *settings, linex_samples *samples)
{
    if (fuzz_rarely(2)) settings->selection = LINEX_SELECT_LEADING;
    fuzz_runs_and_sides(&settings->environments, samples);
    if (fuzz_rarely(8)) settings->ridge = LINEX_RIDGE_AUTO;
    if (settings->game.max_work > 0 && fuzz_rarely(32)) settings->game.max_work = MUCH_WORK;
}

/* Whether the weights are those of the fit to all samples and not those of the game. */
static bool reports_fit(const linex_settings *settings)
{
    return settings->weight == LINEX_WEIGHT_FIT && settings->environments.kind == LINEX_HALVES &&
           settings->game.gamma == 0 && isinf(settings->game.l1);
}

/* Checks the certificate of the game behind an explanation. If that reports the fit, the game is explained again with its
 * own weights: they cannot be told from the strategies, whose sum may lose all digits. */
static void check_game(const linex_samples *samples, const double *at, const linex_settings *settings,
                       const linex_explanation *told)
{
    size_t feature_count = samples->feature_count, players = settings->environments.players;
    linex_settings own = *settings;
    linex_explanation again = check_arrays(players, feature_count);
    own.weight = LINEX_WEIGHT_GAMES;
    if (!reports_fit(settings)) {
        check_equilibrium(settings, feature_count, told);
        return;
    }
    if (CALL_OR_OK(linex_explain(samples, at, &own, &again))) return;
    bool both = again.strategies && told->strategies;
    EXPECT(!both || !memcmp(again.strategies, told->strategies, players * feature_count * sizeof(double)));
    check_equilibrium(&own, feature_count, &again);
}

/* Adjusting the answers first, in slices, and explaining them then gives the same bits. */
static void explain_in_two_steps(const linex_samples *samples, const double *at, const linex_settings *settings,
                                 const linex_explanation *told)
{
    size_t bytes = samples->feature_count * sizeof(double);
    linex_explanation second = check_arrays(settings->environments.players, samples->feature_count);
    linex_adjustment adjustment = {.answers = fuzz_array(samples->count, sizeof(double))};
    linex_samples adjusted = *samples;
    linex_task *task = NULL;
    if (CALL_OR_OK(linex_answers_adjust_start(samples, settings, &adjustment, &task))) return;
    if (fuzz_run_task(task, true)) return;
    EXPECT_FINITE(samples->count, adjustment.answers);
    EXPECT(adjustment.adjusted.gain >= 1 && (adjustment.ridge >= 0 || adjustment.ridge == LINEX_RIDGE_AUTO));
    adjusted.adjustment = &adjustment;
    if (CALL_OR_OK(linex_explain(&adjusted, at, settings, &second))) return;
    EXPECT(memcmp(second.weights, told->weights, bytes) == 0);
    EXPECT(!second.low || !told->low || memcmp(second.low, told->low, bytes) == 0);
    EXPECT(second.adjusted.kind == told->adjusted.kind && second.adjusted.gain == told->adjusted.gain);
    EXPECT(second.ridge == told->ridge && second.fidelity == told->fidelity);
}

/* Any arguments, without what they mean for an explanation. */
static void adjust_anything(const linex_samples *samples, const linex_settings *settings)
{
    linex_adjustment adjustment = {.answers = fuzz_or_null(fuzz_array(samples->count, sizeof(double)))};
    linex_samples again = *samples;
    const linex_adjustment wild = {.answers = fuzz_numbers(samples->count), .ridge = fuzz_number()};
    if (fuzz_rarely(4)) again.adjustment = &wild;
    if (CALL_OR_OK(linex_answers_adjust(&again, settings, &adjustment))) return;
    EXPECT_FINITE(samples->count, adjustment.answers);
}

void fuzz_room(void)
{
    linex_settings settings = any_settings();
    linex_samples samples = fuzz_samples(settings.environments.players);
    const double *at = fuzz_numbers(samples.feature_count);
    linex_explanation told = check_arrays(settings.environments.players, samples.feature_count);
    steady_settings(&settings, &samples);
    if (fuzz_rarely(8)) adjust_anything(&samples, &settings);
    if (CALL_OR_OK(linex_explain(&samples, at, &settings, &told))) return;
    EXPECT(settings.method <= LINEX_METHOD_SMOOTHED && settings.intercept <= LINEX_INTERCEPT_NONE);
    EXPECT(settings.environments.kind <= LINEX_OWN && settings.game.solver <= LINEX_SOLVER_BEST_RESPONSE);
    EXPECT(settings.selection <= LINEX_SELECT_LEADING && settings.smoothing <= LINEX_SMOOTH_MEDIAN_OF_MEANS);
    check_numbers(&samples, &settings, &told);
    bool certified = settings.method == LINEX_METHOD_LINEX && settings.games == 1;
    /* A feature that does not vary on one side has the weight of the fit to all samples instead. */
    certified = certified && settings.environments.kind != LINEX_SIDES;
    if (certified && settings.intercept != LINEX_INTERCEPT_FEATURE) check_game(&samples, at, &settings, &told);
    if (fuzz_rarely(4)) check_slices(&samples, at, &settings, &told);
    if (fuzz_rarely(4)) explain_in_two_steps(&samples, at, &settings, &told);
}
