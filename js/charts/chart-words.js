// The words and numbers of charts.
import { fill, LABELS, readLabels } from '../render/labels.js';
import { checkFormat, checkLocale, writeAnswer, writeValue } from '../render/numbers.js';
import { plain } from '../render/wording.js';

/**
 * @typedef {import('../data/table.js').NumberFormat} NumberFormat
 */

/** The texts of charts besides those of all renderings; `{…}` is replaced. */
export const CHART_LABELS = Object.freeze({
  theAnswer: 'the answer',
  quotedTarget: '“{target}”',
  averageRow: 'an average case',
  averageBackground: 'the average of the background',
  referenceRow: 'the reference',
  allZero: 'all values 0',
  noWords: 'none of the words',
  nothingVisible: 'nothing visible',
  thisRow: 'this case',
  thisText: 'this text',
  thisImage: 'this image',
  otherFeature: '1 other feature',
  otherFeatures: '{count} other features',
  answerAxis: 'answer',
  answerAxisFor: 'answer for {target}',
  chanceAxisFor: 'chance of {target}',
  logOddsAxis: 'log-odds of the answer',
  logOddsAxisFor: 'log-odds of {target}',
  startToEnd: '{start} for {reference}, {end} for {input}.',
  raisedMost: 'Raised most by {list}.',
  loweredMost: 'Lowered most by {list}.',
  oneExplanation: '1 explanation',
  explanations: '{count} explanations',
  notShown: '{count} more are not shown.',
  importanceTitle: 'Which features matter most for {answer}?',
  importanceAxis: 'average size of the effect',
  importanceLines: 'Lines: the likely range of the average, 95 times of 100.',
  mattersMost: '“{name}” matters most: it moves the answer by {size} on average, in {count}.',
  mattersNext: 'Then come {list}.',
  nothingMatters: 'No feature moves the answer.',
  signCounts:
    'raises the answer in {raises} of {count}, lowers it in {lowers}, unsure in {unsure}, no effect in {none}',
  unsureKey: 'unsure',
  summaryTitle: 'What moves {answer}, and which way?',
  contributionAxis: '← lowers · effect on {answer} · raises →',
  dotIsRow: 'Each dot is one case.',
  dotIsText: 'Each dot is one text.',
  dotsAreTexts: 'A full dot stands for {count} texts with similar effects, a smaller one for fewer.',
  dotsAreRows: 'A full dot stands for {count} cases with similar effects, a smaller one for fewer.',
  columnsAreCut: 'A column between short lines has more cases than are drawn.',
  widestSpread: '“{name}” moves the answer most, in {count}.',
  highRaises: 'Its high values raise the answer, its low values lower it.',
  highLowers: 'Its high values lower the answer, its low values raise it.',
  noTrend: 'no clear order',
  valueKey: 'low to high value',
  noOrderKey: 'a category',
  unsureIn: 'unsure in {unsure} of {count}',
  mostlyUnsureKey: 'mostly unsure',
  dependenceTitle: 'How does “{name}” move {answer}?',
  slopeTitle: 'Where would more “{name}” change {answer}?',
  contributionUp: '↑ effect on {answer}',
  slopeUp: '↑ change of {answer} if the value grows by {step}',
  slopeUpPlain: '↑ change of {answer} if the value grows by one standard deviation',
  contributesFrom: '{name} {first} adds {firstMean} on average, {name} {last} {lastMean}.',
  contributesOnly: '{name} {first} adds {firstMean} on average.',
  slopesOf: 'At {name} {first}, more of it changes the answer by {firstMean} on average, at {last} by {lastMean}.',
  onAverage: '{mean} on average',
  otherLevels: 'others',
  meansAreMarks: 'Marks beside the dots: the average and its likely range.',
  linesAreRanges: 'Lines: the likely range of each effect.',
  typicalRange: 'The likely range of an effect is typically plus and minus {size}.',
  comparisonTitle: 'Why {to} instead of {from}?',
  comparisonTitleFor: 'Why {to} instead of {from} for {answer}?',
  before: 'before',
  after: 'after',
  valueChange: '{name} {to} instead of {from}',
  inBoth: '{name} {value} in both',
  sameValues: 'same values, counted differently',
  sameInBoth: 'The same in both: {names}. The same value may count more or less beside other values.',
  answerChange: 'The answer goes from {start} to {end}.',
  sameAnswer: 'The answer stays at {start}.',
  namedAnswers: '{first}: {start}. {last}: {end}.',
  steadinessTitle: 'Do the directions stay the same?',
  steadinessAxis: 'one bar per explanation, with its likely range',
  steadinessAxisOnly: 'one bar per explanation',
  steadyAll: '{steady} of {count} features surely point the same way in each of {runs}. None changes direction.',
  steadySome: '{steady} of {count} features surely point the same way in each of {runs}.',
  steadyNone: 'No feature surely points one way in {runs}.',
  signChanges: 'The direction of {list} changes.',
  signsChange: 'The directions of {list} change.',
  runsShown: 'The first {count} of {all} explanations are drawn; the counts are of all.',
  raisesIn: '{count} up',
  lowersIn: '{count} down',
  unsureCount: '{count} unsure',
  noneIn: '{count} without effect',
  targetsTitle: 'Which class, and why?',
  targetsSentence: '{target} has the highest answer, {answer}.',
  targetsFor: 'Of the features, {list} raises it most.',
  targetsAxis: 'effect on the answer for the class',
  change: 'Change',
  answerAfter: 'Answer after it',
  importance: 'Average size',
  directions: 'Directions',
  effects: 'Effects',
  trend: 'High values',
  sureness: 'Sureness',
  value: 'Value',
  averageEffect: 'Average effect',
  recourseReach: 'What would lead to {target}?',
  recourseLeave: 'What would lead away from {target}?',
  recourseAbove: 'What would take {answer} above {threshold}?',
  recourseBelow: 'What would take {answer} below {threshold}?',
  wouldReach: 'By this model, just enough for {target}: if {changes}, and nothing else changed. That is no promise.',
  wouldLeave:
    'By this model, just enough to leave {target}: if {changes}, and nothing else changed. That is no promise.',
  wouldRise:
    'By this model, {answer} would just rise above {threshold} if {changes}, and nothing else changed. That is no promise.',
  wouldFall:
    'By this model, {answer} would just fall below {threshold} if {changes}, and nothing else changed. That is no promise.',
  isReached: 'Already {target}: nothing has to change.',
  isLeft: 'Not {target}: nothing has to change.',
  isAbove: '{answer} is already above {threshold}.',
  isBelow: '{answer} is already below {threshold}.',
  noChange: 'No change',
  noChangeOf: 'No change of {columns}',
  notReached: '{change} was found that leads to {target}: {reason}.',
  notLeft: '{change} was found that leads away from {target}: {reason}.',
  notAbove: '{change} was found that takes {answer} above {threshold}: {reason}.',
  notBelow: '{change} was found that takes {answer} below {threshold}: {reason}.',
  noDirection: 'it is not clear in which direction anything should change',
  noRoom: 'changes within the range of the data are not enough',
  tooUnusual: 'everything that would be enough is too unusual',
  searchLimit: 'the search stopped after {search} questions to the model',
  closestTry: 'The closest try: {changes}.',
  wouldBe: '{column} were {to} instead of {from}',
  theAnswerFor: 'the answer for {target}',
  now: 'now',
  withChange: 'with the change',
  withTry: 'closest try',
  bestOther: 'best other class',
  threshold: 'threshold {value}',
  bestOtherAt: 'best other class {value}',
  rangeEnds: 'The ends of a line: the least and the most in the data.',
  wantedPart: 'The thick part of the last line: where the answer has to be.',
  questions: 'The model was asked {total} times to find and check this.',
});

const ALL_LABELS = Object.freeze({ ...LABELS, ...CHART_LABELS });

/** @typedef {Record<keyof typeof ALL_LABELS, string>} ChartLabels */

/**
 * @typedef {object} WordOptions
 * @property {Partial<ChartLabels>} [labels]  replaces texts, for example for another language
 * @property {string} [locale]  how numbers and lists are written, such as `'de'`; default `'en'`
 * @property {NumberFormat} [answerFormat]  how answers and effects are written; default: rounded
 *
 * @typedef {object} Figures  numbers of one picture: all have the same number of decimals, so that they can be added
 * @property {(value: number) => string} signed  with a plus or a minus; 0 has no sign
 * @property {(value: number) => string} unsigned  with a minus only
 * @property {number} unit  the smallest difference that is shown; 0 if numbers have no fixed decimals
 */

/** The names of the options that say how a chart is worded. */
export const WORDING = Object.freeze(['labels', 'locale', 'answerFormat']);

/** The words and numbers of a chart. */
export class ChartWords {
  /**
   * @param {WordOptions} [options]
   * @throws {TypeError | RangeError}
   */
  constructor({ labels = {}, locale, answerFormat } = {}) {
    this.labels = readLabels(labels, ALL_LABELS);
    this.locale = checkLocale(locale);
    this.answerFormat = checkFormat(answerFormat, 'answerFormat');
    const shared = Object.entries(labels).filter(([name]) => Object.hasOwn(LABELS, name));
    /** The options of a `Reading`. Its labels are those that all renderings have. */
    this.reading = { labels: Object.fromEntries(shared), locale: this.locale, answerFormat };
  }

  /** Fills in a text. @param {keyof ChartLabels} name @param {Record<string, string | number>} [values] */
  say(name, values) {
    return fill(this.labels[name], values);
  }

  /** Begins a sentence. @param {string} text */
  capitalize(text) {
    const [letter = ''] = text;
    return letter.toLocaleUpperCase(this.locale) + text.slice(letter.length);
  }

  /** Joins texts as the reader's language does. @param {readonly string[]} texts */
  list(texts) {
    return new Intl.ListFormat(this.locale).format(texts);
  }

  /** Names a class; empty if there is none. @param {{ target: string | number | null }} of  an explanation, a summary or a comparison */
  target({ target }) {
    if (target === null) return '';
    return typeof target === 'number' ? this.say('classNumber', { index: target }) : plain(target);
  }

  /** Names what was explained, for a title. @param {{ target: string | number | null }} of */
  subject({ target }) {
    if (typeof target === 'string') return this.say('quotedTarget', { target: plain(target) });
    return this.target({ target }) || this.labels.theAnswer;
  }

  /** Names the axis of answers. @param {{ target: string | number | null, link?: string }} of @param {boolean} [isChance] */
  axis(of, isChance = this.answerFormat?.style === 'percent') {
    const target = this.target(of);
    if (of.link === 'logit') return target ? this.say('logOddsAxisFor', { target }) : this.labels.logOddsAxis;
    const name = isChance ? 'chanceAxisFor' : 'answerAxisFor';
    return this.withUnit(target ? this.say(name, { target }) : this.labels.answerAxis, this.answerFormat);
  }

  /** Adds the unit to the name of an axis. @param {string} name @param {NumberFormat} [format] */
  withUnit(name, { unit, style } = {}) {
    return unit && style !== 'unit' ? `${name} (${plain(unit)})` : name;
  }

  /** How the numbers of an axis of answers are written. */
  get ticks() {
    return { locale: this.locale, format: this.answerFormat };
  }

  /** Counts explanations in words. @param {number} count */
  count(count) {
    return count === 1 ? this.labels.oneExplanation : this.say('explanations', { count: this.whole(count) });
  }

  /** Writes a whole number. @param {number} count */
  whole(count) {
    return writeValue(count, this.locale);
  }

  /** Writes a model's answer. @param {number} value */
  answer(value) {
    return writeAnswer(value, this.locale, this.answerFormat);
  }

  /** Writes the value of a feature. @param {unknown} value @param {NumberFormat} [format] */
  value(value, format) {
    if (typeof value === 'number') return writeValue(value, this.locale, format);
    if (value === null) return this.labels.missing;
    return typeof value === 'boolean' ? this.labels[`${value}`] : plain(value);
  }

  /** Writes an interval, or nothing. @param {readonly [number, number] | null} interval @param {(value: number) => string} number */
  range(interval, number) {
    const [low, high] = interval?.map(number) ?? [];
    return interval ? this.say('range', { low, high }) : '';
  }

  /**
   * Returns functions that write answers and effects with decimals that suit a size: three digits for that size.
   *
   * @param {number} size  above 0
   * @returns {Figures}
   */
  figures(size) {
    const [format = {}, places] = [this.answerFormat, Math.ceil(Math.log10(size) - 1e-9)];
    const percent = format.style === 'percent' ? 2 : 0;
    const wild = !(places >= -6 && places <= 12);
    const decimals = Math.max(0, 3 - places - percent);
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const own = Object.keys(format).some((name) => name.endsWith('Digits'));
    const rounding = own
      ? {}
      : wild
        ? { notation: /** @type {const} */ ('scientific'), maximumFractionDigits: 2 }
        : digits;
    const { unit, ...rest } = format;
    const [signed, unsigned] = /** @type {const} */ (['exceptZero', 'negative']).map((signDisplay) => {
      const intl = new Intl.NumberFormat(this.locale, {
        ...rounding,
        ...(rest.style === 'unit' ? format : rest),
        signDisplay,
      });
      const after = unit && rest.style !== 'unit' ? `\u00a0${unit}` : '';
      return (/** @type {number} */ value) => intl.format(value).replaceAll('-', '−') + after;
    });
    const shown = own ? format.maximumFractionDigits : wild ? undefined : decimals;
    return { signed, unsigned, unit: shown === undefined ? 0 : 10 ** -(shown + percent) };
  }
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
