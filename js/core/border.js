// The border between JavaScript and C: the functions and the records of src/wasm.h, with the same names.

/**
 * Addresses in WebAssembly's memory. The types say what is stored there, so that the type checker finds a mix-up.
 *
 * @typedef {number & { readonly of: 'doubles' }} Doubles
 * @typedef {number & { readonly of: 'indices' }} Indices  whole numbers of 32 bits
 * @typedef {number & { readonly of: 'floats' }} Floats  single precision
 * @typedef {number & { readonly of: 'bytes' }} Bytes
 * @typedef {number & { readonly of: 'forest' }} ForestHandle
 * @typedef {Doubles | Indices | Floats | Bytes} Address
 * @typedef {0} None  no array
 */

/**
 * Distinct points in WebAssembly's memory, as the surrogate sees them. A neighborhood passes them to the solver. Either
 * `points` or `masks` is 0.
 *
 * @typedef {object} PlacedPoints
 * @property {number} featureCount
 * @property {Doubles | None} points  one array per point
 * @property {Bytes | None} masks  used instead of `points` if all values are 0 or 1
 * @property {Doubles} weights  one per point: the weight of one planned sample
 * @property {Doubles} distances  one per point
 * @property {Doubles} input  the explained input, as a point
 * @property {number} kernelWidth
 * @property {boolean} [weighed]  whether the weights came with the points instead of from the kernel
 */

/** @typedef {number} Status  0, or why C refused: `Scope.check` throws it */

/**
 * What the WebAssembly files export. No file has all of these functions: the `.exports` files in src/ list the
 * functions of each.
 *
 * @typedef {object} Core
 * @property {WebAssembly.Memory} memory
 * @property {(bytes: number) => number} linex_wasm_allocate
 * @property {(memory: Address) => void} linex_wasm_release
 * @property {() => number} linex_wasm_live_bytes
 * @property {(count: number, values: Doubles, statistics: Doubles) => Status} linex_column_describe
 * @property {(count: number, codes: Doubles, levels: number, frequencies: Doubles) => Status} linex_levels_describe
 * @property {(density: Doubles, queries: number, at: Doubles, logs: Doubles) => Status} linex_wasm_density_log
 * @property {(density: Doubles, folds: Indices, rowCount: number, rows: Indices, bandwidthCount: number, bandwidths: Doubles, scores: Doubles) => Status} linex_wasm_density_validate
 * @property {(density: Doubles, at: Doubles, extraSquares: Doubles | None, settings: Doubles, samples: number, points: Doubles, sourceRows: Indices) => Status} linex_wasm_density_sample
 * @property {(count: number, seed: number, order: Indices) => Status} linex_wasm_order_draw
 * @property {(dimensions: number, center: Doubles, radius: number, seed: number, first: number, samples: number, points: Doubles) => Status} linex_wasm_cloud_draw
 * @property {(count: number, columns: number, rows: Doubles, responses: Doubles, settings: Doubles, forest: Indices) => Status} linex_wasm_forest_new
 * @property {(forest: ForestHandle, trees: number) => Status} linex_forest_grow
 * @property {(forest: ForestHandle, trees: Doubles) => void} linex_wasm_forest_trees
 * @property {(forest: ForestHandle) => void} linex_forest_free
 * @property {(trees: Doubles) => Status} linex_wasm_trees_check
 * @property {(trees: Doubles, count: number, rows: Doubles, answers: Doubles) => Status} linex_wasm_trees_predict
 * @property {(trees: Doubles, count: number, rows: Doubles, leaves: Indices) => Status} linex_wasm_trees_apply
 * @property {(trees: Doubles, importances: Doubles, rootScores: Doubles) => Status} linex_wasm_trees_scores
 * @property {(trees: number, count: number, leaves: Indices, sorted: Indices) => Status} linex_leaves_sort
 * @property {(trees: number, count: number, leaves: Indices, sorted: Indices, at: Indices, weights: Doubles) => Status} linex_leaves_weigh
 * @property {(vectors: Doubles, squares: Doubles) => Status} linex_wasm_word_vectors_measure
 * @property {(vectors: Doubles, queries: number, points: Floats, maxWords: number, words: Indices, cosines: Doubles, found: Indices) => Status} linex_wasm_words_nearest
 * @property {(table: Doubles, row: Doubles, settings: Doubles, first: number, count: number, rows: Doubles) => Status} linex_wasm_rows_perturb
 * @property {(count: number, bytes: number, rows: Doubles | Bytes, pointOf: Indices, distinct: Indices) => Status} linex_rows_merge
 * @property {(table: Doubles, row: Doubles, settings: Doubles, count: number, rows: Doubles, points: Doubles) => Status} linex_wasm_rows_represent
 * @property {(count: number, featureCount: number, points: Doubles, at: Doubles, kernel: number, distances: Doubles, weights: Doubles) => Status} linex_proximity
 * @property {(table: Doubles, training: Doubles, row: Doubles, response: Doubles, order: Indices, ridge: number, errors: Doubles) => Status} linex_wasm_maple_errors
 * @property {(kind: number, parts: number, seed: number, first: number, count: number, masks: Bytes) => Status} linex_wasm_masks_draw
 * @property {(kind: number, parts: number, seed: number, samples: number, planned: number, masks: Bytes, maskOf: Indices, factors: Doubles) => Status} linex_wasm_masks_enumerate
 * @property {(count: number, featureCount: number, masks: Bytes, distance: number, scale: number, kernel: number, distances: Doubles, weights: Doubles) => Status} linex_masks_weigh
 * @property {(image: Doubles, backdrop: Doubles, width: number, height: number, channels: number, out: Floats) => Status} linex_wasm_image_fit
 * @property {(pixels: number, channels: number, image: Floats, labels: Indices, segments: number, averaged: Floats) => Status} linex_image_average
 * @property {(width: number, height: number, channels: number, image: Floats, sigma: number, blurred: Floats) => Status} linex_image_blur
 * @property {(width: number, height: number, channels: number, pixels: Bytes, settings: Doubles, labels: Indices, found: Indices) => Status} linex_wasm_slic
 * @property {(width: number, height: number, channels: number, pixels: Bytes, settings: Doubles, labels: Indices, found: Indices) => Status} linex_wasm_quickshift
 * @property {(width: number, height: number, segments: number, labels: Indices, found: Indices) => Status} linex_grid
 * @property {(pixels: number, channels: number, image: Floats, tensor: Doubles, out: Bytes) => Status} linex_wasm_tensor_write
 * @property {(pixels: number, labels: Indices, runs: Indices | None) => number} linex_runs_find
 * @property {(segmented: Doubles, count: number, masks: Bytes, tensors: Bytes) => Status} linex_wasm_compose
 * @property {(game: Doubles, weights: Doubles, strategies: Doubles, report: Doubles) => Status} linex_wasm_game_solve
 * @property {(game: Doubles, strategies: Doubles, moved: Doubles) => Status} linex_wasm_game_round
 * @property {(parts: number, samples: number, seed: number, masks: Bytes, weights: Doubles, coalitions: Doubles) => Status} linex_wasm_coalitions_plan
 * @property {(coalitions: Doubles, parts: number, masks: Bytes, answers: Doubles, weights: Doubles, link: number, features: Doubles, report: Doubles) => Status} linex_wasm_shapley_solve
 * @property {(samples: Doubles, settings: Doubles, output: Doubles, report: Doubles) => Status} linex_wasm_explain
 */

// Records: arrays of doubles with one number per name, in this order. `Scope.putRecord` writes one, `readRecord` reads one.
export const TABLE = /** @type {const} */ (['columns', 'levels', 'statistics', 'frequencies']);
export const ROW_SETTINGS = /** @type {const} */ (['center', 'discretize', 'raw', 'seed']);
export const DENSITY = /** @type {const} */ (['count', 'columns', 'points', 'bandwidth']);
export const DENSITY_SETTINGS = /** @type {const} */ (['nearness', 'radius', 'minRows', 'seed']);
// prettier-ignore
export const FOREST_SETTINGS = /** @type {const} */ ([
  'classes', 'outputs', 'depth', 'minLeaf', 'features', 'bootstrap', 'seed',
]);
// prettier-ignore
export const TREES = /** @type {const} */ ([
  'columns', 'outputs', 'trees', 'nodes', 'leaves', 'roots', 'features', 'thresholds', 'rights', 'gains', 'values',
]);
export const TRAINING = /** @type {const} */ (['count', 'rows', 'outputs', 'responses', 'weights']);
export const WORD_VECTORS = /** @type {const} */ (['count', 'dimensions', 'wordsPerBlock', 'blocks', 'squares']);
export const IMAGE = /** @type {const} */ (['width', 'height', 'channels', 'bytes', 'floats']);
export const TENSOR = /** @type {const} */ (['layout', 'isBytes', 'scale', 'mean', 'std']);
export const SLIC = /** @type {const} */ (['count', 'compactness', 'rounds', 'sigma']);
export const QUICKSHIFT = /** @type {const} */ (['ratio', 'kernel', 'reach', 'sigma']);
// prettier-ignore
export const SEGMENTED = /** @type {const} */ ([
  'pixels', 'planes', 'bytes', 'shown', 'hidden', 'runCount', 'runs', 'segments',
]);
// prettier-ignore
export const GAME = /** @type {const} */ ([
  'players', 'featureCount', 'grams', 'targets', 'gamma', 'l1', 'solver', 'tolerance', 'maxRounds',
]);
export const GAME_REPORT = /** @type {const} */ (['converged', 'rounds', 'residual', 'multiplier']);
export const COALITIONS = /** @type {const} */ (['count', 'taken', 'draws']);
export const SHAPLEY_REPORT = /** @type {const} */ (['base', 'prediction', 'fidelity']);
// prettier-ignore
export const SAMPLES = /** @type {const} */ ([
  'count', 'featureCount', 'points', 'masks', 'answers', 'weights', 'distances', 'planned', 'pointOf', 'ownWeights', 'input',
]);
// prettier-ignore
export const SETTINGS = /** @type {const} */ ([
  'method', 'smoothing', 'selection', 'features', 'gamma', 'l1', 'ridge', 'intercept', 'kernelWidth', 'games', 'agreement',
  'draws', 'solver', 'tolerance', 'maxRounds', 'seed', 'kind', 'players', 'anchored',
]);
// prettier-ignore
export const OUTPUT = /** @type {const} */ ([
  'weights', 'raw', 'low', 'high', 'agreement', 'strategies', 'chosen', 'grams', 'targets',
]);
// prettier-ignore
export const REPORT = /** @type {const} */ ([
  'chosenCount', 'intercept', 'fidelity', 'localPrediction', 'effectiveSamples', 'ridgeLoss', 'converged', 'rounds',
  'residual', 'gamma', 'multiplier',
]);
