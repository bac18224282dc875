/* wide_rounding_test.c: what rounding takes from a wide game is not certified. */
#include <string.h>

#include "wide/wide_games.h"

/* The answers then are so much larger than gamma that their rounding is as large as a move. */
static void a_tiny_gamma_is_not_certified_beyond_rounding(void)
{
    size_t certified = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        game played = make_game(seed % 2 ? MASKS : PIXELS, 40, 60, 2 + seed % 3, seed % 5 != 0, 0.1, seed);
        linex_wide *wide = solve(&played, seed % 4 < 2 ? 1e-12 : 1e-4);
        bool converged = linex_wide_report(wide).converged;
        CHECK(!converged || violation(&played, wide) <= 1e-9);
        certified += converged;
        refused += !converged;
        linex_wide_free(wide);
        close_game(&played);
    }
    CHECK(certified == 6 && refused == 6);
}

/* One sample has an outlier in the first column, and only the last player sees it: alone, or with others. Centering by
 * the mean of all samples takes digits from the values of the other players. */
static game make_outlier(double outlier, size_t others, uint64_t seed)
{
    game played = make_game(PIXELS, 40, 60, 2 + seed % 2, true, 2, seed);
    double *last = played.weights + (played.players - 1) * played.points.count;
    memset(last, 0, played.points.count * sizeof *last);
    for (size_t j = 0; j <= others; j++) last[j] = 1;
    for (size_t i = 0; i + 1 < played.players; i++) played.weights[i * played.points.count] = 0;
    played.values[0] = outlier;
    return played;
}

static void an_outlier_of_another_player_gives_no_false_certificate(void)
{
    static const double outliers[] = {1e3, 1e10, 1e14, 1e18, 1e120, 1e154, 1e200, -1.7e308};
    size_t certified = 0;
    for (size_t o = 0; o < sizeof outliers / sizeof *outliers; o++)
        for (uint64_t seed = 1; seed <= 12; seed++) {
            game played = make_outlier(outliers[o], seed % 3 ? 0 : 5, seed);
            linex_wide *wide = new_game(&played, seed % 2 ? 0 : 1);
            linex_slice slice = linex_slice_endless();
            linex_status status = linex_wide_solve(wide, &slice);
            CHECK(status == LINEX_OK || status == LINEX_OVERFLOW || status == LINEX_DEGENERATE);
            bool converged = !status && linex_wide_report(wide).converged;
            CHECK(!converged || violation(&played, wide) <= 1e-9);
            certified += converged && outliers[o] == 1e3;
            linex_wide_free(wide);
            close_game(&played);
        }
    CHECK(certified == 12);
}

int main(void)
{
    RUN(a_tiny_gamma_is_not_certified_beyond_rounding);
    RUN(an_outlier_of_another_player_gives_no_false_certificate);
    return checks_failed != 0;
}
