// Tests of the helpers that drive the browsers.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { PNG } from 'pngjs';
import { ENGINE_NAMES, openIn } from '../support/pages/browsers.js';

const root = new URL('../..', import.meta.url);
const LIMIT = { timeout: 90000 };
const INDEX = '<!doctype html><title>a page</title><input id="line"><script src="/main.js"></script>';

for (const engine of ENGINE_NAMES)
  test(
    `${engine} takes keys and reports errors; a page that hangs is an error, and the next page works`,
    LIMIT,
    async (t) => {
      const files = {
        'index.html': INDEX,
        'main.js': `console.error('oh'); setTimeout(() => { throw new Error('no') });`,
      };
      const page = await openIn(t, engine, root, files);
      if (!page) return;
      await page.click(`document.getElementById('line')`);
      await page.type('linux');
      for (const key of ['ArrowLeft', 'Backspace', 'e']) await page.press(key);
      assert.equal(await page.evaluate(`document.getElementById('line').value`), 'linex');
      assert.match((await page.problems()).join(), /oh.*no/s);
      assert.deepEqual(await page.evaluate((...args) => args, 1, 'two'), [1, 'two']);
      await assert.rejects(page.evaluate('Promise.reject(new RangeError("too far"))'), /too far/);
      const folder = mkdtempSync(join(tmpdir(), 'linex-'));
      t.after(() => rmSync(folder, { recursive: true }));
      await page.screenshot(join(folder, 'page.png'));
      const { width, height } = PNG.sync.read(readFileSync(join(folder, 'page.png')));
      assert.deepEqual([width, height], await page.evaluate('[innerWidth, innerHeight]'));
      await assert.rejects(page.waitFor('(() => { for (;;); })()', 1000), /waited 1000 ms for \w+ to evaluate/);

      const next = await openIn(t, engine, root, { 'index.html': INDEX, 'main.js': 'eval("1")' });
      assert.equal(await next.evaluate('document.title'), 'a page');
      assert.match((await next.problems()).join(), /script-src/);
    },
  );

test('processes that a test starts end with it, even if it is killed', async () => {
  const script = `import { spawnGuarded } from './tests/support/pages/drivers.js';
    const stdio = ['pipe', 'inherit', 'inherit'];
    spawnGuarded('sh', ['-c', 'echo $$; exec sleep 300'], { stdio });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root });
  const [pid] = await once(child.stdout, 'data');
  const isRunning = () => {
    // State Z: the process has ended, but its parent has not read the exit status.
    try {
      return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid).trim()], { encoding: 'utf8' }).startsWith('Z');
    } catch {
      return false;
    }
  };
  assert.ok(isRunning());
  child.kill('SIGKILL');
  for (let i = 0; i < 100 && isRunning(); i++) await pause(50);
  assert.ok(!isRunning());
});
