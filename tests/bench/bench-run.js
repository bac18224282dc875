// npm run bench: what we cost beside what a user would pick instead, as ratios measured in one run.
//
//     npm run bench                            all of it
//     npm run bench -- --quick                 a rougher one, about 20 s
//     npm run bench -- --only row,gram         some cases: their names, or how they begin
//     npm run bench -- --json | --markdown     for programs, for pages
//     npm run bench -- --write                 all of it, into web/docs/ideas/bench.md
//
// Peers are found by the environment: LIME_PYTHON (an interpreter with numpy, scikit-learn, scikit-image), LIME_PATH (the
// folder that holds `lime`), WEBSHAP_PATH (WebSHAP's source folder). One that is not there is listed as not measured.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildWasm } from '../../.ci/build.js';

/** Where --write puts the tables. */
const PAGE = new URL('../../web/docs/ideas/bench.md', import.meta.url);

const TITLES = [
  'For information: absolute times on this machine',
  '1. The game beside our own LIME',
  '2. Python LIME, the same perturbations',
  '3. WebSHAP',
  '4. WebAssembly beside the native build (gcc -O3 -march=native), the Gram kernel beside BLAS',
  '5. Composing masked images, bytes written',
  '6. Superpixels',
  '7. Many rows',
  '8. Growth',
  '9. Sizes',
];

/**
 * @typedef {object} Bench
 * @property {boolean} quick
 * @property {import('./interleave.js').Effort} effort
 * @property {{ native: any, wasm: any, missing?: undefined } | { missing: string }} cases
 * @property {{ python: import('./python.js').Python, missing?: undefined } | { missing: string }} python
 */

function readArguments() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
    },
  });
  if (values.write && (values.quick || values.only.length > 0))
    throw new RangeError('--write needs a full run, not --quick or --only');
  const names = values.only.flatMap((one) => one.split(','));
  return { ...values, wanted: (name) => names.length === 0 || names.some((one) => name.startsWith(one)) };
}

/** Everything there is to measure: a name for --only, and the work. */
async function listMeasures({ quick, wanted }) {
  // Not before the wasm is built.
  const [{ makeCases }, { measureMethods }, { measureLime }, builds, segments, many, growth, sizes, webshap] =
    await Promise.all(
      ['bench-cases', 'bench-methods', 'lime', 'builds', 'segments', 'many', 'growth', 'sizes', 'webshap'].map(
        (name) => import(`./${name}.js`),
      ),
    );
  const cases = await makeCases({ quick, wanted });
  const ofCases = cases.flatMap((one) =>
    [measureMethods, measureLime, builds.measureBuilds].map((measure) => [one.name, (bench) => measure(one, bench)]),
  );
  const others = [
    ['many', many.measureManyRows],
    ['shap', webshap.measureWebSHAP],
    ['gram', builds.measureGram],
    ['compose', builds.measureComposing],
    ['segments', segments.measureSegments],
    ['throughput', many.measureThroughput],
    ['growth', growth.measureGrowth],
    ['sizes', sizes.measureSizes],
  ];
  return [...ofCases, ...others.filter(([name]) => wanted(name))];
}

/** One line: what it was measured on. */
function describeMachine({ quick }, bench, seconds) {
  const python = bench.python.missing
    ? 'no Python'
    : Object.entries(bench.python.python.about).map((pair) => pair.join(' '));
  const parts = [`${availableParallelism()} cores`, cpus()[0]?.model.trim(), `Node ${process.versions.node}`, python];
  return `${parts.flat().join(' · ')} · ${quick ? 'quick, ' : ''}${Math.round(seconds)} s in all`;
}

async function main() {
  const how = readArguments();
  buildWasm();
  const [{ FULL, QUICK }, { buildCases }, { Python }, table] = await Promise.all(
    ['interleave', 'native', 'python', 'ratio-table'].map((name) => import(`./${name}.js`)),
  );
  const started = performance.now();
  const measures = await listMeasures(how);
  if (measures.length === 0) {
    const names = new Set((await listMeasures({ ...how, wanted: () => true })).map(([name]) => name));
    throw new RangeError(`--only must name some of ${[...names].join(', ')}, not ${how.only.join(', ')}`);
  }
  /** @type {Bench} */
  const bench = {
    quick: how.quick,
    effort: how.quick ? QUICK : FULL,
    cases: await buildCases(),
    python: await Python.find(),
  };
  const entries = [];
  for (const [i, [name, measure]] of measures.entries()) {
    const found = await measure(bench);
    entries.push(...found);
    // A full run takes a while: what is known already is told beside the output.
    for (const one of found)
      console.error(`${i + 1}/${measures.length} ${name}: ${one.what}, ${one.of}: ${table.measured(one)}`);
  }
  bench.cases.native?.close();
  bench.python.python?.close();
  const machine = describeMachine(how, bench, (performance.now() - started) / 1000);
  if (how.write) writeFileSync(PAGE, table.formatPage(entries, TITLES, machine));
  if (how.json) {
    const judged = entries.map((entry) => ({ ...entry, met: table.isMet(entry) }));
    console.log(JSON.stringify({ machine, quick: how.quick, entries: judged }, null, 2));
  } else console.log((how.markdown ? table.formatMarkdown : table.formatText)(entries, TITLES, machine));
}

await main();
