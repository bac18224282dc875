/* wasm.h: the border between JavaScript and C, described once.
 *
 * JavaScript calls the functions of this file and some of linex.h and linex_data.h; the *.exports files name them
 * all. Only numbers and addresses cross the border. A function with many inputs takes a record: an array of doubles
 * with one number per field, in the order given here (a double holds every address exactly). js/core/border.js has
 * the same functions and records, and tests/core/border.test.js compares the two. */
#ifndef LINEX_WASM_H
#define LINEX_WASM_H

#include "linex.h"

/* ---- records: each field becomes an index such as TABLE_levels ---- */

#define LINEX_INDEX(record, field) record##_##field,

/* linex_table */
#define TABLE_RECORD(F) F(TABLE, columns) F(TABLE, levels) F(TABLE, statistics) F(TABLE, frequencies)
enum { TABLE_RECORD(LINEX_INDEX) TABLE_SIZE };

/* linex_row_settings */
#define ROW_SETTINGS_RECORD(F)                                                                                       \
    F(ROW_SETTINGS, center)                                                                                          \
    F(ROW_SETTINGS, discretize) F(ROW_SETTINGS, raw) F(ROW_SETTINGS, seed) F(ROW_SETTINGS, sampling)
enum { ROW_SETTINGS_RECORD(LINEX_INDEX) ROW_SETTINGS_SIZE };

/* linex_density */
#define DENSITY_RECORD(F) F(DENSITY, count) F(DENSITY, columns) F(DENSITY, points) F(DENSITY, bandwidth)
enum { DENSITY_RECORD(LINEX_INDEX) DENSITY_SIZE };

/* linex_density_settings */
#define DENSITY_SETTINGS_RECORD(F)                                                                                   \
    F(DENSITY_SETTINGS, nearness)                                                                                    \
    F(DENSITY_SETTINGS, radius)                                                                                      \
    F(DENSITY_SETTINGS, min_rows) F(DENSITY_SETTINGS, seed) F(DENSITY_SETTINGS, sampling)
enum { DENSITY_SETTINGS_RECORD(LINEX_INDEX) DENSITY_SETTINGS_SIZE };

/* linex_forest_settings */
#define FOREST_SETTINGS_RECORD(F)                                                                                    \
    F(FOREST_SETTINGS, classes)                                                                                      \
    F(FOREST_SETTINGS, outputs)                                                                                      \
    F(FOREST_SETTINGS, depth)                                                                                        \
    F(FOREST_SETTINGS, min_leaf)                                                                                     \
    F(FOREST_SETTINGS, features) F(FOREST_SETTINGS, bootstrap) F(FOREST_SETTINGS, seed)
enum { FOREST_SETTINGS_RECORD(LINEX_INDEX) FOREST_SETTINGS_SIZE };

/* linex_trees */
#define TREES_RECORD(F)                                                                                              \
    F(TREES, columns)                                                                                                \
    F(TREES, outputs)                                                                                                \
    F(TREES, trees)                                                                                                  \
    F(TREES, nodes)                                                                                                  \
    F(TREES, leaves)                                                                                                 \
    F(TREES, roots)                                                                                                  \
    F(TREES, features) F(TREES, thresholds) F(TREES, rights) F(TREES, gains) F(TREES, values)
enum { TREES_RECORD(LINEX_INDEX) TREES_SIZE };

/* The inputs of linex_maple_errors, with the same names. */
#define TRAINING_RECORD(F)                                                                                           \
    F(TRAINING, count) F(TRAINING, rows) F(TRAINING, outputs) F(TRAINING, responses) F(TRAINING, weights)
enum { TRAINING_RECORD(LINEX_INDEX) TRAINING_SIZE };

/* linex_word_vectors */
#define WORD_VECTORS_RECORD(F)                                                                                       \
    F(WORD_VECTORS, count)                                                                                           \
    F(WORD_VECTORS, dimensions)                                                                                      \
    F(WORD_VECTORS, words_per_block) F(WORD_VECTORS, blocks) F(WORD_VECTORS, squares)
enum { WORD_VECTORS_RECORD(LINEX_INDEX) WORD_VECTORS_SIZE };

/* linex_image; bytes or floats is 0 */
#define IMAGE_RECORD(F) F(IMAGE, width) F(IMAGE, height) F(IMAGE, channels) F(IMAGE, bytes) F(IMAGE, floats)
enum { IMAGE_RECORD(LINEX_INDEX) IMAGE_SIZE };

/* linex_tensor */
#define TENSOR_RECORD(F) F(TENSOR, layout) F(TENSOR, is_bytes) F(TENSOR, scale) F(TENSOR, mean) F(TENSOR, std)
enum { TENSOR_RECORD(LINEX_INDEX) TENSOR_SIZE };

/* linex_slic_settings */
#define SLIC_RECORD(F) F(SLIC, count) F(SLIC, compactness) F(SLIC, rounds) F(SLIC, sigma)
enum { SLIC_RECORD(LINEX_INDEX) SLIC_SIZE };

/* linex_quickshift_settings */
#define QUICKSHIFT_RECORD(F) F(QUICKSHIFT, ratio) F(QUICKSHIFT, kernel) F(QUICKSHIFT, reach) F(QUICKSHIFT, sigma)
enum { QUICKSHIFT_RECORD(LINEX_INDEX) QUICKSHIFT_SIZE };

/* The inputs of linex_compose, with the same names. */
#define SEGMENTED_RECORD(F)                                                                                          \
    F(SEGMENTED, pixels)                                                                                             \
    F(SEGMENTED, planes)                                                                                             \
    F(SEGMENTED, bytes)                                                                                              \
    F(SEGMENTED, shown)                                                                                              \
    F(SEGMENTED, hidden) F(SEGMENTED, run_count) F(SEGMENTED, runs) F(SEGMENTED, segments)
enum { SEGMENTED_RECORD(LINEX_INDEX) SEGMENTED_SIZE };

/* The bare game, with linex_game_settings. */
#define GAME_RECORD(F)                                                                                               \
    F(GAME, players)                                                                                                 \
    F(GAME, feature_count)                                                                                           \
    F(GAME, grams)                                                                                                   \
    F(GAME, targets)                                                                                                 \
    F(GAME, gamma) F(GAME, l1) F(GAME, solver) F(GAME, tolerance) F(GAME, max_rounds)
enum { GAME_RECORD(LINEX_INDEX) GAME_SIZE };

/* linex_game_report */
#define GAME_REPORT_RECORD(F)                                                                                        \
    F(GAME_REPORT, converged) F(GAME_REPORT, rounds) F(GAME_REPORT, residual) F(GAME_REPORT, multiplier)
enum { GAME_REPORT_RECORD(LINEX_INDEX) GAME_REPORT_SIZE };

/* The inputs of linex_shapley_solve, with the same names */
#define SHAPLEY_RECORD(F) F(SHAPLEY, count) F(SHAPLEY, parts) F(SHAPLEY, masks) F(SHAPLEY, answers) F(SHAPLEY, link)
enum { SHAPLEY_RECORD(LINEX_INDEX) SHAPLEY_SIZE };

/* linex_shapley_report */
#define SHAPLEY_REPORT_RECORD(F)                                                                                     \
    F(SHAPLEY_REPORT, base)                                                                                          \
    F(SHAPLEY_REPORT, prediction)                                                                                    \
    F(SHAPLEY_REPORT, fidelity) F(SHAPLEY_REPORT, quantile) F(SHAPLEY_REPORT, effective)
enum { SHAPLEY_REPORT_RECORD(LINEX_INDEX) SHAPLEY_REPORT_SIZE };

/* linex_adjustment; answers is read, the rest is written or read */
#define ADJUSTMENT_RECORD(F) F(ADJUSTMENT, answers) F(ADJUSTMENT, ridge) F(ADJUSTMENT, adjusted) F(ADJUSTMENT, gain)
enum { ADJUSTMENT_RECORD(LINEX_INDEX) ADJUSTMENT_SIZE };

/* linex_levels */
#define LEVELS_RECORD(F) F(LEVELS, rows) F(LEVELS, row) F(LEVELS, counts) F(LEVELS, frequencies)
enum { LEVELS_RECORD(LINEX_INDEX) LEVELS_SIZE };

/* linex_samples; points or masks is 0. law: the numbers of linex_law, of masks if there are masks; levels: a record; both
 * are read by the functions that adjust, and may be 0. adjustment: a record; read by those that explain, may be 0 */
#define SAMPLES_RECORD(F)                                                                                            \
    F(SAMPLES, count)                                                                                                \
    F(SAMPLES, feature_count)                                                                                        \
    F(SAMPLES, points)                                                                                               \
    F(SAMPLES, masks)                                                                                                \
    F(SAMPLES, answers)                                                                                              \
    F(SAMPLES, weights)                                                                                              \
    F(SAMPLES, distances)                                                                                            \
    F(SAMPLES, planned)                                                                                              \
    F(SAMPLES, point_of)                                                                                             \
    F(SAMPLES, own_weights)                                                                                          \
    F(SAMPLES, input) F(SAMPLES, block) F(SAMPLES, complete) F(SAMPLES, law) F(SAMPLES, levels) F(SAMPLES, adjustment)
enum { SAMPLES_RECORD(LINEX_INDEX) SAMPLES_SIZE };

/* linex_settings */
#define SETTINGS_RECORD(F)                                                                                           \
    F(SETTINGS, method)                                                                                              \
    F(SETTINGS, smoothing)                                                                                           \
    F(SETTINGS, selection)                                                                                           \
    F(SETTINGS, features)                                                                                            \
    F(SETTINGS, gamma)                                                                                               \
    F(SETTINGS, l1)                                                                                                  \
    F(SETTINGS, ridge)                                                                                               \
    F(SETTINGS, intercept)                                                                                           \
    F(SETTINGS, kernel_width)                                                                                        \
    F(SETTINGS, games)                                                                                               \
    F(SETTINGS, agreement)                                                                                           \
    F(SETTINGS, draws)                                                                                               \
    F(SETTINGS, solver)                                                                                              \
    F(SETTINGS, tolerance)                                                                                           \
    F(SETTINGS, max_rounds)                                                                                          \
    F(SETTINGS, seed)                                                                                                \
    F(SETTINGS, kind)                                                                                                \
    F(SETTINGS, players)                                                                                             \
    F(SETTINGS, anchored) F(SETTINGS, adjust) F(SETTINGS, weight)
enum { SETTINGS_RECORD(LINEX_INDEX) SETTINGS_SIZE };

/* The arrays of linex_explanation; grams and targets may be 0. */
#define OUTPUT_RECORD(F)                                                                                             \
    F(OUTPUT, weights)                                                                                               \
    F(OUTPUT, raw)                                                                                                   \
    F(OUTPUT, silenced)                                                                                              \
    F(OUTPUT, low)                                                                                                   \
    F(OUTPUT, high)                                                                                                  \
    F(OUTPUT, agreement) F(OUTPUT, strategies) F(OUTPUT, chosen) F(OUTPUT, fitted) F(OUTPUT, grams) F(OUTPUT, targets)
enum { OUTPUT_RECORD(LINEX_INDEX) OUTPUT_SIZE };

/* The numbers of linex_explanation. */
#define REPORT_RECORD(F)                                                                                             \
    F(REPORT, chosen_count)                                                                                          \
    F(REPORT, fitted_count)                                                                                          \
    F(REPORT, intercept)                                                                                             \
    F(REPORT, fidelity)                                                                                              \
    F(REPORT, local_prediction)                                                                                      \
    F(REPORT, effective_samples)                                                                                     \
    F(REPORT, ridge_loss)                                                                                            \
    F(REPORT, converged)                                                                                             \
    F(REPORT, rounds)                                                                                                \
    F(REPORT, residual)                                                                                              \
    F(REPORT, gamma)                                                                                                 \
    F(REPORT, multiplier)                                                                                            \
    F(REPORT, median_residual)                                                                                       \
    F(REPORT, unsettled)                                                                                             \
    F(REPORT, ridge) F(REPORT, relative_ridge) F(REPORT, certified_ridge) F(REPORT, adjusted) F(REPORT, gain)
enum { REPORT_RECORD(LINEX_INDEX) REPORT_SIZE };

/* ---- memory ---- */

void *linex_wasm_allocate(size_t bytes);
void linex_wasm_release(void *memory);
/* The bytes that are allocated and not yet released: the tests check that nothing leaks. */
size_t linex_wasm_live_bytes(void);

/* ---- functions of linex_data.h and linex.h, with a record for each struct and a double for each seed ---- */

linex_status linex_wasm_density_log(const double *density, size_t queries, const double *at, double *logs);
linex_status linex_wasm_density_validate(const double *density, const uint32_t *folds, size_t row_count,
                                         const uint32_t *rows, size_t bandwidth_count, const double *bandwidths,
                                         double *scores);
linex_status linex_wasm_density_sample(const double *density, const double *at, const double *extra_squares,
                                       const double *settings, size_t samples, double *points, uint32_t *source_rows);
linex_status linex_wasm_order_draw(size_t count, double seed, uint32_t *order);
linex_status linex_wasm_cloud_draw(size_t dimensions, const double *center, double radius, linex_sampling sampling,
                                   double seed, size_t first, size_t samples, double *points);

linex_status linex_wasm_forest_start(size_t count, size_t columns, const double *rows, const double *responses,
                                     const double *settings, linex_forest **forest, linex_task **task);
/* Writes the trees' record: valid until the forest grows or is freed. */
void linex_wasm_forest_trees(const linex_forest *forest, double *trees);
linex_status linex_wasm_trees_check(const double *trees);
linex_status linex_wasm_trees_predict(const double *trees, size_t count, const double *rows, double *answers);
linex_status linex_wasm_trees_apply(const double *trees, size_t count, const double *rows, uint32_t *leaves);
/* importances, root_scores  one number per column each */
linex_status linex_wasm_trees_scores(const double *trees, double *importances, double *root_scores);

linex_status linex_wasm_word_vectors_measure(const double *vectors, double *squares);
linex_status linex_wasm_words_nearest_start(const double *vectors, size_t queries, const float *points,
                                            size_t max_words, uint32_t *words, double *cosines, size_t *found,
                                            linex_task **task);

linex_status linex_wasm_rows_perturb(const double *table, const double *row, const double *settings, size_t first,
                                     size_t count, double *rows);
linex_status linex_wasm_rows_represent(const double *table, const double *row, const double *settings, size_t count,
                                       const double *rows, double *points);
linex_status linex_wasm_rows_law(const double *table, const double *row, const double *settings, double kernel,
                                 double *law);
/* training  record: the training rows, their responses and weights */
linex_status linex_wasm_maple_start(const double *table, const double *training, const double *row,
                                    const double *response, const uint32_t *order, double ridge, double *errors,
                                    linex_task **task);

linex_status linex_wasm_masks_draw(linex_mask_kind kind, size_t parts, linex_sampling sampling, double seed,
                                   size_t first, size_t count, uint8_t *masks);
linex_status linex_wasm_masks_enumerate(linex_mask_kind kind, size_t parts, double seed, size_t samples,
                                        size_t planned, uint8_t *masks, uint32_t *mask_of, double *factors);

linex_status linex_wasm_image_fit_start(const double *image, const double *backdrop, size_t width, size_t height,
                                        size_t channels, float *out, linex_task **task);
linex_status linex_wasm_slic_start(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                                   const double *settings, uint32_t *labels, size_t *found, linex_task **task);
linex_status linex_wasm_quickshift_start(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                                         const double *settings, uint32_t *labels, size_t *found, linex_task **task);
linex_status linex_wasm_tensor_write(size_t pixels, size_t channels, const float *image, const double *tensor,
                                     size_t first, size_t end, void *out);
linex_status linex_wasm_compose(const double *segmented, size_t count, const uint8_t *masks, void *tensors);

/* report  record, written when the task has ended */
linex_status linex_wasm_game_start(const double *game, double *weights, double *strategies, double *report,
                                   linex_task **task);
linex_status linex_wasm_game_round(const double *game, double *strategies, double *moved);

linex_status linex_wasm_coalitions_start(size_t parts, size_t samples, double seed, size_t first, size_t count,
                                         uint8_t *masks, linex_task **task);
/* features  values, errors and agreement, one number per part each */
linex_status linex_wasm_shapley_start(const double *shapley, double *features, double *report, linex_task **task);

/* linex_answers_adjust_start in three files: the first one bends, the others krige rows and masks, for the samples that
 * LINEX_ADJUSTED_KRIGING describes. Samples of another file are not adjusted.
 *
 * adjustment  record, written when the task has ended */
linex_status linex_wasm_bend_start(const double *samples, const double *settings, double *adjustment,
                                   linex_task **task);
linex_status linex_wasm_krige_start(const double *samples, const double *settings, double *adjustment,
                                    linex_task **task);
linex_status linex_wasm_krige_masks_start(const double *samples, const double *settings, double *adjustment,
                                          linex_task **task);

/* linex_explain_start in two files, without adjusting. The first one refuses games of wide fits with
 * LINEX_BAD_ARGUMENT.
 *
 * report  record, written when the task has ended */
linex_status linex_wasm_explain_start(const double *samples, const double *settings, const double *output,
                                      double *report, linex_task **task);
linex_status linex_wasm_explain_wide_start(const double *samples, const double *settings, const double *output,
                                           double *report, linex_task **task);

#endif
