/* game.c: chooses a solver for a game and reports the best equilibrium that it finds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "game/best_response.h"
#include "game/certificate.h"
#include "game/equilibrium_path.h"
#include "game/sweeps.h"

enum { MAX_SWEEPS = 10000, MAX_CORNERS = 2000000 };

/* The automatic choice. With hundreds of features (each pixel a feature) there are often fewer samples than features,
 * and the path then has too many corners. 256 sweeps leave a residual of a few thousandths. */
enum { MAX_PATH_FEATURES = 256, SWEEPS_WITHOUT_PATH = 256, SWEEPS_BEFORE_PATH = 12 };

linex_game_settings linex_game_defaults(void)
{
    return (linex_game_settings){
        .gamma = 0, .l1 = (double)INFINITY, .solver = LINEX_SOLVER_AUTO, .tolerance = 1e-9, .max_rounds = 0};
}

/* What a solver works on. */
struct search {
    linex_game game;
    const linex_game_settings *settings;
    double *strategies; /* players x feature_count: the strategies that sum to game.weights */
    double *best;       /* the weights and the strategies with the lowest residual so far */
    linex_game_report *report;
};

static double norm_of(const struct search *search)
{
    return linex_l1_norm(search->game.feature_count, search->game.weights);
}

/* Walks the path from s = 0 to its end, or until |s|_1 = norm.
 *
 * rounds  counts the corners */
static linex_status solve_by_path(linex_game *game, double norm, double jitter, size_t max_corners, size_t *rounds)
{
    size_t count = game->feature_count;
    linex_path *path = linex_path_new(game->players, count, game->grams, game->targets, game->gamma, jitter);
    if (!path) return LINEX_NO_MEMORY;
    bool ended = false;
    linex_status status = LINEX_OK;
    for (; !ended && !status && *rounds < max_corners; (*rounds)++) status = linex_path_step(path, norm, &ended);
    if (!status && !ended) status = LINEX_NOT_CONVERGED;
    if (!status) status = linex_path_polish(path, game->targets, norm);
    if (!status) {
        memcpy(game->weights, linex_path_weights(path), count * sizeof *game->weights);
        game->price = linex_path_price(path);
        /* Rounding can exceed the norm if the norm is much smaller than the weights without a bound. */
        double excess = linex_l1_norm(count, game->weights) / norm;
        for (size_t c = 0; excess > 1 && c < count; c++) game->weights[c] /= excess;
    }
    linex_path_free(path);
    return status;
}

/* Certifies game.weights and keeps them if their residual is lower than the best so far. */
static void keep_if_better(struct search *search)
{
    const linex_game *game = &search->game;
    size_t count = game->feature_count;
    double residual = linex_game_certify(&search->game, search->strategies);
    if (!(residual < search->report->residual)) return;
    search->report->residual = residual;
    search->report->multiplier = game->price;
    memcpy(search->best, game->weights, count * sizeof *search->best);
    memcpy(search->best + count, search->strategies, game->players * count * sizeof *search->best);
}

/* Falls back to all zeros, with their residual, if no solver found a solution. Then sets game.weights to the best. */
static void take_best(struct search *search, linex_status status)
{
    linex_game *game = &search->game;
    size_t bytes = game->feature_count * sizeof *game->weights;
    if (!status && isinf(search->report->residual)) {
        game->price = 0;
        memset(game->weights, 0, bytes);
        keep_if_better(search);
    }
    memcpy(game->weights, search->best, bytes);
}

/* Ties (two equal environments, a symmetric design) can stop the path at a corner or make it cycle. A jitter breaks
 * the ties; polishing removes it again. Most paths have about one corner per feature, so every attempt except the
 * last has a low limit. */
static linex_status walk_path(struct search *search, double norm)
{
    static const double jitters[] = {0, 1e-13, 1e-11, 1e-12};
    const size_t attempts = sizeof jitters / sizeof *jitters;
    const linex_game_settings *settings = search->settings;
    linex_game *game = &search->game;
    linex_game_report *report = search->report;
    size_t limit = settings->max_rounds ? settings->max_rounds : MAX_CORNERS;
    for (size_t attempt = 0; attempt < attempts && report->residual > settings->tolerance; attempt++) {
        size_t corners = 0, max_corners = 1000 + 10 * game->players * game->feature_count;
        if (attempt + 1 == attempts || max_corners > limit) max_corners = limit;
        linex_status status = solve_by_path(game, norm, jitters[attempt], max_corners, &corners);
        report->rounds += corners;
        if (status == LINEX_NO_MEMORY) return status;
        if (!status) keep_if_better(search);
        limit -= corners < limit ? corners : limit;
        if (limit == 0) break;
    }
    return LINEX_OK;
}

/* A path has about one corner per feature, and a sweep costs less than a corner. */
static size_t max_sweeps(size_t feature_count, const linex_game_settings *settings)
{
    if (settings->solver == LINEX_SOLVER_PATH) return 0;
    if (settings->solver == LINEX_SOLVER_AUTO)
        return feature_count > MAX_PATH_FEATURES ? SWEEPS_WITHOUT_PATH : SWEEPS_BEFORE_PATH + feature_count / 2;
    return settings->max_rounds ? settings->max_rounds : MAX_SWEEPS;
}

static linex_status solve_by_sweeps_and_path(struct search *search)
{
    linex_game *game = &search->game;
    const linex_game_settings *settings = search->settings;
    linex_game_report *report = search->report;
    size_t count = game->feature_count, sweeps = max_sweeps(count, settings);
    bool path_follows = settings->solver != LINEX_SOLVER_SWEEPS &&
                        (settings->solver == LINEX_SOLVER_PATH || count <= MAX_PATH_FEATURES);
    report->residual = (double)INFINITY;
    if (sweeps > 0) {
        report->rounds = linex_game_sweep(game, sweeps, path_follows, settings->tolerance);
        keep_if_better(search);
    }
    linex_status status = path_follows ? walk_path(search, (double)INFINITY) : LINEX_OK;
    take_best(search, status);
    if (!status && norm_of(search) > settings->l1) {
        report->residual = (double)INFINITY;
        status = walk_path(search, settings->l1);
        take_best(search, status);
    }
    memcpy(search->strategies, search->best + count, game->players * count * sizeof *search->best);
    return status;
}

linex_status linex_game_solve(size_t players, size_t feature_count, const double *grams, const double *targets,
                              const linex_game_settings *settings, double *weights, double *strategies,
                              linex_game_report *report)
{
    if (!settings || !weights || !strategies || !report || !(settings->tolerance > 0) ||
        settings->solver < LINEX_SOLVER_AUTO || settings->solver > LINEX_SOLVER_BEST_RESPONSE)
        return LINEX_BAD_ARGUMENT;
    linex_status status = linex_game_check(players, feature_count, grams, targets, settings->gamma, settings->l1);
    if (status) return status;
    double count = (double)feature_count;
    double *scratch = linex_alloc_doubles(2.0 * (double)players * count + (double)players + count);
    if (!scratch) return LINEX_NO_MEMORY;
    memset(weights, 0, feature_count * sizeof *weights);
    *report = (linex_game_report){0};
    double *preferences = scratch + players * feature_count;
    struct search search = {
        {players, feature_count, grams, targets, settings->gamma, 0, weights, scratch, preferences},
        settings,
        strategies,
        preferences + players,
        report,
    };
    status = settings->solver == LINEX_SOLVER_BEST_RESPONSE
                 ? linex_game_play_rounds(&search.game, settings, strategies, report)
                 : solve_by_sweeps_and_path(&search);
    bool bounded = norm_of(&search) <= settings->l1 * (1 + 1e-9);
    report->converged = !status && bounded && report->residual <= settings->tolerance;
    free(scratch);
    return status;
}
