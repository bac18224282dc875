// Tests of the sentence and the picture of recourse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { checkRecourse, renderRecourseSentence, renderRecourseSVG } from 'linex/render';
import { attacksOn } from '../support/drawing/hostile-explanations.js';
import { checkSVG, RENDERERS } from '../support/drawing/hostile-renderings.js';
import { HOSTILE_STRINGS } from '../support/drawing/hostile-strings.js';
import { openPage } from '../support/pages/page.js';
import { already, byClass, byScore, none, recourseWith } from '../support/drawing/recourses-to-draw.js';

const textsOf = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)/g)].map(([, text]) => text);

test('the sentence says what would have to be different', () => {
  assert.equal(
    renderRecourseSentence(byClass),
    'By this model, just enough for approved: if home were own instead of rent and income were 31,000 instead of 26,134, and nothing else changed. That is no promise.',
  );
  assert.equal(
    renderRecourseSentence(byScore),
    'By this model, the answer would just fall below 70 if pressure were 0.0031 instead of 0.00578, and nothing else changed. That is no promise.',
  );
  assert.equal(
    renderRecourseSentence({ ...byClass, threshold: 0.5 }),
    'By this model, the answer for approved would just rise above 0.5 if home were own instead of rent and income were 31,000 instead of 26,134, and nothing else changed. That is no promise.',
  );
  assert.match(
    renderRecourseSentence({ ...byClass, side: 'below', target: 1 }),
    /^By this model, just enough to leave class 1: if home were own/,
  );
  assert.equal(renderRecourseSentence(already), 'Already approved: nothing has to change.');
  assert.equal(
    renderRecourseSentence(none),
    'No change of income and home was found that leads to approved: changes within the range of the data are not enough. ' +
      'The closest try: income were 64,000 instead of 26,134.',
  );
  assert.match(renderRecourseSentence({ ...none, reason: 'limit', closest: null }), /stopped after 42 questions/);
});

test('every word of the sentence can be another language', () => {
  const labels = {
    wouldReach: '{target}, wenn {changes}.',
    wouldBe: '{column} {to} statt {from} wäre',
  };
  assert.equal(
    renderRecourseSentence(byClass, { labels, locale: 'de' }),
    'Approved, wenn home own statt rent wäre und income 31.000 statt 26.134 wäre.',
  );
  const [home, income] = byClass.changes;
  const euros = { ...income, format: { style: 'currency', currency: 'EUR' } };
  assert.match(
    renderRecourseSentence({ ...byClass, changes: [home, euros] }),
    /home were own instead of rent and income were €31,000 instead of €26,134/,
  );
  assert.match(
    renderRecourseSentence({ ...byClass, changes: [{ ...income, format: { unit: 'a year' } }] }, { locale: 'de' }),
    /income were 31\.000\u00a0a year instead of 26\.134\u00a0a year/,
  );
  const percent = { answerFormat: { style: 'percent' } };
  assert.match(renderRecourseSentence({ ...byClass, threshold: 0.505 }, percent), /rise above 50\.5% if/);
  assert.ok(textsOf(renderRecourseSVG(byClass, percent)).includes('50.04%'));
  const levels = [{ ...byClass.changes[0], from: null, to: true }];
  assert.match(
    renderRecourseSentence({ ...byClass, changes: levels }, { labels: { missing: 'nichts', true: 'ja' } }),
    /home were ja instead of nichts/,
  );
});

test('an option that is wrong is refused by name', () => {
  for (const render of [renderRecourseSentence, renderRecourseSVG]) {
    assert.throws(() => render(byClass, { label: {} }), /has no option "label"; did you mean "labels"\?/);
    assert.throws(
      () => render(byClass, { labels: { reached: '' } }),
      /labels has no option "reached"; did you mean "isReached"/,
    );
    assert.throws(() => render(byClass, { labels: { wouldReach: 5 } }), /labels.wouldReach must be a string, not 5/);
    assert.throws(() => render(byClass, { locale: 'not a tag' }), /locale must be a language tag .*, not "not a tag"/);
    assert.throws(() => render(byClass, { locale: 5 }), /locale must be a language tag .*, not 5/);
    assert.throws(() => render(byClass, { answerFormat: 'x' }), /answerFormat must be options of Intl.NumberFormat/);
    assert.throws(() => render(byClass, { format: {} }), /has no option "format"/);
    assert.throws(() => render(null), /needs a result of recourse, not null/);
    assert.throws(() => render([]), TypeError);
    assert.throws(() => render({ ...byClass, side: 'up' }), /side must be "above" or "below", not "up"/);
  }
  assert.throws(() => renderRecourseSVG(byClass, { width: 100 }), /width must be a whole number from 240 to 10000/);
  assert.throws(() => renderRecourseSVG(byClass, { features: 5 }), /no option "features"/);
});

test('the picture shows each change, the answer before and after, the threshold and the number of questions', () => {
  const svg = renderRecourseSVG(byClass);
  checkSVG(svg);
  const texts = textsOf(svg);
  for (const text of ['home', 'rent', 'own', 'income', '26,134', '31,000', '16,000', '64,000', 'now'])
    assert.ok(texts.includes(text), `${text} is missing in ${texts}`);
  // Two decimals would show the same number as the threshold.
  for (const text of ['answer for approved', '0.31', '0.5004', 'threshold 0.5', 'with the change'])
    assert.ok(texts.includes(text), `${text} is missing in ${texts}`);
  assert.match(svg, /The model was asked 1042 times to find and check this\./);
  assert.match(svg, /<desc>By this model, just enough for approved: if home were own/);
  assert.match(svg, /aria-label="What would lead to approved\?"/);
  const closest = textsOf(renderRecourseSVG(none));
  for (const text of ['closest try', '64,000', '0.4', 'threshold 0.5']) assert.ok(closest.includes(text), `${closest}`);
  const score = textsOf(renderRecourseSVG(byScore));
  for (const text of ['threshold 70', '91.2', '69.8']) assert.ok(score.includes(text), `${score}`);
  assert.ok(!textsOf(renderRecourseSVG(already)).includes('with the change'));
});

test('if the sum of the answers varies, the line is the best other class', () => {
  const svg = renderRecourseSVG({ ...byClass, prediction: { from: 0.2, to: 0.45 }, rival: { from: 0.5, to: 0.44 } });
  assert.ok(textsOf(svg).includes('best other class 0.44'), `${textsOf(svg)}`);
});

/** The middles of the disks, from left to right, of each track. */
const disksOf = (svg) =>
  [...svg.matchAll(/d="M([\d.]+) ([\d.]+)a6 6 0 1 0 12 0/g)].map(([, x, y]) => [Number(x) + 6, Number(y)]);

test('the dots are where the values are between the ends of the track', () => {
  const disks = disksOf(renderRecourseSVG(byClass, { width: 640 }));
  // The track of the income is the second line, from 26 to 614 pixels: 16,000 to 64,000.
  const at = (value, low, high) => 26 + (588 * (value - low)) / (high - low);
  const rows = new Map();
  for (const [x, y] of disks) rows.set(y, [...(rows.get(y) ?? []), x]);
  const [income, answer] = [...rows.values()];
  const close = (found, wanted) =>
    found.forEach((x, i) => assert.ok(Math.abs(x - wanted[i]) < 0.06, `${found}, not ${wanted}`));
  close(
    income.sort((a, b) => a - b),
    [at(26134, 16000, 64000), at(31000, 16000, 64000)],
  );
  close(
    answer.sort((a, b) => a - b),
    [at(0.31, 0, 1), at(0.5004, 0, 1)],
  );
});

test('all words are inside of the picture, wide and narrow, light and dark, in three languages', async (t) => {
  const labels = { wouldReach: '{target} אם {changes}.', wouldBe: '{column} יהיה {to} במקום {from}', now: 'עכשיו' };
  const long = recourseWith('a very long name of a column that never ends and goes on'.repeat(3));
  const pictures = [byClass, byScore, already, none, long].flatMap((one) =>
    [240, 360, 640].flatMap((width) => [
      renderRecourseSVG(one, { width, theme: 'dark' }),
      renderRecourseSVG(one, { width, locale: 'he', labels }),
      renderRecourseSVG(one, { width, locale: 'ja' }),
    ]),
  );
  const page = await openPage(t, new URL('./', import.meta.url), {
    'index.html': `<!doctype html><meta charset="utf-8"><title>x</title>${pictures.join('')}`,
  });
  if (!page) return;
  const outside = await page.tab.evaluate(() =>
    [...globalThis.document.querySelectorAll('svg')].flatMap((svg) => {
      const frame = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('text')]
        .filter((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect();
          return left < frame.left || right > frame.right + 0.5 || top < frame.top || bottom > frame.bottom;
        })
        .map((text) => `${text.textContent} (${frame.width})`);
    }),
  );
  assert.deepEqual(outside, []);
  assert.deepEqual(page.problems, []);
});

const shown = (value) => inspect(value, { depth: 1, maxStringLength: 60, maxArrayLength: 5 });

for (const [name, subject] of Object.entries({ byClass, byScore, already, none }))
  test(`recourse ${name} with any field replaced is refused by name, or its rendering is safe`, () => {
    const counts = { refused: 0, drawn: 0 };
    for (const { path, value, attacked } of attacksOn(subject))
      for (const renderer of ['renderRecourseSVG', 'renderRecourseSentence'])
        try {
          RENDERERS[renderer](attacked);
          counts.drawn++;
        } catch (error) {
          if (error.code === 'ERR_ASSERTION') assert.fail(`${renderer}, ${path} = ${shown(value)}: ${error.message}`);
          assert.equal(Object.getPrototypeOf(error), TypeError.prototype, error.stack);
          assert.match(error.message, /^([\w.[\]]+|a recourse|\w+ needs a result of recourse)( must be .+|.*), not /);
          counts.refused++;
        }
    assert.ok(counts.refused > 500 && counts.drawn > 100, JSON.stringify(counts));
  });

test('hostile strings are drawn as class, column and level', () => {
  for (const string of HOSTILE_STRINGS) {
    const result = recourseWith(string);
    checkRecourse(result);
    for (const renderer of ['renderRecourseSVG', 'renderRecourseSentence'])
      try {
        RENDERERS[renderer](result);
      } catch (error) {
        assert.fail(`${renderer} of ${JSON.stringify(string.slice(0, 60))}: ${error.message}`);
      }
  }
});
