#include "game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"
#include "order.h"
#include "path.h"

enum { MOST_SWEEPS = 10000, MOST_RESPONSES = 10000, MOST_CORNERS = 2000000 };

linex_game_settings linex_game_defaults(void)
{
    return (linex_game_settings){
        .gamma = 0, .l1 = (double)INFINITY, .solver = LINEX_SOLVER_AUTO, .tolerance = 1e-9, .max_rounds = 0};
}

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

/* One game while it is being solved. */
typedef struct {
    size_t players, width;
    const double *grams, *targets;
    double gamma, price;
    double *weights; /* s */
    double *pull;    /* players x width: b_i - G_i s */
    double *wishes;  /* players */
} table;

static const double *gram_row(const table *game, size_t player, size_t feature)
{
    return game->grams + (player * game->width + feature) * game->width;
}

static void take_pulls(table *game)
{
    for (size_t i = 0; i < game->players; i++)
        for (size_t c = 0; c < game->width; c++)
            game->pull[i * game->width + c] = game->targets[i * game->width + c] -
                                              linex_dot(game->width, gram_row(game, i, c), game->weights);
}

/* What player i would set s_c to if it alone could choose, the other coordinates held. */
static double wish(const table *game, size_t player, size_t feature)
{
    double diagonal = gram_row(game, player, feature)[feature];
    double target = game->weights[feature] + game->pull[player * game->width + feature] / diagonal;
    return linex_shrink(target, game->price / diagonal);
}

/* Visits every feature and sets it to where its players come to rest. Returns the largest change. */
static double sweep(table *game)
{
    double largest = 0;
    for (size_t c = 0; c < game->width; c++) {
        for (size_t i = 0; i < game->players; i++) game->wishes[i] = wish(game, i, c);
        linex_sort(game->players, game->wishes);
        double change = linex_rest_point(game->players, game->wishes, game->gamma) - game->weights[c];
        if (change == 0) continue;
        game->weights[c] += change;
        for (size_t i = 0; i < game->players; i++)
            linex_add_scaled(game->width, -change, gram_row(game, i, c), game->pull + i * game->width);
        if (fabs(change) > largest) largest = fabs(change);
    }
    return largest;
}

/* Splits s_c among the players: whoever wants more than s_c stands at +gamma, whoever wants less at -gamma,
 * and those at the margin share what is left. */
static void split_feature(const table *game, size_t feature, double *strategies)
{
    size_t players = game->players, width = game->width;
    double total = game->weights[feature], gamma = game->gamma;
    double pushes = floor((total / gamma + (double)players) / 2);
    size_t above = pushes < 0 ? 0 : (size_t)pushes;
    if (above >= players) above = players - 1;

    for (size_t i = 0; i < players; i++) game->wishes[i] = wish(game, i, feature);
    double margin = 0;
    for (size_t i = 0; i < players; i++) {
        size_t rank = 0;
        for (size_t j = 0; j < players; j++)
            rank += game->wishes[j] > game->wishes[i] || (game->wishes[j] == game->wishes[i] && j < i);
        if (rank == above) margin = game->wishes[i];
    }
    double tie = 1e-12 * fmax(gamma, fabs(margin)), rest = total;
    size_t sharing = 0;
    for (size_t i = 0; i < players; i++) {
        double difference = game->wishes[i] - margin;
        if (fabs(difference) <= tie)
            sharing++;
        else
            rest -= difference > 0 ? gamma : -gamma;
    }
    /* At its limit to within rounding is at its limit. */
    double share = rest / (double)sharing;
    if (fabs(share) > gamma * (1 - 1e-13)) share = share > 0 ? gamma : -gamma;
    for (size_t i = 0; i < players; i++) {
        double difference = game->wishes[i] - margin;
        strategies[i * width + feature] = fabs(difference) <= tie ? share : difference > 0 ? gamma : -gamma;
    }
}

double linex_game_residual(size_t players, size_t width, const double *grams, const double *targets,
                           double gamma, double multiplier, const double *strategies)
{
    double largest = 0;
    for (size_t i = 0; i < players; i++) {
        for (size_t c = 0; c < width; c++) {
            const double *row = grams + (i * width + c) * width;
            double pull = targets[i * width + c], sum = 0;
            for (size_t d = 0; d < width; d++) {
                double s = 0;
                for (size_t j = 0; j < players; j++) s += strategies[j * width + d];
                pull -= row[d] * s;
                if (d == c) sum = s;
            }
            double own = strategies[i * width + c];
            double best = own + linex_shrink(sum + pull / row[c], multiplier / row[c]) - sum;
            double move = fabs(fmax(-gamma, fmin(gamma, best)) - own);
            if (!(move <= largest)) largest = move;
        }
    }
    return largest / gamma;
}

/* The strategies that add up to s, and how far they are from an equilibrium. */
static double certify(table *game, double *strategies)
{
    take_pulls(game);
    for (size_t c = 0; c < game->width; c++) split_feature(game, c, strategies);
    return linex_game_residual(game->players, game->width, game->grams, game->targets, game->gamma,
                               game->price, strategies);
}

/* Sweeps until nothing moves. Where the players' Grams differ much this goes round in circles or crawls. */
static size_t solve_by_sweeps(table *game, size_t most, double tolerance)
{
    game->price = 0;
    take_pulls(game);
    for (size_t round = 1; round <= most; round++)
        if (sweep(game) <= 0.01 * tolerance * game->gamma) return round;
    return most;
}

/* Walks the path from silence, to the end or until |s|_1 is the norm. */
static linex_status solve_by_path(table *game, double norm, double jitter, size_t most, size_t *rounds)
{
    linex_path *path =
        linex_path_new(game->players, game->width, game->grams, game->targets, game->gamma, jitter);
    if (!path) return LINEX_NO_MEMORY;
    bool ended = false;
    linex_status status = LINEX_OK;
    for (; !ended && !status && *rounds < most; (*rounds)++) status = linex_path_step(path, norm, &ended);
    if (!status && !ended) status = LINEX_NOT_CONVERGED;
    if (!status) status = linex_path_polish(path, game->targets, norm);
    if (!status) {
        memcpy(game->weights, linex_path_weights(path), game->width * sizeof *game->weights);
        game->price = linex_path_price(path);
    }
    linex_path_free(path);
    return status;
}

static double norm_of(const table *game)
{
    double sum = 0;
    for (size_t c = 0; c < game->width; c++) sum += fabs(game->weights[c]);
    return sum;
}

/* Ties (two environments alike, a symmetric design) can leave the path at a corner with nowhere to go. A
 * jitter breaks them; polishing takes it out again. `best` keeps s and the strategies of the best attempt. */
static linex_status walk_path(table *game, double norm, const linex_game_settings *settings,
                              double *strategies, double *best, linex_game_report *report)
{
    static const double jitters[] = {0, 1e-13, 1e-12, 1e-11, 1e-10};
    size_t width = game->width, most = settings->max_rounds ? settings->max_rounds : MOST_CORNERS;
    linex_status status = LINEX_OK;
    report->residual = (double)INFINITY;
    for (size_t attempt = 0; attempt < sizeof jitters / sizeof *jitters; attempt++) {
        size_t corners = 0;
        status = solve_by_path(game, norm, jitters[attempt], most, &corners);
        report->rounds += corners;
        if (status == LINEX_NO_MEMORY) return status;
        if (corners >= most) break; /* a long way, not a tie: another jitter would go it again */
        if (status) continue;
        double residual = certify(game, strategies);
        if (residual < report->residual) {
            report->residual = residual;
            report->multiplier = game->price;
            memcpy(best, game->weights, width * sizeof *best);
            memcpy(best + width, strategies, game->players * width * sizeof *best);
        }
        if (report->residual <= settings->tolerance) break;
    }
    if (isfinite(report->residual)) {
        memcpy(game->weights, best, width * sizeof *best);
        memcpy(strategies, best + width, game->players * width * sizeof *best);
    } else {
        memset(game->weights, 0, width * sizeof *best);
        memset(strategies, 0, game->players * width * sizeof *best);
    }
    return LINEX_OK;
}

/* What the players who have room to move pay for the l1 bound, on average. At the shared-price equilibrium
 * they all pay the same; where Algorithm 1 came to rest at another point the residual will tell. */
static double price_paid(table *game, const double *strategies)
{
    double sum = 0, pairs = 0;
    take_pulls(game);
    for (size_t i = 0; i < game->players * game->width; i++) {
        double weight = game->weights[i % game->width];
        if (weight == 0 || fabs(strategies[i]) >= game->gamma) continue;
        sum += weight > 0 ? game->pull[i] : -game->pull[i];
        pairs++;
    }
    return pairs > 0 && sum > 0 ? sum / pairs : 0;
}

static linex_status play_rounds(table *game, const linex_game_settings *settings, double *strategies,
                                linex_game_report *report)
{
    size_t most = settings->max_rounds ? settings->max_rounds : MOST_RESPONSES, width = game->width;
    double moved = (double)INFINITY;
    memset(strategies, 0, game->players * width * sizeof *strategies);
    while (report->rounds < most && moved > 1e-3 * settings->tolerance * game->gamma) {
        linex_status status = linex_game_round(game->players, width, game->grams, game->targets, game->gamma,
                                               settings->l1, strategies, &moved);
        if (status) return status;
        report->rounds++;
    }
    memset(game->weights, 0, width * sizeof *game->weights);
    for (size_t i = 0; i < game->players; i++)
        linex_add_scaled(width, 1, strategies + i * width, game->weights);
    if (norm_of(game) >= settings->l1 * (1 - 1e-9)) report->multiplier = price_paid(game, strategies);
    report->residual = linex_game_residual(game->players, width, game->grams, game->targets, game->gamma,
                                           report->multiplier, strategies);
    return LINEX_OK;
}

static linex_status play(table *game, const linex_game_settings *settings, double *strategies, double *best,
                         linex_game_report *report)
{
    if (settings->solver == LINEX_SOLVER_BEST_RESPONSE)
        return play_rounds(game, settings, strategies, report);

    /* A sweep costs about what a corner of the path does, and a path has about one corner a feature. */
    bool sweeps_only = settings->solver == LINEX_SOLVER_SWEEPS;
    size_t most = settings->solver == LINEX_SOLVER_AUTO ? game->width / 4 : 0;
    if (sweeps_only) most = settings->max_rounds ? settings->max_rounds : MOST_SWEEPS;
    if (most > 0) {
        report->rounds = solve_by_sweeps(game, most, settings->tolerance);
        report->residual = certify(game, strategies);
    }
    if (most == 0 || (!sweeps_only && report->residual > settings->tolerance)) {
        linex_status status = walk_path(game, (double)INFINITY, settings, strategies, best, report);
        if (status) return status;
    }
    if (norm_of(game) <= settings->l1) return LINEX_OK;
    return walk_path(game, settings->l1, settings, strategies, best, report);
}

static linex_status check(size_t players, size_t width, const double *grams,
                          const linex_game_settings *settings)
{
    if (!players || !width || !(settings->gamma > 0) || !isfinite(settings->gamma) || !(settings->l1 > 0) ||
        !(settings->tolerance > 0))
        return LINEX_BAD_ARGUMENT;
    for (size_t i = 0; i < players * width; i++)
        if (!(grams[i * width + i % width] > 0)) return LINEX_DEGENERATE;
    return LINEX_OK;
}

linex_status linex_game_solve(size_t players, size_t width, const double *grams, const double *targets,
                              const linex_game_settings *settings, double *weights, double *strategies,
                              linex_game_report *report)
{
    if (!grams || !targets || !settings || !weights || !strategies || !report) return LINEX_BAD_ARGUMENT;
    linex_status status = check(players, width, grams, settings);
    if (status) return status;
    double *scratch = calloc(2 * players * width + players + width, sizeof *scratch);
    if (!scratch) return LINEX_NO_MEMORY;
    table game = {
        players, width, grams, targets, settings->gamma, 0, weights, scratch, scratch + players * width};
    memset(weights, 0, width * sizeof *weights);
    *report = (linex_game_report){0};
    status = play(&game, settings, strategies, game.wishes + players, report);
    report->converged = !status && report->residual <= settings->tolerance;
    free(scratch);
    return status;
}
