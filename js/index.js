export { LinexError } from './errors.js';
export { load } from './load.js';
export { describeTable } from './table.js';
export { forestFromJSON, trainForest } from './forest.js';
export { forestNeighbourhood } from './forest-neighbourhood.js';
export { loadWordVectors } from './word-vectors.js';
export { wordNeighbourhood } from './word-neighbourhood.js';
export { densityNeighbourhood } from './density.js';
export { latentNeighbourhood } from './latent.js';
export { solveGame } from './game.js';
export { explainSamples } from './samples.js';
export { explainRow, explainRows } from './row.js';
export { explainText } from './text.js';
export { explainImage, segmentImage } from './image.js';
export { coefficientInconsistency, signConflict, unidirectionality } from './metrics.js';
export { classAttributionConsistency, generalizedInfidelity, infidelity, shapSlopes } from './faithfulness.js';
export { ablation } from './ablation.js';
export {
  renderBarsSVG,
  renderImageRGBA,
  renderStyles,
  renderTerminal,
  renderTextHTML,
  renderTextSVG,
} from './render.js';

/**
 * @typedef {import('./explanation.js').Explanation} Explanation
 * @typedef {import('./explanation.js').Feature} Feature
 * @typedef {import('./explanation.js').Equilibrium} Equilibrium
 * @typedef {import('./row.js').RowExplanation} RowExplanation
 * @typedef {import('./row.js').RowFeature} RowFeature
 * @typedef {import('./row.js').RowOptions} RowOptions
 * @typedef {import('./row.js').ShapRowExplanation} ShapRowExplanation
 * @typedef {import('./row.js').ShapRowFeature} ShapRowFeature
 * @typedef {import('./text.js').TextExplanation} TextExplanation
 * @typedef {import('./text.js').TextFeature} TextFeature
 * @typedef {import('./text.js').TextOptions} TextOptions
 * @typedef {import('./image.js').ImageExplanation} ImageExplanation
 * @typedef {import('./image.js').ImageFeature} ImageFeature
 * @typedef {import('./image.js').ImageOptions} ImageOptions
 * @typedef {import('./compose.js').ImageBatch} ImageBatch
 * @typedef {import('./density.js').DensityNeighbourhood} DensityNeighbourhood
 * @typedef {import('./density.js').DensityOptions} DensityOptions
 * @typedef {import('./latent.js').LatentNeighbourhood} LatentNeighbourhood
 * @typedef {import('./latent.js').LatentOptions} LatentOptions
 * @typedef {import('./line.js').Progress} Progress
 * @typedef {import('./neighbourhood.js').RowBatch} RowBatch
 * @typedef {import('./table.js').Table} Table
 * @typedef {import('./forest.js').Forest} Forest
 * @typedef {import('./forest.js').ForestJSON} ForestJSON
 * @typedef {import('./forest.js').ForestOptions} ForestOptions
 * @typedef {import('./forest-neighbourhood.js').ForestNeighbourhood} ForestNeighbourhood
 * @typedef {import('./forest-neighbourhood.js').ForestNeighbourhoodOptions} ForestNeighbourhoodOptions
 * @typedef {import('./word-vectors.js').WordVectors} WordVectors
 * @typedef {import('./generator.js').RowGenerator} RowGenerator
 * @typedef {import('./generator.js').TextGenerator} TextGenerator
 * @typedef {import('./generator.js').ImageGenerator} ImageGenerator
 * @typedef {import('./game.js').Game} Game
 * @typedef {import('./game.js').GameResult} GameResult
 * @typedef {import('./faithfulness.js').LocalModel} LocalModel
 * @typedef {import('./faithfulness.js').GeneralizedOptions} GeneralizedOptions
 * @typedef {import('./ablation.js').Ablated} Ablated
 * @typedef {import('./render-svg.js').SVGOptions} SVGOptions
 * @typedef {import('./render-image.js').ImageOptions} ImageDrawingOptions
 * @typedef {import('./render-image.js').Picture} Picture
 */
