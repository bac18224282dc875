// The short version of npm run attack for JavaScript: the API, little memory, and a soak. ctest runs that for C.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as linex from 'linex';
import { attackAPI } from './api-attack.js';
import { CALLS } from './api-calls.js';
import { attackMemory, capMemory } from './capped-memory.js';

const read = (path) => readFileSync(new URL(path, import.meta.url));

test('every call of the API gives a correct result or a clear error', async () => {
  const { executions, findings } = await attackAPI({ runs: 100, seed: 1 });
  assert.deepEqual(findings, []);
  assert.ok(executions >= 100 * CALLS.length, `${executions} executions`);
});

test('the attack calls every public function', () => {
  const text = read('api-calls.js').toString();
  const names = Object.keys(linex).filter((name) => typeof linex[name] === 'function' && name !== 'LinexError');
  assert.ok(names.length > 25);
  assert.deepEqual(
    names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)),
    [],
  );
});

test('with little WebAssembly memory, a call gives a result or a LinexError', async () => {
  const { executions, refused, findings } = await attackMemory({ caps: [16, 20, 40] });
  assert.deepEqual(findings, []);
  assert.ok(refused > 5 && refused < executions, `${refused} of ${executions} calls were refused`);
});

test('a capped file does not grow beyond its cap', async () => {
  const { instance } = await WebAssembly.instantiate(capMemory(read('../../js/linex.wasm'), 18), {
    env: { emscripten_notify_memory_growth() {} },
  });
  const { memory } = /** @type {any} */ (instance.exports);
  memory.grow(18 - memory.buffer.byteLength / 65536);
  assert.throws(() => memory.grow(1), RangeError);
});

test('memory stays flat over thousands of explanations', async () => {
  const script = fileURLToPath(new URL('soak.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, '--explanations', '4000']);
  assert.match(stdout, /^4000 executions, 0 findings$/m);
});
