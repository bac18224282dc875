// The model of the rows, as a worker of a pool imports it.
export { rowModel as predict } from './bench-cases.js';
