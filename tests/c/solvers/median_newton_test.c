/* median_newton_test.c: tests of games that start from the fits of their players. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "base/random.h"
#include "matrices/factors.h"
#include "matrices/matrix.h"
#include "game/game_solver.h"
#include "linex.h"

enum { MOST_PLAYERS = 4, MOST_FEATURES = 52, ALL = MOST_PLAYERS * MOST_FEATURES };

static double grams[ALL * MOST_FEATURES], targets[ALL], fits[ALL], weights[MOST_FEATURES], strategies[ALL];

/* Checks the optimality conditions of each player's own problem, from the strategies alone. Returns the largest move
 * that a player would still make, relative to gamma. */
static double worst_move(size_t players, size_t count, double gamma)
{
    double worst = 0;
    for (size_t i = 0; i < players * count; i++) {
        double gradient = -targets[i], own = strategies[i];
        for (size_t j = 0; j < players * count; j++) gradient += grams[i * count + j % count] * strategies[j];
        double move = -gradient / grams[i * count + i % count];
        if ((own >= gamma && move > 0) || (own <= -gamma && move < 0)) move = 0;
        CHECK(fabs(own) <= gamma * (1 + 1e-12));
        worst = fmax(worst, fabs(move) / gamma);
    }
    return worst;
}

/* Fills in the Gram matrices and targets of environments of masks whose size varies, so that all features go together:
 * sweeps are slow. Then each player's own fit. Returns the largest coefficient. */
static double make_game(linex_random *random, size_t players, size_t count, size_t rows)
{
    double largest = 0, slopes[MOST_FEATURES], factor[MOST_FEATURES * MOST_FEATURES], row[MOST_FEATURES];
    memset(grams, 0, sizeof grams);
    memset(targets, 0, sizeof targets);
    linex_random_normals(random, count, slopes);
    for (size_t c = 0; c < count; c += 2) slopes[c] = 0; /* players disagree about their signs */
    for (size_t i = 0; i < players; i++) {
        double *gram = grams + i * count * count, *target = targets + i * count, *fit = fits + i * count;
        for (size_t n = 0; n < rows; n++) {
            double share = linex_random_uniform(random), answer = linex_random_uniform(random);
            for (size_t c = 0; c < count; c++) {
                row[c] = (linex_random_uniform(random) < share) - 0.5;
                answer += slopes[c] * row[c];
            }
            for (size_t c = 0; c < count; c++) {
                linex_add_scaled(count, row[c] / (double)rows, row, gram + c * count);
                target[c] += row[c] * answer / (double)rows;
            }
        }
        for (size_t c = 0; c < count; c++) gram[c * count + c] += 1.0 / (double)rows;
        memcpy(factor, gram, count * count * sizeof *factor);
        memcpy(fit, target, count * sizeof *fit);
        CHECK(linex_cholesky(count, factor) == LINEX_OK);
        linex_cholesky_solve(count, factor, fit);
        for (size_t c = 0; c < count; c++) largest = fmax(largest, fabs(fit[c]));
    }
    return largest;
}

/* Solves the game in slices. */
static linex_game_report solve(size_t players, size_t count, double gamma, const double *start, double work)
{
    linex_game_settings settings = linex_game_defaults();
    linex_game_report report;
    linex_solving *solving = NULL;
    settings.gamma = gamma;
    CHECK(linex_solving_new(players, count, grams, targets, &settings, start, weights, strategies, &report,
                            &solving) == LINEX_OK);
    linex_status status = LINEX_UNFINISHED;
    while (status == LINEX_UNFINISHED) {
        linex_slice slice = {.left = work};
        status = linex_solving_advance(solving, &slice);
    }
    CHECK(status == LINEX_OK);
    linex_solving_free(solving);
    return report;
}

static void games_end_after_few_steps_where_the_path_ends(void)
{
    const linex_random root = linex_random_seed(5);
    for (uint64_t game = 0; game < 60; game++) {
        linex_random random = linex_random_split(&root, game);
        size_t players = 2 + linex_random_below(&random, 3), count = 30 + linex_random_below(&random, 21);
        double path[MOST_FEATURES], other[ALL], gamma = make_game(&random, players, count, 4 * count);
        linex_game_settings settings = linex_game_defaults();
        linex_game_report report = {0};
        settings.gamma = gamma;
        settings.solver = LINEX_SOLVER_PATH;
        CHECK(linex_game_solve(players, count, grams, targets, &settings, path, other, &report) == LINEX_OK);
        CHECK(report.converged && report.rounds >= 15);
        report = solve(players, count, gamma, fits, INFINITY);
        CHECK(report.converged && report.rounds < 12);
        CHECK(worst_move(players, count, gamma) <= 1e-9);
        for (size_t c = 0; c < count; c++) CHECK_NEAR(weights[c], path[c], 1e-9);
    }
}

/* The players reach their limits, so that some features are on the grid. */
static void small_limits_are_reached(void)
{
    const linex_random root = linex_random_seed(6);
    size_t limited = 0;
    for (uint64_t game = 0; game < 40; game++) {
        linex_random random = linex_random_split(&root, game);
        size_t players = 1 + linex_random_below(&random, 4), count = 2 + linex_random_below(&random, 12);
        double gamma = 0.1 * make_game(&random, players, count, 4 * count);
        CHECK(solve(players, count, gamma, fits, INFINITY).converged);
        CHECK(worst_move(players, count, gamma) <= 1e-9);
        for (size_t c = 0; c < count; c++) limited += fabs(weights[c]) >= (double)players * gamma * (1 - 1e-12);
    }
    CHECK(limited >= 40);
}

/* The other solvers take over if the start is far away or not finite. */
static void a_bad_start_does_not_matter(void)
{
    linex_random random = linex_random_seed(7);
    double gamma = make_game(&random, 2, 20, 80), far[ALL], expected[MOST_FEATURES];
    solve(2, 20, gamma, NULL, INFINITY);
    memcpy(expected, weights, sizeof expected);
    const double sizes[] = {0, 1e3, 1e300, INFINITY, NAN};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (size_t i = 0; i < ALL; i++) far[i] = i % 3 ? sizes[k] : -sizes[k];
        CHECK(solve(2, 20, gamma, far, INFINITY).converged);
        CHECK(worst_move(2, 20, gamma) <= 1e-9);
        for (size_t c = 0; c < 20; c++) CHECK_NEAR(weights[c], expected[c], 1e-9);
    }
}

/* Rows of these two matrices make a system without an inverse, and sweeps cycle. */
static void unlike_players_are_left_to_the_other_solvers(void)
{
    const double both[] = {5, -8, -8, 14, 27, 21, 21, 17}, wanted[] = {-2, 5, -5, -1}, start[] = {1, 1, -1, -1};
    memcpy(grams, both, sizeof both);
    memcpy(targets, wanted, sizeof wanted);
    CHECK(solve(2, 2, 2.5, start, INFINITY).converged);
    CHECK(worst_move(2, 2, 2.5) <= 1e-9);
    CHECK_NEAR(weights[0], -0.166, 1e-3);
    CHECK_NEAR(weights[1], 0.146, 1e-3);
}

static void equal_players_keep_their_fit(void)
{
    linex_random random = linex_random_seed(8);
    double gamma = make_game(&random, 1, 25, 100);
    memcpy(grams + 25 * 25, grams, 25 * 25 * sizeof *grams);
    memcpy(targets + 25, targets, 25 * sizeof *targets);
    memcpy(fits + 25, fits, 25 * sizeof *fits);
    linex_game_report report = solve(2, 25, gamma, fits, INFINITY);
    CHECK(report.converged && report.rounds < 12);
    for (size_t c = 0; c < 25; c++) CHECK_NEAR(weights[c], fits[c], 1e-12);
}

static void slices_do_not_change_the_bits(void)
{
    linex_random random = linex_random_seed(9);
    double gamma = make_game(&random, 3, 40, 90), whole[MOST_FEATURES], split[ALL];
    linex_game_report report = solve(3, 40, gamma, fits, INFINITY);
    memcpy(whole, weights, sizeof whole);
    memcpy(split, strategies, sizeof split);
    const double works[] = {1, 333, 20000};
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        linex_game_report sliced = solve(3, 40, gamma, fits, works[k]);
        CHECK(memcmp(whole, weights, 40 * sizeof *whole) == 0);
        CHECK(memcmp(split, strategies, 120 * sizeof *split) == 0);
        CHECK(sliced.rounds == report.rounds && sliced.residual == report.residual);
    }
}

int main(void)
{
    RUN(games_end_after_few_steps_where_the_path_ends);
    RUN(small_limits_are_reached);
    RUN(a_bad_start_does_not_matter);
    RUN(unlike_players_are_left_to_the_other_solvers);
    RUN(equal_players_keep_their_fit);
    RUN(slices_do_not_change_the_bits);
    return checks_failed != 0;
}
