// Made-up explanations for the tests of renderers and elements: no model, no wasm.

/** Returns a feature whose interval is its weight plus and minus a quarter of it. */
export const feature = (index, name, weight, more = {}) => ({
  index,
  name,
  weight,
  interval: [weight - Math.abs(weight) / 4, weight + Math.abs(weight) / 4],
  signAgreement: 1,
  silenced: false,
  ...more,
});

/** Returns one weight per feature, by index; features that were not selected have none. */
const weightsOf = (features, count = 0) => {
  const weights = new Array(Math.max(count, ...features.map(({ index }) => index + 1))).fill(0);
  for (const { index, weight } of features) weights[index] = weight;
  return weights;
};

/** Returns an explanation with these features; `more` replaces its other properties. */
export const explanation = (features, more = {}) => ({
  schema: 'linex/1',
  kind: 'row',
  method: 'linex',
  target: 'positive',
  prediction: 0.934,
  localPrediction: 0.91,
  intercept: 0.5,
  fidelity: 0.81,
  features: [...features].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)),
  weights: weightsOf(features),
  equilibrium: null,
  queries: { planned: 1000, asked: 912, reused: 88 },
  effectiveSamples: 400,
  warnings: [],
  seed: 0,
  milliseconds: { model: 1, own: 1 },
  ...more,
});

/** Returns an explanation of a text whose words are the tokens; `weights` are by word, and may add feature properties. */
export function textExplanation(text, weights, more = {}, unit = /[\p{L}\p{N}\p{M}'’-]+/gu) {
  const found = [...text.matchAll(unit)].map(({ 0: word, index }) => ({
    word,
    start: index,
    end: index + word.length,
  }));
  const names = [...new Set(found.map(({ word }) => word))];
  const tokens = found.map(({ word, start, end }) => ({ start, end, feature: names.indexOf(word) }));
  const features = Object.entries(weights).map(([name, given]) => {
    const index = names.indexOf(name);
    const occurrences = tokens.filter((token) => token.feature === index).map(({ start, end }) => ({ start, end }));
    const [weight, more] = Array.isArray(given) ? given : [given, {}];
    return feature(index, name, weight, { occurrences, ...more });
  });
  return explanation(features, { kind: 'text', text, tokens, weights: weightsOf(features, names.length), ...more });
}

export const review = textExplanation(
  'A moving tale of love and loss, told with great warmth. The middle drags a little, and the villain is dull, ' +
    'but the last act is a great joy to watch.',
  {
    moving: 0.31,
    great: 0.274,
    joy: 0.18,
    warmth: 0.09,
    dull: -0.262,
    drags: -0.141,
    villain: [-0.02, { signAgreement: 0.31, interval: [-0.06, 0.05] }],
    little: [0, { silenced: true, raw: -0.03, signAgreement: 0.12, interval: [-0.05, 0.04] }],
  },
);

/** A numeric column has a weight of the same size and the sign of its distance; a level is shared by a half. */
const column = (index, name, contribution, value, more = {}) => {
  const level = typeof value === 'string';
  const reference = level ? 0.5 : contribution < 0 ? value + 3 : (value * 2) / 3;
  const weight = level ? 2 * contribution : contribution * Math.sign(value - reference);
  const known = feature(index, name, contribution, more);
  const flip = (interval) =>
    level ? interval.map((end) => 2 * end) : weight * contribution < 0 ? [-interval[1], -interval[0]] : interval;
  const place = level ? { kind: 'level', reference } : { kind: 'numeric', reference, spread: 3, step: 3 };
  return {
    ...{ ...known, weight, interval: flip(known.interval), column: name, value, perUnit: weight, perDeviation: weight },
    ...{ contribution: known.silenced ? 0 : contribution, contributionInterval: known.interval, ...place },
  };
};
export const loan = explanation(
  [
    column(0, 'income', 0.412, 54000),
    column(1, 'years in the job', 0.118, 7, { signAgreement: 0.96 }),
    column(2, 'open credits', -0.287, 4),
    column(3, 'home', 0.052, 'rent', { signAgreement: 0.42, interval: [-0.03, 0.1] }),
    column(4, 'age', 0, 41, { silenced: true, raw: 0.06, signAgreement: 0.2, interval: [-0.05, 0.09] }),
    column(5, 'late payments', -0.2, 1, { signAgreement: 0.98 }),
  ],
  { target: 'repays', prediction: 0.71, reference: { kind: 'mean', localPrediction: 0.62 } },
);

/** Returns the pixels of a mountain under a sun, computed by a formula. */
export function photo(width, height, channels = 3) {
  const data = new Uint8ClampedArray(width * height * channels);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [x / width, y / height];
      const ridge = 0.55 + 0.25 * Math.abs(u - 0.45) + 0.03 * Math.sin(40 * u);
      const sun = Math.hypot((u - 0.75) * (width / height), v - 0.22) < 0.11;
      const grain = 10 * Math.sin(12.9898 * x + 78.233 * y);
      const color = sun
        ? [255, 214, 92]
        : v < ridge
          ? [96 + 90 * v, 150 + 70 * v, 215]
          : [70 + 60 * (v - ridge), 96 + 90 * (v - ridge), 62];
      const pixel = channels === 1 ? [(color[0] + color[1] + color[2]) / 3] : [...color, 255].slice(0, channels);
      pixel.forEach((value, i) => (data[(y * width + x) * channels + i] = i === 3 ? 255 : value + grain));
    }
  return { data, width, height, channels };
}

/**
 * Returns an explanation of a square image. Its superpixels are wavy cells, `count` per side. `weightOf` gives the
 * weight of the cell at column x and row y, or undefined if it was not selected.
 */
export function imageExplanation(size, count, weightOf, more = {}, wave = 0.04) {
  const labels = Array.from({ length: size * size }, (_, i) => {
    const [x, y] = [(i % size) / size, Math.floor(i / size) / size];
    const cell = (value) => Math.max(0, Math.min(count - 1, Math.floor(count * value)));
    return count * cell(y + wave * Math.sin(9 * x)) + cell(x + wave * Math.cos(8 * y));
  });
  const features = [];
  for (let index = 0; index < count * count; index++) {
    const weight = weightOf(index % count, Math.floor(index / count));
    const pixels = labels.flatMap((label, i) => (label === index ? [i] : []));
    if (weight === undefined || pixels.length === 0) continue;
    const [xs, ys] = [pixels.map((i) => i % size), pixels.map((i) => Math.floor(i / size))];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    const box = { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 };
    features.push(feature(index, `superpixel ${index}`, weight, { box, area: pixels.length }));
  }
  const weights = Array.from({ length: count * count }, (_, i) => weightOf(i % count, Math.floor(i / count)) ?? 0);
  return explanation(features, { kind: 'image', target: 'alp', width: size, height: size, labels, weights, ...more });
}

/** Weights by column and row of the cell. */
const ALPS = {
  '5,1': 0.42,
  '2,4': 0.3,
  '3,4': 0.26,
  '1,5': 0.12,
  '4,5': 0.05,
  '0,0': -0.18,
  '6,6': -0.3,
  '5,5': -0.09,
  '2,1': -0.03,
};
export const alps = imageExplanation(112, 7, (x, y) => ALPS[`${x},${y}`]);

/** Each of 28 x 28 pixels is a feature: a ring raises the answer, a bar lowers it. */
export const digit = imageExplanation(
  28,
  28,
  (x, y) => {
    const ring = Math.exp(-((Math.hypot(x - 13.5, y - 13.5) - 8) ** 2) / 5);
    const bar = Math.abs(y - 13.5) < 2 && Math.abs(x - 13.5) < 5 ? 0.8 : 0;
    return Number((0.01 * (ring - bar)).toPrecision(3));
  },
  { target: 0, kind: 'image' },
  0,
);
