/* sweeps.c: solves a game by setting one feature after the other to the rest point of its players. */
#include "solvers/sweeps.h"

#include "base/sort.h"
#include "matrices/matrix.h"

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

static double pull_with(const linex_game *game, const linex_pending *pending, size_t player, size_t feature)
{
    double pull = game->pull[player * game->feature_count + feature];
    for (size_t j = 0; j < pending->count; j++)
        pull += pending->factors[j] * linex_game_gram_row(game, player, pending->features[j])[feature];
    return pull;
}

static void apply_changes(linex_game *game, linex_pending *pending)
{
    for (size_t i = 0; i < game->players; i++) {
        const double *rows[4];
        for (size_t j = 0; j < 4; j++) rows[j] = linex_game_gram_row(game, i, pending->features[j]);
        linex_add_four(game->feature_count, pending->factors, rows, game->pull + i * game->feature_count);
    }
    *pending = (linex_pending){0};
}

/* Sets one feature to the rest point of its players. Returns the change. */
static double settle_feature(linex_game *game, linex_pending *pending, size_t c)
{
    for (size_t i = 0; i < game->players; i++)
        game->preferences[i] = linex_game_preference(game, i, c, pull_with(game, pending, i, c));
    linex_sort(game->players, game->preferences);
    double change = linex_rest_point(game->players, game->preferences, game->gamma) - game->weights[c];
    if (change == 0) return 0;
    game->weights[c] += change;
    pending->features[pending->count] = c;
    pending->factors[pending->count++] = -change;
    if (pending->count == 4) apply_changes(game, pending);
    return change;
}

/* Sets every feature once to the rest point of its players. */
static linex_status sweep_once(linex_sweeps *sweeps, linex_game *game, linex_slice *slice)
{
    for (; sweeps->feature < game->feature_count; sweeps->feature++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        double change = settle_feature(game, &sweeps->pending, sweeps->feature);
        sweeps->largest = fmax(sweeps->largest, fabs(change));
        linex_slice_use(slice, (double)(game->players * (change == 0 ? 4 : game->feature_count)));
    }
    apply_changes(game, &sweeps->pending);
    sweeps->feature = 0;
    sweeps->rounds++;
    return LINEX_OK;
}

linex_status linex_sweeps_advance(linex_sweeps *sweeps, linex_game *game, size_t max_sweeps, bool stop_when_slow,
                                  double tolerance, linex_slice *slice)
{
    game->price = 0;
    if (!sweeps->started) {
        linex_status status = linex_pulls_advance(game->players, game->feature_count, game->grams, game->targets,
                                                  game->weights, game->pull, &sweeps->cursor, slice);
        if (status) return status;
        sweeps->started = true;
        sweeps->previous = (double)INFINITY;
    }
    while (sweeps->rounds < max_sweeps) {
        linex_status status = sweep_once(sweeps, game, slice);
        if (status) return status;
        double moved = sweeps->largest, size = linex_largest_magnitude(game->feature_count, game->weights);
        if (moved <= 0.01 * tolerance * size) return LINEX_OK;
        if (stop_when_slow && sweeps->rounds > 3 && moved > SETTLING_RATE * sweeps->previous) return LINEX_OK;
        sweeps->previous = moved;
        sweeps->largest = 0;
    }
    return LINEX_OK;
}
