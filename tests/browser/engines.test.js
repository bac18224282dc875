// Tests of the unbuilt library and its elements in Chromium, Firefox and WebKit, under a strict content security policy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINE_NAMES, openIn } from '../support/pages/browsers.js';
import { answers, explainWords, wordsOf } from '../support/cases.js';
import { ELEMENTS_PAGE } from '../support/pages/elements-page.js';
import { review } from '../support/drawing/explanations-to-draw.js';

const root = new URL('../..', import.meta.url);
const LIMIT = { timeout: 90000 };

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><title>linex</title>
<script type="module" src="/main.js"></script>`;
const PAGE = `
  import * as cases from '/tests/support/cases.js';
  globalThis.cases = cases;
  globalThis.result = await cases.answers();`;
const FROM_WORKER = `
  const worker = new Worker('/worker.js', { type: 'module' });
  worker.onmessage = ({ data }) => (globalThis.result = data);
  worker.onerror = ({ message }) => console.error(message);`;
const WORKER = `
  import { answers } from '/tests/support/cases.js';
  postMessage(await answers().catch((error) => ({ error: String(error) })));`;

const expected = await answers();
/** Returns the names of the answers that differ. Whole explanations would make the message too long. */
const differing = (found) => Object.keys(expected).filter((name) => found[name] !== expected[name]);

/** Opens the page with the elements, and waits until all of them are drawn. */
async function openElements(t, engine) {
  const page = await openIn(t, engine, root, ELEMENTS_PAGE);
  await page?.waitFor('globalThis.result || problems.length > 0');
  return page;
}
const find = (id, selector) => `document.getElementById('${id}').shadowRoot.querySelector('${selector}')`;
const featureIn = (id, feature) => find(id, `[data-feature="${feature}"]`);
const indexOf = (name) => review.features.find((feature) => feature.name === name).index;

/** Runs in the page: returns the underlines of words. */
function linesUnder(features) {
  const words = features.map((feature) =>
    document.querySelector('#text').shadowRoot.querySelector(`[data-feature="${feature}"]`),
  );
  return words
    .map((word) => getComputedStyle(word))
    .map((style) => [style.textDecorationLine, style.textDecorationStyle, style.textDecorationThickness].join(' '));
}

/** Runs in the page: exports an element and returns sizes, colors and parse errors. */
async function exportElement(id) {
  const element = document.getElementById(id);
  const parsed = new DOMParser().parseFromString(element.toSVG(), 'image/svg+xml');
  const drawn = async (pixelRatio) => createImageBitmap(await element.toPNG({ pixelRatio }));
  const [once, twice] = [await drawn(1), await drawn(2)];
  const canvas = Object.assign(document.createElement('canvas'), { width: once.width, height: once.height });
  const pen = canvas.getContext('2d');
  pen.drawImage(once, 0, 0);
  return {
    error: parsed.querySelector('parsererror')?.textContent,
    size: ['width', 'height'].map((name) => Number(parsed.documentElement.getAttribute(name))),
    png: [once.width, once.height],
    twice: [twice.width, twice.height],
    colors: new Set(new Uint32Array(pen.getImageData(0, 0, once.width, once.height).data.buffer)).size,
  };
}

for (const engine of ENGINE_NAMES) {
  test(`${engine} explains rows, texts and images exactly as Node does`, LIMIT, async (t) => {
    const page = await openIn(t, engine, root, { 'index.html': INDEX, 'main.js': PAGE });
    if (!page) return;
    t.diagnostic(page.version);
    await page.waitFor('globalThis.result || problems.length > 0', 60000);
    assert.deepEqual(await page.problems(), []);
    assert.deepEqual(differing(await page.evaluate('result')), []);

    // Engines find different words because their dictionaries differ. The same words get the same explanation.
    for (const locale of ['th', 'ja']) {
      const [here, there] = [await wordsOf(locale), await page.evaluate(`cases.wordsOf('${locale}')`)];
      assert.equal(there.join(''), here.join(''));
      t.diagnostic(`Intl.Segmenter, ${locale}: ${there.join('|') === here.join('|') ? 'as Node' : there.join('|')}`);
      const again = await page.evaluate(`cases.explainWords('${locale}', ${JSON.stringify(here)})`);
      assert.equal(again, await explainWords(locale, here), locale);
    }
    assert.deepEqual(await page.problems(), []);
  });

  test(`${engine} explains the same in a worker`, LIMIT, async (t) => {
    const files = { 'index.html': INDEX, 'main.js': FROM_WORKER, 'worker.js': WORKER };
    const page = await openIn(t, engine, root, files);
    if (!page) return;
    await page.waitFor('globalThis.result || problems.length > 0', 60000);
    assert.deepEqual(await page.problems(), []);
    const found = await page.evaluate('result');
    assert.equal(found.error, undefined);
    assert.deepEqual(differing(found), []);
  });

  test(`${engine} draws the elements, which react to the pointer and are highlighted together`, LIMIT, async (t) => {
    const page = await openElements(t, engine);
    if (!page) return;
    const { evaluate, hover, click } = page;
    // Lines show the signs too, not color alone.
    const lines = await evaluate(linesUnder, ['great', 'dull', 'little'].map(indexOf));
    assert.deepEqual(lines.slice(0, 2), ['underline solid 2px', 'underline dashed 2px']);
    assert.match(lines[2], /^none/);
    const ground = `getComputedStyle(${find('bars', 'figure')}).backgroundColor`;
    for (const [scheme, color] of [
      ['dark', 'rgb(21, 25, 30)'],
      ['light', 'rgb(255, 255, 255)'],
    ]) {
      await evaluate(`void (document.documentElement.style.colorScheme = '${scheme}')`);
      assert.equal(await evaluate(ground), color, `a ${scheme} page`);
    }
    const great = indexOf('great');
    await hover(featureIn('text', great));
    assert.deepEqual(await evaluate('events.splice(0)'), [['text', great]]);
    assert.match(await evaluate(`tip('text')`), /^great\n\+0\.274, for positive\nbetween \+0\.206 and \+0\.343$/);
    assert.deepEqual(await evaluate(`[lit('text'), lit('bars'), lit('other')]`), [[great, great], [great], []]);
    await hover(featureIn('bars', indexOf('little')));
    assert.match(await evaluate(`tip('bars')`), /^little\nunsure\nbetween −0\.050 and \+0\.040$/);
    assert.deepEqual(await evaluate(`lit('text')`), [indexOf('little')]);
    await hover([755, 2390]);
    assert.deepEqual(await evaluate(`[lit('text'), lit('bars'), tip('bars')]`), [[], [], null]);
    assert.deepEqual((await evaluate('events.splice(0)')).at(-1), ['bars', null]);

    // Superpixel 12 is the cell in column 5 of 7, row 1. Superpixel 24 is in the middle and has no weight.
    const canvas = await evaluate(`${find('image', 'canvas')}.getBoundingClientRect()`);
    const at = (x, y) => [canvas.x + x * canvas.width, canvas.y + y * canvas.height];
    await hover(at(0.77, 0.24));
    assert.deepEqual(await evaluate('events.splice(0)'), [['image', 12]]);
    assert.match(await evaluate(`tip('image')`), /^top right\n\+0\.420, for alp/);
    assert.deepEqual(await evaluate(`lit('cells')`), [12]);
    const line = `${find('image', '.linex-frame path')}.getAttribute('d')`;
    assert.match(await evaluate(line), /^M\d+ \d+[hv]1/);
    await hover(at(0.5, 0.5));
    assert.equal(await evaluate(line), '');
    await click(at(0.77, 0.24));
    assert.equal(await evaluate(`focused('image')`), '12');
    await page.press('ArrowRight');
    assert.equal(await evaluate(`focused('image')`), '30');
    await click(featureIn('bars', indexOf('dull')));
    assert.equal(await evaluate(`focused('bars')`), String(indexOf('dull')));
    assert.deepEqual(await page.problems(), []);
  });

  test(`${engine} reaches every feature with the keyboard`, LIMIT, async (t) => {
    const page = await openElements(t, engine);
    if (!page) return;
    const { evaluate } = page;
    const press = async (key) => {
      await page.press(key);
      return evaluate(`[focused('text'), focused('bars')].map((feature) => feature ?? null)`);
    };
    const words = ['moving', 'great', 'warmth', 'joy'].map((name) => String(indexOf(name)));
    assert.deepEqual(await press('Tab'), [words[0], null]);
    assert.deepEqual(await press('ArrowRight'), [words[1], null]);
    assert.deepEqual(await press('ArrowDown'), [words[2], null]);
    assert.deepEqual(await press('ArrowLeft'), [words[1], null]);
    assert.deepEqual(await press('Home'), [words[0], null]);
    assert.match(await evaluate(`tip('text')`), /^moving/);
    assert.equal(await evaluate(`${find('text', ':focus')}.getAttribute('aria-describedby')`), 'tip');
    assert.deepEqual(await press('End'), [words[3], null]);
    await press('Tab');
    assert.equal(await evaluate(`${find('text', ':focus')}.localName`), 'summary', 'the technical details');
    assert.deepEqual(await press('Tab'), [null, String(review.features[0].index)]);
    await press('Shift+Tab');
    assert.deepEqual(await press('Shift+Tab'), [words[3], null], 'back at the feature that had the focus');
    await evaluate('events.splice(0)');
    assert.deepEqual(await press('Escape'), [null, null]);
    assert.deepEqual(await evaluate('events.splice(0)'), [['text', null]]);
    assert.equal(await evaluate(`tip('text')`), null);

    await evaluate(`document.getElementById('bars').shadowRoot.querySelectorAll('[data-feature]')[2].focus()`);
    const width = `${find('bars', 'svg')}.getAttribute('width')`;
    assert.equal(await evaluate(width), '698');
    await evaluate(`void (document.querySelector('main').style.width = '360px')`);
    await page.waitFor(`${width} === '358'`);
    assert.equal(
      await evaluate(`focused('bars')`),
      String(review.features[2].index),
      'still focused after the new layout',
    );
    assert.deepEqual(await page.problems(), []);
  });

  test(`${engine} exports SVG and PNG under a policy that allows no image from a blob`, LIMIT, async (t) => {
    const page = await openElements(t, engine);
    if (!page) return;
    for (const id of ['text', 'bars', 'image']) {
      const { error, size, png, twice, colors } = await page.evaluate(exportElement, id);
      assert.equal(error, undefined);
      assert.deepEqual(png, size, id);
      assert.deepEqual(
        twice,
        size.map((side) => 2 * side),
        id,
      );
      assert.ok(colors > 50, `${id} has ${colors} colors`);
    }
    assert.deepEqual(await page.problems(), []);
  });
}
