// Tests of renderTerminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderTerminal } from 'linex/render';

const feature = (name, weight, more = {}) => ({
  name,
  weight,
  interval: [weight - 0.1, weight + 0.1],
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
  fidelity: 0.5,
  queries: { planned: 100, asked: 90, reused: 10 },
  warnings: [],
  features: features.map((given, index) => ({ ...given, index })),
  weights: features.map(({ weight }) => weight),
  ...more,
});
const explanation = showing([
  feature('age', -0.5, { value: 31 }),
  feature('size', 0.25),
  feature('shade', 0, { silenced: true, signAgreement: 0.2 }),
]);

test('bars go left if a feature lowers the answer and right if it raises it, in proportion to the weight', () => {
  const [head, age, size, shade] = renderTerminal(explanation, { width: 70 }).split('\n');
  assert.match(head, /LINEX · for yes · answer 0.75 · fidelity R² 0.50 · 90 queries/);
  assert.match(age, /^age 31 .*▒+│ +−0\.500 \[−0\.600, −0\.400\] 100%/);
  assert.match(size, /^size .* │█+ +\+0\.250 \[\+0\.150, \+0\.350\] 100%/);
  assert.match(shade, /^shade .* │ +silenced .* 20%/);
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

test('values of the row are not rounded away, and small weights keep their digits', () => {
  const small = showing([feature('year', 0.0000123, { value: 2024 }), feature('income', -0.000004, { value: 70433 })]);
  const [, year, income] = renderTerminal(small).split('\n');
  assert.match(year, /^year 2024 .*\+0\.0000123/);
  assert.match(income, /^income 70433 .*−0\.0000040/);
  const odd = showing([feature('two\nlines', 1)]);
  assert.equal(renderTerminal(odd).split('\n').length, 2);
  assert.throws(() => renderTerminal([explanation]), /renderTerminal needs an explanation, not Array of length 1/);
});

test('a long name is cut, and an explanation without features still has a head', () => {
  const long = showing([feature('x'.repeat(200), 1)]);
  assert.match(renderTerminal(long, { width: 60 }), /x…/);
  assert.match(renderTerminal({ ...explanation, features: [] }), /^LINEX/);
  assert.throws(() => renderTerminal(explanation, { colour: true }), /no option "colour"; did you mean "color"/);
});

test('the head gives the number of features and queries, log-odds, and whether the result is exact', () => {
  const head = (more) => renderTerminal({ ...explanation, ...more }, { width: 120 }).split('\n')[0];
  assert.match(head({ weights: new Array(12).fill(0) }), / · 90 queries · 3 of 12 features *$/);
  assert.match(head({ weights: [1, 2, 3] }), / · 90 queries *$/);
  assert.match(head({ queries: { planned: 1, asked: 1, reused: 0 } }), / · 1 query *$/);
  assert.match(head({ link: 'logit' }), / · log-odds *$/);
  assert.doesNotMatch(head({ link: 'identity' }), /log-odds/);
  const queries = { planned: 8, asked: 8, reused: 0, stopped: 'exhausted' };
  assert.match(head({ method: 'shap', queries }), /^SHAP · .* · 8 queries · exact *$/);
  assert.doesNotMatch(head({ method: 'linex', queries }), /exact/);
});

test('no line is wider than the given width, even if names, numbers and warnings are long', () => {
  const features = ['a column with a long name', 'b'].map((name) => ({
    ...feature(name, 123456.789, { value: 1234567.89 }),
    interval: [-123456.7891, 1234567.8912],
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
    const lines = renderTerminal(shares, { width }).split('\n');
    assert.deepEqual(new Set(lines.map((line) => line.length)), new Set([width]));
    const text = lines.map((line) => line.trim()).join(' ');
    assert.ok(text.includes(`! ${shares.warnings[0]}`) && text.includes('2 of 400 features'));
  }
});
