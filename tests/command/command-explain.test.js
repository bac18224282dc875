// Runs `linex explain` as a user does: files, pipes, columns, results, failures and exit codes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkExplanation, describeTable, explainRow } from 'linex';
import { folderFor, LIMIT, peopleCSV, runCommand, SCORE } from '../support/workers/command-runs.js';

const quick = ['--preset', 'paper', '--samples', '100'];
const linesOf = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const people = peopleCSV(30);
const records = people
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))
  .map(([age, income, home]) => [Number(age), Number(income), home]);

test('a file of explanations has those of the library, without times, under a header', LIMIT, async (t) => {
  const folder = folderFor(t, { 'people.csv': people, 'model.mjs': SCORE });
  const words = ['explain', 'people.csv', '--model', 'model.mjs', '--rows', '2-4,7', '--seed', '5', ...quick];
  const { code, stdout, stderr } = await runCommand(folder, [...words, '--out', 'why.jsonl']);
  assert.deepEqual([code, stdout], [0, ''], stderr);
  assert.match(
    stderr,
    /people\.csv: 30 rows, 3 columns\n {2}the model gets {2}age \(numbers\), income \(numbers\), home \(2 levels\)/,
  );
  const [header, ...lines] = linesOf(readFileSync(join(folder, 'why.jsonl'), 'utf8'));
  const { model, data, table, ...rest } = header;
  assert.deepEqual(rest, {
    ...{ schema: 'linex-file/1', linex: '0.1.0', kind: 'row', seed: 5, columns: ['age', 'income', 'home'] },
    options: { preset: 'paper', samples: 100, seed: 5 },
    rows: '2-4,7',
  });
  assert.deepEqual([model.name, data.name, table], ['model.mjs', 'people.csv', data]);
  const sha256 = (content) => createHash('sha256').update(content).digest('hex');
  assert.deepEqual([model.sha256, data.sha256], [sha256(SCORE), sha256(people)]);
  const described = await describeTable(records, { columns: ['age', 'income', 'home'], categorical: ['home'] });
  const { predict } = await import(`data:text/javascript,${encodeURIComponent(SCORE)}`);
  const rows = [2, 3, 4, 7];
  assert.deepEqual(
    lines.map(({ row }) => row),
    rows,
  );
  for (const [i, row] of rows.entries()) {
    const options = { table: described, preset: 'paper', samples: 100, seed: 5 };
    const { milliseconds, ...expected } = await explainRow(records[row - 1], predict, options);
    assert.ok(milliseconds.own >= 0);
    assert.deepEqual(lines[i].explanation, JSON.parse(JSON.stringify(expected)));
    checkExplanation(lines[i].explanation);
  }
});

test('CSV, JSON lines, JSON, Parquet, Arrow and a pipe give the same explanations', LIMIT, async (t) => {
  const { parquetWriteFile } = await import('hyparquet-writer');
  const { tableFromArrays, tableToIPC } = await import('apache-arrow');
  const column = (c) => records.map((row) => row[c]);
  const objects = records.map(([age, income, home]) => ({ age, income, home }));
  const folder = folderFor(t, {
    'people.csv': people,
    'people.tsv': people.replaceAll(',', '\t'),
    'people.jsonl': objects.map((one) => JSON.stringify(one)).join('\n'),
    'people.json': JSON.stringify(objects, null, 2),
    'people.arrow': tableToIPC(tableFromArrays({ age: column(0), income: column(1), home: column(2) }), 'file'),
    'stream.arrow': tableToIPC(tableFromArrays({ age: column(0), income: column(1), home: column(2) }), 'stream'),
    'model.mjs': SCORE,
  });
  const columnData = ['age', 'income', 'home'].map((name, c) => ({ name, data: column(c) }));
  await parquetWriteFile({ filename: join(folder, 'people.parquet'), columnData });
  const explain = async (file, options) => {
    const words = ['explain', file, '--model', 'model.mjs', '--rows', '1-3', '--json', ...quick];
    const { code, stdout, stderr } = await runCommand(folder, words, options);
    assert.equal(code, 0, `${file}: ${stderr}`);
    return linesOf(stdout).slice(1);
  };
  const expected = await explain('people.csv');
  assert.equal(expected.length, 3);
  for (const file of ['people.tsv', 'people.jsonl', 'people.json', 'people.arrow', 'stream.arrow', 'people.parquet'])
    assert.deepEqual(await explain(file), expected, file);
  assert.deepEqual(await explain('-', { input: people }), expected);
});

test('one row is drawn as bars, in the width of the terminal and without color in a pipe', LIMIT, async (t) => {
  const folder = folderFor(t, { 'people.csv': peopleCSV(), 'model.mjs': SCORE });
  const words = ['explain', 'people.csv', '--model', 'model.mjs', '--row', '8', '--quiet'];
  const { code, stdout, stderr } = await runCommand(folder, words);
  assert.deepEqual([code, stderr], [0, '']);
  // The README has the same row from the library.
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  for (const fact of ['Why 0.93?', '+0.158  +0.158 to +0.159', '−0.020  −0.021 to −0.020'])
    assert.ok(stdout.includes(fact) && readme.includes(fact), fact);
  assert.ok(!stdout.includes('\u001b'));
  assert.ok(stdout.split('\n').every((line) => line.length < 80));
  const colored = await runCommand(folder, words, { environment: { FORCE_COLOR: '1', COLUMNS: '120' } });
  assert.ok(colored.stdout.includes(`\u001b[34m${'█'.repeat(30)}`));
  const plain = await runCommand(folder, words, { environment: { FORCE_COLOR: '1', NO_COLOR: '1' } });
  assert.equal(plain.stdout, stdout);
});

test('a row that fails is reported in its place with exit code 1, and the others are explained', LIMIT, async (t) => {
  const model = `export const predict = (batch) => batch.rows.map(([age]) => {
    if (age === 33) throw new Error('no thirty-three');
    return age;
  });`;
  const folder = folderFor(t, {
    'train.csv': 'age,home\n20,own\n30,rent\n40,own\n',
    'new.csv': 'home,age\nown,25\nboat,30\nrent,33\nown,many\nown,50\n',
    'model.mjs': model,
  });
  const words = ['explain', 'new.csv', '--table', 'train.csv', '--model', 'model.mjs', '--out', 'why.jsonl', ...quick];
  const { code, stderr } = await runCommand(folder, words);
  assert.equal(code, 1, stderr);
  assert.match(stderr, /why\.jsonl: 5 rows in .*, 3 failed/);
  const lines = linesOf(readFileSync(join(folder, 'why.jsonl'), 'utf8')).slice(1);
  assert.deepEqual(
    lines.map(({ row, error }) => [row, error?.name, error?.code]),
    [
      [1, undefined, undefined],
      [2, 'RangeError', undefined],
      [3, 'LinexError', 'model-threw'],
      [4, 'RangeError', undefined],
      [5, undefined, undefined],
    ],
  );
  assert.equal(lines[1].error.message, 'column "home" has no level "boat"; its levels are "own", "rent"');
  assert.match(lines[2].error.message, /^the model failed on batch 0: no thirty-three/);
  const again = await runCommand(folder, words);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /has all 5 rows already/);
});

test('a model that fails again and again ends the run, and its rows are asked again later', LIMIT, async (t) => {
  const folder = folderFor(t, { 'people.csv': people, 'model.mjs': `${SCORE}throw new Error('no weights');` });
  const words = [
    'explain',
    'people.csv',
    '--model',
    'model.mjs',
    '--out',
    'why.jsonl',
    '--max-failures',
    '3',
    ...quick,
  ];
  const broken = await runCommand(folder, words);
  assert.equal(broken.code, 3);
  assert.match(broken.stderr, /linex: could not import model\.mjs: no weights\n$/);
  writeFileSync(join(folder, 'model.mjs'), 'export const predict = () => { throw new Error("gone"); };');
  const gone = await runCommand(folder, words);
  assert.equal(gone.code, 3);
  assert.match(
    gone.stderr,
    /linex: the model failed for 3 rows in a row, the last time at row 3: .*gone; repair it and run the same/,
  );
  assert.equal(linesOf(readFileSync(join(folder, 'why.jsonl'), 'utf8')).length, 1);
});

test('a torn end is cut off, and a file from something else is refused by name', LIMIT, async (t) => {
  const folder = folderFor(t, { 'people.csv': people, 'model.mjs': SCORE });
  const path = join(folder, 'why.jsonl');
  const words = ['explain', 'people.csv', '--model', 'model.mjs', '--rows', '1-6', '--out', 'why.jsonl', ...quick];
  assert.equal((await runCommand(folder, words)).code, 0);
  const whole = readFileSync(path);
  for (const keep of [whole.length - 1, whole.length - 700, 40, 0]) {
    truncateSync(path, keep);
    assert.equal((await runCommand(folder, words)).code, 0);
    assert.ok(readFileSync(path).equals(whole), `${keep} bytes`);
  }
  truncateSync(path, whole.length - 700);
  appendFileSync(path, Buffer.alloc(300));
  assert.equal((await runCommand(folder, words)).code, 0);
  assert.ok(readFileSync(path).equals(whole));
  const refuse = async (more, message) => {
    const { code, stderr } = await runCommand(folder, [...words, ...more]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.ok(readFileSync(path).equals(whole));
  };
  await refuse(['--seed', '1'], /was made with --seed none, not 1; choose another --out, or add --overwrite/);
  await refuse(['--drop', 'home'], /was made with the columns \["age","income","home"\], not \["age","income"\]/);
  writeFileSync(join(folder, 'model.mjs'), `${SCORE}// new\n`);
  await refuse(
    [],
    /was made with another model: model\.mjs had the fingerprint [\da-f]{12}, model\.mjs has [\da-f]{12}/,
  );
  writeFileSync(join(folder, 'model.mjs'), SCORE);
  appendFileSync(join(folder, 'people.csv'), '30,30000,own\n');
  await refuse([], /was made with another data: /);
  writeFileSync(join(folder, 'notes.jsonl'), '{"my": "notes"}\n');
  const { code, stderr } = await runCommand(folder, [...words.slice(0, -5), 'notes.jsonl', ...quick]);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /notes\.jsonl is not a file of explanations/);
  assert.equal(readFileSync(join(folder, 'notes.jsonl'), 'utf8'), '{"my": "notes"}\n');
});

test('errors are one line that says what to do', LIMIT, async (t) => {
  const folder = folderFor(t, {
    'people.csv': people,
    'broken.csv': 'a,b\n1,2\n3\n',
    'empty.csv': '',
    'latin.csv': Buffer.from('a\ncaf\xe9\n', 'latin1'),
    'model.mjs': SCORE,
    'other.mjs': 'export const answer = 1;',
    // As npm init writes it.
    'package.json': '{ "type": "commonjs" }',
    'common.js': SCORE,
  });
  const base = ['explain', 'people.csv', '--model', 'model.mjs'];
  for (const [words, code, message] of [
    [[], 2, ''],
    [['explian'], 2, 'linex has no command "explian"; did you mean linex explain?'],
    [['explain'], 2, 'linex explain needs the file of the data, or - for standard input; it is missing'],
    [['explain', 'people.csv'], 2, '--model is missing: name a file (model.js, model.onnx) or an address'],
    [[...base, '--sampels', '5'], 2, 'linex explain has no option --sampels; did you mean --samples?'],
    [
      [...base, '--preset', 'stedy'],
      2,
      '--preset must be one of steady, paper, strict, not "stedy"; did you mean steady?',
    ],
    [[...base, '--seed', 'x'], 2, '--seed must be a whole number, not "x"'],
    [
      [...base, '--out'],
      2,
      '--out needs a value: where to write: why.jsonl, why.html, why.svg or, for one row, why.json',
    ],
    [[...base, '--row', '31'], 2, 'there is no row 31: people.csv has 30 rows'],
    [[...base, '--rows', '5-2'], 2, 'rows are counted from 1 upwards, so "5-2" is empty'],
    [
      [...base, '--drop', 'hoem'],
      2,
      '--drop names "hoem", which is no column of people.csv; its columns are age, income, home',
    ],
    [
      [...base, '--target', 'yes'],
      2,
      '--target "yes" is neither a class of the model nor a column of the data; name the classes with --classes',
    ],
    [[...base, '--out', 'why.pdf'], 2, '--out must end in one of .jsonl, .html, .svg, .json, not "why.pdf"'],
    [['explain', 'none.csv', '--model', 'model.mjs'], 2, 'could not open none.csv: there is no such file or folder'],
    [
      ['explain', 'broken.csv', '--model', 'model.mjs'],
      2,
      'broken.csv, row 2: expected 2 cells like the header, got 1',
    ],
    [['explain', 'empty.csv', '--model', 'model.mjs'], 2, 'empty.csv is empty; its first line must name the columns'],
    [['explain', 'latin.csv', '--model', 'model.mjs'], 2, 'latin.csv is not UTF-8; save it as UTF-8'],
    [
      ['explain', 'people.csv', '--model', 'common.js'],
      3,
      `could not import common.js: Unexpected token 'export'; name the file .mjs, or add "type": "module" to package.json`,
    ],
    [
      ['explain', 'people.csv', '--model', 'other.mjs'],
      3,
      'other.mjs must export a function predict, not undefined; it exports answer',
    ],
    [
      ['explain', 'people.csv', '--model', 'model.pkl'],
      2,
      '--model must be a file .js, .mjs or .onnx, or an address https://…, not "model.pkl"; export it to ONNX, or serve it and give its address',
    ],
    [
      ['explain', 'people.csv', 'model.mjs'],
      2,
      'linex explain needs the file of the data, or - for standard input; not 2 words: "people.csv", "model.mjs"; did you mean --model model.mjs?',
    ],
    [[...base, '--samples', '1'], 2, 'samples must be a whole number from 2 to 10000000, not 1'],
  ]) {
    // Node warns about CommonJS too.
    const environment = { NODE_NO_WARNINGS: '1' };
    const found = await runCommand(folder, [...words, ...(words.length > 1 ? ['--quiet'] : [])], { environment });
    assert.equal(found.code, code, `${words.join(' ')}: ${found.stderr}`);
    assert.equal(found.stderr, message === '' ? '' : `linex: ${message}\n`);
  }
});
