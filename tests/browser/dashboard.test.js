// Tests the dashboard example in browsers, with a strict content security policy.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { explainRow } from 'linex';
import { explainApplicant, table } from '../../examples/dashboard/explain-applicant.js';
import { applicants, categorical, classes, columns, predict, scoreApplicant } from '../../examples/dashboard/loans.js';
import {
  compareRows,
  describeChange,
  describeDecision,
  list,
  meanOf,
  signed,
} from '../../examples/dashboard/dashboard-text.js';
import { browserFor, ENGINE_NAMES, openIn } from '../support/browsers.js';
import { collectErrors } from '../support/drivers.js';
import { serve } from '../support/server.js';

const root = new URL('../..', import.meta.url);
const folder = new URL('examples/dashboard/', root);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// Recorded in the first run; it must not change.
const SUM_OF_SCORES = 114.33226016464928;
const LIMIT = { timeout: 180000 };

/** Returns an explanation as JSON without its times. */
const withoutTimes = (explanation) => JSON.stringify({ ...explanation, milliseconds: undefined });
const inNode = async (index) => withoutTimes(await explainApplicant(index));

async function open(t, options = {}) {
  const { browser } = (await browserFor(t, 'chromium')) ?? {};
  if (!browser) return undefined;
  const tab = await browser.newPage({ viewport: { width: 1440, height: 960 }, ...options });
  t.after(() => tab.close());
  const problems = collectErrors(tab);
  await tab.goto(`${await serve(t, root)}examples/dashboard/index.html`);
  await tab.waitForSelector('html[data-ready]');
  return {
    ...{ tab, problems, text: (id) => tab.textContent(`#${id}`) },
    async choose(index) {
      await tab.click(`tr[data-index="${index}"] td:first-child`);
      await tab.waitForSelector('#panel[aria-busy="false"]');
    },
    bars: async (id = 'bars') => withoutTimes(await tab.evaluate((id) => document.getElementById(id).explanation, id)),
  };
}

test('the 200 applicants have both decisions and are the same on every machine', () => {
  assert.equal(applicants.length, 200);
  const approved = applicants.filter((row) => scoreApplicant(row) >= 0.5).length;
  assert.ok(approved > 60 && approved < 140, `${approved} approved`);
  const sum = applicants.reduce((total, row) => total + scoreApplicant(row), 0);
  assert.equal(sum, SUM_OF_SCORES);
  assert.deepEqual(
    table.columns.filter(({ kind }) => kind === 'categorical').map(({ name }) => name),
    categorical,
  );
  // A missed payment costs more if the loan is large for the income, so the model is not a sum of its columns.
  const cost = (amount) =>
    scoreApplicant([36000, amount, 40, 5, 0, 'own', 'car']) - scoreApplicant([36000, amount, 40, 5, 1, 'own', 'car']);
  assert.ok(cost(18000) > 2 * cost(3000));
});

test('the dashboard imports only published entry points of linex', () => {
  const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const published = ['.', './elements', './pool'].map((name) => exports[name].default.replace('./', '../../'));
  const imported = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^(?:import|export) .*'(.+)';$/gm)])
    .map(([, path]) => path);
  const outside = imported.filter((path) => !/^\.\/[\w-]+\.js$/.test(path));
  assert.deepEqual([...new Set(outside)].sort(), published.sort());
});

test('the sentences describe the explanation', () => {
  const feature = (name, weight, more = {}) => ({ name, weight, signAgreement: 1, silenced: false, ...more });
  const features = [
    ...[feature('income', -0.4), feature('amount', -0.2), feature('home', 0.1), feature('age', 0.012)],
    ...[feature('purpose', 0, { silenced: true }), feature('years in job', 0.02, { signAgreement: 0.2 })],
  ];
  assert.equal(
    describeDecision({ prediction: 0.3, features }),
    'Declined. Against approval: income and amount. For approval: home. The signs of purpose and years in job are undecided.',
  );
  assert.equal(
    describeDecision({ prediction: 0.6, features: features.slice(2, 5) }),
    'Approved. For approval: home and age. The sign of purpose is undecided.',
  );
  assert.equal(
    describeDecision({ prediction: 0.6, features: [feature('age', 0)] }),
    'Approved. No feature raises or lowers the score. The sign of age is undecided.',
  );
  assert.equal(list(['a', 'b', 'c']), 'a, b and c');
  assert.deepEqual([0.123, -0.5, -0.001].map(signed), ['+0.12', '−0.50', '0.00']);
  const parts = [
    { name: 'income', change: -0.3 },
    { name: 'home', change: 0.05 },
  ];
  assert.equal(
    describeChange({ parts, change: -0.2, rest: 0.05 }, ['A-001', 'A-002']),
    'The score of A-002 is 0.20 lower than that of A-001: income (−0.30); in the other direction: home (+0.05). The bars do not explain +0.05.',
  );
});

test('the parts and the rest sum to the difference of two scores, and the rest is the smaller share', async () => {
  const some = await Promise.all([1, 5, 7, 16, 40, 90].map((index) => explainApplicant(index)));
  let [open, all] = [0, 0];
  for (const from of some)
    for (const to of some) {
      const { parts, change, rest } = compareRows(from, to, table);
      assert.equal(change, to.prediction - from.prediction);
      assert.ok(Math.abs(parts.reduce((sum, part) => sum + part.change, rest) - change) < 1e-12);
      open += rest ** 2;
      all += change ** 2;
    }
  assert.ok(open < 0.25 * all, `${open} of ${all}`);
});

test('a mean explanation counts the rows with the opposite sign', () => {
  const of = (...weights) => ({
    ...{ prediction: 0.5, fidelity: 1, weights },
    features: weights.map((weight, index) => ({ index, name: `f${index}`, weight })),
  });
  const { features } = meanOf([of(1, 0), of(1, -2), of(-1, 1)]);
  assert.deepEqual(
    features.map(({ weight, contradicting }) => [Math.round(weight * 300), contradicting]),
    [
      [100, 1],
      [-100, 1],
    ],
  );
});

test('a click on a row shows the same explanation as in Node', LIMIT, async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems, choose, bars, text } = page;
  assert.equal(await tab.locator('#grid tbody tr').count(), 200);
  await choose(5);
  assert.equal(await bars(), await inNode(5));
  // A direct call of the published function gives the same.
  const own = { table, classes, target: 'approved', features: 'all', discretize: 'quartile', seed: 7 };
  const expected = await explainRow(applicants[5], predict, {
    ...own,
    environments: 'halves',
    agreement: 0.9,
  });
  assert.equal(await bars(), withoutTimes(expected));
  assert.equal(await text('panel-title'), 'Why A-006?');
  assert.equal(await text('why'), describeDecision(expected));
  assert.match(await text('fidelity'), /^R² 0\.\d\d: /);
  assert.equal(await tab.getAttribute('tr[data-index="5"]', 'aria-selected'), 'true');

  await tab.click('tr[data-index="7"] .compare');
  await tab.waitForSelector('#two:not([hidden])');
  assert.equal(await tab.locator('#parts tr').count(), columns.length);
  const [from, to] = await tab.evaluate(() => ['from', 'to'].map((id) => document.getElementById(id).outerHTML));
  assert.equal(/full-weight="([\d.]+)"/.exec(from)[1], /full-weight="([\d.]+)"/.exec(to)[1]);
  const other = await explainApplicant(7);
  assert.equal(await text('why'), describeChange(compareRows(expected, other, table), ['A-006', 'A-008']));
  assert.equal(
    await tab.textContent('#sums tr:last-child td'),
    signed(scoreApplicant(applicants[7]) - scoreApplicant(applicants[5])),
  );
  await tab.click('#uncompare');
  await tab.waitForSelector('#one:not([hidden])');
  assert.deepEqual(problems, []);
});

test('the keyboard can sort the table and move in it', LIMIT, async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems, text } = page;
  const press = async (...keys) => {
    for (const key of keys) await tab.keyboard.press(key);
  };
  const focused = () => tab.evaluate(() => document.activeElement.dataset.index ?? document.activeElement.ariaLabel);
  await tab.focus('#grid th:nth-child(2) button');
  await press('Enter');
  const scores = () =>
    tab.evaluate(() =>
      [...document.querySelectorAll('#grid tbody .chip')].map((chip) => parseFloat(chip.innerText.slice(2))),
    );
  const up = await scores();
  assert.deepEqual(
    up,
    [...up].sort((a, b) => a - b),
  );
  assert.equal(await tab.getAttribute('#grid th:nth-child(2)', 'aria-sort'), 'ascending');
  await press('Enter');
  assert.deepEqual(await scores(), up.toReversed());
  await tab.focus('#grid th:first-child button');
  await press('Enter');
  await tab.focus('#grid th:nth-child(9) button');
  await press('Tab');
  assert.equal(await focused(), '0');
  await press('ArrowDown', 'PageDown', 'ArrowUp', 'Enter');
  assert.equal(await focused(), '10');
  await tab.waitForSelector('#one:not([hidden])');
  assert.equal(await text('panel-title'), 'Why A-011?');
  await press('End', 'ArrowRight');
  assert.equal(await focused(), 'Compare A-200');
  await press('Enter');
  await tab.waitForSelector('#two:not([hidden])');
  assert.equal(await text('panel-title'), 'Why do they differ? A-011 → A-200');
  await press('ArrowLeft', 'Home');
  assert.equal(await focused(), '0');
  assert.deepEqual(problems, []);
});

test('a failure of the model shows a message, and the next try works', LIMIT, async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems, choose, text } = page;
  await tab.check('#down');
  await choose(3);
  assert.equal(await text('error'), 'The model failed: the scoring service does not respond.');
  assert.ok(await tab.isHidden('#one'));
  await tab.click('#explain-all');
  await tab.waitForSelector('#all-error:not([hidden])');
  assert.equal(await text('all-error'), 'The model failed: the scoring service does not respond.');
  assert.match(await text('status'), /^Stopped after 0 of 200/);
  await tab.uncheck('#down');
  await choose(3);
  assert.ok(await tab.isHidden('#error'));
  assert.ok(await tab.isVisible('#bars'));
  assert.deepEqual(problems, []);
});

test('the page fits a small phone, and axe finds no violations in the light and the dark theme', LIMIT, async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems, choose } = page;
  const check = async (when) => {
    for (const colorScheme of ['light', 'dark']) {
      await tab.emulateMedia({ colorScheme });
      const found = await tab.evaluate(async () => {
        const { violations } = await globalThis.axe.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`.slice(0, 400));
      });
      assert.deepEqual(found, [], `${when}, ${colorScheme}`);
    }
  };
  await tab.evaluate(axe);
  await check('at first');
  await choose(2);
  await check('with reasons');
  await tab.click('tr[data-index="9"] .compare');
  await tab.waitForSelector('#two:not([hidden])');
  await tab.click('#explain-all');
  await tab.waitForSelector('#means:not([hidden])', { timeout: 60000 });
  await check('with everything');
  for (const width of [360, 768, 1100, 1440]) {
    await tab.setViewportSize({ width, height: 800 });
    await tab.waitForTimeout(100);
    assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), width);
  }
  await tab.setViewportSize({ width: 360, height: 740 });
  await check('on a phone');
  assert.deepEqual(problems, []);
});

test('explaining all can be canceled', LIMIT, async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems, text } = page;
  await tab.focus('#explain-all');
  await tab.keyboard.press('Enter');
  await tab.waitForFunction(() => document.getElementById('progress').value > 3);
  assert.equal(
    await tab.evaluate(() => document.activeElement.id),
    'cancel',
    'the focus did not move to the Cancel button',
  );
  await tab.keyboard.press('Enter');
  await tab.waitForSelector('#explain-all:enabled');
  assert.match(await text('status'), /^Canceled after \d+ of 200\.$/);
  assert.ok(await tab.isHidden('#means'));
  assert.deepEqual(problems, []);
});

/** The mean weight of income among the approved, computed in Node once for all engines. */
let computed;
const meanOfIncome = () =>
  (computed ??= (async () => {
    const approved = applicants.flatMap((row, index) => (scoreApplicant(row) >= 0.5 ? [index] : []));
    let sum = 0;
    for (const index of approved) sum += (await explainApplicant(index)).weights[0];
    return sum / approved.length;
  })());

for (const engine of ENGINE_NAMES)
  test(`${engine} explains all 200 applicants in workers, as in Node`, LIMIT, async (t) => {
    const page = await openIn(t, engine, root, { 'index.html': indexAtRoot() });
    if (!page) return;
    const { evaluate, waitFor } = page;
    await waitFor('document.documentElement.dataset.ready');
    await evaluate(`void document.getElementById('explain-all').click()`);
    await waitFor(`!document.getElementById('means').hidden || problems.length > 0`, 90000);
    assert.deepEqual(await page.problems(), []);
    assert.equal(await evaluate(`document.getElementById('progress').value`), 200);
    assert.match(await evaluate(`document.getElementById('status').textContent`), /^All 200 applicants explained in /);
    for (const index of [0, 77, 199]) {
      await evaluate(`void document.querySelector('tr[data-index="${index}"] td').click()`);
      await waitFor(`document.getElementById('panel').ariaBusy === 'false'`);
      assert.equal(withoutTimes(await evaluate(`document.getElementById('bars').explanation`)), await inNode(index));
    }
    const mean = await evaluate(`document.getElementById('mean-approved').explanation`);
    assert.equal(mean.features.length, columns.length);
    assert.ok(Math.abs(mean.features[0].weight - (await meanOfIncome())) < 1e-12);
    const scales = await evaluate(
      `['approved', 'declined'].map((side) => document.getElementById('mean-' + side).getAttribute('full-weight'))`,
    );
    assert.equal(scales[0], scales[1]);
    assert.equal(await evaluate(`document.querySelectorAll('#contradictions tr').length`), columns.length);
  });

/** Returns the page with paths that work at the root. */
function indexAtRoot() {
  return readFileSync(new URL('index.html', folder), 'utf8').replaceAll('"./', '"/examples/dashboard/');
}
