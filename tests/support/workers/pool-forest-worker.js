// A worker script whose model loads linex-data.wasm itself; it fails if it has to compile any other file again.
import { trainForest } from 'linex';
import { joinPool } from 'linex/pool-worker';
import { predict } from '../../../examples/dashboard/loans.js';

await trainForest([[1], [2]], [1, 2], { trees: 1 });
WebAssembly.compile = () => Promise.reject(new Error('compiled again'));
await joinPool({ predict });
