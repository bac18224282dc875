// Target 3: the time of KernelSHAP compared with WebSHAP; WEBSHAP_PATH is its source folder.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describeTable, explainRow } from 'linex';
import { rowModel, rowsOf } from './bench-cases.js';
import { compare, here } from './interleave.js';
import { milliseconds } from './ratio-table.js';

const WIDTH = 50;
const BACKGROUND = 10;
/** WebSHAP's dependencies, in the lowest versions that its package.json allows. */
const IMPORTS = ['d3-random@3.0.1', 'mathjs@11.5.0', '@tensorflow/tfjs@4.2.0'];
const FOLDER = fileURLToPath(new URL('../../build/bench-webshap', import.meta.url));

/** Returns WebSHAP's class, or the reason why it is missing. */
async function findWebSHAP() {
  const { WEBSHAP_PATH } = process.env;
  if (!WEBSHAP_PATH) return { missing: 'WEBSHAP_PATH is not set' };
  const entry = join(WEBSHAP_PATH, 'src', 'index.ts');
  if (!existsSync(entry)) return { missing: 'WEBSHAP_PATH has no src/index.ts' };
  try {
    await install();
    const outfile = join(FOLDER, 'webshap.cjs');
    const nodePaths = [join(FOLDER, 'node_modules')];
    const how = { bundle: true, platform: 'node', format: 'cjs', logLevel: 'silent' };
    await build({ entryPoints: [entry], outfile, nodePaths, ...how });
    return { KernelSHAP: createRequire(import.meta.url)(outfile).KernelSHAP };
  } catch (error) {
    return { missing: `could not build WebSHAP: ${String(error.message).split('\n')[0]}` };
  }
}

async function install() {
  if (existsSync(join(FOLDER, 'node_modules', 'mathjs'))) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }');
  const args = ['install', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', ...IMPORTS];
  await promisify(execFile)('npm', args);
}

/** @param {import('./bench-run.js').Bench} bench */
export async function measureWebSHAP({ effort, quick }) {
  const coalitions = quick ? 200 : 1000;
  const of = `d = ${WIDTH}, ${coalitions} coalitions, ${BACKGROUND} background rows`;
  const entry = { target: 3, what: 'WebSHAP / ours, KernelSHAP', of, aim: { least: 50 } };
  const background = rowsOf(BACKGROUND, WIDTH, 4);
  const [row] = rowsOf(1, WIDTH, 5);
  const table = await describeTable(background);
  const ours = () => explainRow(row, rowModel, { method: 'shap', table, background, samples: coalitions });
  try {
    await ours();
  } catch (error) {
    return [{ ...entry, missing: `method 'shap': ${error.message.split(';')[0]}` }];
  }
  const { KernelSHAP, missing } = await findWebSHAP();
  if (missing) return [{ ...entry, missing }];
  const predict = async (rows) =>
    [...rowModel({ data: rows.flat(), shape: [rows.length, WIDTH] })].map((answer) => [answer]);
  const theirs = () => new KernelSHAP(predict, background, 0.2).explainOneInstance(row, coalitions);
  const times = await compare({ ours: here(ours), theirs: here(theirs) }, effort);
  const note = `${milliseconds(times.theirs)} / ${milliseconds(times.ours)}`;
  return [{ ...entry, value: times.theirs / times.ours, unit: 'times', note }];
}
