/* sample_runs.h: cuts the planned samples into runs, the parts that halves are made of.
 *
 * Designed samples come in pairs and blocks that balance each other. Halves of single samples would split them, and
 * would then look less certain than the samples are. So halves are made of whole runs of consecutive samples. Runs
 * also say how certain a fit is: it is made again without each of them. */
#ifndef LINEX_SAMPLE_RUNS_H
#define LINEX_SAMPLE_RUNS_H

#include "linex.h"
#include "base/random.h"

/* Returns a view of the points of the samples, which are stored as doubles or as bytes. */
linex_points linex_points_of(const linex_samples *samples);

/* Returns the index of a planned sample's point. */
static inline size_t linex_point_of(const linex_samples *samples, size_t planned)
{
    return samples->point_of ? samples->point_of[planned] : planned;
}

/* Returns the random numbers of one draw of the environments. */
linex_random linex_environments_stream(uint64_t seed, uint64_t draw);

/* More runs would cost more time and hardly make the errors more exact. With fewer than LINEX_FEWEST_RUNS the errors
 * are rough, so blocks are then split. */
enum { LINEX_MOST_RUNS = 32, LINEX_FEWEST_RUNS = 8 };

/* Returns the number of runs: at most LINEX_MOST_RUNS, or two per player if that is more. */
size_t linex_sample_runs_count(const linex_samples *samples, size_t players);

/* Finds the run of each planned sample. Sample 0 is in run 0. If the samples are in no particular order (block is 0),
 * the runs are random.
 *
 * run_of  planned */
void linex_sample_runs_assign(const linex_samples *samples, size_t players, uint64_t seed, uint32_t *run_of);

/* Draws LINEX_HALVES from runs. If they are anchored, run 0 belongs to every player. If the samples are complete, all
 * runs do: halves of all that there is would be two samples of it, but the whole is known.
 *
 * runs     linex_sample_runs_count
 * order    runs: scratch
 * weights  players x runs: 1 for the runs of a player, otherwise 0 */
void linex_sample_runs_draw(const linex_environment_settings *settings, bool complete, size_t runs, uint64_t seed,
                            uint64_t draw, uint32_t *order, double *weights);

/* Assigns the planned samples to groups at random. The sizes of the groups differ by at most one sample. Sample 0 is
 * in group 0.
 *
 * groups    at most planned
 * group_of  planned */
void linex_samples_spread(size_t planned, size_t groups, uint64_t seed, uint32_t *group_of);

#endif
