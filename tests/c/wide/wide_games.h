/* wide_games.h: wide games for the tests, and what is left to gain in them by the definition of an equilibrium. */
#ifndef LINEX_WIDE_GAMES_H
#define LINEX_WIDE_GAMES_H

#include "wide/wide_energy.h"
#include "wide/wide_game.h"

#include <stdlib.h>

#include "check.h"
#include "base/random.h"

typedef enum { MASKS, PIXELS, REPEATED } kind;

/* One game and everything that it owns. */
typedef struct {
    linex_points points;
    double *answers, *weights, *values;
    uint8_t *masks;
    size_t players;
    bool centered;
    double ridge;
} game;

static inline void close_game(game *played)
{
    free(played->answers);
    free(played->weights);
    free(played->values);
    free(played->masks);
}

/* Smooth pictures: every pixel is a mix of a few patterns, so neighbors are nearly equal. */
static inline void fill_pixels(linex_random *random, size_t count, size_t features, double *values)
{
    enum { PATTERNS = 6 };
    double codes[PATTERNS];
    for (size_t j = 0; j < count; j++) {
        linex_random_normals(random, PATTERNS, codes);
        for (size_t c = 0; c < features; c++) {
            double value = 0.5, place = (double)c / (double)features;
            for (size_t p = 0; p < PATTERNS; p++)
                value += 0.1 * codes[p] * sin(3 * (double)(p + 1) * place + (double)p);
            values[j * features + c] = fmax(0, fmin(1, value));
        }
    }
}

/* Bootstraps of weighted samples. */
static inline void fill_weights(linex_random *random, size_t count, size_t players, double *weights)
{
    double *own = malloc(count * sizeof *own);
    for (size_t j = 0; j < count; j++) own[j] = 0.2 + linex_random_uniform(random);
    for (size_t i = 0; i < players; i++)
        for (size_t draw = 0; draw < count; draw++) {
            size_t j = linex_random_below(random, (uint32_t)count);
            weights[i * count + j] += own[j];
        }
    free(own);
}

static inline double point_value(const game *played, size_t sample, size_t feature)
{
    size_t at = sample * played->points.feature_count + feature;
    return played->values ? played->values[at] : (double)played->masks[at];
}

/* A model that is linear in few features, with a bend and some noise. */
static inline void answer(linex_random *random, game *played)
{
    for (size_t j = 0; j < played->points.count; j++) {
        double sum = 0, noise[2];
        for (size_t c = 0; c < played->points.feature_count; c++)
            sum += point_value(played, j, c) * cos((double)(c * c)) / (1 + 0.05 * (double)c);
        linex_random_normals(random, 2, noise);
        played->answers[j] = sum / (1 + fabs(sum)) + 0.1 * noise[0];
    }
}

/* The ridge is relative to the median energy of the columns under the weights of all players together. */
static inline void set_ridge(game *played, double relative)
{
    size_t count = played->points.count;
    double *all = calloc(count, sizeof *all), *scratch = malloc(3 * played->points.feature_count * sizeof *scratch);
    for (size_t i = 0; i < played->players * count; i++)
        all[i % count] += played->weights[i] / (double)played->players;
    played->ridge = relative * linex_wide_energy(&played->points, all, played->centered, scratch);
    free(all);
    free(scratch);
}

static inline game make_game(kind made, size_t count, size_t features, size_t players, bool centered, double relative,
                             uint64_t seed)
{
    linex_random random = linex_random_seed(seed);
    game played = {.players = players, .centered = centered};
    played.answers = malloc(count * sizeof *played.answers);
    played.weights = calloc(players * count, sizeof *played.weights);
    if (made == PIXELS) {
        played.values = malloc(count * features * sizeof *played.values);
        fill_pixels(&random, count, features, played.values);
    } else {
        played.masks = malloc(count * features);
        for (size_t i = 0; i < count * features; i++) played.masks[i] = linex_random_below(&random, 2) != 0;
    }
    /* Every third column is the one before it, and every tenth is constant. */
    for (size_t i = 0; made == REPEATED && i < count * features; i++)
        if (i % features % 10 == 9)
            played.masks[i] = 1;
        else if (i % features % 3 == 2)
            played.masks[i] = played.masks[i - 1];
    played.points = (linex_points){count, features, played.values, played.masks};
    fill_weights(&random, count, players, played.weights);
    answer(&random, &played);
    set_ridge(&played, relative);
    return played;
}

static inline linex_wide *new_game(const game *played, double gamma)
{
    return linex_wide_new(&played->points, played->answers, played->players, played->weights, played->centered,
                          played->ridge, gamma, 1e-9);
}

static inline linex_wide *solve(const game *played, double gamma)
{
    linex_wide *wide = new_game(played, gamma);
    linex_slice slice = linex_slice_endless();
    CHECK(linex_wide_solve(wide, &slice) == LINEX_OK);
    return wide;
}

/* What player i would still move, straight from the definition: (x_c'C_i (y - X s) - ridge s_c) / (x_c'C_i x_c +
 * ridge), within its limits. */
static inline long double largest_move(const game *played, size_t i, const long double *left, const double *s,
                                       const double *strategies, double gamma)
{
    size_t count = played->points.count, features = played->points.feature_count;
    const double *weights = played->weights + i * count;
    long double total = 0, left_mean = 0, worst = 0;
    for (size_t j = 0; j < count; j++) total += weights[j], left_mean += weights[j] * left[j];
    left_mean = played->centered && total > 0 ? left_mean / total : 0;
    for (size_t c = 0; c < features; c++) {
        long double mean = 0, force = 0, energy = 0;
        for (size_t j = 0; j < count; j++) mean += weights[j] * (long double)point_value(played, j, c);
        mean = played->centered && total > 0 ? mean / total : 0;
        for (size_t j = 0; j < count; j++) {
            long double x = point_value(played, j, c) - mean;
            force += weights[j] * x * (left[j] - left_mean);
            energy += weights[j] * x * x;
        }
        long double move = (force - played->ridge * s[c]) / (energy + played->ridge);
        if (total == 0) move = -s[c];
        double own = strategies[c];
        long double allowed = move > 0 ? gamma - own : gamma + own;
        CHECK(fabs(own) <= gamma);
        worst = fmaxl(worst, fminl(fabsl(move), allowed));
    }
    return worst;
}

/* Returns the largest violation of an equilibrium by s and the strategies, divided by gamma. */
static inline double violation(const game *played, const linex_wide *wide)
{
    size_t count = played->points.count, features = played->points.feature_count;
    const double *s = linex_wide_weights(wide), *strategies = linex_wide_strategies(wide);
    double gamma = linex_wide_gamma(wide);
    long double *left = malloc(count * sizeof *left), worst = 0;
    for (size_t j = 0; j < count; j++) {
        left[j] = played->answers[j];
        for (size_t c = 0; c < features; c++) left[j] -= (long double)point_value(played, j, c) * s[c];
    }
    for (size_t i = 0; i < played->players; i++)
        worst = fmaxl(worst, largest_move(played, i, left, s, strategies + i * features, gamma));
    for (size_t c = 0; c < features; c++) {
        long double sum = 0;
        for (size_t i = 0; i < played->players; i++) sum += strategies[i * features + c];
        worst = fmaxl(worst, fabsl(sum - s[c]));
    }
    free(left);
    return (double)(worst / gamma);
}

static inline void check_solved(const game *played, const linex_wide *wide)
{
    linex_game_report report = linex_wide_report(wide);
    CHECK(report.converged && report.residual <= 1e-9 && report.median_residual <= 1e-8);
    CHECK(violation(played, wide) <= 1e-9);
    CHECK(linex_wide_certified_ridge(wide) == 0 && linex_wide_progress(wide) == 1);
}

#endif
