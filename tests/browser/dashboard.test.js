// Tests the dashboard example in browsers, with a strict content security policy.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explainRow, recourse } from 'linex';
import { explainApplicant, table } from '../../examples/dashboard/explain-applicant.js';
import { applicants, classes, columns, predict, scoreApplicant } from '../../examples/dashboard/loans.js';
import { AXE, COLOR_RULES } from '../support/pages/axe.js';
import { browserFor, ENGINE_NAMES, openIn } from '../support/pages/browsers.js';
import { collectErrors } from '../support/pages/drivers.js';
import { serve } from '../support/pages/server.js';

const root = new URL('../..', import.meta.url);
const folder = new URL('examples/dashboard/', root);
const LIMIT = { timeout: 180000 };
/** A-002 is declined and has a way out, A-006 is approved, A-017 has none. */
const [DECLINED, APPROVED, HOPELESS] = [1, 5, 16];
const JARGON = /ridge|gamma|\bgames?\b|\bseed|R²|fidelity|quer(y|ies)|surrogate|preset/i;

/** Returns an explanation as JSON without its times. */
const withoutTimes = (explanation) => JSON.stringify({ ...explanation, milliseconds: undefined });
const inNode = async (index) => withoutTimes(await explainApplicant(index));

async function open(t, hash = '', options = {}) {
  const { browser } = (await browserFor(t, 'chromium')) ?? {};
  if (!browser) return undefined;
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  t.after(() => tab.close());
  const problems = collectErrors(tab);
  await tab.goto(`${await serve(t, root)}examples/dashboard/index.html${hash}`);
  await tab.waitForSelector('html[data-ready]');
  const idle = async () => {
    await tab.waitForSelector('#panel[aria-busy="false"]', { state: 'attached' });
    await tab.waitForSelector('#advice[aria-busy="false"]', { state: 'attached' });
  };
  if (hash !== '#all') await idle();
  return {
    ...{ tab, problems, idle, text: (id) => tab.textContent(`#${id}`) },
    async choose(index) {
      await tab.click(`tr[data-index="${index}"] td:first-child`);
      await idle();
    },
    bars: async (id = 'bars') => withoutTimes(await tab.evaluate((id) => document.getElementById(id).explanation, id)),
    /** The caption and the rows of the table that a picture has for screen readers. */
    table: (id) =>
      tab.evaluate((id) => {
        const { caption, tBodies } = document.getElementById(id).shadowRoot.querySelector('table');
        const rows = [...tBodies[0].rows].map(({ cells }) => [...cells].map((cell) => cell.textContent));
        return { caption: caption.textContent, rows };
      }, id),
    drawn: (id) => tab.evaluate((id) => document.getElementById(id).shadowRoot.querySelector('svg').textContent, id),
  };
}

test('a click on a row shows why: the same explanation as in Node, in bars and as a waterfall', LIMIT, async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems, choose, bars, text, table: read } = page;
  assert.equal(await tab.locator('#grid tbody tr').count(), 200);
  await choose(HOPELESS);
  // A direct call of the published function gives the same.
  const own = { table, classes, target: 'approved', features: 'all', seed: 7 };
  const expected = withoutTimes(await explainRow(applicants[HOPELESS], predict, own));
  for (const id of ['bars', 'waterfall', 'slopes']) assert.equal(await bars(id), expected, id);
  assert.equal(await text('panel-title'), 'A-017');
  assert.equal(await text('said'), 'Declined: the score is 0.09, and 0.50 is needed.');
  assert.equal(await tab.innerText('#facts'), await factsOf(HOPELESS));
  const why = await read('bars');
  assert.match(
    why.caption,
    /^Why declined\? Compared with the average applicant, against approval: late payments 2 months/,
  );
  const steps = await read('waterfall');
  assert.match(steps.caption, /^How does the score come to 0\.09\?/);
  assert.equal(steps.rows[0][0], 'average applicant, estimated');
  assert.deepEqual(steps.rows.at(-1), ['A-017', '', '', scoreApplicant(applicants[HOPELESS]).toFixed(2)]);
  // Each number is that of the answer before it plus the change.
  const number = (text) => Number(text.replace('−', '-'));
  const changes = steps.rows.slice(1, -1).map(([, change]) => number(change) || 0);
  const sum = changes.reduce((total, change) => total + change, number(steps.rows[0][3]));
  assert.equal(sum.toFixed(2), steps.rows.at(-1)[3]);
  // Both pictures highlight the same feature.
  await tab.locator('#bars [data-feature="0"]').hover();
  const lit = () =>
    tab.evaluate(() => document.getElementById('waterfall').shadowRoot.querySelector('.linex-lit')?.textContent ?? '');
  assert.match(await lit(), /^income \$29,500/);
  assert.equal(await tab.getAttribute(`tr[data-index="${HOPELESS}"]`, 'aria-selected'), 'true');
  assert.deepEqual(problems, []);
});

/** The facts of an applicant as the page shows them, written by hand. */
async function factsOf(index) {
  const [income, amount, age, job, late, home, purpose] = applicants[index];
  const dollars = (value) => `$${String(value).replace(/(\d)(\d{3})$/, '$1,$2')}`;
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  return [
    ...['Income', dollars(income), 'Amount', dollars(amount), 'Age', `${age} years`, 'Time in job', `${job} years`],
    ...['Late payments', `${late} months`, 'Home', capital(home), 'Purpose', capital(purpose)],
  ].join('\n');
}

test('a declined applicant sees what would lead to approval, confirmed by the model', LIMIT, async (t) => {
  const page = await open(t, '#A-002');
  if (!page) return;
  const { tab, problems, choose, table: read, drawn, idle } = page;
  // Counts the rows that the model is asked about.
  let asked = 0;
  const counting = (batch) => {
    asked += batch.rows.length;
    return predict(batch);
  };
  const result = await recourse(applicants[DECLINED], counting, {
    ...{ table, classes, target: 'approved', seed: 7, explanation: await explainApplicant(DECLINED) },
    immutable: columns.filter((column) => column !== 'amount'),
    monotone: { amount: 'down' },
  });
  assert.deepEqual(await tab.evaluate(() => document.getElementById('recourse').recourse), result);
  const { caption, rows } = await read('recourse');
  assert.equal(
    caption,
    'What would lead to approval? By this scorecard, just enough with amount $17,000 instead of $28,000, if nothing else changes. That is no promise.',
  );
  assert.deepEqual(rows, [
    ['amount', '$28,000', '$17,000'],
    ['score', '0.33', '0.50 (0.50 is needed)'],
  ]);
  assert.ok(scoreApplicant(applicants[DECLINED].with(1, 17000)) >= 0.5);
  assert.ok(scoreApplicant(applicants[DECLINED].with(1, 17100)) < 0.5);
  assert.match(await drawn('recourse'), new RegExp(`The model was asked ${asked} times to find and check this\\.`));

  // The reader decides what may change.
  await tab.check('#may [value="income"]');
  await idle();
  await tab.uncheck('#may [value="amount"]');
  await idle();
  assert.match(
    (await read('recourse')).caption,
    /approval\? By this scorecard, just enough with income \$4\d,\d00 instead of \$39,500, if nothing else changes\. That is no promise\.$/,
  );
  await tab.uncheck('#may [value="income"]');
  assert.equal(await tab.textContent('#advice-error'), 'Choose at least one thing that may change.');
  assert.ok(await tab.isHidden('#recourse'));
  await tab.check('#may [value="amount"]');
  await idle();
  assert.ok(await tab.isVisible('#recourse'));

  await choose(HOPELESS);
  assert.match(
    (await read('recourse')).caption,
    /No change of amount alone was found that leads to approval: .* \$4,500 instead of \$16,000\.$/,
  );
  await choose(APPROVED);
  assert.ok(await tab.isHidden('#advice'));
  assert.match((await read('bars')).caption, /^Why approved\? Compared with the average applicant, for approval/);
  assert.deepEqual(problems, []);
});

test('two applicants are compared: what they said, and why their scores differ', LIMIT, async (t) => {
  const page = await open(t, '#A-006');
  if (!page) return;
  const { tab, problems, text, table: read, idle } = page;
  await tab.click(`tr[data-index="${HOPELESS}"] .compare`);
  await tab.waitForSelector('#two:not([hidden])');
  await idle();
  const [before, after] = [APPROVED, HOPELESS].map((index) => scoreApplicant(applicants[index]).toFixed(2));
  assert.equal(await text('pair-title'), 'A-006 and A-017');
  assert.equal(await text('pair-said'), 'A-017 scores 0.73 less than A-006.');
  assert.equal((before - after).toFixed(2), '0.73');
  assert.equal(await tab.locator('#pair-facts tr').count(), columns.length + 1);
  assert.equal(await tab.innerText('#pair-facts tr:nth-child(2)'), 'Amount\t$6,500\t$16,000');
  const { caption, rows } = await read('comparison');
  assert.match(caption, new RegExp(`^Why does A-017 score ${after}, and A-006 ${before}\\?`));
  assert.deepEqual([rows[0][0], rows[0][3], rows.at(-1)[0], rows.at(-1)[3]], ['A-006', before, 'A-017', after]);
  assert.match(rows[1][0], /^income \$29,500 instead of \$42,500$/);
  assert.match(await tab.evaluate(() => location.hash), /^#A-006,A-017$/);
  await tab.click('#swap');
  await idle();
  assert.equal(await text('pair-title'), 'A-017 and A-006');
  await tab.click('#uncompare');
  await idle();
  assert.ok(await tab.isVisible('#one'));
  assert.equal(await tab.evaluate(() => document.activeElement.id), 'panel');
  await tab.goBack();
  await idle();
  assert.equal(await text('pair-title'), 'A-017 and A-006');
  assert.deepEqual(problems, []);
});

test('the address says what is shown, and a wrong one shows the first declined applicant', LIMIT, async (t) => {
  for (const [hash, title] of [
    ['#A-017', 'A-017'],
    ['#A-000', 'A-002'],
    ['#A-201', 'A-002'],
    ['#__proto__', 'A-002'],
    ['#A-017,A-017', 'A-017'],
  ]) {
    const page = await open(t, hash);
    if (!page) return;
    assert.equal(await page.text('panel-title'), title, hash);
    assert.ok(await page.tab.isVisible('#one'));
    assert.deepEqual(page.problems, []);
  }
});

test('a customer sees no jargon, and the technical view is one click away', LIMIT, async (t) => {
  const page = await open(t, '#A-002');
  if (!page) return;
  const { tab, text } = page;
  const visible = (id) =>
    tab.evaluate((id) => {
      const part = document.getElementById(id);
      const pictures = [...part.querySelectorAll('linex-bars, linex-waterfall, linex-recourse, linex-comparison')];
      const drawn = pictures
        .filter((picture) => picture.checkVisibility())
        .map(({ shadowRoot }) => shadowRoot.querySelector('svg').textContent);
      return [part.innerText, ...drawn].join('\n');
    }, id);
  assert.doesNotMatch(await visible('panel'), JARGON);
  assert.ok(
    await tab.evaluate(
      () => getComputedStyle(document.getElementById('bars').shadowRoot.querySelector('details')).display === 'none',
    ),
  );
  await tab.click('#one summary');
  const { fidelity } = await explainApplicant(DECLINED);
  assert.match(await text('technical-facts'), new RegExp(`R² of the fit${fidelity.toFixed(2)}`));
  assert.match(await visible('panel'), /What would move the score\?/);
  await tab.click('tr[data-index="5"] .compare');
  await tab.waitForSelector('#two:not([hidden])');
  assert.doesNotMatch(await visible('panel'), JARGON);
});

test(
  'badges have the colors of the bars: approved as what speaks for it, declined as what speaks against',
  LIMIT,
  async (t) => {
    for (const colorScheme of ['light', 'dark']) {
      const page = await open(t, '#A-002', { colorScheme });
      if (!page) return;
      const colors = await page.tab.evaluate(() => {
        const of = (element, property) => getComputedStyle(element)[property];
        const bars = [...document.getElementById('bars').shadowRoot.querySelectorAll('svg path')];
        const bar = (sign) =>
          of(
            bars.find((path) => new RegExp(`linex-${sign}[5-9]`).test(path.getAttribute('class'))),
            'fill',
          );
        return [
          [of(document.querySelector('.badge.yes'), 'color'), bar('p')],
          [of(document.querySelector('.badge.no'), 'color'), bar('n')],
        ];
      });
      for (const pair of colors) {
        const [badge, bar] = pair.map(hueOf);
        assert.ok(Math.abs(badge - bar) < 25, `${colorScheme}: ${pair} have hues ${badge} and ${bar}`);
      }
      assert.ok(Math.abs(hueOf(colors[0][0]) - hueOf(colors[1][0])) > 100);
    }
  },
);

/** The hue of a color such as "rgb(1, 2, 3)", in degrees. */
function hueOf(color) {
  const [r, g, b] = color.match(/\d+/g).map(Number);
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const part = (x, y) => (60 * (x - y)) / (most - least);
  return most === r ? (part(g, b) + 360) % 360 : most === g ? 120 + part(b, r) : 240 + part(r, g);
}

test('the keyboard can filter and sort the table and move in it', LIMIT, async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems, text, idle } = page;
  const press = async (...keys) => {
    for (const key of keys) await tab.keyboard.press(key);
  };
  const focused = () => tab.evaluate(() => document.activeElement.dataset.index ?? document.activeElement.ariaLabel);
  await tab.focus('#grid th:nth-child(2) button');
  await press('Enter');
  const scores = () =>
    tab.evaluate(() =>
      [...document.querySelectorAll('#grid tbody tr:not([hidden]) .badge')].map((badge) =>
        parseFloat(badge.innerText.match(/0\.\d+/)[0]),
      ),
    );
  const up = await scores();
  assert.equal(up.length, 200);
  assert.deepEqual(
    up,
    [...up].sort((a, b) => a - b),
  );
  assert.equal(await tab.getAttribute('#grid th:nth-child(2)', 'aria-sort'), 'ascending');
  await press('Enter');
  assert.deepEqual(await scores(), up.toReversed());
  await tab.focus('#grid th:first-child button');
  await press('Enter');
  await tab.focus('#grid th:nth-child(4) button');
  await press('Tab');
  assert.equal(await focused(), '0');
  await press('ArrowDown', 'PageDown', 'ArrowUp', 'Enter');
  assert.equal(await focused(), '10');
  await idle();
  assert.equal(await text('panel-title'), 'A-011');
  await press('End', 'ArrowRight');
  assert.equal(await focused(), 'Compare A-200');
  await press('Enter');
  await tab.waitForSelector('#two:not([hidden])');
  assert.equal(await text('pair-title'), 'A-011 and A-200');
  await press('ArrowLeft', 'Home');
  assert.equal(await focused(), '0');
  // Only the declined.
  await tab.focus('#filter-all');
  await press('ArrowRight');
  const declined = applicants.flatMap((row, index) => (scoreApplicant(row) < 0.5 ? [index] : []));
  assert.equal((await scores()).length, declined.length);
  assert.equal(await text('count-declined'), String(declined.length));
  await tab.focus('#grid tr[tabindex="0"]');
  assert.equal(await focused(), String(declined[0]));
  await press('ArrowDown');
  assert.equal(await focused(), String(declined[1]));
  await press('End');
  assert.equal(await focused(), String(declined.at(-1)));
  assert.deepEqual(problems, []);
});

test('a failure of the model shows a message, and the next try works', LIMIT, async (t) => {
  const page = await open(t);
  if (!page) return;
  const { tab, problems, choose, text } = page;
  const message = 'The model failed: the scoring service does not respond.';
  await tab.check('#down');
  await choose(3);
  assert.equal(await text('error'), message);
  assert.ok(await tab.isHidden('#reasons'));
  // The first applicant is explained already, but nothing can be searched.
  await choose(DECLINED);
  await tab.check('#may [value="income"]');
  await tab.waitForSelector('#advice-error:not([hidden])');
  assert.equal(await text('advice-error'), message);
  await tab.click('#to-all');
  await tab.click('#explain-all');
  await tab.waitForSelector('#all-error:not([hidden])');
  assert.equal(await text('all-error'), message);
  assert.match(await text('status'), /^Stopped after 0 of 200/);
  await tab.uncheck('#down');
  await tab.click('#to-desk');
  await choose(3);
  assert.ok(await tab.isHidden('#error'));
  assert.ok(await tab.isVisible('#bars'));
  assert.deepEqual(problems, []);
});

test('the page fits a small phone, and axe finds no violations in the light and the dark theme', LIMIT, async (t) => {
  const page = await open(t, '#A-002');
  if (!page) return;
  const { tab, problems, choose } = page;
  const check = async (when) => {
    for (const colorScheme of ['light', 'dark']) {
      await tab.emulateMedia({ colorScheme });
      // In the dark, only colors differ.
      const rules = colorScheme === 'dark' ? { runOnly: COLOR_RULES } : {};
      const found = await tab.evaluate(async (rules) => {
        const { violations } = await globalThis.axe.run(rules);
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`.slice(0, 400));
      }, rules);
      assert.deepEqual(found, [], `${when}, ${colorScheme}`);
    }
  };
  const fits = async () => {
    for (const width of [360, 768, 1024, 1280, 1600]) {
      await tab.setViewportSize({ width, height: 800 });
      await tab.waitForTimeout(100);
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), width);
    }
  };
  await tab.evaluate(AXE);
  await tab.click('#one summary');
  await check('declined');
  await fits();
  await choose(HOPELESS);
  await tab.setViewportSize({ width: 360, height: 740 });
  await check('declined on a phone');
  await tab.click(`tr[data-index="${APPROVED}"] .compare`);
  await tab.waitForSelector('#two:not([hidden])');
  await check('two on a phone');
  await fits();
  await check('two');
  await tab.click('#to-all');
  await check('before the summary');
  await tab.click('#explain-all');
  await tab.waitForSelector('#summary:not([hidden])', { timeout: 60000 });
  await check('summary');
  await fits();
  await tab.setViewportSize({ width: 360, height: 740 });
  await check('summary on a phone');
  assert.deepEqual(problems, []);
});

test('explaining all goes on in the background and can be canceled', LIMIT, async (t) => {
  const page = await open(t, '#all');
  if (!page) return;
  const { tab, problems, text, choose, idle } = page;
  // The workers that are opened from now on get a slow model, so that there is time to cancel.
  const model = readFileSync(new URL('loans.js', folder), 'utf8').replace('function predict(', 'function quickly(');
  const slowly = `export const predict = (batch) => new Promise((resolve) => setTimeout(() => resolve(quickly(batch)), 60));`;
  await tab.route('**/loans.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `${model}\n${slowly}` }),
  );
  await tab.focus('#explain-all');
  await tab.keyboard.press('Enter');
  assert.equal(
    await tab.evaluate(() => document.activeElement.id),
    'cancel',
    'the focus did not move to the Cancel button',
  );
  // Another view can be used meanwhile, and says how far it is.
  await tab.click('#to-desk');
  await idle();
  await choose(APPROVED);
  assert.equal(await text('panel-title'), 'A-006');
  await tab.waitForFunction(() => document.getElementById('progress').value > 3);
  assert.match(await text('nav-done'), /^ \d+\/200$/);
  await tab.click('#to-all');
  await tab.focus('#cancel');
  await tab.keyboard.press('Enter');
  await tab.waitForSelector('#explain-all:not([hidden])');
  assert.equal(await tab.evaluate(() => document.activeElement.id), 'explain-all');
  assert.match(await text('status'), /^Canceled after \d+ of 200\. No summary was made\.$/);
  assert.ok(await tab.isHidden('#summary'));
  assert.equal(await text('nav-done'), '');
  assert.deepEqual(problems, []);
});

/** What the summary must say about income, computed in Node once for all engines. */
let computed;
const expectedOfIncome = () =>
  (computed ??= (async () => {
    const expected = { importance: 0, approved: { raises: 0, lowers: 0 }, declined: { raises: 0, lowers: 0 } };
    for (const [index, row] of applicants.entries()) {
      const { features } = await explainApplicant(index);
      const { contribution, contributionInterval } = features.find(({ name }) => name === 'income');
      expected.importance += Math.abs(contribution) / applicants.length;
      const counts = expected[scoreApplicant(row) >= 0.5 ? 'approved' : 'declined'];
      if (contributionInterval[0] > 0) counts.raises++;
      if (contributionInterval[1] < 0) counts.lowers++;
    }
    return expected;
  })());

for (const engine of ENGINE_NAMES)
  test(`${engine} explains all 200 applicants in workers, as in Node, and sums them up`, LIMIT, async (t) => {
    const page = await openIn(t, engine, root, { 'index.html': indexAtRoot() });
    if (!page) return;
    const { evaluate, waitFor } = page;
    await waitFor('document.documentElement.dataset.ready');
    await evaluate(`void document.getElementById('to-all').click()`);
    await evaluate(`void document.getElementById('explain-all').click()`);
    await waitFor(`!document.getElementById('summary').hidden || problems.length > 0`, 90000);
    assert.deepEqual(await page.problems(), []);
    assert.equal(await evaluate(`document.getElementById('progress').value`), 200);
    assert.match(await evaluate(`document.getElementById('status').textContent`), /^All 200 applicants explained in /);
    assert.equal(await evaluate(`document.getElementById('swarm').explanations.length`), 200);
    const { importance, approved, declined } = await expectedOfIncome();
    const [income] = (await evaluate(`document.getElementById('importance').summary`)).features;
    assert.equal(income.name, 'income');
    assert.ok(Math.abs(income.importance - importance) < 1e-12);
    const cells = await evaluate(
      `[...document.querySelector('#groups tr').cells].map((cell) => cell.textContent.replace(/\\s+/g, ' '))`,
    );
    const counts = ({ raises, lowers }) => `↑ ${raises} ↓ ${lowers}`;
    assert.deepEqual(cells, ['income', counts(approved), counts(declined)]);
    assert.equal(await evaluate(`document.querySelectorAll('#groups tr').length`), columns.length);
    assert.ok((await evaluate(`document.querySelectorAll('#typical a').length`)) > 1);
    await evaluate(`void document.getElementById('to-desk').click()`);
    for (const index of [0, 77, 199]) {
      await evaluate(`void document.querySelector('tr[data-index="${index}"] td').click()`);
      await waitFor(`document.getElementById('panel').ariaBusy === 'false'`);
      assert.equal(withoutTimes(await evaluate(`document.getElementById('bars').explanation`)), await inNode(index));
    }
    await evaluate(`void document.querySelector('tr[data-index="${DECLINED}"] td').click()`);
    await waitFor(`document.getElementById('recourse').recourse?.row?.[1] === 17000 || problems.length > 0`);
    assert.deepEqual(await page.problems(), []);
  });

/** Returns the page with paths that work at the root. */
function indexAtRoot() {
  return readFileSync(new URL('index.html', folder), 'utf8').replaceAll('"./', '"/examples/dashboard/');
}
