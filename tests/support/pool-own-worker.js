// A worker's script as a user with a bundler has it. Whoever compiles here has not been given what was compiled already.
import { joinPool } from 'linex/pool-worker';
import { predict } from '../../examples/dashboard/loans.js';

WebAssembly.compile = () => Promise.reject(new Error('compiled again'));
await joinPool({ predict });
