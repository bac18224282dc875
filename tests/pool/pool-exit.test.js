// Tests that a pool does not keep Node alive.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { LIMIT, moduleOf, root, SUM } from '../support/workers/pool-models.js';

const folder = mkdtempSync(join(tmpdir(), 'linex-pool-'));
after(() => rmSync(folder, { recursive: true }));

const from = (path) => JSON.stringify(new URL(path, root).href);
const IMPORTS = `import { openPool } from ${from('js/pool.js')};
  import { describeTable } from ${from('js/index.js')};
  const rows = Array.from({ length: 30 }, (_, i) => [i]);
  const options = { table: await describeTable(rows), samples: 20, draws: 0 };
  let sum = 0;`;
const READ = 'for await (const { prediction } of pool.explainRows(rows, options)) sum += prediction;';
const TELL = 'console.log(sum);';
const open = (model) => `const pool = await openPool(${JSON.stringify(model)}, { workers: 2 });`;

/** Runs Node until it exits, and returns what it printed. */
async function outputOf(...args) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 20000 });
  assert.equal(stderr, '');
  return stdout;
}

/** Runs a script from a file. */
function outputOfScript(code) {
  const file = join(folder, 'script.mjs');
  writeFileSync(file, code);
  return outputOf(file);
}

const WORK = {
  'was closed': [`${READ} await pool.close();`, 435],
  'was left open': [READ, 435],
  'was left in the middle of a call': [
    'const some = pool.explainRows(rows, options); for (let i = 0; i < 3; i++) sum += (await some.next()).value.prediction;',
    3,
  ],
};

for (const [name, [end, sum]] of Object.entries(WORK))
  test(`Node exits after the work if the pool ${name}`, LIMIT, async () => {
    assert.equal(await outputOfScript([IMPORTS, open(SUM), end, TELL].join('\n')), `${sum}\n`);
  });

test('Node exits after the work of a script without a file', LIMIT, async () => {
  const code = [IMPORTS, open(SUM), READ, 'await pool.close();', TELL].join('\n');
  assert.equal(await outputOf('--input-type=module', '-e', code), '435\n');
});

/** A model that does something else when it is asked about row 7. */
const atSeven = (code, onImport = '') =>
  moduleOf(`${onImport}
  export const predict = async (batch) => {
    const values = [...batch].map(([x]) => x);
    if (values[0] === 7) { ${code} }
    return values;
  }`);
const LOOP = 'for (;;);';
const EXIT = 'process.exit(9);';
const CATCH = `try { ${READ} } catch (error) { console.log(error.name, error.code, error.message); }`;
const TIMED = 'options.timeout = 100;';
const ABORT = 'const controller = new AbortController(); options.signal = controller.signal;';
const TIMEOUT =
  'LinexError model-timeout row 7: its worker was lost twice: the model did not answer a batch within 100 ms and blocked it';

/** Scripts in which workers are lost, with what they print. */
const FAULTS = {
  'is closed while a worker loops': [
    open(atSeven(LOOP)),
    'setTimeout(() => pool.close(), 200);',
    CATCH,
    'LinexError worker the pool is closed',
  ],
  'is left open after a timeout': [open(atSeven(LOOP)), TIMED, CATCH, TIMEOUT],
  'is left open after an abort while a worker loops': [
    open(atSeven(LOOP)),
    ABORT,
    'setTimeout(() => controller.abort(), 200);',
    CATCH,
    'AbortError 20 This operation was aborted',
  ],
  'is left open after a worker was lost twice': [
    open(atSeven(EXIT)),
    CATCH,
    'LinexError worker row 7: its worker was lost twice: it exited with code 9',
  ],
  'is left open in the middle of a call whose worker was lost': [
    open(atSeven(EXIT)),
    'const some = pool.explainRows(rows, options); sum += (await some.next()).value.prediction;',
    '',
  ],
  'cannot be opened because the model loops': [
    `await openPool(${JSON.stringify(atSeven('', LOOP))}, { workers: 2, openTimeout: 50 }).catch(({ message }) => console.log(message));`,
    'could not start a worker: it was not ready within 50 ms',
  ],
};

for (const [name, script] of Object.entries(FAULTS))
  test(`Node exits if a pool ${name}`, LIMIT, async () => {
    const printed = script.pop();
    const output = await outputOfScript([IMPORTS, ...script, "console.log('end');"].join('\n'));
    assert.equal(output, printed === '' ? 'end\n' : `${printed}\nend\n`);
  });
