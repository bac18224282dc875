// Tests of renderImageRGBA: heatmaps and outlines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderImageRGBA, renderSentence } from 'linex/render';
import { alps, explanation, feature, photo } from '../support/drawing/explanations-to-draw.js';

const tiles = (weights, more = {}) =>
  explanation(
    weights.map((weight, i) => feature(i, `t${i}`, weight, { box: { x: i, y: 0, width: 1, height: 1 }, area: 1 })),
    {
      kind: 'image',
      width: weights.length,
      height: 1,
      labels: weights.map((_, i) => i),
      ...more,
    },
  );
const pixel = ({ data, width }, x, y = 0) => [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 4)];

test('the heatmap gives the full weight the full color, half of it half the color, and leaves zero gray', () => {
  const gray = { data: [100, 100, 100, 100], width: 4, height: 1, channels: 1 };
  const drawn = renderImageRGBA(tiles([0.4, -0.4, 0, 0.2]), gray, { opacity: 1 });
  // 96 + 150 / 255 * 100 = 154.8, and half-way from there to (28, 95, 165).
  assert.deepEqual(pixel(drawn, 0), [28, 95, 165, 255]);
  assert.deepEqual(pixel(drawn, 1), [163, 79, 5, 255]);
  assert.deepEqual(pixel(drawn, 2), [155, 155, 155, 255]);
  assert.deepEqual(
    pixel(drawn, 3).map((value, i) => Math.abs(value - [91.5, 125, 160, 255][i]) <= 0.5),
    [true, true, true, true],
  );
  const positive = renderImageRGBA(tiles([0.4, -0.4, 0, 0.2]), gray, { opacity: 1, sign: 'positive' });
  assert.deepEqual(
    [pixel(positive, 0), pixel(positive, 1)],
    [
      [28, 95, 165, 255],
      [155, 155, 155, 255],
    ],
  );
  const fixed = renderImageRGBA(tiles([0.2, 0.1]), null, { fullWeight: 0.4, opacity: 1, palette: 'purple-orange' });
  // Neutral 235 becomes 96 + 150 / 255 * 235 = 234.2; half-way to (84, 39, 136).
  assert.deepEqual(
    pixel(fixed, 0).map((value, i) => Math.abs(value - [159, 136.5, 185, 255][i]) <= 0.5),
    [true, true, true, true],
  );
});

test('an image has one, three or four channels, and may be larger than its explanation', () => {
  const colors = { data: [255, 0, 0, 0, 255, 0], width: 2, height: 1, channels: 3 };
  // BT.709: red 0.2126 * 255 = 54.2, green 0.7152 * 255 = 182.4; on 96 + 150 / 255 of that.
  const drawn = renderImageRGBA(tiles([0, 0]), colors);
  assert.deepEqual(
    [pixel(drawn, 0), pixel(drawn, 1)],
    [
      [128, 128, 128, 255],
      [203, 203, 203, 255],
    ],
  );
  const clear = renderImageRGBA(tiles([0]), { data: [0, 0, 0, 0], width: 1, height: 1 });
  assert.deepEqual(pixel(clear, 0), [246, 246, 246, 255]);
  const large = renderImageRGBA(tiles([1, -1]), photo(6, 4), { opacity: 1 });
  assert.deepEqual([large.width, large.height, large.data.length], [6, 4, 96]);
  for (let y = 0; y < 4; y++)
    assert.deepEqual(
      [0, 2, 3, 5].map((x) => pixel(large, x, y)[0]),
      [28, 28, 163, 163],
    );
  const sized = renderImageRGBA(tiles([1, -1]), null, { width: 40 });
  assert.deepEqual([sized.width, sized.height], [40, 20]);
});

test('outlines leave the superpixel unchanged and the rest gray', () => {
  const drawn = renderImageRGBA(alps, photo(448, 448), { mode: 'outlines' });
  const original = photo(448, 448);
  const at = (x, y) => [...original.data.slice(3 * (448 * y + x), 3 * (448 * y + x) + 3), 255];
  // The middle of superpixel 12, and of one without a weight.
  assert.deepEqual(pixel(drawn, 345, 110), at(345, 110));
  const [r, g, b] = pixel(drawn, 30, 200);
  assert.ok(r === g && g === b);
  let blues = 0;
  for (let i = 0; i < drawn.data.length; i += 4) if (drawn.data[i] === 28 && drawn.data[i + 1] === 95) blues++;
  assert.ok(blues > 300, `${blues}`);
});

test('an image of twelve megapixels is rendered at its own size', () => {
  const large = photo(4000, 3000, 4);
  for (const mode of ['heatmap', 'outlines']) {
    const start = performance.now();
    const drawn = renderImageRGBA(alps, large, { mode });
    const took = performance.now() - start;
    assert.deepEqual([drawn.width, drawn.height], [4000, 3000]);
    console.log(`  ${mode} of 12 megapixels: ${Math.round(took)} ms`);
  }
});

test('the sentence about an image names a side that the picture shows, even at a place of the other side', () => {
  // Six pixels in a row. The first two are at the left; the effect of the second is less than a tenth of that of the first.
  const explained = tiles([0.4, -0.03, 0.2, 0, 0, 0], { target: 'cat' });
  const features = explained.features.map((known) => ({ ...known, area: 2 }));
  const sentence = renderSentence({ ...explained, features });
  assert.match(sentence, /Against cat: one part \((top|middle|bottom) left\)\./);
});
