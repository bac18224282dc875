import { coefficientInconsistency, signConflict, unidirectionality } from '../js/measure/stability-metrics.js';
import { element } from './demo-dom.js';

const METHODS = [['linex', 'LINEX'], ['lime', 'LIME']]; // prettier-ignore

/**
 * Five runs of both methods side by side: the sign of every feature in every run, and how steady they were.
 *
 * @param {{ label: string, linex: any, lime: any }[]} runs
 */
export function steadinessView(runs) {
  const all = Object.fromEntries(METHODS.map(([key]) => [key, runs.map((run) => run[key].weights)]));
  const names = new Map(
    runs.flatMap((run) => [...run.linex.features, ...run.lime.features]).map(({ index, name }) => [index, name]),
  );
  const width = Math.min(...runs.map((run) => run.linex.weights.length));
  const size = (index) =>
    METHODS.reduce(
      (sum, [key]) => sum + all[key].reduce((total, weights) => total + Math.abs(weights[index] ?? 0), 0),
      0,
    );
  const flips = (index) => METHODS.some(([key]) => changesSign(all[key], index));
  const bySize = [...names.keys()].filter((index) => index < width).sort((a, b) => size(b) - size(a));
  // The largest, and then those that could not make up their mind.
  const leading = [...new Set([...bySize.slice(0, 5), ...bySize.filter(flips)])].slice(0, 10);
  const scale = Math.max(
    ...METHODS.flatMap(([key]) => all[key].flatMap((weights) => leading.map((i) => Math.abs(weights[i])))),
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
      ...METHODS.flatMap(([key]) => runs.map((run) => cell(run[key].weights[index], scale, `${run.label}, ${key}`))),
    ),
  );
  return element(
    'div',
    {},
    element('p', { class: 'verdict' }, verdict(all)),
    element(
      'div',
      { class: 'scroll' },
      element(
        'table',
        { class: 'signs' },

        element('thead', {}, head),
        element('tbody', {}, ...rows),
      ),
    ),
    measures(all),
  );
}

/** Whether a feature is positive in one run and negative in another. */
function changesSign(runs, index) {
  return runs.some((weights) => weights[index] > 0) && runs.some((weights) => weights[index] < 0);
}

function verdict(all) {
  const count = (key) => all[key][0].filter((_, index) => changesSign(all[key], index)).length;
  return `Features whose sign changed between runs: LINEX ${count('linex')}, LIME ${count('lime')}.`;
}

function cell(weight, scale, label) {
  const sign = weight > 0 ? '+' : weight < 0 ? '−' : '0';
  const strength = Math.ceil((4 * Math.abs(weight)) / scale);
  const tone = weight > 0 ? `up-${strength}` : weight < 0 ? `down-${strength}` : 'none';
  return element('td', { class: `sign ${tone}`, title: `${label}: ${weight.toFixed(4)}` }, sign);
}

/** The paper's measures, for these runs. */
function measures(all) {
  const round = (value) => value.toFixed(3);
  const lines = [
    ['Unidirectionality (Υ), higher is steadier', (weights) => unidirectionality(weights)],
    ['Sign conflict, lower is steadier', (weights) => signConflict(weights)],
    ['Coefficient inconsistency, lower is steadier', ([first, ...others]) => coefficientInconsistency(first, others)],
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
          ...METHODS.map(([key]) => element('td', {}, round(measure(all[key])))),
        ),
      ),
    ),
  );
}
