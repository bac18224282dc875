/* near_singular_games.c: plays millions of near-singular games and counts certificates that are not true.
 *
 *     near_singular_games [--games N] [--first I] [--seed S] [--solver 0..3]
 *
 * Game i depends only on the seed and on i, so a game is replayed by --first i --games 1. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "certificate_check.h"
#include "fuzz_support.h"
#include "hard_games.h"

enum { BYTES = 256, MOST_SHOWN = 5 };

/* fuzz_support.c wants a harness. */
void fuzz_room(void) {}

static uint64_t next_random(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

static void make_game(uint64_t seed, uint64_t index, hard_game *game)
{
    uint8_t bytes[BYTES];
    uint64_t state = seed * UINT64_C(0xd1342543de82ef95) + index * UINT64_C(0xa0761d6478bd642f);
    for (size_t i = 0; i < BYTES; i += 8) {
        uint64_t bits = next_random(&state);
        memcpy(bytes + i, &bits, sizeof bits);
    }
    bytes[0] = 0; /* tame, and no allocation fails */
    fuzz_open(bytes, BYTES, 0);
    hard_game_near_singular(game);
}

static void print_numbers(const char *name, size_t count, const double *numbers)
{
    printf("  %s:", name);
    for (size_t i = 0; i < count; i++) printf(" %.17g", numbers[i]);
    printf("\n");
}

static void print_fault(uint64_t index, const char *fault, const hard_game *game, const double *weights,
                        const double *strategies, const linex_game_report *report)
{
    size_t players = game->players, size = game->feature_count;
    printf("game %" PRIu64 ": %s (residual %g)\n", index, fault, report->residual);
    print_numbers("grams", players * size * size, game->grams);
    print_numbers("targets", players * size, game->targets);
    print_numbers("weights", size, weights);
    print_numbers("strategies", players * size, strategies);
}

static uint64_t number_after(int count, char **words, const char *name, uint64_t fallback)
{
    for (int i = 1; i + 1 < count; i++)
        if (strcmp(words[i], name) == 0) return strtoull(words[i + 1], NULL, 10);
    return fallback;
}

int main(int count, char **words)
{
    uint64_t games = number_after(count, words, "--games", 100000), seed = number_after(count, words, "--seed", 1);
    uint64_t first = number_after(count, words, "--first", 0), uncertified = 0, faults = 0;
    linex_solver solver = (linex_solver)number_after(count, words, "--solver", LINEX_SOLVER_AUTO);
    for (uint64_t index = first; index < first + games; index++) {
        hard_game game;
        double weights[HARD_GAME_FEATURES], strategies[HARD_GAME_PLAYERS * HARD_GAME_FEATURES];
        linex_game_report report;
        make_game(seed, index, &game);
        game.settings.solver = solver;
        if (solver == LINEX_SOLVER_BEST_RESPONSE) game.settings.max_rounds = 20;
        linex_status status = linex_game_solve(game.players, game.feature_count, game.grams, game.targets,
                                               &game.settings, weights, strategies, &report);
        const char *fault = "the game is refused";
        if (!status)
            fault = certificate_fault(game.players, game.feature_count, game.grams, game.targets, &game.settings,
                                      weights, strategies, &report);
        if (fault && faults++ < MOST_SHOWN) print_fault(index, fault, &game, weights, strategies, &report);
        uncertified += !status && !report.converged;
    }
    printf("seed %" PRIu64 ": %" PRIu64 " games, %" PRIu64 " false certificates, %" PRIu64 " uncertified\n", seed,
           games, faults, uncertified);
    return faults > 0;
}
