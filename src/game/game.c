#include "game/game.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/matrix.h"
#include "base/sort.h"
#include "game/equilibrium_path.h"
#include "base/alloc.h"

enum { MOST_SWEEPS = 10000, MOST_RESPONSES = 10000, MOST_CORNERS = 2000000 };

/* Of the automatic choice. A game with hundreds of features (every pixel plays) often has fewer samples than features:
 * its path then has no end in sight, while 256 sweeps come within a few thousandths of gamma. */
enum { WIDEST_PATH = 256, WIDE_SWEEPS = 256, FEW_SWEEPS = 12 };

/* Sweeps go on as long as each moves at most this share of the one before: where features are nearly independent, as
 * perturbations are, a dozen are enough; where they are not, the path is shorter. */
static const double SETTLING = 0.5;

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
} state;

static const double *gram_row(const state *game, size_t player, size_t feature)
{
    return game->grams + (player * game->width + feature) * game->width;
}

static void take_pulls(state *game)
{
    for (size_t i = 0; i < game->players; i++)
        for (size_t c = 0; c < game->width; c++)
            game->pull[i * game->width + c] =
                game->targets[i * game->width + c] - linex_dot(game->width, gram_row(game, i, c), game->weights);
}

/* What player i would set s_c to if it alone could choose, the other coordinates held; its pull there is given. */
static double wish_at(const state *game, size_t player, size_t feature, double pull)
{
    double diagonal = gram_row(game, player, feature)[feature];
    return linex_shrink(game->weights[feature] + pull / diagonal, game->price / diagonal);
}

static double wish(const state *game, size_t player, size_t feature)
{
    return wish_at(game, player, feature, game->pull[player * game->width + feature]);
}

/* Changes of s that the pulls do not know of yet, and zeros. To tell all pulls of a change is to read a row of every Gram
 * matrix; of four at once takes half the time, and every sum is the same to the last bit. */
typedef struct {
    size_t count, features[4];
    double factors[4]; /* of the features' rows: the changes, negative */
} backlog;

static double pull_now(const state *game, const backlog *late, size_t player, size_t feature)
{
    double pull = game->pull[player * game->width + feature];
    for (size_t j = 0; j < late->count; j++)
        pull += late->factors[j] * gram_row(game, player, late->features[j])[feature];
    return pull;
}

static void catch_up(state *game, backlog *late)
{
    for (size_t i = 0; i < game->players; i++) {
        const double *rows[4];
        for (size_t j = 0; j < 4; j++) rows[j] = gram_row(game, i, late->features[j]);
        linex_add_four(game->width, late->factors, rows, game->pull + i * game->width);
    }
    *late = (backlog){0};
}

/* Visits every feature and sets it to where its players come to rest. Returns the largest change. */
static double sweep(state *game)
{
    double largest = 0;
    backlog late = {0};
    for (size_t c = 0; c < game->width; c++) {
        for (size_t i = 0; i < game->players; i++) game->wishes[i] = wish_at(game, i, c, pull_now(game, &late, i, c));
        linex_sort(game->players, game->wishes);
        double change = linex_rest_point(game->players, game->wishes, game->gamma) - game->weights[c];
        if (change == 0) continue;
        game->weights[c] += change;
        late.features[late.count] = c;
        late.factors[late.count++] = -change;
        if (late.count == 4) catch_up(game, &late);
        if (fabs(change) > largest) largest = fabs(change);
    }
    catch_up(game, &late);
    return largest;
}

/* How many players want more of the feature than player i; equals in the order of their numbers. */
static size_t rank_of(const state *game, size_t i)
{
    size_t rank = 0;
    for (size_t j = 0; j < game->players; j++)
        rank += game->wishes[j] > game->wishes[i] || (game->wishes[j] == game->wishes[i] && j < i);
    return rank;
}

/* At a point of the grid nobody need be content: so many push up, the others down, all at their limits. */
static bool split_at_grid(const state *game, size_t feature, double *strategies)
{
    double total = game->weights[feature], level = rint(total / game->gamma), players = (double)game->players;
    bool content = true;
    for (size_t i = 0; i < game->players; i++) content = content && game->wishes[i] == total;
    if (content || level * game->gamma != total || fabs(level) > players || fmod(players + level, 2) != 0)
        return false;
    size_t above = (size_t)((players + level) / 2);
    for (size_t i = 0; i < game->players; i++)
        strategies[i * game->width + feature] = rank_of(game, i) < above ? game->gamma : -game->gamma;
    return true;
}

/* Splits s_c among the players: whoever wants more than s_c stands at +gamma, whoever wants less at -gamma, and
 * those at the margin share what is left. */
static void split_feature(const state *game, size_t feature, double *strategies)
{
    size_t players = game->players;
    double total = game->weights[feature], gamma = game->gamma, margin = 0;
    for (size_t i = 0; i < players; i++) game->wishes[i] = wish(game, i, feature);
    if (split_at_grid(game, feature, strategies)) return;

    double pushes = fmin(fmax(floor((total / gamma + (double)players) / 2), 0), (double)(players - 1));
    for (size_t i = 0; i < players; i++)
        if (rank_of(game, i) == (size_t)pushes) margin = game->wishes[i];
    double tie = 1e-12 * fmax(fabs(total), fabs(margin)), rest = total;
    size_t sharing = 0;
    for (size_t i = 0; i < players; i++) {
        double difference = game->wishes[i] - margin;
        if (fabs(difference) <= tie)
            sharing++;
        else
            rest -= difference > 0 ? gamma : -gamma;
    }
    double share = fmax(-gamma, fmin(gamma, rest / (double)sharing));
    for (size_t i = 0; i < players; i++) {
        double difference = game->wishes[i] - margin;
        double limit = difference > 0 ? gamma : -gamma;
        strategies[i * game->width + feature] = fabs(difference) <= tie ? share : limit;
    }
}

double linex_game_residual(size_t players, size_t width, const double *grams, const double *targets, double gamma,
                           double multiplier, const double *weights, const double *strategies)
{
    double largest = 0, widest = 0;
    for (size_t i = 0; i < players; i++) {
        for (size_t c = 0; c < width; c++) {
            const double *row = grams + (i * width + c) * width;
            double pull = targets[i * width + c] - linex_dot(width, row, weights);
            double wanted = weights[c] + pull / row[c];
            double move = linex_shrink(wanted, multiplier / row[c]) - weights[c];
            if (!isfinite(move)) return (double)INFINITY;
            /* From the room there is, not by clamping the sum: a small move would be lost in a large strategy. */
            double own = strategies[i * width + c];
            double room = move > 0 ? gamma - own : gamma + own;
            largest = fmax(largest, fmin(fabs(move), fmax(0, room)));
            widest = fmax(widest, fabs(wanted));
        }
    }
    if (widest == 0) return largest / gamma;
    /* Limits so far away that a strategy beside them has lost the digits of s: nothing can be certified. */
    double lost = gamma * DBL_EPSILON / widest;
    return lost > 1e-3 ? lost : largest / fmin(gamma, widest);
}

/* The strategies that add up to s, and how far they are from an equilibrium. */
static double certify(state *game, double *strategies)
{
    take_pulls(game);
    for (size_t c = 0; c < game->width; c++) split_feature(game, c, strategies);
    return linex_game_residual(game->players, game->width, game->grams, game->targets, game->gamma, game->price,
                               game->weights, strategies);
}

/* Sweeps until nothing moves. Where the players' Grams differ much this goes round in circles or crawls: unless patient,
 * it gives up then. */
static size_t solve_by_sweeps(state *game, size_t most, bool patient, double tolerance)
{
    double before = (double)INFINITY;
    game->price = 0;
    take_pulls(game);
    for (size_t round = 1; round <= most; round++) {
        double moved = sweep(game), widest = 0;
        for (size_t c = 0; c < game->width; c++) widest = fmax(widest, fabs(game->weights[c]));
        if (moved <= 0.01 * tolerance * widest) return round;
        if (!patient && round > 3 && moved > SETTLING * before) return round;
        before = moved;
    }
    return most;
}

static double norm_of(const state *game)
{
    double sum = 0;
    for (size_t c = 0; c < game->width; c++) sum += fabs(game->weights[c]);
    return sum;
}

/* Walks the path from silence, to the end or until |s|_1 is the norm. */
static linex_status solve_by_path(state *game, double norm, double jitter, size_t most, size_t *rounds)
{
    linex_path *path = linex_path_new(game->players, game->width, game->grams, game->targets, game->gamma, jitter);
    if (!path) return LINEX_NO_MEMORY;
    bool ended = false;
    linex_status status = LINEX_OK;
    for (; !ended && !status && *rounds < most; (*rounds)++) status = linex_path_step(path, norm, &ended);
    if (!status && !ended) status = LINEX_NOT_CONVERGED;
    if (!status) status = linex_path_polish(path, game->targets, norm);
    if (!status) {
        memcpy(game->weights, linex_path_weights(path), game->width * sizeof *game->weights);
        game->price = linex_path_price(path);
        double excess = norm_of(game) / norm; /* rounding, where the norm is small beside the weights without it */
        for (size_t c = 0; excess > 1 && c < game->width; c++) game->weights[c] /= excess;
    }
    linex_path_free(path);
    return status;
}

/* One end of the solving, good or bad, with the best that is known so far kept in `best`: s and the strategies. */
static void keep_better(state *game, double *strategies, double *best, linex_game_report *report)
{
    double residual = certify(game, strategies);
    if (!(residual < report->residual)) return;
    report->residual = residual;
    report->multiplier = game->price;
    memcpy(best, game->weights, game->width * sizeof *best);
    memcpy(best + game->width, strategies, game->players * game->width * sizeof *best);
}

/* Where nothing better was found: all zeros, with the residual that they have. */
static void fall_silent(state *game, double *strategies, double *best, linex_game_report *report)
{
    game->price = 0;
    memset(game->weights, 0, game->width * sizeof *game->weights);
    keep_better(game, strategies, best, report);
}

/* Ties (two environments alike, a symmetric design) can leave the path at a corner with nowhere to go, or send it
 * round in circles. A jitter breaks them; polishing takes it out again. Most paths have about one corner a feature, so
 * every attempt but the last is given up early. */
static linex_status walk_path(state *game, double norm, const linex_game_settings *settings, double *strategies,
                              double *best, linex_game_report *report)
{
    static const double jitters[] = {0, 1e-13, 1e-11, 1e-12};
    const size_t attempts = sizeof jitters / sizeof *jitters;
    size_t limit = settings->max_rounds ? settings->max_rounds : MOST_CORNERS;
    for (size_t attempt = 0; attempt < attempts && report->residual > settings->tolerance; attempt++) {
        size_t corners = 0, most = 1000 + 10 * game->players * game->width;
        if (attempt + 1 == attempts || most > limit) most = limit;
        linex_status status = solve_by_path(game, norm, jitters[attempt], most, &corners);
        report->rounds += corners;
        if (status == LINEX_NO_MEMORY) return status;
        if (!status) keep_better(game, strategies, best, report);
        limit -= corners < limit ? corners : limit;
        if (limit == 0) break;
    }
    return LINEX_OK;
}

/* What the players who have room to move pay for the l1 bound, on average. At the shared-price equilibrium
 * they all pay the same; where Algorithm 1 came to rest at another point the residual will tell. */
static double price_paid(state *game, const double *strategies)
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

static linex_status play_rounds(state *game, const linex_game_settings *settings, double *strategies,
                                linex_game_report *report)
{
    size_t most = settings->max_rounds ? settings->max_rounds : MOST_RESPONSES, width = game->width;
    memset(strategies, 0, game->players * width * sizeof *strategies);
    for (bool moves = true; moves && report->rounds < most; report->rounds++) {
        double moved, widest = 0;
        linex_status status = linex_game_round(game->players, width, game->grams, game->targets, game->gamma,
                                               settings->l1, strategies, &moved);
        if (status) return status;
        memset(game->weights, 0, width * sizeof *game->weights);
        for (size_t i = 0; i < game->players; i++) linex_add_scaled(width, 1, strategies + i * width, game->weights);
        for (size_t c = 0; c < width; c++) widest = fmax(widest, fabs(game->weights[c]));
        moves = moved > 1e-3 * settings->tolerance * (widest > 0 ? fmin(game->gamma, widest) : game->gamma);
    }
    if (norm_of(game) >= settings->l1 * (1 - 1e-9)) report->multiplier = price_paid(game, strategies);
    report->residual = linex_game_residual(game->players, width, game->grams, game->targets, game->gamma,
                                           report->multiplier, game->weights, strategies);
    return LINEX_OK;
}

/* A path has about one corner a feature, and a sweep costs less than a corner. */
static size_t sweeps_allowed(const state *game, const linex_game_settings *settings)
{
    if (settings->solver == LINEX_SOLVER_PATH) return 0;
    if (settings->solver == LINEX_SOLVER_AUTO)
        return game->width > WIDEST_PATH ? WIDE_SWEEPS : FEW_SWEEPS + game->width / 2;
    return settings->max_rounds ? settings->max_rounds : MOST_SWEEPS;
}

static linex_status play(state *game, const linex_game_settings *settings, double *strategies, double *best,
                         linex_game_report *report)
{
    if (settings->solver == LINEX_SOLVER_BEST_RESPONSE) return play_rounds(game, settings, strategies, report);
    size_t width = game->width;
    report->residual = (double)INFINITY;
    size_t sweeps = sweeps_allowed(game, settings);
    if (sweeps > 0) {
        bool patient = settings->solver == LINEX_SOLVER_SWEEPS || width > WIDEST_PATH;
        report->rounds = solve_by_sweeps(game, sweeps, patient, settings->tolerance);
        keep_better(game, strategies, best, report);
    }
    linex_status status = LINEX_OK;
    bool wide = settings->solver == LINEX_SOLVER_AUTO && width > WIDEST_PATH;
    if (settings->solver != LINEX_SOLVER_SWEEPS && !wide)
        status = walk_path(game, (double)INFINITY, settings, strategies, best, report);
    if (!status && isinf(report->residual)) fall_silent(game, strategies, best, report);
    memcpy(game->weights, best, width * sizeof *best);
    if (!status && norm_of(game) > settings->l1) {
        report->residual = (double)INFINITY;
        status = walk_path(game, settings->l1, settings, strategies, best, report);
        if (!status && isinf(report->residual)) fall_silent(game, strategies, best, report);
        memcpy(game->weights, best, width * sizeof *best);
    }
    memcpy(strategies, best + width, game->players * width * sizeof *best);
    return status;
}

linex_status linex_game_solve(size_t players, size_t width, const double *grams, const double *targets,
                              const linex_game_settings *settings, double *weights, double *strategies,
                              linex_game_report *report)
{
    if (!settings || !weights || !strategies || !report || !(settings->tolerance > 0) ||
        settings->solver < LINEX_SOLVER_AUTO || settings->solver > LINEX_SOLVER_BEST_RESPONSE)
        return LINEX_BAD_ARGUMENT;
    linex_status status = linex_game_check(players, width, grams, targets, settings->gamma, settings->l1);
    if (status) return status;
    double *scratch = linex_alloc_doubles(2.0 * (double)players * (double)width + (double)players + (double)width);
    if (!scratch) return LINEX_NO_MEMORY;
    state game = {players, width, grams, targets, settings->gamma, 0, weights, scratch, scratch + players * width};
    memset(weights, 0, width * sizeof *weights);
    *report = (linex_game_report){0};
    status = play(&game, settings, strategies, game.wishes + players, report);
    bool bounded = norm_of(&game) <= settings->l1 * (1 + 1e-9);
    report->converged = !status && bounded && report->residual <= settings->tolerance;
    free(scratch);
    return status;
}
