// Draws steadiness against queries as SVG: CI and sign conflict by the number of samples, for rows, texts and images.
import { METHODS, REFERENCE } from './compared-methods.js';
import { geometricMean, mean } from './steadiness.js';

const KINDS = ['rows', 'texts', 'images'];
const [PANEL, LEFT, TOP, GAP] = [{ width: 330, height: 190 }, 62, 70, { x: 86, y: 76 }];

/** Lines differ by color, by dash and by marker. */
const LOOKS = {
  lime: { light: '#57606a', dark: '#9aa5b1', dash: '2 3', marker: 'circle' },
  'lime+': { light: '#8a5a00', dark: '#e0a84a', dash: '6 3', marker: 'square' },
  paper: { light: '#7a4fc0', dark: '#b79af0', dash: '8 3 2 3', marker: 'diamond' },
  steady: { light: '#1c5fa5', dark: '#79b8ff', dash: '', marker: 'circle' },
  strict: { light: '#b2182b', dark: '#ff7a68', dash: '10 3', marker: 'triangle' },
};
const THEMES = {
  light: { ground: '#ffffff', ink: '#0d1117', muted: '#57606a', line: '#d0d7de' },
  dark: { ground: '#15191e', ink: '#e6edf3', muted: '#9aa5b1', line: '#3d4650' },
};

const MEASURES = [
  {
    title: 'change of weights between seeds (CI)',
    axis: 'LIME with 50 queries = 1',
    /** Relative to LIME with the fewest queries, so that pairs with different units can be joined. */
    value: (pairs, method, n, least) =>
      geometricMean(pairs.map(({ cells }) => cells.all[method][n].ci / cells.all[REFERENCE][least].ci)),
  },
  {
    title: 'opposite signs between seeds',
    axis: 'share of weights',
    value: (pairs, method, n) => mean(pairs.map(({ cells }) => cells.all[method][n].conflict)),
  },
];

/** Signs that never conflict cannot be drawn on a logarithmic axis: they are drawn at its end. */
const NONE = 0.0005;

const number = (value) => Number(value.toFixed(1));

/** Returns powers of ten, and their halves and fifths, within a range. */
function ticksOf(low, high) {
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const step of [1, 2, 5]) ticks.push(Number((step * 10 ** power).toPrecision(3)));
  const within = ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
  return within.length > 6 ? within.filter((tick) => /^[0.]*1/.test(String(tick)) || tick === 1) : within;
}

function marker(kind, x, y, color) {
  const shape = {
    circle: `<circle cx="${x}" cy="${y}" r="3.5" fill="${color}"/>`,
    square: `<path d="M${x - 3} ${y - 3}h6v6h-6z" fill="${color}"/>`,
    diamond: `<path d="M${x} ${y - 4.5}l4.5 4.5l-4.5 4.5l-4.5 -4.5z" fill="${color}"/>`,
    triangle: `<path d="M${x} ${y - 4.5}l4.5 8h-9z" fill="${color}"/>`,
  };
  return shape[kind];
}

const text = (x, y, content, { color, anchor = 'start', weight = 400, size = 12 }) =>
  `<text x="${number(x)}" y="${number(y)}" fill="${color}" text-anchor="${anchor}" font-weight="${weight}" font-size="${size}">${content}</text>`;

/** Draws one panel. */
function panelOf(pairs, measure, methods, sizes, place, theme) {
  const colors = THEMES[theme];
  const series = methods.map((method) => ({
    method,
    points: sizes.map((n) => [n, Math.max(NONE, measure.value(pairs, method, n, sizes[0]))]),
  }));
  const values = series.flatMap(({ points }) => points.map(([, value]) => value));
  const [low, high] = [Math.min(...values) / 1.15, Math.max(...values) * 1.15];
  const scale = (value, from, to, start, end) =>
    number(start + ((Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))) * (end - start));
  const across = (n) => scale(n, sizes[0], sizes.at(-1), place.x, place.x + PANEL.width);
  const down = (value) => scale(value, low, high, place.y + PANEL.height, place.y);
  const grid = ticksOf(low, high).map((tick) => {
    return (
      `<path d="M${place.x} ${down(tick)}h${PANEL.width}" stroke="${colors.line}"/>` +
      text(place.x - 8, down(tick) + 4, String(tick), { color: colors.muted, anchor: 'end' })
    );
  });
  const floor = low < NONE ? text(place.x - 8, down(NONE) + 4, 'none', { color: colors.muted, anchor: 'end' }) : '';
  const below = sizes.map((n) =>
    text(across(n), place.y + PANEL.height + 17, n.toLocaleString('en'), { color: colors.muted, anchor: 'middle' }),
  );
  const lines = series.map(({ method, points }) => {
    const { [theme]: color, dash, marker: kind } = LOOKS[method];
    const path = points.map(([n, value]) => `${across(n)} ${down(value)}`).join('L');
    const marks = points.map(([n, value]) => marker(kind, across(n), down(value), color)).join('');
    return `<path d="M${path}" fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}"/>${marks}`;
  });
  return [...grid, floor, ...below, ...lines].join('');
}

/**
 * Draws the figure.
 *
 * @param {any[]} pairs  results of pairs
 * @param {'light' | 'dark'} theme
 * @returns {string}  an SVG document
 */
export function steadyFigure(pairs, theme) {
  const colors = THEMES[theme];
  const kinds = KINDS.filter((kind) => pairs.some((pair) => pair.kind === kind));
  const { sizes } = pairs[0];
  const methods = Object.keys(LOOKS).filter((method) => pairs.every(({ cells }) => cells.all[method]));
  const width = LEFT + 2 * PANEL.width + GAP.x + 24;
  const height = TOP + kinds.length * (PANEL.height + GAP.y) + 4;
  const parts = [];
  MEASURES.forEach((measure, m) => {
    const x = LEFT + m * (PANEL.width + GAP.x);
    kinds.forEach((kind, k) => {
      const y = TOP + k * (PANEL.height + GAP.y);
      const some = pairs.filter((pair) => pair.kind === kind);
      parts.push(panelOf(some, measure, methods, sizes, { x, y }, theme));
      parts.push(text(x, y - 10, `${kind}: ${measure.title}`, { color: colors.ink, weight: 600, size: 13 }));
      parts.push(
        text(x + PANEL.width, y + PANEL.height + 33, `queries; ${measure.axis}`, {
          color: colors.muted,
          anchor: 'end',
          size: 11,
        }),
      );
    });
  });
  const legend = methods.map((method, i) => {
    const x = LEFT + i * 142;
    const { [theme]: color, dash, marker: kind } = LOOKS[method];
    return `<path d="M${x} 24h28" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}"/>${marker(kind, x + 14, 24, color)}${text(x + 34, 28, METHODS[method].name, { color: colors.ink, size: 13 })}`;
  });
  const title = 'Steadiness against queries';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${title}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, Arial, sans-serif">` +
    `<title>${title}</title><desc>${describe(pairs, kinds, methods, sizes)}</desc>` +
    `<path d="M0 0h${width}v${height}h-${width}z" fill="${colors.ground}"/>${legend.join('')}\n${parts.join('\n')}\n</svg>\n`
  );
}

/** What the figure says, for readers who do not see it. */
function describe(pairs, kinds, methods, sizes) {
  const at = sizes.includes(1000) ? 1000 : sizes.at(-1);
  return kinds
    .map((kind) => {
      const some = pairs.filter((pair) => pair.kind === kind);
      const values = methods.map((method) => {
        const ratio = geometricMean(some.map(({ cells }) => cells.all[method][at].ci / cells.all[REFERENCE][at].ci));
        const conflict = mean(some.map(({ cells }) => cells.all[method][at].conflict));
        return `${METHODS[method].name} ${ratio.toFixed(2)} and ${(100 * conflict).toFixed(1)} %`;
      });
      return `${kind}, ${at} queries, CI relative to LIME and share of opposite signs: ${values.join(', ')}`;
    })
    .join('. ');
}
