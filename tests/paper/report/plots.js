// Draws figures as SVG: line plots with error bands, a map of points and heatmaps. They follow the light or dark mode.

const [WIDTH, HEIGHT] = [420, 250];
const MARGIN = { left: 52, right: 18, top: 26, bottom: 38 };
/** Lines differ by color and by dash, never by color alone. */
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 2', '10 4', '4 2 1 2'];
const STYLES_COUNT = DASHES.length;

export const escape = (text) =>
  String(text).replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);

const short = (value) => Number(value.toPrecision(2)).toString();
const at = (value) => Number(value.toFixed(1)).toString();

/** Returns round numbers from least to most. */
function ticksOf(least, most) {
  if (!(most > least)) return [least];
  const rough = (most - least) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
  const ticks = [];
  for (let i = Math.ceil(least / step); i * step <= most + 1e-12; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

function scaleOf([least, most], [from, to], log) {
  const map = log ? Math.log10 : (value) => value;
  const [low, high] = [map(least), map(most)];
  return (value) => (high > low ? from + ((map(value) - low) / (high - low)) * (to - from) : (from + to) / 2);
}

/**
 * @typedef {object} Plot
 * @property {string} title
 * @property {string} x  name of the axis
 * @property {string} y
 * @property {{ name: string, points: [number, number, number?][], style?: number }[]} series  points: x, y and, for a band,
 *   the standard error; style: one of the seven styles; default: in order
 * @property {boolean} [log]  whether the horizontal axis is logarithmic
 */

const styleOf = ({ style = -1 }, i) => (style < 0 ? i : style) % STYLES_COUNT;

/** One line plot as SVG elements. @param {Plot} plot */
function panel({ title, x, y, series, log = false }) {
  const all = series.flatMap(({ points }) => points);
  const xs = all.map(([place]) => place);
  const ys = all.flatMap(([, value, error = 0]) => [value - error, value + error]);
  const bounds = (values) => [Math.min(...values), Math.max(...values)];
  const [low, high] = bounds(ys);
  const heights = [low > 0 && low < 0.5 * high ? 0 : low, high > low ? high : low + 1];
  const across = scaleOf(bounds(xs), [MARGIN.left, WIDTH - MARGIN.right], log);
  const down = scaleOf(heights, [HEIGHT - MARGIN.bottom, MARGIN.top], false);
  const ticks = [...new Set(xs)].sort((a, b) => a - b);
  const shown = ticks.length <= 8 ? ticks : ticksOf(...bounds(xs));
  const axes = [
    ...shown.map(
      (tick) => `<text x="${at(across(tick))}" y="${HEIGHT - 22}" text-anchor="middle">${short(tick)}</text>`,
    ),
    ...ticksOf(...heights).map((tick) => {
      const height = at(down(tick));
      return `<path d="M${MARGIN.left} ${height}H${WIDTH - MARGIN.right}" class="grid"/><text x="${MARGIN.left - 6}" y="${Number(height) + 4}" text-anchor="end">${short(tick)}</text>`;
    }),
    `<text x="${(WIDTH + MARGIN.left) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escape(x)}</text>`,
    `<text x="${MARGIN.left}" y="14" class="title">${escape(title ? `${title}: ${y}` : y)}</text>`,
  ];
  const bands = series.map(({ points, ...one }, i) => {
    if (points.length < 2 || !points.some(([, , error]) => error > 0)) return '';
    const edge = (list, sign) => list.map(([a, b, error = 0]) => `${at(across(a))} ${at(down(b + sign * error))}`);
    const outline = [...edge(points, 1), ...edge([...points].reverse(), -1)].join('L');
    return `<path d="M${outline}Z" class="band f${styleOf(one, i)}"/>`;
  });
  const lines = series.map(({ points, ...one }, i) => {
    const path = points.map(([a, b]) => `${at(across(a))} ${at(down(b))}`).join('L');
    return `<path d="M${path}" ${lookOf(styleOf(one, i))}/>`;
  });
  return `${axes.join('')}${bands.join('')}${lines.join('')}`;
}

const lookOf = (style) => `class="line c${style}" stroke-dasharray="${DASHES[style]}"`;

const isDrawable = ({ series }) => series.some(({ points }) => points.length > 0);

/** Draws plots side by side, with one legend. @param {{ label: string, plots: Plot[] }} figure @returns {string} */
export function plotsSVG({ label, plots }) {
  const drawn = plots.map(finite).filter(isDrawable);
  const names = new Map(drawn.flatMap(({ series }) => series.map((one, i) => [one.name, styleOf(one, i)])));
  const columns = Math.min(drawn.length, drawn.length === 4 ? 2 : 3);
  const rows = Math.ceil(drawn.length / columns);
  const width = columns * WIDTH;
  const legend = legendOf(names, width);
  const panels = drawn.map(
    (plot, i) =>
      `<g transform="translate(${(i % columns) * WIDTH} ${Math.floor(i / columns) * HEIGHT})">${panel(plot)}</g>`,
  );
  return svgOf({ label, width, height: rows * HEIGHT + legend.height }, [
    ...panels,
    `<g transform="translate(0 ${rows * HEIGHT})">${legend.text}</g>`,
  ]);
}

/** Leaves out points that are not numbers. */
const finite = (plot) => ({
  ...plot,
  series: plot.series.map((one) => ({
    ...one,
    points: one.points.filter((point) => Number.isFinite(point[0]) && Number.isFinite(point[1])),
  })),
});

function legendOf(names, width) {
  let [x, y] = [MARGIN.left, 14];
  const items = [...names].map(([name, style]) => {
    const long = 44 + 6.2 * name.length;
    if (x > MARGIN.left && x + long > width - 8) [x, y] = [MARGIN.left, y + 18];
    const item = `<path d="M${x} ${y - 4}h26" ${lookOf(style)}/><text x="${x + 32}" y="${y}">${escape(name)}</text>`;
    x += long;
    return item;
  });
  return { text: items.join(''), height: y + 10 };
}

/**
 * Draws points in two maps side by side; color and size show a value.
 *
 * @param {{ label: string, x: string, y: string, maps: { title: string, points: [number, number, number][] }[] }} figure
 */
export function scatterSVG({ label, x, y, maps }) {
  const all = maps.flatMap(({ points }) => points);
  const bounds = (c) => [Math.min(...all.map((point) => point[c])), Math.max(...all.map((point) => point[c]))];
  const [, most] = bounds(2);
  const across = scaleOf(bounds(0), [MARGIN.left + 6, WIDTH - MARGIN.right - 6]);
  const down = scaleOf(bounds(1), [HEIGHT - MARGIN.bottom - 6, MARGIN.top + 6]);
  const drawn = maps.map(({ title, points }, m) => {
    const dots = points.map(([a, b, value]) => {
      const share = most > 0 ? Math.sqrt(value / most) : 0;
      return `<circle cx="${at(across(a))}" cy="${at(down(b))}" r="${at(2 + 6 * share)}" class="s${Math.min(4, Math.floor(5 * share))}"/>`;
    });
    const texts =
      `<text x="${MARGIN.left}" y="14" class="title">${escape(title)}</text>` +
      `<text x="${WIDTH / 2}" y="${HEIGHT - 12}" text-anchor="middle">${escape(x)}</text>` +
      `<text transform="translate(16 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle">${escape(y)}</text>`;
    return `<g transform="translate(${m * WIDTH} 0)">${texts}${dots.join('')}</g>`;
  });
  return svgOf({ label, width: maps.length * WIDTH, height: HEIGHT }, drawn);
}

const CELL = 5;

/**
 * Draws heatmaps in rows: blue for weights above 0, orange for weights below.
 *
 * @param {{ label: string, size: { width: number, height: number }, rows: { title: string, maps: { caption: string,
 *   values: Int8Array }[] }[] }} figure  values: -127 to 127
 */
export function mapsSVG({ label, size: { width, height }, rows }) {
  const [w, h] = [width * CELL + 16, height * CELL + 40];
  const most = Math.max(...rows.map(({ maps }) => maps.length));
  const columns = Math.max(1, Math.floor(6 / most));
  const drawn = rows.map(({ title, maps }, r) => {
    const [x, y] = [(r % columns) * (most * w + 12), Math.floor(r / columns) * (h + 8)];
    const each = maps.map(
      ({ caption, values }, m) =>
        `<g transform="translate(${m * w + 8} 18)"><rect class="frame" width="${width * CELL}" height="${height * CELL}"/>` +
        `<g transform="scale(${CELL})">${levelPaths(values, width)}</g><text y="${height * CELL + 14}">${escape(caption)}</text></g>`,
    );
    return `<g transform="translate(${x} ${y})"><text x="8" y="13" class="title">${escape(title)}</text>${each.join('')}</g>`;
  });
  const lines = Math.ceil(rows.length / columns);
  return svgOf({ label, width: Math.min(rows.length, columns) * (most * w + 12), height: lines * (h + 8) }, drawn);
}

/** One path per level of color; cells of a level that are side by side become one rectangle. */
function levelPaths(values, width) {
  const levelOf = (value) => Math.sign(value) * Math.min(3, Math.ceil((4 * Math.abs(value)) / 127 - 0.5));
  const paths = new Map();
  for (let i = 0; i < values.length;) {
    const level = levelOf(values[i]);
    let end = i + 1;
    while (end % width !== 0 && end < values.length && levelOf(values[end]) === level) end++;
    if (level !== 0) {
      const run = `M${i % width} ${Math.floor(i / width)}h${end - i}v1h-${end - i}z`;
      paths.set(level, (paths.get(level) ?? '') + run);
    }
    i = end;
  }
  return [...paths].map(([level, d]) => `<path class="${level > 0 ? 'p' : 'n'}${Math.abs(level)}" d="${d}"/>`).join('');
}

/** A frame with its own ground, so that it can be read on any page. */
function svgOf({ label, width, height }, parts) {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${at(width)} ${at(height)}" width="${at(width)}" role="img" aria-label="${escape(label)}">` +
    `<title>${escape(label)}</title><style>${FIGURE_STYLES}</style><rect width="100%" height="100%" class="ground"/>${parts.join('')}</svg>\n`
  );
}

const LIGHT = ['#0072b2', '#d55e00', '#1b7f5c', '#a0448a', '#8a6d00', '#56606b', '#b3261e'];
const DARK = ['#5db5ec', '#f5985a', '#55c79b', '#e08ccb', '#e0c04c', '#aab4bf', '#ff8a80'];
const colors = (list) => list.map((color, i) => `.c${i}{stroke:${color}}.f${i}{fill:${color}}`).join('');
const ramp = (name, list) => list.map((color, i) => `.${name}${i}{fill:${color}}`).join('');
const levels = (name, list) => list.map((color, i) => `.${name}${i + 1}{fill:${color}}`).join('');
const FIGURE_STYLES =
  `text{font:11px system-ui,sans-serif;fill:#1c1f23}.title{font-weight:600;font-size:12px}.ground{fill:#fff}.grid{stroke:#dde1e6;fill:none}` +
  `.frame{fill:none;stroke:#dde1e6}.line{fill:none;stroke-width:2}.band{opacity:.18}circle{stroke:#fff;stroke-width:.6}${colors(LIGHT)}` +
  `${ramp('s', ['#c6dbef', '#7fb3d9', '#3d85c0', '#1b5a96', '#08264d'])}${levels('p', ['#b5d4ec', '#4f9ad0', '#0b4f86'])}${levels('n', ['#f6d0b1', '#e48a4b', '#a8470a'])}` +
  `@media(prefers-color-scheme:dark){text{fill:#e6e9ed}.ground{fill:#15181c}.grid,.frame{stroke:#343a42}circle{stroke:#15181c}${colors(DARK)}` +
  `${ramp('s', ['#1d3a55', '#2a6295', '#4a92cf', '#8fc2ee', '#e3f1fd'])}${levels('p', ['#1e4565', '#3f88c0', '#a5d3f7'])}${levels('n', ['#5a3115', '#b96527', '#ffbf8c'])}}`;
