// Lays out the waterfall of an explanation: from the answer at the reference through the contributions to the prediction.
import { show } from '../core/errors.js';
import { answersOf, partOf } from '../measure/aligned-explanations.js';
import { labelOf, plain, titleOf } from '../render/wording.js';
import { bound } from './chart-axis.js';
import { drawingOf, layoutHeading } from './chart-frame.js';
import { fill, figuresFor, listOf, roundToSum, targetName } from './chart-words.js';
import { layoutSteps } from './layout-steps.js';

/**
 * @typedef {import('./chart-frame.js').Chart} Chart
 * @typedef {import('./chart-frame.js').ChartLook} ChartLook
 * @typedef {import('./chart-words.js').ChartLabels} ChartLabels
 * @typedef {import('./layout-steps.js').Answer} Answer
 * @typedef {import('./layout-steps.js').Step} Step
 * @typedef {import('../render/wording.js').Explanation} Explanation
 */

/**
 * @typedef {object} WaterfallStep
 * @property {any} feature  null for what is no listed feature
 * @property {import('../measure/aligned-explanations.js').Part | null} part
 * @property {number} from
 * @property {number} to
 * @property {'feature' | 'others' | 'error'} kind  `'others'`: the features that are not shown; `'error'`: of the surrogate
 */

/**
 * The steps of an explanation. Each starts where the one before ends; the first one starts at the answer at the reference, the
 * last one ends at the model's answer.
 *
 * @param {any} explanation  checked
 * @param {number} most  the largest number of features; the others are summed up
 * @returns {{ from: number, to: number, others: number, steps: WaterfallStep[] }}  others: how many features are not shown
 * @throws {TypeError}  if it has no contributions
 */
export function stepsOf(explanation, most) {
  const { features, weights } = explanation;
  features.forEach((/** @type {any} */ { contribution }, /** @type {number} */ f) => {
    if (contribution === undefined)
      throw new TypeError(`features[${f}].contribution must be a finite number, not ${show(contribution)}`);
  });
  const answers = answersOf(explanation);
  const [reference, surrogate, model] = [answers.reference, answers.surrogate, answers.model].map(bound);
  const sorted = [...features].sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution) || a.index - b.index);
  let at = reference;
  const steps = sorted.slice(0, most).map((feature) => {
    const part = partOf(feature);
    const from = at;
    at = bound(at + part.contribution);
    return /** @type {WaterfallStep} */ ({ feature, part, from, to: at, kind: 'feature' });
  });
  // A difference that comes from rounding alone is no step.
  const rounding = 1e-9 * Math.max(...[reference, surrogate, model, ...steps.map(({ to }) => to)].map(Math.abs));
  const others = weights.length - steps.length;
  if (others > 0 && Math.abs(surrogate - at) > rounding) {
    steps.push({ feature: null, part: null, from: at, to: surrogate, kind: 'others' });
    at = surrogate;
  }
  if (Math.abs(model - at) > rounding) steps.push({ feature: null, part: null, from: at, to: model, kind: 'error' });
  else if (steps.length > 0) steps[steps.length - 1].to = model;
  return { from: reference, to: model, others, steps };
}

/**
 * Lays out a waterfall.
 *
 * @param {Explanation} explanation  checked
 * @param {ChartLook & { features: number, labels: ChartLabels }} look  features: the largest number of features
 * @returns {Chart}
 * @throws {TypeError}  if it has no contributions
 */
export function layoutWaterfall(explanation, look) {
  const { labels, locale, width } = look;
  const { from, to, others, steps } = stepsOf(explanation, look.features);
  const changes = steps.map((step) => step.to - step.from);
  const figures = figuresFor(Math.max(...[from, to, ...changes].map(Math.abs)) || 1, locale);
  const [start, ...shown] = roundToSum([from, ...changes], to, figures.unit);
  const rows = steps.map((step, i) => stepRow(step, figures.signed(shown[i]), { explanation, others, labels }));
  const first = { label: referenceName(explanation, labels), number: figures.unsigned(start), at: from };
  const last = { label: inputName(explanation, labels), number: figures.unsigned(to), at: to };
  const title = titleOf(explanation);
  const sentence = sentenceOf({ first, last, rows }, labels);
  const heading = layoutHeading({ title, sentence, notes: explanation.warnings.map(plain) }, look);
  const content = { first, steps: rows, last, axis: axisName(explanation, labels) };
  const { items, bottom } = layoutSteps(content, heading.height + 10, look);
  const features = steps.map(({ feature }) => feature);
  return {
    drawing: drawingOf([...heading.items, ...items], { width, height: bottom, title }),
    sentence,
    ...describeSteps(content, features, figures, labels),
  };
}

/**
 * @param {WaterfallStep} step
 * @param {string} number  the change, as text
 * @param {{ explanation: Explanation, others: number, labels: ChartLabels }} context
 * @returns {Step}
 */
function stepRow({ feature, part, from, to, kind }, number, { explanation, others, labels }) {
  if (part) {
    const ends = part.interval && shiftBy(part.interval, from);
    const label = labelOf(feature, explanation, ' ');
    return part.sure
      ? { label, number, from, to, ends, kind: 'sure' }
      : { label, number: labels.unsure, from, to, ends, kind: 'unsure' };
  }
  const many = others === 1 ? labels.otherFeature : fill(labels.otherFeatures, { count: others });
  return { label: kind === 'error' ? labels.notExplained : many, number, from, to, ends: null, kind: 'rest' };
}

/**
 * Describes all rows in words.
 *
 * @param {{ first: Answer, steps: readonly Step[], last: Answer }} content
 * @param {readonly ({ index: number, name: string } | null)[]} features  of the steps
 * @param {import('./chart-words.js').Figures} figures
 * @param {ChartLabels} labels
 * @returns {Pick<Chart, 'table' | 'stops'>}
 */
export function describeSteps({ first, steps, last }, features, { signed, unsigned }, labels) {
  const intervalOf = (/** @type {Step} */ { ends, from }) => {
    const [low, high] = ends ? shiftBy(ends, -from).map(signed) : [];
    return ends ? fill(labels.intervalFromTo, { low, high }) : '';
  };
  const rows = [
    [first.label, '', '', first.number],
    ...steps.map((step) => [step.label, step.number, intervalOf(step), unsigned(step.to)]),
    [last.label, '', '', last.number],
  ];
  return {
    table: { headings: [labels.feature, labels.change, labels.interval, labels.answerAfter], rows },
    stops: rows.map(([label, change, interval, answer], i) => {
      const feature = features[i - 1] ?? null;
      const details = change ? [label, change, interval] : [label, answer];
      return { feature: feature && feature.index, name: feature ? feature.name : '', details: details.filter(Boolean) };
    }),
  };
}

/** @param {readonly [number, number]} interval @param {number} by @returns {[number, number]} */
const shiftBy = ([low, high], by) => [low + by, high + by];

/**
 * Names what the contributions are relative to.
 *
 * @param {any} explanation
 * @param {ChartLabels} labels
 */
export function referenceName({ kind, reference }, labels) {
  if (reference.kind === 'mean') return labels.average;
  if (reference.kind === 'row') return labels.referenceRow;
  if (reference.kind === 'background') return labels.averageOfBackground;
  return { row: labels.allZero, text: labels.noWords, image: labels.nothingVisible }[/** @type {'row'} */ (kind)];
}

/** @param {any} explanation @param {ChartLabels} labels */
export const inputName = ({ kind }, labels) =>
  ({ row: labels.thisRow, text: labels.thisText, image: labels.thisImage })[/** @type {'row'} */ (kind)];

/** Names the axis of answers. @param {any} of  an explanation, a summary or a comparison @param {ChartLabels} labels */
export function axisName({ target, link }, labels) {
  const name = targetName(target);
  if (!name) return link === 'logit' ? labels.logOdds : labels.answer;
  return fill(link === 'logit' ? labels.logOddsFor : labels.answerFor, { target: name });
}

/**
 * Says where the answer starts and ends, and which features move it most.
 *
 * @param {{ first: Answer, last: Answer, rows: Step[] }} content
 * @param {ChartLabels} labels
 */
function sentenceOf({ first, last, rows }, labels) {
  const values = { start: first.number, reference: first.label, end: last.number, input: last.label };
  return [fill(labels.fromTo, values), ...movesOf({ first, last, rows }, labels)].join(' ');
}

/**
 * Names the features that move an answer most, first those that move it to where it ends.
 *
 * @param {{ first: Answer, last: Answer, rows: readonly Step[] }} content
 * @param {ChartLabels} labels
 * @returns {string[]}  sentences
 */
export function movesOf({ first, last, rows }, labels) {
  const leading = (/** @type {number} */ sign) =>
    rows
      .filter(({ kind, from, to }) => kind === 'sure' && sign * (to - from) > 0)
      .slice(0, 2)
      .map(({ label, number }) => `${label} (${number})`);
  const [up, down] = [leading(1), leading(-1)];
  const moves = [
    ...(up.length ? [fill(labels.raisedMost, { list: listOf(up, labels) })] : []),
    ...(down.length ? [fill(labels.loweredMost, { list: listOf(down, labels) })] : []),
  ];
  if (last.at < first.at) moves.reverse();
  return moves.length ? moves : [labels.nothingSure];
}
