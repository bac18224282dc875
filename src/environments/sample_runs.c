/* sample_runs.c: cuts the planned samples into runs, and splits the runs among the players. */
#include "environments/sample_runs.h"

#include <string.h>

linex_points linex_points_of(const linex_samples *samples)
{
    return (linex_points){samples->count, samples->feature_count, samples->points, samples->masks};
}

/* Sample i of a neighborhood uses stream i of the seed. The draws use streams from 2^63 on. */
linex_random linex_environments_stream(uint64_t seed, uint64_t draw)
{
    const linex_random root = linex_random_seed(seed);
    return linex_random_split(&root, (UINT64_C(1) << 63) + draw);
}

/* Two per player at least; environments have at most a few players. */
static size_t most_runs(size_t planned, size_t players)
{
    size_t most = players > LINEX_MOST_RUNS / 2 ? 2 * players : LINEX_MOST_RUNS;
    return most < planned ? most : planned;
}

/* The number of runs of this length after sample 0. A short rest at the end joins the last run. */
static size_t runs_of(size_t planned, size_t length)
{
    return (planned - 1) / length + ((planned - 1) % length > length / 2);
}

/* The length of the runs: whole blocks, unless there would be too few runs. Returns 0 if even runs of one sample are
 * too few, or if the samples are in no order: then the runs are random. */
static size_t run_length(const linex_samples *samples, size_t players)
{
    size_t planned = samples->planned, length = samples->block, most = most_runs(planned, players);
    size_t fewest = 2 * players > LINEX_FEWEST_RUNS ? 2 * players : LINEX_FEWEST_RUNS;
    if (length == 0 || planned <= fewest) return 0;
    if (length > planned) length = planned;
    while (runs_of(planned, length) > most) length *= 2;
    while (length > 1 && runs_of(planned, length) < fewest) length = (length + 1) / 2;
    return runs_of(planned, length) < fewest ? 0 : length;
}

size_t linex_sample_runs_count(const linex_samples *samples, size_t players)
{
    size_t length = run_length(samples, players);
    return length > 0 ? runs_of(samples->planned, length) : most_runs(samples->planned, players);
}

void linex_sample_runs_assign(const linex_samples *samples, size_t players, uint64_t seed, uint32_t *run_of)
{
    size_t planned = samples->planned, length = run_length(samples, players);
    size_t runs = linex_sample_runs_count(samples, players);
    if (length == 0) {
        linex_samples_spread(planned, runs, seed, run_of);
        return;
    }
    run_of[0] = 0;
    for (size_t i = 1; i < planned; i++) {
        size_t run = (i - 1) / length;
        run_of[i] = (uint32_t)(run < runs ? run : runs - 1);
    }
}

void linex_sample_runs_draw(const linex_environment_settings *settings, bool complete, size_t runs, uint64_t seed,
                            uint64_t draw, uint32_t *order, double *weights)
{
    linex_random random = linex_environments_stream(seed, draw);
    size_t players = settings->players;
    memset(weights, 0, players * runs * sizeof *weights);
    for (size_t i = 0; i < runs; i++) order[i] = (uint32_t)i;
    linex_random_shuffle(&random, runs, order);
    for (size_t i = 0; i < runs; i++) weights[i * players / runs * runs + order[i]] = 1;
    for (size_t i = 0; settings->anchored && i < players; i++) weights[i * runs] = 1;
    for (size_t i = 0; complete && i < players * runs; i++) weights[i] = 1;
}

/* The assignment is random, because consecutive samples may be copies of one point or sorted by the caller. */
void linex_samples_spread(size_t planned, size_t groups, uint64_t seed, uint32_t *group_of)
{
    linex_random random = linex_environments_stream(seed, UINT64_MAX >> 1); /* the last stream, which no draw uses */
    for (size_t i = 0; i < planned; i++) group_of[i] = (uint32_t)((uint64_t)i * groups / planned);
    linex_random_shuffle(&random, planned - 1, group_of + 1);
}
