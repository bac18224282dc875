/* wide_game_test.c: wide games, compared with solvers that have the Gram matrices and with the definition of an
 * equilibrium. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "matrices/moments.h"
#include "wide/wide_games.h"

/* The linker puts these in place of malloc and calloc. The allocation with this number fails; 0 for none. */
static size_t failing = 0;
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

static bool fails(void)
{
    return failing > 0 && --failing == 0;
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __real_calloc(count, bytes);
}

/* The same game with its Gram matrices, and each environment's fit. */
typedef struct {
    double *grams, *targets, largest;
} explicit_game;

static explicit_game make_explicit(const game *played)
{
    size_t count = played->points.count, features = played->points.feature_count;
    explicit_game made = {calloc(played->players * features * features, sizeof(double)),
                          calloc(played->players * features, sizeof(double)), 0};
    double *mean = malloc(features * sizeof *mean), *fit = malloc(features * sizeof *fit);
    double *scratch = linex_alloc_doubles(linex_moments_scratch(features));
    for (size_t i = 0; i < played->players; i++) {
        linex_moments moments = {.gram = made.grams + i * features * features,
                                 .cross = made.targets + i * features,
                                 .mean = mean,
                                 .scratch = scratch};
        linex_moments_take(&played->points, played->answers, played->weights + i * count, played->centered,
                           played->ridge, &moments);
        CHECK(linex_ridge_solve(features, moments.gram, moments.cross, fit) == LINEX_OK);
        for (size_t c = 0; c < features; c++) made.largest = fmax(made.largest, fabs(fit[c]));
    }
    free(mean);
    free(fit);
    free(scratch);
    return made;
}

/* Solves the explicit game and compares s. */
static void compare_with_explicit(const game *played, const linex_wide *wide, bool gamma_was_chosen)
{
    size_t features = played->points.feature_count;
    explicit_game made = make_explicit(played);
    double gamma = linex_wide_gamma(wide);
    double *weights = malloc(features * sizeof *weights);
    double *strategies = malloc(played->players * features * sizeof *strategies);
    linex_game_settings settings = linex_game_defaults();
    linex_game_report report;
    settings.gamma = gamma;
    settings.solver = LINEX_SOLVER_PATH;
    if (gamma_was_chosen) CHECK_NEAR(gamma, made.largest, 1e-9 * gamma);
    CHECK(linex_game_solve(played->players, features, made.grams, made.targets, &settings, weights, strategies,
                           &report) == LINEX_OK);
    CHECK(report.converged);
    for (size_t c = 0; c < features; c++) CHECK_NEAR(linex_wide_weights(wide)[c], weights[c], 1e-8 * gamma);
    free(weights);
    free(strategies);
    free(made.grams);
    free(made.targets);
}

static void games_of_every_kind_have_the_equilibrium_of_the_gram_matrices(void)
{
    const size_t sizes[][2] = {{20, 30}, {40, 33}, {25, 90}, {70, 60}, {60, 71}};
    uint64_t seed = 1;
    for (kind made = MASKS; made <= REPEATED; made++)
        for (size_t size = 0; size < 5; size++)
            for (size_t players = 2; players <= 5; players++) {
                bool centered = (seed + players) % 3 != 0;
                game played =
                    make_game(made, sizes[size][0], sizes[size][1], players, centered, seed % 2 ? 0.3 : 0.1, seed);
                linex_wide *wide = solve(&played, 0);
                check_solved(&played, wide);
                compare_with_explicit(&played, wide, true);
                linex_wide_free(wide);
                close_game(&played);
                seed++;
            }
}

static void large_games_are_solved(void)
{
    const size_t sizes[][2] = {{100, 300}, {150, 200}, {150, 140}, {40, 300}};
    for (size_t size = 0; size < 4; size++)
        for (kind made = MASKS; made <= REPEATED; made++) {
            game played = make_game(made, sizes[size][0], sizes[size][1], made == PIXELS ? 4 : 2, true, 0.1, 77);
            linex_wide *wide = solve(&played, 0);
            check_solved(&played, wide);
            linex_wide_free(wide);
            close_game(&played);
        }
}

/* A small gamma keeps many features on the grid. */
static void a_given_gamma_limits_every_player(void)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        game played = make_game(seed % 2 ? MASKS : PIXELS, 40, 60, 2 + seed % 3, true, 0.1, seed);
        linex_wide *free_game = solve(&played, 0);
        double gamma = 0.05 * linex_wide_gamma(free_game);
        linex_wide *wide = solve(&played, gamma);
        size_t limited = 0;
        CHECK(linex_wide_gamma(wide) == gamma);
        check_solved(&played, wide);
        compare_with_explicit(&played, wide, false);
        for (size_t c = 0; c < 60; c++) limited += fabs(linex_wide_weights(wide)[c]) >= gamma;
        CHECK(limited > 0);
        linex_wide_free(free_game);
        linex_wide_free(wide);
        close_game(&played);
    }
}

static void an_environment_without_weight_prefers_zero(void)
{
    for (size_t empty = 0; empty < 3; empty++) {
        game played = make_game(MASKS, 30, 50, 3, true, 0.2, 5);
        memset(played.weights + empty * 30, 0, 30 * sizeof *played.weights);
        linex_wide *wide = solve(&played, 0);
        check_solved(&played, wide);
        compare_with_explicit(&played, wide, true);
        linex_wide_free(wide);
        close_game(&played);
    }
}

static void equal_environments_agree_on_their_fit(void)
{
    game played = make_game(PIXELS, 30, 50, 4, true, 0.1, 6);
    for (size_t i = 1; i < 4; i++) memcpy(played.weights + i * 30, played.weights, 30 * sizeof *played.weights);
    linex_wide *wide = solve(&played, 0);
    check_solved(&played, wide);
    compare_with_explicit(&played, wide, true);
    linex_wide_free(wide);
    close_game(&played);
}

static void a_column_that_does_not_vary_has_weight_zero(void)
{
    game played = make_game(REPEATED, 30, 50, 2, true, 0.1, 7);
    linex_wide *wide = solve(&played, 0);
    for (size_t c = 9; c < 50; c += 10) CHECK(linex_wide_weights(wide)[c] == 0);
    linex_wide_free(wide);
    close_game(&played);
}

static void answers_or_points_that_do_not_vary_give_zeros(void)
{
    for (size_t constant = 0; constant < 3; constant++) {
        game played = make_game(MASKS, 20, 30, 2, true, 0.1, 8);
        for (size_t j = 0; constant == 0 && j < 20; j++) played.answers[j] = 0.1;
        if (constant == 1) memset(played.masks, 1, 600);
        if (constant == 2) memset(played.weights, 0, 40 * sizeof *played.weights);
        linex_wide *wide = solve(&played, 0);
        CHECK(linex_wide_report(wide).converged);
        for (size_t c = 0; c < 30; c++)
            CHECK(linex_wide_weights(wide)[c] == 0 && linex_wide_strategies(wide)[c] == 0);
        linex_wide_free(wide);
        close_game(&played);
    }
}

/* Solves a game with slices of this much work, and compares every bit with the game solved in one go. */
static void compare_slices(const game *played, double work, double limit)
{
    linex_wide *whole = new_game(played, 0), *sliced = new_game(played, 0);
    size_t features = played->points.feature_count;
    linex_slice slice = linex_slice_endless();
    linex_status status;
    double before = 0;
    linex_wide_limit(whole, limit);
    linex_wide_limit(sliced, limit);
    CHECK(linex_wide_solve(whole, &slice) == LINEX_OK);
    do {
        slice.left = work;
        status = linex_wide_solve(sliced, &slice);
        CHECK(linex_wide_progress(sliced) >= before && linex_wide_progress(sliced) <= 1);
        before = linex_wide_progress(sliced);
    } while (status == LINEX_UNFINISHED);
    CHECK(status == LINEX_OK);
    linex_game_report first = linex_wide_report(whole), second = linex_wide_report(sliced);
    CHECK(first.converged == second.converged && first.rounds == second.rounds);
    CHECK(first.residual == second.residual && first.median_residual == second.median_residual);
    CHECK(linex_wide_certified_ridge(whole) == linex_wide_certified_ridge(sliced));
    CHECK(!memcmp(linex_wide_weights(whole), linex_wide_weights(sliced), features * sizeof(double)));
    CHECK(!memcmp(linex_wide_strategies(whole), linex_wide_strategies(sliced),
                  played->players * features * sizeof(double)));
    linex_wide_free(whole);
    linex_wide_free(sliced);
}

static void slices_do_not_change_a_bit(void)
{
    const double works[] = {1, 1000, 1e6};
    for (size_t q = 0; q < 3; q++)
        for (size_t size = 0; size < 2; size++) {
            game played = make_game(PIXELS, size ? 60 : 30, 50, 3, true, 0.1, 9 + size);
            compare_slices(&played, works[q], (double)INFINITY);
            played.ridge *= 1e-5; /* needs the path and the ladder, and gives up */
            compare_slices(&played, works[q], 1e7);
            close_game(&played);
        }
}

static void a_slice_that_has_ended_does_not_change_a_bit(void)
{
    for (size_t seed = 0; seed < 40; seed++) {
        game played = make_game(PIXELS, 60, 50, 2, true, 0.1, seed);
        linex_wide *whole = new_game(&played, 0), *paused = new_game(&played, 0);
        linex_slice slice = linex_slice_endless(), ended = {0};
        CHECK(linex_wide_solve(whole, &slice) == LINEX_OK);
        for (size_t i = 0; i < 3; i++) CHECK(linex_wide_solve(paused, &ended) == LINEX_UNFINISHED);
        CHECK(linex_wide_solve(paused, &slice) == LINEX_OK);
        CHECK(!memcmp(linex_wide_weights(whole), linex_wide_weights(paused),
                      played.points.feature_count * sizeof(double)));
        linex_wide_free(whole);
        linex_wide_free(paused);
        close_game(&played);
    }
}

/* With a tiny ridge and halves as environments, no step settles soon. */
static void a_game_gives_up_at_its_limit_and_names_a_ridge(void)
{
    game played = make_game(MASKS, 60, 80, 4, true, 1e-7, 11);
    linex_wide *wide = new_game(&played, 0);
    linex_slice slice = linex_slice_endless();
    linex_wide_limit(wide, 1e8);
    CHECK(linex_wide_solve(wide, &slice) == LINEX_OK);
    linex_game_report report = linex_wide_report(wide);
    double certified = linex_wide_certified_ridge(wide);
    CHECK(!report.converged && report.residual > 1e-9 && isfinite(report.residual));
    CHECK(certified > played.ridge && linex_wide_work(wide) < 1e9);
    double gamma = linex_wide_gamma(wide);
    linex_wide_free(wide);
    played.ridge = certified;
    wide = solve(&played, gamma);
    check_solved(&played, wide);
    linex_wide_free(wide);
    close_game(&played);
}

/* The address sanitizer reports what is not released. */
static void every_allocation_may_fail(void)
{
    for (size_t size = 0; size < 2; size++) {
        game played = make_game(PIXELS, size ? 40 : 20, 30, 2, true, 1e-6, 12);
        bool finished = false;
        for (size_t number = 1; !finished; number++) {
            linex_slice slice = linex_slice_endless();
            failing = number;
            linex_wide *wide = new_game(&played, 0);
            if (wide) {
                linex_wide_limit(wide, 1e7);
                linex_status status = linex_wide_solve(wide, &slice);
                finished = status == LINEX_OK && failing > 0;
                CHECK(finished || status == LINEX_NO_MEMORY);
            }
            CHECK(number < 100);
            failing = 0;
            linex_wide_free(wide);
        }
        close_game(&played);
    }
}

static void the_energy_is_the_median_over_columns_that_vary(void)
{
    const double values[] = {1, 5, 0, 7, 3, 5, 2, 7, 9, 5, 4, 8}, weights[] = {1, 1, 0};
    const linex_points points = {3, 4, values, NULL};
    double scratch[12];
    /* centered: 2, 0, 2, 0 without the last sample, which has no weight; the zeros do not count */
    CHECK_NEAR(linex_wide_energy(&points, weights, true, scratch), 2, 1e-15);
    /* not centered: 10, 50, 4, 98 */
    CHECK_NEAR(linex_wide_energy(&points, weights, false, scratch), 30, 1e-13);
    CHECK(linex_wide_energy(&points, (const double[]){0, 0, 0}, true, scratch) == 0);
}

int main(void)
{
    RUN(games_of_every_kind_have_the_equilibrium_of_the_gram_matrices);
    RUN(large_games_are_solved);
    RUN(a_given_gamma_limits_every_player);
    RUN(an_environment_without_weight_prefers_zero);
    RUN(equal_environments_agree_on_their_fit);
    RUN(a_column_that_does_not_vary_has_weight_zero);
    RUN(answers_or_points_that_do_not_vary_give_zeros);
    RUN(slices_do_not_change_a_bit);
    RUN(a_slice_that_has_ended_does_not_change_a_bit);
    RUN(a_game_gives_up_at_its_limit_and_names_a_ridge);
    RUN(every_allocation_may_fail);
    RUN(the_energy_is_the_median_over_columns_that_vary);
    return checks_failed != 0;
}
