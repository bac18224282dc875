/* game_test.c: tests of the game solvers against the optimality conditions of each player. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"
#include "base/random.h"
#include "game/game_allowance.h"

/* Checks the optimality conditions of each player's own problem, from the strategies alone and without code of the
 * solver. Inside its limits a player's gradient is zero; at a limit it points outward. Returns the largest violation,
 * as a move. */
static double worst_move(size_t players, size_t feature_count, const double *grams, const double *targets,
                         double gamma, const double *strategies)
{
    double worst = 0;
    for (size_t i = 0; i < players; i++) {
        for (size_t c = 0; c < feature_count; c++) {
            double gradient = -targets[i * feature_count + c];
            for (size_t d = 0; d < feature_count; d++)
                for (size_t j = 0; j < players; j++)
                    gradient +=
                        grams[(i * feature_count + c) * feature_count + d] * strategies[j * feature_count + d];
            double own = strategies[i * feature_count + c],
                   move = -gradient / grams[(i * feature_count + c) * feature_count + c];
            if (own >= gamma && move > 0) move = 0;
            if (own <= -gamma && move < 0) move = 0;
            CHECK(fabs(own) <= gamma * (1 + 1e-12));
            worst = fmax(worst, fabs(move) / gamma);
        }
    }
    return worst;
}

static void random_gram(linex_random *random, size_t feature_count, size_t rows, double ridge, double *gram)
{
    double *points = malloc(rows * feature_count * sizeof *points);
    linex_random_normals(random, rows * feature_count, points);
    for (size_t c = 0; c < feature_count; c++) {
        for (size_t d = 0; d < feature_count; d++) {
            double sum = c == d ? ridge : 0;
            for (size_t i = 0; i < rows; i++) sum += points[i * feature_count + c] * points[i * feature_count + d];
            gram[c * feature_count + d] = sum / (double)rows;
        }
    }
    free(points);
}

/* tests/explain/solve-game.test.js plays thousands of games. These hundred run under the sanitizers. */
static void a_hundred_random_games_end_at_an_equilibrium(void)
{
    const linex_random root = linex_random_seed(21);
    for (uint64_t game = 0; game < 100; game++) {
        linex_random random = linex_random_split(&root, game);
        size_t players = 1 + linex_random_below(&random, 5), feature_count = 1 + linex_random_below(&random, 25);
        size_t rows = 5 + linex_random_below(&random, 40);
        double *grams = malloc(players * feature_count * feature_count * sizeof *grams);
        double *targets = malloc(players * feature_count * sizeof *targets);
        double *weights = malloc(feature_count * sizeof *weights),
               *strategies = malloc(players * feature_count * sizeof *strategies);
        for (size_t i = 0; i < players; i++)
            random_gram(&random, feature_count, rows, 0.01, grams + i * feature_count * feature_count);
        linex_random_normals(&random, players * feature_count, targets);
        for (int solver = LINEX_SOLVER_AUTO; solver <= LINEX_SOLVER_PATH; solver++) {
            linex_game_settings settings = linex_game_defaults();
            linex_game_report report;
            settings.gamma = 0.01 + linex_random_uniform(&random);
            settings.solver = (linex_solver)solver;
            settings.max_rounds = solver == LINEX_SOLVER_SWEEPS ? 100 : 0;
            CHECK(linex_game_solve(players, feature_count, grams, targets, &settings, weights, strategies, &report) ==
                  LINEX_OK);
            double worst = worst_move(players, feature_count, grams, targets, settings.gamma, strategies);
            CHECK_NEAR(report.residual, worst, 1e-9);
            if (solver != LINEX_SOLVER_SWEEPS) CHECK(report.converged && worst <= 1e-9);
        }
        free(grams);
        free(targets);
        free(weights);
        free(strategies);
    }
}

/* Defines a sweep: every change updates every pull at once. The solver updates them for four changes at a time. */
static void sweeps_have_the_bits_of_their_definition(void)
{
    enum { PLAYERS = 2, MAX_FEATURES = 11, ROUNDS = 5 };
    linex_random random = linex_random_seed(31);
    for (size_t feature_count = 1; feature_count <= MAX_FEATURES; feature_count++) {
        double grams[PLAYERS * MAX_FEATURES * MAX_FEATURES], targets[PLAYERS * MAX_FEATURES],
            pull[PLAYERS * MAX_FEATURES];
        double weights[MAX_FEATURES], strategies[PLAYERS * MAX_FEATURES], expected[MAX_FEATURES] = {0};
        for (size_t i = 0; i < PLAYERS; i++)
            random_gram(&random, feature_count, 20, 0.01, grams + i * feature_count * feature_count);
        linex_random_normals(&random, PLAYERS * feature_count, targets);
        linex_game_settings settings = linex_game_defaults();
        linex_game_report report;
        settings.gamma = 1;
        settings.solver = LINEX_SOLVER_SWEEPS;
        settings.max_rounds = ROUNDS;
        settings.tolerance = 1e-300;
        CHECK(linex_game_solve(PLAYERS, feature_count, grams, targets, &settings, weights, strategies, &report) ==
              LINEX_OK);
        memcpy(pull, targets, sizeof pull);
        for (size_t step = 0; step < report.rounds * feature_count; step++) {
            size_t c = step % feature_count, row = c * feature_count, next = (feature_count + c) * feature_count;
            double first = expected[c] + pull[c] / grams[row + c];
            double second = expected[c] + pull[feature_count + c] / grams[next + c];
            double preferences[] = {fmin(first, second), fmax(first, second)};
            double change = linex_rest_point(PLAYERS, preferences, settings.gamma) - expected[c];
            expected[c] += change;
            for (size_t d = 0; d < feature_count; d++) {
                pull[d] += -change * grams[row + d];
                pull[feature_count + d] += -change * grams[next + d];
            }
        }
        for (size_t c = 0; c < feature_count; c++) CHECK(weights[c] == expected[c]);
    }
}

/* Equal environments and symmetric designs have ties everywhere. */
static void games_with_ties_are_solved(void)
{
    const double same[] = {2, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2};
    const double alike[] = {1, 1, 1, 1, 1, 1, 1, 1}, mirrored[] = {1, -1, -1, 1, 1, -1, -1, 1};
    const double *targets[] = {alike, mirrored};
    for (size_t players = 1; players <= 4; players++) {
        for (size_t t = 0; t < 2; t++) {
            for (size_t bounded = 0; bounded < 2; bounded++) {
                double weights[2], strategies[8];
                linex_game_report report;
                linex_game_settings settings = linex_game_defaults();
                settings.gamma = 1;
                settings.l1 = bounded ? 0.1 : (double)INFINITY;
                settings.solver = LINEX_SOLVER_PATH;
                CHECK(linex_game_solve(players, 2, same, targets[t], &settings, weights, strategies, &report) ==
                      LINEX_OK);
                CHECK(report.converged);
                if (bounded) CHECK(fabs(weights[0]) + fabs(weights[1]) <= 0.1 * (1 + 1e-9));
            }
        }
    }
}

static linex_game_report solve_path(size_t players, size_t feature_count, const double *grams, const double *targets,
                                    double gamma, double *weights, double *strategies)
{
    linex_game_report report;
    linex_game_settings settings = linex_game_defaults();
    settings.gamma = gamma;
    CHECK(linex_game_solve(players, feature_count, grams, targets, &settings, weights, strategies, &report) ==
          LINEX_OK);
    return report;
}

static void large_units_keep_all_digits(void)
{
    const double grams[] = {2e20, 1e20}, targets[] = {1e20, 3e20};
    double weight[1], strategies[2];
    CHECK(solve_path(2, 1, grams, targets, 1, weight, strategies).converged);
    CHECK_NEAR(weight[0], 0.5, 1e-15);
}

/* One player's equations, solved by hand: (4 - 1) s + sum(s) = b, sum(s) = 10 / 7. */
static void a_large_limit_does_not_change_the_solution(void)
{
    const double gram[] = {4, 1, 1, 1, 1, 4, 1, 1, 1, 1, 4, 1, 1, 1, 1, 4}, target[] = {1, 2, 3, 4};
    for (double gamma = 10; gamma < 1e13; gamma *= 1000) {
        double weights[4], strategies[4];
        CHECK(solve_path(1, 4, gram, target, gamma, weights, strategies).converged);
        for (size_t c = 0; c < 4; c++) CHECK_NEAR(weights[c], (target[c] - 10.0 / 7) / 3, 1e-9);
    }
}

static void check_game(size_t players, size_t feature_count, const double *grams, const double *targets, double gamma)
{
    double weights[8], strategies[32];
    linex_game_report report = solve_path(players, feature_count, grams, targets, gamma, weights, strategies);
    CHECK(report.converged);
    CHECK(worst_move(players, feature_count, grams, targets, gamma, strategies) <= 1e-9);
}

/* Each of these games once ended at all zeros: a path that cycled, two copies of a feature under a small ridge, a mix
 * of the players' equations that is exactly singular. */
static void hard_ties_are_solved(void)
{
    const double circling[] = {6, 3, 2, 4, 4, 3, 5, 3, 2, 2, 2, 3, 6, 2, 2, 4, 2, 2, 7, 5, 4, 2, 2, 5, 8,
                               6, 3, 2, 4, 4, 3, 5, 3, 2, 2, 2, 3, 6, 2, 2, 4, 2, 2, 7, 5, 4, 2, 2, 5, 8};
    const double circling_targets[] = {2, 1, -5, 0, 6, 2, 1, -5, 0, 6};
    check_game(2, 5, circling, circling_targets, 5.0 / 18);

    const double t = 0.30000000000000004, twins[] = {1.000002, 1, 1, 1.000002, 1.000002, 1, 1, 1.000002};
    const double twin_targets[] = {t, t, t, t};
    check_game(2, 2, twins, twin_targets, 0.14999985001010716);

    const double singular[] = {7, -2, 0,  -2, 3, 2, 0,  2, 5, 6, 0, 3, 0, 7, 0, 3, 0, 5,
                               6, 3,  -1, 3,  5, 0, -1, 0, 8, 7, 1, 2, 1, 7, 2, 2, 2, 3};
    const double singular_targets[] = {7, -1, 1, 1, -4, 2, -2, -3, 1, 2, 1, 0};
    check_game(4, 3, singular, singular_targets, 0.5);
}

static void a_game_with_too_few_rounds_reports_its_residual(void)
{
    const double grams[] = {2, .5, .5, 3, 1, .2, .2, 2}, targets[] = {1, 2, 1.5, 1};
    linex_game_settings settings = linex_game_defaults();
    settings.gamma = 1;
    settings.solver = LINEX_SOLVER_PATH;
    for (size_t rounds = 1; rounds <= 4; rounds++) {
        double weights[2], strategies[4];
        linex_game_report report;
        settings.max_rounds = rounds;
        CHECK(linex_game_solve(2, 2, grams, targets, &settings, weights, strategies, &report) == LINEX_OK);
        CHECK(isfinite(report.residual));
        CHECK(report.converged == (rounds >= 3));
    }
}

static void numbers_that_are_not_finite_are_refused(void)
{
    const double grams[] = {1}, targets[] = {(double)NAN}, infinite[] = {(double)INFINITY}, unit[] = {1};
    double weight[1], strategy[1], moved;
    linex_game_report report;
    linex_game_settings settings = linex_game_defaults();
    settings.gamma = 1;
    CHECK(linex_game_solve(1, 1, grams, targets, &settings, weight, strategy, &report) == LINEX_BAD_ARGUMENT);
    CHECK(linex_game_solve(1, 1, infinite, unit, &settings, weight, strategy, &report) == LINEX_BAD_ARGUMENT);
    CHECK(linex_game_round(1, 1, grams, targets, 1, 1, strategy, &moved) == LINEX_BAD_ARGUMENT);
}

static void bad_games_are_refused(void)
{
    const double gram[] = {1}, flat[] = {0}, target[] = {1};
    double weight[1], strategy[1], moved;
    linex_game_report report;
    linex_game_settings settings = linex_game_defaults();
    CHECK(linex_game_solve(1, 1, gram, target, &settings, weight, strategy, &report) == LINEX_BAD_ARGUMENT);
    settings.gamma = 1;
    for (size_t i = 0; i < 3; i++) {
        settings.tolerance = (const double[]){0, 0.11, NAN}[i];
        CHECK(linex_game_solve(1, 1, gram, target, &settings, weight, strategy, &report) == LINEX_BAD_ARGUMENT);
    }
    settings.tolerance = 0.1;
    CHECK(linex_game_solve(0, 1, gram, target, &settings, weight, strategy, &report) == LINEX_BAD_ARGUMENT);
    CHECK(linex_game_solve(1, 1, flat, target, &settings, weight, strategy, &report) == LINEX_DEGENERATE);
    CHECK(linex_game_round(1, 1, gram, target, -1, 1, strategy, &moved) == LINEX_BAD_ARGUMENT);
}

/* The game of two near-singular integer Gram matrices whose path ended beyond the players' reach, and was certified. */
static void what_the_players_cannot_reach_is_not_certified(void)
{
    const double tiny = 1e-8;
    double grams[2 * 25] = {0, 0, 0,  0, 0,  0, 4, -2, 4, 4,  0,  -2, 1, -2, -2, 0, 4, -2, 4, 4, 0,  4,  -2, 4, 4,
                            4, 2, -2, 0, -4, 2, 1, -1, 0, -2, -2, -1, 1, 0,  2,  0, 0, 0,  0, 0, -4, -2, 2,  0, 4};
    const double targets[] = {1, -1, 1, 1, 1, 2, 1, 1, 1, 1};
    for (size_t i = 0; i < 2; i++)
        for (size_t c = 0; c < 5; c++) grams[i * 25 + c * 6] += tiny;
    linex_game_settings settings = linex_game_defaults();
    settings.gamma = 1;
    settings.solver = LINEX_SOLVER_PATH;
    double weights[5], strategies[10];
    linex_game_report report;
    CHECK(linex_game_solve(2, 5, grams, targets, &settings, weights, strategies, &report) == LINEX_OK);
    for (size_t c = 0; c < 5; c++) {
        CHECK(fabs(weights[c]) <= 2);
        if (report.converged) CHECK_NEAR(strategies[c] + strategies[5 + c], weights[c], 1e-9);
    }
}

/* One feature, both players want 4, gamma is 1. Nobody can gain at s = 2, but 2.1 is out of reach and 1.9 + 0 is no
 * split of 2. */
static void the_residual_shows_a_split_that_does_not_add_up(void)
{
    const double grams[] = {1, 1}, targets[] = {4, 4};
    const double honest[] = {1, 1}, beyond[] = {1.1, 1}, at_limit = 2, out_of_reach = 2.1;
    double residual = -1;
    CHECK(linex_game_residual(2, 1, grams, targets, 1, 0, &at_limit, honest, &residual) == LINEX_OK);
    CHECK(residual == 0);
    CHECK(linex_game_residual(2, 1, grams, targets, 1, 0, &out_of_reach, honest, &residual) == LINEX_OK);
    CHECK_NEAR(residual, 0.1, 1e-12);
    CHECK(linex_game_residual(2, 1, grams, targets, 1, 0, &out_of_reach, beyond, &residual) == LINEX_OK);
    CHECK_NEAR(residual, 0.1, 1e-12);
}

/* G s = b holds exactly for s = (1e8, 1e8), but the terms of 1e16 cancel. Without extra digits, the pull of 1 on the
 * first feature would be rounded to 0 or 2. */
static void the_residual_survives_cancellation(void)
{
    const double gram[] = {1e8, -1e8, -1e8, 1e8 + 1}, target[] = {1, 1e8};
    const double s[] = {1e8, 1e8};
    double residual = -1;
    CHECK(linex_game_residual(1, 2, gram, target, 1e9, 0, s, s, &residual) == LINEX_OK);
    CHECK_NEAR(residual * 1e8, 1e-8, 1e-16);
}

/* The path computes its system afresh now and then, which takes several slices. A limit of the work that is passed
 * meanwhile must end the path where it ends without slices. */
static void the_slices_do_not_decide_where_a_limit_ends_the_path(void)
{
    enum { SIZE = 30, PLAYERS = 2 };
    linex_random random = linex_random_seed(8);
    double *grams = malloc(PLAYERS * SIZE * SIZE * sizeof *grams), targets[PLAYERS * SIZE];
    for (size_t i = 0; i < PLAYERS; i++) random_gram(&random, SIZE, 12, 1e-3, grams + i * SIZE * SIZE);
    linex_random_normals(&random, PLAYERS * SIZE, targets);
    linex_game_settings settings = linex_game_defaults();
    settings.gamma = 3;
    settings.tolerance = 1e-30;
    size_t walked = 0;
    for (double most = 1e5; most < 1e6; most *= 1.01) {
        settings.max_work = most;
        double whole[SIZE], sliced[SIZE], strategies[PLAYERS * SIZE];
        linex_game_report first, second;
        linex_task *task = NULL;
        CHECK(linex_game_solve(PLAYERS, SIZE, grams, targets, &settings, whole, strategies, &first) == LINEX_OK);
        CHECK(linex_game_start(PLAYERS, SIZE, grams, targets, &settings, sliced, strategies, &second, &task) ==
              LINEX_OK);
        linex_status status = LINEX_UNFINISHED;
        while (status == LINEX_UNFINISHED) status = linex_task_run(task, 1);
        linex_task_free(task);
        CHECK(status == LINEX_OK && second.rounds == first.rounds);
        CHECK(memcmp(whole, sliced, sizeof whole) == 0);
        walked = walked > first.rounds ? walked : first.rounds;
    }
    CHECK(walked > 80);
    free(grams);
}

/* 100 features, 200 samples: a fit takes 100^2 * 200 / 2 + 100^3 / 6 multiply-adds. */
static void many_games_without_rest_share_the_work_of_one(void)
{
    const size_t size[][2] = {{100, 200}, {2000, 3000}};
    const double fits[] = {1e6 + 1e6 / 6, 2000. * 2000 * 3000 / 2 + 8e9 / 6};
    for (size_t i = 0; i < 2; i++) {
        double alone = linex_game_allowance(size[i][1], size[i][0], 0), spent = 0;
        CHECK_NEAR(alone, fmax(2e9, 200 * fits[i]), 1e-6 * alone);
        CHECK(linex_game_allowance(size[i][0], size[i][1], 0) == alone);
        for (size_t game = 0; game < 60; game++) spent += linex_game_allowance(size[i][1], size[i][0], spent);
        CHECK_NEAR(spent, alone + 59 * fmax(1e8, 20 * fits[i]), 1e-6 * alone);
        /* games that come to rest at once do not use it up */
        CHECK(linex_game_allowance(size[i][1], size[i][0], fits[i]) >= alone - fits[i]);
    }
}

/* One player, and preferences 10^14 times the bound. At the solution, two weights have the same price, so
 * b_0 - G_00 s_0 - G_04 s_4 = b_4 - G_04 s_0 - G_44 s_4 with s_0 + s_4 = l1. The pulls are rounded to halves, which is a
 * long move: nothing else may be certified. */
static void a_price_that_hides_a_move_by_rounding_is_not_certified(void)
{
    const double grams[] = {0.61750405190518631,
                            0.28849270664505666,
                            0.28849270664505666,
                            0,
                            0.3290113452188006,
                            0.28849270664505666,
                            0.67098865482252834,
                            0.6272285251215558,
                            0.35494327390599673,
                            0.027552674230145863,
                            0.28849270664505666,
                            0.6272285251215558,
                            0.62722852516288485,
                            0.33873581847649914,
                            0,
                            0,
                            0.35494327390599673,
                            0.33873581847649914,
                            0.35494327394732572,
                            0,
                            0.3290113452188006,
                            0.027552674230145863,
                            0,
                            0,
                            0.3565640194902755};
    double targets[] = {3290113452188009.5, 2.8718851296596428, 3.4132141410048615, -0.18952593192868716,
                        3290113452188005.5};
    const double l1 = 15, together = grams[0] - 2 * grams[4] + grams[24];
    const double first = (targets[0] - targets[4] + (grams[24] - grams[4]) * l1) / together;
    linex_game_settings settings = linex_game_defaults();
    settings.gamma = 1e8;
    settings.l1 = l1;
    settings.max_rounds = 400;
    settings.solver = LINEX_SOLVER_SWEEPS;
    double weights[5], strategies[5];
    linex_game_report report;
    CHECK(linex_game_solve(1, 5, grams, targets, &settings, weights, strategies, &report) == LINEX_OK);
    CHECK(!report.converged || fabs(weights[0] - first) < 1e-6);
    /* the same with targets whose digits suffice */
    for (size_t c = 0; c < 5; c += 4) targets[c] -= 3290113452186000;
    CHECK(linex_game_solve(1, 5, grams, targets, &settings, weights, strategies, &report) == LINEX_OK);
    CHECK(report.converged);
    CHECK_NEAR(weights[0], first, 1e-8);
}

int main(void)
{
    RUN(what_the_players_cannot_reach_is_not_certified);
    RUN(the_residual_shows_a_split_that_does_not_add_up);
    RUN(the_residual_survives_cancellation);
    RUN(a_hundred_random_games_end_at_an_equilibrium);
    RUN(sweeps_have_the_bits_of_their_definition);
    RUN(games_with_ties_are_solved);
    RUN(large_units_keep_all_digits);
    RUN(a_large_limit_does_not_change_the_solution);
    RUN(hard_ties_are_solved);
    RUN(a_game_with_too_few_rounds_reports_its_residual);
    RUN(numbers_that_are_not_finite_are_refused);
    RUN(a_price_that_hides_a_move_by_rounding_is_not_certified);
    RUN(bad_games_are_refused);
    RUN(many_games_without_rest_share_the_work_of_one);
    RUN(the_slices_do_not_decide_where_a_limit_ends_the_path);
    return checks_failed != 0;
}
