/* game_state.c: checks a game and computes the pulls of its players. */
#include "solvers/game_state.h"

#include "matrices/matrix.h"

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

linex_status linex_pulls_advance(size_t players, size_t feature_count, const double *grams, const double *targets,
                                 const double *weights, double *pull, linex_cursor *at, linex_slice *slice)
{
    for (; at->row < players; at->row++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        const size_t first = at->row * feature_count;
        linex_matrix_apply(feature_count, grams + first * feature_count, weights, pull + first);
        for (size_t i = first; i < first + feature_count; i++) pull[i] = targets[i] - pull[i];
        linex_slice_use(slice, (double)feature_count * (double)feature_count);
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}
