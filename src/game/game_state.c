/* game_state.c: checks a game and computes the pulls of its players. */
#include "game/game_state.h"

#include "base/matrix.h"

linex_status linex_game_check(size_t players, size_t feature_count, const double *grams, const double *targets,
                              double gamma, double l1)
{
    if (!players || !feature_count || !grams || !targets || !(gamma > 0) || !isfinite(gamma) || !(l1 > 0))
        return LINEX_BAD_ARGUMENT;
    size_t pairs = players * feature_count;
    if (!linex_all_finite(pairs * feature_count, grams) || !linex_all_finite(pairs, targets))
        return LINEX_BAD_ARGUMENT;
    for (size_t i = 0; i < pairs; i++)
        if (!(grams[i * feature_count + i % feature_count] > 0)) return LINEX_DEGENERATE;
    return LINEX_OK;
}

void linex_pulls_take(size_t players, size_t feature_count, const double *grams, const double *targets,
                      const double *weights, double *pull)
{
    for (size_t i = 0; i < players * feature_count; i++)
        pull[i] = targets[i] - linex_dot(feature_count, grams + i * feature_count, weights);
}
