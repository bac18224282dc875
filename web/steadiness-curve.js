// The curve of steadiness: how much the weights change between seeds, over the number of questions.
import { element, svgElement } from './make-element.js';

const [WIDTH, HEIGHT] = [640, 350];
const SPACE = { left: 58, right: 24, top: 18, bottom: 72 };
/** Ticks of the vertical axis, as shares. The axis ends at the first one that is large enough. */
const ENDS = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1, 1.5, 2, 3, 5];

/**
 * @typedef {{ key: string, samples: number, change: number }} Point
 * @typedef {{ key: string, name: string }} Line
 */

/**
 * Draws what has been measured so far. Both axes are linear in what they show: the horizontal one in the logarithm of the
 * number of questions, because steadiness needs many more of them.
 *
 * @param {readonly Line[]} lines
 * @param {readonly Point[]} points
 * @param {readonly number[]} sizes  all numbers of questions that are planned
 */
export function steadinessCurve(lines, points, sizes) {
  const most = Math.max(0, ...points.map(({ change }) => change));
  const end = ENDS.find((one) => one >= most) ?? most;
  const [first, last] = [Math.log(sizes[0]), Math.log(sizes[sizes.length - 1])];
  const x = (samples) =>
    SPACE.left + ((WIDTH - SPACE.left - SPACE.right) * (Math.log(samples) - first)) / (last - first || 1);
  const y = (change) => SPACE.top + (HEIGHT - SPACE.top - SPACE.bottom) * (1 - change / end);
  const label = points.length === 0 ? 'Nothing measured yet' : 'How much the weights change between runs';
  const svg = svgElement(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    ...axes(sizes, { x, y, end }),
    ...lines.flatMap(({ key }, i) =>
      lineOf(
        points.filter((point) => point.key === key),
        i,
        { x, y },
      ),
    ),
  );
  return element('figure', { class: 'curve' }, svg, keyOf(lines), tableOf(lines, points, sizes));
}

const percent = (share) => `${Math.round(1000 * share) / 10}%`;

/** Grid lines and their labels. */
function axes(sizes, { x, y, end }) {
  const right = WIDTH - SPACE.right;
  const ticks = [0, end / 2, end];
  const text = (words, position) => svgElement('text', position, words);
  return [
    ...ticks.map((tick) => svgElement('path', { class: 'axis', d: `M${SPACE.left} ${y(tick)}H${right}` })),
    ...ticks.map((tick) => text(percent(tick), { x: SPACE.left - 10, y: y(tick) + 4.5, 'text-anchor': 'end' })),
    ...sizes.map((size) => text(String(size), { x: x(size), y: HEIGHT - SPACE.bottom + 30, 'text-anchor': 'middle' })),
    text('questions to the model', { x: (SPACE.left + right) / 2, y: HEIGHT - 8, 'text-anchor': 'middle' }),
  ];
}

/** The line of a method and its points, which differ in shape too. */
function lineOf(points, i, { x, y }) {
  const at = points.map(({ samples, change }) => [x(samples), y(change)]);
  const shapes = [
    ([cx, cy]) => svgElement('circle', { class: `dot line-${i}`, cx, cy, r: 5 }),
    ([cx, cy]) => svgElement('path', { class: `dot line-${i}`, d: `M${cx} ${cy - 6}l6 6-6 6-6-6z` }),
    ([cx, cy]) => svgElement('path', { class: `dot line-${i}`, d: `M${cx - 4.5} ${cy - 4.5}h9v9h-9z` }),
  ];
  return [
    svgElement('path', { class: `line line-${i}`, d: at.map((place, n) => `${n ? 'L' : 'M'}${place}`).join('') }),
    ...at.map(shapes[i % shapes.length]),
  ];
}

const keyOf = (lines) =>
  element(
    'figcaption',
    { class: 'key' },
    ...lines.map(({ name }, i) => element('span', { class: `swatch line-${i}` }, name)),
  );

/** The same as a table, for screen readers. */
function tableOf(lines, points, sizes) {
  const found = (key, samples) => points.find((point) => point.key === key && point.samples === samples);
  const cells = (samples) =>
    lines.map(({ key }) => {
      const point = found(key, samples);
      return element('td', {}, point ? percent(point.change) : 'not yet');
    });
  const table = element(
    'table',
    {},
    element('caption', {}, 'How much the weights change between runs'),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('th', { scope: 'col' }, 'Questions'),
        ...lines.map(({ name }) => element('th', { scope: 'col' }, name)),
      ),
    ),
    element(
      'tbody',
      {},
      ...sizes.map((size) => element('tr', {}, element('th', { scope: 'row' }, String(size)), ...cells(size))),
    ),
  );
  return element('div', { class: 'hidden' }, table);
}
