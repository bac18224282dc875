#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linex.h"
#include "random.h"

/* Shares nothing with the solver: the optimality conditions of each player's own problem, from its strategy.
 * Inside its limits a player's gradient is zero; at a limit it points outward. Returns the worst, as a move.
 */
static double worst_move(size_t players, size_t width, const double *grams, const double *targets,
                         double gamma, const double *strategies)
{
    double worst = 0;
    for (size_t i = 0; i < players; i++) {
        for (size_t c = 0; c < width; c++) {
            double gradient = -targets[i * width + c];
            for (size_t d = 0; d < width; d++)
                for (size_t j = 0; j < players; j++)
                    gradient += grams[(i * width + c) * width + d] * strategies[j * width + d];
            double own = strategies[i * width + c], move = -gradient / grams[(i * width + c) * width + c];
            if (own >= gamma && move > 0) move = 0;
            if (own <= -gamma && move < 0) move = 0;
            CHECK(fabs(own) <= gamma * (1 + 1e-12));
            worst = fmax(worst, fabs(move) / gamma);
        }
    }
    return worst;
}

static void random_gram(linex_random *random, size_t width, size_t rows, double ridge, double *gram)
{
    double *points = malloc(rows * width * sizeof *points);
    linex_random_normals(random, rows * width, points);
    for (size_t c = 0; c < width; c++) {
        for (size_t d = 0; d < width; d++) {
            double sum = c == d ? ridge : 0;
            for (size_t i = 0; i < rows; i++) sum += points[i * width + c] * points[i * width + d];
            gram[c * width + d] = sum / (double)rows;
        }
    }
    free(points);
}

/* The thousands are played in tests/game.test.js; these are for the sanitizers. */
static void hundred_random_games_end_at_an_equilibrium(void)
{
    const linex_random root = linex_random_seed(21);
    for (uint64_t game = 0; game < 100; game++) {
        linex_random random = linex_random_split(&root, game);
        size_t players = 1 + linex_random_below(&random, 5), width = 1 + linex_random_below(&random, 25);
        size_t rows = 5 + linex_random_below(&random, 40);
        double *grams = malloc(players * width * width * sizeof *grams);
        double *targets = malloc(players * width * sizeof *targets);
        double *weights = malloc(width * sizeof *weights),
               *strategies = malloc(players * width * sizeof *strategies);
        for (size_t i = 0; i < players; i++)
            random_gram(&random, width, rows, 0.01, grams + i * width * width);
        linex_random_normals(&random, players * width, targets);
        for (int solver = LINEX_SOLVER_AUTO; solver <= LINEX_SOLVER_PATH; solver++) {
            linex_game_settings settings = linex_game_defaults();
            linex_game_report report;
            settings.gamma = 0.01 + linex_random_uniform(&random);
            settings.solver = (linex_solver)solver;
            settings.max_rounds = solver == LINEX_SOLVER_SWEEPS ? 100 : 0;
            CHECK(linex_game_solve(players, width, grams, targets, &settings, weights, strategies, &report) ==
                  LINEX_OK);
            double worst = worst_move(players, width, grams, targets, settings.gamma, strategies);
            CHECK_NEAR(report.residual, worst, 1e-9);
            if (solver != LINEX_SOLVER_SWEEPS) CHECK(report.converged && worst <= 1e-9);
        }
        free(grams);
        free(targets);
        free(weights);
        free(strategies);
    }
}

/* Players who see the same have ties in everything; so has a symmetric design. */
static void ties_are_no_obstacle(void)
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
                CHECK(linex_game_solve(players, 2, same, targets[t], &settings, weights, strategies,
                                       &report) == LINEX_OK);
                CHECK(report.converged);
                if (bounded) CHECK(fabs(weights[0]) + fabs(weights[1]) <= 0.1 * (1 + 1e-9));
            }
        }
    }
}

static void bad_games_are_refused(void)
{
    const double gram[] = {1}, flat[] = {0}, target[] = {1};
    double weight[1], strategy[1], moved;
    linex_game_report report;
    linex_game_settings settings = linex_game_defaults();
    CHECK(linex_game_solve(1, 1, gram, target, &settings, weight, strategy, &report) == LINEX_BAD_ARGUMENT);
    settings.gamma = 1;
    CHECK(linex_game_solve(0, 1, gram, target, &settings, weight, strategy, &report) == LINEX_BAD_ARGUMENT);
    CHECK(linex_game_solve(1, 1, flat, target, &settings, weight, strategy, &report) == LINEX_DEGENERATE);
    CHECK(linex_game_round(1, 1, gram, target, -1, 1, strategy, &moved) == LINEX_BAD_ARGUMENT);
}

int main(void)
{
    RUN(hundred_random_games_end_at_an_equilibrium);
    RUN(ties_are_no_obstacle);
    RUN(bad_games_are_refused);
    return checks_failed != 0;
}
