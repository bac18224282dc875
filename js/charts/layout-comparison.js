// Lays out why two answers differ: from the first answer through the changes of the contributions to the second one.
import { plain } from '../render/wording.js';
import { bound } from './chart-axis.js';
import { drawingOf, layoutHeading } from './chart-frame.js';
import { fill, figuresFor, nameOfAnswer, roundToSum, valueText } from './chart-words.js';
import { layoutSteps } from './layout-steps.js';
import { axisName, describeSteps, movesOf } from './layout-waterfall.js';

/**
 * @typedef {import('../measure/comparison.js').Comparison} Comparison
 * @typedef {import('../measure/comparison.js').ChangedFeature} ChangedFeature
 * @typedef {import('./chart-frame.js').Chart} Chart
 * @typedef {import('./chart-frame.js').ChartLook} ChartLook
 * @typedef {import('./chart-words.js').ChartLabels} ChartLabels
 * @typedef {import('./layout-steps.js').Step} Step
 */

/**
 * Lays out a comparison.
 *
 * @param {Comparison} comparison  checked
 * @param {ChartLook & { features: number, names?: readonly [string, string], labels: ChartLabels }} look  features: the largest
 *   number of features; names: of the two answers
 * @returns {Chart}
 */
export function layoutComparison(comparison, look) {
  const { labels, locale, width } = look;
  const [start, end] = [comparison.from, comparison.to].map(({ model }) => bound(model));
  const [firstName, lastName] = look.names?.map(plain) ?? [labels.before, labels.after];
  const { features, changes } = changesOf(comparison, look.features);
  const sizes = [start, end, ...changes.map(({ change }) => change)];
  const figures = figuresFor(Math.max(...sizes.map(Math.abs)) || 1, locale);
  const [shownStart, ...shown] = roundToSum([start, ...changes.map(({ change }) => change)], end, figures.unit);
  const first = { label: firstName, number: figures.unsigned(shownStart), at: start };
  const last = { label: lastName, number: figures.unsigned(end), at: end };
  const steps = stepsOf(changes, { at: start, end, shown: shown.map(figures.signed), look });
  const title = titleOf(comparison, [first.number, last.number], labels);
  const same = first.number === last.number ? labels.sameAnswer : labels.changedFromTo;
  const sentence = [
    fill(same, { start: first.number, end: last.number }),
    ...movesOf({ first, last, rows: steps }, labels),
  ].join(' ');
  const heading = layoutHeading({ title, sentence }, look);
  const content = { first, steps, last, axis: axisName(comparison, labels) };
  const { items, bottom } = layoutSteps(content, heading.height + 10, look);
  return {
    drawing: drawingOf([...heading.items, ...items], { width, height: bottom, title }),
    sentence,
    ...describeSteps(content, features, figures, labels),
  };
}

/** @param {Comparison} comparison @param {string[]} answers @param {ChartLabels} labels */
function titleOf(comparison, [from, to], labels) {
  const text = comparison.target === null ? labels.comparisonTitle : labels.comparisonTitleFor;
  return fill(text, { from, to, answer: nameOfAnswer(comparison, labels) });
}

/**
 * The changes that are shown: the largest ones, the sum of the others, and what no feature explains.
 *
 * @param {Comparison} comparison
 * @param {number} most
 * @returns {{ features: (ChangedFeature | null)[], changes: { feature: ChangedFeature | null, change: number, count: number }[] }}  count:
 *   of the other features, or 0
 */
function changesOf({ features, reference, rest }, most) {
  const moving = features.filter(({ change, interval }) => change || interval?.some(Boolean));
  const [shown, hidden] = [moving.slice(0, most), moving.slice(most)];
  const others = hidden.reduce((sum, { change }) => sum + change, 0);
  const open = reference + rest;
  const changes = [
    ...shown.map((feature) => ({ feature, change: feature.change, count: 0 })),
    ...(hidden.length ? [{ feature: null, change: others, count: hidden.length }] : []),
    ...(open ? [{ feature: null, change: open, count: 0 }] : []),
  ];
  return { features: changes.map(({ feature }) => feature), changes };
}

/**
 * @param {ReturnType<typeof changesOf>['changes']} changes
 * @param {{ at: number, end: number, shown: string[], look: ChartLook & { labels: ChartLabels } }} options  at: the first answer; end:
 *   the last one
 * @returns {Step[]}
 */
function stepsOf(changes, { at, end, shown, look: { labels, locale } }) {
  let answer = at;
  return changes.map(({ feature, change, count }, i) => {
    const from = answer;
    // The last step ends exactly at the second answer, whatever was lost to rounding.
    answer = i === changes.length - 1 ? end : bound(from + change);
    const place = { from, to: answer, number: shown[i] };
    if (feature) {
      /** @type {[number, number] | null} */
      const ends = feature.interval && [from + feature.interval[0], from + feature.interval[1]];
      const label = labelOf(feature, labels, locale);
      return feature.sure
        ? { ...place, label, ends, kind: 'sure' }
        : { ...place, label, ends, kind: 'unsure', number: labels.unsure };
    }
    const others = count === 1 ? labels.otherFeature : fill(labels.otherFeatures, { count });
    return { ...place, label: count ? others : labels.notExplained, ends: null, kind: 'rest' };
  });
}

/**
 * Names a feature with both values, or with one if they are equal.
 *
 * @param {ChangedFeature} feature
 * @param {ChartLabels} labels
 * @param {string} [locale]
 */
function labelOf({ name, from, to }, labels, locale) {
  const number = valueText(locale);
  const [before, after] = [from, to].map((part) => {
    const value = part?.value;
    return value === undefined ? '' : typeof value === 'number' ? number(value) : plain(value);
  });
  if (!before && !after) return plain(name);
  if (before === after || !before || !after) return `${plain(name)} ${before || after}`;
  return fill(labels.fromValueTo, { name: plain(name), from: before, to: after });
}
