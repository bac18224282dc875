/* best_response.c: the paper's Algorithm 1, in which the players take turns and each gives its best response to the
 * others.
 *
 * It is slow and may not settle. The other solvers are compared with it. */
#include "game/best_response.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "matrices/matrix.h"

enum { MAX_ROUNDS = 10000, MAX_PASSES = 20000, MAX_BISECTIONS = 200 };

/* The most work for a game, about ten seconds. A near-singular game would take years. */
static const double MAX_WORK = 1e10;

/* One pass of coordinate descent over a player's features. Returns whether the player has settled. */
static bool pass_over_features(const linex_rounds *rounds, const linex_game *game, double price)
{
    size_t feature_count = game->feature_count;
    const double *gram = linex_game_gram_row(game, rounds->player, 0);
    double largest_change = 0, largest = 0;
    for (size_t c = 0; c < feature_count; c++) {
        const double *row = gram + c * feature_count;
        double preferred = linex_shrink(rounds->s[c] + rounds->pull[c] / row[c], price / row[c]);
        double next = fmax(rounds->others[c] - game->gamma, fmin(rounds->others[c] + game->gamma, preferred));
        double change = next - rounds->s[c];
        largest = fmax(largest, fabs(next));
        if (change == 0) continue;
        rounds->s[c] = next;
        linex_add_scaled(feature_count, -change, row, rounds->pull);
        largest_change = fmax(largest_change, fabs(change));
    }
    return largest_change <= 1e-15 * largest;
}

/* Coordinate descent for one player's problem
 *     minimize 1/2 s'G s - b's + price |s|_1   subject to   |s_c - others_c| <= gamma,
 * starting from rounds->s. The problem is strictly convex, so the solution is unique. */
static linex_status respond_at_price(linex_rounds *rounds, const linex_game *game, double price, linex_slice *slice)
{
    size_t feature_count = game->feature_count, player = rounds->player;
    bool settled = false;
    while (!settled && rounds->passes < MAX_PASSES && rounds->work < rounds->max_work) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        for (size_t c = 0; rounds->passes == 0 && c < feature_count; c++)
            rounds->pull[c] = game->targets[player * feature_count + c] -
                              linex_dot(feature_count, linex_game_gram_row(game, player, c), rounds->s);
        settled = pass_over_features(rounds, game, price);
        rounds->passes++;
        double work = (double)feature_count * (double)(feature_count + 8);
        rounds->work += work;
        linex_slice_use(slice, work);
    }
    rounds->passes = 0;
    return LINEX_OK;
}

/* Starts the search for the lowest price that keeps |s|_1 <= l1: at the highest price, s is as near to zero as the
 * others allow. */
static void start_bisection(linex_rounds *rounds, const linex_game *game)
{
    size_t feature_count = game->feature_count;
    rounds->low = rounds->high = 0;
    rounds->bisections = 0;
    for (size_t c = 0; c < feature_count; c++) {
        const double *row = linex_game_gram_row(game, rounds->player, c);
        rounds->high = fmax(rounds->high, fabs(game->targets[rounds->player * feature_count + c]));
        for (size_t d = 0; d < feature_count; d++)
            rounds->high += fabs(row[d]) * (fabs(rounds->others[d]) + game->gamma);
    }
}

/* The player's best response under |s|_1 <= l1, in rounds->s. */
static linex_status respond(linex_rounds *rounds, const linex_game *game, double l1, linex_slice *slice)
{
    size_t feature_count = game->feature_count;
    if (rounds->stage == LINEX_RESPOND_FREELY) {
        if (respond_at_price(rounds, game, 0, slice)) return LINEX_UNFINISHED;
        if (linex_l1_norm(feature_count, rounds->s) <= l1) return LINEX_OK;
        start_bisection(rounds, game);
        rounds->stage = LINEX_BISECT;
    }
    while (rounds->stage == LINEX_BISECT) {
        double middle = 0.5 * (rounds->low + rounds->high);
        if (rounds->bisections == MAX_BISECTIONS || !(rounds->high - rounds->low > 1e-15 * rounds->high)) {
            rounds->stage = LINEX_RESPOND_AT_HIGH;
            break;
        }
        if (respond_at_price(rounds, game, middle, slice)) return LINEX_UNFINISHED;
        if (linex_l1_norm(feature_count, rounds->s) > l1)
            rounds->low = middle;
        else
            rounds->high = middle;
        rounds->bisections++;
    }
    return respond_at_price(rounds, game, rounds->high, slice);
}

/* Sets `others` to what the other players add up to, and s to the present sum. */
static void arrive(linex_rounds *rounds, const linex_game *game, const double *strategies)
{
    size_t count = game->feature_count;
    memset(rounds->others, 0, count * sizeof *rounds->others);
    for (size_t j = 0; j < game->players; j++)
        if (j != rounds->player) linex_add_scaled(count, 1, strategies + j * count, rounds->others);
    for (size_t c = 0; c < count; c++) rounds->s[c] = rounds->others[c] + strategies[rounds->player * count + c];
}

/* Takes over the response as the player's strategy. */
static void leave(linex_rounds *rounds, const linex_game *game, double *strategies)
{
    double *own = strategies + rounds->player * game->feature_count, square = 0;
    for (size_t c = 0; c < game->feature_count; c++) {
        double next = rounds->s[c] - rounds->others[c];
        square += (next - own[c]) * (next - own[c]);
        own[c] = next;
    }
    rounds->moved = fmax(rounds->moved, sqrt(square));
}

linex_status linex_rounds_play_one(linex_rounds *rounds, const linex_game *game, double l1, double *strategies,
                                   linex_slice *slice)
{
    for (; rounds->player < game->players; rounds->player++) {
        if (rounds->stage == LINEX_ARRIVE) {
            if (rounds->player == 0) rounds->moved = 0;
            arrive(rounds, game, strategies);
            rounds->stage = LINEX_RESPOND_FREELY;
        }
        if (respond(rounds, game, l1, slice)) return LINEX_UNFINISHED;
        leave(rounds, game, strategies);
        rounds->stage = LINEX_ARRIVE;
    }
    rounds->player = 0;
    rounds->rounds++;
    return LINEX_OK;
}

linex_status linex_rounds_advance(linex_rounds *rounds, linex_game *game, const linex_game_settings *settings,
                                  double *strategies, linex_slice *slice)
{
    size_t max_rounds = settings->max_rounds ? settings->max_rounds : MAX_ROUNDS, count = game->feature_count;
    rounds->max_work = settings->max_work > 0 ? settings->max_work : MAX_WORK;
    for (bool moves = true; moves && rounds->rounds < max_rounds && rounds->work < rounds->max_work;) {
        linex_status status = linex_rounds_play_one(rounds, game, settings->l1, strategies, slice);
        if (status) return status;
        memset(game->weights, 0, count * sizeof *game->weights);
        for (size_t i = 0; i < game->players; i++) linex_add_scaled(count, 1, strategies + i * count, game->weights);
        double largest = linex_largest_magnitude(count, game->weights);
        moves = rounds->moved > 1e-3 * settings->tolerance * (largest > 0 ? fmin(game->gamma, largest) : game->gamma);
    }
    return LINEX_OK;
}

/* Narrows the prices at which player i does not want to move s_c. Moving up gains pull - price if s_c >= 0, and
 * pull + price if s_c < 0, because |s_c| then shrinks; moving down likewise. */
static void narrow_price(const linex_game *game, size_t c, double pull, double own, double *low, double *high)
{
    /* The strategies cancel only up to rounding. */
    double s = fabs(game->weights[c]) > 1e-12 * game->gamma ? game->weights[c] : 0;
    if (own < game->gamma) {
        if (s >= 0)
            *low = fmax(*low, pull);
        else
            *high = fmin(*high, -pull);
    }
    if (own > -game->gamma) {
        if (s <= 0)
            *low = fmax(*low, -pull);
        else
            *high = fmin(*high, pull);
    }
}

/* If no price suits all features, the middle of the limits is the fairest; the residual shows what remains. */
double linex_rounds_take_prices(linex_game *game, const double *strategies)
{
    double sum = 0;
    for (size_t i = 0; i < game->players; i++) {
        double low = 0, high = (double)INFINITY;
        for (size_t c = 0; c < game->feature_count; c++) {
            size_t at = i * game->feature_count + c;
            narrow_price(game, c, game->pull[at], strategies[at], &low, &high);
        }
        game->prices[i] = low <= high ? low : fmax(0, 0.5 * (low + high));
        sum += game->prices[i];
    }
    return sum / (double)game->players;
}

linex_status linex_game_round(size_t players, size_t feature_count, const double *grams, const double *targets,
                              double gamma, double l1, double *strategies, double *moved)
{
    if (!strategies || !moved) return LINEX_BAD_ARGUMENT;
    linex_status status = linex_game_check(players, feature_count, grams, targets, gamma, l1);
    if (status) return status;
    double *scratch = linex_alloc_doubles(3.0 * (double)feature_count);
    if (!scratch) return LINEX_NO_MEMORY;
    const linex_game game = {players, feature_count, grams, targets, .gamma = gamma};
    linex_rounds rounds = {
        .max_work = MAX_WORK, .pull = scratch, .others = scratch + feature_count, .s = scratch + 2 * feature_count};
    linex_slice slice = linex_slice_endless();
    linex_rounds_play_one(&rounds, &game, l1, strategies, &slice);
    *moved = rounds.moved;
    free(scratch);
    bool finite = isfinite(rounds.moved) && linex_all_finite(players * feature_count, strategies);
    return finite ? LINEX_OK : LINEX_OVERFLOW;
}
