// The script of a worker that imports its model from a URL, which arrives with the first message.
import '../wasm-files.js';
import { joinPool } from './join-pool.js';

joinPool();
