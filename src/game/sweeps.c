/* sweeps.c: solves a game by setting one feature after the other to the rest point of its players. */
#include "game/sweeps.h"

#include "base/matrix.h"
#include "base/sort.h"

/* Sweeps that settle at this rate need about a dozen rounds; perturbed features are nearly independent and reach it.
 * If sweeps are slower than this, the path (equilibrium_path.h) takes less time. */
static const double SETTLING_RATE = 0.5;

/* The median of the targets and of the grid -k gamma, -(k-2) gamma, .., k gamma, by merging the two. */
double linex_rest_point(size_t players, const double *targets, double gamma)
{
    size_t target = 0, step = 0;
    for (;;) {
        double grid = (2.0 * (double)step - (double)players) * gamma;
        bool take_target = target < players && targets[target] <= grid;
        if (target + step == players) return take_target ? targets[target] : grid;
        if (take_target)
            target++;
        else
            step++;
    }
}

/* Changes of s that game->pull does not contain yet. Updating all pulls for one change reads a row of every Gram
 * matrix. Updating them for four changes at once takes half the time, and every sum has the same bits. */
typedef struct {
    size_t count, features[4];
    double factors[4]; /* minus the change of each feature; 0 beyond count */
} pending_changes;

static double pull_with(const linex_game *game, const pending_changes *pending, size_t player, size_t feature)
{
    double pull = game->pull[player * game->feature_count + feature];
    for (size_t j = 0; j < pending->count; j++)
        pull += pending->factors[j] * linex_game_gram_row(game, player, pending->features[j])[feature];
    return pull;
}

static void apply_changes(linex_game *game, pending_changes *pending)
{
    for (size_t i = 0; i < game->players; i++) {
        const double *rows[4];
        for (size_t j = 0; j < 4; j++) rows[j] = linex_game_gram_row(game, i, pending->features[j]);
        linex_add_four(game->feature_count, pending->factors, rows, game->pull + i * game->feature_count);
    }
    *pending = (pending_changes){0};
}

/* Sets every feature once to the rest point of its players. Returns the largest change. */
static double sweep_once(linex_game *game)
{
    double largest = 0;
    pending_changes pending = {0};
    for (size_t c = 0; c < game->feature_count; c++) {
        for (size_t i = 0; i < game->players; i++)
            game->preferences[i] = linex_game_preference(game, i, c, pull_with(game, &pending, i, c));
        linex_sort(game->players, game->preferences);
        double change = linex_rest_point(game->players, game->preferences, game->gamma) - game->weights[c];
        if (change == 0) continue;
        game->weights[c] += change;
        pending.features[pending.count] = c;
        pending.factors[pending.count++] = -change;
        if (pending.count == 4) apply_changes(game, &pending);
        if (fabs(change) > largest) largest = fabs(change);
    }
    apply_changes(game, &pending);
    return largest;
}

size_t linex_game_sweep(linex_game *game, size_t max_sweeps, bool stop_when_slow, double tolerance)
{
    double before = (double)INFINITY;
    game->price = 0;
    linex_game_take_pulls(game);
    for (size_t round = 1; round <= max_sweeps; round++) {
        double moved = sweep_once(game);
        if (moved <= 0.01 * tolerance * linex_largest_magnitude(game->feature_count, game->weights)) return round;
        if (stop_when_slow && round > 3 && moved > SETTLING_RATE * before) return round;
        before = moved;
    }
    return max_sweeps;
}
