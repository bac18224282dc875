// npm start: sets up, builds what is missing, and shows what linex does.
import process from 'node:process';
import { buildWasm } from './build.js';
import { ensurePackages, run } from './setup.js';

ensurePackages();
buildWasm();
run(process.execPath, ['examples/iris.js']);
