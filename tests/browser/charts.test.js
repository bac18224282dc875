// Tests of the chart elements: keys, tooltips, links, export, themes, widths and axe, in Chromium; and that all engines draw them, follow keys, and fit a phone.
/* global events, focused, lit, rows, tip -- defined by charts-page.js */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AXE } from '../support/pages/axe.js';
import { ENGINE_NAMES, openIn } from '../support/pages/browsers.js';
import { CHART_IDS, CHARTS_PAGE } from '../support/pages/charts-page.js';
import { openPage } from '../support/pages/page.js';

const root = new URL('../..', import.meta.url);

async function open(t) {
  const page = await openPage(t, root, CHARTS_PAGE);
  if (!page) return undefined;
  await page.tab.setViewportSize({ width: 760, height: 4000 });
  await page.tab.waitForFunction(() => globalThis.result);
  const stop = (id, key) => page.tab.locator(`#${id} [data-feature="${key}"]`).first();
  return { ...page, stop, events: () => page.tab.evaluate(() => events.splice(0)) };
}

test('every chart has its question, its sentence and its table, and no event fires before the reader acts', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems, events: fired } = page;
  const shown = await tab.evaluate(
    (ids) =>
      ids.map((id) => {
        const { shadowRoot } = document.getElementById(id);
        return {
          title: shadowRoot.querySelector('svg').getAttribute('aria-label'),
          caption: shadowRoot.querySelector('caption').textContent,
          rows: shadowRoot.querySelectorAll('tbody tr').length,
          stops: shadowRoot.querySelectorAll('[data-feature]').length,
          words: shadowRoot.querySelector('svg').textContent,
        };
      }),
    CHART_IDS,
  );
  shown.forEach(({ title, caption, rows: lines, stops, words }, i) => {
    assert.match(title, /\?$/, CHART_IDS[i]);
    assert.ok(
      words.includes(title) && caption.startsWith(`${title} `) && caption.length > title.length + 10,
      CHART_IDS[i],
    );
    assert.ok(lines >= 3 && stops === lines, `${CHART_IDS[i]}: ${lines} rows, ${stops} stops`);
  });
  assert.deepEqual(await fired(), []);
  assert.deepEqual(problems, []);
});

test('Tab, arrows, Home and End reach every stop of every chart, each with a tooltip, and Escape leaves', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems } = page;
  for (const id of CHART_IDS) {
    await tab.evaluate((name) => document.getElementById(name).shadowRoot.querySelector('[tabindex="0"]').focus(), id);
    const count = await tab.evaluate((name) => document.getElementById(name).stops.length, id);
    const seen = new Set();
    await tab.keyboard.press('Home');
    for (let i = 0; i < count; i++) {
      const [key, text, described] = await tab.evaluate((name) => {
        const active = document.getElementById(name).shadowRoot.activeElement;
        return [focused(name), tip(name), active.getAttribute('aria-describedby')];
      }, id);
      assert.equal(key, String(i), id);
      assert.equal(described, 'tip');
      seen.add(text);
      await tab.keyboard.press(i % 2 ? 'ArrowDown' : 'ArrowRight');
    }
    assert.equal(seen.size, count, `${id}: ${[...seen].join(' | ')}`);
    assert.ok(![...seen].includes(null));
    assert.equal(await tab.evaluate((name) => focused(name), id), String(count - 1), 'the last one keeps the focus');
    await tab.keyboard.press('Escape');
    assert.equal(await tab.evaluate((name) => focused(name), id), undefined);
    assert.equal(await tab.evaluate((name) => tip(name), id), null);
  }
  assert.deepEqual(problems, []);
});

test('pointing at a feature highlights it in all charts that share an explanation', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, stop, events: fired, problems } = page;
  await stop('summary', 1).hover();
  const [[id, feature, name]] = await fired();
  assert.deepEqual([id, feature, name], ['summary', 1, 'late payments']);
  assert.match(await tab.evaluate(() => tip('summary')), /^late payments\n/);
  const highlighted = () =>
    tab.evaluate((ids) => Object.fromEntries(ids.map((one) => [one, lit(one)])), [...CHART_IDS, 'bars']);
  const found = await highlighted();
  // The stop of "late payments": in the waterfall, after the average row and income; in the comparison by size.
  for (const other of ['waterfall', 'importance', 'comparison', 'steadiness', 'targets'])
    assert.equal(found[other].length, 1, `${other}: ${found[other]}`);
  assert.deepEqual([found.bars, found.dependence], [[1], []]);
  const label = await tab.evaluate(
    (key) => document.getElementById('waterfall').stops[key].textContent,
    found.waterfall[0],
  );
  assert.match(label, /late payments/);
  await stop('bars', 0).hover();
  const after = await highlighted();
  // All slices of the dependence are about income.
  assert.ok(after.dependence.length > 5, `${after.dependence}`);
  assert.equal(after.summary.length, 1);
  // The recourse follows the explanation of the bars; it changes the home first, then the income.
  assert.deepEqual(after.recourse, [1]);
  await tab.mouse.move(755, 3990);
  for (const [other, keys] of Object.entries(await highlighted())) assert.deepEqual(keys, [], other);
  assert.deepEqual(problems, []);
});

test('charts export SVG and PNG, can be emptied, and refuse what they cannot show', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab } = page;
  for (const id of CHART_IDS) {
    const made = await tab.evaluate(async (name) => {
      const element = document.getElementById(name);
      const svg = element.toSVG();
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      const drawn = await createImageBitmap(await element.toPNG({ pixelRatio: 1 }));
      const pen = new OffscreenCanvas(drawn.width, drawn.height).getContext('2d');
      pen.drawImage(drawn, 0, 0);
      const { data } = pen.getImageData(0, 0, drawn.width, drawn.height);
      return {
        error: parsed.querySelector('parsererror')?.textContent,
        width: Number(parsed.documentElement.getAttribute('width')),
        png: drawn.width,
        colors: new Set(new Uint32Array(data.buffer)).size,
      };
    }, id);
    assert.deepEqual([made.error, made.width, made.png], [undefined, 698, 698], id);
    assert.ok(made.colors > 30, `${id} has ${made.colors} colors`);
  }
  const outcomes = await tab.evaluate(() => {
    const find = (id) => document.getElementById(id);
    const outcome = (assign) => {
      try {
        assign();
        return 'fine';
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
    };
    const empty = ['waterfall', 'summary'].map((id) => {
      find(id)[id === 'waterfall' ? 'explanation' : 'explanations'] = null;
      return [find(id).shadowRoot.childElementCount, find(id).toSVG()];
    });
    return {
      empty,
      wrong: [
        outcome(() => (find('waterfall').explanation = rows)),
        outcome(() => (find('summary').explanations = rows[0])),
        outcome(() => (find('importance').summary = {})),
        outcome(() => (find('comparison').comparison = rows[0])),
        outcome(() => (find('targets').explanations = rows)),
        outcome(() => (find('recourse').recourse = [])),
        outcome(() => (find('recourse').recourse = rows[0])),
      ],
    };
  });
  assert.deepEqual(outcomes.empty, [
    [0, ''],
    [0, ''],
  ]);
  assert.deepEqual(outcomes.wrong, [
    'TypeError: <linex-waterfall> needs an explanation, not Array of length 30',
    'TypeError: <linex-summary> needs an array of explanations, not Object',
    'TypeError: schema must be "linex/summary/1", not undefined',
    'TypeError: schema must be "linex/comparison/1", not "linex/1"',
    'TypeError: explanations[1].target must be another one than those before, not "yes"',
    'TypeError: <linex-recourse> needs a result of recourse, not Array of length 0',
    'TypeError: schema must be "linex-recourse/1", not "linex/1"',
  ]);
});

test('axe finds no violations in any chart, in the light and the dark theme, wide and on a phone', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, stop } = page;
  await tab.evaluate(AXE);
  for (const [colorScheme, width] of [
    ['light', '700px'],
    ['dark', '700px'],
    ['light', '344px'],
    ['dark', '344px'],
  ]) {
    await tab.emulateMedia({ colorScheme });
    await tab.evaluate((wanted) => (document.querySelector('main').style.width = wanted), width);
    await tab.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll('main > *')].every(
          ({ shadowRoot }) => Math.abs(shadowRoot.querySelector('svg').clientWidth + 2 - parseInt(wanted)) < 2,
        ),
      width,
    );
    for (const id of CHART_IDS) {
      await stop(id, 1).focus();
      const found = await tab.evaluate(async (name) => {
        const { violations, passes } = await globalThis.axe.run(`#${name}`, { rules: { region: { enabled: false } } });
        return {
          violations: violations.map(({ id: rule, nodes }) =>
            `${rule}: ${nodes.map(({ html }) => html).join(' | ')}`.slice(0, 300),
          ),
          passed: passes.length,
        };
      }, id);
      assert.deepEqual(found.violations, [], `${id}, ${colorScheme}, ${width}`);
      assert.ok(found.passed > 5, `${found.passed}`);
    }
  }
});

/** The colors of each chart: its ground, its words, and the ground if it is drawn on one of another color. */
const LOOKS = (ids) =>
  ids.map((id) => {
    const { shadowRoot } = document.getElementById(id);
    const color = (selector, property) => getComputedStyle(shadowRoot.querySelector(selector))[property];
    return [
      id,
      color('figure', 'backgroundColor'),
      color('svg .linex-ground', 'fill'),
      color('svg text.linex-ink', 'fill'),
    ];
  });
/** The same ground and the same ink for every chart. */
const alike = (ground, ink) => CHART_IDS.map((id) => [id, ground, ground, ink]);
const WHITE = 'rgb(255, 255, 255)';

test('every chart follows the theme of the page, is white on paper, and keeps to forced colors', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab } = page;
  const looks = async (media) => {
    await tab.emulateMedia(media);
    return tab.evaluate(LOOKS, CHART_IDS);
  };
  const light = await looks({ colorScheme: 'light' });
  const [[, , , ink]] = light;
  assert.deepEqual(light, alike(WHITE, ink));
  const dark = await looks({ colorScheme: 'dark' });
  const [[, , , darkInk]] = dark;
  assert.deepEqual(dark, alike('rgb(21, 25, 30)', darkInk));
  assert.notEqual(ink, darkInk);
  assert.deepEqual(await looks({ colorScheme: 'dark', media: 'print' }), alike(WHITE, ink));
  const forced = await looks({ colorScheme: 'light', media: 'screen', forcedColors: 'active' });
  assert.deepEqual(
    forced.map(([id, , ...colors]) => [id, ...colors]),
    CHART_IDS.map((id) => [id, WHITE, 'rgb(0, 0, 0)']),
  );
});

/** The words of charts that leave their picture. */
const OUTSIDE = (ids) =>
  ids.flatMap((id) => {
    const svg = document.getElementById(id).shadowRoot.querySelector('svg');
    const frame = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')]
      .filter((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1;
      })
      .map((text) => `${id}: ${text.textContent}`);
  });

/** Gives every chart Arabic labels on a page from right to left, and returns the words of each and where they are. */
const IN_ARABIC = async (ids) => {
  const [{ LABELS }, { CHART_LABELS }] = await Promise.all([
    import('/js/render/labels.js'),
    import('/js/charts/chart-words.js'),
  ]);
  const arabic = (text) => text.replace(/\{\w+\}|[A-Za-z]+/g, (word) => (word.startsWith('{') ? word : 'كلمة'));
  const labels = Object.fromEntries(
    Object.entries({ ...LABELS, ...CHART_LABELS }).map(([name, text]) => [name, arabic(text)]),
  );
  document.documentElement.dir = 'rtl';
  return ids.map((id) => {
    const element = document.getElementById(id);
    element.labels = labels;
    element.setAttribute('locale', 'ar-EG');
    const frame = element.shadowRoot.querySelector('svg').getBoundingClientRect();
    return [...element.shadowRoot.querySelectorAll('svg text')].map((text) => {
      const { left, right } = text.getBoundingClientRect();
      return {
        text: text.textContent,
        rtl: text.getAttribute('direction') === 'rtl',
        inside: left >= frame.left - 1 && right <= frame.right + 1,
        toTheRight: frame.right - right < 30,
      };
    });
  });
};
/** What the page's data hold in Latin letters; a line may break between two words. */
const DATA = /income|late|payments|home|own|rent|approved|yes|no|A|B/g;

test('a page from right to left has every chart in its direction, with labels in its language', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems } = page;
  const charts = await tab.evaluate(IN_ARABIC, CHART_IDS);
  charts.forEach((words, i) => {
    const where = CHART_IDS[i];
    assert.deepEqual(
      words.filter(({ inside }) => !inside),
      [],
      where,
    );
    const begins = words.filter(({ text }) => /^[\u0621-\u064a]/.test(text));
    assert.ok(begins.length >= 2 && begins.every(({ rtl }) => rtl), `${where}: ${JSON.stringify(begins)}`);
    assert.ok(words[0].toTheRight, `${where}: the title starts at the right`);
    assert.ok(
      words.some(({ text }) => /[\u0660-\u0669]/.test(text)),
      `${where}: numbers are in the locale`,
    );
    assert.deepEqual(
      words.filter(({ text }) => /[a-z]{2,}/i.test(text.replace(DATA, ''))),
      [],
      where,
    );
  });
  assert.deepEqual(problems, []);
});

for (const engine of ENGINE_NAMES)
  test(`${engine} draws every chart, follows the keyboard in it, and fits it to a phone and the dark`, async (t) => {
    const page = await openIn(t, engine, root, CHARTS_PAGE);
    if (!page) return;
    const { evaluate, waitFor } = page;
    await waitFor('globalThis.result || problems.length > 0');
    assert.deepEqual(await page.problems(), []);
    for (const id of CHART_IDS) {
      const [marks, words, height] = await evaluate(`(() => {
        const svg = document.getElementById('${id}').shadowRoot.querySelector('svg');
        return [svg.querySelectorAll('path').length, svg.textContent, svg.getBoundingClientRect().height];
      })()`);
      assert.ok(marks > 10 && height > 100, `${id}: ${marks} shapes, ${height} pixels`);
      assert.match(words, /\?/);
    }
    // Every chart with the keyboard, on a phone, and in the dark.
    for (const id of CHART_IDS) {
      await evaluate(`document.getElementById('${id}').shadowRoot.querySelector('[tabindex="0"]').focus()`);
      await page.press('ArrowDown');
      assert.deepEqual(
        [await evaluate(`focused('${id}')`), (await evaluate(`tip('${id}')`)).length > 5],
        ['1', true],
        id,
      );
      await page.press('Escape');
      assert.equal(await evaluate(`tip('${id}')`), null, id);
    }
    await evaluate("document.querySelector('main').style.width = '344px'");
    await waitFor(`${JSON.stringify(CHART_IDS)}.every((id) =>
      document.getElementById(id).shadowRoot.querySelector('svg').clientWidth < 345)`);
    assert.deepEqual(await evaluate(OUTSIDE, CHART_IDS), []);
    await evaluate("document.documentElement.style.colorScheme = 'dark'");
    const grounds = (await evaluate(LOOKS, CHART_IDS)).map(([id, ground]) => [id, ground]);
    assert.deepEqual(
      grounds,
      CHART_IDS.map((id) => [id, 'rgb(21, 25, 30)']),
    );
  });
