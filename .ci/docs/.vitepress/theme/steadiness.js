// The curve of steadiness, measured in the reader's browser: how much the weights change between seeds.
import { siteURL } from './site-url.js';

const SIZES = [50, 100, 200, 500];
const SEEDS = [1, 2, 3, 4, 5];
const LINES = [
  { key: 'linex', name: 'LINEX', options: {} },
  { key: 'lime', name: 'LIME as it is', options: { method: 'lime', sampling: 'independent', adjust: 'none' } },
  { key: 'ours', name: 'LIME with our samples', options: { method: 'lime' } },
];

/** Mean distance of two runs, as a share of the mean size. @param {number[][]} runs */
function changeOf(runs) {
  const size = (values) => Math.hypot(...values);
  const pairs = runs.flatMap((a, i) => runs.slice(i + 1).map((b) => size(a.map((value, c) => value - b[c]))));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean(pairs) / mean(runs.map(size));
}

/** A table and a model that bends, as most do. */
function makeCase() {
  const rows = Array.from({ length: 300 }, (_, i) =>
    Array.from({ length: 6 }, (_, c) => Math.sin(12.9898 * (i + 1) * (c + 1)) + Math.cos(i * (c + 2))),
  );
  const score = ([a, b, c, d, e]) => 1 / (1 + Math.exp(-a - 0.6 * b + 0.5 * c * d - 0.8 * Math.max(0, e)));
  return { rows, predict: (batch) => batch.rows.map(score) };
}

/** Fills a box with a button that measures and the curve. @param {HTMLElement} box */
export function makeSteadiness(box) {
  const start = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Measure' });
  const told = document.createElement('p');
  told.setAttribute('role', 'status');
  told.textContent = 'A model of six columns is explained 60 times in your browser.';
  const bar = document.createElement('div');
  bar.className = 'live-bar';
  bar.append(start);
  const chart = document.createElement('div');
  box.append(bar, told, chart);
  start.addEventListener('click', async () => {
    start.disabled = true;
    try {
      await measure(chart, told);
      told.textContent = 'Done. Lower is steadier.';
    } catch (error) {
      told.textContent = `It failed: ${error.message}`;
    } finally {
      start.disabled = false;
      box.dataset.state = 'done';
    }
  });
}

async function measure(chart, told) {
  const { describeTable, explainRow } = await import(/* @vite-ignore */ siteURL('js/index.js'));
  const { steadinessCurve } = await import(/* @vite-ignore */ siteURL('web/steadiness-curve.js'));
  const { rows, predict } = makeCase();
  const table = await describeTable(rows);
  const points = [];
  for (const samples of SIZES)
    for (const { key, name, options } of LINES) {
      told.textContent = `${name}, ${samples} questions …`;
      const runs = [];
      for (const seed of SEEDS)
        runs.push((await explainRow(rows[17], predict, { table, samples, seed, ...options })).weights);
      points.push({ key, samples, change: changeOf(runs) });
      chart.replaceChildren(steadinessCurve(LINES, points, SIZES));
    }
}
