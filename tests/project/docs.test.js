// Runs every example of the documentation, follows its links, and checks that it names every export.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  findPages,
  isPrinted,
  readAnchors,
  readBlocks,
  readLinks,
  readPage,
  readPrograms,
} from '../support/markdown.js';
import { openPage } from '../support/pages/page.js';
import { NEEDS_REDIS, RedisServer } from '../support/workers/redis-server.js';

const root = new URL('../..', import.meta.url);
const work = new URL('build/docs/', root);
const pages = findPages().map((path) => ({ path, markdown: readPage(path), programs: readPrograms(readPage(path)) }));
const programs = pages.flatMap(({ path, programs }) => programs.map((program) => ({ ...program, path })));

const LIMIT = 60000;
const ENTRIES = ['index', 'render', 'elements', 'charts', 'pool', 'pool-worker', 'fleet', 'adapters'];

/** Pages about fleets find Redis where they tell their readers to say it. */
const redis = new RedisServer();
const usesRedis = ({ code }) => /from 'linex\/fleet'/.test(code);

before(async () => {
  rmSync(work, { recursive: true, force: true });
  if (!NEEDS_REDIS.skip) process.env.LINEX_REDIS = (await redis.start()).url;
});
after(() => redis.stop());

/** The folder of a program, with the files that belong to it. */
function folderOf({ path, line, files }) {
  const folder = new URL(`${path.replace(/[^\w]+/g, '-')}-${line}/`, work);
  mkdirSync(folder, { recursive: true });
  for (const [name, code] of Object.entries(files)) writeFileSync(new URL(name, folder), code);
  return folder;
}

function checkOutput({ code, expected }, output) {
  if (/console\.log\(/.test(code)) assert.notEqual(output.trim(), '', 'it prints nothing');
  const missing = expected.filter((line) => !isPrinted(line, output));
  assert.deepEqual(missing, [], `it does not print these lines, but\n${output}`);
}

/** Runs a program in its own Node process, at the root of the repository. */
function runInNode(program) {
  const main = new URL('main.js', folderOf(program));
  writeFileSync(main, program.code);
  return new Promise((resolve, reject) => {
    const settings = { cwd: fileURLToPath(root), timeout: LIMIT, encoding: 'utf8', maxBuffer: 1e8 };
    execFile(process.execPath, [fileURLToPath(main)], settings, (error, stdout, stderr) =>
      error
        ? reject(new Error(`${error.killed ? `it takes more than ${LIMIT} ms` : stderr}\n${stdout}`))
        : resolve(stdout),
    );
  });
}

test('comments say how a block runs, and the page shows what it prints', () => {
  const fence = '`'.repeat(3);
  const block = (language, code) => `${fence}${language}\n${code}\n${fence}`;
  const page = [
    ['<!-- file: a.js -->', block('js', 'export const a = 1;'), block('js', 'console.log(1); // 1')],
    [block('text', 'two …'), '<!-- continues -->', block('js', 'console.log("two words")')],
    ['Prose.', block('text', 'a drawing'), '<!-- page -->', block('html', '<p>'), block('html', '<p>')],
  ];
  const [first, second, ...more] = readPrograms(page.flat().join('\n\n'));
  assert.deepEqual(first.files, { 'a.js': 'export const a = 1;' });
  assert.deepEqual(first.expected, ['1', 'two …']);
  assert.equal(first.code, 'console.log(1); // 1\nconsole.log("two words")');
  assert.deepEqual([second.runs, second.language, more.length], ['page', 'html', 0]);
  assert.ok(isPrinted('two …', 'one\n two words  ') && !isPrinted('wo words', 'two words'));
});

test('anchors are the same as on GitHub, and links are found outside of code', () => {
  const page =
    '# What `load()` does, and _why_\n\n## A & B\n\n## A & B\n\n[a](x.md#y "t") `[b](z.md)` <img src="i.png">';
  assert.deepEqual([...readAnchors(page)], ['what-load-does-and-why', 'a--b', 'a--b-1']);
  assert.deepEqual(
    readLinks(page).map(({ target }) => target),
    ['x.md#y', 'i.png'],
  );
});

describe('every script of the pages runs in Node and prints what the page shows', { concurrency: 2 }, () => {
  for (const program of programs.filter(({ runs }) => runs === 'node'))
    test(`${program.path}, line ${program.line}`, usesRedis(program) ? NEEDS_REDIS : {}, async () =>
      checkOutput(program, await runInNode(program)),
    );
});

// Pages may have inline scripts here; a page that wants a stricter policy states it in a meta element.
const POLICY = "default-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' data: blob:";

const COLLECTOR = `
  globalThis.printed = [];
  globalThis.finished = 0;
  const { log } = console;
  console.log = (...words) => { printed.push(words.join(' ')); log.apply(console, words); };
  addEventListener('securitypolicyviolation', ({ violatedDirective }) => console.error(violatedDirective + ' forbids it'));
`;
const FINISH = '\n;globalThis.finished++;\n';

/** The import map that gives a page the names of the package. */
function importMap() {
  const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const scripts = Object.entries(exports).filter(([, target]) => typeof target === 'object');
  const imports = scripts.map(([name, target]) => [
    name.replace(/^\./, 'linex'),
    target.default.replace(/^\./, '/node_modules/linex'),
  ]);
  return `<script type="importmap">${JSON.stringify({ imports: Object.fromEntries(imports) })}</script>`;
}

/** A whole page for a program, whose module scripts count themselves when they end. */
function pageOf({ language, code, files }) {
  const html = language === 'html' ? code : `<script type="module">\n${code}\n</script>`;
  const whole = /^\s*<!doctype/i.test(html)
    ? html
    : `<!doctype html>\n<meta charset="utf-8"><title>linex</title>${importMap()}\n${html}`;
  const found = [...whole.matchAll(/<script type="module"(?: src="(?:\.\/)?([^"]+)")?>/g)].map(([, name]) => name);
  const index = whole
    .replace(/(<script type="module">[\s\S]*?)(<\/script>)/g, (_, script, end) => script + FINISH + end)
    .replace(/<!doctype html>/i, '$&<script src="/collector.js"></script>');
  const scripts = found.filter((name) => name in files).map((name) => [name, files[name] + FINISH]);
  return { scripts: found.length, files: { ...Object.fromEntries(scripts), 'index.html': index } };
}

for (const program of programs.filter(({ runs }) => runs === 'page'))
  test(`${program.path}, line ${program.line}, runs in a page`, async (t) => {
    const folder = folderOf(program);
    mkdirSync(new URL('node_modules/', folder), { recursive: true });
    const link = new URL('node_modules/linex', folder);
    symlinkSync(fileURLToPath(root), link, 'dir');
    t.after(() => rmSync(link));
    const { scripts, files } = pageOf(program);
    assert.ok(scripts > 0, 'it has no module script');
    const page = await openPage(t, folder, { ...files, 'collector.js': COLLECTOR }, POLICY);
    if (!page) return;
    const { tab, problems } = page;
    await tab
      .waitForFunction((count) => globalThis.finished >= count, scripts, { timeout: 30000 })
      .catch(() => {
        problems.push('it does not come to its end');
      });
    const output = (await tab.evaluate(() => globalThis.printed)).join('\n');
    assert.deepEqual(problems, [], output);
    checkOutput(program, output);
  });

const isRelative = ({ target }) => !/^[a-z][a-z\d+.-]*:/i.test(target);

test('every link leads to an existing file, and to an existing anchor', () => {
  const problems = pages.flatMap(({ path, markdown }) =>
    readLinks(markdown)
      .filter(isRelative)
      .map(({ target, line }) => {
        const [file, anchor] = target.split('#');
        const found = file === '' ? new URL(path, root) : new URL(file, new URL(path, root));
        if (target.startsWith('/')) return `${path}:${line}: ${target} is not relative`;
        if (!existsSync(found)) return `${path}:${line}: there is no ${target}`;
        const known =
          !anchor || !found.pathname.endsWith('.md') || readAnchors(readFileSync(found, 'utf8')).has(anchor);
        return known ? '' : `${path}:${line}: there is no anchor ${target}`;
      })
      .filter(Boolean),
  );
  assert.deepEqual(problems, []);
});

test('every page of web/docs can be reached from its index', () => {
  const reached = new Set(['web/docs/index.md']);
  for (const path of reached)
    for (const { target } of readLinks(readPage(path)).filter(isRelative)) {
      const found = fileURLToPath(new URL(target, new URL(path, root))).slice(fileURLToPath(root).length);
      if (pages.some((page) => page.path === found)) reached.add(found);
    }
  const docs = pages.map(({ path }) => path).filter((path) => path.startsWith('web/docs/'));
  assert.deepEqual(
    docs.filter((path) => !reached.has(path)),
    [],
  );
});

test('every export is named in a script that runs', () => {
  const code = programs.flatMap(({ code, files }) => [code, ...Object.values(files)]).join('\n');
  const missing = ENTRIES.flatMap((entry) => {
    const source = readFileSync(new URL(`js/${entry}.js`, root), 'utf8');
    const names = [...source.matchAll(/^export \{([^}]+)\}/gm)].flatMap(([, list]) => list.split(','));
    assert.ok(names.length > 0, entry);
    return names.map((name) => name.trim()).filter((name) => name && !new RegExp(`\\b${name}\\b`).test(code));
  });
  assert.deepEqual(missing, []);
});

const MANNERED = [
  /cannot be had/,
  /\b(one|two|samples|bytes|milliseconds|a weight|a worker|a label) a (feature|pixel|core|row|sample|word|text|call|part|column|segment)\b/,
];

test('the pages are in plain English', () => {
  const found = pages.flatMap(({ path, markdown }) =>
    markdown.split('\n').flatMap((text, i) => {
      const phrase = MANNERED.map((pattern) => text.match(pattern)?.[0]).find(Boolean);
      return phrase ? [`${path}:${i + 1}: ${phrase}`] : [];
    }),
  );
  assert.deepEqual(found, []);
});

const readme = readPage('README.md');

test('the README has at most 200 lines and 14 KB', () => {
  const readme = readFileSync(new URL('README.md', root), 'utf8');
  assert.ok(readme.split('\n').length <= 201 && Buffer.byteLength(readme) <= 14 * 1024);
});

test('the first script of the README has at most fifteen lines', () => {
  const { code } = readPrograms(readme)[0];
  const lines = code.split('\n').filter((line) => line.trim() && !line.trim().startsWith('//'));
  assert.ok(lines.length <= 15, `${lines.length} lines`);
});

test('the README shows the output of the iris example', async () => {
  const { code: picture } = readBlocks(readme).blocks.find(({ code }) => code.startsWith('Why the 0.36 chance'));
  const output = await new Promise((resolve, reject) => {
    const settings = { cwd: fileURLToPath(root), timeout: LIMIT, encoding: 'utf8' };
    execFile(process.execPath, ['examples/iris.js'], settings, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
  for (const line of picture.split('\n')) assert.ok(output.includes(line), line);
});
