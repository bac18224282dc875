/* certificate.c: splits s among the players and measures how far the split is from an equilibrium. */
#include "game/certificate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "matrices/matrix.h"
#include "solvers/game_state.h"

/* The value that a player would choose for s_c if the other coordinates are fixed and gamma does not limit it. */
static double preference_of(const linex_standing *standing, size_t i, size_t c)
{
    size_t at = i * standing->feature_count + c;
    double diagonal = standing->diagonals[at];
    return linex_shrink(standing->weights[c] + standing->pulls[at] / diagonal, standing->prices[i] / diagonal);
}

/* How many players prefer a larger value than player i. Equal preferences rank by player number. */
static size_t rank_of(size_t players, const double *preferences, size_t i)
{
    size_t rank = 0;
    for (size_t j = 0; j < players; j++)
        rank += preferences[j] > preferences[i] || (preferences[j] == preferences[i] && j < i);
    return rank;
}

/* If s_c is a point of the grid -k gamma, -(k-2) gamma, .., k gamma, every player can be at a limit: the right number
 * at +gamma, the others at -gamma. Returns false, without a split, if s_c is not on the grid or if every player
 * prefers exactly s_c. */
static bool split_at_grid(const linex_standing *standing, size_t c, const double *preferences, double *strategies)
{
    size_t count = standing->players;
    double total = standing->weights[c], gamma = standing->gamma, level = rint(total / gamma);
    double players = (double)count;
    bool content = true;
    for (size_t i = 0; i < count; i++) content = content && preferences[i] == total;
    if (content || level * gamma != total || fabs(level) > players) return false;
    double half = (players + level) / 2;
    size_t above = (size_t)half;
    if ((double)above != half) return false;
    for (size_t i = 0; i < count; i++)
        strategies[i * standing->feature_count + c] = rank_of(count, preferences, i) < above ? gamma : -gamma;
    return true;
}

static void split_feature(const linex_standing *standing, size_t c, double *preferences, double *strategies)
{
    size_t players = standing->players;
    double total = standing->weights[c], gamma = standing->gamma, margin = 0;
    for (size_t i = 0; i < players; i++) preferences[i] = preference_of(standing, i, c);
    if (split_at_grid(standing, c, preferences, strategies)) return;

    double pushes = fmin(fmax(floor((total / gamma + (double)players) / 2), 0), (double)(players - 1));
    for (size_t i = 0; i < players; i++)
        if (rank_of(players, preferences, i) == (size_t)pushes) margin = preferences[i];
    double tie = 1e-12 * fmax(fabs(total), fabs(margin)), rest = total;
    size_t sharing = 0;
    for (size_t i = 0; i < players; i++) {
        double difference = preferences[i] - margin;
        if (fabs(difference) <= tie)
            sharing++;
        else
            rest -= difference > 0 ? gamma : -gamma;
    }
    double share = fmax(-gamma, fmin(gamma, rest / (double)sharing));
    for (size_t i = 0; i < players; i++) {
        double difference = preferences[i] - margin;
        double limit = difference > 0 ? gamma : -gamma;
        strategies[i * standing->feature_count + c] = fabs(difference) <= tie ? share : limit;
    }
}

void linex_standing_split(const linex_standing *standing, double *preferences, double *strategies)
{
    for (size_t c = 0; c < standing->feature_count; c++) split_feature(standing, c, preferences, strategies);
}

/* How far the move of a player who pays a price may be rounded. The pull and the price are rounded to doubles, so if
 * both are large, little is known of their difference. A weight of zero whose pull is certainly below the price stays. */
static double rounding_of(const linex_standing *standing, size_t i, size_t c)
{
    size_t at = i * standing->feature_count + c;
    double price = standing->prices[i], pull = fabs(standing->pulls[at]);
    double rounding = 4 * DBL_EPSILON * fmax(price, pull);
    bool stays = standing->weights[c] == 0 && pull + rounding <= price;
    return price > 0 && !stays ? rounding / standing->diagonals[at] : 0;
}

/* Returns what player i would still move along feature c, and what rounding may hide of it. The distance to the limit
 * bounds the move. Clamping strategy + move would round a small move away, and so would the difference of the preference
 * and s_c. */
static double move_of(const linex_standing *standing, size_t i, size_t c, double own)
{
    size_t at = i * standing->feature_count + c;
    double move = standing->pulls[at] / standing->diagonals[at], rounding = rounding_of(standing, i, c);
    if (standing->prices[i] > 0) move = preference_of(standing, i, c) - standing->weights[c];
    double up = standing->gamma - own, down = standing->gamma + own;
    double allowed = fabs(move) <= rounding ? fmax(up, down) : move > 0 ? up : down;
    double length = fabs(move) + rounding;
    return isfinite(length) ? fmin(length, fmax(0, allowed)) : (double)INFINITY;
}

/* Returns how far the strategies of feature c are from being a split of s_c. Rounding of their sum does not count: with
 * a gamma much larger than s_c, it cannot be avoided. */
static double split_error(const linex_standing *standing, size_t c, const double *strategies)
{
    double sum = 0, players = (double)standing->players, beyond = 0;
    double rounding = players * DBL_EPSILON * fabs(standing->weights[c]);
    for (size_t i = 0; i < standing->players; i++) {
        double own = strategies[i * standing->feature_count + c];
        sum += own;
        rounding += players * DBL_EPSILON * fabs(own);
        beyond = fmax(beyond, fabs(own) - standing->gamma);
    }
    double missing = fabs(sum - standing->weights[c]) - rounding;
    return isfinite(missing) ? fmax(beyond, missing) : (double)INFINITY;
}

/* Returns the largest violation, and the largest weight that any player prefers or has. */
static double worst_of(const linex_standing *standing, const double *strategies, double *largest_preference)
{
    size_t feature_count = standing->feature_count;
    double largest = standing->slack;
    *largest_preference = 0;
    for (size_t i = 0; i < standing->players; i++) {
        for (size_t c = 0; c < feature_count; c++) {
            size_t at = i * feature_count + c;
            double preferred = standing->weights[c] + standing->pulls[at] / standing->diagonals[at];
            if (!isfinite(preferred)) return (double)INFINITY;
            largest = fmax(largest, move_of(standing, i, c, strategies[at]));
            *largest_preference = fmax(*largest_preference, fmax(fabs(preferred), fabs(standing->weights[c])));
        }
    }
    for (size_t c = 0; c < feature_count; c++) largest = fmax(largest, split_error(standing, c, strategies));
    return largest;
}

double linex_standing_residual(const linex_standing *standing, const double *strategies)
{
    double gamma = standing->gamma, largest_preference;
    double largest = worst_of(standing, strategies, &largest_preference);
    if (!isfinite(largest)) return DBL_MAX;
    if (largest_preference == 0) return fmin(DBL_MAX, largest / gamma);
    /* If gamma is so large that strategies of that size lose the digits of s, nothing can be certified. */
    double lost = gamma * DBL_EPSILON / largest_preference;
    return fmin(DBL_MAX, lost > 1e-3 ? lost : largest / fmin(gamma, largest_preference));
}

/* Adds a * b to *sum. Returns the rounding errors of the product and of the sum (Dekker 1971, Knuth 1969). */
static double add_product(double a, double b, double *sum)
{
    const double splitter = 134217729; /* 2^27 + 1 */
    double a_high = splitter * a - (splitter * a - a), b_high = splitter * b - (splitter * b - b);
    double a_low = a - a_high, b_low = b - b_high, product = a * b;
    double product_error = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    double next = *sum + product, added = next - *sum;
    double sum_error = (*sum - (next - added)) + (product - added);
    *sum = next;
    return product_error + sum_error;
}

/* target - row's, as if computed with twice the digits (Ogita, Rump and Oishi 2005). */
static double accurate_pull(size_t size, const double *row, const double *s, double target)
{
    double sum = target, error = 0;
    for (size_t c = 0; c < size; c++) error += add_product(-row[c], s[c], &sum);
    return sum + error;
}

/* A move smaller than this share of the weights is far below every sensible tolerance. */
static const double NEGLIGIBLE = 1e-13;

/* The residual is relative to gamma or to the largest weight, whichever is smaller. With all weights zero, the pulls are
 * the targets, which are exact. */
static double scale_of(size_t size, const double *s, double gamma)
{
    double largest = 0;
    for (size_t c = 0; c < size; c++) largest = fmax(largest, fabs(s[c]));
    return largest > 0 ? fmin(gamma, largest) : gamma;
}

/* The sum of |a_c b_c|, in four running sums that do not wait for each other. */
static double absolute_dot(size_t size, const double *a, const double *b)
{
    double sums[4] = {0};
    size_t c = 0;
    for (; c + 4 <= size; c += 4)
        for (size_t k = 0; k < 4; k++) sums[k] += fabs(a[c + k] * b[c + k]);
    for (; c < size; c++) sums[0] += fabs(a[c] * b[c]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static double certified_pull(size_t size, const double *row, const double *s, double target, double diagonal,
                             double scale)
{
    double negligible = NEGLIGIBLE * scale * diagonal;
    /* If moves of this size are lost below the smallest normal number, nothing can be certified. */
    if (!(negligible > (double)size * DBL_MIN)) return (double)NAN;
    double rounding = (double)size * DBL_EPSILON * (fabs(target) + absolute_dot(size, row, s));
    if (rounding <= negligible) return target - linex_dot(size, row, s);
    return accurate_pull(size, row, s, target);
}

linex_status linex_pulls_certify(size_t players, size_t feature_count, const double *grams, const double *targets,
                                 double gamma, const double *weights, double *pulls, linex_cursor *at,
                                 linex_slice *slice)
{
    double scale = scale_of(feature_count, weights, gamma);
    for (; at->row < players * feature_count; at->row++) {
        if (linex_slice_ended(slice)) return LINEX_UNFINISHED;
        const double *row = grams + at->row * feature_count;
        pulls[at->row] =
            certified_pull(feature_count, row, weights, targets[at->row], row[at->row % feature_count], scale);
        linex_slice_use(slice, 2.0 * (double)feature_count);
    }
    *at = (linex_cursor){0};
    return LINEX_OK;
}

linex_status linex_game_residual(size_t players, size_t feature_count, const double *grams, const double *targets,
                                 double gamma, double multiplier, const double *weights, const double *strategies,
                                 double *residual)
{
    if (!weights || !strategies || !residual || !(multiplier >= 0)) return LINEX_BAD_ARGUMENT;
    linex_status status = linex_game_check(players, feature_count, grams, targets, gamma, (double)INFINITY);
    if (status) return status;
    size_t all = players * feature_count;
    double *pulls = linex_alloc_doubles(2.0 * (double)all + (double)players);
    if (!pulls) return LINEX_NO_MEMORY;
    double *diagonals = pulls + all, *prices = diagonals + all;
    for (size_t i = 0; i < all; i++) diagonals[i] = grams[i * feature_count + i % feature_count];
    for (size_t i = 0; i < players; i++) prices[i] = multiplier;
    linex_slice slice = linex_slice_endless();
    linex_cursor at = {0};
    linex_pulls_certify(players, feature_count, grams, targets, gamma, weights, pulls, &at, &slice);
    const linex_standing standing = {players, feature_count, gamma, prices, weights, pulls, diagonals, 0};
    *residual = linex_standing_residual(&standing, strategies);
    free(pulls);
    return LINEX_OK;
}
