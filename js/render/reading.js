// How an explanation is read: which question it answers, what each feature does, and how sure that is, in words.
import { checkChoice, checkFlag, checkNames, checkNumber } from '../core/check-options.js';
import { bySize, isLevel, isSure, largestOf, largestSize, mirror, toZero } from './items.js';
import { fill, labelOfWarning, LABELS, readLabels } from './labels.js';
import { checkFormat, checkLocale, numbersFor, writeAnswer, writeRough, writeShare, writeValue } from './numbers.js';
import { stepOf } from './palette.js';
import { checkDrawable, plain } from './wording.js';

/**
 * @typedef {import('./labels.js').Labels} Labels
 * @typedef {import('./numbers.js').NumberFormat} NumberFormat
 * @typedef {import('./wording.js').Explanation} Explanation
 *
 * @typedef {object} ReadingOptions  what all renderings and elements share
 * @property {'contribution' | 'slope'} [view]  the question: `'contribution'`, the default, "why": what each value adds to
 *   the answer at the reference; `'slope'`, "what if it grew": what would happen if the value were larger
 * @property {number} [fullWeight]  the effect that gets the full color and a full bar; set it to compare explanations;
 *   default: the largest of this explanation
 * @property {'size' | 'given'} [order]  of the features: `'size'`, the default, or as they are in the explanation
 * @property {Partial<Labels>} [labels]  replaces texts, for example for another language
 * @property {string} [locale]  how numbers and lists are written, such as `'de'`; default `'en'`
 * @property {NumberFormat} [answerFormat]  how answers and effects are written; default: rounded. With the style
 *   `'percent'`, the answer for a class is called a chance
 * @property {boolean} [details]  whether to add the technical details; default false
 */

/**
 * A feature as it is read.
 *
 * @typedef {object} Item
 * @property {any} feature  null for what no feature explains
 * @property {number} amount  the contribution, or the slope
 * @property {readonly [number, number] | null} interval
 * @property {'plus' | 'minus' | 'guess' | 'unsure' | 'none' | 'rest'} effect  `'guess'`: it is too far from the reference;
 *   `'unsure'`: it is silenced, or its interval holds zero, so it has no sign; `'rest'`: what no feature explains
 * @property {string} step  of the color: `'z'`, no color, if it is unsure or hardly has an effect
 */

export const READING_NAMES = Object.freeze([
  ...['view', 'fullWeight', 'order', 'labels', 'locale', 'answerFormat', 'details'],
]);

const VIEWS = ['contribution', 'slope'];
/** An effect below this share of the full weight gets no color: beside the others it is hardly one. */
const FAINT = 0.05;
/** How strong the colors are if the weights explain too little to rely on them. */
const FADED = 1 / 3;
/** A sentence leaves out effects below this share of the largest, and has at most so many names per side. */
const [WORTH_SAYING, MOST_NAMES] = [0.1, 5];
/** Two classes whose shares differ by less are almost equally likely. */
const CLOSE = 0.1;
const TWO_DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
/** If more words than this are highlighted, their numbers would hide the text. */
const MOST_BADGES = 12;

/** Checks the options of a call. @param {unknown} options @param {string} caller @param {readonly string[]} [others] */
export function checkReadingOptions(options, caller, others = []) {
  return checkNames(options, [...READING_NAMES, ...others], caller);
}

/**
 * An explanation as it is read: its features with their effects, and everything that is said about them.
 */
export class Reading {
  /** Whether many words are highlighted. @type {boolean | undefined} */
  #many;
  /** Where each part of an image is, by feature. @type {Map<number, string> | undefined} */
  #places;

  /**
   * @param {Explanation} explanation  checked
   * @param {Record<string, any>} [options]  `ReadingOptions`; others are ignored
   * @throws {TypeError | RangeError}
   */
  constructor(explanation, { view, fullWeight, order = 'size', labels, locale, answerFormat, details = false } = {}) {
    this.explanation = explanation;
    this.labels = readLabels(labels, LABELS);
    this.locale = checkLocale(locale);
    this.details = checkFlag(details, 'details');
    /** @type {'contribution' | 'slope'} */
    this.view = viewOf(explanation, view);
    const codes = explanation.warningCodes ?? [];
    this.poor = codes.some(({ code }) => code === 'poor-fit');
    const items = explanation.features.map((feature) => this.#itemOf(feature));
    const bySizes = checkChoice(order, 'order', ['size', 'given']) === 0;
    /** Whether the caller chose the full weight. */
    this.fullWeightGiven = fullWeight !== undefined;
    this.fullWeight = this.fullWeightGiven
      ? checkNumber(fullWeight, 'fullWeight', { above: 0, most: 1e300 })
      : largestOf(items);
    const strength = this.poor ? FADED : 1;
    for (const item of items) {
      const isFaint = (/** @type {number} */ value) => Math.abs(value) < FAINT * this.fullWeight;
      // An interval of nearly nothing is no doubt about the sign: a word that the model does not look at has no effect.
      if (item.effect === 'unsure' && item.interval?.every(isFaint)) item.effect = 'none';
      const colored = item.effect !== 'unsure' && !isFaint(item.amount) && item.effect !== 'guess';
      item.step = colored ? stepOf(strength * item.amount, this.fullWeight) : 'z';
    }
    if (bySizes) items.sort(bySize);
    /** @type {readonly Item[]} */
    this.items = items;
    const format = checkFormat(answerFormat, 'answerFormat');
    /** Whether the answer is a probability, as the caller says with its format, or as the other answers show. */
    this.isChance = explanation.link !== 'logit' && (format ? format.style === 'percent' : Boolean(explanation.rival));
    this.number = numbersFor(this.fullWeight, this.locale, format);
    this.answer = (/** @type {number} */ value) => writeAnswer(value, this.locale, format);
    /** Writes an effect that is only a guess: more than one digit would look exact. @param {number} value */
    this.guess = (value) => {
      const rough = Number(value.toPrecision(1));
      return this.say('guessed', { value: numbersFor(100 * Math.abs(rough), this.locale, format)(rough) });
    };
  }

  /** @param {any} feature @returns {Item} */
  #itemOf(feature) {
    const slope = this.view === 'slope';
    const { contribution = feature.weight, contributionInterval = feature.interval } = feature;
    const [amount, known] = !slope
      ? [contribution, contributionInterval]
      : isLevel(feature)
        ? [-feature.weight, mirror(feature.interval)]
        : [feature.weight, feature.interval];
    const interval = feature.silenced ? toZero(known) : known;
    const [low, high] = interval ?? [amount, amount];
    const nothing = low === 0 && high === 0 && (interval || !feature.silenced);
    const unsure = feature.silenced || (low <= 0 && high >= 0);
    const sign = !amount ? 'none' : this.#far.includes(feature.name) ? 'guess' : amount < 0 ? 'minus' : 'plus';
    const effect = nothing ? 'none' : unsure ? 'unsure' : sign;
    // The range of a guess would leave out how far the line is stretched; that of a useless fit, how wrong the fit is.
    return { feature, amount, interval: this.poor || effect === 'guess' ? null : interval, effect, step: 'z' };
  }

  /** Fills in a text. @param {keyof Labels} name @param {Record<string, string | number>} [values] */
  say(name, values) {
    return fill(this.labels[name], values);
  }

  /** Joins names as the reader's language does. @param {readonly string[]} names */
  list(names) {
    return new Intl.ListFormat(this.locale).format(names);
  }

  /** The name of the class; empty if the model gives a single score. */
  get target() {
    return this.#classOf(this.explanation.target);
  }

  /** @param {string | number | null | undefined} target */
  #classOf(target) {
    return typeof target === 'number' ? this.say('classNumber', { index: target }) : plain(target ?? '');
  }

  /** The question that the rendering answers. */
  get title() {
    const { prediction } = this.explanation;
    const answer = typeof prediction === 'number' ? this.answer(prediction) : '';
    const { target } = this;
    const subject =
      answer && target ? this.say(this.isChance ? 'chance' : 'subject', { answer, target }) : answer || target;
    return this.say(this.view === 'slope' ? 'whatIf' : 'why', { subject: subject || this.labels.thisAnswer });
  }

  /** Which class is likelier; empty if the answers are no shares. */
  get standing() {
    const { prediction, rival } = this.explanation;
    if (!rival) return '';
    const lead = Number(prediction) - rival.prediction;
    const label = lead < 0 ? 'likelier' : lead < CLOSE ? 'almostAsLikely' : 'lessLikely';
    const { target } = this;
    return this.say(label, { target, rival: this.#classOf(rival.target), answer: this.answer(rival.prediction) });
  }

  /** What negative effects do, and what positive effects do. @returns {[string, string]} */
  get sides() {
    const { target } = this;
    // A slope speaks for nothing: it says what a larger value would do.
    if (!target || this.view === 'slope') return [this.labels.lowers, this.labels.raises];
    return [this.say('againstTarget', { target }), this.say('forTarget', { target })];
  }

  /** One or two sentences about what matters; empty if that is not to be relied on. */
  get sentence() {
    const { warningCodes = [] } = this.explanation;
    if (this.poor || warningCodes.some(({ code }) => labelOfWarning(code) === 'constant')) return '';
    const least = WORTH_SAYING * this.#largest;
    const sides = ['minus', 'plus'].map((sign, i) => {
      const all = this.items.filter(
        ({ effect, amount, step }) => effect === sign && (step !== 'z' || Math.abs(amount) >= least),
      );
      const large = all.filter(({ amount }) => Math.abs(amount) >= least);
      // A side that the picture shows has a name in words too.
      const items = large.length > 0 ? large : all.slice(0, 1);
      const sum = large.reduce((total, { amount }) => total + Math.abs(amount), 0);
      return { side: this.sides[i], sum, names: this.#namesOf(items), smaller: all.length - items.length };
    });
    sides.sort((a, b) => b.sum - a.sum);
    const isImage = this.explanation.kind === 'image';
    if (isImage) {
      const [{ names: most }, { names: others }] = sides;
      // Parts of an image at the same place may speak for and against the answer; the picture shows which.
      const elsewhere = others.filter((name) => !most.includes(name));
      sides[1].names =
        elsewhere.length > 0 ? elsewhere : others.slice(0, 1).map((place) => this.say('partAt', { place }));
    }
    const compared = this.#compared;
    /** @type {string[]} */
    const parts = [];
    const add = (/** @type {string} */ side, /** @type {string} */ names) =>
      parts.push(
        compared && parts.length === 0
          ? this.say('reasonsCompared', { compared, side, names })
          : this.say('reasons', { side: capitalize(side, this.locale), names }),
      );
    for (const { side, names, smaller } of sides)
      if (names.length > 0) add(side, this.#listSome(names, isImage ? 0 : smaller));
    if (parts.length === 0) parts.push(this.labels.nothingSure);
    const unsure = this.#namesOf(this.items.filter(({ effect }) => effect === 'unsure'));
    if (unsure.length > 0 && !isImage) add(this.labels.unsure, this.#listSome(unsure));
    const explained = sides.reduce((total, { sum }) => total + sum, 0);
    for (const item of this.rest) {
      const amount = this.figure(item);
      if (Math.abs(item.amount) > explained) parts.unshift(this.say('mostlyRest', { amount }));
      else add(this.label(item), amount);
    }
    return parts.join(' ');
  }

  /** The largest effect with a sign that is to be relied on. */
  get #largest() {
    return largestSize(this.items.filter(isSure).map(({ amount }) => amount));
  }

  /** What the contributions leave unexplained; empty if that is not known, or little beside the largest effect. @returns {Item[]} */
  get rest() {
    const { prediction, localPrediction, reference, link } = this.explanation;
    const known = this.view === 'contribution' && reference && link !== 'logit' && typeof prediction === 'number';
    const amount = known ? prediction - localPrediction : 0;
    const isWorthSaying = Math.abs(amount) >= WORTH_SAYING * (this.#largest || Infinity);
    return isWorthSaying ? [{ feature: null, amount, interval: null, effect: 'rest', step: 'z' }] : [];
  }

  /** The names of the features whose values are so far from the reference that their contributions are only guesses. */
  get #far() {
    const { warningCodes = [] } = this.explanation;
    return warningCodes.flatMap((/** @type {any} */ { code, names }) =>
      code === 'far-reference' && this.view !== 'slope' ? names : [],
    );
  }

  /** What the effects are relative to; empty if that goes without saying. */
  get #compared() {
    const { kind, reference } = this.explanation;
    if (this.view === 'slope' || kind !== 'row' || !reference) return '';
    if (reference.kind === 'absence') return this.labels.withZero;
    return reference.kind === 'row' ? this.labels.withReference : this.labels.withAverage;
  }

  /** Names items, each once. @param {readonly Item[]} items */
  #namesOf(items) {
    const { kind } = this.explanation;
    const nameOf = (/** @type {Item} */ item) => {
      if (kind === 'image') return this.#place(item.feature);
      if (kind === 'text') return this.say('quoted', { word: this.label(item) });
      // A sentence that named the amount would sound like advice.
      return this.#isStep(item) ? this.say('moreOf', { name: plain(item.feature.name) }) : this.label(item);
    };
    return [...new Set(items.map(nameOf))];
  }

  /** Lists the first names, and says how many more there are. @param {readonly string[]} names @param {number} [smaller]  of less effect */
  #listSome(names, smaller = 0) {
    const named = names.length > MOST_NAMES + 1 ? names.slice(0, MOST_NAMES) : names;
    const count = names.length - named.length + smaller;
    return this.list(count ? [...named, this.say(named === names ? 'smaller' : 'more', { count })] : names);
  }

  /** What makes the explanation doubtful, in words for readers. */
  get notes() {
    const { warnings, warningCodes = [], link } = this.explanation;
    const notes = warnings.map((warning, i) => {
      const { code = '', names, explained } = /** @type {Record<string, any>} */ (warningCodes[i] ?? {});
      if (code === 'far-reference' && this.view === 'slope') return '';
      if (!code) return plain(warning);
      return this.say(labelOfWarning(code), {
        ...(Array.isArray(names) && { names: this.list(names.slice(0, MOST_NAMES).map(plain)) }),
        ...(typeof explained === 'number' && { explained: writeShare(explained, this.locale) }),
      });
    });
    if (link === 'logit') notes.push(this.labels.logOdds);
    if (this.items.some((item) => this.#isStep(item))) notes.push(this.labels.stepNote);
    if (this.view === 'slope' && this.items.length > 1) notes.push(this.labels.alone);
    const poor = warningCodes.findIndex(({ code }) => code === 'poor-fit');
    return [...new Set([notes[poor], ...notes].filter(Boolean))];
  }

  /** What stands under the title. That the rest is not to be relied on comes first. */
  get head() {
    const [first, ...others] = this.notes;
    const texts = this.poor
      ? [first, this.standing, ...others]
      : [this.standing, this.sentence, first ?? '', ...others];
    return texts.filter(Boolean);
  }

  /** A feature's name, with its value in a row, or where it is in an image. @param {Item} item */
  label(item) {
    const { feature } = item;
    if (!feature) return this.labels.notExplained;
    const { kind } = this.explanation;
    if (kind === 'image') return this.#numberedPlace(feature);
    const name = plain(feature.name);
    if (kind === 'text') return name;
    if (this.#isStep(item))
      return this.say('stepMore', { name, step: writeRough(feature.step ?? 1, this.locale, feature.format) });
    const whole = feature.value === undefined ? name : `${name} ${this.#value(feature.value, feature.format)}`;
    if (this.view !== 'slope' || !isLevel(feature)) return whole;
    return this.say('another', { name, value: this.#value(feature.value, feature.format) });
  }

  /** Whether the item says what more of a number would do. @param {Item} item */
  #isStep({ feature }) {
    return this.view === 'slope' && feature.kind === 'numeric';
  }

  /** @param {unknown} value @param {NumberFormat} [format] */
  #value(value, format) {
    if (typeof value === 'number') return writeValue(value, this.locale, format);
    if (value === null) return this.labels.missing;
    return typeof value === 'boolean' ? this.labels[`${value}`] : plain(value);
  }

  /** Says where a part of an image is; of several parts at the same place, also which. @param {any} feature */
  #numberedPlace(feature) {
    const count = new Map();
    this.#places ??= new Map(
      this.items.map((item) => {
        const place = this.#place(item.feature);
        count.set(place, (count.get(place) ?? 0) + 1);
        return [item.feature.index, count.get(place) > 1 ? `${place} ${count.get(place)}` : place];
      }),
    );
    return this.#places.get(feature.index) ?? '';
  }

  /** Says where a part of an image is. @param {any} feature */
  #place({ box: { x, y, width, height }, area }) {
    if (area === 1) return this.say('pixel', { x, y });
    const image = /** @type {any} */ (this.explanation);
    const third = (/** @type {number} */ middle) => Math.min(2, Math.floor(3 * middle));
    const place = 3 * third((y + height / 2) / image.height) + third((x + width / 2) / image.width);
    return this.labels.places.split(', ')[place] ?? '';
  }

  /** What the value is compared with; empty if it goes without saying. @param {Item} item */
  aside({ feature }) {
    if (!feature) return '';
    const { kind, reference, format, range, index } = feature;
    const { reference: from } = this.explanation;
    if (this.view === 'slope' || reference === undefined || !from || from.kind === 'absence') return '';
    const isRow = from.kind === 'row';
    if (kind === 'numeric')
      return this.say(isRow ? 'reference' : 'average', {
        value: isRow ? this.#value(reference, format) : writeRough(reference, this.locale, format),
      });
    if (isRow) return this.say('reference', { value: this.#value(from.values?.[index] ?? null, format) });
    const share = this.say('share', { share: writeShare(reference, this.locale) });
    return range ? `${this.#range(range, format)}, ${share}` : share;
  }

  /** @param {readonly (number | null)[]} range @param {NumberFormat} format */
  #range(range, format) {
    const [from, to] = range.map((end) => (end === null ? '' : writeValue(end, this.locale, format)));
    return [from && this.say('above', { from }), to && this.say('upTo', { to })].filter(Boolean).join(', ');
  }

  /** Whether a value of a row is that of the row which it is compared with. @param {any} feature */
  #isReference({ value, index }) {
    const { kind, values } = this.explanation.reference ?? {};
    return this.view !== 'slope' && kind === 'row' && value !== undefined && values?.[index] === value;
  }

  /** The effect as a number, or that there is none to tell. @param {Item} item */
  figure({ feature, effect, amount }) {
    if (effect === 'unsure') return this.labels.unsure;
    if (effect === 'none') return this.#isReference(feature) ? this.labels.same : '≈ 0';
    if (effect === 'guess') return this.guess(amount);
    const arrow = this.view !== 'slope' ? '' : effect === 'plus' ? '↑ ' : effect === 'minus' ? '↓ ' : '';
    return arrow + this.number(amount);
  }

  /** What stands beside a highlighted word: its number, or only the sign if many words have one. @param {Item} item */
  badge({ step, amount }) {
    if (step === 'z') return '';
    this.#many ??= this.items.filter((item) => item.step !== 'z').length > MOST_BADGES;
    return this.#many ? (amount < 0 ? '−' : '+') : this.number(amount);
  }

  /** What the effect does, in words. @param {Item} item */
  effect({ effect, amount }) {
    if (effect === 'unsure' || effect === 'none') return this.labels[effect === 'none' ? 'noEffect' : effect];
    return effect === 'rest' ? this.number(amount) : this.sides[amount < 0 ? 0 : 1];
  }

  /** How sure the effect is. @param {Item} item */
  range({ interval, effect }) {
    const { method, queries } = this.explanation;
    if (effect === 'rest') return '';
    if (!interval) return this.labels[method === 'shap' && queries.stopped ? 'exact' : 'noRange'];
    const [low, high] = interval.map(this.number);
    return this.say('range', { low, high });
  }

  /**
   * Describes a feature.
   *
   * @param {Item} item
   * @returns {[label: string, effect: string, range: string]}
   */
  describe(item) {
    const [label, aside] = [this.label(item), this.aside(item)];
    const figure = this.figure(item);
    const effect = this.effect(item);
    return [
      aside ? `${label} (${aside})` : label,
      figure === effect ? effect : `${figure}, ${effect}`,
      this.range(item),
    ];
  }

  /** One line about how the explanation was made, for experts. */
  get facts() {
    const { method, fidelity, features, weights, queries } = this.explanation;
    const facts = [
      plain(method).toUpperCase(),
      this.say('fidelity', { value: writeAnswer(fidelity, this.locale, TWO_DECIMALS) }),
      queries.asked > 0 && this.say('queries', { count: writeValue(queries.asked, this.locale) }),
      weights.length > features.length && this.say('listed', { count: features.length, total: weights.length }),
      method === 'shap' && queries.stopped === 'exhausted' && this.labels.exact,
    ];
    return facts.filter(Boolean).join(' · ');
  }

  /** How the explanation was made and what is doubtful about it, for experts. */
  get technical() {
    const { warnings, warningCodes = [] } = this.explanation;
    // A warning that the caller has put into other words, for example into another language, is said in the notes.
    const isOurs = (/** @type {number} */ i) => {
      const name = warningCodes[i] && labelOfWarning(warningCodes[i].code);
      return name && this.labels[name] === LABELS[name];
    };
    return [this.facts, ...warnings.filter((_, i) => isOurs(i)).map(plain)];
  }

  /** The numbers of a feature, for experts. @param {Item} item */
  technicalOf(item) {
    const { index, weight, raw = weight, interval, signAgreement } = item.feature;
    const write = (/** @type {number} */ value) => writeRough(value, this.locale);
    const values = [
      this.say('weight', { value: write(raw) }),
      interval && `[${interval.map(write).join('; ')}]`,
      signAgreement !== null && this.say('agreement', { share: writeShare(signAgreement, this.locale) }),
    ];
    return `${this.label(item)} (${index}): ${values.filter(Boolean).join(', ')}`;
  }
}

/**
 * @param {Explanation} explanation
 * @param {unknown} view
 * @returns {'contribution' | 'slope'}
 */
function viewOf({ kind, method, features }, view) {
  if (view !== undefined) checkChoice(view, 'view', VIEWS);
  // Words and segments are there or not, so their weights are contributions. A row's weights are slopes.
  const known = kind !== 'row' || method === 'shap' || features.every(({ contribution }) => contribution !== undefined);
  if (view === 'contribution' && !known)
    throw new TypeError(
      "view 'contribution' needs features with a contribution; draw this explanation with view 'slope'",
    );
  return /** @type {'contribution' | 'slope'} */ (view ?? (known ? 'contribution' : 'slope'));
}

/** @param {string} text @param {string} locale */
const capitalize = (text, locale) => text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);

/**
 * Says in a sentence or two what an explanation shows: what speaks for the answer, what against it, and what is unsure.
 *
 * @param {Explanation} explanation
 * @param {ReadingOptions} [options]
 * @returns {string}  plain text; escape it for HTML
 * @throws {TypeError | RangeError}
 */
export function renderSentence(explanation, options = {}) {
  checkDrawable(explanation, 'renderSentence');
  return new Reading(explanation, checkReadingOptions(options, 'renderSentence')).head.join(' ');
}
