// Tests that a pool does not keep Node alive.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { LIMIT, root, SUM } from '../support/pool-models.js';

const folder = mkdtempSync(join(tmpdir(), 'linex-pool-'));
after(() => rmSync(folder, { recursive: true }));

test(
  'Node exits after the work, whether the pool was closed, left open, or left in the middle of a call',
  LIMIT,
  async () => {
    const from = (path) => JSON.stringify(new URL(path, root).href);
    const begin = `import { openPool } from ${from('js/pool.js')};
    import { describeTable } from ${from('js/index.js')};
    const rows = Array.from({ length: 30 }, (_, i) => [i]);
    const options = { table: await describeTable(rows), samples: 20, draws: 0 };
    const pool = await openPool(${JSON.stringify(SUM)}, { workers: 2 });
    let sum = 0;`;
    const ends = {
      closed:
        'for await (const { prediction } of pool.explainRows(rows, options)) sum += prediction; await pool.close();',
      open: 'for await (const { prediction } of pool.explainRows(rows, options)) sum += prediction;',
      left: 'const some = pool.explainRows(rows, options); for (let i = 0; i < 3; i++) sum += (await some.next()).value.prediction;',
    };
    for (const [name, end] of Object.entries(ends)) {
      const file = join(folder, `${name}.mjs`);
      writeFileSync(file, `${begin}\n${end}\nconsole.log(sum);`);
      const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 20000 });
      assert.equal(stdout, name === 'left' ? '3\n' : '435\n', name);
    }
    const code = `${begin}\n${ends.closed}\nconsole.log(sum);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      timeout: 20000,
    });
    assert.equal(stdout, '435\n', 'a script without a file');
  },
);
