// Tests that explainImage reads images, canvases and bitmaps in three browsers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PNG } from 'pngjs';
import { explainImage } from 'linex';
import { ENGINE_NAMES, openIn } from '../support/pages/browsers.js';
import { brightness, scene, SIDE } from '../support/scene.js';
import { startServer } from '../support/pages/server.js';

const root = new URL('../..', import.meta.url);
const png = new PNG({ width: SIDE, height: SIDE });
png.data.set(scene(4).data);
const imageFile = PNG.sync.write(png);

const OPTIONS = { segments: { kind: 'slic', count: 20 }, samples: 100, draws: 20 };

/** Starts another origin: it sends the image without CORS headers, and never answers for one file. */
const startOtherOrigin = (t) =>
  startServer(t, (request, response) => {
    if (request.url.startsWith('/never')) return;
    response.setHeader('content-type', 'image/png');
    response.end(imageFile);
  });

const script = (origin) => `
  import { explainImage } from './js/index.js';
  import { brightness, scene } from './tests/support/scene.js';
  const options = ${JSON.stringify(OPTIONS)};
  const weightsOf = async (image) => (await explainImage(image, brightness, options)).weights;
  const refusal = (image) => weightsOf(image).then(() => 'accepted', (error) => error.name + ': ' + error.message);
  const imageFrom = async (src) => {
    const image = new Image();
    image.src = src;
    await image.decode();
    return image;
  };
  const image = await imageFrom('/image.png');
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = ${SIDE};
  canvas.getContext('2d').drawImage(image, 0, 0);
  const offscreen = new OffscreenCanvas(${SIDE}, ${SIDE});
  offscreen.getContext('2d').drawImage(image, 0, 0);
  const { data, width, height } = scene(4);
  const weights = {
    pixels: await weightsOf({ data, width, height }),
    imageData: await weightsOf(new ImageData(data, width, height)),
    image: await weightsOf(image),
    canvas: await weightsOf(canvas),
    offscreen: await weightsOf(offscreen),
    bitmap: await weightsOf(await createImageBitmap(image)),
  };

  const tainted = document.createElement('canvas');
  tainted.width = tainted.height = ${SIDE};
  tainted.getContext('2d').drawImage(await imageFrom('${origin}/image.png'), 0, 0);
  const pending = new Image();
  pending.src = '${origin}/never.svg';
  const broken = new Image();
  broken.src = '/broken.svg';
  await broken.decode().catch(() => {});
  const empty = document.createElement('canvas');
  empty.width = 0;
  const closed = await createImageBitmap(image);
  closed.close();
  globalThis.result = {
    weights,
    refused: {
      tainted: await refusal(tainted),
      pending: await refusal(pending),
      broken: await refusal(broken),
      empty: await refusal(empty),
      closed: await refusal(closed),
    },
  };
`;

for (const engine of ENGINE_NAMES)
  test(
    `${engine} explains images, canvases and bitmaps like pixels, and an error says why it cannot read one`,
    { timeout: 90000 },
    async (t) => {
      const origin = await startOtherOrigin(t);
      const csp = `default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' ${origin}`;
      const files = {
        'index.html': '<!doctype html><title>images</title><script type="module" src="/main.js"></script>',
        'main.js': script(origin),
        'image.png': imageFile,
        'broken.svg': '<svg xmlns="http://www.w3.org/2000/svg"><oops',
      };
      const page = await openIn(t, engine, root, files, csp);
      if (!page) return;
      await page.waitFor('globalThis.result || problems.length > 0');
      const result = await page.evaluate('globalThis.result');
      assert.deepEqual(await page.problems(), []);
      // The weights in Node and in the page are exactly equal.
      const { weights } = await explainImage(scene(4), brightness, OPTIONS);
      for (const [kind, found] of Object.entries(result.weights)) assert.deepEqual(found, weights, kind);
      const { tainted, pending, broken, empty, closed } = result.refused;
      assert.match(tainted, /^TypeError: the image has pixels of another origin.*CORS/);
      assert.match(pending, /^RangeError: the image is not loaded; await its decode\(\) first \(".*never\.svg"\)/);
      assert.match(broken, /^RangeError: the image has no size: loading failed/);
      assert.match(empty, /^RangeError: the image must have sides of 1 to 65535 pixels, not 0 x 150/);
      assert.match(closed, /^RangeError: the image must have sides of 1 to 65535 pixels, not 0 x 0/);
    },
  );
