/* wasm.c: the functions of wasm.h: each reads its records and calls the C library. */
#include "wasm.h"

#include <malloc.h>
#include <stdlib.h>

#include "kriging/adjusting.h"
#include "adjust/bend.h"
#include "kriging/kriging.h"
#include "kriging/mask_control.h"
#include "base/task.h"
#include "explain/explaining.h"
#include "explain/wide_play.h"

/* A field of a record as a whole number. It is not inlined, because the conversion takes many bytes and is used in
 * many places. */
__attribute__((noinline)) static size_t whole(double number)
{
    return (size_t)number;
}

#define ADDRESS(type, number) ((type)(uintptr_t)whole(number))

void *linex_wasm_allocate(size_t bytes)
{
    return malloc(bytes ? bytes : 1);
}

void linex_wasm_release(void *memory)
{
    free(memory);
}

size_t linex_wasm_live_bytes(void)
{
    return (size_t)mallinfo().uordblks;
}

static linex_density read_density(const double *r)
{
    return (linex_density){whole(r[DENSITY_count]), whole(r[DENSITY_columns]),
                           ADDRESS(const double *, r[DENSITY_points]), r[DENSITY_bandwidth]};
}

linex_status linex_wasm_density_log(const double *density, size_t queries, const double *at, double *logs)
{
    const linex_density read = read_density(density);
    return linex_density_log(&read, queries, at, logs);
}

linex_status linex_wasm_density_validate(const double *density, const uint32_t *folds, size_t row_count,
                                         const uint32_t *rows, size_t bandwidth_count, const double *bandwidths,
                                         double *scores)
{
    const linex_density read = read_density(density);
    return linex_density_validate(read.count, read.columns, read.points, folds, row_count, rows, bandwidth_count,
                                  bandwidths, scores);
}

linex_status linex_wasm_density_sample(const double *density, const double *at, const double *extra_squares,
                                       const double *settings, size_t samples, double *points, uint32_t *source_rows)
{
    const linex_density read = read_density(density);
    const linex_density_settings read_settings = {
        (linex_nearness)whole(settings[DENSITY_SETTINGS_nearness]), settings[DENSITY_SETTINGS_radius],
        whole(settings[DENSITY_SETTINGS_min_rows]), (uint64_t)settings[DENSITY_SETTINGS_seed],
        (linex_sampling)whole(settings[DENSITY_SETTINGS_sampling])};
    return linex_density_sample(&read, at, extra_squares, &read_settings, 0, samples, points, source_rows);
}

linex_status linex_wasm_order_draw(size_t count, double seed, uint32_t *order)
{
    return linex_order_draw(count, (uint64_t)seed, order);
}

linex_status linex_wasm_cloud_draw(size_t dimensions, const double *center, double radius, linex_sampling sampling,
                                   double seed, size_t first, size_t samples, double *points)
{
    return linex_cloud_draw(dimensions, center, radius, sampling, (uint64_t)seed, first, samples, points);
}

linex_status linex_wasm_forest_start(size_t count, size_t columns, const double *rows, const double *responses,
                                     const double *settings, linex_forest **forest, linex_task **task)
{
    const double *r = settings;
    const linex_forest_settings read = {whole(r[FOREST_SETTINGS_classes]),  whole(r[FOREST_SETTINGS_outputs]),
                                        whole(r[FOREST_SETTINGS_depth]),    whole(r[FOREST_SETTINGS_min_leaf]),
                                        whole(r[FOREST_SETTINGS_features]), r[FOREST_SETTINGS_bootstrap] != 0,
                                        (uint64_t)r[FOREST_SETTINGS_seed]};
    return linex_forest_start(count, columns, rows, responses, &read, forest, task);
}

void linex_wasm_forest_trees(const linex_forest *forest, double *trees)
{
    const linex_trees t = linex_forest_trees(forest);
    trees[TREES_columns] = (double)t.columns;
    trees[TREES_outputs] = (double)t.outputs;
    trees[TREES_trees] = (double)t.trees;
    trees[TREES_nodes] = (double)t.nodes;
    trees[TREES_leaves] = (double)t.leaves;
    trees[TREES_roots] = (double)(uintptr_t)t.roots;
    trees[TREES_features] = (double)(uintptr_t)t.features;
    trees[TREES_thresholds] = (double)(uintptr_t)t.thresholds;
    trees[TREES_rights] = (double)(uintptr_t)t.rights;
    trees[TREES_gains] = (double)(uintptr_t)t.gains;
    trees[TREES_values] = (double)(uintptr_t)t.values;
}

static linex_trees read_trees(const double *r)
{
    return (linex_trees){whole(r[TREES_columns]),
                         whole(r[TREES_outputs]),
                         whole(r[TREES_trees]),
                         whole(r[TREES_nodes]),
                         whole(r[TREES_leaves]),
                         ADDRESS(const uint32_t *, r[TREES_roots]),
                         ADDRESS(const uint32_t *, r[TREES_features]),
                         ADDRESS(const double *, r[TREES_thresholds]),
                         ADDRESS(const uint32_t *, r[TREES_rights]),
                         ADDRESS(const double *, r[TREES_gains]),
                         ADDRESS(const double *, r[TREES_values])};
}

linex_status linex_wasm_trees_check(const double *trees)
{
    const linex_trees read = read_trees(trees);
    return linex_trees_check(&read);
}

linex_status linex_wasm_trees_predict(const double *trees, size_t count, const double *rows, double *answers)
{
    const linex_trees read = read_trees(trees);
    return linex_trees_predict(&read, count, rows, answers);
}

linex_status linex_wasm_trees_apply(const double *trees, size_t count, const double *rows, uint32_t *leaves)
{
    const linex_trees read = read_trees(trees);
    return linex_trees_apply(&read, count, rows, leaves);
}

linex_status linex_wasm_trees_scores(const double *trees, double *importances, double *root_scores)
{
    const linex_trees read = read_trees(trees);
    linex_status status = linex_trees_importances(&read, importances);
    return status ? status : linex_trees_root_scores(&read, root_scores);
}

static linex_word_vectors read_vectors(const double *r)
{
    return (linex_word_vectors){
        whole(r[WORD_VECTORS_count]), whole(r[WORD_VECTORS_dimensions]), whole(r[WORD_VECTORS_words_per_block]),
        ADDRESS(const float *const *, r[WORD_VECTORS_blocks]), ADDRESS(const double *, r[WORD_VECTORS_squares])};
}

linex_status linex_wasm_word_vectors_measure(const double *vectors, double *squares)
{
    const linex_word_vectors read = read_vectors(vectors);
    return linex_word_vectors_measure(&read, squares);
}

linex_status linex_wasm_words_nearest_start(const double *vectors, size_t queries, const float *points,
                                            size_t max_words, uint32_t *words, double *cosines, size_t *found,
                                            linex_task **task)
{
    const linex_word_vectors read = read_vectors(vectors);
    return linex_words_nearest_start(&read, queries, points, max_words, words, cosines, found, task);
}

static linex_table read_table(const double *r)
{
    return (linex_table){whole(r[TABLE_columns]), ADDRESS(const uint32_t *, r[TABLE_levels]),
                         ADDRESS(const double *, r[TABLE_statistics]), ADDRESS(const double *, r[TABLE_frequencies])};
}

static linex_row_settings read_row_settings(const double *r)
{
    return (linex_row_settings){(linex_center)whole(r[ROW_SETTINGS_center]), r[ROW_SETTINGS_discretize] != 0,
                                r[ROW_SETTINGS_raw] != 0, (uint64_t)r[ROW_SETTINGS_seed],
                                (linex_sampling)whole(r[ROW_SETTINGS_sampling])};
}

linex_status linex_wasm_rows_perturb(const double *table, const double *row, const double *settings, size_t first,
                                     size_t count, double *rows)
{
    const linex_table read = read_table(table);
    const linex_row_settings read_settings = read_row_settings(settings);
    return linex_rows_perturb(&read, row, &read_settings, first, count, rows);
}

linex_status linex_wasm_rows_represent(const double *table, const double *row, const double *settings, size_t count,
                                       const double *rows, double *points)
{
    const linex_table read = read_table(table);
    const linex_row_settings read_settings = read_row_settings(settings);
    return linex_rows_represent(&read, row, &read_settings, count, rows, points);
}

linex_status linex_wasm_rows_law(const double *table, const double *row, const double *settings, double kernel,
                                 double *law)
{
    const linex_table read = read_table(table);
    const linex_row_settings read_settings = read_row_settings(settings);
    return linex_rows_law(&read, row, &read_settings, kernel, law);
}

linex_status linex_wasm_maple_start(const double *table, const double *training, const double *row,
                                    const double *response, const uint32_t *order, double ridge, double *errors,
                                    linex_task **task)
{
    const linex_table read = read_table(table);
    const double *r = training;
    return linex_maple_start(&read, whole(r[TRAINING_count]), ADDRESS(const double *, r[TRAINING_rows]),
                             whole(r[TRAINING_outputs]), ADDRESS(const double *, r[TRAINING_responses]),
                             ADDRESS(const double *, r[TRAINING_weights]), row, response, order, ridge, errors, task);
}

linex_status linex_wasm_masks_draw(linex_mask_kind kind, size_t parts, linex_sampling sampling, double seed,
                                   size_t first, size_t count, uint8_t *masks)
{
    return linex_masks_draw(kind, parts, sampling, (uint64_t)seed, first, count, masks);
}

linex_status linex_wasm_masks_enumerate(linex_mask_kind kind, size_t parts, double seed, size_t samples,
                                        size_t planned, uint8_t *masks, uint32_t *mask_of, double *factors)
{
    return linex_masks_enumerate(kind, parts, (uint64_t)seed, samples, planned, masks, mask_of, factors);
}

linex_status linex_wasm_image_fit_start(const double *image, const double *backdrop, size_t width, size_t height,
                                        size_t channels, float *out, linex_task **task)
{
    const linex_image read = {whole(image[IMAGE_width]), whole(image[IMAGE_height]), whole(image[IMAGE_channels]),
                              ADDRESS(const uint8_t *, image[IMAGE_bytes]),
                              ADDRESS(const float *, image[IMAGE_floats])};
    return linex_image_fit_start(&read, backdrop, width, height, channels, out, task);
}

linex_status linex_wasm_slic_start(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                                   const double *settings, uint32_t *labels, size_t *found, linex_task **task)
{
    const linex_slic_settings read = {whole(settings[SLIC_count]), settings[SLIC_compactness],
                                      whole(settings[SLIC_rounds]), settings[SLIC_sigma]};
    return linex_slic_start(width, height, channels, pixels, &read, labels, found, task);
}

linex_status linex_wasm_quickshift_start(size_t width, size_t height, size_t channels, const uint8_t *pixels,
                                         const double *settings, uint32_t *labels, size_t *found, linex_task **task)
{
    const linex_quickshift_settings read = {settings[QUICKSHIFT_ratio], settings[QUICKSHIFT_kernel],
                                            settings[QUICKSHIFT_reach], settings[QUICKSHIFT_sigma]};
    return linex_quickshift_start(width, height, channels, pixels, &read, labels, found, task);
}

linex_status linex_wasm_tensor_write(size_t pixels, size_t channels, const float *image, const double *tensor,
                                     size_t first, size_t end, void *out)
{
    const linex_tensor read = {(linex_layout)whole(tensor[TENSOR_layout]), tensor[TENSOR_is_bytes] != 0,
                               tensor[TENSOR_scale], ADDRESS(const double *, tensor[TENSOR_mean]),
                               ADDRESS(const double *, tensor[TENSOR_std])};
    return linex_tensor_write(pixels, channels, image, &read, first, end, out);
}

linex_status linex_wasm_compose(const double *segmented, size_t count, const uint8_t *masks, void *tensors)
{
    const double *r = segmented;
    return linex_compose(whole(r[SEGMENTED_pixels]), whole(r[SEGMENTED_planes]), whole(r[SEGMENTED_bytes]),
                         ADDRESS(const void *, r[SEGMENTED_shown]), ADDRESS(const void *, r[SEGMENTED_hidden]),
                         whole(r[SEGMENTED_run_count]), ADDRESS(const uint32_t *, r[SEGMENTED_runs]),
                         whole(r[SEGMENTED_segments]), count, masks, tensors);
}

/* A task of the library that also writes a report's record at its end. */
struct reporting_task {
    linex_task task;
    linex_task *inner;
    double *report;
    linex_game_report game;
    linex_shapley_report shapley;
    linex_adjustment adjustment;
    linex_explanation explanation;
    void (*write)(const struct reporting_task *task);
};

static linex_status advance_reporting(linex_task *task, linex_slice *slice)
{
    struct reporting_task *reporting = (struct reporting_task *)task;
    linex_status status = linex_task_run(reporting->inner, slice->left);
    if (!status) reporting->write(reporting);
    return status;
}

static double reporting_progress(const linex_task *task)
{
    return linex_task_progress(((const struct reporting_task *)task)->inner);
}

static void release_reporting(linex_task *task)
{
    linex_task_free(((struct reporting_task *)task)->inner);
    free(task);
}

static struct reporting_task *make_reporting(double *report, void (*write)(const struct reporting_task *))
{
    struct reporting_task *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->task = (linex_task){advance_reporting, reporting_progress, release_reporting, LINEX_UNFINISHED, 0};
    made->report = report;
    made->write = write;
    return made;
}

/* Hands over the task, or frees it if the inner task was not made. */
static linex_status hand_over(linex_status started, struct reporting_task *made, linex_task **task)
{
    if (started)
        free(made);
    else
        *task = &made->task;
    return started;
}

static void write_game(const struct reporting_task *task)
{
    task->report[GAME_REPORT_converged] = task->game.converged;
    task->report[GAME_REPORT_rounds] = (double)task->game.rounds;
    task->report[GAME_REPORT_residual] = task->game.residual;
    task->report[GAME_REPORT_multiplier] = task->game.multiplier;
}

linex_status linex_wasm_game_start(const double *game, double *weights, double *strategies, double *report,
                                   linex_task **task)
{
    const double *r = game;
    const linex_game_settings settings = {r[GAME_gamma],
                                          r[GAME_l1],
                                          (linex_solver)whole(r[GAME_solver]),
                                          r[GAME_tolerance],
                                          whole(r[GAME_max_rounds]),
                                          0};
    struct reporting_task *made = make_reporting(report, write_game);
    if (!made) return LINEX_NO_MEMORY;
    linex_status status = linex_game_start(
        whole(r[GAME_players]), whole(r[GAME_feature_count]), ADDRESS(const double *, r[GAME_grams]),
        ADDRESS(const double *, r[GAME_targets]), &settings, weights, strategies, &made->game, &made->inner);
    return hand_over(status, made, task);
}

linex_status linex_wasm_game_round(const double *game, double *strategies, double *moved)
{
    const double *r = game;
    return linex_game_round(whole(r[GAME_players]), whole(r[GAME_feature_count]),
                            ADDRESS(const double *, r[GAME_grams]), ADDRESS(const double *, r[GAME_targets]),
                            r[GAME_gamma], r[GAME_l1], strategies, moved);
}

linex_status linex_wasm_coalitions_start(size_t parts, size_t samples, double seed, size_t first, size_t count,
                                         uint8_t *masks, linex_task **task)
{
    return linex_coalitions_start(parts, samples, (uint64_t)seed, first, count, masks, task);
}

static void write_shapley(const struct reporting_task *task)
{
    task->report[SHAPLEY_REPORT_base] = task->shapley.base;
    task->report[SHAPLEY_REPORT_prediction] = task->shapley.prediction;
    task->report[SHAPLEY_REPORT_fidelity] = task->shapley.fidelity;
    task->report[SHAPLEY_REPORT_quantile] = task->shapley.quantile;
    task->report[SHAPLEY_REPORT_effective] = task->shapley.effective;
}

linex_status linex_wasm_shapley_start(const double *shapley, double *features, double *report, linex_task **task)
{
    const double *r = shapley;
    size_t parts = whole(r[SHAPLEY_parts]);
    struct reporting_task *made = make_reporting(report, write_shapley);
    if (!made) return LINEX_NO_MEMORY;
    linex_status status =
        linex_shapley_start(parts, whole(r[SHAPLEY_count]), ADDRESS(const uint8_t *, r[SHAPLEY_masks]),
                            ADDRESS(const double *, r[SHAPLEY_answers]), (linex_link)whole(r[SHAPLEY_link]), features,
                            features + parts, features + 2 * parts, &made->shapley, &made->inner);
    return hand_over(status, made, task);
}

static linex_samples read_samples(const double *r)
{
    return (linex_samples){.count = whole(r[SAMPLES_count]),
                           .feature_count = whole(r[SAMPLES_feature_count]),
                           .points = ADDRESS(const double *, r[SAMPLES_points]),
                           .answers = ADDRESS(const double *, r[SAMPLES_answers]),
                           .weights = ADDRESS(const double *, r[SAMPLES_weights]),
                           .distances = ADDRESS(const double *, r[SAMPLES_distances]),
                           .planned = whole(r[SAMPLES_planned]),
                           .point_of = ADDRESS(const uint32_t *, r[SAMPLES_point_of]),
                           .own_weights = ADDRESS(const double *, r[SAMPLES_own_weights]),
                           .masks = ADDRESS(const uint8_t *, r[SAMPLES_masks]),
                           .block = whole(r[SAMPLES_block]),
                           .complete = r[SAMPLES_complete] != 0};
}

static linex_settings read_settings(const double *r)
{
    return (linex_settings){.method = (linex_method)whole(r[SETTINGS_method]),
                            .smoothing = (linex_smoothing)whole(r[SETTINGS_smoothing]),
                            .selection = (linex_selection)whole(r[SETTINGS_selection]),
                            .features = whole(r[SETTINGS_features]),
                            .intercept = (linex_intercept)whole(r[SETTINGS_intercept]),
                            .ridge = r[SETTINGS_ridge],
                            .environments = {(linex_environment_kind)whole(r[SETTINGS_kind]),
                                             whole(r[SETTINGS_players]), r[SETTINGS_anchored] != 0,
                                             r[SETTINGS_kernel_width], NULL},
                            .game = {r[SETTINGS_gamma], r[SETTINGS_l1], (linex_solver)whole(r[SETTINGS_solver]),
                                     r[SETTINGS_tolerance], whole(r[SETTINGS_max_rounds]), 0},
                            .games = whole(r[SETTINGS_games]),
                            .agreement = r[SETTINGS_agreement],
                            .draws = whole(r[SETTINGS_draws]),
                            .adjust = (linex_adjust)whole(r[SETTINGS_adjust]),
                            .weight = (linex_weight)whole(r[SETTINGS_weight]),
                            .seed = (uint64_t)r[SETTINGS_seed]};
}

static linex_explanation read_output(const double *r)
{
    return (linex_explanation){.weights = ADDRESS(double *, r[OUTPUT_weights]),
                               .raw = ADDRESS(double *, r[OUTPUT_raw]),
                               .silenced = ADDRESS(uint8_t *, r[OUTPUT_silenced]),
                               .low = ADDRESS(double *, r[OUTPUT_low]),
                               .high = ADDRESS(double *, r[OUTPUT_high]),
                               .agreement = ADDRESS(double *, r[OUTPUT_agreement]),
                               .strategies = ADDRESS(double *, r[OUTPUT_strategies]),
                               .chosen = ADDRESS(uint32_t *, r[OUTPUT_chosen]),
                               .fitted = ADDRESS(uint32_t *, r[OUTPUT_fitted]),
                               .grams = ADDRESS(double *, r[OUTPUT_grams]),
                               .targets = ADDRESS(double *, r[OUTPUT_targets])};
}

static void write_explanation(const struct reporting_task *task)
{
    const linex_explanation *explanation = &task->explanation;
    double *report = task->report;
    report[REPORT_chosen_count] = (double)explanation->chosen_count;
    report[REPORT_fitted_count] = (double)explanation->fitted_count;
    report[REPORT_intercept] = explanation->intercept;
    report[REPORT_fidelity] = explanation->fidelity;
    report[REPORT_local_prediction] = explanation->local_prediction;
    report[REPORT_gamma] = explanation->gamma;
    report[REPORT_effective_samples] = explanation->effective_samples;
    report[REPORT_converged] = explanation->game.converged;
    report[REPORT_rounds] = (double)explanation->game.rounds;
    report[REPORT_residual] = explanation->game.residual;
    report[REPORT_multiplier] = explanation->game.multiplier;
    report[REPORT_median_residual] = explanation->game.median_residual;
    report[REPORT_ridge_loss] = explanation->ridge_loss;
    report[REPORT_unsettled] = (double)explanation->unsettled;
    report[REPORT_ridge] = explanation->ridge;
    report[REPORT_relative_ridge] = explanation->relative_ridge;
    report[REPORT_certified_ridge] = explanation->certified_ridge;
    report[REPORT_adjusted] = (double)explanation->adjusted.kind;
    report[REPORT_gain] = explanation->adjusted.gain;
}

static void write_adjustment(const struct reporting_task *task)
{
    const linex_adjustment *adjustment = &task->adjustment;
    task->report[ADJUSTMENT_ridge] = adjustment->ridge;
    task->report[ADJUSTMENT_adjusted] = (double)adjustment->adjusted.kind;
    task->report[ADJUSTMENT_gain] = adjustment->adjusted.gain;
}

/* Reads the law and, if they are known, the levels behind it. */
static linex_law read_law(const double *samples, bool masks, linex_levels *levels)
{
    const double *numbers = ADDRESS(const double *, samples[SAMPLES_law]);
    const double *r = ADDRESS(const double *, samples[SAMPLES_levels]);
    if (!r) return (linex_law){.columns = masks ? NULL : numbers, .sizes = masks ? numbers : NULL};
    *levels =
        (linex_levels){ADDRESS(const double *, r[LEVELS_rows]), ADDRESS(const double *, r[LEVELS_row]),
                       ADDRESS(const uint32_t *, r[LEVELS_counts]), ADDRESS(const double *, r[LEVELS_frequencies])};
    return (linex_law){.columns = numbers, .levels = levels};
}

static linex_status start_adjusting(const linex_control_kind *kind, const double *samples, const double *settings,
                                    double *adjustment, linex_task **task)
{
    linex_samples read = read_samples(samples);
    linex_levels levels;
    const linex_law law = read_law(samples, read.masks != NULL, &levels);
    if (samples[SAMPLES_law] != 0) read.law = &law;
    const linex_settings with = read_settings(settings);
    struct reporting_task *made = make_reporting(adjustment, write_adjustment);
    if (!made) return LINEX_NO_MEMORY;
    made->adjustment.answers = ADDRESS(double *, adjustment[ADJUSTMENT_answers]);
    linex_status status = linex_adjusting_start(kind, &read, &with, &made->adjustment, &made->inner);
    return hand_over(status, made, task);
}

linex_status linex_wasm_bend_start(const double *samples, const double *settings, double *adjustment,
                                   linex_task **task)
{
    return start_adjusting(linex_bend_control_kind(), samples, settings, adjustment, task);
}

linex_status linex_wasm_krige_start(const double *samples, const double *settings, double *adjustment,
                                    linex_task **task)
{
    return start_adjusting(linex_kriging_control_kind(), samples, settings, adjustment, task);
}

linex_status linex_wasm_krige_masks_start(const double *samples, const double *settings, double *adjustment,
                                          linex_task **task)
{
    return start_adjusting(linex_mask_control_kind(), samples, settings, adjustment, task);
}

static linex_status start_explaining(const linex_wide_player *wide_player, const double *samples,
                                     const double *settings, const double *output, double *report, linex_task **task)
{
    linex_samples read = read_samples(samples);
    const double *adjustment = ADDRESS(const double *, samples[SAMPLES_adjustment]);
    const linex_settings with = read_settings(settings);
    struct reporting_task *made = make_reporting(report, write_explanation);
    if (!made) return LINEX_NO_MEMORY;
    if (adjustment) {
        made->adjustment = (linex_adjustment){
            ADDRESS(double *, adjustment[ADJUSTMENT_answers]),
            adjustment[ADJUSTMENT_ridge],
            {(linex_adjusted_kind)whole(adjustment[ADJUSTMENT_adjusted]), adjustment[ADJUSTMENT_gain]}};
        read.adjustment = &made->adjustment;
    }
    made->explanation = read_output(output);
    linex_status status = linex_explaining_start(&read, ADDRESS(const double *, samples[SAMPLES_input]), &with,
                                                 wide_player, &made->explanation, &made->inner);
    return hand_over(status, made, task);
}

linex_status linex_wasm_explain_start(const double *samples, const double *settings, const double *output,
                                      double *report, linex_task **task)
{
    return start_explaining(NULL, samples, settings, output, report, task);
}

linex_status linex_wasm_explain_wide_start(const double *samples, const double *settings, const double *output,
                                           double *report, linex_task **task)
{
    return start_explaining(linex_fits_wide_player(), samples, settings, output, report, task);
}
