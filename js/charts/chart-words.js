// The words and numbers of charts.
import { plain } from '../render/wording.js';

/**
 * The texts of all charts. `{…}` is replaced. The caller's option `labels` replaces any of them.
 */
export const CHART_LABELS = Object.freeze({
  and: ' and ',
  average: 'the average row',
  averageOfBackground: 'the average of the background',
  referenceRow: 'the reference row',
  allZero: 'all values 0',
  noWords: 'none of the words',
  nothingVisible: 'nothing visible',
  thisRow: 'this row',
  thisText: 'this text',
  thisImage: 'this image',
  otherFeature: '1 other feature',
  otherFeatures: '{count} other features',
  notExplained: 'not explained',
  unsure: 'unsure',
  answer: 'answer',
  answerFor: 'answer for {target}',
  logOdds: 'log-odds of the answer',
  logOddsFor: 'log-odds of {target}',
  fromTo: '{start} for {reference}, {end} for {input}.',
  raisedMost: 'Raised most by {list}.',
  loweredMost: 'Lowered most by {list}.',
  nothingSure: 'No feature surely raises or lowers it.',
  intervalFromTo: '95 % interval {low} to {high}',
  feature: 'Feature',
  change: 'Change',
  interval: 'Interval',
  answerAfter: 'Answer after it',
  importance: 'Importance',
  directions: 'Directions',
  oneExplanation: '1 explanation',
  explanations: '{count} explanations',
  theAnswer: 'the answer',
  importanceTitle: 'Which features matter most for {answer}?',
  importanceAxis: 'mean size of the contribution, with 95 % interval',
  mattersMost: '{name} matters most: it moves the answer by {size} on average, over {count}.',
  mattersNext: 'Then come {list}.',
  nothingMatters: 'No feature moves the answer.',
  signCounts:
    'raises the answer in {raises} of {count}, lowers it in {lowers}, unsure in {unsure}, no effect in {none}',
  raisesKey: 'raises the answer',
  lowersKey: 'lowers the answer',
  unsureKey: 'direction unsure',
  summaryTitle: 'What moves {answer}, and which way?',
  contributionAxis: '← lowers · contribution to {answer} · raises →',
  dotIsRow: 'Each dot is one row.',
  dotsAreRows: 'A full dot stands for {count} rows with similar contributions, a smaller one for fewer.',
  columnsAreCut: 'A column between two lines has more rows than fit.',
  widestSpread: '{name} moves the answer most, over {count}.',
  highRaises: 'High values raise the answer, low values lower it.',
  highLowers: 'High values lower the answer, low values raise it.',
  noTrend: 'no clear order',
  valueKey: 'low to high value',
  noOrderKey: 'value without order',
  rangeOf: '{low} to {high}',
  unsureIn: 'unsure in {unsure} of {count}',
  contributions: 'Contributions',
  trend: 'High values',
  sureness: 'Direction',
  dependenceTitle: 'How does “{name}” move {answer}?',
  slopeTitle: 'Where would more “{name}” change {answer}?',
  contributionUp: '↑ contribution to {answer}',
  slopeAxis: '↑ change of {answer} if the value grows by one standard deviation',
  contributesFrom: '{name} {first} contributes {firstMean} on average, {name} {last} {lastMean}.',
  contributesOnly: '{name} {first} contributes {firstMean} on average.',
  slopesOf: 'At {name} {first} more of it changes the answer by {firstMean} on average, at {last} by {lastMean}.',
  onAverage: '{mean} on average',
  otherLevels: 'others',
  meansAreLines: 'Marks beside the dots: the mean, with its 95 % interval.',
  linesAreIntervals: 'Lines: the 95 % interval of each contribution.',
  typicalInterval: 'The 95 % interval of a contribution is typically plus and minus {size}.',
  value: 'Value',
  meanContribution: 'Mean contribution',
  comparisonTitle: 'Why {to} instead of {from}?',
  comparisonTitleFor: 'Why {to} instead of {from} for {answer}?',
  before: 'before',
  after: 'after',
  fromValueTo: '{name} {from} → {to}',
  changedFromTo: 'The answer goes from {start} to {end}.',
  sameAnswer: 'The answer stays at {start}.',
  steadinessTitle: 'Do the signs stay the same?',
  steadinessAxis: 'one bar per explanation, with its 95 % interval',
  steadinessAxisOnly: 'one bar per explanation',
  steadyAll: 'All {count} features with a sure sign keep it in {runs}.',
  steadySome: '{steady} of {count} features with a sure sign keep it in {runs}.',
  steadyNone: 'No feature has a sure sign in {runs}.',
  signChanges: 'The sign of {list} changes.',
  signsChange: 'The signs of {list} change.',
  runsShown: 'The first {count} of {all} explanations are drawn; the counts are of all.',
  raisesIn: '{count} up',
  lowersIn: '{count} down',
  unsureCount: '{count} unsure',
  noneIn: '{count} without effect',
  targetsTitle: 'Which class, and why?',
  targetsSentence: '{target} has the highest answer, {answer}.',
  targetsFor: '{list} raises it most.',
  targetsAxis: 'contribution to the answer for the class',
  target: 'Class',
  notShown: '{count} more features are not shown',
});

/** @typedef {Record<keyof typeof CHART_LABELS, string>} ChartLabels */

/**
 * Fills in the placeholders of a text.
 *
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const fill = (text, values) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? String(values[name]) : whole));

/**
 * Joins texts to a list: "a, b and c".
 *
 * @param {readonly string[]} texts
 * @param {ChartLabels} labels
 */
export const listOf = (texts, labels) =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter(Boolean).join(labels.and);

/** Names a target. @param {string | number | null | undefined} target */
export function targetName(target) {
  if (target === null || target === undefined) return '';
  return typeof target === 'number' ? `class ${target}` : plain(target);
}

/**
 * Names what was explained, such as "approved".
 *
 * @param {{ target: string | number | null }} of  an explanation, a summary or a comparison
 * @param {ChartLabels} labels
 */
export const nameOfAnswer = ({ target }, labels) =>
  typeof target === 'string' ? `“${plain(target)}”` : targetName(target) || labels.theAnswer;

/** Counts explanations in words. @param {number} count @param {ChartLabels} labels */
export const countOf = (count, labels) => (count === 1 ? labels.oneExplanation : fill(labels.explanations, { count }));

/**
 * Numbers of one picture: all have the same number of decimals, so that they can be added.
 *
 * @typedef {object} Figures
 * @property {(value: number) => string} signed  with a plus or a minus; 0 has no sign
 * @property {(value: number) => string} unsigned  with a minus only
 * @property {number} unit  the smallest difference that is shown; 0 if numbers have no fixed decimals
 */

/**
 * Returns functions that write numbers with decimals that suit a size: three significant digits for that size.
 *
 * @param {number} size  above 0
 * @param {string} [locale]
 * @returns {Figures}
 */
export function figuresFor(size, locale = 'en') {
  const places = Math.ceil(Math.log10(size) - 1e-9);
  const wild = !(places >= -6 && places <= 12);
  const decimals = Math.max(0, 3 - places);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const style = wild ? { notation: /** @type {const} */ ('scientific'), maximumFractionDigits: 2 } : digits;
  const [signed, unsigned] = /** @type {const} */ (['exceptZero', 'negative']).map((signDisplay) => {
    const format = new Intl.NumberFormat(locale, { ...style, signDisplay });
    return (/** @type {number} */ value) => format.format(value).replace('-', '−');
  });
  return { signed, unsigned, unit: wild ? 0 : 10 ** -decimals };
}

/**
 * Returns a function that writes the value of a feature, with four significant digits.
 *
 * @param {string} [locale]
 */
export function valueText(locale = 'en') {
  const format = new Intl.NumberFormat(locale, { maximumSignificantDigits: 4 });
  return (/** @type {number} */ value) => format.format(value).replace('-', '−');
}

/**
 * Rounds numbers to a unit so that their sum is the rounded total. Each changes by less than one unit.
 *
 * @param {readonly number[]} values
 * @param {number} total  their sum
 * @param {number} unit  0: nothing is rounded
 * @returns {number[]}
 */
export function roundToSum(values, total, unit) {
  if (unit === 0) return [...values];
  const steps = values.map((value) => Math.round(value / unit));
  let missing = Math.round(total / unit) - steps.reduce((sum, step) => sum + step, 0);
  const step = Math.sign(missing);
  // Those that were rounded the furthest the other way change first.
  const order = values.map((value, i) => ({ i, off: step * (value / unit - steps[i]) })).sort((a, b) => b.off - a.off);
  for (const { i } of order) {
    if (missing === 0) break;
    steps[i] += step;
    missing -= step;
  }
  return steps.map((count) => count * unit);
}
