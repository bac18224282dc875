/* best_response.c: the paper's Algorithm 1, to the letter. One player after the other answers the others as well
 * as it can. Slow, and not sure to settle; it is the reference that explains what game.c computes at once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/game.h"
#include "base/matrix.h"
#include "base/alloc.h"

enum { MOST_PASSES = 20000, MOST_BISECTIONS = 200 };

linex_status linex_game_check(size_t players, size_t width, const double *grams, const double *targets, double gamma,
                              double l1)
{
    if (!players || !width || !grams || !targets || !(gamma > 0) || !isfinite(gamma) || !(l1 > 0))
        return LINEX_BAD_ARGUMENT;
    if (!linex_all_finite(players * width * width, grams) || !linex_all_finite(players * width, targets))
        return LINEX_BAD_ARGUMENT;
    for (size_t i = 0; i < players * width; i++)
        if (!(grams[i * width + i % width] > 0)) return LINEX_DEGENERATE;
    return LINEX_OK;
}

/* Coordinate descent for one player's
 *     minimize 1/2 s'G s - b's + price |s|_1   over   |s_c - others_c| <= gamma,
 * from the s that is given. Strictly convex, so this is the only answer. */
static void answer_at_price(size_t width, const double *gram, const double *target, const double *others,
                            double gamma, double price, double *pull, double *s)
{
    for (size_t c = 0; c < width; c++) pull[c] = target[c] - linex_dot(width, gram + c * width, s);
    for (size_t pass = 0; pass < MOST_PASSES; pass++) {
        double largest = 0, widest = 0;
        for (size_t c = 0; c < width; c++) {
            const double *row = gram + c * width;
            double wish = linex_shrink(s[c] + pull[c] / row[c], price / row[c]);
            double next = fmax(others[c] - gamma, fmin(others[c] + gamma, wish));
            double change = next - s[c];
            widest = fmax(widest, fabs(next));
            if (change == 0) continue;
            s[c] = next;
            linex_add_scaled(width, -change, row, pull);
            largest = fmax(largest, fabs(change));
        }
        if (largest <= 1e-15 * widest) return;
    }
}

static double norm_of(size_t width, const double *s)
{
    double sum = 0;
    for (size_t c = 0; c < width; c++) sum += fabs(s[c]);
    return sum;
}

/* The same under |s|_1 <= l1: the lowest price that keeps the bound, by bisection. */
static void answer(size_t width, const double *gram, const double *target, const double *others, double gamma,
                   double l1, double *pull, double *s)
{
    answer_at_price(width, gram, target, others, gamma, 0, pull, s);
    if (norm_of(width, s) <= l1) return;
    double low = 0, high = 0;
    for (size_t c = 0; c < width; c++) {
        high = fmax(high, fabs(target[c]));
        for (size_t d = 0; d < width; d++) high += fabs(gram[c * width + d]) * (fabs(others[d]) + gamma);
    }
    for (int step = 0; step < MOST_BISECTIONS && high - low > 1e-15 * high; step++) {
        double middle = 0.5 * (low + high);
        answer_at_price(width, gram, target, others, gamma, middle, pull, s);
        if (norm_of(width, s) > l1)
            low = middle;
        else
            high = middle;
    }
    answer_at_price(width, gram, target, others, gamma, high, pull, s);
}

linex_status linex_game_round(size_t players, size_t width, const double *grams, const double *targets, double gamma,
                              double l1, double *strategies, double *moved)
{
    if (!strategies || !moved) return LINEX_BAD_ARGUMENT;
    linex_status status = linex_game_check(players, width, grams, targets, gamma, l1);
    if (status) return status;
    double *scratch = linex_alloc_doubles(3.0 * (double)width);
    if (!scratch) return LINEX_NO_MEMORY;
    double *pull = scratch, *others = scratch + width, *s = scratch + 2 * width;
    *moved = 0;
    for (size_t i = 0; i < players; i++) {
        double *own = strategies + i * width;
        memset(others, 0, width * sizeof *others);
        for (size_t j = 0; j < players; j++)
            if (j != i) linex_add_scaled(width, 1, strategies + j * width, others);
        for (size_t c = 0; c < width; c++) s[c] = others[c] + own[c];
        answer(width, grams + i * width * width, targets + i * width, others, gamma, l1, pull, s);
        double square = 0;
        for (size_t c = 0; c < width; c++) {
            double next = s[c] - others[c];
            square += (next - own[c]) * (next - own[c]);
            own[c] = next;
        }
        *moved = fmax(*moved, sqrt(square));
    }
    free(scratch);
    return LINEX_OK;
}
