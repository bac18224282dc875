// linex/render: pure functions that render explanations; they need neither DOM nor wasm.
export { checkExplanation } from './render/wording.js';
export { renderTextHTML } from './render/render-html.js';
export { renderImageRGBA } from './render/render-image.js';
export { checkRecourse, renderRecourseSentence, renderRecourseSVG } from './render/render-recourse.js';
export { renderBarsSVG, renderTextSVG } from './render/render-svg.js';
export { renderTerminal } from './render/render-terminal.js';
export { renderStyles } from './render/styles.js';
