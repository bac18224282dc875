// Lays out why two answers differ: from the first answer through the changes of the contributions to the second one.
import { stepOf } from '../render/palette.js';
import { plain } from '../render/wording.js';
import { bound } from './chart-axis.js';
import { drawingOf, layoutHeading } from './chart-frame.js';
import { roundToSum } from './chart-words.js';
import { layoutSteps } from './layout-steps.js';
import { describeSteps, movesOf } from './layout-waterfall.js';

/**
 * @typedef {import('../measure/comparison.js').Comparison} Comparison
 * @typedef {import('../measure/comparison.js').ChangedFeature} ChangedFeature
 * @typedef {import('./chart-frame.js').Chart} Chart
 * @typedef {import('./chart-frame.js').ChartLook} ChartLook
 * @typedef {import('./chart-words.js').ChartWords} ChartWords
 * @typedef {import('./layout-steps.js').Step} Step
 */

/**
 * Lays out a comparison.
 *
 * @param {Comparison} comparison  checked
 * @param {ChartLook & { features: number, names?: readonly [string, string] }} look  features: the largest number of features;
 *   names: of the two answers
 * @returns {Chart}
 */
export function layoutComparison(comparison, look) {
  const { words, width } = look;
  const { labels } = words;
  const [start, end] = [comparison.from, comparison.to].map(({ model }) => bound(model));
  const [firstName, lastName] = look.names?.map(plain) ?? [labels.before, labels.after];
  const changes = changesOf(comparison, look.features);
  const sizes = [start, end, ...changes.map(({ change }) => change)];
  const figures = words.figures(Math.max(...sizes.map(Math.abs)) || 1);
  const [shownStart, ...shown] = roundToSum([start, ...changes.map(({ change }) => change)], end, figures.unit);
  const first = { label: firstName, number: figures.unsigned(shownStart), at: start };
  const last = { label: lastName, number: figures.unsigned(end), at: end };
  const steps = stepsOf(changes, { at: start, end, shown: shown.map(figures.signed), words });
  const title = titleOf(
    comparison,
    [start, end].map((answer) => words.answer(answer)),
    words,
  );
  const values = { start: first.number, end: last.number, first: firstName, last: lastName };
  const moved = look.names ? 'namedAnswers' : 'answerChange';
  const said = words.say(first.number === last.number ? 'sameAnswer' : moved, values);
  const sentence = [said, ...movesOf({ first, last, rows: steps }, words)].join(' ');
  const heading = layoutHeading(title, [sentence, ...(comparison.link === 'logit' ? [labels.logOdds] : [])], look);
  const content = { first, steps, last, axis: words.axis(comparison) };
  const { items, bottom } = layoutSteps(content, heading.height + 12, look);
  const features = changes.map(({ feature }) => feature);
  return {
    drawing: drawingOf([...heading.items, ...items], { width, height: bottom, title }),
    sentence,
    ...describeSteps(content, features, figures, words),
  };
}

/** @param {Comparison} comparison @param {string[]} answers @param {ChartWords} words */
function titleOf(comparison, [from, to], words) {
  if (comparison.target === null) return words.say('comparisonTitle', { from, to });
  return words.say('comparisonTitleFor', { from, to, answer: words.subject(comparison) });
}

/**
 * The changes that are shown: the largest ones, the sum of the others, and what no feature explains.
 *
 * @param {Comparison} comparison
 * @param {number} most
 * @returns {{ feature: ChangedFeature | null, change: number, count: number }[]}  count: of the other features, or 0
 */
function changesOf({ features, reference, rest, from, to }, most) {
  const moving = features.filter(({ change, interval }) => change || interval?.some(Boolean));
  const [shown, hidden] = [moving.slice(0, most), moving.slice(most)];
  const others = hidden.reduce((sum, { change }) => sum + change, 0);
  const open = reference + rest;
  // A difference that comes from rounding alone is no step.
  const rounding = 1e-9 * Math.max(...[from.model, to.model, ...moving.map(({ change }) => change)].map(Math.abs));
  return [
    ...shown.map((feature) => ({ feature, change: feature.change, count: 0 })),
    ...(hidden.length ? [{ feature: null, change: others, count: hidden.length }] : []),
    ...(Math.abs(open) > rounding ? [{ feature: null, change: open, count: 0 }] : []),
  ];
}

/**
 * @param {ReturnType<typeof changesOf>} changes
 * @param {{ at: number, end: number, shown: string[], words: ChartWords }} options  at: the first answer; end: the last one
 * @returns {Step[]}
 */
function stepsOf(changes, { at, end, shown, words }) {
  const { labels } = words;
  const largest =
    changes.reduce((most, { feature, change }) => (feature ? Math.max(most, Math.abs(change)) : most), 0) || 1;
  let answer = at;
  return changes.map(({ feature, change, count }, i) => {
    const from = answer;
    // The last step ends exactly at the second answer, whatever was lost to rounding.
    answer = i === changes.length - 1 ? end : bound(from + change);
    const place = { from, to: answer, number: shown[i], step: 'z' };
    if (feature) {
      /** @type {[number, number] | null} */
      const ends = feature.interval && [from + feature.interval[0], from + feature.interval[1]];
      const label = labelOf(feature, words);
      return feature.sure
        ? { ...place, label, ends, kind: 'sure', step: stepOf(change, largest) }
        : { ...place, label, ends, kind: 'unsure', number: isSame(feature) ? labels.same : labels.unsure };
    }
    const others = count === 1 ? labels.otherFeature : words.say('otherFeatures', { count });
    return { ...place, label: count ? others : labels.notExplained, ends: null, kind: 'rest', striped: !count };
  });
}

/** Whether a feature has the same value in both, so that there is no change to be unsure of. @param {ChangedFeature} feature */
const isSame = ({ from, to }) => from?.value !== undefined && from.value === to?.value;

/**
 * Names a feature with both values, or with one if they are equal.
 *
 * @param {ChangedFeature} feature
 * @param {ChartWords} words
 */
function labelOf({ name, from, to, format }, words) {
  const [before, after] = [from, to].map((part) => (part?.value === undefined ? '' : words.value(part.value, format)));
  if (before && before === after) return words.say('inBoth', { name: plain(name), value: before });
  if (!before || !after) return [plain(name), before || after].filter(Boolean).join(' ');
  return words.say('valueChange', { name: plain(name), from: before, to: after });
}
