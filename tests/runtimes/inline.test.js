// linex/inline and the entry points of runtimes: what they find, what they weigh, and how the embedded file is read.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { constants, deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';
import { inflate } from '../../js/core/inflate.js';
import * as linex from '../../js/index.js';
import { check } from '../matrix/check-program.js';
import { packed } from '../support/download-size.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'linex-inline-'));
after(() => rmSync(folder, { recursive: true }));

/** Bundles a script in one file, with all that is loaded on demand. */
async function bundle(contents, options) {
  const { outputFiles, warnings } = await build({
    stdin: { contents, resolveDir: root },
    ...{ bundle: true, minify: true, write: false, logLevel: 'silent', conditions: ['browser'] },
    ...options,
  });
  assert.deepEqual(warnings, []);
  return outputFiles[0].contents;
}

test('what zlib has compressed is decompressed, however it was compressed', () => {
  const repeated = Buffer.from('a moving tale of love and loss, '.repeat(3000));
  const samples = [
    repeated,
    randomBytes(70000),
    Buffer.alloc(0),
    Buffer.alloc(100000),
    readFileSync(`${root}js/linex.wasm`),
  ];
  const { Z_FIXED, Z_HUFFMAN_ONLY, Z_DEFAULT_STRATEGY } = constants;
  for (const sample of samples)
    for (const level of [0, 1, 9])
      for (const strategy of [Z_FIXED, Z_HUFFMAN_ONLY, Z_DEFAULT_STRATEGY]) {
        const found = inflate(deflateRawSync(sample, { level, strategy }), sample.length);
        assert.ok(sample.equals(found), `${sample.length} bytes, level ${level}, strategy ${strategy}`);
      }
  const cut = deflateRawSync(repeated);
  assert.throws(() => inflate(cut, repeated.length + 1), RangeError);
});

test('linex/inline exports what linex exports', async () => {
  const inline = await import('linex/inline');
  assert.deepEqual(Object.keys(inline).sort(), Object.keys(linex).sort());
});

test('linex/inline gives the same bits without any file, also in bundles that are no modules', async () => {
  const expected = await check(linex);
  const script = `import * as linex from 'linex/inline'; import { check } from './tests/matrix/check-program.js';
    check(linex).then((weights) => console.log(weights));`;
  for (const format of ['iife', 'cjs', 'esm']) {
    const code = await bundle(script, { format });
    const flags = ['--input-type', format === 'esm' ? 'module' : 'commonjs', '-'];
    const said = execFileSync(process.execPath, flags, { cwd: folder, input: code, encoding: 'utf8' });
    assert.equal(said.trim(), expected, format);
  }
});

test('a server bundle that has lost the files uses the embedded one', async () => {
  const script = `import * as linex from 'linex'; import { check } from './tests/matrix/check-program.js';
    check(linex).then((weights) => console.log(weights));`;
  const code = await bundle(script, {
    format: 'cjs',
    platform: 'node',
    conditions: ['node'],
    logOverride: { 'empty-import-meta': 'silent' },
  });
  const said = execFileSync(process.execPath, ['--input-type', 'commonjs', '-'], {
    cwd: folder,
    input: code,
    encoding: 'utf8',
  });
  assert.equal(said.trim(), await check(linex));
});

test('linex can be required', () => {
  const script =
    "require('linex').explainText('a b', (texts) => texts.map((text) => text.length)).then(({ kind }) => console.log(kind))";
  assert.match(
    execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8', stdio: 'pipe' }),
    /^text$/m,
  );
});

for (const names of ['describeTable, explainRow', 'explainText', 'explainImage'])
  test(`linex/inline with ${names} takes less than 130 KB, with all that is loaded on demand`, async () => {
    const size = packed(await bundle(`export { ${names} } from 'linex/inline'`, { format: 'esm' }));
    console.log(`  ${names}: ${size.toFixed(1)} KB`);
    assert.ok(size > 80 && size < 130, `${size} KB`);
  });

test('elements and charts are imported without a DOM, and register nothing', () => {
  const script = `const { LinexBars } = await import('linex/elements');
    const { LinexWaterfall } = await import('linex/charts');
    console.log(typeof LinexBars, typeof LinexWaterfall, 'customElements' in globalThis);`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' });
  assert.equal(said.trim(), 'function function false');
});

test('npm pack makes the same bytes twice', () => {
  const hashes = ['a', 'b'].map((name) => {
    const target = mkdtempSync(join(folder, name));
    const flags = ['pack', '--ignore-scripts', '--silent', '--pack-destination', target];
    const file = execFileSync('npm', flags, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return createHash('sha256')
      .update(readFileSync(join(target, file)))
      .digest('hex');
  });
  assert.equal(hashes[0], hashes[1]);
});
