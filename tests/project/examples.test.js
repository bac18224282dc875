// Runs the Node examples and checks their explanations and files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PNG } from 'pngjs';
import { drawPhoto, explainPhoto } from '../../examples/photo.js';
import { explainReview } from '../../examples/review.js';
import { drawDay, explainDay } from '../../examples/series.js';
import { explainByTransformer } from '../../examples/transformer.js';

const root = new URL('../..', import.meta.url);

/** Makes a folder that is removed after the test. */
function folderFor(t) {
  const path = mkdtempSync(join(tmpdir(), 'linex-'));
  t.after(() => rmSync(path, { recursive: true }));
  return { path, url: pathToFileURL(`${path}/`) };
}

test('the review example finds the opinion words, and writes the same picture as in the README', async (t) => {
  const { path, url } = folderFor(t);
  const { features } = await explainReview(undefined, url);
  const good = features.filter(({ weight }) => weight > 0).map(({ name }) => name);
  const bad = features.filter(({ weight }) => weight < 0).map(({ name }) => name);
  assert.deepEqual(good.sort(), ['beautiful', 'funny', 'great', 'love', 'lovely']);
  assert.deepEqual(bad.sort(), ['boring', 'sad', 'silly']);
  const drawn = readFileSync(join(path, 'review.svg'), 'utf8');
  assert.equal(drawn, readFileSync(new URL('examples/review.svg', root), 'utf8'));
  assert.match(readFileSync(join(path, 'review.html'), 'utf8'), /funny/);
  assert.match(readFileSync(join(path, 'review-bars.svg'), 'utf8'), /^<svg/);
});

test('the transformer example finds the praise and the blame', async () => {
  const { features, target } = await explainByTransformer();
  assert.equal(target, 'negative');
  const weight = (word) => features.find(({ name }) => name === word).weight;
  assert.ok(weight('mess') > 0 && weight('wonderful') < 0);
});

test('the series example finds the windows that its model reads, and draws the picture of the guide', async () => {
  const explained = await explainDay();
  const { features } = explained.explanation;
  // A day with much use around noon and little in the morning: both windows speak for it. The model reads no other.
  const sure = features.filter(({ contributionInterval: [low, high] }) => low > 0 || high < 0);
  assert.deepEqual(
    sure.map(({ name, contribution }) => [name, Math.sign(contribution)]),
    [
      ['12 to 15 h', 1],
      ['6 to 9 h', 1],
    ],
  );
  assert.equal(drawDay(explained), readFileSync(new URL('examples/series.svg', root), 'utf8'));
});

test('the photo example finds the sharp parts, and draws them at the size of the photograph', async (t) => {
  const { path, url } = folderFor(t);
  const { explanation, photo } = await explainPhoto(undefined, url);
  // The sky has no sharp edges; the hull, the houses and the mast have.
  const { labels, width, height, weights, features } = explanation;
  const sky = new Set(labels.slice(0, Math.floor(0.1 * height) * width));
  const largest = features[0].weight;
  for (const label of sky) assert.ok(Math.abs(weights[label]) < 0.1 * largest, `segment ${label} of the sky`);
  const { box } = features[0];
  assert.ok(box.y > 0.35 * height && box.y + box.height < 0.85 * height);
  for (const mode of ['heatmap', 'outlines']) {
    const png = PNG.sync.read(readFileSync(join(path, `photo-${mode}.png`)));
    assert.deepEqual([png.width, png.height], [1024, 819]);
  }
  const small = PNG.sync.read(drawPhoto(explanation, photo, { width: 480 }));
  assert.ok(small.data.equals(PNG.sync.read(readFileSync(new URL('examples/photo.png', root))).data));
});

test('the examples run from the command line', () => {
  const run = (file) => execFileSync(process.execPath, [file], { cwd: root, encoding: 'utf8' });
  assert.match(run('examples/review.js'), /funny +│█+/);
  assert.match(run('examples/series.js'), /12 to 15 h .*│█+/);
  assert.match(run('examples/transformer.js'), /mess +│█+/);
  assert.match(run('examples/photo.js'), /^center .*│█+/m);
});
