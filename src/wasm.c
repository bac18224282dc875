/* wasm.c: the border. Only scalars and arrays cross it: structs are put together here, so that JavaScript
 * knows the layout of none of them. Every function is named in wasm.exports. */
#include <malloc.h>
#include <stdlib.h>

#include "linex.h"

void *linex_wasm_allocate(size_t bytes)
{
    return malloc(bytes ? bytes : 1);
}

void linex_wasm_release(void *memory)
{
    free(memory);
}

/* What is allocated and not yet released, so that the tests can see that nothing leaks. */
size_t linex_wasm_live_bytes(void)
{
    return (size_t)mallinfo().uordblks;
}

linex_status linex_wasm_density_log(size_t count, size_t width, const double *points, double bandwidth,
                                    size_t queries, const double *at, double *logs)
{
    linex_density density = {count, width, points, bandwidth};
    return linex_density_log(&density, queries, at, logs);
}

linex_status linex_wasm_order_draw(size_t count, double seed, uint32_t *order)
{
    return linex_order_draw(count, (uint64_t)seed, order);
}

linex_status linex_wasm_density_sample(size_t count, size_t width, const double *rows, double bandwidth,
                                       const double *at, const double *apart, linex_nearness nearness, double radius,
                                       size_t least, double seed, size_t samples, double *points, uint32_t *owner)
{
    linex_density density = {count, width, rows, bandwidth};
    linex_density_settings settings = {nearness, radius, least, (uint64_t)seed};
    return linex_density_sample(&density, at, apart, &settings, 0, samples, points, owner);
}

linex_status linex_wasm_cloud_draw(size_t width, const double *center, double radius, double seed, size_t first,
                                   size_t samples, double *points)
{
    return linex_cloud_draw(width, center, radius, (uint64_t)seed, first, samples, points);
}

linex_status linex_wasm_slic(size_t width, size_t height, size_t channels, const uint8_t *pixels, size_t segments,
                             double compactness, size_t rounds, double sigma, uint32_t *labels, size_t *found)
{
    linex_slic_settings settings = {segments, compactness, rounds, sigma};
    return linex_slic(width, height, channels, pixels, &settings, labels, found);
}

linex_status linex_wasm_quickshift(size_t width, size_t height, size_t channels, const uint8_t *pixels, double ratio,
                                   double kernel, double reach, double sigma, uint32_t *labels, size_t *found)
{
    linex_quickshift_settings settings = {ratio, kernel, reach, sigma};
    return linex_quickshift(width, height, channels, pixels, &settings, labels, found);
}

linex_status linex_wasm_forest_new(size_t count, size_t width, const double *rows, const double *responses,
                                   size_t classes, size_t outputs, size_t depth, size_t min_leaf, size_t features,
                                   bool bootstrap, double seed, linex_forest **forest)
{
    linex_forest_settings settings = {classes, outputs, depth, min_leaf, features, bootstrap, (uint64_t)seed};
    return linex_forest_new(count, width, rows, responses, &settings, forest);
}

/* sizes: trees, nodes, leaves */
void linex_wasm_forest_sizes(const linex_forest *forest, uint32_t *sizes)
{
    linex_trees trees = linex_forest_trees(forest);
    sizes[0] = (uint32_t)trees.trees;
    sizes[1] = (uint32_t)trees.nodes;
    sizes[2] = (uint32_t)trees.leaves;
}

/* places: where roots, features, thresholds, rights, gains and values stand, until the forest grows or is freed */
void linex_wasm_forest_places(const linex_forest *forest, uint32_t *places)
{
    linex_trees trees = linex_forest_trees(forest);
    const void *const arrays[] = {trees.roots,  trees.features, trees.thresholds,
                                  trees.rights, trees.gains,    trees.values};
    for (size_t i = 0; i < 6; i++) places[i] = (uint32_t)(uintptr_t)arrays[i];
}

linex_status linex_wasm_trees_check(size_t width, size_t outputs, size_t trees, size_t nodes, size_t leaves,
                                    const uint32_t *roots, const uint32_t *features, const double *thresholds,
                                    const uint32_t *rights, const double *gains, const double *values)
{
    linex_trees all = {width, outputs, trees, nodes, leaves, roots, features, thresholds, rights, gains, values};
    return linex_trees_check(&all);
}

linex_status linex_wasm_trees_predict(size_t width, size_t outputs, size_t trees, size_t nodes, size_t leaves,
                                      const uint32_t *roots, const uint32_t *features, const double *thresholds,
                                      const uint32_t *rights, const double *gains, const double *values, size_t count,
                                      const double *rows, double *answers)
{
    linex_trees all = {width, outputs, trees, nodes, leaves, roots, features, thresholds, rights, gains, values};
    return linex_trees_predict(&all, count, rows, answers);
}

linex_status linex_wasm_trees_apply(size_t width, size_t outputs, size_t trees, size_t nodes, size_t leaves,
                                    const uint32_t *roots, const uint32_t *features, const double *thresholds,
                                    const uint32_t *rights, const double *gains, const double *values, size_t count,
                                    const double *rows, uint32_t *places)
{
    linex_trees all = {width, outputs, trees, nodes, leaves, roots, features, thresholds, rights, gains, values};
    return linex_trees_apply(&all, count, rows, places);
}

/* importances and root scores, width each */
linex_status linex_wasm_trees_scores(size_t width, size_t outputs, size_t trees, size_t nodes, size_t leaves,
                                     const uint32_t *roots, const uint32_t *features, const double *thresholds,
                                     const uint32_t *rights, const double *gains, const double *values,
                                     double *importances, double *root_scores)
{
    linex_trees all = {width, outputs, trees, nodes, leaves, roots, features, thresholds, rights, gains, values};
    linex_status status = linex_trees_importances(&all, importances);
    return status ? status : linex_trees_root_scores(&all, root_scores);
}

linex_status linex_wasm_word_vectors_measure(size_t count, size_t width, size_t rows, const float *const *blocks,
                                             double *squares)
{
    linex_word_vectors vectors = {count, width, rows, blocks, NULL};
    return linex_word_vectors_measure(&vectors, squares);
}

linex_status linex_wasm_words_nearest(size_t count, size_t width, size_t rows, const float *const *blocks,
                                      const double *squares, size_t queries, const float *points, size_t most,
                                      uint32_t *words, double *cosines, size_t *found)
{
    linex_word_vectors vectors = {count, width, rows, blocks, squares};
    return linex_words_nearest(&vectors, queries, points, most, words, cosines, found);
}

static linex_table table_of(size_t columns, const uint32_t *levels, const double *statistics,
                            const double *frequencies)
{
    return (linex_table){columns, levels, statistics, frequencies};
}

linex_status linex_wasm_rows_perturb(size_t columns, const uint32_t *levels, const double *statistics,
                                     const double *frequencies, const double *row, linex_center center,
                                     bool discretize, double seed, size_t first, size_t count, double *rows)
{
    linex_table table = table_of(columns, levels, statistics, frequencies);
    linex_row_settings settings = {center, discretize, false, (uint64_t)seed};
    return linex_rows_perturb(&table, row, &settings, first, count, rows);
}

linex_status linex_wasm_rows_represent(size_t columns, const uint32_t *levels, const double *statistics,
                                       const double *frequencies, const double *row, bool discretize, bool raw,
                                       size_t count, const double *rows, double *points)
{
    linex_table table = table_of(columns, levels, statistics, frequencies);
    linex_row_settings settings = {LINEX_CENTER_ROW, discretize, raw, 0};
    return linex_rows_represent(&table, row, &settings, count, rows, points);
}

linex_status linex_wasm_maple_errors(size_t columns, const uint32_t *levels, const double *statistics,
                                     const double *frequencies, size_t count, const double *rows, size_t outputs,
                                     const double *responses, const double *weights, const double *row,
                                     const double *response, const uint32_t *order, double ridge, double *errors)
{
    linex_table table = table_of(columns, levels, statistics, frequencies);
    return linex_maple_errors(&table, count, rows, outputs, responses, weights, row, response, order, ridge, errors);
}

linex_status linex_wasm_image_fit(size_t from_width, size_t from_height, size_t from_channels, const uint8_t *bytes,
                                  const float *floats, const double *background, size_t width, size_t height,
                                  size_t channels, float *out)
{
    linex_image picture = {from_width, from_height, from_channels, bytes, floats};
    return linex_image_fit(&picture, background, width, height, channels, out);
}

linex_status linex_wasm_tensor_write(size_t pixels, size_t channels, const float *picture, linex_layout layout,
                                     bool bytes, double scale, const double *mean, const double *spread, void *out)
{
    linex_tensor tensor = {layout, bytes, scale, mean, spread};
    return linex_tensor_write(pixels, channels, picture, &tensor, out);
}

linex_status linex_wasm_masks_draw(linex_mask_kind kind, size_t width, double seed, size_t first, size_t count,
                                   uint8_t *masks)
{
    return linex_masks_draw(kind, width, (uint64_t)seed, first, count, masks);
}

linex_status linex_wasm_masks_enumerate(linex_mask_kind kind, size_t width, double seed, size_t samples,
                                        size_t planned, uint8_t *masks, uint32_t *owner, double *factors)
{
    return linex_masks_enumerate(kind, width, (uint64_t)seed, samples, planned, masks, owner, factors);
}

/* report: converged, rounds, residual, multiplier */
linex_status linex_wasm_game_solve(size_t players, size_t width, const double *grams, const double *targets,
                                   double gamma, double l1, linex_solver solver, double tolerance, size_t max_rounds,
                                   double *weights, double *strategies, double *report)
{
    linex_game_settings settings = {gamma, l1, solver, tolerance, max_rounds};
    linex_game_report result = {0};
    linex_status status = linex_game_solve(players, width, grams, targets, &settings, weights, strategies, &result);
    report[0] = result.converged;
    report[1] = (double)result.rounds;
    report[2] = result.residual;
    report[3] = result.multiplier;
    return status;
}

/* found: how many coalitions, how many of them taken, how many draws */
linex_status linex_wasm_coalitions_plan(size_t width, size_t samples, double seed, uint8_t *masks, double *weights,
                                        uint32_t *found)
{
    linex_coalitions plan = {0};
    linex_status status = linex_coalitions_plan(width, samples, (uint64_t)seed, masks, weights, &plan);
    found[0] = (uint32_t)plan.count;
    found[1] = (uint32_t)plan.taken;
    found[2] = (uint32_t)plan.draws;
    return status;
}

/* features: values, errors, agreement, width values each
 * report:   base, prediction, fidelity */
linex_status linex_wasm_shapley_solve(size_t count, size_t taken, size_t draws, size_t width, const uint8_t *masks,
                                      const double *answers, const double *weights, linex_link link, double *features,
                                      double *report)
{
    linex_coalitions plan = {count, taken, draws};
    linex_shapley_report result = {0};
    linex_status status = linex_shapley_solve(&plan, width, masks, answers, weights, link, features, features + width,
                                              features + 2 * width, &result);
    report[0] = result.base;
    report[1] = result.prediction;
    report[2] = result.fidelity;
    return status;
}

/* points or masks are NULL
 * features: weights, raw, low, high, agreement, width values each
 * report:   how many features were chosen, intercept, fidelity, local prediction, gamma, effective samples,
 *           converged, rounds, residual, multiplier, ridge loss
 * grams, targets: NULL, or room for players x (width + 1) x (width + 1) and players x (width + 1) */
linex_status linex_wasm_explain(size_t count, size_t width, const double *points, const uint8_t *masks,
                                const double *answers, const double *weights, const double *distances, size_t planned,
                                const uint32_t *owner, const double *own, const double *at, linex_method method,
                                linex_smoothing smoothing, linex_selection selection, size_t most_features,
                                linex_intercept intercept, double ridge, linex_environment_kind kind, size_t players,
                                bool anchored, double kernel, double gamma, double l1, linex_solver solver,
                                double tolerance, size_t max_rounds, size_t games, double agreement, size_t draws,
                                double seed, double *features, double *strategies, uint32_t *chosen, double *report,
                                double *grams, double *targets)
{
    linex_samples samples = {count, width, points, answers, weights, distances, planned, owner, own, masks};
    linex_settings settings = {method,
                               smoothing,
                               selection,
                               most_features,
                               intercept,
                               ridge,
                               {kind, players, anchored, kernel},
                               {gamma, l1, solver, tolerance, max_rounds},
                               games,
                               agreement,
                               draws,
                               (uint64_t)seed};
    linex_explanation explanation = {.weights = features,
                                     .raw = features + width,
                                     .low = features + 2 * width,
                                     .high = features + 3 * width,
                                     .agreement = features + 4 * width,
                                     .strategies = strategies,
                                     .chosen = chosen,
                                     .grams = grams,
                                     .targets = targets};
    linex_status status = linex_explain(&samples, at, &settings, &explanation);
    if (status) return status;
    const double numbers[] = {(double)explanation.chosen_count,
                              explanation.intercept,
                              explanation.fidelity,
                              explanation.local_prediction,
                              explanation.gamma,
                              explanation.effective_samples,
                              explanation.game.converged,
                              (double)explanation.game.rounds,
                              explanation.game.residual,
                              explanation.game.multiplier,
                              explanation.ridge_loss};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) report[i] = numbers[i];
    return LINEX_OK;
}
