// Explanations with one field replaced by a hostile value, for renderers and elements; it runs in Node and in a page.
import { explainedRow, silence } from '../contributions.js';
import { explanation, imageExplanation, loan, textExplanation } from './explanations-to-draw.js';

const count = loan.weights.length;
const game = { grams: [[1, 0, 0, 1]], targets: [[1, 2]], gamma: 0.5 };
const equilibrium = {
  ...{ converged: true, rounds: 4, residual: 1e-12, gamma: 0.5, multiplier: 0 },
  players: [new Array(count).fill(0.1), new Array(count).fill(0)],
};

const doubts = {
  warnings: ['few samples', 'too little', 'too far'],
  warningCodes: [
    { code: 'few-samples', samples: 3.5 },
    { code: 'poor-fit', explained: 0.04 },
    { code: 'far-reference', names: ['income', 'age'], distance: 3 },
  ],
};
const euros = { style: 'currency', currency: 'EUR', unit: 'per year' };

/** One explanation per kind, with every field that the library writes, and one of Shapley values. */
export const SUBJECTS = {
  row: {
    ...{ ...loan, equilibrium, game, queries: { ...loan.queries, stopped: 'settled' }, ...doubts },
    reference: { kind: 'mean', localPrediction: 0.6, values: [1, 2, 3, null, 4, 5] },
    features: loan.features.map((feature, i) =>
      i === 0
        ? { ...feature, format: euros }
        : i === loan.features.length - 1
          ? { ...feature, kind: 'quartile', reference: 0.25, range: [1, null] }
          : feature,
    ),
  },
  text: textExplanation(
    'A moving tale of love, told with great, great warmth',
    {
      great: 0.27,
      love: -0.14,
      tale: [0, { silenced: true, raw: -0.03, signAgreement: 0.12, interval: [-0.05, 0.04] }],
    },
    doubts,
  ),
  image: imageExplanation(8, 2, (x, y) => 0.3 - 0.2 * x - 0.25 * y, {}, 0),
  shap: explanation(
    loan.features.map((feature) => ({ ...feature, interval: null, signAgreement: null })),
    { method: 'shap', link: 'logit', target: 1, prediction: null, queries: { planned: 8, asked: 8, reused: 0 } },
  ),
  chart: silence(explainedRow([0.3, -0.2, 0.1], { values: [5, 'own', 2], error: 0.01, warnings: ['few samples'] }), 2),
};

/** Strings that run if they become markup, or an attribute. */
const MARKUP = '"><img src=x onerror=globalThis.ran=1><script>globalThis.ran=1</script>\u001b[2J\u202e';
const ATTRIBUTE = 'x" onfocus="globalThis.ran=1" tabindex="0" y="';

const inherited = (value) => Object.create(value);
const computed = (value) =>
  Object.defineProperties(
    Array.isArray(value) ? [] : {},
    Object.fromEntries(Object.entries(value).map(([key, now]) => [key, { enumerable: true, get: () => now }])),
  );

/** Values that JSON can hold, and values that only code can make. @param {unknown} original */
function hostileValues(original) {
  const values = [
    ...[MARKUP, ATTRIBUTE, '', '0', 'x'.repeat(100000), '__proto__', 'constructor', '\ud800\u0000\u009b'],
    ...[-1, 0.5, 1, 99, 2 ** 31, 2 ** 53, 1e308, -1e308, 5e-324, -0, NaN, Infinity, true, false, null, undefined],
    ...[[], [[]], [MARKUP], [1, 2], [2, 1], [null, null], [0, NaN], [0, 1, 2], new Array(1e9), 'abc'.split('')],
    ...[{}, { length: 1 }, { length: 1e9 }, { toString: MARKUP }, { constructor: { name: { toString: 1 } } }],
    JSON.parse(`{ "__proto__": { "index": ${JSON.stringify(MARKUP)} }, "toJSON": 1, "valueOf": null }`),
    { ['__proto__']: null, start: MARKUP, end: MARKUP, x: MARKUP, y: MARKUP, width: MARKUP, model: MARKUP },
    JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
    ...[new Date(0), new Map(), Float64Array.of(1, 2), () => MARKUP, Symbol(MARKUP), 10n],
  ];
  if (typeof original === 'string') values.push(original + MARKUP, [original], Object(original));
  if (typeof original === 'number')
    values.push(String(original), -original - 1, original + 0.5, original + 1e6, [original]);
  if (typeof original === 'object' && original !== null) values.push(inherited(original), computed(original));
  if (Array.isArray(original))
    values.push([...original, ...original], [...original, MARKUP], original.slice(1), [...original].reverse(), {
      ...original,
    });
  return values;
}

/** Returns the paths of all fields, and of the first and the last item of each array. */
function pathsIn(value, path = []) {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value)
    ? [...new Set([0, value.length - 1])].filter((i) => i in value)
    : Object.keys(value);
  return [path, ...keys.flatMap((key) => pathsIn(value[key], [...path, key]))];
}

/** Returns a copy with another value at a path. */
function replaced(value, [key, ...rest], by) {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = replaced(value[key], rest, by);
  return copy;
}

const valueAt = (value, path) => path.reduce((at, key) => at[key], value);

/** Writes a path as the messages do. */
const written = (path) =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .slice(1);

/**
 * Returns an explanation with each field replaced by each hostile value.
 *
 * @param {any} subject
 * @returns {Generator<{ path: string, value: unknown, attacked: any }>}
 */
export function* attacksOn(subject) {
  for (const path of pathsIn(subject))
    for (const value of hostileValues(valueAt(subject, path)))
      yield { path: written(path), value, attacked: replaced(subject, path, value) };
}

/**
 * Returns explanations with a string wherever the library writes a user's text: as the text itself, the class, a column, a
 * level, a word and a warning.
 *
 * @param {string} string
 */
export function explanationsWith(string) {
  const named = loan.features.map((feature, i) =>
    i < 3 ? { ...feature, name: string, column: string, ...(i < 2 && { value: string }) } : feature,
  );
  const around = `before ${string}`;
  const end = around.length;
  const word = (start, stop, index, weight) => ({
    ...{
      index,
      name: around.slice(start, stop),
      weight,
      interval: [weight, weight],
      signAgreement: 1,
      silenced: false,
    },
    occurrences: [{ start, end: stop }],
  });
  const features = [word(0, 6, 0, 0.5), ...(end > 7 ? [word(7, end, 1, -1)] : [])];
  const tokens = features.map(({ index, occurrences: [span] }) => ({ ...span, feature: index }));
  const charted = explainedRow([0.3, -0.2, 0.1], { names: [string, string, 'c'], values: [5, string, null] });
  return {
    row: { ...loan, target: string, warnings: [string], features: named },
    chart: { ...charted, target: string, warnings: [string] },
    text: explanation(features, { kind: 'text', text: around, tokens, target: string, warnings: [string, string] }),
  };
}
