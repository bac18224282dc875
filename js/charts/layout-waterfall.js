// Lays out the waterfall of an explanation: from the answer at the reference through the contributions to the prediction.
import { answersOf } from '../measure/aligned-explanations.js';
import { Reading } from '../render/reading.js';
import { bound } from './chart-axis.js';
import { drawingOf, layoutHeading } from './chart-frame.js';
import { roundToSum } from './chart-words.js';
import { layoutSteps } from './layout-steps.js';

/**
 * @typedef {import('./chart-frame.js').Chart} Chart
 * @typedef {import('./chart-frame.js').ChartLook} ChartLook
 * @typedef {import('./chart-words.js').ChartWords} ChartWords
 * @typedef {import('./layout-steps.js').Answer} Answer
 * @typedef {import('./layout-steps.js').Step} Step
 * @typedef {import('../render/wording.js').Explanation} Explanation
 * @typedef {import('../render/reading.js').Item} Item
 */

/** A sentence leaves out steps below this share of the largest. */
const WORTH_SAYING = 0.1;

/**
 * @typedef {object} WaterfallStep
 * @property {Item | null} item  null for what is no listed feature
 * @property {number} from
 * @property {number} to
 * @property {'feature' | 'others' | 'error'} kind  `'others'`: the features that are not shown; `'error'`: of the surrogate
 */

/**
 * The steps of an explanation. Each starts where the one before ends; the first one starts at the answer at the reference, the
 * last one ends at the model's answer.
 *
 * @param {Reading} reading  of contributions
 * @param {number} most  the largest number of features; the others are summed up
 * @returns {{ from: number, to: number, others: number, steps: WaterfallStep[] }}  others: how many features are not shown
 * @throws {TypeError}  if an answer has no log-odds
 */
export function stepsOf({ explanation, items }, most) {
  const answers = answersOf(explanation);
  const [reference, surrogate, model] = [answers.reference, answers.surrogate, answers.model].map(bound);
  let at = reference;
  const steps = items.slice(0, most).map((item) => {
    const from = at;
    at = bound(at + item.amount);
    return /** @type {WaterfallStep} */ ({ item, from, to: at, kind: 'feature' });
  });
  // A difference that comes from rounding alone is no step.
  const rounding = 1e-9 * Math.max(...[reference, surrogate, model, ...steps.map(({ to }) => to)].map(Math.abs));
  const others = explanation.weights.length - steps.length;
  if (others > 0 && Math.abs(surrogate - at) > rounding) {
    steps.push({ item: null, from: at, to: surrogate, kind: 'others' });
    at = surrogate;
  }
  if (Math.abs(model - at) > rounding) steps.push({ item: null, from: at, to: model, kind: 'error' });
  else if (steps.length > 0) steps[steps.length - 1].to = model;
  return { from: reference, to: model, others, steps };
}

/**
 * Lays out a waterfall.
 *
 * @param {Explanation} explanation  checked, with contributions
 * @param {ChartLook & { features: number }} look  features: the largest number of features
 * @returns {Chart}
 * @throws {TypeError}  if an answer has no log-odds
 */
export function layoutWaterfall(explanation, look) {
  const { words, width } = look;
  const reading = new Reading(explanation, { view: 'contribution', ...words.reading });
  const { from, to, others, steps } = stepsOf(reading, look.features);
  const changes = steps.map((step) => step.to - step.from);
  const figures = words.figures(Math.max(...[from, to, ...changes].map(Math.abs)) || 1);
  const [start, ...shown] = roundToSum([from, ...changes], to, figures.unit);
  const rows = steps.map((step, i) => stepRow(step, figures.signed(shown[i]), { reading, others, words }));
  const first = { label: referenceName(explanation, words), number: figures.unsigned(start), at: from };
  const last = { label: inputName(explanation, words), number: figures.unsigned(to), at: to };
  const { title, standing, notes, poor } = reading;
  const values = { start: first.number, reference: first.label, end: last.number, input: last.label };
  const sentence = [words.say('startToEnd', values), ...movesOf({ first, last, rows }, words)].join(' ');
  // That the rest is not to be relied on comes first.
  const said = [standing, sentence].filter(Boolean);
  const lines = poor ? [notes[0], ...said, ...notes.slice(1)] : [...said, ...notes];
  const heading = layoutHeading(title, lines, look);
  const content = { first, steps: rows, last, axis: words.axis(explanation, reading.isChance) };
  const { items, bottom } = layoutSteps(content, heading.height + 12, look);
  const features = steps.map(({ item }) => item && item.feature);
  return {
    drawing: drawingOf([...heading.items, ...items], { width, height: bottom, title }),
    sentence: lines.join(' '),
    ...describeSteps(content, features, figures, words),
  };
}

/**
 * @param {WaterfallStep} step
 * @param {string} number  the change, as text
 * @param {{ reading: Reading, others: number, words: ChartWords }} context
 * @returns {Step}
 */
function stepRow({ item, from, to, kind }, number, { reading, others, words }) {
  const { labels } = words;
  if (!item) {
    const many = others === 1 ? labels.otherFeature : words.say('otherFeatures', { count: others });
    return {
      label: kind === 'error' ? labels.notExplained : many,
      number,
      from,
      to,
      ends: null,
      kind: 'rest',
      striped: kind === 'error',
      step: 'z',
    };
  }
  const { effect, interval, step } = item;
  const sure = effect === 'plus' || effect === 'minus';
  return {
    ...{ label: reading.label(item), number: sure ? number : reading.figure(item), from, to, step },
    ends: interval && shiftBy(interval, from),
    kind: sure ? 'sure' : /** @type {'unsure' | 'none'} */ (effect === 'guess' ? 'unsure' : effect),
  };
}

/**
 * Describes all rows in words.
 *
 * @param {{ first: Answer, steps: readonly Step[], last: Answer }} content
 * @param {readonly ({ index: number, name: string } | null)[]} features  of the steps
 * @param {import('./chart-words.js').Figures} figures
 * @param {ChartWords} words
 * @returns {Pick<Chart, 'table' | 'stops'>}
 */
export function describeSteps({ first, steps, last }, features, { signed, unsigned }, words) {
  const { labels } = words;
  const rangeOf = (/** @type {Step} */ { ends, from }) => words.range(ends && shiftBy(ends, -from), signed);
  const rows = [
    [first.label, '', '', first.number],
    ...steps.map((step) => [step.label, step.number, rangeOf(step), unsigned(step.to)]),
    [last.label, '', '', last.number],
  ];
  return {
    table: { headings: [labels.feature, labels.change, labels.likelyRange, labels.answerAfter], rows },
    stops: rows.map(([label, change, range, answer], i) => {
      const feature = features[i - 1] ?? null;
      const details = change ? [label, change, range] : [label, answer];
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
 * @param {ChartWords} words
 */
function referenceName({ kind, reference }, { labels }) {
  if (reference.kind === 'mean') return labels.averageRow;
  if (reference.kind === 'row') return labels.referenceRow;
  if (reference.kind === 'background') return labels.averageBackground;
  return { row: labels.allZero, text: labels.noWords, image: labels.nothingVisible }[/** @type {'row'} */ (kind)];
}

/** @param {any} explanation @param {ChartWords} words */
const inputName = ({ kind }, { labels }) =>
  ({ row: labels.thisRow, text: labels.thisText, image: labels.thisImage })[/** @type {'row'} */ (kind)];

/**
 * Names the features that move an answer most, first those that move it to where it ends.
 *
 * @param {{ first: Answer, last: Answer, rows: readonly Step[] }} content
 * @param {ChartWords} words
 * @returns {string[]}  sentences
 */
export function movesOf({ first, last, rows }, words) {
  const sizeOf = (/** @type {Step} */ { from, to }) => Math.abs(to - from);
  const largest = rows.reduce((most, row) => Math.max(most, sizeOf(row)), 0);
  const isWorthSaying = (/** @type {number} */ change) => change >= WORTH_SAYING * largest && change > 0;
  const leading = (/** @type {number} */ sign) => {
    const moving = rows.filter(({ kind, from, to }) => kind === 'sure' && sign * (to - from) > 0);
    const large = moving.filter((row) => isWorthSaying(sizeOf(row))).slice(0, 2);
    // A colored bar is a side that has a name in words too.
    const named = large.length ? large : moving.filter(({ step }) => step !== 'z').slice(0, 1);
    const rest = named.length && moving.length - named.length;
    const names = named.map(({ label, number }) => `${label} (${number})`);
    return rest ? [...names, words.say('smaller', { count: rest })] : names;
  };
  const [up, down] = [leading(1), leading(-1)];
  const moves = [
    ...(up.length ? [words.say('raisedMost', { list: words.list(up) })] : []),
    ...(down.length ? [words.say('loweredMost', { list: words.list(down) })] : []),
  ];
  if (last.at < first.at) moves.reverse();
  if (moves.length === 0) moves.push(words.labels.nothingSure);
  const rest = rows.find(({ kind, label }) => kind === 'rest' && label === words.labels.notExplained);
  const open = rest ? sizeOf(rest) : 0;
  if (!rest || !isWorthSaying(open)) return moves;
  const explained = rows.reduce((sum, row) => (row.kind === 'sure' ? sum + sizeOf(row) : sum), 0);
  if (open > explained) return [words.say('mostlyRest', { amount: rest.number }), ...moves];
  return [...moves, words.say('reasons', { side: words.capitalize(rest.label), names: rest.number })];
}
