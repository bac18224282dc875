/* game.c: chooses a solver for a game and reports the best equilibrium that it finds. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "matrices/matrix.h"
#include "game/best_response.h"
#include "game/certificate.h"
#include "solvers/equilibrium_path.h"
#include "game/game_solver.h"
#include "solvers/median_newton.h"
#include "solvers/sweeps.h"

enum { MAX_SWEEPS = 10000, MAX_CORNERS = 2000000 };

/* The automatic choice. With hundreds of features (each pixel a feature) there are often fewer samples than features,
 * and the path then has too many corners. 256 sweeps leave a residual of a few thousandths. linex_explain passes such
 * games to src/wide, so only bare games and games with many samples come here. */
enum { MAX_PATH_FEATURES = 256, SWEEPS_WITHOUT_PATH = 256, SWEEPS_BEFORE_PATH = 12 };

linex_game_settings linex_game_defaults(void)
{
    return (linex_game_settings){
        .gamma = 0, .l1 = (double)INFINITY, .solver = LINEX_SOLVER_AUTO, .tolerance = 1e-9, .max_rounds = 0};
}

/* Ties (two equal environments, a symmetric design) can stop the path at a corner or make it cycle. A jitter breaks
 * the ties; polishing removes it again. */
static const double JITTERS[] = {0, 1e-13, 1e-11, 1e-12};
enum { ATTEMPTS = sizeof JITTERS / sizeof *JITTERS };

/* Several attempts to walk the path from s = 0 to its end, or until |s|_1 = norm. */
typedef struct {
    double norm;
    size_t attempt;
    size_t corners;   /* of this attempt */
    size_t limit;     /* corners that are left for all attempts */
    linex_path *path; /* NULL between attempts */
    bool stepping;    /* whether a step to the next corner was interrupted */
    bool ended;       /* whether the path is at its end and being polished */
    bool certifying;  /* whether the attempt's result is being certified */
} path_walk;

enum stage {
    START,
    STEP,
    CERTIFY_STEPS,
    SWEEP,
    CERTIFY_SWEEPS,
    WALK_FREELY,
    KEEP_ZEROS,
    WALK_TO_BOUND,
    KEEP_BOUNDED_ZEROS,
    PLAY,
    CERTIFY_PLAY
};

struct linex_solving {
    linex_game game;
    const linex_game_settings *settings;
    double *strategies; /* players x feature_count: the strategies that sum to game.weights */
    double *best;       /* the weights and the strategies with the lowest residual so far */
    linex_game_report *report;
    const double *fits; /* players x feature_count, or NULL: see linex_solving_new */
    enum stage stage;
    linex_newton newton;
    linex_sweeps sweeps;
    path_walk walk;
    linex_rounds rounds;
    linex_cursor cursor; /* of the certificate */
    double spent;        /* work in earlier slices */
    double *memory;      /* owns the arrays */
};

static double norm_of(const linex_solving *solving)
{
    return linex_l1_norm(solving->game.feature_count, solving->game.weights);
}

/* Rounding of |s|_1 does not count as slack. */
static linex_standing standing_of(const linex_solving *solving)
{
    const linex_game *game = &solving->game;
    double l1 = solving->settings->l1, slack = 0;
    bool priced = linex_largest_magnitude(game->players, game->prices) > 0;
    if (priced && isfinite(l1))
        slack = fmax(0, l1 - norm_of(solving) - 4 * DBL_EPSILON * (double)game->feature_count * l1);
    return (linex_standing){game->players, game->feature_count, game->gamma,     game->prices,
                            game->weights, game->pull,          game->diagonals, slack};
}

static linex_status take_certified_pulls(linex_solving *solving, linex_slice *slice)
{
    const linex_game *game = &solving->game;
    return linex_pulls_certify(game->players, game->feature_count, game->grams, game->targets, game->gamma,
                               game->weights, game->pull, &solving->cursor, slice);
}

/* Certifies game.weights and keeps them if their residual is lower than the best so far. A solver in a near-singular
 * game can leave the players' reach by rounding; nothing beyond it is kept. */
static linex_status keep_if_better(linex_solving *solving, linex_slice *slice)
{
    const linex_game *game = &solving->game;
    size_t count = game->feature_count;
    double reach = (double)game->players * game->gamma;
    for (size_t c = 0; c < count; c++) game->weights[c] = fmax(-reach, fmin(reach, game->weights[c]));
    linex_status status = take_certified_pulls(solving, slice);
    if (status) return status;
    for (size_t i = 0; i < game->players; i++) game->prices[i] = game->price;
    const linex_standing standing = standing_of(solving);
    linex_standing_split(&standing, game->preferences, solving->strategies);
    double residual = linex_standing_residual(&standing, solving->strategies);
    if (!(residual < solving->report->residual)) return LINEX_OK;
    solving->report->residual = residual;
    solving->report->multiplier = game->price;
    memcpy(solving->best, game->weights, count * sizeof *solving->best);
    memcpy(solving->best + count, solving->strategies, game->players * count * sizeof *solving->best);
    return LINEX_OK;
}

/* Copies the path's end into the game. */
static void take_path_end(linex_solving *solving)
{
    linex_game *game = &solving->game;
    size_t count = game->feature_count;
    memcpy(game->weights, linex_path_weights(solving->walk.path), count * sizeof *game->weights);
    game->price = linex_path_price(solving->walk.path);
    /* Rounding can exceed the norm if the norm is much smaller than the weights without a bound. */
    double excess = linex_l1_norm(count, game->weights) / solving->walk.norm;
    for (size_t c = 0; excess > 1 && c < count; c++) game->weights[c] /= excess;
}

/* Most paths have about one corner per feature, so every attempt except the last has a low limit. */
static size_t max_corners(const linex_solving *solving)
{
    const path_walk *walk = &solving->walk;
    size_t most = 1000 + 10 * solving->game.players * solving->game.feature_count;
    return walk->attempt + 1 == ATTEMPTS || most > walk->limit ? walk->limit : most;
}

/* Whether the automatic choice has worked long enough. The work is a sum of whole numbers, so it does not depend on
 * the slices. */
static bool is_spent(const linex_solving *solving, const linex_slice *slice)
{
    double most = solving->settings->max_work;
    return most > 0 && solving->settings->solver == LINEX_SOLVER_AUTO && solving->spent + slice->used > most;
}

/* Walks one path to its end and polishes it. A failure ends the attempt only. */
static linex_status walk_once(linex_solving *solving, linex_slice *slice)
{
    path_walk *walk = &solving->walk;
    const linex_game *game = &solving->game;
    if (!walk->path) {
        walk->path = linex_path_new(game->players, game->feature_count, game->grams, game->targets, game->gamma,
                                    JITTERS[walk->attempt]);
        if (!walk->path) return LINEX_NO_MEMORY;
        walk->corners = 0;
        walk->stepping = walk->ended = false;
    }
    for (; !walk->ended; walk->corners++) {
        /* Only between two steps: otherwise the slices would decide whether a step that goes too far ends. */
        if (!walk->stepping && is_spent(solving, slice)) walk->limit = walk->corners;
        if (!walk->stepping && walk->corners >= max_corners(solving)) return LINEX_NOT_CONVERGED;
        linex_status status = linex_path_step(walk->path, walk->norm, &walk->ended, slice);
        walk->stepping = status == LINEX_UNFINISHED;
        if (status) return status;
    }
    linex_status status = linex_path_polish(walk->path, game->targets, walk->norm, slice);
    if (!status) take_path_end(solving);
    return status;
}

/* Tries to walk the path until an attempt is certified. */
static linex_status walk_path(linex_solving *solving, linex_slice *slice)
{
    path_walk *walk = &solving->walk;
    while (walk->attempt < ATTEMPTS && walk->limit > 0 && solving->report->residual > solving->settings->tolerance) {
        if (!walk->certifying) {
            linex_status status = walk_once(solving, slice);
            if (status == LINEX_UNFINISHED || status == LINEX_NO_MEMORY) return status;
            linex_path_free(walk->path);
            walk->path = NULL;
            walk->certifying = !status;
            solving->report->rounds += walk->corners;
        }
        if (walk->certifying && keep_if_better(solving, slice)) return LINEX_UNFINISHED;
        walk->certifying = false;
        walk->limit -= walk->corners < walk->limit ? walk->corners : walk->limit;
        walk->attempt++;
    }
    return LINEX_OK;
}

static void start_walk(linex_solving *solving, double norm)
{
    size_t limit = solving->settings->max_rounds ? solving->settings->max_rounds : MAX_CORNERS;
    solving->walk = (path_walk){.norm = norm, .limit = limit};
}

/* Falls back to all zeros, with their residual, if no solver found a solution. Then sets game.weights to the best. */
static linex_status take_best(linex_solving *solving, linex_slice *slice)
{
    linex_game *game = &solving->game;
    size_t bytes = game->feature_count * sizeof *game->weights;
    if (isinf(solving->report->residual)) {
        game->price = 0;
        memset(game->weights, 0, bytes);
        linex_status status = keep_if_better(solving, slice);
        if (status) return status;
    }
    memcpy(game->weights, solving->best, bytes);
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

static bool path_follows(const linex_solving *solving)
{
    linex_solver solver = solving->settings->solver;
    return solver == LINEX_SOLVER_PATH ||
           (solver == LINEX_SOLVER_AUTO && solving->game.feature_count <= MAX_PATH_FEATURES);
}

/* Starts where the game would end if the features did not depend on each other: at the rest points of the fits. */
static void take_start(linex_solving *solving)
{
    linex_game *game = &solving->game;
    size_t count = game->feature_count;
    for (size_t c = 0; c < count; c++) {
        for (size_t i = 0; i < game->players; i++) game->preferences[i] = solving->fits[i * count + c];
        linex_sort(game->players, game->preferences);
        game->weights[c] = linex_rest_point(game->players, game->preferences, game->gamma);
    }
}

/* Newton steps from the fits, then certifies what they found. If it is no equilibrium, the other solvers start from
 * zero, as they do without fits. */
static linex_status step_from_fits(linex_solving *solving, linex_slice *slice)
{
    linex_game *game = &solving->game;
    if (solving->stage == START) {
        take_start(solving);
        solving->stage = STEP;
    }
    if (solving->stage == STEP) {
        linex_status status = linex_newton_advance(&solving->newton, game, slice);
        if (status) return status;
        solving->report->rounds = solving->newton.rounds;
        solving->stage = CERTIFY_STEPS;
    }
    linex_status status = keep_if_better(solving, slice);
    if (status) return status;
    if (solving->report->residual > solving->settings->tolerance)
        memset(game->weights, 0, game->feature_count * sizeof *game->weights);
    return LINEX_OK;
}

/* Sweeps, then certifies what they found. */
static linex_status sweep(linex_solving *solving, linex_slice *slice)
{
    size_t most = max_sweeps(solving->game.feature_count, solving->settings);
    linex_status status = LINEX_OK;
    if (solving->stage == SWEEP) {
        if (most > 0)
            status = linex_sweeps_advance(&solving->sweeps, &solving->game, most, path_follows(solving),
                                          solving->settings->tolerance, slice);
        if (status) return status;
        solving->report->rounds += solving->sweeps.rounds;
        solving->stage = CERTIFY_SWEEPS;
    }
    return most > 0 ? keep_if_better(solving, slice) : LINEX_OK;
}

/* The solvers by sweeps and path. The bound comes last: if the free equilibrium is within it, that is the answer. */
static linex_status search(linex_solving *solving, linex_slice *slice)
{
    linex_status status = LINEX_OK;
    if (solving->stage <= CERTIFY_STEPS) {
        status = step_from_fits(solving, slice);
        if (status) return status;
        solving->stage = solving->report->residual <= solving->settings->tolerance ? WALK_FREELY : SWEEP;
    }
    if (solving->stage <= CERTIFY_SWEEPS && solving->stage >= SWEEP) {
        status = sweep(solving, slice);
        if (status) return status;
        start_walk(solving, (double)INFINITY);
        solving->stage = WALK_FREELY;
    }
    if (solving->stage == WALK_FREELY) {
        if (path_follows(solving)) status = walk_path(solving, slice);
        if (status) return status;
        solving->stage = KEEP_ZEROS;
    }
    if (solving->stage == KEEP_ZEROS) {
        status = take_best(solving, slice);
        if (status) return status;
        if (norm_of(solving) <= solving->settings->l1) return LINEX_OK;
        solving->report->residual = (double)INFINITY;
        start_walk(solving, solving->settings->l1);
        solving->stage = WALK_TO_BOUND;
    }
    if (solving->stage == WALK_TO_BOUND) {
        status = walk_path(solving, slice);
        if (status) return status;
        solving->stage = KEEP_BOUNDED_ZEROS;
    }
    return take_best(solving, slice);
}

/* Algorithm 1. Its strategies are certified as they are, not split again. */
static linex_status play(linex_solving *solving, linex_slice *slice)
{
    linex_game *game = &solving->game;
    if (solving->stage == PLAY) {
        linex_status status =
            linex_rounds_advance(&solving->rounds, game, solving->settings, solving->strategies, slice);
        if (status) return status;
        solving->report->rounds = solving->rounds.rounds;
        solving->stage = CERTIFY_PLAY;
    }
    if (take_certified_pulls(solving, slice)) return LINEX_UNFINISHED;
    if (norm_of(solving) >= solving->settings->l1 * (1 - 1e-9))
        solving->report->multiplier = linex_rounds_take_prices(game, solving->strategies);
    const linex_standing standing = standing_of(solving);
    solving->report->residual = linex_standing_residual(&standing, solving->strategies);
    return LINEX_OK;
}

static bool settings_are_good(const linex_game_settings *settings)
{
    return settings && settings->tolerance > 0 && settings->tolerance <= LINEX_MOST_TOLERANCE &&
           settings->max_work >= 0 && settings->solver >= LINEX_SOLVER_AUTO &&
           settings->solver <= LINEX_SOLVER_BEST_RESPONSE;
}

/* Divides the memory among the arrays of the solver. */
static void place_arrays(linex_solving *solving, double *next)
{
    linex_game *game = &solving->game;
    size_t count = game->feature_count, all = game->players * count;
    solving->memory = next;
    game->pull = next, next += all;
    game->diagonals = next, next += all;
    game->prices = next, next += game->players;
    game->preferences = next, next += game->players;
    solving->best = next, next += count + all;
    solving->rounds.pull = next, next += count;
    solving->rounds.others = next, next += count;
    solving->rounds.s = next, next += count;
    if (solving->stage == START) linex_newton_place(&solving->newton, count, next);
    for (size_t i = 0; i < all; i++) game->diagonals[i] = game->grams[i * count + i % count];
}

linex_status linex_solving_new(size_t players, size_t feature_count, const double *grams, const double *targets,
                               const linex_game_settings *settings, const double *fits, double *weights,
                               double *strategies, linex_game_report *report, linex_solving **solving)
{
    if (!settings_are_good(settings) || !weights || !strategies || !report) return LINEX_BAD_ARGUMENT;
    linex_status status = linex_game_check(players, feature_count, grams, targets, settings->gamma, settings->l1);
    if (status) return status;
    double all = (double)players * (double)feature_count;
    bool starts = fits && settings->solver == LINEX_SOLVER_AUTO && feature_count <= MAX_PATH_FEATURES;
    double *memory = linex_alloc_doubles(3 * all + 2.0 * (double)players + 4.0 * (double)feature_count +
                                         (starts ? linex_newton_room(feature_count) : 0));
    linex_solving *made = calloc(1, sizeof *made);
    if (!memory || !made) {
        free(memory);
        free(made);
        return LINEX_NO_MEMORY;
    }
    made->game = (linex_game){players, feature_count, grams, targets, settings->gamma, .weights = weights};
    made->settings = settings;
    made->strategies = strategies;
    made->report = report;
    made->fits = fits;
    made->stage = settings->solver == LINEX_SOLVER_BEST_RESPONSE ? PLAY : starts ? START : SWEEP;
    place_arrays(made, memory);
    memset(weights, 0, feature_count * sizeof *weights);
    memset(strategies, 0, players * feature_count * sizeof *strategies);
    *report = (linex_game_report){.residual = (double)INFINITY};
    *solving = made;
    return LINEX_OK;
}

void linex_solving_free(linex_solving *solving)
{
    if (!solving) return;
    linex_path_free(solving->walk.path);
    free(solving->memory);
    free(solving);
}

linex_status linex_solving_advance(linex_solving *solving, linex_slice *slice)
{
    const linex_game_settings *settings = solving->settings;
    bool plays = settings->solver == LINEX_SOLVER_BEST_RESPONSE;
    linex_slice own = {.left = slice->left};
    linex_status status = plays ? play(solving, &own) : search(solving, &own);
    linex_slice_use(slice, own.used);
    solving->spent += own.used;
    if (status) return status;
    size_t count = solving->game.feature_count;
    if (!plays)
        memcpy(solving->strategies, solving->best + count, solving->game.players * count * sizeof *solving->best);
    bool finite = isfinite(solving->report->multiplier) && linex_all_finite(count, solving->game.weights);
    if (!finite) return LINEX_OVERFLOW;
    bool bounded = norm_of(solving) <= settings->l1 * (1 + 1e-9);
    solving->report->converged = bounded && solving->report->residual <= settings->tolerance;
    return LINEX_OK;
}

double linex_solving_work(const linex_solving *solving)
{
    return solving->spent;
}

/* ---- the public functions ---- */

struct game_task {
    linex_task task;
    linex_game_settings settings;
    linex_solving *solving;
};

static linex_status advance_game(linex_task *task, linex_slice *slice)
{
    return linex_solving_advance(((struct game_task *)task)->solving, slice);
}

/* How many sweeps, corners or rounds a game needs is not known before, so this only says that it moves. */
static double game_progress(const linex_task *task)
{
    const linex_solving *solving = ((const struct game_task *)task)->solving;
    double rounds = (double)(solving->sweeps.rounds + solving->rounds.rounds + solving->report->rounds);
    rounds += (double)solving->walk.corners;
    return rounds / (rounds + 100 + 2.0 * (double)solving->game.feature_count);
}

static void release_game(linex_task *task)
{
    linex_solving_free(((struct game_task *)task)->solving);
    free(task);
}

linex_status linex_game_start(size_t players, size_t feature_count, const double *grams, const double *targets,
                              const linex_game_settings *settings, double *weights, double *strategies,
                              linex_game_report *report, linex_task **task)
{
    if (!task || !settings) return LINEX_BAD_ARGUMENT;
    struct game_task *made = calloc(1, sizeof *made);
    if (!made) return LINEX_NO_MEMORY;
    made->task = (linex_task){advance_game, game_progress, release_game, LINEX_UNFINISHED, 0};
    made->settings = *settings;
    linex_status status = linex_solving_new(players, feature_count, grams, targets, &made->settings, NULL, weights,
                                            strategies, report, &made->solving);
    if (status)
        free(made);
    else
        *task = &made->task;
    return status;
}

linex_status linex_game_solve(size_t players, size_t feature_count, const double *grams, const double *targets,
                              const linex_game_settings *settings, double *weights, double *strategies,
                              linex_game_report *report)
{
    linex_task *task = NULL;
    linex_status started =
        linex_game_start(players, feature_count, grams, targets, settings, weights, strategies, report, &task);
    return linex_task_finish(started, task);
}
