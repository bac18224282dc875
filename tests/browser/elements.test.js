// Tests of the elements in a Chromium page, under default-src 'self'; script-src 'self' 'wasm-unsafe-eval'.
/* global events, explanations, focused, lit, tip -- defined by elements-page.js */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { build } from 'esbuild';
import { AXE } from '../support/pages/axe.js';
import { ELEMENTS_PAGE } from '../support/pages/elements-page.js';
import { openPage } from '../support/pages/page.js';
import { review } from '../support/drawing/explanations-to-draw.js';

const root = new URL('../..', import.meta.url);

async function open(t) {
  const page = await openPage(t, root, ELEMENTS_PAGE);
  if (!page) return undefined;
  await page.tab.setViewportSize({ width: 760, height: 2400 });
  await page.tab.waitForFunction(() => globalThis.result);
  const stop = (id, feature) => page.tab.locator(`#${id} [data-feature="${feature}"]`).first();
  return { ...page, stop, events: () => page.tab.evaluate(() => events.splice(0)) };
}
const indexOf = (name) => review.features.find((feature) => feature.name === name).index;

test('pointing at a word shows its tooltip and highlights it in all elements with the same explanation', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, stop, events, problems } = page;
  assert.deepEqual(await events(), [], 'setting properties fires no event');
  const great = indexOf('great');
  await stop('text', great).hover();
  assert.deepEqual(await events(), [['text', great]]);
  const tooltip = await tab.evaluate(() => tip('text'));
  assert.match(tooltip, /^great\n\+0\.274, for positive\nbetween \+0\.206 and \+0\.343$/);
  assert.deepEqual(await tab.evaluate(() => [lit('text'), lit('bars'), lit('other')]), [[great, great], [great], []]);
  assert.equal(await tab.evaluate(() => tip('bars')), null);
  await stop('bars', indexOf('little')).hover();
  assert.match(await tab.evaluate(() => tip('bars')), /^little\nunsure\nbetween −0\.050 and \+0\.040$/);
  assert.deepEqual(await tab.evaluate(() => lit('text')), [indexOf('little')]);
  await tab.mouse.move(755, 2390);
  assert.deepEqual(await tab.evaluate(() => [lit('text'), lit('bars'), tip('bars')]), [[], [], null]);
  assert.deepEqual((await events()).at(-1), ['bars', null]);
  assert.deepEqual(problems, []);
});

test('an attribute that is set to what it is draws nothing again', async (t) => {
  const page = await open(t);
  if (!page) return;
  const kept = await page.tab.evaluate(() => {
    const bars = document.querySelector('#bars');
    bars.setAttribute('theme', 'dark');
    const drawn = bars.shadowRoot.querySelector('svg');
    bars.setAttribute('theme', 'dark');
    const same = bars.shadowRoot.querySelector('svg') === drawn;
    bars.setAttribute('theme', 'light');
    return [same, bars.shadowRoot.querySelector('svg') === drawn];
  });
  assert.deepEqual(kept, [true, false]);
});

test('Tab, arrows, Home and End reach every feature, and Escape leaves the element', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, events, problems } = page;
  const press = async (key) => {
    await tab.keyboard.press(key);
    return tab.evaluate(() => [focused('text'), focused('bars')]);
  };
  const words = ['moving', 'great', 'warmth', 'drags', 'little', 'villain', 'dull', 'great', 'joy'].map((name) =>
    String(indexOf(name)),
  );
  assert.deepEqual(await press('Tab'), [words[0], undefined]);
  assert.deepEqual(await press('ArrowRight'), [words[1], undefined]);
  assert.deepEqual(await press('ArrowDown'), [words[2], undefined]);
  assert.deepEqual(await press('ArrowLeft'), [words[1], undefined]);
  assert.deepEqual(await press('End'), [words[8], undefined]);
  assert.deepEqual(await press('ArrowRight'), [words[8], undefined]);
  assert.deepEqual(await press('Home'), [words[0], undefined]);
  assert.match(await tab.evaluate(() => tip('text')), /^moving/);
  const described = await tab.evaluate(() =>
    document.getElementById('text').shadowRoot.activeElement.getAttribute('aria-describedby'),
  );
  assert.equal(described, 'tip');
  await press('End');
  const summary = () => tab.evaluate(() => document.getElementById('text').shadowRoot.activeElement?.localName);
  assert.deepEqual(await press('Tab'), [undefined, undefined]);
  assert.equal(await summary(), 'summary', 'the technical details');
  // Keys on the details do not move among the features.
  await press('ArrowRight');
  assert.equal(await summary(), 'summary');
  assert.deepEqual(await press('Tab'), [undefined, String(review.features[0].index)]);
  await press('Shift+Tab');
  assert.deepEqual(await press('Shift+Tab'), [words[8], undefined], 'back at the feature that had the focus');
  await events();
  assert.deepEqual(await press('Escape'), [undefined, undefined]);
  assert.deepEqual(await events(), [['text', null]]);
  assert.equal(await tab.evaluate(() => tip('text')), null);
  assert.deepEqual(problems, []);
});

test('in a text from right to left the left arrow moves forward', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab } = page;
  await tab.evaluate(() => {
    document.getElementById('text').explanation = explanations.textExplanation('كان الفيلم رائعا جدا', {
      كان: 0.2,
      رائعا: 0.4,
    });
  });
  await tab.keyboard.press('Tab');
  assert.equal(await tab.evaluate(() => focused('text')), '0');
  await tab.keyboard.press('ArrowLeft');
  assert.equal(await tab.evaluate(() => focused('text')), '2');
});

test('a superpixel under the pointer is found, outlined, and highlighted in the bars', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, events, problems } = page;
  const canvas = await tab.locator('#image canvas').boundingBox();
  const moveTo = (x, y) => tab.mouse.move(canvas.x + x * canvas.width, canvas.y + y * canvas.height);
  // Superpixel 12 is the cell in column 5 of 7, row 1. Superpixel 24 is in the middle and has no weight.
  await moveTo(0.77, 0.24);
  assert.deepEqual(await events(), [['image', 12]]);
  assert.match(await tab.evaluate(() => tip('image')), /^top right\n\+0\.420, for alp/);
  assert.deepEqual(await tab.evaluate(() => lit('cells')), [12]);
  const line = () =>
    tab.evaluate(() =>
      document.getElementById('image').shadowRoot.querySelector('.linex-frame path').getAttribute('d'),
    );
  assert.match(await line(), /^M\d+ \d+[hv]1/);
  await moveTo(0.5, 0.5);
  assert.deepEqual(await events(), [['image', null]]);
  assert.equal(await line(), '');
  await moveTo(0.77, 0.24);
  await tab.mouse.down();
  await tab.mouse.up();
  assert.equal(await tab.evaluate(() => focused('image')), '12');
  await tab.keyboard.press('ArrowRight');
  assert.equal(await tab.evaluate(() => focused('image')), '30');
  await tab.evaluate(() => document.getElementById('image').setAttribute('sign', 'negative'));
  const shown = await tab.evaluate(() =>
    [...document.getElementById('image').shadowRoot.querySelectorAll('button')].map((button) => button.dataset.feature),
  );
  assert.deepEqual(shown, ['48', '0', '40', '9']);
  assert.deepEqual(problems, []);
});

test('all elements export SVG and PNG under a policy that allows no image from a blob', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems } = page;
  for (const id of ['text', 'bars', 'image']) {
    const made = await tab.evaluate(async (id) => {
      const element = document.getElementById(id);
      const svg = element.toSVG();
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      const bytes = async (pixelRatio) => [
        ...new Uint8Array(await (await element.toPNG({ pixelRatio })).arrayBuffer()),
      ];
      const drawn = await createImageBitmap(await element.toPNG({ pixelRatio: 1 }));
      const pen = new OffscreenCanvas(drawn.width, drawn.height).getContext('2d');
      pen.drawImage(drawn, 0, 0);
      const { data } = pen.getImageData(0, 0, drawn.width, drawn.height);
      const colors = new Set(new Uint32Array(data.buffer)).size;
      const [width, height] = ['width', 'height'].map((name) => Number(parsed.documentElement.getAttribute(name)));
      const once = (await bytes(1)).slice(0, 24);
      return {
        error: parsed.querySelector('parsererror')?.textContent,
        svg,
        width,
        height,
        colors,
        once,
        twice: (await bytes(2)).slice(0, 24),
      };
    }, id);
    assert.equal(made.error, undefined);
    // The width and height of a PNG are its bytes 16 to 23.
    const sizeOf = (bytes) => [Buffer.from(bytes).readUInt32BE(16), Buffer.from(bytes).readUInt32BE(20)];
    assert.deepEqual(made.once.slice(0, 4), [0x89, 0x50, 0x4e, 0x47], id);
    assert.deepEqual(sizeOf(made.once), [made.width, made.height], id);
    assert.deepEqual(sizeOf(made.twice), [2 * made.width, 2 * made.height], id);
    assert.ok(made.colors > 50, `${id} has ${made.colors} colors`);
    if (id === 'image') {
      assert.deepEqual([made.width, made.height], [600, 450]);
      const own = await tab.evaluate(
        async () => (await createImageBitmap(await document.getElementById('image').toPNG())).width,
      );
      assert.equal(own, 600);
      assert.match(made.svg, /<image width="600" height="450" href="data:image\/png;base64,/);
    } else assert.match(made.svg, /moving/);
  }
  assert.deepEqual(problems, []);
});

test('an explanation can be removed, a wrong one is refused, and an image may be of several types', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab } = page;
  const results = await tab.evaluate(async () => {
    const find = (id) => document.getElementById(id);
    const outcome = (assign) => {
      try {
        assign();
        return 'fine';
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
    };
    const text = find('text');
    text.explanation = null;
    const empty = [text.shadowRoot.childElementCount, text.toSVG(), (await text.toPNG().catch((error) => error)).name];
    const image = find('image');
    const canvas = document.createElement('canvas');
    const images = [canvas, await createImageBitmap(canvas), explanations.photo(28, 28, 1), new Image(), null];
    return {
      empty,
      wrong: [
        outcome(() => (text.explanation = explanations.loan)),
        outcome(() => (text.explanation = [])),
        outcome(() => (image.image = 5)),
        outcome(() => (image.image = { data: [1], width: 3, height: 3 })),
      ],
      images: images.map((value) => outcome(() => (image.image = value))),
      unattached: document.createElement('linex-bars').toSVG(),
    };
  });
  assert.deepEqual(results.empty, [0, '', 'TypeError']);
  assert.deepEqual(results.wrong, [
    'TypeError: <linex-text> needs an explanation of kind "text", not "row"',
    'TypeError: <linex-text> needs an explanation, not Array of length 0',
    'TypeError: image must be an image, a canvas or pixels, not 5',
    'TypeError: image must be 3 x 3 pixels of 1, 3 or 4 channels, not Array of length 1',
  ]);
  assert.deepEqual(results.images, Array(5).fill('fine'));
  assert.equal(results.unattached, '');
});

test('a wrong attribute is an error that names the value, and a correct one changes the rendering', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems } = page;
  const figure = () => tab.evaluate(() => document.getElementById('bars').shadowRoot.querySelector('figure').className);
  assert.equal(await figure(), 'linex linex-blue-orange linex-auto');
  await tab.evaluate(() => {
    document.getElementById('bars').setAttribute('palette', 'purple-orange');
    document.getElementById('bars').setAttribute('theme', 'dark');
    document.getElementById('bars').setAttribute('full-weight', '0.62');
  });
  assert.equal(await figure(), 'linex linex-purple-orange linex-dark');
  assert.match(await tab.evaluate(() => document.getElementById('bars').toSVG()), /\+0\.500/);
  await tab.evaluate(() => document.getElementById('bars').setAttribute('palette', 'red-green'));
  await tab.evaluate(() => document.getElementById('image').setAttribute('opacity', '7'));
  assert.match(problems[0], /palette must be one of blue-orange, purple-orange, red-blue, not "red-green"/);
  assert.match(problems[1], /opacity must be a number at least 0 and at most 1, not 7/);
});

test('the elements show text from an explanation and never run it', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems } = page;
  const found = await tab.evaluate(async () => {
    const nasty = '</b><img src=x onerror=globalThis.ran=1><script>globalThis.ran=1</script>';
    const text = document.getElementById('text');
    text.explanation = explanations.textExplanation(
      `${nasty} end`,
      { end: 1, img: -0.5 },
      { target: nasty, warnings: [nasty] },
    );
    const bars = document.getElementById('bars');
    bars.explanation = {
      ...explanations.loan,
      features: [explanations.feature(0, nasty, 1, { value: nasty })],
      target: nasty,
    };
    for (const element of [text, bars]) element.shadowRoot.querySelector('[data-feature]').focus();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const strays = [text, bars].flatMap((element) => [
      ...element.shadowRoot.querySelectorAll('img, script, [style*=";"][onerror]'),
    ]);
    return {
      ran: globalThis.ran,
      strays: strays.length,
      words: text.shadowRoot.querySelector('.linex-text').textContent,
      nasty,
    };
  });
  assert.deepEqual([found.ran, found.strays], [undefined, 0]);
  assert.equal(found.words, `${found.nasty} end`);
  assert.deepEqual(problems, []);
});

test('bars are laid out again when their width changes, and keep the focus', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, stop } = page;
  const width = () =>
    tab.evaluate(() => Number(document.getElementById('bars').shadowRoot.querySelector('svg').getAttribute('width')));
  assert.equal(await width(), 698);
  await stop('bars', indexOf('dull')).focus();
  await tab.evaluate(() => (document.querySelector('main').style.width = '360px'));
  await tab.waitForFunction(
    () => document.getElementById('bars').shadowRoot.querySelector('svg').getAttribute('width') === '358',
  );
  assert.equal(await tab.evaluate(() => focused('bars')), String(indexOf('dull')));
  assert.match(await tab.evaluate(() => tip('bars')), /^dull/);
});

test('forced colors replace ours, and paper is white', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab } = page;
  const looks = () =>
    tab.evaluate(() => {
      const word = getComputedStyle(document.getElementById('text').shadowRoot.querySelector('.linex-word'));
      const bar = (step) =>
        getComputedStyle(document.getElementById('bars').shadowRoot.querySelector(`g .linex-${step}`));
      const ground = getComputedStyle(
        document.getElementById('text').shadowRoot.querySelector('figure'),
      ).backgroundColor;
      return {
        word: word.backgroundColor,
        line: word.textDecorationStyle,
        p9: bar('p9').fill,
        n9: [bar('n9').fill, bar('n9').stroke],
        row: bar('hit').fill,
        ground,
      };
    });
  const plain = await looks();
  assert.equal(plain.row, 'none');
  assert.deepEqual(
    [plain.word, plain.line, plain.p9, plain.ground],
    ['rgb(28, 95, 165)', 'solid', 'rgb(28, 95, 165)', 'rgb(255, 255, 255)'],
  );
  await tab.emulateMedia({ forcedColors: 'active' });
  const forced = await looks();
  const scale = () =>
    tab.evaluate(() => getComputedStyle(document.getElementById('image').shadowRoot.querySelector('.linex-p9')).fill);
  assert.equal(forced.row, 'none');
  // Forced colors do not change the image, so its legend must keep its colors too.
  assert.equal(await scale(), 'rgb(28, 95, 165)');
  assert.deepEqual(
    [forced.word, forced.p9, ...forced.n9],
    ['rgb(255, 255, 255)', 'rgb(0, 0, 0)', 'rgb(255, 255, 255)', 'rgb(0, 0, 0)'],
  );
  await tab.emulateMedia({ forcedColors: 'none', colorScheme: 'dark' });
  assert.equal((await looks()).p9, 'rgb(147, 204, 248)');
  assert.deepEqual([(await looks()).ground, await scale()], ['rgb(21, 25, 30)', 'rgb(28, 95, 165)']);
  await tab.emulateMedia({ colorScheme: 'dark', media: 'print' });
  assert.equal((await looks()).ground, 'rgb(255, 255, 255)');
});

test('axe finds no violations in the light and the dark theme', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, stop } = page;
  await tab.evaluate(AXE);
  for (const colorScheme of ['light', 'dark']) {
    await tab.emulateMedia({ colorScheme });
    for (const id of ['text', 'bars', 'image']) {
      await stop(id, await tab.evaluate((id) => document.getElementById(id).explanation.features[1].index, id)).focus();
      const found = await tab.evaluate(async (id) => {
        const { violations, passes } = await globalThis.axe.run(`#${id}`, { rules: { region: { enabled: false } } });
        return {
          violations: violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`),
          passed: passes.length,
        };
      }, id);
      assert.deepEqual(found.violations, [], `${id} in ${colorScheme}`);
      assert.ok(found.passed > 5, `${found.passed}`);
    }
  }
  const rows = await tab.evaluate(() =>
    ['text', 'bars', 'image'].map((id) => document.getElementById(id).shadowRoot.querySelectorAll('tbody tr').length),
  );
  assert.deepEqual(rows, [8, 8, 9]);
});

test('a bundler keeps the elements although nothing is imported from them', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "import 'linex/elements'; import { renderTextHTML } from 'linex/render';",
      resolveDir: fileURLToPath(root),
    },
    ...{ bundle: true, format: 'esm', write: false, logLevel: 'silent' },
  });
  assert.match(outputFiles[0].text, /\.define\(name, element\)/);
  assert.match(outputFiles[0].text, /register\(\{\s+"linex-text"/);
  assert.doesNotMatch(outputFiles[0].text, /function renderTextHTML/);
});
