// Tests that the elements say what they mean, to readers and to screen readers, in every language and theme, in Chromium.
/* global explanations, tip -- defined by elements-page.js */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, explainRow, explainText } from 'linex';
import { applicants, categorical, classes, columns, predict } from '../../examples/dashboard/loans.js';
import { ELEMENTS_PAGE } from '../support/pages/elements-page.js';
import { GERMAN } from '../support/drawing/german-labels.js';
import { openPage } from '../support/pages/page.js';

const root = new URL('../..', import.meta.url);
const table = await describeTable(applicants, { columns, categorical });
const poorest = applicants.reduce((least, row) => (row[0] < least[0] ? row : least));
const applicant = await explainRow(poorest, predict, { table, classes, target: 'approved', features: 'all' });
const tale = await explainText('A moving tale of love', (texts) => texts.map((text) => Number(/love/.test(text))));

async function open(t) {
  const page = await openPage(t, root, ELEMENTS_PAGE);
  if (!page) return undefined;
  await page.tab.setViewportSize({ width: 760, height: 2400 });
  await page.tab.waitForFunction(() => globalThis.result);
  const show = (id, explanation, attributes = {}) =>
    page.tab.evaluate(
      ([id, explanation, attributes]) => {
        const element = document.getElementById(id);
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        element.explanation = explanation;
      },
      [id, explanation, attributes],
    );
  /** The rows of the table that screen readers present, as text. */
  const rows = (id) =>
    page.tab.evaluate(
      (id) =>
        [...document.getElementById(id).shadowRoot.querySelectorAll('.linex-hidden tr')].map((row) =>
          [...row.cells].map((cell) => cell.textContent).join(' | '),
        ),
      id,
    );
  const caption = (id) =>
    page.tab.evaluate((id) => document.getElementById(id).shadowRoot.querySelector('caption').textContent, id);
  return { ...page, show, rows, caption };
}

test('bars and their table say that the lowest income speaks against approval, and that more of it would help', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, show, rows, caption, problems } = page;
  await show('bars', applicant);
  assert.match(
    await caption('bars'),
    /^Why the 0\.22 chance of “approved”\? By this model, “declined” is likelier \(0\.78\)\. Compared with an average case, against approved: income 15,500/,
  );
  const [head, income] = await rows('bars');
  assert.equal(head, 'Feature | Effect | Likely range');
  assert.match(
    income,
    /^income 15,500 \(average 35,600\) \| −0\.\d+, against approved \| between −0\.\d+ and −0\.\d+$/,
  );
  await tab.locator('#bars [data-feature="0"]').focus();
  assert.match(
    await tab.evaluate(() => tip('bars')),
    /^income 15,500 \(average 35,600\)\n−0\.\d+, against approved\nbetween −0\.\d+ and −0\.\d+$/,
  );
  await tab.evaluate(() => document.getElementById('bars').setAttribute('view', 'slope'));
  assert.match(
    await caption('bars'),
    /^What would change the 0\.22 chance of “approved”\? .*Raises the answer: more income/,
  );
  const slope = (await rows('bars')).find((row) => row.startsWith('per 9220 more income'));
  assert.match(slope, /\| ↑ \+0\.\d+, raises the answer \| between \+0\.\d+ and \+0\.\d+$/);
  assert.match(
    await tab.evaluate(() => document.getElementById('bars').toSVG()),
    />What would change the 0\.22 chance of “approved”\?</,
  );
  assert.deepEqual(problems, []);
});

test('words without an effect are plain, and screen readers hear that they have none', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, show, rows, problems } = page;
  await show('text', tale);
  const looks = await tab.evaluate(() =>
    [...document.getElementById('text').shadowRoot.querySelectorAll('.linex-word')].map((word) => {
      const { backgroundColor, textDecorationLine } = getComputedStyle(word);
      return [
        word.textContent,
        backgroundColor,
        textDecorationLine,
        getComputedStyle(word, '::after').content !== 'none',
      ];
    }),
  );
  for (const [word, ...look] of looks)
    assert.deepEqual(
      look,
      word === 'love' ? ['rgb(28, 95, 165)', 'underline', true] : ['rgba(0, 0, 0, 0)', 'none', false],
      word,
    );
  const moving = (await rows('text')).find((row) => row.startsWith('moving'));
  assert.match(moving, /^moving \| ≈ 0, hardly any effect \| between −?0\.00\d and \+?0\.00\d$/);
  assert.deepEqual(problems, []);
});

test('a fit that explains nothing is said to be one, and experts find out more with one click', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, show, caption, problems } = page;
  const doubtful = {
    ...tale,
    fidelity: 0.04,
    warnings: ['the ridge takes away 90 % of gamma'],
    warningCodes: [{ code: 'poor-fit', explained: 0.04 }],
  };
  await show('text', doubtful);
  assert.match(
    await caption('text'),
    /^Why 1\? These reasons explain 4% of what the model does here: too little to rely on\./,
  );
  const details = tab.locator('#text details');
  const text = () => tab.locator('#text figure').innerText();
  assert.doesNotMatch(await text(), /ridge|R²|LINEX/);
  await tab.locator('#text summary').click();
  assert.match(await text(), /LINEX · R² 0\.04/);
  assert.match(await text(), /the ridge takes away 90 % of gamma/);
  // Drawing again leaves them open, and the focus where it is.
  await tab.evaluate(() => document.getElementById('text').setAttribute('palette', 'purple-orange'));
  assert.equal(await details.evaluate((element) => element.open), true);
  assert.equal(
    await tab.evaluate(() => document.getElementById('text').shadowRoot.activeElement?.localName),
    'summary',
  );
  assert.deepEqual(problems, []);
});

test('an element with German labels has no English word', async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems } = page;
  const german = await explainRow([16000, 'Miete'], (batch) => batch.rows.map(([income]) => income / 1e5), {
    table: await describeTable(
      Array.from({ length: 60 }, (_, i) => [15000 + ((i * 7919) % 60000), i % 3 ? 'Miete' : 'Eigentum']),
      { columns: ['Einkommen', 'Wohnung'], categorical: ['Wohnung'] },
    ),
    features: 'all',
  });
  const film = await explainText('Ein schöner Film', (texts) => texts.map((text) => Number(/schön/.test(text))));
  const shown = await tab.evaluate(
    ([labels, german, film]) => {
      const words = [];
      const cases = { bars: german, text: film, image: { ...explanations.alps, target: 'Berg' } };
      for (const [id, explanation] of Object.entries(cases))
        for (const view of ['contribution', 'slope']) {
          const element = document.getElementById(id);
          element.labels = labels;
          element.setAttribute('locale', 'de');
          element.setAttribute('view', view);
          element.explanation = explanation;
          const { shadowRoot } = element;
          for (const stop of shadowRoot.querySelectorAll('[data-feature]')) {
            stop.focus();
            words.push(tip(id));
          }
          const texts = document.createTreeWalker(shadowRoot, NodeFilter.SHOW_TEXT);
          while (texts.nextNode()) words.push(texts.currentNode.data);
          for (const labeled of shadowRoot.querySelectorAll('[aria-label]'))
            words.push(labeled.getAttribute('aria-label'));
        }
      return words.join(' ');
    },
    [GERMAN, german, film],
  );
  const known = new Set(
    Object.values(GERMAN)
      .join(' ')
      .toLowerCase()
      .match(/\p{L}+/gu),
  );
  const data = ['einkommen', 'wohnung', 'miete', 'ein', 'schöner', 'film', 'berg', 'linex'];
  const strangers = shown.match(/\p{L}{2,}/gu).filter((word) => ![...known, ...data].includes(word.toLowerCase()));
  assert.deepEqual([...new Set(strangers)], []);
  assert.match(shown, /16\.000/);
  await tab.evaluate(() => (document.getElementById('bars').answerFormat = { style: 'percent' }));
  assert.match(await tab.locator('#bars caption').textContent(), /^Was würde 16\s% ändern\?/);
  assert.deepEqual(problems, []);
});

test("the theme is the page's: its color-scheme, or that of a part of it, not only the reader's", async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems } = page;
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(21, 25, 30)'];
  const grounds = () =>
    tab.evaluate(() =>
      ['text', 'bars', 'image'].map((id) => {
        const { backgroundColor } = getComputedStyle(document.getElementById(id).shadowRoot.querySelector('figure'));
        return backgroundColor;
      }),
    );
  const exported = () =>
    tab.evaluate(
      () =>
        document
          .getElementById('bars')
          .toSVG()
          .match(/linex-ground" fill="(#\w+)"/)[1],
    );
  const scheme = (value) => tab.evaluate((value) => (document.documentElement.style.colorScheme = value), value);
  for (const [reader, pageScheme, expected] of [
    ['light', 'light dark', light],
    ['dark', 'light dark', dark],
    ['dark', 'light', light],
    ['light', 'dark', dark],
  ]) {
    await tab.emulateMedia({ colorScheme: reader });
    await scheme(pageScheme);
    assert.deepEqual(await grounds(), [expected, expected, expected], `${reader} reader, ${pageScheme} page`);
    assert.equal(await exported(), expected === light ? '#ffffff' : '#15191e');
  }
  // A part of the page may have another one, and the attribute comes first.
  await scheme('light');
  await tab.evaluate(() => {
    document.getElementById('text').style.colorScheme = 'dark';
    document.getElementById('bars').setAttribute('theme', 'dark');
  });
  assert.deepEqual(await grounds(), [dark, dark, light]);
  assert.deepEqual(problems, []);
});

test('an SVG with theme "auto" has the theme of the page that it is in, or of the reader if it is a file', async (t) => {
  const { renderBarsSVG } = await import('linex/render');
  const svg = renderBarsSVG(applicant, { theme: 'auto' });
  const page = await openPage(t, root, { 'index.html': '<!doctype html><title>x</title>' });
  if (!page) return;
  const { tab } = page;
  const ground = () => tab.evaluate(() => getComputedStyle(document.querySelector('.linex-ground')).fill);
  // Not under the policy of the test server, which forbids styles in a page.
  await tab.goto('about:blank');
  await tab.setContent(`<!doctype html><html lang="en"><meta charset="utf-8"><title>x</title>${svg}`);
  await tab.emulateMedia({ colorScheme: 'dark' });
  // This page does not say that it can be dark.
  assert.equal(await ground(), 'rgb(255, 255, 255)');
  await tab.evaluate(() => (document.documentElement.style.colorScheme = 'dark'));
  assert.equal(await ground(), 'rgb(21, 25, 30)');
  await tab.emulateMedia({ colorScheme: 'dark', media: 'print' });
  assert.equal(await ground(), 'rgb(255, 255, 255)');
  await tab.emulateMedia({ colorScheme: 'dark', media: 'screen' });
  await tab.goto(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`);
  assert.equal(await ground(), 'rgb(21, 25, 30)');
  await tab.emulateMedia({ colorScheme: 'light' });
  assert.equal(await ground(), 'rgb(255, 255, 255)');
});
