export { LinexError } from './errors.js';
export { load } from './load.js';
export { describeTable } from './table.js';
export { solveGame } from './game.js';
export { explainSamples } from './samples.js';
export { explainRow, explainRows } from './row.js';
export { coefficientInconsistency, infidelity, signConflict, unidirectionality } from './metrics.js';
export { renderTerminal } from './render.js';
