// Tests of renderTerminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderTerminal } from 'linex/render';

const feature = (name, contribution, more = {}) => ({
  name,
  weight: contribution,
  interval: [contribution - 0.1, contribution + 0.1],
  contribution,
  contributionInterval: [contribution - 0.1, contribution + 0.1],
  signAgreement: 1,
  silenced: false,
  ...more,
});
/** Returns an explanation with these features, in the order of their columns. */
const showing = (features, more = {}) => ({
  kind: 'row',
  method: 'linex',
  target: 'yes',
  prediction: 0.75,
  reference: { kind: 'mean', localPrediction: 0.5 },
  fidelity: 0.5,
  queries: { planned: 100, asked: 90, reused: 10 },
  warnings: [],
  features: features.map((given, index) => ({ ...given, index })),
  weights: features.map(({ weight }) => weight),
  ...more,
});
const shade = { silenced: true, signAgreement: 0.2, weight: 0, contribution: 0, contributionInterval: [-0.3, 0.2] };
const explanation = showing([feature('age', -0.5, { value: 31 }), feature('size', 0.25), feature('shade', 0, shade)]);
const linesOf = (explained, options) => renderTerminal(explained, options).split('\n').map((line) => line.trimEnd()); // prettier-ignore

test('bars go left if a feature lowers the answer and right if it raises it, in proportion to the effect', () => {
  const [title, sentence, sides, age, size, unsure] = linesOf(explanation, { width: 90 });
  assert.equal(title, 'Why 0.75 for yes?');
  assert.equal(sentence, 'Compared with an average case, against yes: age 31. For yes: size. Unsure: shade.');
  assert.match(sides, /^ +← against yes │ for yes →$/);
  assert.match(age, /^age 31 +▒+│ +−0\.500 {2}−0\.600 to −0\.400$/);
  assert.match(size, /^size +│█+ +\+0\.250 {2}\+0\.150 to \+0\.350$/);
  // No bar and no sign for what is unsure.
  assert.match(unsure, /^shade +│ +unsure {2}−0\.300 to \+0\.200$/);
  assert.deepEqual(new Set([sides, age, size, unsure].map((line) => line.indexOf('│'))).size, 1);
  const length = (line) => line.match(/[▒█]+/)[0].length;
  assert.ok(Math.abs(length(age) / length(size) - 2) < 0.35);
});

// eslint-disable-next-line no-control-regex
const COLOR = /\u001b\[\d+m/g;

test('all lines have the same width, with and without color', () => {
  for (const color of [false, true]) {
    const lines = renderTerminal(explanation, { width: 80, color }).replace(COLOR, '').split('\n');
    assert.deepEqual(new Set(lines.map((line) => line.length)), new Set([80]));
  }
  assert.ok(!renderTerminal(explanation).includes('\u001b'));
});

test('a given full weight makes two explanations comparable', () => {
  const blocks = (fullWeight) => renderTerminal(explanation, { fullWeight }).match(/▒+/)[0].length;
  assert.ok(Math.abs(blocks(0.5) / blocks(1) - 2) < 0.35);
});

test('values of the row are not rounded away, and small effects keep their digits', () => {
  const exactly = { interval: null, contributionInterval: null, signAgreement: null };
  const small = showing([
    feature('year', 0.0000123, { value: 2024, ...exactly }),
    feature('income', -0.000004, { value: 70433, ...exactly }),
    feature('rate', 0.000009, { value: 0.1234567890123456, ...exactly }),
  ]);
  const [year, rate, income] = linesOf(small).slice(-3);
  assert.match(year, /^year 2024 .*\+0\.0000123$/);
  assert.match(income, /^income 70,433 .*−0\.0000040$/);
  // But nobody reads sixteen digits.
  assert.match(rate, /^rate 0\.123 /);
  const odd = showing([feature('two\nlines', 1)]);
  assert.equal(linesOf(odd).length, 4);
  assert.throws(() => renderTerminal([explanation]), /renderTerminal needs an explanation, not Array of length 1/);
});

test('a long name is cut, and an explanation without features still has a head', () => {
  const long = showing([feature('x'.repeat(200), 1)]);
  assert.match(renderTerminal(long, { width: 60 }), /x…/);
  assert.match(renderTerminal({ ...explanation, features: [] }), /^Why 0\.75 for yes\?/);
  assert.throws(() => renderTerminal(explanation, { colour: true }), /no option "colour"; did you mean "color"/);
});

test('the details give the method, R², the number of features and queries, and whether the result is exact', () => {
  const facts = (more) => linesOf({ ...explanation, ...more }, { width: 120, details: true })[2];
  assert.equal(facts({ weights: new Array(12).fill(0) }), 'LINEX · R² 0.50 · 90 queries · 3 of 12 features');
  assert.equal(facts({ weights: [1, 2, 3] }), 'LINEX · R² 0.50 · 90 queries');
  const queries = { planned: 8, asked: 8, reused: 0, stopped: 'exhausted' };
  assert.equal(facts({ method: 'shap', queries }), 'SHAP · R² 0.50 · 8 queries · exact');
  assert.doesNotMatch(facts({ method: 'linex', queries }), /exact/);
  assert.match(linesOf({ ...explanation, link: 'logit' }, { width: 120 })[2], /^The numbers are log-odds\.$/);
  // A reader who is no expert sees none of it.
  assert.doesNotMatch(renderTerminal(explanation), /LINEX|R²|quer/);
});

test('no line is wider than the given width, even if names, numbers and warnings are long', () => {
  const features = ['a column with a long name', 'b'].map((name) => ({
    ...feature(name, 123456.789, { value: 1234567.89 }),
    contributionInterval: [-123456.7891, 1234567.8912],
  }));
  const shares = showing(features, {
    method: 'shap',
    link: 'logit',
    target: 'a class with a rather long name that tells it from others',
    queries: { planned: 1e7, asked: 1e7, reused: 0 },
    weights: new Array(400).fill(0),
    warnings: ['a warning that goes on for longer than a line of the terminal has room for, so that it is broken'],
  });
  for (const width of [60, 76, 120]) {
    const lines = renderTerminal(shares, { width, details: true }).split('\n');
    assert.deepEqual(new Set(lines.map((line) => line.length)), new Set([width]));
    const text = lines.map((line) => line.trim()).join(' ');
    // A warning without a code is shown as it is.
    assert.ok(text.includes(shares.warnings[0]) && text.includes('2 of 400 features'));
  }
});

test('a long name is on several lines, not cut', () => {
  const name = 'months with a late payment in the last two years';
  const lines = linesOf(showing([feature(name, -0.5, { value: 31 }), feature('size', 0.25)]), { width: 76 });
  assert.ok(!lines.join('\n').includes('…'));
  const first = lines.findIndex((line) => /▒/.test(line));
  const rest = lines.slice(first, -1).map((line) => line.split(/[▒│]/)[0].trim());
  assert.equal(rest.join(' '), `${name} 31`);
  assert.equal(new Set(lines.slice(first).map((line) => line.indexOf('│'))).size, 1);
});
