/* fuzz_game.c: attacks the game: its solvers and certificate, rounds, rest points, ridge fits and smoothing. */
#include <stdlib.h>

#include "certificate_check.h"
#include "fuzz_support.h"
#include "hard_games.h"

/* Copies the game into arrays of its exact size, so that the sanitizer sees each access beyond them. */
static void place_game(const hard_game *game, double **grams, double **targets)
{
    size_t crosses = game->players * game->feature_count, entries = crosses * game->feature_count;
    *grams = fuzz_array(entries, sizeof **grams);
    *targets = fuzz_array(crosses, sizeof **targets);
    memcpy(*grams, game->grams, entries * sizeof **grams);
    memcpy(*targets, game->targets, crosses * sizeof **targets);
}

/* The same game in slices has the same bits. */
static void solve_in_slices(const hard_game *game, const double *grams, const double *targets, const double *weights,
                            const double *strategies, const linex_game_report *report)
{
    size_t size = game->feature_count, bytes = game->players * size * sizeof(double);
    double *sliced = fuzz_array(size, sizeof *sliced), *split = fuzz_array(game->players * size, sizeof *split);
    linex_game_report told;
    linex_task *task = NULL;
    if (CALL(linex_game_start(game->players, size, grams, targets, &game->settings, sliced, split, &told, &task)))
        return;
    if (fuzz_run_task(task, false)) return;
    EXPECT(memcmp(sliced, weights, size * sizeof *sliced) == 0 && memcmp(split, strategies, bytes) == 0);
    EXPECT(told.converged == report->converged && told.rounds == report->rounds);
    EXPECT(told.residual == report->residual && told.multiplier == report->multiplier);
}

static void solve_any_game(void)
{
    hard_game game;
    double *grams, *targets, residual;
    hard_game_any(&game);
    place_game(&game, &grams, &targets);
    size_t players = game.players, size = game.feature_count;
    double *weights = fuzz_array(size, sizeof *weights), *strategies = fuzz_array(players * size, sizeof *strategies);
    linex_game_report report;
    linex_status status = CALL(linex_game_solve(players, size, fuzz_or_null(grams), fuzz_or_null(targets),
                                                &game.settings, weights, strategies, &report));
    if (status) return;
    EXPECT_FINITE(size, weights);
    EXPECT_FINITE(players * size, strategies);
    EXPECT_FINITE(1, &report.multiplier);
    EXPECT(report.residual >= 0);
    EXPECT(!report.converged || report.residual <= game.settings.tolerance);
    const char *fault =
        certificate_fault(players, size, grams, targets, &game.settings, weights, strategies, &report);
    if (fault) fuzz_fail(__FILE__, __LINE__, fault);
    if (CALL(linex_game_residual(players, size, grams, targets, game.settings.gamma, report.multiplier, weights,
                                 strategies, &residual)))
        return;
    EXPECT(residual >= 0);
    if (fuzz_rarely(2)) solve_in_slices(&game, grams, targets, weights, strategies, &report);
}

static void play_rounds(void)
{
    hard_game game;
    double *grams, *targets, moved = NAN;
    hard_game_any(&game);
    hard_game_condition(&game);
    place_game(&game, &grams, &targets);
    size_t players = game.players, size = game.feature_count;
    double *strategies = fuzz_array(players * size, sizeof *strategies);
    for (size_t i = 0; i < players * size; i++)
        strategies[i] = game.settings.gamma * (2 * (double)fuzz_byte() / 255 - 1);
    for (size_t round = fuzz_below(4); round < 4; round++) {
        if (CALL(linex_game_round(players, size, grams, targets, game.settings.gamma, game.settings.l1, strategies,
                                  &moved)))
            return;
        EXPECT_WITHIN(1, &moved, 0, DBL_MAX);
        double most = game.settings.gamma * (1 + 1e-9);
        EXPECT_WITHIN(players * size, strategies, -most, most);
    }
}

static int ascending(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The rest point is the median of the targets and of the grid. */
static void find_rest_point(void)
{
    double targets[5], all[11], gamma = fuzz_positive();
    size_t players = fuzz_between(1, 5);
    if (!(gamma > 0) || gamma > 1e300) gamma = 1;
    for (size_t i = 0; i < players; i++) {
        targets[i] = fuzz_number();
        if (!isfinite(targets[i])) targets[i] = 0;
    }
    qsort(targets, players, sizeof *targets, ascending);
    memcpy(all, targets, players * sizeof *all);
    for (size_t i = 0; i <= players; i++) all[players + i] = (2.0 * (double)i - (double)players) * gamma;
    qsort(all, 2 * players + 1, sizeof *all, ascending);
    EXPECT(linex_rest_point(players, targets, gamma) == all[players]);
}

/* The solution satisfies its equations, as well as the condition of the matrix allows. */
static void solve_ridge(void)
{
    hard_game game;
    double *gram, *cross;
    hard_game_any(&game);
    game.players = 1;
    place_game(&game, &gram, &cross);
    size_t size = game.feature_count;
    double *solved = fuzz_rarely(2) ? cross : fuzz_array(size, sizeof *solved), before[HARD_GAME_FEATURES];
    memcpy(before, cross, size * sizeof *before);
    if (CALL(linex_ridge_solve(size, fuzz_or_null(gram), cross, solved))) {
        EXPECT(solved != cross || memcmp(before, cross, size * sizeof *before) == 0);
        return;
    }
    EXPECT_FINITE(size, solved);
    double entry = 0, solution = DBL_MIN, side = DBL_MIN;
    for (size_t i = 0; i < size * size; i++) {
        /* The function reads one half of a symmetric matrix. */
        if (gram[i] != gram[i % size * size + i / size]) return;
        entry = fmax(entry, fabs(gram[i]));
    }
    for (size_t c = 0; c < size; c++) {
        solution = fmax(solution, fabs(solved[c]));
        side = fmax(side, fabs(before[c]));
    }
    for (size_t c = 0; c < size; c++) {
        double left = before[c];
        for (size_t d = 0; d < size; d++) left -= gram[c * size + d] * solved[d];
        EXPECT(!(fabs(left) > 1e-10 * (entry * solution + side) + entry * DBL_MIN));
    }
}

static void smooth_fits(void)
{
    size_t players = fuzz_between(1, 7), size = fuzz_between(1, 5);
    double *fits = fuzz_numbers(players * size), *smoothed = fuzz_array(size, sizeof *smoothed);
    if (CALL(linex_smooth((linex_smoothing)fuzz_choice(3), players, size, fits, smoothed))) return;
    for (size_t c = 0; c < size; c++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < players; i++) {
            low = fmin(low, fits[i * size + c]);
            high = fmax(high, fits[i * size + c]);
        }
        double slack = 1e-12 * fmax(fabs(low), fabs(high));
        EXPECT_WITHIN(1, smoothed + c, low - slack, high + slack);
    }
}

void fuzz_room(void)
{
    switch (fuzz_below(8)) {
    case 1:
        play_rounds();
        break;
    case 2:
        find_rest_point();
        break;
    case 3:
        solve_ridge();
        break;
    case 4:
        smooth_fits();
        break;
    default:
        solve_any_game();
    }
}
