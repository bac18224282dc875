// linex/render: pictures of explanations, as pure functions that need neither DOM nor wasm.
export { renderTerminal } from './render-terminal.js';
