// A worker script as a user with a bundler writes it; it fails if it has to compile WebAssembly again.
import { joinPool } from 'linex/pool-worker';
import { predict } from '../../../examples/dashboard/loans.js';

WebAssembly.compile = () => Promise.reject(new Error('compiled again'));
await joinPool({ predict });
