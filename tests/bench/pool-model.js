// The model of rows, as a module for a worker pool.
export { rowModel as predict } from './bench-cases.js';
