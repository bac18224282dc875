// Tests the set-up scripts in .ci: missing tools, npm start and the iris example.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { explainMissing, findTool } from '../../.ci/setup.js';

const root = new URL('../..', import.meta.url);

test('the message about missing tools has the commands for each system', () => {
  const text = explainMissing(['cmake', 'emcc']);
  assert.match(text, /linex needs cmake, emcc/);
  assert.match(text, /Debian, Ubuntu +sudo apt-get update && sudo apt-get install -y cmake emscripten/);
  assert.match(text, /macOS +brew install cmake && brew install emscripten/);
  assert.match(text, /emsdk +git clone .*emsdk install latest/);
});

/** Asks for tools on a PATH that has only node: no cmake, no apt-get, no sudo. */
function ask(names, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'linex-'));
  symlinkSync(process.execPath, join(folder, 'node'));
  const script = `import { ensureTools } from './.ci/setup.js'; ensureTools(${JSON.stringify(names)});`;
  const options = { cwd: root, env: { PATH: folder, ...env }, encoding: 'utf8' };
  const result = spawnSync(process.execPath, ['--input-type=module', '-e', script], options);
  rmSync(folder, { recursive: true });
  return result;
}

test('if tools cannot be installed, the command names them and fails', () => {
  const { status, stderr } = ask(['cmake', 'emcc']);
  assert.notEqual(status, 0);
  assert.match(stderr, /linex needs cmake, emcc, which could not be found or installed/);
});

test('a missing browser is reported and skipped, but is an error in CI', () => {
  const browsers = ['chromium', 'firefox', 'webkit', 'xvfb'];
  const { status, stdout } = ask(browsers);
  assert.equal(status, 0);
  for (const name of browsers)
    assert.match(stdout, new RegExp(`${name} is missing: the tests that need it are skipped`));
  const strict = ask(browsers, { CI: 'true' });
  assert.notEqual(strict.status, 0);
  assert.match(strict.stderr, /install -y chromium firefox-esr webkit2gtk-driver xvfb/);
});

test('npm packages are installed without running their install scripts', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'linex-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const marker = join(folder, 'script-ran');
  const npm = (...args) => execFileSync('npm', [...args, '--offline'], { cwd: folder, stdio: 'pipe' });
  const write = (path, value) => writeFileSync(join(folder, path), JSON.stringify(value));
  const install = `node -e "require('fs').writeFileSync(process.env.MARKER, '')"`;
  mkdirSync(join(folder, 'stranger'));
  write('stranger/package.json', { name: 'stranger', version: '1.0.0', scripts: { install } });
  write('package.json', { name: 'user', version: '1.0.0', type: 'module' });
  npm('pack', './stranger');
  npm('install', '--package-lock-only', '--ignore-scripts', './stranger-1.0.0.tgz');
  cpSync(new URL('.ci/setup.js', root), join(folder, '.ci/setup.js'));
  const script = "import { ensurePackages } from './.ci/setup.js'; ensurePackages();";
  const options = { cwd: folder, env: { ...process.env, MARKER: marker, npm_config_offline: 'true' }, stdio: 'pipe' };
  execFileSync(process.execPath, ['--input-type=module', '-e', script], options);
  assert.ok(existsSync(join(folder, 'node_modules/stranger')) && !existsSync(marker));
  // The script would run otherwise.
  execFileSync('npm', ['ci'], options);
  assert.ok(existsSync(marker));
});

test('no package of the lock file is a stand-in by a stranger', () => {
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'));
  const packages = Object.entries(lock.packages);
  assert.ok(packages.length > 100);
  assert.deepEqual(
    packages.filter(([path, { name, resolved = '' }]) => /empty-npm-package/.test(`${path} ${name} ${resolved}`)),
    [],
  );
});

test('a tool is found in the first folder of PATH that has one of its commands', (t) => {
  const [empty, first, second] = ['empty', 'first', 'second'].map(() => mkdtempSync(join(tmpdir(), 'linex-')));
  const before = process.env.PATH;
  t.after(() => {
    process.env.PATH = before;
    for (const folder of [empty, first, second]) rmSync(folder, { recursive: true });
  });
  for (const folder of [first, second]) writeFileSync(join(folder, 'cmake'), '');
  writeFileSync(join(second, 'chromium-browser'), '');
  process.env.PATH = [empty, first, second].join(delimiter);
  assert.equal(findTool('cmake'), join(first, 'cmake'));
  // Not under its first name, but under its second.
  assert.equal(findTool('chromium'), join(second, 'chromium-browser'));
  writeFileSync(join(second, 'chromium'), '');
  assert.equal(findTool('chromium'), join(second, 'chromium'));
  assert.equal(findTool('emcc'), undefined);
  process.env.PATH = '';
  assert.equal(findTool('cmake'), undefined);
});

test('npm start serves the demo page and prints its URL', async (t) => {
  const server = spawn(process.execPath, ['.ci/start.js'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => server.kill());
  let output = '';
  for await (const text of server.stdout) {
    output += text;
    if (/http/.test(output)) break;
  }
  const [address] = output.match(/http:\/\/localhost:\d+\/web\//);
  const page = await fetch(address);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get('content-security-policy'), "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'");
  assert.match(await page.text(), /<h1 id="question">Why did the model say that\?<\/h1>/);
  assert.equal((await fetch(new URL('../package.json', address))).status, 404);
  assert.equal((await fetch(new URL('../js/linex.wasm', address))).headers.get('content-type'), 'application/wasm');
});

test('the iris example explains a flower with LINEX and with LIME', () => {
  const output = execFileSync(process.execPath, ['examples/iris.js'], { cwd: root, encoding: 'utf8' });
  assert.match(output, /A random forest on Fisher's irises/);
  assert.match(
    output,
    /^LINEX +LIME\nWhy the 0\.\d+ chance of “versicolor”\? +Why the 0\.\d+ chance of “versicolor”\?$/m,
  );
  assert.match(output, /The nearest flower/);
  assert.match(output, /share of contradicting signs +[\d.]+ +[\d.]+ +[\d.]+/);
  assert.match(output, /petal width .*▒│ +−\d\.\d{3} {2}−\d\.\d{3} to −\d\.\d{3}/);
});
