/* best_response.c: the paper's Algorithm 1, in which the players take turns and each gives its best response to the
 * others.
 *
 * It is slow and may not settle. The other solvers are compared with it. */
#include "game/best_response.h"

#include <stdlib.h>
#include <string.h>

#include "base/matrix.h"
#include "base/alloc.h"

enum { MAX_ROUNDS = 10000, MAX_PASSES = 20000, MAX_BISECTIONS = 200 };

/* Coordinate descent for one player's problem
 *     minimize 1/2 s'G s - b's + price |s|_1   subject to   |s_c - others_c| <= gamma,
 * starting from the given s. The problem is strictly convex, so the solution is unique. */
static void respond_at_price(size_t feature_count, const double *gram, const double *target, const double *others,
                             double gamma, double price, double *pull, double *s)
{
    for (size_t c = 0; c < feature_count; c++)
        pull[c] = target[c] - linex_dot(feature_count, gram + c * feature_count, s);
    for (size_t pass = 0; pass < MAX_PASSES; pass++) {
        double largest_change = 0, largest = 0;
        for (size_t c = 0; c < feature_count; c++) {
            const double *row = gram + c * feature_count;
            double preferred = linex_shrink(s[c] + pull[c] / row[c], price / row[c]);
            double next = fmax(others[c] - gamma, fmin(others[c] + gamma, preferred));
            double change = next - s[c];
            largest = fmax(largest, fabs(next));
            if (change == 0) continue;
            s[c] = next;
            linex_add_scaled(feature_count, -change, row, pull);
            largest_change = fmax(largest_change, fabs(change));
        }
        if (largest_change <= 1e-15 * largest) return;
    }
}

/* Solves the same problem under |s|_1 <= l1: finds the lowest price that keeps the bound, by bisection. */
static void respond(size_t feature_count, const double *gram, const double *target, const double *others,
                    double gamma, double l1, double *pull, double *s)
{
    respond_at_price(feature_count, gram, target, others, gamma, 0, pull, s);
    if (linex_l1_norm(feature_count, s) <= l1) return;
    double low = 0, high = 0;
    for (size_t c = 0; c < feature_count; c++) {
        high = fmax(high, fabs(target[c]));
        for (size_t d = 0; d < feature_count; d++)
            high += fabs(gram[c * feature_count + d]) * (fabs(others[d]) + gamma);
    }
    for (int step = 0; step < MAX_BISECTIONS && high - low > 1e-15 * high; step++) {
        double middle = 0.5 * (low + high);
        respond_at_price(feature_count, gram, target, others, gamma, middle, pull, s);
        if (linex_l1_norm(feature_count, s) > l1)
            low = middle;
        else
            high = middle;
    }
    respond_at_price(feature_count, gram, target, others, gamma, high, pull, s);
}

linex_status linex_game_round(size_t players, size_t feature_count, const double *grams, const double *targets,
                              double gamma, double l1, double *strategies, double *moved)
{
    if (!strategies || !moved) return LINEX_BAD_ARGUMENT;
    linex_status status = linex_game_check(players, feature_count, grams, targets, gamma, l1);
    if (status) return status;
    double *scratch = linex_alloc_doubles(3.0 * (double)feature_count);
    if (!scratch) return LINEX_NO_MEMORY;
    double *pull = scratch, *others = scratch + feature_count, *s = scratch + 2 * feature_count;
    *moved = 0;
    for (size_t i = 0; i < players; i++) {
        double *own = strategies + i * feature_count;
        memset(others, 0, feature_count * sizeof *others);
        for (size_t j = 0; j < players; j++)
            if (j != i) linex_add_scaled(feature_count, 1, strategies + j * feature_count, others);
        for (size_t c = 0; c < feature_count; c++) s[c] = others[c] + own[c];
        respond(feature_count, grams + i * feature_count * feature_count, targets + i * feature_count, others, gamma,
                l1, pull, s);
        double square = 0;
        for (size_t c = 0; c < feature_count; c++) {
            double next = s[c] - others[c];
            square += (next - own[c]) * (next - own[c]);
            own[c] = next;
        }
        *moved = fmax(*moved, sqrt(square));
    }
    free(scratch);
    return LINEX_OK;
}

/* The mean pull, against the l1 bound, of the players that are not at a limit. At the shared-price equilibrium all
 * these pulls are equal. If Algorithm 1 settled at another point, they differ and the residual shows it. */
static double mean_price(linex_game *game, const double *strategies)
{
    double sum = 0, pairs = 0;
    linex_game_take_pulls(game);
    for (size_t i = 0; i < game->players * game->feature_count; i++) {
        double weight = game->weights[i % game->feature_count];
        if (weight == 0 || fabs(strategies[i]) >= game->gamma) continue;
        sum += weight > 0 ? game->pull[i] : -game->pull[i];
        pairs++;
    }
    return pairs > 0 && sum > 0 ? sum / pairs : 0;
}

linex_status linex_game_play_rounds(linex_game *game, const linex_game_settings *settings, double *strategies,
                                    linex_game_report *report)
{
    size_t max_rounds = settings->max_rounds ? settings->max_rounds : MAX_ROUNDS, count = game->feature_count;
    memset(strategies, 0, game->players * count * sizeof *strategies);
    for (bool moves = true; moves && report->rounds < max_rounds; report->rounds++) {
        double moved;
        linex_status status = linex_game_round(game->players, count, game->grams, game->targets, game->gamma,
                                               settings->l1, strategies, &moved);
        if (status) return status;
        memset(game->weights, 0, count * sizeof *game->weights);
        for (size_t i = 0; i < game->players; i++) linex_add_scaled(count, 1, strategies + i * count, game->weights);
        double largest = linex_largest_magnitude(count, game->weights);
        moves = moved > 1e-3 * settings->tolerance * (largest > 0 ? fmin(game->gamma, largest) : game->gamma);
    }
    if (linex_l1_norm(count, game->weights) >= settings->l1 * (1 - 1e-9))
        report->multiplier = mean_price(game, strategies);
    report->residual = linex_game_residual(game->players, count, game->grams, game->targets, game->gamma,
                                           report->multiplier, game->weights, strategies);
    return LINEX_OK;
}
