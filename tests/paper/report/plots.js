// Draws small line plots as SVG, in the colors of the page.

const [WIDTH, HEIGHT] = [420, 260];
const MARGIN = { left: 52, right: 12, top: 26, bottom: 38 };
/** Lines differ by color and by dash, never by color alone. */
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 2', '10 4', '4 2 1 2'];

const look = (style) => `class="line c${style % 7}" stroke-dasharray="${DASHES[style % DASHES.length]}"`;

export const escape = (text) =>
  String(text).replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);

const short = (value) => Number(value.toPrecision(2)).toString();

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
 * @param {object} plot
 * @param {string} plot.title
 * @param {string} plot.x  name of the axis
 * @param {string} plot.y
 * @param {{ name: string, points: [number, number][], style?: number }[]} plot.series  style: one of the seven styles;
 *   default: in order
 * @param {boolean} [plot.log]  whether the horizontal axis is logarithmic
 * @returns {string}  an SVG element, followed by a legend
 */
export function linePlot({ title, x, y, series, log = false }) {
  const all = series.flatMap(({ points }) => points).filter((point) => point.every(Number.isFinite));
  if (all.length === 0) return '';
  const [xs, ys] = [0, 1].map((c) => all.map((point) => point[c]));
  const bounds = (values) => [Math.min(...values), Math.max(...values)];
  const [low, high] = bounds(ys);
  const heights = [low > 0 && low < 0.5 * high ? 0 : low, high > low ? high : low + 1];
  const across = scaleOf(bounds(xs), [MARGIN.left, WIDTH - MARGIN.right], log);
  const down = scaleOf(heights, [HEIGHT - MARGIN.bottom, MARGIN.top], false);
  const ticks = [...new Set(xs)].sort((a, b) => a - b);
  const shown = ticks.length <= 8 ? ticks : ticksOf(...bounds(xs));
  const axes = [
    ...shown.map(
      (tick) => `<text x="${across(tick).toFixed(1)}" y="${HEIGHT - 22}" text-anchor="middle">${short(tick)}</text>`,
    ),
    ...ticksOf(...heights).map((tick) => {
      const at = down(tick).toFixed(1);
      return `<path d="M${MARGIN.left} ${at}H${WIDTH - MARGIN.right}" class="grid"/><text x="${MARGIN.left - 6}" y="${Number(at) + 4}" text-anchor="end">${short(tick)}</text>`;
    }),
    `<text x="${(WIDTH + MARGIN.left) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escape(x)}</text>`,
    `<text x="${MARGIN.left}" y="14" class="title">${escape(title)}: ${escape(y)}</text>`,
  ];
  const looks = series.map(({ style = -1 }, i) => look(style < 0 ? i : style));
  const lines = series.map(({ points }, i) => {
    const path = points.map(([a, b]) => `${across(a).toFixed(1)} ${down(b).toFixed(1)}`).join('L');
    return `<path d="M${path}" ${looks[i]}/>`;
  });
  const legend = series.map(
    ({ name }, i) =>
      `<span><svg width="26" height="8" aria-hidden="true"><path d="M0 4H26" ${looks[i]}/></svg> ${escape(name)}</span>`,
  );
  return (
    `<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(`${title}: ${y} by ${x}`)}">` +
    `${axes.join('')}${lines.join('')}</svg><figcaption>${legend.join(' ')}</figcaption></figure>`
  );
}

/** The styles for the page that contains the plots. */
export const PLOT_STYLES = `
figure { margin: 0; max-width: 32rem } figure svg { width: 100% } figcaption { font-size: .8rem; display: flex; flex-wrap: wrap; gap: .2rem .9rem }
figcaption svg { width: 26px } svg text { font: 11px system-ui, sans-serif; fill: var(--ink) } svg .title { font-weight: 600; font-size: 12px }
.grid { stroke: var(--line); fill: none } .line { fill: none; stroke-width: 2 }
.c0 { stroke: var(--c0) } .c1 { stroke: var(--c1) } .c2 { stroke: var(--c2) } .c3 { stroke: var(--c3) } .c4 { stroke: var(--c4) } .c5 { stroke: var(--c5) } .c6 { stroke: var(--c6) }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem 1.5rem }`;
