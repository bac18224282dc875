/* wide_play.c: plays the games of wide fits without Gram matrices. */
#include "explain/wide_play.h"

#include <string.h>

#include "wide/wide_game.h"

static linex_status play(linex_fits *fits, uint64_t draw, linex_outcome *outcome, linex_slice *slice)
{
    size_t size = fits->size;
    if (!fits->wide_game) {
        fits->wide_game = linex_wide_new(&fits->points, fits->samples->answers, fits->players, fits->weights,
                                         linex_fits_are_centered(fits->settings), fits->ridge,
                                         fits->settings->game.gamma, fits->settings->game.tolerance);
        if (!fits->wide_game) return LINEX_NO_MEMORY;
        linex_wide_limit(fits->wide_game, linex_fits_allowance(fits, draw));
    }
    linex_status status = linex_wide_solve(fits->wide_game, slice);
    if (status == LINEX_UNFINISHED) return status;
    if (!status) {
        memcpy(outcome->weights, linex_wide_weights(fits->wide_game), size * sizeof *outcome->weights);
        memcpy(outcome->strategies, linex_wide_strategies(fits->wide_game),
               fits->players * size * sizeof *outcome->strategies);
        outcome->gamma = linex_wide_gamma(fits->wide_game);
        outcome->report = linex_wide_report(fits->wide_game);
        if (draw == 0) fits->certified_ridge = linex_wide_certified_ridge(fits->wide_game);
    }
    fits->spent += linex_wide_work(fits->wide_game);
    linex_wide_free(fits->wide_game);
    fits->wide_game = NULL;
    return status;
}

const linex_wide_player *linex_fits_wide_player(void)
{
    static const linex_wide_player player = {play, linex_wide_free};
    return &player;
}
