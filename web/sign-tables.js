// The tables of signs: does each reason keep its direction when the question is asked again?
import { changesSign, countChanges } from './change-of-weights.js';
import { element } from './make-element.js';

/** The most features of a table. */
const MOST = 9;

/**
 * @typedef {object} Runs  the runs of one method
 * @property {string} key
 * @property {string} name
 * @property {{ label: string, explanation: any }[]} runs
 */

/**
 * Shows the sign of each feature in each run, one table per method.
 *
 * @param {Runs[]} methods  all with the same number of runs
 * @param {string} things  what the features are called, such as "words"
 */
export function signTables(methods, things) {
  const weights = Object.fromEntries(
    methods.map(({ key, runs }) => [key, runs.map(({ explanation }) => explanation.weights)]),
  );
  const names = new Map(
    methods
      .flatMap(({ runs }) => runs.flatMap(({ explanation }) => [...explanation.features]))
      .map(({ index, name }) => [index, name]),
  );
  const leading = leadingOf(Object.values(weights), [...names.keys()]);
  const sizes = Object.values(weights).flat();
  const largest = Math.max(1e-12, ...sizes.flatMap((one) => leading.map((i) => Math.abs(one[i]))));
  const verdict = methods.map(({ key, name }) => `${name} ${countChanges(weights[key])}`).join(', ');
  return element(
    'div',
    { class: 'signs' },
    element('p', { class: 'verdict' }, `${things} that changed sides: ${verdict}.`),
    element(
      'div',
      { class: 'tables' },
      ...methods.map((method) => tableOf(method, { leading, names, largest, weights: weights[method.key] })),
    ),
  );
}

/** The features that are shown: the largest, then those that change their sign. */
function leadingOf(methods, indices) {
  const size = (index) => methods.flat().reduce((sum, weights) => sum + Math.abs(weights[index] ?? 0), 0);
  const bySize = indices.sort((a, b) => size(b) - size(a));
  const changing = bySize.filter((index) => methods.some((runs) => changesSign(runs, index)));
  const kept = bySize.filter((index) => !changing.includes(index)).slice(0, Math.max(4, MOST - changing.length));
  return [...kept, ...changing].slice(0, MOST);
}

function tableOf({ name, runs }, { leading, names, largest, weights }) {
  const row = (index) =>
    element(
      'tr',
      changesSign(weights, index) ? { class: 'changed' } : {},
      element('th', { scope: 'row' }, names.get(index)),
      ...runs.map(({ label, explanation }) => cell(explanation.weights[index], largest, label)),
    );
  return element(
    'table',
    {},
    element('caption', {}, name),
    element(
      'thead',
      { class: 'hidden' },
      element('tr', {}, element('td', {}), ...runs.map(({ label }) => element('th', { scope: 'col' }, label))),
    ),
    element('tbody', {}, ...leading.map(row)),
  );
}

function cell(weight, largest, label) {
  const sign = weight > 0 ? '+' : weight < 0 ? '−' : '·';
  const strength = Math.ceil((4 * Math.abs(weight)) / largest);
  const tone = weight > 0 ? `up-${strength}` : weight < 0 ? `down-${strength}` : 'none';
  return element('td', { class: `sign ${tone}`, title: `${label}: ${weight.toFixed(4)}` }, sign);
}
