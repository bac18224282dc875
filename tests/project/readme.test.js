import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../..', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');

test('the fifteen lines of the README work as they stand', () => {
  const [, code] = readme.match(/```js\n(import[\s\S]*?)```/);
  const lines = code.split('\n').filter((line) => line.trim() && !line.trim().startsWith('//'));
  assert.ok(lines.length <= 15, `${lines.length} lines`);
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' });
  assert.match(output, /LINEX · answer [\d.]+ · fidelity/);
  assert.match(output, /income: 0\.\d+ a standard deviation; weight in 0\.\d+,0\.\d+; signs agree by 1/);
});

const [, model, pooled] = readme.match(/```js\n(\/\/ model\.js[\s\S]*?)```\s*```js\n(import[\s\S]*?)```/);

test('the pool of the README works, with its model in a file beside it', () => {
  const folder = new URL('build/readme-pool/', root);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('model.js', folder), model);
  writeFileSync(new URL('main.js', folder), pooled);
  const output = execFileSync(process.execPath, ['main.js'], { cwd: folder, encoding: 'utf8' });
  assert.equal(output, 'income leads for 60 of 60 people\n');
});

test('so do the other scripts in it', () => {
  const [, ...all] = [...readme.matchAll(/```js\n(import[\s\S]*?)```/g)].map(([, code]) => code);
  const others = all.filter((code) => code !== pooled);
  const outputs = others.map((code) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' }),
  );
  assert.equal(outputs.length, 9);
  assert.match(outputs[0], /love +│█+ +\+0\.\d+ \[/);
  assert.match(outputs[0], /boring +▒+│ +−0\.\d+ \[/);
  assert.match(outputs[1], /\d+ segments, drawn at 64 x 48: 12288 bytes/);
  const outputOf = (name) => outputs[others.findIndex((code) => code.includes(name))];
  assert.match(
    outputOf('densityNeighborhood'),
    /kernels of 0\.\d+ .* leads with [\d.]+\nlog density of two people: -\d/,
  );
  assert.match(outputOf('const recent'), /LINEX · answer 13\.5 .*queries/);
  assert.match(outputOf('latentNeighborhood'), /class \d, R² 0\.\d\d: segment \d+ leads/);
  assert.match(outputOf('wordNeighborhood'), /thrilling[^]*amusing[^]*wickedly[^]*love +│█+ +\+[^]*moving +│█+ +\+/);
  assert.match(
    outputOf('trainForest'),
    /LINEX · answer [^]*rooms 6 .*\+[^]*MAPLE · answer .* · 1 query[^]*rooms 6 .*\+/,
  );
  const measured = outputOf('generalizedInfidelity');
  assert.match(measured, /GI +0\.\d+\nCAC -?0\.\d+\n[^]*fraction: 1, change: 0\.\d+, changed: null/);
  assert.match(outputOf("method: 'shap'"), /SHAP · answer 21\.3[\s\S]*\d+\.\d+ on average, 21\.30 here/);
});

test('what goes on from the fifteen lines does', () => {
  const [, first] = readme.match(/```js\n(import[\s\S]*?)```/);
  const [, more] = readme.match(/```js\n(const sure = [\s\S]*?)```/);
  const code = first + more;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' });
  assert.equal(output.match(/LINEX · answer [\d.]+ · fidelity/g).length, 2);
  const others = [...readme.matchAll(/```js\n(?!import)([\s\S]*?)```/g)].map(([, code]) => code);
  assert.deepEqual(
    others.filter((code) => code !== model && code !== more),
    [],
    'a script that no test runs',
  );
});

test('the picture in the README is what the iris example draws', () => {
  const [, picture] = readme.match(/```\n(LINEX · for[\s\S]*?)\n```/);
  const output = execFileSync(process.execPath, ['examples/iris.js'], { cwd: root, encoding: 'utf8' });
  for (const line of picture.split('\n')) assert.ok(output.includes(line), line);
});

test('the size in the README is the size of the wasm', () => {
  const kilobytes = Math.round(statSync(new URL('js/linex.wasm', root)).size / 1000);
  assert.ok(readme.includes(`${kilobytes} KB of WebAssembly`), `${kilobytes} KB`);
});
