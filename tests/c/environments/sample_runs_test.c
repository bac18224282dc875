/* sample_runs_test.c: tests of the runs that halves are made of. */
#include "environments/sample_runs.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { MOST = 6000, SEED = 5 };

static uint32_t run_of[MOST];
static double points[MOST], proximity[MOST], drawn[3 * MOST];

static linex_samples make_samples(size_t planned, size_t block)
{
    for (size_t i = 0; i < planned; i++) proximity[i] = 1;
    return (linex_samples){.count = planned,
                           .feature_count = 1,
                           .points = points,
                           .weights = proximity,
                           .planned = planned,
                           .block = block};
}

/* The numbers follow from the definition: at most 32 runs, doubled blocks, and a short rest joins the last run. */
static void runs_are_blocks_doubled_until_there_are_few_enough(void)
{
    static const struct {
        size_t planned, block, runs, length;
    } known[] = {{1025, 2, 32, 32}, {1000, 2, 31, 32},   {5001, 2, 20, 256}, {101, 2, 25, 4},
                 {257, 8, 32, 8},   {1025, 128, 8, 128}, {65, 2, 32, 2},     {33, 1, 32, 1},
                 {20, 2, 9, 2},     {10, 2, 9, 1},       {514, 128, 8, 64}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        linex_samples samples = make_samples(known[k].planned, known[k].block);
        size_t runs = linex_sample_runs_count(&samples, 2), length = known[k].length;
        CHECK(runs == known[k].runs);
        linex_sample_runs_assign(&samples, 2, SEED, run_of);
        CHECK(run_of[0] == 0);
        for (size_t i = 1; i < known[k].planned; i++) {
            size_t run = (i - 1) / length;
            CHECK(run_of[i] == (run < runs ? run : runs - 1));
        }
    }
}

static void halves_never_split_a_run(void)
{
    static const size_t sizes[] = {101, 257, 1000, 1025, 5000};
    for (size_t k = 0; k < 5; k++) {
        for (size_t players = 2; players <= 3; players++) {
            size_t planned = sizes[k];
            linex_samples samples = make_samples(planned, 2);
            const linex_environment_settings settings = {.kind = LINEX_HALVES, .players = players};
            linex_sample_runs_assign(&samples, players, SEED, run_of);
            for (uint64_t draw = 0; draw < 20; draw++) {
                CHECK(linex_environments_draw(&samples, &settings, SEED, draw, drawn) == LINEX_OK);
                size_t runs_of_first = 0;
                for (size_t i = 0; i < planned; i++) {
                    double holders = 0;
                    for (size_t p = 0; p < players; p++) holders += drawn[p * planned + i];
                    CHECK(holders == 1);
                    if (i > 0 && run_of[i] == run_of[i - 1]) CHECK(drawn[i] == drawn[i - 1]);
                    if (i == 0 || run_of[i] != run_of[i - 1]) runs_of_first += drawn[i] == 1;
                }
                size_t runs = linex_sample_runs_count(&samples, players);
                CHECK(runs_of_first >= runs / players && runs_of_first <= runs / players + 1);
            }
        }
    }
}

static void samples_in_no_order_have_random_runs_of_equal_size(void)
{
    size_t sizes[LINEX_MOST_RUNS] = {0}, together = 0;
    linex_samples samples = make_samples(1000, 0);
    CHECK(linex_sample_runs_count(&samples, 2) == LINEX_MOST_RUNS);
    linex_sample_runs_assign(&samples, 2, SEED, run_of);
    for (size_t i = 0; i < 1000; i++) sizes[run_of[i]]++;
    for (size_t i = 0; i < LINEX_MOST_RUNS; i++) CHECK(sizes[i] == 31 || sizes[i] == 32);
    for (size_t i = 1; i < 1000; i++) together += run_of[i] == run_of[i - 1];
    CHECK(together < 60); /* 31 are expected; runs in order would have 968 */
}

static void few_samples_have_a_run_each(void)
{
    for (size_t planned = 2; planned <= 8; planned++) {
        linex_samples samples = make_samples(planned, 2);
        CHECK(linex_sample_runs_count(&samples, 2) == planned);
    }
    linex_samples samples = make_samples(1000, 2);
    CHECK(linex_sample_runs_count(&samples, 100) >= 125 && linex_sample_runs_count(&samples, 100) <= 500);
}

static void the_run_of_the_input_belongs_to_all_players_if_anchored(void)
{
    enum { RUNS = 9 };
    const linex_environment_settings settings = {.kind = LINEX_HALVES, .players = 3, .anchored = true};
    uint32_t order[RUNS];
    double weights[3 * RUNS], again[3 * RUNS];
    linex_sample_runs_draw(&settings, false, RUNS, SEED, 1, order, weights);
    linex_sample_runs_draw(&settings, false, RUNS, SEED, 2, order, again);
    CHECK(memcmp(weights, again, sizeof weights) != 0);
    for (size_t p = 0; p < 3; p++) CHECK(weights[p * RUNS] == 1);
    for (size_t i = 1; i < RUNS; i++) CHECK(weights[i] + weights[RUNS + i] + weights[2 * RUNS + i] == 1);
    linex_sample_runs_draw(&settings, true, RUNS, SEED, 2, order, again);
    for (size_t i = 0; i < 3 * RUNS; i++) CHECK(again[i] == 1);
}

int main(void)
{
    RUN(runs_are_blocks_doubled_until_there_are_few_enough);
    RUN(halves_never_split_a_run);
    RUN(samples_in_no_order_have_random_runs_of_equal_size);
    RUN(few_samples_have_a_run_each);
    RUN(the_run_of_the_input_belongs_to_all_players_if_anchored);
    return checks_failed != 0;
}
