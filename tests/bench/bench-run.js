// `npm run bench`: measures our times relative to the alternatives, as ratios within one run.
//
//     npm run bench                            everything, about ten minutes on two quiet cores
//     npm run bench -- --quick                 a rough run, about 20 s
//     npm run bench -- --only row,gram         some cases, by name or by the start of the name
//     npm run bench -- --json | --markdown     output as JSON, or as Markdown
//     npm run bench -- --write                 everything, into web/docs/ideas/bench.md
//
// Environment variables name the peers: LIME_PYTHON (an interpreter with numpy, scikit-learn and scikit-image), LIME_PATH
// (the folder that holds `lime`), WEBSHAP_PATH (WebSHAP's source folder). A missing peer is listed as not measured.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildWasm } from '../../.ci/build.js';

/** Where --write puts the tables. */
const PAGE = new URL('../../web/docs/ideas/bench.md', import.meta.url);

const TITLES = [
  'For information: absolute times on this machine',
  '1. LINEX compared with our own LIME',
  '2. Python LIME, the same perturbations',
  '3. WebSHAP',
  '4. WebAssembly compared with the native build (gcc -O3 -march=native), the Gram kernel with BLAS',
  '5. Composing masked images, bytes written',
  '6. Superpixels',
  '7. Many rows',
  '8. Growth',
  '9. Sizes',
  '10. The same in browsers, by the clock',
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

/** Lists all measurements: a name for --only, and the work. */
async function listMeasures({ quick, wanted }) {
  // Imported here, because the wasm must be built first.
  const [{ makeCases }, { measureMethods }, { measureLime }, builds, segments, many, growth, sizes, webshap, engines] =
    await Promise.all(
      [
        'bench-cases',
        'bench-methods',
        'lime',
        'builds',
        'segments',
        'many',
        'growth',
        'sizes',
        'webshap',
        'engines',
      ].map((name) => import(`./${name}.js`)),
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
    ['engines', engines.measureEngines],
  ];
  return [...ofCases, ...others.filter(([name]) => wanted(name))];
}

/** Returns when this runs, and on which commit, if git knows. */
function describeMoment() {
  const day = new Date().toISOString().slice(0, 10);
  try {
    const options = { encoding: /** @type {const} */ ('utf8'), cwd: new URL('.', import.meta.url) };
    return [day, `commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim()}`];
  } catch {
    return [day]; // a copy without git
  }
}

/** Returns one line about the moment and the machine. */
function describeRun({ quick }, bench, seconds) {
  const python = bench.python.missing
    ? 'no Python'
    : Object.entries(bench.python.python.about).map((pair) => pair.join(' '));
  const parts = [
    describeMoment(),
    `${availableParallelism()} cores`,
    cpus()[0]?.model.trim(),
    `Node ${process.versions.node}`,
    python,
  ];
  return `${parts.flat(2).join(' · ')} · ${quick ? 'quick, ' : ''}${Math.round(seconds)} s in total`;
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
    throw new RangeError(`--only must name one or more of ${[...names].join(', ')}, not ${how.only.join(', ')}`);
  }
  /** @type {Bench} */
  const bench = {
    quick: how.quick,
    effort: how.quick ? QUICK : FULL,
    cases: await buildCases(),
    python: await Python.find(),
  };
  const entries = [];
  const elapsed = () => (performance.now() - started) / 1000;
  for (const [i, [name, measure]] of measures.entries()) {
    console.error(`${i + 1}/${measures.length} ${name}, after ${Math.round(elapsed())} s`);
    const found = await measure(bench);
    entries.push(...found);
    // A full run takes a while, so results are also printed to stderr as they come.
    for (const one of found)
      console.error(`  ${one.what}, ${one.of}${one.column ? `, ${one.column}` : ''}: ${table.measured(one)}`);
  }
  bench.cases.native?.close();
  bench.python.python?.close();
  const machine = describeRun(how, bench, elapsed());
  if (how.write) writeFileSync(PAGE, table.formatPage(entries, TITLES, machine));
  if (how.json) {
    const judged = entries.map((entry) => ({ ...entry, met: table.isMet(entry) }));
    console.log(JSON.stringify({ machine, quick: how.quick, entries: judged }, null, 2));
  } else console.log((how.markdown ? table.formatMarkdown : table.formatText)(entries, TITLES, machine));
}

await main();
