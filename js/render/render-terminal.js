import { checkCount, checkFlag, checkNames } from '../core/check-options.js';
import { cellsOf, cutToFit } from './text-width.js';
import { checkExplanation, fullWeightOf, labelOf, numbersFor, plain, round } from './wording.js';

/** @typedef {import('../explain/explanation.js').Explanation} Explanation */

/**
 * An explanation as text: a line of facts, then a bar a feature, to the left where it speaks against, to the right where
 * it speaks for. Pure: needs neither wasm nor a terminal.
 *
 * @param {Explanation} explanation
 * @param {object} [options]
 * @param {number} [options.width]  columns; default 76, at least 50
 * @param {boolean} [options.color]  ANSI colors; the signs are legible without; default false
 * @param {number} [options.fullWeight]  the weight that fills half of the bar, so that two explanations can be compared;
 *   default this one's largest
 * @returns {string}  lines of equal width, without a newline at the end
 */
export function renderTerminal(explanation, options = {}) {
  checkExplanation(explanation, 'renderTerminal');
  const {
    width = 76,
    color = false,
    fullWeight,
  } = checkNames(options, ['width', 'color', 'fullWeight'], 'renderTerminal');
  checkCount(width, 'width', 50, 500);
  checkFlag(color, 'color');
  const full = fullWeightOf(explanation, fullWeight);
  const labels = explanation.features.map((feature) => labelOf(feature, explanation, ' '));
  const longest = labels.reduce((most, label) => Math.max(most, cellsOf(label)), 8);
  // What stands right of the bars: weight, interval, agreement.
  const number = numbersFor(full);
  const facts = explanation.features.map((feature) => factsBeside(feature, number));
  const factRoom = facts.reduce((most, fact) => Math.max(most, fact.length), 0);
  const room = Math.max(8, Math.min(longest, Math.floor(width / 3), width - factRoom - 11));
  const half = Math.max(3, Math.floor((width - room - factRoom - 5) / 2));
  const lines = explanation.features.map((feature, i) => {
    const label = pad(cutToFit(labels[i], room, cellsOf), room);
    return `${label} ${bar(feature, full, half, color)} ${facts[i]}`;
  });
  return [...headOf(explanation, width), ...lines].map((line) => pad(line, width)).join('\n');
}

/**
 * @param {Explanation} explanation
 * @param {number} width
 */
function headOf({ method, link, target, prediction, fidelity, queries, warnings, features, weights }, width) {
  const facts = [
    method.toUpperCase(),
    target === null ? '' : `for ${typeof target === 'number' ? 'class ' : ''}${plain(target)}`,
    prediction === null ? '' : `answer ${round(prediction, 3)}`,
    `fidelity R² ${fidelity.toFixed(2)}`,
    queries.asked ? `${queries.asked} ${queries.asked === 1 ? 'query' : 'queries'}` : '',
    method === 'shap' && queries.stopped === 'exhausted' && 'exact',
    link === 'logit' && 'log-odds',
    weights?.length > features.length && `${features.length} of ${weights.length} features`,
  ];
  const said = warnings.flatMap((warning) => fill(['!', ...plain(warning).split(' ')], ' ', width));
  return [...fill(facts.filter(Boolean), ' · ', width), ...said];
}

/**
 * @param {any[]} pieces  texts
 * @param {string} between
 * @param {number} width
 * @returns {string[]}  lines that hold as many of them as fit, all but the first indented
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
 * @param {import('../explain/explanation.js').Feature} feature
 * @param {(value: number) => string} number
 */
function factsBeside({ weight, interval, signAgreement, silenced }, number) {
  // A zero stands under the digits of the others, not under their signs.
  const aligned = (/** @type {number} */ value) => (value ? '' : ' ') + number(value);
  const parts = [silenced ? 'silenced' : aligned(weight)];
  if (interval) parts.push(`[${interval.map(aligned).join(', ')}]`);
  if (signAgreement !== null) parts.push(`${Math.round(100 * signAgreement)}%`.padStart(4));
  return parts.join(' ');
}

/**
 * @param {import('../explain/explanation.js').Feature} feature
 * @param {number} full
 * @param {number} half
 * @param {boolean} color
 */
function bar({ weight }, full, half, color) {
  const length = Math.min(half, Math.round((Math.abs(weight) / full) * half));
  const blocks = (weight < 0 ? '▒' : '█').repeat(length);
  const [red, blue, plain] = color ? ['\u001b[31m', '\u001b[34m', '\u001b[0m'] : ['', '', ''];
  const left = weight < 0 ? ' '.repeat(half - length) + blue + blocks + plain : ' '.repeat(half);
  const right = weight > 0 ? red + blocks + plain + ' '.repeat(half - length) : ' '.repeat(half);
  return `${left}│${right}`;
}

/**
 * @param {string} line
 * @param {number} width
 */
function pad(line, width) {
  // eslint-disable-next-line no-control-regex
  const visible = cellsOf(line.replace(/\u001b\[\d+m/g, ''));
  return line + ' '.repeat(Math.max(0, width - visible));
}
