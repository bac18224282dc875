// `npm run steady`: measures how steady and how right LIME and LINEX are at the same number of queries.
//
//     npm run steady                            a few inputs of the pairs that settings are chosen on, minutes
//     npm run steady -- --report                the pairs that only report, too
//     npm run steady -- --full                  more inputs and seeds, about an hour with --report
//     npm run steady -- --pairs wine-forest     some pairs
//     npm run steady -- --methods lime,steady   some methods
//     npm run steady -- --sizes 100,1000        some numbers of samples
//     npm run steady -- --write                 into results.json, web/docs/ideas/tables/steady.md and its figure
//     npm run steady -- --tolerant              leaves out options that the library does not have; for development
//
// Some pairs need data (LINEX_DATA, or ../shared/data next to the project). The fits of 100,000 samples are kept in
// build/steady.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dataFolder, hasFiles } from '../paper/sets/data.js';
import { runJobs } from '../paper/jobs/work.js';
import { METHODS, REFERENCE } from './compared-methods.js';
import { choosePairs, PAIRS } from './pairs.js';
import { steadyFigure } from './steady-figure.js';
import { renderTables } from './steady-report.js';
import { joinInputs } from './steady-summary.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const RESULTS = new URL('results.json', import.meta.url);
const TABLES = new URL('../../web/docs/ideas/tables/', import.meta.url);

export const SIZES = Object.freeze([50, 100, 200, 500, 1000, 5000]);

/** Inputs, seeds and neighbors. */
const AMOUNTS = {
  quick: { inputs: { rows: 4, texts: 3, images: 2 }, seeds: 5, neighbors: 2, autos: 2 },
  full: { inputs: { rows: 6, texts: 8, images: 4 }, seeds: 8, neighbors: 3, autos: 3 },
};

/**
 * Runs the study.
 *
 * @param {object} [how]
 * @param {readonly import('./pairs.js').Pair[]} [how.pairs]
 * @param {boolean} [how.full]
 * @param {readonly string[]} [how.methods]
 * @param {readonly number[]} [how.sizes]
 * @param {object} [how.amount]  instead of that of quick or full
 * @param {boolean} [how.tolerant]
 * @param {number} [how.threads]
 * @param {string} [how.truths]  the folder for the stored fits
 * @param {(text: string) => void} [how.say]
 * @returns {Promise<any[]>}  one result per pair whose data exist
 */
export async function runSteady({
  pairs = choosePairs({}),
  full = false,
  methods = Object.keys(METHODS),
  sizes = SIZES,
  amount = full ? AMOUNTS.full : AMOUNTS.quick,
  tolerant = false,
  threads = 2,
  truths = path.join(root, 'build', 'steady'),
  say = (text) => process.stderr.write(text),
} = {}) {
  const folder = dataFolder();
  const usable = pairs.filter(({ name, files }) => {
    if (hasFiles(folder, files)) return true;
    say(`${name} is skipped, because ${files.join(' and ')} is missing; set LINEX_DATA to its folder\n`);
    return false;
  });
  const shared = {
    ...amount,
    sizes,
    methods: Object.keys(METHODS).filter((one) => one === REFERENCE || methods.includes(one)),
    truths,
    tolerant,
  };
  // Images take longest, so they start first.
  const jobs = [...usable].reverse().flatMap(({ key, kind }) =>
    Array.from({ length: amount.inputs[kind] }, (_, example) => ({
      ...{ set: key, part: `input ${example}`, kind, example },
      ...shared,
    })),
  );
  // Results are not kept, because they depend on the library.
  const results = mkdtempSync(path.join(tmpdir(), 'linex-steady-'));
  const started = performance.now();
  let shown = '';
  const onProgress = (done) => {
    const share = `\r${Math.floor((100 * done) / jobs.length)} % of ${jobs.length} inputs, `;
    if (share !== shown) say(`${share}${Math.round((performance.now() - started) / 1000)} s `);
    shown = share;
  };
  try {
    const thread = new URL('./steady-thread.js', import.meta.url);
    const finished = await runJobs(jobs, { folder: results, threads, thread, onProgress });
    say('\n');
    return usable.map(({ key, set, kind, name }) => ({
      ...{ key, set, kind, name, sizes, seeds: amount.seeds },
      ...joinInputs(finished.filter(({ job }) => job.set === key).map(({ result }) => result)),
    }));
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

/** Joins new results with the stored ones: a pair that was run replaces its stored result. */
function mergeResults(found) {
  const stored = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')).pairs : [];
  return PAIRS.map(({ key }) => [...found, ...stored].find((pair) => pair.key === key)).filter(Boolean);
}

/** Rounds to six digits, which keeps the file small. */
const rounded = (_, value) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;

function writeEverything(found, command) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const pairs = mergeResults(found.map((pair) => ({ ...pair, made: { command, commit } })));
  writeFileSync(RESULTS, `${JSON.stringify({ pairs }, rounded)}\n`);
  writeFileSync(new URL('steady.md', TABLES), renderTables(pairs, { page: true }));
  // The figure shows what was not chosen on, if that was run.
  const drawn = pairs.some(({ set }) => set === 'report') ? pairs.filter(({ set }) => set === 'report') : pairs;
  for (const theme of /** @type {const} */ (['light', 'dark']))
    writeFileSync(new URL(`steady-${theme}.svg`, TABLES), steadyFigure(drawn, theme));
}

async function main() {
  const text = { type: /** @type {const} */ ('string') };
  const flag = { type: /** @type {const} */ ('boolean'), default: false };
  const { values } = parseArgs({
    options: {
      ...{ quick: flag, full: flag, report: flag, write: flag, tolerant: flag },
      ...{ pairs: text, methods: text, sizes: text, threads: text, json: text },
    },
  });
  const methods = values.methods?.split(',');
  const unknown = methods?.find((method) => !(method in METHODS));
  if (unknown !== undefined)
    throw new RangeError(`there is no method ${JSON.stringify(unknown)}; there are ${Object.keys(METHODS).join(', ')}`);
  if (values.write && (methods || values.sizes || values.tolerant))
    throw new RangeError('--write needs all methods and sizes, and no --tolerant');
  const found = await runSteady({
    pairs: choosePairs({ keys: values.pairs?.split(','), report: values.report }),
    full: values.full,
    methods,
    sizes: values.sizes?.split(',').map(Number),
    tolerant: values.tolerant,
    threads: values.threads ? Number(values.threads) : undefined,
  });
  if (found.length === 0) return;
  process.stdout.write(renderTables(found));
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ pairs: found }, rounded)}\n`);
  if (values.write) writeEverything(found, ['npm run steady --', ...process.argv.slice(2)].join(' '));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
