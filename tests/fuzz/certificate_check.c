/* certificate_check.c: checks in 113 bits, and without the library, that a solved game is an equilibrium. */
#include "certificate_check.h"

#include <float.h>
#include <math.h>

__extension__ typedef __float128 wide;

/* A tolerance below this is rounding error. */
static const double ROUNDING = 1e-13;

/* Smaller numbers have lost digits, or are zero. */
static const double SMALLEST = DBL_MIN;

typedef struct {
    size_t players, feature_count;
    const double *grams, *targets, *weights, *strategies;
    wide gamma, l1, allowed; /* allowed: the longest move that a player may still want to make */
} solution;

static wide magnitude(wide value)
{
    return value < 0 ? -value : value;
}

static wide smaller(wide a, wide b)
{
    return a < b ? a : b;
}

/* Theta_ic: the best s_c for player i if the other coordinates are fixed and nothing limits it. */
static wide preference(const solution *at, size_t player, size_t feature)
{
    const double *row = at->grams + (player * at->feature_count + feature) * at->feature_count;
    wide pull = at->targets[player * at->feature_count + feature];
    for (size_t d = 0; d < at->feature_count; d++) pull -= (wide)row[d] * at->weights[d];
    return at->weights[feature] + pull / row[feature];
}

static wide largest_preference(const solution *at)
{
    wide largest = 0;
    for (size_t i = 0; i < at->players; i++)
        for (size_t c = 0; c < at->feature_count; c++) {
            wide size = magnitude(preference(at, i, c));
            if (size > largest) largest = size;
        }
    return largest;
}

/* Narrows the prices at which player i does not want to move s_c. The player minimizes its risk plus price * |s|_1,
 * so it moves to the preference, shrunk towards zero by price / G_cc. */
static void narrow_prices(const solution *at, size_t player, size_t feature, wide *lowest, wide *highest)
{
    size_t index = player * at->feature_count + feature;
    wide own = at->strategies[index], here = at->weights[feature], theta = preference(at, player, feature);
    wide diagonal = at->grams[index * at->feature_count + feature];
    wide up = at->gamma - own, down = at->gamma + own;
    if (theta < 0) { /* mirrored, so that theta is not negative and a price lowers the target */
        wide swap = up;
        theta = -theta, here = -here;
        up = down, down = swap;
    }
    if (up > at->allowed) { /* the target must not be above `here` by more than allowed */
        if (here + at->allowed < 0) *highest = -1;
        wide least = (theta - here - at->allowed) * diagonal;
        if (least > *lowest) *lowest = least;
    }
    if (down > at->allowed && here - at->allowed > 0) /* nor below it */
        *highest = smaller(*highest, (theta - here + at->allowed) * diagonal);
}

/* Whether there is a price at which player i does not want to move any coordinate. */
static bool is_content(const solution *at, size_t player, wide lowest, wide highest)
{
    for (size_t c = 0; c < at->feature_count; c++) narrow_prices(at, player, c, &lowest, &highest);
    return lowest <= highest;
}

static const char *infeasibility(const solution *at, wide scale)
{
    wide norm = 0, rounding = 4 * (wide)DBL_EPSILON * at->players * at->gamma + SMALLEST;
    for (size_t c = 0; c < at->feature_count; c++) {
        wide sum = 0;
        for (size_t i = 0; i < at->players; i++) {
            wide own = at->strategies[i * at->feature_count + c];
            if (!(magnitude(own) <= at->gamma * (1 + (wide)1e-9))) return "a strategy is beyond gamma";
            sum += own;
        }
        if (!(magnitude(sum - at->weights[c]) <= scale * (wide)1e-9 + rounding))
            return "the strategies do not add up to the weights";
        norm += magnitude(at->weights[c]);
    }
    return norm <= at->l1 * (1 + (wide)1e-9) ? NULL : "the weights exceed the l1 bound";
}

const char *certificate_fault(size_t players, size_t feature_count, const double *grams, const double *targets,
                              const linex_game_settings *settings, const double *weights, const double *strategies,
                              const linex_game_report *report)
{
    if (!report->converged) return NULL;
    solution at = {players, feature_count, grams, targets, weights, strategies, settings->gamma, settings->l1, 0};
    wide largest = largest_preference(&at), norm = 0;
    wide scale = largest > 0 ? smaller(at.gamma, largest) : at.gamma;
    const char *fault = infeasibility(&at, scale);
    if (fault) return fault;
    for (size_t c = 0; c < feature_count; c++) norm += magnitude(weights[c]);
    at.allowed = 2 * (wide)fmax(settings->tolerance, ROUNDING) * scale + SMALLEST;
    bool is_active = at.l1 - norm <= at.l1 * (wide)1e-9 + at.allowed;
    if (report->multiplier < 0 || (report->multiplier > 0 && !is_active)) return "a price is paid without need";
    /* The report rounds the price. Divided by a tiny G_cc, that alone would be a long move. */
    wide lowest = report->multiplier * (1 - 4 * (wide)DBL_EPSILON),
         highest = report->multiplier * (1 + 4 * (wide)DBL_EPSILON);
    if (settings->solver == LINEX_SOLVER_BEST_RESPONSE) { /* every player has a price of its own */
        lowest = 0;
        highest = is_active ? (wide)DBL_MAX * DBL_MAX : 0;
    }
    for (size_t i = 0; i < players; i++)
        if (!is_content(&at, i, lowest, highest)) return "a player gains by moving";
    return NULL;
}
