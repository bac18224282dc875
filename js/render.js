// linex/render: pure functions that render explanations; they need neither DOM nor wasm.
export { checkExplanation } from './render/wording.js';
export { renderTextHTML } from './render/render-html.js';
export { renderImageRGBA } from './render/render-image.js';
export { renderSentence } from './render/reading.js';
export { renderBarsSVG, renderTextSVG } from './render/render-svg.js';
export { renderTerminal } from './render/render-terminal.js';
export { renderStyles } from './render/styles.js';
export {
  checkRecourse,
  renderComparisonSVG,
  renderDependenceSVG,
  renderImportanceSVG,
  renderRecourseSentence,
  renderRecourseSVG,
  renderSteadinessSVG,
  renderSummarySVG,
  renderTargetsSVG,
  renderWaterfallSVG,
} from './charts/render-charts.js';
