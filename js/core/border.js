// The border between JavaScript and C: the functions and the records of src/wasm.h, with the same names.

/**
 * Addresses in WebAssembly's memory. The types say what is stored there, so that the type checker finds a mix-up.
 *
 * @typedef {number & { readonly of: 'doubles' }} Doubles
 * @typedef {number & { readonly of: 'indices' }} Indices  whole numbers of 32 bits
 * @typedef {number & { readonly of: 'floats' }} Floats  single precision
 * @typedef {number & { readonly of: 'bytes' }} Bytes
 * @typedef {number & { readonly of: 'forest' }} ForestHandle
 * @typedef {number & { readonly of: 'task' }} TaskHandle
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
 * @property {Doubles} [law]  the law of the samples under the kernel: of rows, LAW_SIZE numbers per feature; of masks, the
 *   share of each size. Without it, the answers are not adjusted
 * @property {PlacedLevels} [levels]  of rows with categorical columns
 * @property {number} [block]  how many consecutive samples, from sample 1 on, belong together; 0, the default, if their
 *   order means nothing
 * @property {boolean} [complete]  whether the points are all there are; default false
 */

/**
 * The levels behind points that only say whether a level is that of the row; see linex_levels in linex.h. They are not in
 * WebAssembly's memory.
 *
 * @typedef {object} PlacedLevels
 * @property {Float64Array} rows
 * @property {Float64Array} row
 * @property {ArrayLike<number>} counts
 * @property {ArrayLike<number>} frequencies
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
 * @property {(task: TaskHandle, work: number) => Status} linex_task_run
 * @property {(task: TaskHandle) => number} linex_task_progress
 * @property {(task: TaskHandle) => void} linex_task_free
 * @property {(count: number, values: Doubles, statistics: Doubles) => Status} linex_column_describe
 * @property {(count: number, codes: Doubles, levels: number, frequencies: Doubles) => Status} linex_levels_describe
 * @property {(density: Doubles, queries: number, at: Doubles, logs: Doubles) => Status} linex_wasm_density_log
 * @property {(density: Doubles, folds: Indices, rowCount: number, rows: Indices, bandwidthCount: number, bandwidths: Doubles, scores: Doubles) => Status} linex_wasm_density_validate
 * @property {(density: Doubles, at: Doubles, extraSquares: Doubles | None, settings: Doubles, samples: number, points: Doubles, sourceRows: Indices) => Status} linex_wasm_density_sample
 * @property {(count: number, seed: number, order: Indices) => Status} linex_wasm_order_draw
 * @property {(dimensions: number, center: Doubles, radius: number, sampling: number, seed: number, first: number, samples: number, points: Doubles) => Status} linex_wasm_cloud_draw
 * @property {(count: number, columns: number, rows: Doubles, responses: Doubles, settings: Doubles, forest: Indices, task: Indices) => Status} linex_wasm_forest_start
 * @property {(forest: ForestHandle, trees: number, task: Indices) => Status} linex_forest_grow_start
 * @property {(forest: ForestHandle, trees: Doubles) => void} linex_wasm_forest_trees
 * @property {(forest: ForestHandle) => void} linex_forest_free
 * @property {(trees: Doubles) => Status} linex_wasm_trees_check
 * @property {(trees: Doubles, count: number, rows: Doubles, answers: Doubles) => Status} linex_wasm_trees_predict
 * @property {(trees: Doubles, count: number, rows: Doubles, leaves: Indices) => Status} linex_wasm_trees_apply
 * @property {(trees: Doubles, importances: Doubles, rootScores: Doubles) => Status} linex_wasm_trees_scores
 * @property {(trees: number, count: number, leaves: Indices, sorted: Indices) => Status} linex_leaves_sort
 * @property {(trees: number, count: number, leaves: Indices, sorted: Indices, at: Indices, weights: Doubles) => Status} linex_leaves_weigh
 * @property {(vectors: Doubles, squares: Doubles) => Status} linex_wasm_word_vectors_measure
 * @property {(vectors: Doubles, queries: number, points: Floats, maxWords: number, words: Indices, cosines: Doubles, found: Indices, task: Indices) => Status} linex_wasm_words_nearest_start
 * @property {(table: Doubles, row: Doubles, settings: Doubles, first: number, count: number, rows: Doubles) => Status} linex_wasm_rows_perturb
 * @property {(count: number, bytes: number, rows: Doubles | Bytes, pointOf: Indices, distinct: Indices) => Status} linex_rows_merge
 * @property {(table: Doubles, row: Doubles, settings: Doubles, count: number, rows: Doubles, points: Doubles) => Status} linex_wasm_rows_represent
 * @property {(table: Doubles, row: Doubles, settings: Doubles, kernel: number, law: Doubles) => Status} linex_wasm_rows_law
 * @property {(count: number, featureCount: number, points: Doubles, at: Doubles, kernel: number, distances: Doubles, weights: Doubles) => Status} linex_proximity
 * @property {(table: Doubles, training: Doubles, row: Doubles, response: Doubles, order: Indices, ridge: number, errors: Doubles, task: Indices) => Status} linex_wasm_maple_start
 * @property {(kind: number, parts: number, sampling: number, seed: number, first: number, count: number, masks: Bytes) => Status} linex_wasm_masks_draw
 * @property {(kind: number, parts: number, seed: number, samples: number, planned: number, masks: Bytes, maskOf: Indices, factors: Doubles) => Status} linex_wasm_masks_enumerate
 * @property {(count: number, featureCount: number, masks: Bytes, distance: number, scale: number, kernel: number, distances: Doubles, weights: Doubles) => Status} linex_masks_weigh
 * @property {(kind: number, featureCount: number, distance: number, scale: number, kernel: number, sizes: Doubles) => Status} linex_masks_law
 * @property {(image: Doubles, backdrop: Doubles, width: number, height: number, channels: number, out: Floats, task: Indices) => Status} linex_wasm_image_fit_start
 * @property {(pixels: number, channels: number, image: Floats, labels: Indices, segments: number, averaged: Floats, task: Indices) => Status} linex_image_average_start
 * @property {(width: number, height: number, channels: number, image: Floats, sigma: number, blurred: Floats, task: Indices) => Status} linex_image_blur_start
 * @property {(width: number, height: number, channels: number, pixels: Bytes, settings: Doubles, labels: Indices, found: Indices, task: Indices) => Status} linex_wasm_slic_start
 * @property {(width: number, height: number, channels: number, pixels: Bytes, settings: Doubles, labels: Indices, found: Indices, task: Indices) => Status} linex_wasm_quickshift_start
 * @property {(width: number, height: number, segments: number, labels: Indices, found: Indices, task: Indices) => Status} linex_grid_start
 * @property {(pixels: number, channels: number, image: Floats, tensor: Doubles, first: number, end: number, out: Bytes) => Status} linex_wasm_tensor_write
 * @property {(first: number, end: number, labels: Indices, runs: Indices | None) => number} linex_runs_find
 * @property {(segmented: Doubles, count: number, masks: Bytes, tensors: Bytes) => Status} linex_wasm_compose
 * @property {(game: Doubles, weights: Doubles, strategies: Doubles, report: Doubles, task: Indices) => Status} linex_wasm_game_start
 * @property {(game: Doubles, strategies: Doubles, moved: Doubles) => Status} linex_wasm_game_round
 * @property {(featureCount: number) => number} linex_coalitions_few
 * @property {(parts: number, samples: number, seed: number, first: number, count: number, masks: Bytes, task: Indices) => Status} linex_wasm_coalitions_start
 * @property {(shapley: Doubles, features: Doubles, report: Doubles, task: Indices) => Status} linex_wasm_shapley_start
 * @property {(samples: Doubles, settings: Doubles, adjustment: Doubles, task: Indices) => Status} linex_wasm_bend_start
 * @property {(samples: Doubles, settings: Doubles, adjustment: Doubles, task: Indices) => Status} linex_wasm_krige_start
 * @property {(samples: Doubles, settings: Doubles, adjustment: Doubles, task: Indices) => Status} linex_wasm_krige_masks_start
 * @property {(samples: Doubles, settings: Doubles, output: Doubles, report: Doubles, task: Indices) => Status} linex_wasm_explain_start
 * @property {(samples: Doubles, settings: Doubles, output: Doubles, report: Doubles, task: Indices) => Status} linex_wasm_explain_wide_start
 */

/**
 * The names of a record's fields, in their order. A record is an array of doubles with one number per field.
 * `Scope.putRecord` writes one, `readRecord` reads one.
 *
 * @template R
 * @typedef {readonly (keyof R & string)[] & { readonly of?: R }} RecordFields
 */

/**
 * @typedef {object} TableRecord
 * @property {number} columns
 * @property {Indices} levels
 * @property {Doubles} statistics
 * @property {Doubles} frequencies
 */
// prettier-ignore
export const TABLE = /** @type {RecordFields<TableRecord>} */ ([
  'columns', 'levels', 'statistics', 'frequencies',
]);

/**
 * @typedef {object} RowSettingsRecord
 * @property {number} center
 * @property {boolean} discretize
 * @property {boolean} raw
 * @property {number} seed
 * @property {number} sampling
 */
// prettier-ignore
export const ROW_SETTINGS = /** @type {RecordFields<RowSettingsRecord>} */ ([
  'center', 'discretize', 'raw', 'seed', 'sampling',
]);

/**
 * @typedef {object} DensityRecord
 * @property {number} count
 * @property {number} columns
 * @property {Doubles} points
 * @property {number} bandwidth
 */
// prettier-ignore
export const DENSITY = /** @type {RecordFields<DensityRecord>} */ ([
  'count', 'columns', 'points', 'bandwidth',
]);

/**
 * @typedef {object} DensitySettingsRecord
 * @property {number} nearness
 * @property {number} radius
 * @property {number} minRows
 * @property {number} seed
 * @property {number} sampling
 */
// prettier-ignore
export const DENSITY_SETTINGS = /** @type {RecordFields<DensitySettingsRecord>} */ ([
  'nearness', 'radius', 'minRows', 'seed', 'sampling',
]);

/**
 * @typedef {object} ForestSettingsRecord
 * @property {number} classes
 * @property {number} outputs
 * @property {number} depth
 * @property {number} minLeaf
 * @property {number} features
 * @property {boolean} bootstrap
 * @property {number} seed
 */
// prettier-ignore
export const FOREST_SETTINGS = /** @type {RecordFields<ForestSettingsRecord>} */ ([
  'classes', 'outputs', 'depth', 'minLeaf', 'features', 'bootstrap', 'seed',
]);

/**
 * @typedef {object} TreesRecord
 * @property {number} columns
 * @property {number} outputs
 * @property {number} trees
 * @property {number} nodes
 * @property {number} leaves
 * @property {Indices} roots
 * @property {Indices} features
 * @property {Doubles} thresholds
 * @property {Indices} rights
 * @property {Doubles} gains
 * @property {Doubles} values
 */
// prettier-ignore
export const TREES = /** @type {RecordFields<TreesRecord>} */ ([
  'columns', 'outputs', 'trees', 'nodes', 'leaves', 'roots', 'features', 'thresholds', 'rights', 'gains', 'values',
]);

/**
 * @typedef {object} TrainingRecord
 * @property {number} count
 * @property {Doubles} rows
 * @property {number} outputs
 * @property {Doubles} responses
 * @property {Doubles} weights
 */
// prettier-ignore
export const TRAINING = /** @type {RecordFields<TrainingRecord>} */ ([
  'count', 'rows', 'outputs', 'responses', 'weights',
]);

/**
 * @typedef {object} WordVectorsRecord
 * @property {number} count
 * @property {number} dimensions
 * @property {number} wordsPerBlock
 * @property {Indices} blocks
 * @property {Doubles} squares
 */
// prettier-ignore
export const WORD_VECTORS = /** @type {RecordFields<WordVectorsRecord>} */ ([
  'count', 'dimensions', 'wordsPerBlock', 'blocks', 'squares',
]);

/**
 * @typedef {object} ImageRecord
 * @property {number} width
 * @property {number} height
 * @property {number} channels
 * @property {Bytes | None} bytes
 * @property {Floats | None} floats
 */
// prettier-ignore
export const IMAGE = /** @type {RecordFields<ImageRecord>} */ ([
  'width', 'height', 'channels', 'bytes', 'floats',
]);

/**
 * @typedef {object} TensorRecord
 * @property {number} layout
 * @property {boolean} isBytes
 * @property {number} scale
 * @property {Doubles} mean
 * @property {Doubles} std
 */
// prettier-ignore
export const TENSOR = /** @type {RecordFields<TensorRecord>} */ ([
  'layout', 'isBytes', 'scale', 'mean', 'std',
]);

/**
 * @typedef {object} SlicRecord
 * @property {number} count
 * @property {number} compactness
 * @property {number} rounds
 * @property {number} sigma
 */
// prettier-ignore
export const SLIC = /** @type {RecordFields<SlicRecord>} */ ([
  'count', 'compactness', 'rounds', 'sigma',
]);

/**
 * @typedef {object} QuickshiftRecord
 * @property {number} ratio
 * @property {number} kernel
 * @property {number} reach
 * @property {number} sigma
 */
// prettier-ignore
export const QUICKSHIFT = /** @type {RecordFields<QuickshiftRecord>} */ ([
  'ratio', 'kernel', 'reach', 'sigma',
]);

/**
 * @typedef {object} SegmentedRecord
 * @property {number} pixels
 * @property {number} planes
 * @property {number} bytes
 * @property {Bytes} shown
 * @property {Bytes} hidden
 * @property {number} runCount
 * @property {Indices} runs
 * @property {number} segments
 */
// prettier-ignore
export const SEGMENTED = /** @type {RecordFields<SegmentedRecord>} */ ([
  'pixels', 'planes', 'bytes', 'shown', 'hidden', 'runCount', 'runs', 'segments',
]);

/**
 * @typedef {object} GameRecord
 * @property {number} players
 * @property {number} featureCount
 * @property {Doubles} grams
 * @property {Doubles} targets
 * @property {number} gamma
 * @property {number} l1
 * @property {number} solver
 * @property {number} tolerance
 * @property {number} maxRounds
 */
// prettier-ignore
export const GAME = /** @type {RecordFields<GameRecord>} */ ([
  'players', 'featureCount', 'grams', 'targets', 'gamma', 'l1', 'solver', 'tolerance', 'maxRounds',
]);

/**
 * @typedef {object} GameReportRecord
 * @property {number} converged
 * @property {number} rounds
 * @property {number} residual
 * @property {number} multiplier
 */
// prettier-ignore
export const GAME_REPORT = /** @type {RecordFields<GameReportRecord>} */ ([
  'converged', 'rounds', 'residual', 'multiplier',
]);

/**
 * @typedef {object} ShapleyRecord
 * @property {number} count
 * @property {number} parts
 * @property {Bytes} masks
 * @property {Doubles} answers
 * @property {number} link
 */
// prettier-ignore
export const SHAPLEY = /** @type {RecordFields<ShapleyRecord>} */ ([
  'count', 'parts', 'masks', 'answers', 'link',
]);

/**
 * @typedef {object} ShapleyReportRecord
 * @property {number} base
 * @property {number} prediction
 * @property {number} fidelity
 * @property {number} quantile
 * @property {number} effective
 */
// prettier-ignore
export const SHAPLEY_REPORT = /** @type {RecordFields<ShapleyReportRecord>} */ ([
  'base', 'prediction', 'fidelity', 'quantile', 'effective',
]);

/**
 * @typedef {object} AdjustmentRecord
 * @property {Doubles} answers
 * @property {number} ridge
 * @property {number} adjusted
 * @property {number} gain
 */
// prettier-ignore
export const ADJUSTMENT = /** @type {RecordFields<AdjustmentRecord>} */ ([
  'answers', 'ridge', 'adjusted', 'gain',
]);

/**
 * @typedef {object} LevelsRecord
 * @property {Doubles} rows
 * @property {Doubles} row
 * @property {Indices} counts
 * @property {Doubles} frequencies
 */
// prettier-ignore
export const LEVELS = /** @type {RecordFields<LevelsRecord>} */ ([
  'rows', 'row', 'counts', 'frequencies',
]);

/**
 * @typedef {object} SamplesRecord
 * @property {number} count
 * @property {number} featureCount
 * @property {Doubles | None} points
 * @property {Bytes | None} masks
 * @property {Doubles} answers
 * @property {Doubles} weights
 * @property {Doubles} distances
 * @property {number} planned
 * @property {Indices} pointOf
 * @property {Doubles | None} ownWeights
 * @property {Doubles} input
 * @property {number} block
 * @property {boolean} complete
 * @property {Doubles | None} law
 * @property {Doubles | None} levels  a record
 * @property {Doubles | None} adjustment  a record
 */
// prettier-ignore
export const SAMPLES = /** @type {RecordFields<SamplesRecord>} */ ([
  'count', 'featureCount', 'points', 'masks', 'answers', 'weights', 'distances', 'planned', 'pointOf', 'ownWeights',
  'input', 'block', 'complete', 'law', 'levels', 'adjustment',
]);

/**
 * @typedef {object} SettingsRecord
 * @property {number} method
 * @property {number} smoothing
 * @property {number} selection
 * @property {number} features
 * @property {number} gamma
 * @property {number} l1
 * @property {number} ridge
 * @property {number} intercept
 * @property {number} kernelWidth
 * @property {number} games
 * @property {number} agreement
 * @property {number} draws
 * @property {number} solver
 * @property {number} tolerance
 * @property {number} maxRounds
 * @property {number} seed
 * @property {number} kind
 * @property {number} players
 * @property {boolean} anchored
 * @property {number} adjust
 * @property {number} weight
 */
// prettier-ignore
export const SETTINGS = /** @type {RecordFields<SettingsRecord>} */ ([
  'method', 'smoothing', 'selection', 'features', 'gamma', 'l1', 'ridge', 'intercept', 'kernelWidth', 'games',
  'agreement', 'draws', 'solver', 'tolerance', 'maxRounds', 'seed', 'kind', 'players', 'anchored', 'adjust',
  'weight',
]);

/**
 * @typedef {object} OutputRecord
 * @property {Doubles} weights
 * @property {Doubles} raw
 * @property {Bytes} silenced
 * @property {Doubles} low
 * @property {Doubles} high
 * @property {Doubles} agreement
 * @property {Doubles} strategies
 * @property {Indices} chosen
 * @property {Indices} fitted
 * @property {Doubles | None} grams
 * @property {Doubles | None} targets
 */
// prettier-ignore
export const OUTPUT = /** @type {RecordFields<OutputRecord>} */ ([
  'weights', 'raw', 'silenced', 'low', 'high', 'agreement', 'strategies', 'chosen', 'fitted', 'grams', 'targets',
]);

/**
 * @typedef {object} ReportRecord
 * @property {number} chosenCount
 * @property {number} fittedCount
 * @property {number} intercept
 * @property {number} fidelity
 * @property {number} localPrediction
 * @property {number} effectiveSamples
 * @property {number} ridgeLoss
 * @property {number} converged
 * @property {number} rounds
 * @property {number} residual
 * @property {number} gamma
 * @property {number} multiplier
 * @property {number} medianResidual
 * @property {number} unsettled
 * @property {number} ridge
 * @property {number} relativeRidge
 * @property {number} certifiedRidge
 * @property {number} adjusted
 * @property {number} gain
 */
// prettier-ignore
export const REPORT = /** @type {RecordFields<ReportRecord>} */ ([
  'chosenCount', 'fittedCount', 'intercept', 'fidelity', 'localPrediction', 'effectiveSamples', 'ridgeLoss', 'converged',
  'rounds', 'residual', 'gamma', 'multiplier', 'medianResidual', 'unsettled', 'ridge', 'relativeRidge', 'certifiedRidge',
  'adjusted', 'gain',
]);

/** LINEX_LAW_SIZE of linex.h: the numbers of one column's law. */
export const LAW_SIZE = 4;
