// linex/render: pictures of explanations, as pure functions that need neither DOM nor wasm.
export { renderTextHTML } from './render-html.js';
export { renderImageRGBA } from './render-image.js';
export { renderBarsSVG, renderTextSVG } from './render-svg.js';
export { renderTerminal } from './render-terminal.js';
export { renderStyles } from './styles.js';
