// Scales, tick marks and axes of charts.
import { box } from '../render/drawing.js';

/**
 * @typedef {import('../render/drawing.js').Outline} Outline
 * @typedef {import('../render/drawing.js').Words} Words
 *
 * @typedef {object} AxisLook
 * @property {boolean} [signed]  whether positive numbers get a plus; default false
 * @property {string} [locale]
 * @property {import('../data/table.js').NumberFormat} [format]
 *
 * @typedef {object} Scale  from values to pixels
 * @property {(value: number) => number} at  a value outside of the scale gets the nearest end
 * @property {number} low  the smallest value
 * @property {number} high
 * @property {number} from  where the smallest value is, in pixels
 * @property {number} to
 */

/** Keeps a value so small that the difference of two is finite. @param {number} value */
export const bound = (value) => Math.max(-4e307, Math.min(4e307, value));

/**
 * Returns a scale that contains all values, with a little space at both ends.
 *
 * @param {readonly number[]} values  finite
 * @param {number} from  in pixels
 * @param {number} to
 * @param {number} [space]  at each end, as a share of the range; default 0.04
 * @returns {Scale}
 */
export function scaleOver(values, from, to, space = 0.04) {
  let low = values.reduce((least, value) => Math.min(least, bound(value)), Infinity);
  let high = values.reduce((most, value) => Math.max(most, bound(value)), -Infinity);
  if (!(low < high)) {
    // A single value is drawn in the middle.
    const half = Math.abs(low) / 2 || 1;
    [low, high] = [low - half, high + half];
  }
  // Halves, because the difference of huge numbers overflows.
  const pad = 2 * space * (high / 2 - low / 2);
  [low, high] = [low - pad, high + pad];
  const range = high / 2 - low / 2;
  const at = (/** @type {number} */ value) => {
    const share = (bound(value) / 2 - low / 2) / range;
    return from + (to - from) * Math.max(0, Math.min(1, share));
  };
  return { at, low, high, from, to };
}

/**
 * Returns round numbers within a scale: multiples of 1, 2 or 5 times a power of ten.
 *
 * @param {Scale} scale
 * @param {number} most  about how many
 * @returns {{ values: number[], step: number }}  at least one value if a round one lies within
 */
export function ticksOn({ low, high }, most) {
  const rough = ((high / 2 - low / 2) / Math.max(1, most)) * 2;
  const power = 10 ** Math.floor(Math.log10(rough));
  const within = (/** @type {number} */ step) => Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1;
  const steps = [0.5, 1, 2, 5, 10].map((factor) => factor * power);
  // At least two ticks are needed to read a distance.
  const wanted = steps.findIndex((step) => step >= rough * (1 - 1e-9));
  const step = steps.slice(0, wanted + 1).findLast((one) => within(one) >= 2) ?? steps[0];
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const count = Number.isFinite(last - first) && last - first < 1000 ? last - first + 1 : 0;
  // Dividing by a power of ten gives 0.3, where multiplying gives 0.30000000000000004.
  const exact = (/** @type {number} */ i) => (step < 1 && 1 / step < 1e15 ? i / Math.round(1 / step) : i * step) + 0;
  return { values: Array.from({ length: count }, (_, i) => exact(first + i)), step };
}

/**
 * Writes the numbers of an axis. A unit of any text is left out: the name of the axis has it.
 *
 * @param {number} step  the distance of two ticks
 * @param {AxisLook} [look]
 * @returns {(value: number) => string}
 */
export function tickText(step, { signed = false, locale = 'en', format = {} } = {}) {
  const percent = format.style === 'percent' ? 2 : 0;
  const size = Math.floor(Math.log10(step) + 1e-9);
  const decimals = Math.max(0, -size - percent);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const wild = size < -6 || size > 12;
  const { unit, ...style } = format;
  const intl = new Intl.NumberFormat(locale, {
    ...style,
    ...(style.style === 'unit' && { unit }),
    ...{ minimumSignificantDigits: undefined, maximumSignificantDigits: undefined },
    ...(wild ? { notation: 'scientific', maximumFractionDigits: 1 } : digits),
    signDisplay: signed ? 'exceptZero' : 'auto',
  });
  // Zero needs no decimals.
  const zero = style.style ? intl.format(0) : '0';
  return (value) => (value ? intl.format(value).replaceAll('-', '−') : zero);
}

/**
 * Draws light lines at the ticks of a horizontal axis, and its numbers below.
 *
 * @param {Scale} scale
 * @param {AxisLook & { top: number, bottom: number, measure: import('../render/text-width.js').Measure }} place  top, bottom: where
 *   the lines start and end, in pixels
 * @returns {{ lines: Outline[], numbers: Words[] }}
 */
export function horizontalAxis(scale, { top, bottom, measure, ...look }) {
  const { signed } = look;
  const most = Math.max(2, Math.floor((scale.to - scale.from) / 75));
  const { values, step } = ticksOn(scale, most);
  const text = tickText(step, look);
  const size = 12;
  const lines = values.map((value) => ({
    d: box(scale.at(value) - 0.5, top, 1, bottom - top),
    fill: value === 0 && signed ? 'muted' : 'line',
  }));
  let end = -Infinity;
  /** @type {Words[]} */
  const numbers = [];
  for (const value of values) {
    const [words, x] = [text(value), scale.at(value)];
    const half = measure(words, size) / 2;
    if (x - half < end + 8) continue;
    numbers.push({ text: words, x, y: bottom + 16, size, fill: 'muted', anchor: 'middle' });
    end = x + half;
  }
  return { lines, numbers };
}

/**
 * Draws light lines at the ticks of a vertical axis, and its numbers at the left.
 *
 * @param {Scale} scale  from bottom to top
 * @param {AxisLook & { left: number, right: number }} place  where the lines start and end
 * @returns {{ lines: Outline[], numbers: Words[] }}
 */
export function verticalAxis(scale, { left, right, ...look }) {
  const { values, step } = ticksOn(scale, Math.max(2, Math.floor(Math.abs(scale.to - scale.from) / 45)));
  const text = tickText(step, look);
  return {
    lines: values.map((value) => ({
      d: box(left, scale.at(value) - 0.5, right - left, 1),
      fill: value === 0 ? 'muted' : 'line',
    })),
    numbers: values.map((value) => ({
      ...{ text: text(value), x: left - 8, y: scale.at(value) + 4, size: 12, fill: 'muted', anchor: 'end' },
    })),
  };
}
