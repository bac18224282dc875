// Renders an explanation as lines of text for a terminal.
import { checkCount, checkFlag, checkNames } from '../core/check-options.js';
import { cellsOf, cutToFit } from './text-width.js';
import { checkDrawable, fullWeightOf, labelOf, numbersFor, plain, round } from './wording.js';

/** @typedef {import('../explain/explanation.js').Explanation} Explanation */

/**
 * Renders an explanation as text: a line of facts, then one bar per feature. A bar goes to the left if the feature
 * lowers the answer, to the right if it raises it.
 *
 * @param {Explanation} explanation  of any kind
 * @param {object} [options]
 * @param {number} [options.width]  in characters, 50 to 500; default 76
 * @param {boolean} [options.color]  whether to use ANSI colors; signs are legible without; default false
 * @param {number} [options.fullWeight]  the weight that fills one side; set it to compare explanations; default: the
 *   largest absolute weight of this explanation
 * @returns {string}  lines of equal width, without a newline at the end
 * @throws {TypeError | RangeError}  if this is not an explanation, or an option is wrong
 */
export function renderTerminal(explanation, options = {}) {
  checkDrawable(explanation, 'renderTerminal');
  const given = checkNames(options, ['width', 'color', 'fullWeight'], 'renderTerminal');
  const { width = 76, color = false } = given;
  checkCount(width, 'width', 50, 500);
  checkFlag(color, 'color');
  const fullWeight = fullWeightOf(explanation, given.fullWeight);
  const labels = explanation.features.map((feature) => labelOf(feature, explanation, ' '));
  const longest = labels.reduce((width, label) => Math.max(width, cellsOf(label)), 8);
  // Right of the bars: weight, interval, agreement.
  const number = numbersFor(fullWeight);
  const facts = explanation.features.map((feature) => factsBeside(feature, number));
  const factWidth = facts.reduce((width, fact) => Math.max(width, fact.length), 0);
  const labelWidth = Math.max(8, Math.min(longest, Math.floor(width / 3), width - factWidth - 11));
  const half = Math.max(3, Math.floor((width - labelWidth - factWidth - 5) / 2));
  const lines = explanation.features.map((feature, i) => {
    const label = pad(cutToFit(labels[i], labelWidth, cellsOf), labelWidth);
    return `${label} ${bar(feature, fullWeight, half, color)} ${facts[i]}`;
  });
  return [...headOf(explanation, width), ...lines].map((line) => pad(line, width)).join('\n');
}

/**
 * Returns the lines above the bars: facts, then warnings.
 *
 * @param {Explanation} explanation
 * @param {number} width
 */
function headOf({ method, link, target, prediction, fidelity, queries, warnings, features, weights }, width) {
  const facts = [
    plain(method).toUpperCase(),
    target === null ? '' : `for ${typeof target === 'number' ? 'class ' : ''}${plain(target)}`,
    prediction === null ? '' : `answer ${round(prediction, 3)}`,
    `fidelity R² ${fidelity.toFixed(2)}`,
    queries.asked ? `${plain(queries.asked)} ${queries.asked === 1 ? 'query' : 'queries'}` : '',
    method === 'shap' && queries.stopped === 'exhausted' && 'exact',
    link === 'logit' && 'log-odds',
    weights?.length > features.length && `${features.length} of ${weights.length} features`,
  ];
  const warningLines = warnings.flatMap((warning) => fill(['!', ...plain(warning).split(' ')], ' ', width));
  return [...fill(facts.filter(Boolean), ' · ', width), ...warningLines];
}

/**
 * Joins texts into lines that are as full as possible. All lines except the first are indented.
 *
 * @param {any[]} pieces  texts
 * @param {string} between
 * @param {number} width
 * @returns {string[]}
 */
function fill(pieces, between, width) {
  const [first, ...rest] = pieces.map((piece) => cutToFit(piece, width - 2, cellsOf));
  const lines = [first];
  for (const piece of rest) {
    const longer = lines[lines.length - 1] + between + piece;
    if (cellsOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(`  ${piece}`);
  }
  return lines;
}

/**
 * Writes weight, interval and sign agreement.
 *
 * @param {import('../explain/explanation.js').Feature} feature
 * @param {(value: number) => string} number  from `numbersFor`
 */
function factsBeside({ weight, interval, signAgreement, silenced }, number) {
  // A zero has no sign; the space aligns it with the digits of the other numbers.
  const aligned = (/** @type {number} */ value) => (value ? '' : ' ') + number(value);
  const parts = [silenced ? 'silenced' : aligned(weight)];
  if (interval) parts.push(`[${interval.map(aligned).join(', ')}]`);
  if (signAgreement !== null) parts.push(`${Math.round(100 * signAgreement)}%`.padStart(4));
  return parts.join(' ');
}

/**
 * Writes a bar and the axis.
 *
 * @param {import('../explain/explanation.js').Feature} feature
 * @param {number} fullWeight
 * @param {number} half  the characters on either side of the axis
 * @param {boolean} color
 */
function bar({ weight }, fullWeight, half, color) {
  const length = Math.min(half, Math.round((Math.abs(weight) / fullWeight) * half));
  const blocks = (weight < 0 ? '▒' : '█').repeat(length);
  const [red, blue, reset] = color ? ['\u001b[31m', '\u001b[34m', '\u001b[0m'] : ['', '', ''];
  const left = weight < 0 ? ' '.repeat(half - length) + blue + blocks + reset : ' '.repeat(half);
  const right = weight > 0 ? red + blocks + reset + ' '.repeat(half - length) : ' '.repeat(half);
  return `${left}│${right}`;
}

/**
 * Fills a line with spaces up to a width; color codes do not count.
 *
 * @param {string} line
 * @param {number} width
 */
function pad(line, width) {
  // eslint-disable-next-line no-control-regex
  const visible = cellsOf(line.replace(/\u001b\[\d+m/g, ''));
  return line + ' '.repeat(Math.max(0, width - visible));
}
