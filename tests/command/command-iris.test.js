// Runs the command on the ONNX model of the README, and on texts, images, reports and checks.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PNG } from 'pngjs';
import jpeg from 'jpeg-js';
import { folderFor, LIMIT, peopleCSV, runCommand, SCORE } from '../support/workers/command-runs.js';
import { accuracy, CLASSES, csvFile, onnxFile, scoresOf } from '../support/iris-files.js';

const example = (name) => readFileSync(new URL(`../../examples/command/${name}`, import.meta.url));
const irises = { 'iris.csv': csvFile, 'iris.onnx': onnxFile };
const sha256 = (content) => createHash('sha256').update(content).digest('hex');

test('the files of the example are those that their script makes', () => {
  assert.equal(example('iris.csv').toString(), csvFile);
  assert.ok(example('iris.onnx').equals(onnxFile));
  assert.ok(accuracy > 0.95);
});

test('the line of the README explains a row of the ONNX model', LIMIT, async (t) => {
  const folder = folderFor(t, irises);
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, line] = readme.match(/^npx linex (explain iris\.csv .*)$/m);
  const { code, stdout, stderr } = await runCommand(folder, [...line.split(' '), '--json']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /left out {8}species/);
  const { target, prediction, features } = JSON.parse(stdout);
  const row = csvFile.split('\n')[Number(line.match(/--row (\d+)/)[1])].split(',').slice(0, 4).map(Number);
  const scores = scoresOf(row);
  assert.equal(target, CLASSES[scores.indexOf(Math.max(...scores))]);
  assert.ok(Math.abs(prediction - Math.max(...scores)) < 1e-5);
  assert.deepEqual(
    features
      .slice(0, 2)
      .map(({ name }) => name)
      .sort(),
    ['petal length', 'petal width'],
  );
});

test(
  'all rows of the ONNX model go to a page by a pool; check repeats them, and finds what was changed',
  LIMIT,
  async (t) => {
    const folder = folderFor(t, irises);
    const words = [
      'explain',
      'iris.csv',
      '--model',
      'iris.onnx',
      '--classes',
      CLASSES.join(','),
      '--target',
      'versicolor',
    ];
    const { code, stderr } = await runCommand(folder, [
      ...words,
      '--preset',
      'paper',
      '--samples',
      '100',
      '--out',
      'why.html',
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /left out {8}species \(text, and the model takes 4 numbers\)/);
    const path = join(folder, 'why.jsonl');
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    assert.equal(lines.length, 151);
    const { model, data } = JSON.parse(lines[0]);
    assert.deepEqual([model.sha256, data.sha256], [sha256(onnxFile), sha256(csvFile)]);
    assert.ok(
      lines.slice(1).every((line, i) => {
        const { row, explanation } = JSON.parse(line);
        const scores = scoresOf(csvFile.split('\n')[i + 1].split(',').slice(0, 4).map(Number));
        return (
          row === i + 1 && explanation.target === 'versicolor' && Math.abs(explanation.prediction - scores[1]) < 1e-5
        );
      }),
    );
    assert.match(readFileSync(join(folder, 'why.html'), 'utf8'), /<title>Why iris\.onnx answered as it did<\/title>/);
    const sound = await runCommand(folder, ['check', 'why.jsonl', '--sample', '3']);
    assert.deepEqual([sound.code, sound.stderr], [0, '']);
    assert.match(
      sound.stdout,
      /150 rows, 0 of them failed\nevery line fits the schema.*\n3 rows explained again: the same bytes/,
    );
    // Row 76 is in the middle of those that are repeated.
    const changed = lines.map((line, i) => (i === 76 ? line.replace(/"weight":(-?)\d/, '"weight":$19') : line));
    writeFileSync(path, `${changed.join('\n')}\n`);
    const found = await runCommand(folder, ['check', 'why.jsonl', '--sample', '3', '--json']);
    assert.equal(found.code, 1);
    assert.deepEqual(JSON.parse(found.stdout).different, [76]);
    writeFileSync(path, `${[...lines.slice(0, 5), lines[4], '{"row":6}', ...lines.slice(6, 9)].join('\n')}\n`);
    const wrong = await runCommand(folder, ['check', 'why.jsonl', '--sample', '0']);
    assert.equal(wrong.code, 1);
    for (const problem of [
      'line 6: row 4 stands where row 5 must be',
      'line 7: it is not a result',
      'ends at 8 of 150 rows',
    ])
      assert.ok(wrong.stdout.includes(problem), wrong.stdout);
    writeFileSync(path, lines.join('\n'));
    writeFileSync(join(folder, 'iris.csv'), csvFile.replace('5.1', '5.2'));
    const other = await runCommand(folder, ['check', 'why.jsonl']);
    assert.equal(other.code, 1);
    assert.match(other.stderr, /linex: iris\.csv is not the data of why\.jsonl: its fingerprint is/);
  },
);

test('a text is explained in the terminal, as HTML, SVG and JSON', LIMIT, async (t) => {
  const model = `export const predict = (texts) =>
    texts.map((text) => 0.4 + (/love/.test(text) ? 0.5 : 0) - (/boring/.test(text) ? 0.3 : 0));`;
  const text = 'A moving tale of love, boring at times.';
  const folder = folderFor(t, { 'model.mjs': model, 'review.txt': text });
  const explain = (words, options) => runCommand(folder, ['text', ...words, '--model', 'model.mjs'], options);
  const { code, stdout } = await explain([text]);
  assert.equal(code, 0);
  assert.match(stdout, /^Why 0\.6\?\nRaises the answer: “love”\. Lowers the answer: “boring”\./);
  assert.match(stdout, /love .*█+ \+0\.500/);
  assert.equal((await explain(['-'], { input: `${text}\n` })).stdout, stdout);
  assert.equal((await explain(['--file', 'review.txt'])).stdout, stdout);
  const painted = await explain([text], { environment: { FORCE_COLOR: '1' } });
  // eslint-disable-next-line no-control-regex
  assert.match(painted.stdout, /tale of \u001b\[48;2;\d+;\d+;\d+;38;2;\d+;\d+;\d+mlove\+\u001b\[0m, .*boring−/);
  for (const [file, content] of [
    ['why.html', /<!doctype html>[\s\S]*<mark [^>]*>love<\/mark>/],
    ['why.svg', /^<svg /],
    ['why.json', /^\{"schema":"linex\/1","kind":"text"/],
  ]) {
    assert.equal((await explain([text, '--out', file])).code, 0);
    assert.match(readFileSync(join(folder, file), 'utf8'), content);
  }
  const empty = await explain(['  ']);
  assert.deepEqual([empty.code, empty.stderr], [2, 'linex: the text is empty\n']);
});

test('an image is explained as PNG, SVG, HTML, JSON and in the terminal', LIMIT, async (t) => {
  // Red stripes on the left half. The model counts red pixels; the mean color of a hidden part is not red enough.
  const [width, height] = [64, 48];
  const data = Buffer.alloc(4 * width * height, 255);
  for (let i = 0; i < width * height; i++) data.set(i % width < 32 && i % 8 < 4 ? [250, 10, 10] : [10, 10, 10], 4 * i);
  const model = `export const input = { layout: 'nhwc', channels: 3 };
    export const predict = ({ data, shape: [count] }) => Array.from({ length: count }, (_, i) => {
      const pixels = data.subarray((i * data.length) / count, ((i + 1) * data.length) / count);
      let red = 0;
      for (let p = 0; p < pixels.length; p += 3) red += pixels[p] > 0.8 ? 1 : 0;
      return red / (pixels.length / 3);
    });`;
  const png = new PNG({ width, height });
  png.data.set(data);
  const folder = folderFor(t, {
    'half.png': PNG.sync.write(png),
    'half.jpg': jpeg.encode({ data, width, height }, 95).data,
    'model.mjs': model,
  });
  const explain = (words, options) =>
    runCommand(folder, ['image', ...words, '--model', 'model.mjs', '--segments', 'grid', '--samples', '200'], options);
  for (const file of ['half.png', 'half.jpg']) {
    const { code, stderr } = await explain([file, '--out', 'why.png']);
    assert.equal(code, 0, stderr);
    const drawn = PNG.sync.read(readFileSync(join(folder, 'why.png')));
    assert.deepEqual([drawn.width, drawn.height], [480, 360]);
    // The left half raises the answer, so it is blue; the right half has no color.
    const channels = (x) => [...drawn.data.subarray(4 * (180 * 480 + x), 4 * (180 * 480 + x) + 3)];
    const [[r1, , b1], [r2, , b2]] = [channels(100), channels(380)];
    assert.ok(b1 > r1 + 30 && Math.abs(r2 - b2) < 10, `${channels(100)} and ${channels(380)}`);
  }
  for (const [file, content] of [
    ['why.svg', /^<svg .*<image href="data:image\/png;base64,/],
    ['why.html', /<img src="data:image\/png;base64,/],
    ['why.json', /^\{"schema":"linex\/1","kind":"image"/],
  ]) {
    assert.equal((await explain(['half.png', '--out', file])).code, 0);
    assert.match(readFileSync(join(folder, file), 'utf8'), content);
  }
  const terminal = await explain(['half.png'], { environment: { FORCE_COLOR: '1' } });
  // eslint-disable-next-line no-control-regex
  assert.match(terminal.stdout, /^(\u001b\[38;2;\d+;\d+;\d+;48;2;\d+;\d+;\d+m▀){64}/);
  const bad = await explain(['model.mjs']);
  assert.deepEqual([bad.code, bad.stderr], [2, 'linex: model.mjs is neither a PNG nor a JPEG file\n']);
});

test('an estimate asks nothing, and says the questions, the time and the price', LIMIT, async (t) => {
  const model = `export const predict = () => { throw new Error('it was asked'); };`;
  const folder = folderFor(t, { 'people.csv': peopleCSV(), 'model.mjs': model });
  const words = ['estimate', 'people.csv', '--model', 'model.mjs', '--price', '0.002', '--latency', '50'];
  const { code, stdout } = await runCommand(folder, words);
  assert.equal(code, 0);
  // 1,000 questions in batches of 256 are 4 calls.
  assert.match(stdout, /one row: 1,000 questions in 4 calls of the model, 200 ms of the model's time, costs 2\n/);
  assert.match(
    stdout,
    /all 200 rows: 200,000 questions in 800 calls of the model, 40 s of the model's time, costs 400\n/,
  );
  writeFileSync(join(folder, 'model.mjs'), SCORE);
  const measured = await runCommand(folder, [...words.slice(0, 4), '--measure', '--json', '--quiet']);
  assert.ok(JSON.parse(measured.stdout).all.seconds.most > 0);
});
