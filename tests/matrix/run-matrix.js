// npm run matrix: installs the packed library in every runtime, bundler and framework, runs it there, and writes the table.
//
// Without names it runs all environments; with names only those: npm run matrix -- deno parcel. With --write, the table of
// the guide is written, from the last run of each environment.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import * as linex from '../../js/index.js';
import { BUNDLERS } from './bundler-environments.js';
import { check } from './check-program.js';
import { MatrixFolder, run } from './matrix-folder.js';
import { closeBrowser } from './matrix-page.js';
import { NEXTS } from './next-environments.js';
import { SERVERS } from './server-environments.js';
import { TYPED } from './type-environments.js';
import { TEST_RUNNERS } from './unit-test-environments.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const GUIDE = new URL('../../web/docs/guides/runtimes.md', import.meta.url);
const [START, END] = ['<!-- written by npm run matrix -- --write, do not edit -->', '<!-- end of the table -->'];
const RESULTS = new URL('../../build/matrix/results.json', import.meta.url);
export const ENVIRONMENTS = [...SERVERS, ...BUNDLERS, ...NEXTS, ...TEST_RUNNERS, ...TYPED];

/** Packs the library as npm would publish it. @returns {Promise<string>}  the path of the file */
async function pack() {
  mkdirSync(`${root}build/matrix`, { recursive: true });
  await run(process.execPath, ['.ci/build.js'], { cwd: root });
  const told = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', 'build/matrix'], {
    cwd: root,
  });
  const found = JSON.parse(told);
  const [{ filename }] = Array.isArray(found) ? found : Object.values(found);
  renameSync(`${root}build/matrix/${filename}`, `${root}build/matrix/linex.tgz`);
  return `${root}build/matrix/linex.tgz`;
}

/** Runs one environment. @returns {Promise<{ id: string, name: string, works: boolean, what: string }>} */
async function tryEnvironment({ id, name, line, packages = {}, manifest, files, expected, run: use }, packed, weights) {
  const folder = new MatrixFolder(id, packed);
  try {
    folder.write({ 'check.js': readFileSync(new URL('./check-program.js', import.meta.url), 'utf8'), ...files });
    await folder.install(packages, manifest);
    const result = await use(folder, packed);
    if (result !== (expected ?? weights)) throw new Error(`the result is ${String(result).slice(0, 500)}`);
    return { id, name, works: true, what: line ?? 'nothing to do' };
  } catch (error) {
    return { id, name, works: false, what: error.message };
  }
}

/** What is directly in the project's folder. The matrix must add nothing to it. */
const namesInRoot = () => readdirSync(root).sort();

/** Keeps the results of the last run of each environment. @returns {Record<string, { name: string, works: boolean, what: string }>} */
function keep(results) {
  const before = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
  const all = { ...before, ...Object.fromEntries(results.map((result) => [result.id, result])) };
  writeFileSync(RESULTS, JSON.stringify(all, null, 2));
  return all;
}

/** Writes the table of the guide. */
async function writeTable(kept) {
  const missing = ENVIRONMENTS.filter(({ id }) => !kept[id]).map(({ id }) => id);
  if (missing.length > 0) throw new Error(`run these first: ${missing.join(' ')}`);
  const rows = ENVIRONMENTS.map(({ id }) => {
    const { name, works, what } = kept[id];
    return `| ${name} | ${works ? what.replaceAll('|', '\\|') : '**fails**'} |`;
  });
  const table = ['| environment | what to do |', '| --- | --- |', ...rows].join('\n');
  const [before, rest] = readFileSync(GUIDE, 'utf8').split(START);
  const text = [before, START, '\n\n', table, '\n\n', END, rest.split(END)[1]].join('');
  writeFileSync(GUIDE, await format(text, { ...(await resolveConfig(fileURLToPath(GUIDE))), parser: 'markdown' }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true });
  const unknown = positionals.filter((name) => !ENVIRONMENTS.some(({ id }) => id === name));
  if (unknown.length > 0) {
    console.error(
      `unknown: ${unknown.join(', ')}; the environments are ${ENVIRONMENTS.map(({ id }) => id).join(', ')}`,
    );
    process.exit(2);
  }
  const packed = await pack();
  const weights = await check(linex);
  const before = new Set(namesInRoot());
  const results = [];
  for (const environment of ENVIRONMENTS) {
    if (positionals.length > 0 && !positionals.includes(environment.id)) continue;
    const result = await tryEnvironment(environment, packed, weights);
    results.push(result);
    console.log(`${result.works ? 'works' : 'FAILS'}  ${result.name}: ${result.what}`);
  }
  await closeBrowser();
  const kept = keep(results);
  if (values.write) await writeTable(kept);
  const added = namesInRoot().filter((name) => !before.has(name));
  if (added.length > 0) console.log(`FAILS  a tool wrote outside of its folder: ${added.join(', ')}`);
  process.exitCode = added.length === 0 && results.every(({ works }) => works) ? 0 : 1;
}
