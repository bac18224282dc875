import { show } from './errors.js';
import { checkCount, checkFlag, checkNames, checkNumber } from './options.js';

/** @typedef {import('./explanation.js').Explanation} Explanation */

/**
 * An explanation as text: a line of facts, then a bar a feature, to the left where it speaks against, to the right where
 * it speaks for. Pure: needs neither wasm nor a terminal.
 *
 * @param {Explanation} explanation
 * @param {object} [options]
 * @param {number} [options.width]  columns; default 76, at least 50
 * @param {boolean} [options.color]  ANSI colours; the signs are legible without; default false
 * @param {number} [options.scale]  the weight that fills half of the bar, so that two explanations can be compared;
 *   default this one's largest
 * @returns {string}  lines of equal width, without a newline at the end
 */
export function renderTerminal(explanation, options = {}) {
  if (!Array.isArray(explanation?.features))
    throw new TypeError(`renderTerminal draws one explanation, not ${show(explanation)}`);
  const { width = 76, color = false, scale } = checkNames(options, ['width', 'color', 'scale'], 'renderTerminal');
  checkCount(width, 'width', 50, 500);
  checkFlag(color, 'color');
  const largest = Math.max(...explanation.features.map(({ weight }) => Math.abs(weight)), Number.MIN_VALUE);
  const full = scale === undefined ? largest : checkNumber(scale, 'scale', { above: 0 });
  const labels = explanation.features.map(labelOf);
  const room = Math.max(8, Math.min(Math.max(...labels.map((label) => label.length), 8), Math.floor(width / 3)));
  // What stands right of the bars: weight, interval, agreement.
  const decimals = Math.max(0, Math.min(12, 3 - Math.ceil(Math.log10(full))));
  const facts = explanation.features.map((feature) => factsOf(feature, decimals));
  const factRoom = Math.max(...facts.map((fact) => fact.length), 0);
  const half = Math.max(3, Math.floor((width - room - factRoom - 5) / 2));
  const lines = explanation.features.map((feature, i) => {
    const label = fit(labels[i], room);
    return `${label} ${bar(feature, full, half, color)} ${facts[i]}`;
  });
  return [...headOf(explanation), ...lines].map((line) => pad(line, width)).join('\n');
}

/** @param {Explanation} explanation */
function headOf({ method, target, prediction, fidelity, queries, warnings }) {
  const facts = [
    method.toUpperCase(),
    target === null ? '' : `for ${target}`,
    prediction === null ? '' : `answer ${round(prediction, 3)}`,
    `fidelity R² ${fidelity.toFixed(2)}`,
    queries.asked ? `${queries.asked} queries` : '',
  ];
  return [facts.filter(Boolean).join(' · '), ...warnings.map((warning) => `! ${warning}`)];
}

/** @param {any} feature */
function labelOf(feature) {
  const value = typeof feature.value === 'number' ? round(feature.value, 6) : feature.value;
  const label = feature.value === undefined ? feature.name : `${feature.name} ${value}`;
  // eslint-disable-next-line no-control-regex
  return label.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

/**
 * @param {import('./explanation.js').Feature} feature
 * @param {number} decimals
 */
function factsOf({ weight, interval, signAgreement, silenced }, decimals) {
  const parts = [silenced ? 'silenced' : signed(weight, decimals)];
  if (interval) parts.push(`[${signed(interval[0], decimals)}, ${signed(interval[1], decimals)}]`);
  if (signAgreement !== null) parts.push(`${Math.round(100 * signAgreement)}%`.padStart(4));
  return parts.join(' ');
}

/**
 * @param {import('./explanation.js').Feature} feature
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
 * @param {number} value
 * @param {number} decimals
 */
function signed(value, decimals) {
  const digits = Math.abs(value).toFixed(decimals);
  return (value < 0 ? '−' : value > 0 ? '+' : ' ') + digits;
}

/**
 * @param {number} value
 * @param {number} digits
 */
function round(value, digits) {
  return String(Number(value.toPrecision(digits)));
}

/**
 * @param {string} text
 * @param {number} room
 */
function fit(text, room) {
  return text.length > room ? `${text.slice(0, room - 1)}…` : text.padEnd(room);
}

/**
 * @param {string} line
 * @param {number} width
 */
function pad(line, width) {
  // eslint-disable-next-line no-control-regex
  const visible = line.replace(/\u001b\[\d+m/g, '').length;
  return line + ' '.repeat(Math.max(0, width - visible));
}
