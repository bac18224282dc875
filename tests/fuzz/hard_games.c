/* hard_games.c: games that are hard to solve or to certify, made from the bytes of an execution. */
#include "hard_games.h"

#include "fuzz_support.h"

/* The number of players and of features. */
static void choose_shape(hard_game *game, size_t least)
{
    game->players = fuzz_between(least, HARD_GAME_PLAYERS);
    game->feature_count = fuzz_between(least, HARD_GAME_FEATURES);
}

/* G = F F' + 1e-8 I, with a factor F of few columns and entries -2 .. 2. */
static void make_low_rank_gram(size_t size, double diagonal, double *gram)
{
    double factor[HARD_GAME_FEATURES * HARD_GAME_FEATURES];
    size_t rank = fuzz_between(1, size);
    for (size_t i = 0; i < size * rank; i++) factor[i] = (double)fuzz_below(5) - 2;
    for (size_t c = 0; c < size; c++)
        for (size_t d = 0; d < size; d++) {
            double sum = c == d ? diagonal : 0;
            for (size_t r = 0; r < rank; r++) sum += factor[c * rank + r] * factor[d * rank + r];
            gram[c * size + d] = sum;
        }
}

static void copy_first_player(hard_game *game)
{
    size_t size = game->feature_count;
    memcpy(game->grams + size * size, game->grams, size * size * sizeof *game->grams);
    if (fuzz_rarely(2)) memcpy(game->targets + size, game->targets, size * sizeof *game->targets);
}

static void make_low_rank(hard_game *game, double diagonal)
{
    choose_shape(game, 2);
    size_t size = game->feature_count;
    for (size_t i = 0; i < game->players; i++) make_low_rank_gram(size, diagonal, game->grams + i * size * size);
    for (size_t i = 0; i < game->players * size; i++) game->targets[i] = (double)fuzz_below(7) - 3;
    if (fuzz_rarely(8)) copy_first_player(game);
}

void hard_game_near_singular(hard_game *game)
{
    make_low_rank(game, 1e-8);
    game->settings = linex_game_defaults();
    game->settings.gamma = 1;
}

/* Eight bytes a number, so that a known game can be written into the corpus. */
static void read_verbatim(hard_game *game)
{
    choose_shape(game, 1);
    double *const arrays[] = {game->grams, game->targets, &game->settings.gamma};
    size_t crosses = game->players * game->feature_count;
    const size_t counts[] = {crosses * game->feature_count, crosses, 1};
    for (size_t a = 0; a < 3; a++)
        for (size_t i = 0; i < counts[a]; i++) {
            uint64_t bits = fuzz_bits();
            memcpy(arrays[a] + i, &bits, sizeof bits);
        }
}

/* A diagonally dominant matrix of any numbers; in a wild execution, any matrix. */
static void make_any_gram(size_t size, double *gram)
{
    for (size_t c = 0; c < size; c++)
        for (size_t d = 0; d <= c; d++) gram[c * size + d] = gram[d * size + c] = fuzz_number();
    if (fuzz_is_wild() && fuzz_rarely(2)) return;
    for (size_t c = 0; c < size; c++) {
        double sum = fabs(gram[c * size + c]);
        for (size_t d = 0; d < size; d++) sum += d != c ? fabs(gram[c * size + d]) : 0;
        gram[c * size + c] = sum > 0 && sum <= DBL_MAX ? sum : 1;
    }
}

static void make_any(hard_game *game)
{
    choose_shape(game, 1);
    size_t size = game->feature_count;
    for (size_t i = 0; i < game->players; i++) make_any_gram(size, game->grams + i * size * size);
    for (size_t i = 0; i < game->players * size; i++) game->targets[i] = fuzz_number();
    if (game->players > 1 && fuzz_rarely(4)) copy_first_player(game);
}

static double choose_gamma(void)
{
    static const double gammas[] = {1, 0.5, 2, 0.25, 1e-3, 1e3, 1e-8, 1e8, 1e-300, 1e300, 4.9e-324};
    size_t choice = fuzz_below(sizeof gammas / sizeof *gammas + 1);
    return choice < sizeof gammas / sizeof *gammas ? gammas[choice] : fuzz_positive();
}

static void choose_settings(hard_game *game)
{
    static const double tolerances[] = {1e-9, 1e-12, 1e-6, 1e-3, 1e-15};
    linex_game_settings *settings = &game->settings;
    *settings = linex_game_defaults();
    settings->gamma = choose_gamma();
    settings->solver = (linex_solver)fuzz_choice(4);
    if (fuzz_rarely(3)) settings->l1 = fuzz_positive();
    if (fuzz_rarely(4)) settings->tolerance = tolerances[fuzz_below(5)];
    if (fuzz_is_wild() && fuzz_rarely(16)) settings->tolerance = fuzz_number();
    if (fuzz_rarely(4)) settings->max_rounds = fuzz_below(65536);
    /* Algorithm 1 may cycle; all of its rounds would take minutes under the sanitizers. */
    if (settings->solver == LINEX_SOLVER_BEST_RESPONSE) {
        settings->max_rounds = fuzz_rarely(4) ? fuzz_between(1, 24) : fuzz_between(1, 4);
        settings->max_work = settings->max_rounds > 20 ? 1e7 : 3e5;
    } else if (settings->max_rounds == 0 || settings->max_rounds > 500)
        settings->max_rounds = 500;
}

void hard_game_condition(hard_game *game)
{
    size_t size = game->feature_count;
    for (size_t row = 0; row < game->players * size; row++) {
        double sum = 0;
        for (size_t d = 0; d < size; d++) sum += fabs(game->grams[row * size + d]);
        if (sum <= DBL_MAX / 2) game->grams[row * size + row % size] += sum;
    }
}

void hard_game_any(hard_game *game)
{
    static const double diagonals[] = {1e-8, 1e-4, 1e-12, 1};
    choose_settings(game);
    switch (fuzz_below(4)) {
    case 0:
        read_verbatim(game);
        break;
    case 1:
        make_any(game);
        break;
    default:
        make_low_rank(game, diagonals[fuzz_below(4)]);
    }
    if (game->settings.solver == LINEX_SOLVER_BEST_RESPONSE) hard_game_condition(game);
}
