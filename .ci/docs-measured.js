// `npm run docs:measured`: records when and on what the numbers of the measured pages were written. Run it after a script has
// written such a page. The site shows the record, and a test fails if a page has changed since.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { root } from './setup.js';

const RECORD = new URL('.ci/docs/measured.json', root);

/** Pages that scripts write from what they measure, with the command that does it. */
export const MEASURED = {
  'tests/steady/meaning-study.md': 'node tests/steady/meaning-study.js --write',
  'web/docs/guides/runtimes.md': 'npm run matrix -- --write',
  'web/docs/ideas/bench.md': 'npm run bench -- --write',
  'web/docs/ideas/tables/paper.md': 'npm run paper',
  'web/docs/ideas/tables/steady.md': 'npm run steady -- --report --write',
  'web/docs/ideas/tables/wide.md': 'npm run bench:wide -- --write',
};

/** Pages whose numbers `npm test` computes again, so that they are never old. */
const COMPUTED = /^web\/docs\/ideas\/tables\/(demo-signs|environments|iris)\.md$/;

/** The lines of a page that have numbers: all rows of its tables. @param {string} path */
function rowsOf(path) {
  const text = readFileSync(new URL(path, root), 'utf8');
  const [, table = text] =
    text.match(/<!-- written by npm run matrix[\s\S]*?-->([\s\S]*?)<!-- end of the table -->/) ?? [];
  return table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.replace(/\s+/g, ' '))
    .join('\n');
}

/** @param {string} path */
const hashOf = (path) => createHash('sha256').update(rowsOf(path)).digest('hex').slice(0, 16);

/** @returns {Record<string, { rows: string, on: string, machine: string }>} */
const readRecord = () => (existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {});

/** The measured pages whose numbers differ from the record. @returns {string[]} */
export function findUnrecorded() {
  const record = readRecord();
  return Object.keys(MEASURED).filter((path) => record[path]?.rows !== hashOf(path));
}

/** Says where the numbers of a page are from, as Markdown; nothing for other pages. @param {string} path  from the root */
export function sayOrigin(path) {
  if (COMPUTED.test(path))
    return '_A script wrote these numbers. `npm test` computes them again and fails if they change._';
  const { on, machine } = readRecord()[path] ?? {};
  return on ? `_Numbers written by \`${MEASURED[path]}\` on ${on}, on a machine with ${machine}._` : '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const record = readRecord();
  const [{ model }] = cpus();
  const now = {
    on: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${model.trim()}, Node ${process.versions.node}`,
  };
  for (const path of findUnrecorded()) {
    record[path] = { rows: hashOf(path), ...now };
    console.log(`${path} is recorded`);
  }
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
}
