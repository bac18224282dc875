// Attacks the elements in three browsers, on a page whose policy would let an injected script run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { test } from 'node:test';
import { ENGINE_NAMES, COLLECTOR, openAt, openIn } from '../support/pages/browsers.js';
import { HOSTILE_STRINGS } from '../support/drawing/hostile-strings.js';
import { serve } from '../support/pages/server.js';

const root = new URL('../..', import.meta.url);
const LIMIT = { timeout: 120000 };
/** Everything is allowed, so that only the elements protect the page. */
const OPEN_POLICY = "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'";

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><title>linex</title>
<main style="width:700px"><linex-text></linex-text><linex-bars></linex-bars><linex-image></linex-image><linex-waterfall></linex-waterfall>
<linex-summary></linex-summary><linex-dependence feature="0"></linex-dependence><linex-importance></linex-importance><linex-comparison></linex-comparison><linex-recourse></linex-recourse><div id="stage"></div></main>
<script type="module" src="/attack.js"></script>`;

const ATTACK = `
  import '/js/elements.js';
  import '/js/charts.js';
  import { compare } from '/js/measure/comparison.js';
  import { summarize } from '/js/measure/summary.js';
  import { renderBarsSVG, renderTextHTML, renderTextSVG } from '/js/render.js';
  import { attacksOn, explanationsWith, SUBJECTS } from '/tests/support/drawing/hostile-explanations.js';
  import { HOSTILE_STRINGS } from '/tests/support/drawing/hostile-strings.js';
  import { recourseWith } from '/tests/support/drawing/recourses-to-draw.js';

  const [text, bars, image, waterfall, ...charts] = [
    ...['text', 'bars', 'image', 'waterfall', 'summary', 'dependence', 'importance', 'comparison', 'recourse'],
  ].map((name) => document.querySelector('linex-' + name));
  const stage = document.getElementById('stage');
  const ELEMENTS = { row: bars, text, image, shap: bars, chart: waterfall };
  const [summary, dependence, importance, comparison, recourse] = charts;
  const TAGS = /^(figure|figcaption|div|span|mark|i|table|caption|thead|tbody|tr|th|td|canvas|button|details|summary|ul|li|svg|g|path|text|title|desc)$/;
  const NAMES = /^(class|part|id|role|hidden|open|tabindex|dir|scope|title|style|aria-[a-z]+|data-feature|data-badge|xmlns|width|height|viewBox|font-[a-z]+|direction|fill|d|x|y|text-anchor|textLength|lengthAdjust|preserveAspectRatio)$/;
  const found = (globalThis.found = { drawn: 0, refused: 0, strings: 0, faults: [] });
  const fault = (what, where) => found.faults.length < 20 && found.faults.push(String(what).slice(0, 80) + ' in ' + where);

  /** Looks for elements and attributes that we do not write. */
  function inspect(within, where) {
    for (const element of within.querySelectorAll('*')) {
      if (!TAGS.test(element.localName)) fault('<' + element.localName + '>', where);
      for (const { name, value } of element.attributes) {
        if (!NAMES.test(name)) fault(name, where);
        if (name === 'data-badge' && !/^[+−][\\d.,E−]*$/.test(value)) fault('data-badge=' + value, where);
        if (name === 'data-feature' && !/^\\d+$/.test(value)) fault('data-feature=' + value, where);
        if (name === 'style' && !/^(inset|left|max-width|top|right|bottom|[-.\\d\\s%;:]|px)+$/.test(value)) fault('style=' + value, where);
      }
    }
  }

  function show(element, explanation, where) {
    try {
      element.explanation = explanation;
    } catch (error) {
      found.refused++;
      if (!(error instanceof TypeError) || !/ (must be|needs) [^]*, not /.test(error.message)) fault(error.message, where);
      return;
    }
    found.drawn++;
    inspect(element.shadowRoot, where);
    const stop = element.shadowRoot.querySelector('[data-feature]');
    stop?.focus({ preventScroll: true });
    stop?.blur();
  }

  /** Shows an explanation that a waterfall can show in the other charts too. */
  function showCharts(explanation, string, where) {
    summary.explanations = [explanation];
    dependence.setAttribute('feature', String(explanation.features[0].index));
    dependence.explanations = [explanation];
    importance.summary = summarize([explanation]);
    comparison.comparison = compare(explanation, explanation);
    recourse.recourse = recourseWith(string);
    for (const chart of charts) inspect(chart.shadowRoot, chart.localName + ', ' + where);
  }

  const pause = () => new Promise((resolve) => setTimeout(resolve));
  for (const [kind, subject] of Object.entries(SUBJECTS)) {
    let count = 0;
    let tried = 0;
    for (const { path, value, attacked } of attacksOn(subject)) {
      // Numbers cannot run, and endless arrays only hang. The tests in Node draw them.
      if (value === null || !/^(string|object|function|symbol)$/.test(typeof value) || value.length > 1e6) continue;
      if (tried++ % PARTS !== PART) continue;
      show(ELEMENTS[kind], attacked, kind + ' ' + path);
      if (++count % 200 === 0) await pause();
    }
  }
  const parser = new DOMParser();
  for (const [place, whole] of HOSTILE_STRINGS.entries()) {
    if (place % PARTS !== PART) continue;
    // What is longer is drawn by the tests in Node.
    const string = whole.slice(0, 1000);
    const { row, text: written, chart } = explanationsWith(string);
    const where = JSON.stringify(string.slice(0, 40));
    show(bars, row, where);
    show(waterfall, chart, where);
    showCharts(chart, string, where);
    show(text, written, where);
    const drawing = renderBarsSVG(row);
    for (const svg of [drawing, renderTextSVG(written), ...[bars, text, waterfall, ...charts].map((one) => one.toSVG())])
      if (parser.parseFromString(svg, 'image/svg+xml').querySelector('parsererror')) fault('parse error', where);
    for (const markup of [drawing, renderTextHTML(written, { styles: false })]) {
      stage.innerHTML = markup;
      inspect(stage, where);
    }
    if (++found.strings % 20 === 0) await pause();
  }
  // An image that does not load reports it later.
  await new Promise((resolve) => setTimeout(resolve, 300));
  found.ran = globalThis.ran === 1;
  globalThis.result = true;`;

/** In `npm test`, each engine tries its part of the replaced fields and of the strings. In an attack, each tries all. */
const PARTS = process.env.LINEX_ATTACK ? 1 : ENGINE_NAMES.length;

for (const [i, engine] of ENGINE_NAMES.entries())
  test(`${engine} runs nothing from an explanation, whatever its fields and strings are`, LIMIT, async (t) => {
    const attack = `const [PARTS, PART] = [${PARTS}, ${i % PARTS}];${ATTACK}`;
    const page = await openIn(t, engine, root, { 'index.html': INDEX, 'attack.js': attack }, OPEN_POLICY);
    if (!page) return;
    const start = performance.now();
    await page.waitFor('globalThis.result || problems.length > 0', 90000);
    const { drawn, refused, strings, faults, ran } = await page.evaluate('found');
    t.diagnostic(`${drawn} drawn, ${refused} refused, ${Math.round(performance.now() - start)} ms`);
    assert.deepEqual(faults, []);
    assert.deepEqual(await page.problems(), []);
    assert.equal(ran, false);
    assert.equal(strings, HOSTILE_STRINGS.filter((_, place) => place % PARTS === i % PARTS).length);
    assert.ok(drawn > 900 / PARTS && refused > 4000 / PARTS, `${drawn} and ${refused}`);
  });

for (const engine of ENGINE_NAMES)
  test(`${engine} opens the dashboard at a hostile hash`, LIMIT, async (t) => {
    const index = readFileSync(new URL('examples/dashboard/index.html', root), 'utf8')
      .replaceAll('"./', '"/examples/dashboard/')
      .replace(/<!doctype html>/i, '$&<script src="/collector.js"></script>');
    const base = await serve(t, root, { 'index.html': index, 'collector.js': COLLECTOR });
    const page = await openAt(
      t,
      engine,
      `${base}?__proto__=x#constructor=1&__proto__=x&%3Cimg%20src=x%20onerror=ran=1%3E`,
    );
    if (!page) return;
    await page.waitFor('document.documentElement.dataset.ready');
    await page.evaluate(`void document.querySelector('tr[data-index="3"] td').click()`);
    await page.waitFor(`document.getElementById('bars').explanation`);
    assert.equal(await page.evaluate('typeof globalThis.ran'), 'undefined');
    assert.deepEqual(await page.problems(), []);
  });
