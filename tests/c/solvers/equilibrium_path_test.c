/* equilibrium_path_test.c: tests of the path of equilibria. */
#include "solvers/equilibrium_path.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "base/random.h"

/* With one player and no limit this is the lasso path, whose optimality conditions hold at every corner. */
static void one_player_without_a_limit_walks_the_lasso_path(void)
{
    enum { FEATURES = 8, ROWS = 12 };
    linex_random random = linex_random_seed(11);
    double points[ROWS * FEATURES], answers[ROWS], gram[FEATURES * FEATURES], cross[FEATURES];
    linex_random_normals(&random, ROWS * FEATURES, points);
    linex_random_normals(&random, ROWS, answers);
    for (size_t c = 0; c < FEATURES; c++) {
        cross[c] = 0;
        for (size_t i = 0; i < ROWS; i++) cross[c] += points[i * FEATURES + c] * answers[i];
        for (size_t d = 0; d < FEATURES; d++) {
            gram[c * FEATURES + d] = 0;
            for (size_t i = 0; i < ROWS; i++)
                gram[c * FEATURES + d] += points[i * FEATURES + c] * points[i * FEATURES + d];
        }
    }
    linex_slice slice = linex_slice_endless();
    linex_path *path = linex_path_new(1, FEATURES, gram, cross, (double)INFINITY, 0);
    bool ended = false;
    double price = (double)INFINITY;
    int corners = 0;
    while (!ended) {
        CHECK(linex_path_step(path, (double)INFINITY, &ended, &slice) == LINEX_OK);
        CHECK(linex_path_price(path) <= price);
        price = linex_path_price(path);
        const double *weights = linex_path_weights(path);
        for (size_t c = 0; c < FEATURES; c++) {
            double pull = cross[c];
            for (size_t d = 0; d < FEATURES; d++) pull -= gram[c * FEATURES + d] * weights[d];
            CHECK(fabs(pull) <= price + 1e-9);
            if (weights[c] != 0) CHECK_NEAR(pull, weights[c] > 0 ? price : -price, 1e-9);
        }
        if (++corners > 1000) break;
    }
    CHECK(price == 0);
    CHECK(corners >= FEATURES);
    linex_path_free(path);
}

static void the_path_stops_where_the_norm_is_reached(void)
{
    const double grams[] = {1, 0.3, 0.3, 1, 1, -0.2, -0.2, 1}, targets[] = {2, 1, 3, 2};
    linex_slice slice = linex_slice_endless();
    linex_path *path = linex_path_new(2, 2, grams, targets, 5, 0);
    bool ended = false;
    for (int i = 0; !ended && i < 100; i++) CHECK(linex_path_step(path, 1.25, &ended, &slice) == LINEX_OK);
    CHECK(ended);
    CHECK(linex_path_polish(path, targets, 1.25, &slice) == LINEX_OK);
    const double *weights = linex_path_weights(path);
    CHECK_NEAR(fabs(weights[0]) + fabs(weights[1]), 1.25, 1e-12);
    CHECK(linex_path_price(path) > 0);
    linex_path_free(path);
}

static void freeing_null_does_nothing(void)
{
    linex_path_free(NULL);
}

int main(void)
{
    RUN(one_player_without_a_limit_walks_the_lasso_path);
    RUN(the_path_stops_where_the_norm_is_reached);
    RUN(freeing_null_does_nothing);
    return checks_failed != 0;
}
