/* settings.c: the settings of each preset, and whether settings are in their range. */
#include "explain/settings.h"

#include <math.h>

linex_settings linex_preset(linex_preset_kind preset)
{
    linex_settings settings = {
        .selection = LINEX_SELECT_LEADING,
        .ridge = LINEX_RIDGE_AUTO,
        .environments = {.kind = LINEX_HALVES, .players = 2},
        .game = linex_game_defaults(),
        .games = 60,
        .agreement = 0.9,
        .draws = 60,
    };
    switch (preset) {
    case LINEX_STEADY:
        return settings;
    case LINEX_PAPER:
        settings.selection = LINEX_SELECT_AUTO;
        settings.environments.kind = LINEX_BOOTSTRAP;
        settings.games = 1;
        settings.agreement = 0;
        settings.draws = 200;
        settings.adjust = LINEX_ADJUST_NONE;
        settings.weight = LINEX_WEIGHT_GAMES;
        return settings;
    case LINEX_STRICT:
        settings.environments.kind = LINEX_SIDES;
        settings.agreement = 1;
        return settings;
    }
    return (linex_settings){0};
}

linex_settings linex_defaults(void)
{
    return linex_preset(LINEX_STEADY);
}

static bool choices_are_known(const linex_settings *settings)
{
    return settings->method >= LINEX_METHOD_LINEX && settings->method <= LINEX_METHOD_SMOOTHED &&
           settings->smoothing >= LINEX_SMOOTH_MEAN && settings->smoothing <= LINEX_SMOOTH_MEDIAN_OF_MEANS &&
           settings->weight >= LINEX_WEIGHT_FIT && settings->weight <= LINEX_WEIGHT_GAMES &&
           settings->adjust >= LINEX_ADJUST_AUTO && settings->adjust <= LINEX_ADJUST_NONE &&
           settings->selection >= LINEX_SELECT_AUTO && settings->selection <= LINEX_SELECT_LEADING &&
           settings->intercept >= LINEX_INTERCEPT_FREE && settings->intercept <= LINEX_INTERCEPT_NONE &&
           settings->game.solver >= LINEX_SOLVER_AUTO && settings->game.solver <= LINEX_SOLVER_BEST_RESPONSE;
}

bool linex_settings_are_good(const linex_settings *settings)
{
    const linex_game_settings *game = &settings->game;
    return choices_are_known(settings) && (settings->ridge >= 0 || settings->ridge == LINEX_RIDGE_AUTO) &&
           isfinite(settings->ridge) && settings->games >= 1 && settings->environments.players >= 1 &&
           settings->agreement >= 0 && settings->agreement <= 1 &&
           (settings->agreement == 0 || settings->draws > 0) && game->gamma >= 0 && isfinite(game->gamma) &&
           game->l1 > 0 && game->tolerance > 0 && game->tolerance <= LINEX_MOST_TOLERANCE;
}
