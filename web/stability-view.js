// The table that compares the signs of LINEX and LIME over several runs.
import { coefficientInconsistency, signConflict, unidirectionality } from '../js/measure/stability-metrics.js';
import { element } from './make-element.js';

const METHODS = [['linex', 'LINEX'], ['lime', 'LIME']]; // prettier-ignore

/**
 * Shows the sign of each feature in each run, for both methods, and measures of their stability.
 *
 * @param {{ label: string, linex: any, lime: any }[]} runs
 */
export function stabilityView(runs) {
  const weightsOf = Object.fromEntries(METHODS.map(([key]) => [key, runs.map((run) => run[key].weights)]));
  const names = new Map(
    runs.flatMap((run) => [...run.linex.features, ...run.lime.features]).map(({ index, name }) => [index, name]),
  );
  const featureCount = Math.min(...runs.map((run) => run.linex.weights.length));
  const totalWeight = (index) =>
    METHODS.reduce(
      (sum, [key]) => sum + weightsOf[key].reduce((total, weights) => total + Math.abs(weights[index] ?? 0), 0),
      0,
    );
  const flips = (index) => METHODS.some(([key]) => changesSign(weightsOf[key], index));
  const byWeight = [...names.keys()]
    .filter((index) => index < featureCount)
    .sort((a, b) => totalWeight(b) - totalWeight(a));
  // The largest features, then those that change their sign.
  const leading = [...new Set([...byWeight.slice(0, 5), ...byWeight.filter(flips)])].slice(0, 10);
  const largest = Math.max(
    ...METHODS.flatMap(([key]) => weightsOf[key].flatMap((weights) => leading.map((i) => Math.abs(weights[i])))),
    1e-12,
  );
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col' }, 'Feature'),
    ...METHODS.map(([key, name]) =>
      element('th', { scope: 'colgroup', colspan: runs.length, class: `of-${key}` }, name),
    ),
  );
  const rows = leading.map((index) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, names.get(index)),
      ...METHODS.flatMap(([key]) => runs.map((run) => cell(run[key].weights[index], largest, `${run.label}, ${key}`))),
    ),
  );
  return element(
    'div',
    {},
    element('p', { class: 'verdict' }, verdict(weightsOf)),
    element(
      'div',
      { class: 'scroll' },
      element('table', { class: 'signs' }, element('thead', {}, head), element('tbody', {}, ...rows)),
    ),
    measures(weightsOf),
  );
}

/** Tells whether a feature is positive in one run and negative in another. */
function changesSign(runs, index) {
  return runs.some((weights) => weights[index] > 0) && runs.some((weights) => weights[index] < 0);
}

function verdict(weightsOf) {
  const count = (key) => weightsOf[key][0].filter((_, index) => changesSign(weightsOf[key], index)).length;
  return `Features whose sign changed between runs: LINEX ${count('linex')}, LIME ${count('lime')}.`;
}

function cell(weight, largest, label) {
  const sign = weight > 0 ? '+' : weight < 0 ? '−' : '0';
  const strength = Math.ceil((4 * Math.abs(weight)) / largest);
  const tone = weight > 0 ? `up-${strength}` : weight < 0 ? `down-${strength}` : 'none';
  return element('td', { class: `sign ${tone}`, title: `${label}: ${weight.toFixed(4)}` }, sign);
}

/** Creates the table of the paper's measures. */
function measures(weightsOf) {
  const round = (value) => value.toFixed(3);
  const lines = [
    ['Unidirectionality (Υ), higher is more stable', (weights) => unidirectionality(weights)],
    ['Sign conflict, lower is more stable', (weights) => signConflict(weights)],
    [
      'Coefficient inconsistency, lower is more stable',
      ([first, ...others]) => coefficientInconsistency(first, others),
    ],
  ];
  return element(
    'table',
    { class: 'measures' },
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('th', { scope: 'col' }, 'Measure'),
        ...METHODS.map(([, name]) => element('th', { scope: 'col' }, name)),
      ),
    ),
    element(
      'tbody',
      {},
      ...lines.map(([name, measure]) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, name),
          ...METHODS.map(([key]) => element('td', {}, round(measure(weightsOf[key])))),
        ),
      ),
    ),
  );
}
