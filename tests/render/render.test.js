// Tests of the renderers: HTML, SVG, styles, wrong options, and wide characters in the terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  renderBarsSVG,
  renderImageRGBA,
  renderStyles,
  renderTerminal,
  renderTextHTML,
  renderTextSVG,
} from 'linex/render';
import { openPage } from '../support/pages/page.js';
import {
  alps,
  digit,
  explanation,
  feature,
  loan,
  textExplanation,
  review,
} from '../support/drawing/explanations-to-draw.js';

const root = new URL('../..', import.meta.url);
const NASTY = '</script><img src=x onerror="globalThis.ran=1">&\'"<svg onload=globalThis.ran=1>\u0001\ud800';
const nasty = textExplanation(
  `Fine\r\n  ${NASTY} and\tdone`,
  { Fine: 0.5, script: -0.25, done: 0.1 },
  { target: NASTY, warnings: [NASTY] },
);
const arabic = textExplanation(
  'كان الفيلم رائعا جدا لكن New York City تبدو مملة في 2024',
  { رائعا: 0.4, مملة: -0.3, York: 0.1 },
  { target: 'إيجابي' },
);
const HAN = /感人|精彩|无聊|\p{Script=Han}/gu;
const chinese = textExplanation(
  '这部电影非常感人，演员的表演很精彩，但是中间有一点无聊。'.repeat(3),
  { 感人: 0.4, 精彩: 0.3, 无聊: -0.35 },
  {},
  HAN,
);
const sentences = textExplanation(
  'The room was spotless and the staff were kind to us. Breakfast was cold, late and dear for what it was.',
  {
    'The room was spotless and the staff were kind to us.': 0.3,
    'Breakfast was cold, late and dear for what it was.': -0.2,
  },
  {},
  /[^\s.][^.]+\./g,
);
const long = textExplanation(`${'un'.repeat(90)} ok`, { [`${'un'.repeat(90)}`]: 0.3, ok: -0.1 });
const emoji = textExplanation(
  'love 😍😍 👩‍👩‍👧 it',
  { love: 0.1, '😍': 0.3, '👩‍👩‍👧': -0.2 },
  {},
  /\p{L}+|\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*/gu,
);
const texts = { review, nasty, arabic, chinese, sentences, long, emoji };

// Formulas of WCAG 2.2: "relative luminance" and "contrast ratio".
const luminance = (color) => {
  const hex = color.startsWith('#') ? color.match(/\w\w/g).map((part) => parseInt(part, 16)) : color.match(/\d+/g);
  const [r, g, b] = hex.map((value) => {
    const part = Number(value) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
};

test('text on every highlight has a contrast of at least 4.5, in all palettes and themes', () => {
  const css = renderStyles();
  const light = [...css.matchAll(/\{--step:(rgb\([\d,]+\));--on:(#\w{6})\}/g)].map(([, step, on]) => [step, on]);
  const both = /\{--step:light-dark\((rgb\([\d,]+\)),(rgb\([\d,]+\))\);--on:light-dark\((#\w{6}),(#\w{6})\)\}/g;
  const pairs = [...css.matchAll(both)].flatMap(([, day, night, onDay, onNight]) => [
    [day, onDay],
    [night, onNight],
  ]);
  // 18 steps of 3 palettes: light for old browsers, and light and dark for the others.
  assert.deepEqual([light.length, pairs.length], [18 * 3, 18 * 3 * 2]);
  const least = Math.min(...[...light, ...pairs].map(([step, on]) => contrast(step, on)));
  assert.ok(least >= 4.5, `${least}`);
  console.log(`  the least contrast of text on a highlight is ${least.toFixed(2)}`);
  const role = (name) => `--${name}:var\\(--linex-${name},light-dark\\((#\\w+),(#\\w+)\\)\\)`;
  const plains = [...css.matchAll(new RegExp([role('ground'), role('ink'), role('muted')].join(';'), 'g'))];
  assert.equal(plains.length, 3);
  for (const [, ...colors] of plains)
    for (const theme of [0, 1]) {
      const [ground, ink, muted] = [0, 2, 4].map((at) => colors[at + theme]);
      assert.ok(Math.min(contrast(ground, ink), contrast(ground, muted)) >= 4.5);
    }
});

test('the two ends of the default palette differ for color-blind readers, and neither is red', () => {
  const css = renderStyles({ palette: 'blue-orange' });
  // Brettel, Viénot and Mollon's simulation by Viénot, 1999, of readers without red or without green cones: linear RGB.
  const blind = {
    protan: [
      [0.11238, 0.88762, 0],
      [0.11238, 0.88762, -0],
      [0.00401, -0.00401, 1],
    ],
    deutan: [
      [0.29275, 0.70725, 0],
      [0.29275, 0.70725, 0],
      [-0.02234, 0.02234, 1],
    ],
  };
  const linear = (value) => ((value / 255 + 0.055) / 1.055) ** 2.4;
  for (const theme of [0, 1])
    for (const seen of Object.values(blind)) {
      const [plus, minus] = ['p9', 'n9'].map((step) => {
        const found = css.match(
          new RegExp(`\\.linex-${step}\\{--step:light-dark\\(rgb\\(([\\d,]+)\\),rgb\\(([\\d,]+)\\)`),
        );
        const color = found[1 + theme].split(',').map((value) => linear(Number(value)));
        return seen.map((row) => row.reduce((sum, part, c) => sum + part * color[c], 0));
      });
      // The blue channel is what such readers can tell apart.
      assert.ok(Math.abs(plus[2] - minus[2]) > 0.25, `${plus} and ${minus}`);
    }
  const [, p9, n9] = ['p9', 'n9'].reduce(
    (all, step) => [
      ...all,
      css
        .match(new RegExp(`\\.linex-${step}\\{--step:rgb\\(([\\d,]+)`))[1]
        .split(',')
        .map(Number),
    ],
    [null],
  );
  assert.ok(p9[2] > p9[0], 'blue raises');
  assert.ok(n9[1] > 0.4 * n9[0] && n9[2] < 0.2 * n9[0], 'orange lowers');
});

test("the red and blue scale has ColorBrewer's colors at its ends, is neutral at zero, and red for positive weights", () => {
  const css = renderStyles({ palette: 'red-blue', theme: 'light' });
  const step = (name) => css.match(new RegExp(`\\.linex-${name}\\{--step:rgb.([\\d,]+)`))[1];
  // #b2182b and #f7f7f7.
  assert.deepEqual([step('p9'), step('z')], ['178,24,43', '247,247,247']);
  // Blue is slightly darker than ColorBrewer's #2166ac, so that white text is legible on its second-strongest step.
  assert.equal(step('n9'), '28,95,165');
  const purple = renderStyles({ palette: 'purple-orange', theme: 'light' });
  assert.match(purple, /\.linex-p9\{--step:rgb\(84,39,136\)/);
  assert.doesNotMatch(css, /purple|@supports/);
});

test('the same weight has the same step on both sides of zero, and in any explanation with the same full weight', () => {
  const classOf = (html, word) => html.match(new RegExp(`class="linex-word linex-(\\w+)[^>]*>${word}<`))[1];
  const html = renderTextHTML(textExplanation('good bad fair', { good: 0.3, bad: -0.3, fair: 0.1 }));
  assert.deepEqual([classOf(html, 'good'), classOf(html, 'bad'), classOf(html, 'fair')], ['p9', 'n9', 'p3']);
  const weak = renderTextHTML(textExplanation('good bad', { good: 0.3, bad: -0.05 }), { fullWeight: 0.45 });
  const strong = renderTextHTML(textExplanation('good bad', { good: 0.3, bad: -0.45 }), { fullWeight: 0.45 });
  assert.equal(classOf(weak, 'good'), 'p6');
  assert.equal(classOf(strong, 'good'), 'p6');
  assert.equal(classOf(strong, 'bad'), 'n9');
});

test('signs are visible without color: by underlines, numbers, and words in the table', () => {
  const html = renderTextHTML(review);
  assert.match(html, /linex-plus" data-badge="\+0\.310"[^>]*>moving</);
  assert.match(html, /linex-minus" data-badge="−0\.262"[^>]*>dull</);
  // An interval that holds zero has neither sign nor color, and a silenced word too.
  assert.match(html, /class="linex-word linex-none" title[^>]*>villain</);
  assert.match(html, /class="linex-word linex-none" title[^>]*>little</);
  assert.match(
    html,
    /<th scope="row">dull<\/th><td>−0\.262, against positive<\/td><td>between −0\.328 and −0\.197<\/td>/,
  );
  assert.match(html, /<th scope="row">little<\/th><td>unsure<\/td><td>between −0\.050 and \+0\.040<\/td>/);
  assert.match(html, /Why 0\.93 for positive\?.*For positive: “moving”, “great”, “joy”, and “warmth”\./);
  const styles = renderStyles();
  for (const rule of ['forced-colors', 'print-color-adjust', 'light-dark', 'dashed'])
    assert.ok(styles.includes(rule), rule);
});

test('the text is shown unchanged and is never run, in HTML and in SVG', async (t) => {
  const page = await openPage(t, root, { 'index.html': '<!doctype html><meta charset="utf-8"><title>x</title>' });
  if (!page) return;
  const { tab, problems } = page;
  // Without the content security policy, so that unescaped script would run.
  await tab.goto('about:blank');
  for (const [name, text] of Object.entries(texts)) {
    await tab.setContent(`<!doctype html><meta charset="utf-8"><body>${renderTextHTML(text)}`);
    const shown = await tab.evaluate(() => {
      const words = document.querySelector('.linex-text');
      getSelection().selectAllChildren(words);
      return {
        text: words.textContent,
        copied: String(getSelection()),
        head: document.querySelector('.linex-title').textContent,
      };
    });
    // HTML cannot express lone surrogates and control characters.
    const wellFormed = text.text.replace(/[\ud800-\udfff]/gu, '\ufffd').replace('\u0001', '\ufffd');
    assert.equal(shown.text, wellFormed, name);
    assert.equal(shown.copied.replace(/\s/g, ''), wellFormed.replace(/\s/g, ''), name);
  }
  await tab.setContent(renderTextHTML(nasty) + renderBarsSVG(nasty) + renderTextSVG(nasty, { theme: 'auto' }));
  await tab.waitForTimeout(100);
  assert.deepEqual(await tab.evaluate(() => [globalThis.ran, document.images.length, document.scripts.length]), [
    undefined,
    0,
    0,
  ]);
  assert.match(
    await tab.evaluate(() => document.querySelector('.linex-title').textContent),
    /<\/script><img src=x onerror/,
  );
  const row = { ...loan, features: [feature(0, NASTY, 1, { value: NASTY })], target: NASTY };
  for (const svg of [
    renderTextSVG(nasty),
    renderTextSVG(nasty, { theme: 'auto' }),
    renderBarsSVG(row),
    ...Object.values(texts).map((text) => renderTextSVG(text)),
  ]) {
    const parsed = await tab.evaluate((source) => {
      const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
      const names = new Set([...parsed.querySelectorAll('*')].map((element) => element.localName));
      return {
        error: parsed.querySelector('parsererror')?.textContent,
        names: [...names],
        role: parsed.documentElement.getAttribute('role'),
      };
    }, svg);
    assert.equal(parsed.error, undefined);
    assert.equal(parsed.role, 'img');
    assert.deepEqual(
      parsed.names.filter((name) => !['svg', 'title', 'desc', 'style', 'g', 'path', 'text'].includes(name)),
      [],
    );
    assert.doesNotMatch(svg.replace('http://www.w3.org/2000/svg', ''), /https?:|url\(| on\w+=[^&]*="| style=/);
  }
  assert.deepEqual(problems, []);
});

test('under a strict policy the highlights get their styles from a served style sheet', async (t) => {
  const page = await openPage(t, root, {
    'index.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>x</title><link rel="stylesheet" href="/linex.css">${renderTextHTML(review, { styles: false })}${renderBarsSVG(loan)}`,
    'linex.css': renderStyles(),
  });
  if (!page) return;
  const look = (word) =>
    page.tab.evaluate((word) => {
      const found = [...document.querySelectorAll('mark')].find((mark) => mark.textContent === word);
      const { backgroundColor, color, textDecorationStyle } = getComputedStyle(found);
      const { content } = getComputedStyle(found, '::after');
      // Firefox and WebKit resolve attr(), Chromium does not.
      const badge = content.replace('attr(data-badge)', `"${found.dataset.badge}"`).replace('" "', '');
      return [backgroundColor, color, textDecorationStyle, badge];
    }, word);
  assert.deepEqual(await look('moving'), ['rgb(28, 95, 165)', 'rgb(255, 255, 255)', 'solid', '"\u2060+0.310"']);
  assert.deepEqual((await look('dull')).slice(2), ['dashed', '"\u2060−0.262"']);
  assert.deepEqual((await look('little')).slice(2), ['solid', 'none']);
  assert.equal(await page.tab.evaluate(() => document.querySelectorAll('[style], [onclick]').length), 0);
  assert.deepEqual(page.problems, []);
});

test('in an SVG every word is inside the drawing and every highlight surrounds its word', async (t) => {
  const page = await openPage(t, root, { 'index.html': '<!doctype html><meta charset="utf-8"><title>x</title>' });
  if (!page) return;
  for (const [name, text] of Object.entries(texts))
    for (const [width, dir] of [
      [300, 'ltr'],
      [640, 'ltr'],
      [640, 'rtl'],
    ]) {
      // The direction of the surrounding page must not move anything.
      await page.tab.evaluate((dir) => (document.dir = dir), dir);
      const found = await page.tab.evaluate(
        (svg) => {
          document.body.innerHTML = svg;
          const drawing = document.querySelector('svg').getBoundingClientRect();
          const rects = [...document.querySelectorAll('text')].map((element) => ({
            fill: element.getAttribute('class'),
            rect: element.getBoundingClientRect(),
            text: element.textContent,
          }));
          const marks = [...document.querySelectorAll('path')]
            .filter((path) => /^linex-[pn]\d$/.test(path.getAttribute('class')))
            .map((path) => path.getBoundingClientRect());
          const inside = (a, b, slack) =>
            a.left >= b.left - slack &&
            a.right <= b.right + slack &&
            a.top >= b.top - slack &&
            a.bottom <= b.bottom + slack;
          return {
            outside: rects.filter(({ rect }) => !inside(rect, drawing, 1)).map(({ text }) => text),
            uncovered: rects
              .filter(({ fill, rect }) => fill.startsWith('linex-on-') && !marks.some((mark) => inside(rect, mark, 6)))
              .map(({ text }) => text),
            marked: rects.filter(({ fill }) => fill.startsWith('linex-on-')).length,
          };
        },
        renderTextSVG(text, { width }),
      );
      assert.deepEqual(found.outside, [], `${name} at ${width}, ${dir}`);
      assert.deepEqual(found.uncovered, [], `${name} at ${width}, ${dir}`);
      assert.ok(found.marked > 0);
    }
});

const words = (svg) =>
  [...svg.matchAll(/<text [^>]*?x="([\d.-]+)" y="([\d.-]+)"([^>]*)>([^<]*)<\/text>/g)].map(([, x, y, more, text]) => ({
    x: Number(x),
    y: Number(y),
    more,
    text,
  }));

test('words from right to left are laid out in that direction, and other words among them from left to right', () => {
  const found = words(renderTextSVG(arabic, { width: 900 }));
  const x = (text) => found.find((word) => word.text === text).x;
  assert.ok(x('كان') > x('الفيلم') && x('الفيلم') > x('رائعا'));
  assert.ok(x('New') < x('York') && x('York') < x('City'));
  assert.ok(x('City') < x('لكن') && x('تبدو') < x('New') + 1);
  assert.match(found.find((word) => word.text === 'كان').more, /direction="rtl"/);
  assert.doesNotMatch(found.find((word) => word.text === 'York').more, /rtl/);
});

test('newlines are kept, long words and Chinese text are broken, and a long highlight is drawn on each line', () => {
  const lines = (text, width) =>
    new Set(
      words(renderTextSVG(text, { width }))
        .filter(({ more }) => /font-size="17"/.test(more))
        .map(({ y }) => y),
    ).size;
  assert.equal(lines(textExplanation('one\n\ntwo\nthree', { two: 1 }), 640), 3);
  assert.ok(lines(long, 300) >= 5);
  assert.ok(lines(chinese, 300) >= 5);
  const firsts = words(renderTextSVG(chinese, { width: 300 }))
    .filter(({ x }) => x < 24)
    .map(({ text }) => text);
  assert.ok(!firsts.some((text) => /^[，。]/.test(text)), firsts.join(' '));
  const marks = renderTextSVG(sentences, { width: 300 }).match(/<path class="linex-p9"/g);
  assert.ok(marks.length >= 3, `${marks.length}`);
});

test('bars show signed effects, their likely range and what is unsure, for every kind of explanation', () => {
  const svg = renderBarsSVG(loan);
  const texts = words(svg).map(({ text }) => text);
  for (const text of [
    'income 54,000',
    'average 36,000',
    '+0.412',
    '−0.287',
    'unsure',
    'for repays →',
    '← against repays',
  ])
    assert.ok(texts.includes(text), text);
  assert.match(
    svg,
    /<desc>[^<]*income 54,000 \(average 36,000\), \+0\.412, for repays, between \+0\.309 and \+0\.515\./,
  );
  for (const explained of [review, alps, digit]) assert.match(renderBarsSVG(explained), /^<svg/);
  assert.match(renderBarsSVG(digit), /and \d+ more/);
  assert.equal(
    words(renderBarsSVG(digit, { features: 5 })).filter(({ text }) => /^pixel \d+, \d+$/.test(text)).length,
    5,
  );
  assert.match(renderBarsSVG(alps), />top right</);
});

test('long names of the two sides are not cut: they are on two lines', () => {
  const target = 'approved after a second look by the committee';
  const headings = words(renderBarsSVG({ ...loan, target }, { width: 480 })).filter(({ text }) => /^←|→$/.test(text));
  assert.deepEqual(
    headings.map(({ text }) => text),
    [`← against ${target}`, `for ${target} →`],
  );
  assert.equal(headings[1].y - headings[0].y, 18);
  const [minus, plus] = words(renderBarsSVG(loan)).filter(({ text }) => /^←|→$/.test(text));
  assert.equal(minus.y, plus.y);
});

test('renderings say if numbers are log-odds or exact', () => {
  const renderings = (explained) => [
    renderTextHTML(explained, { styles: false }),
    renderTextSVG(explained),
    renderBarsSVG(explained),
  ];
  const exact = {
    ...review,
    method: 'shap',
    link: 'logit',
    warnings: [],
    queries: { ...review.queries, stopped: 'exhausted' },
  };
  const bare = review.features.map((known, i) => ({
    ...{ ...known, weight: i === 2 ? 0 : 0.1 * i, interval: null, signAgreement: null, silenced: false },
  }));
  for (const rendering of renderings({ ...exact, features: bare })) {
    assert.match(rendering, /The numbers are log-odds\./);
    assert.match(rendering, /hardly any effect(, |<\/td><td>|; )exact/);
    assert.doesNotMatch(rendering, /range unknown|unsure[^,]/);
  }
  const zero = { ...bare[0], weight: 0, interval: [0, 0], signAgreement: 0 };
  for (const rendering of renderings({
    ...review,
    features: [zero, { ...bare[1], interval: [0.1, 0.3], signAgreement: 1 }],
  }))
    assert.match(rendering, /hardly any effect(, |<\/td><td>|; )between 0\.\d+ and 0\.\d+/);
  for (const rendering of renderings({ ...review, features: [{ ...bare[3], silenced: true, weight: 0 }] }))
    assert.match(rendering, /unsure(, |<\/td><td>|; )range unknown/);
});

test('the length of a bar is in proportion to its weight and to the full weight', () => {
  // The edge of the bar comes first in the file; its corners are 2 pixels wide on each side.
  const length = (svg, step) =>
    Number(svg.match(new RegExp(`<path class="linex-${step}"[^>]*d="M[\\d.]+ [\\d.]+h([\\d.]+)`))[1]) + 4;
  const pair = (a, b) => explanation([feature(0, 'a', a, { interval: null }), feature(1, 'b', b, { interval: null })]);
  const largest = renderBarsSVG(pair(0.8, -0.2));
  // The edge is three steps stronger than the inside: 0.2 of 0.8 is step 2, and 0.4 is step 5.
  assert.ok(Math.abs(length(largest, 'p9') / length(largest, 'n5') - 4) < 0.1);
  const given = renderBarsSVG(pair(0.4, -0.2), { fullWeight: 0.8 });
  assert.ok(Math.abs(length(largest, 'p9') / length(given, 'p8') - 2) < 0.05);
});

test('empty explanations, tiny weights and huge weights can be drawn', () => {
  const silent = textExplanation(
    'nothing here',
    { nothing: [0, { interval: [0, 0], signAgreement: 0 }] },
    { target: null, prediction: null },
  );
  const tiny = textExplanation('Great', { Great: 1.23e-9 }, { target: 3 });
  const huge = textExplanation('Great', { Great: -4.5e12 });
  const empty = textExplanation('', {});
  for (const explained of [silent, tiny, huge, empty])
    for (const render of [renderTextHTML, renderTextSVG, renderBarsSVG, renderTerminal])
      assert.doesNotMatch(render(explained), /NaN|Infinity|undefined|null/);
  assert.match(renderTextHTML(silent), /Why this answer\?.*Nothing clearly raises or lowers the answer\./);
  assert.match(renderBarsSVG(tiny), /\+1\.23E−9/);
  assert.match(renderTextHTML(tiny), /Why 0\.93 for class 3\?/);
  assert.match(renderTextSVG(silent), /lowers the answer/);
});

test('an error names the wrong option or explanation', () => {
  assert.throws(() => renderTextHTML(loan), /renderTextHTML needs an explanation of kind "text", not "row"/);
  assert.throws(
    () => renderTextSVG({ ...review, tokens: 5 }),
    /^TypeError: tokens must be an array of .* items, not 5$/,
  );
  assert.throws(() => renderBarsSVG(null), new TypeError('renderBarsSVG needs an explanation, not null'));
  assert.throws(
    () => renderImageRGBA({ ...alps, labels: [1] }),
    /labels must be an array of 12544 numbers, not Array of length 1/,
  );
  assert.throws(() => renderTextHTML(review, { palette: 'red-green' }), RangeError);
  assert.throws(() => renderTextHTML(review, { pallete: 'red-blue' }), /no option "pallete"; did you mean "palette"/);
  assert.throws(() => renderTextHTML(review, { styles: 'no' }), TypeError);
  assert.throws(() => renderBarsSVG(loan, { fullWeight: 0 }), /fullWeight must be a number above 0 .*, not 0/);
  assert.throws(() => renderBarsSVG(loan, { fullWeight: NaN }), RangeError);
  assert.throws(() => renderTextSVG(review, { width: 10 }), /width must be a whole number from 240/);
  assert.throws(() => renderTextSVG(review, { theme: 'sepia' }), /theme must be one of light, dark, auto, not "sepia"/);
  assert.throws(
    () => renderImageRGBA(alps, null, { opacity: 2 }),
    /opacity must be a number at least 0 and at most 1, not 2/,
  );
  assert.throws(() => renderImageRGBA(alps, null, { mode: 'heat' }), RangeError);
  assert.throws(
    () => renderImageRGBA(alps, { data: [1], width: 2, height: 2 }),
    /image must be 2 x 2 pixels of 1, 3 or 4 channels, not Array of length 1/,
  );
  assert.throws(() => renderStyles({ palette: 'rainbow' }), RangeError);
});

test('renderTerminal counts wide characters twice and passes on no control characters', () => {
  const lines = renderTerminal(chinese).split('\n');
  // A Chinese character takes two columns, so all bars must start in the same column.
  const column = (line) =>
    [...line.slice(0, line.indexOf('│'))].reduce(
      (sum, character) => sum + (/\p{Script=Han}/u.test(character) ? 2 : 1),
      0,
    );
  assert.equal(new Set(lines.filter((line) => line.includes('│')).map(column)).size, 1);
  const controlling = { ...loan, target: 'a\u001b[2Jb\u202ec', warnings: ['x\u001b]0;y\u0007z'], warningCodes: [] };
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(renderTerminal(controlling), /[\u001b\u0007\u202e]/);
  assert.match(renderTerminal(alps), /^top right /m);
});
