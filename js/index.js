// linex: everything that the package exports, except the elements and the pool.
import './wasm-files.js';
export { LinexError } from './core/errors.js';
export { load } from './core/load.js';
export { describeTable } from './data/table.js';
export { forestFromJSON, trainForest } from './data/forest.js';
export { forestNeighborhood } from './neighborhood/forest-neighborhood.js';
export { loadWordVectors } from './data/word-vectors.js';
export { wordNeighborhood } from './neighborhood/word-neighborhood.js';
export { densityNeighborhood } from './neighborhood/density-neighborhood.js';
export { latentNeighborhood } from './neighborhood/latent-neighborhood.js';
export { solveGame, solveGameAsync } from './solve/solve-game.js';
export { explainSamples, explainSamplesAsync } from './explain/explain-samples.js';
export { explainRow, explainRows } from './explain/explain-row.js';
export { explainText } from './explain/explain-text.js';
export { explainImage, segmentImage } from './explain/explain-image.js';
export { estimate } from './explain/estimate.js';
export { coefficientInconsistency, signConflict, unidirectionality } from './measure/stability-metrics.js';
export { classAttributionConsistency, generalizedInfidelity, infidelity, shapSlopes } from './measure/faithfulness.js';
export { ablation } from './measure/ablation.js';
export { summarize } from './measure/summary.js';
export { compare } from './measure/comparison.js';
export { recourse } from './measure/recourse.js';
export {
  checkExplanation,
  checkRecourse,
  renderBarsSVG,
  renderComparisonSVG,
  renderDependenceSVG,
  renderImageRGBA,
  renderImportanceSVG,
  renderSteadinessSVG,
  renderSentence,
  renderRecourseSentence,
  renderRecourseSVG,
  renderStyles,
  renderSummarySVG,
  renderTargetsSVG,
  renderTerminal,
  renderTextHTML,
  renderTextSVG,
  renderWaterfallSVG,
} from './render.js';

/**
 * @typedef {import('./explain/explanation.js').Explanation} Explanation
 * @typedef {import('./explain/check-explanation.js').AnyExplanation} AnyExplanation
 * @typedef {import('./explain/explanation.js').Feature} Feature
 * @typedef {import('./explain/explanation.js').Equilibrium} Equilibrium
 * @typedef {import('./explain/reference.js').Reference} Reference
 * @typedef {import('./explain/explain-row.js').RowExplanation} RowExplanation
 * @typedef {import('./explain/explain-row.js').RowFeature} RowFeature
 * @typedef {import('./explain/explain-row.js').ShapRowExplanation} ShapRowExplanation
 * @typedef {import('./explain/explain-row.js').ShapRowFeature} ShapRowFeature
 * @typedef {import('./explain/explain-text.js').TextExplanation} TextExplanation
 * @typedef {import('./explain/explain-text.js').TextFeature} TextFeature
 * @typedef {import('./explain/explain-image.js').ImageExplanation} ImageExplanation
 * @typedef {import('./explain/explain-image.js').ImageFeature} ImageFeature
 * @typedef {import('./neighborhood/density-neighborhood.js').DensityNeighborhood} DensityNeighborhood
 * @typedef {import('./neighborhood/density-neighborhood.js').DensityOptions} DensityOptions
 * @typedef {import('./neighborhood/latent-neighborhood.js').LatentNeighborhood} LatentNeighborhood
 * @typedef {import('./neighborhood/latent-neighborhood.js').LatentOptions} LatentOptions
 * @typedef {import('./explain/estimate.js').Estimate} Estimate
 * @typedef {import('./explain/estimate.js').EstimateOptions} EstimateOptions
 * @typedef {import('./solve/kept-answers.js').KeptAnswers} KeptAnswers
 * @typedef {import('./data/table.js').Table} Table
 * @typedef {import('./data/forest.js').Forest} Forest
 * @typedef {import('./data/forest.js').ForestJSON} ForestJSON
 * @typedef {import('./data/forest.js').ForestOptions} ForestOptions
 * @typedef {import('./neighborhood/forest-neighborhood.js').ForestNeighborhood} ForestNeighborhood
 * @typedef {import('./neighborhood/forest-neighborhood.js').ForestNeighborhoodOptions} ForestNeighborhoodOptions
 * @typedef {import('./data/word-vectors.js').WordVectors} WordVectors
 * @typedef {import('./neighborhood/sampler.js').RowSampler} RowSampler
 * @typedef {import('./neighborhood/sampler.js').TextSampler} TextSampler
 * @typedef {import('./neighborhood/sampler.js').ImageSampler} ImageSampler
 * @typedef {import('./solve/solve-game.js').Game} Game
 * @typedef {import('./solve/solve-game.js').GameResult} GameResult
 * @typedef {import('./measure/faithfulness.js').LocalModel} LocalModel
 * @typedef {import('./measure/faithfulness.js').GeneralizedOptions} GeneralizedOptions
 * @typedef {import('./measure/ablation.js').Ablated} Ablated
 * @typedef {import('./measure/summary.js').Summary} Summary
 * @typedef {import('./measure/summary.js').SummaryFeature} SummaryFeature
 * @typedef {import('./measure/comparison.js').Comparison} Comparison
 * @typedef {import('./measure/comparison.js').ChangedFeature} ChangedFeature
 * @typedef {import('./charts/chart-words.js').ChartLabels} ChartLabels
 * @typedef {import('./charts/render-charts.js').ChartOptions} ChartOptions
 * @typedef {import('./data/table.js').NumberFormat} NumberFormat
 * @typedef {import('./render/labels.js').Labels} Labels
 * @typedef {import('./render/reading.js').ReadingOptions} ReadingOptions
 * @typedef {import('./measure/recourse.js').RecourseOptions} RecourseOptions
 * @typedef {import('./measure/recourse-result.js').Recourse} Recourse
 * @typedef {import('./measure/recourse-result.js').Change} Change
 * @typedef {import('./render/render-svg.js').SVGOptions} SVGOptions
 * @typedef {import('./render/render-image.js').ImageDrawingOptions} ImageDrawingOptions
 * @typedef {import('./data/image-input.js').Pixels} Pixels
 */

/**
 * @template {import('./explain/explain-row.js').RowMethod} [M=import('./explain/explain-row.js').RowMethod]
 * @template {import('./explain/plan.js').Targets} [T=import('./explain/plan.js').Targets]
 * @template {import('./neighborhood/row-neighborhood.js').RowType} [F=import('./neighborhood/row-neighborhood.js').RowType]
 * @typedef {import('./explain/explain-row.js').RowOptions<M, T, F>} RowOptions
 */

/**
 * @template {import('./explain/explain-text.js').TextMethod} [M=import('./explain/explain-text.js').TextMethod]
 * @template {import('./explain/plan.js').Targets} [T=import('./explain/plan.js').Targets]
 * @typedef {import('./explain/explain-text.js').TextOptions<M, T>} TextOptions
 */

/**
 * @template {import('./explain/explain-image.js').ImageMethod} [M=import('./explain/explain-image.js').ImageMethod]
 * @template {import('./explain/plan.js').Targets} [T=import('./explain/plan.js').Targets]
 * @template {import('./neighborhood/compose-images.js').ImageType} [F=import('./neighborhood/compose-images.js').ImageType]
 * @typedef {import('./explain/explain-image.js').ImageOptions<M, T, F>} ImageOptions
 */

/**
 * @template {import('./neighborhood/row-neighborhood.js').RowType} [F=import('./neighborhood/row-neighborhood.js').RowType]
 * @typedef {import('./neighborhood/row-neighborhood.js').RowBatch<F>} RowBatch
 */

/**
 * @template {import('./neighborhood/compose-images.js').ImageType} [F=import('./neighborhood/compose-images.js').ImageType]
 * @typedef {import('./neighborhood/compose-images.js').ImageBatch<F>} ImageBatch
 */

/**
 * @template [E=any]
 * @typedef {import('./explain/plan.js').Progress<E>} Progress
 */
