/* certificate.c: splits s among the players and measures how far the split is from an equilibrium. */
#include "game/certificate.h"

#include <float.h>

#include "base/matrix.h"

/* How many players prefer a larger value than player i. Equal preferences rank by player number. */
static size_t rank_of(const linex_game *game, size_t i)
{
    size_t rank = 0;
    for (size_t j = 0; j < game->players; j++)
        rank +=
            game->preferences[j] > game->preferences[i] || (game->preferences[j] == game->preferences[i] && j < i);
    return rank;
}

/* If s_c is a point of the grid -k gamma, -(k-2) gamma, .., k gamma, every player can be at a limit: the right number
 * at +gamma, the others at -gamma. Returns false, without a split, if s_c is not on the grid or if every player
 * prefers exactly s_c. */
static bool split_at_grid(const linex_game *game, size_t feature, double *strategies)
{
    double total = game->weights[feature], level = rint(total / game->gamma), players = (double)game->players;
    bool content = true;
    for (size_t i = 0; i < game->players; i++) content = content && game->preferences[i] == total;
    if (content || level * game->gamma != total || fabs(level) > players || fmod(players + level, 2) != 0)
        return false;
    size_t above = (size_t)((players + level) / 2);
    for (size_t i = 0; i < game->players; i++)
        strategies[i * game->feature_count + feature] = rank_of(game, i) < above ? game->gamma : -game->gamma;
    return true;
}

/* Splits s_c among the players. A player that prefers more than s_c is at +gamma, one that prefers less at
 * -gamma, and the players at the margin share the rest. */
static void split_feature(const linex_game *game, size_t feature, double *strategies)
{
    size_t players = game->players;
    double total = game->weights[feature], gamma = game->gamma, margin = 0;
    for (size_t i = 0; i < players; i++)
        game->preferences[i] = linex_game_preference(game, i, feature, game->pull[i * game->feature_count + feature]);
    if (split_at_grid(game, feature, strategies)) return;

    double pushes = fmin(fmax(floor((total / gamma + (double)players) / 2), 0), (double)(players - 1));
    for (size_t i = 0; i < players; i++)
        if (rank_of(game, i) == (size_t)pushes) margin = game->preferences[i];
    double tie = 1e-12 * fmax(fabs(total), fabs(margin)), rest = total;
    size_t sharing = 0;
    for (size_t i = 0; i < players; i++) {
        double difference = game->preferences[i] - margin;
        if (fabs(difference) <= tie)
            sharing++;
        else
            rest -= difference > 0 ? gamma : -gamma;
    }
    double share = fmax(-gamma, fmin(gamma, rest / (double)sharing));
    for (size_t i = 0; i < players; i++) {
        double difference = game->preferences[i] - margin;
        double limit = difference > 0 ? gamma : -gamma;
        strategies[i * game->feature_count + feature] = fabs(difference) <= tie ? share : limit;
    }
}

double linex_game_residual(size_t players, size_t feature_count, const double *grams, const double *targets,
                           double gamma, double multiplier, const double *weights, const double *strategies)
{
    double largest = 0, largest_preference = 0;
    for (size_t i = 0; i < players; i++) {
        for (size_t c = 0; c < feature_count; c++) {
            const double *row = grams + (i * feature_count + c) * feature_count;
            double pull = targets[i * feature_count + c] - linex_dot(feature_count, row, weights);
            double preferred = weights[c] + pull / row[c];
            double move = linex_shrink(preferred, multiplier / row[c]) - weights[c];
            if (!isfinite(move)) return (double)INFINITY;
            /* The distance to the limit bounds the move. Clamping strategy + move would round a small move away. */
            double own = strategies[i * feature_count + c];
            double allowed = move > 0 ? gamma - own : gamma + own;
            largest = fmax(largest, fmin(fabs(move), fmax(0, allowed)));
            largest_preference = fmax(largest_preference, fabs(preferred));
        }
    }
    if (largest_preference == 0) return largest / gamma;
    /* If gamma is so large that strategies of that size lose the digits of s, nothing can be certified. */
    double lost = gamma * DBL_EPSILON / largest_preference;
    return lost > 1e-3 ? lost : largest / fmin(gamma, largest_preference);
}

double linex_game_certify(linex_game *game, double *strategies)
{
    linex_game_take_pulls(game);
    for (size_t c = 0; c < game->feature_count; c++) split_feature(game, c, strategies);
    return linex_game_residual(game->players, game->feature_count, game->grams, game->targets, game->gamma,
                               game->price, game->weights, strategies);
}
