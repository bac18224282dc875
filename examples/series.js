// Explains which hours of a day make a model think that somebody was at home, and draws them behind the curve.
//
//     node examples/series.js     writes series.svg to build/examples/
import { mkdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describeTable, explainRow, renderTerminal } from 'linex';

const HOURS = Array.from({ length: 24 }, (_, hour) => `h${hour}`);
/** The windows: three hours each. */
const WINDOWS = [0, 3, 6, 9, 12, 15, 18, 21].map((from) => ({ name: `${from} to ${from + 3} h`, from, to: from + 3 }));

/** The electricity that a household uses in each hour of a day, in kilowatt-hours. */
function day(number) {
  const wave = (k) => 0.5 + 0.5 * Math.sin(number * 12.9898 + k * 78.233);
  const bump = (hour, at, width, height) => height * Math.exp(-(((hour - at) / width) ** 2));
  return HOURS.map(
    (_, hour) =>
      0.2 +
      0.1 * wave(hour) +
      bump(hour, 6 + 2 * wave(30), 1.5, 0.4 + 0.6 * wave(31)) +
      bump(hour, 13, 2, number % 3 === 0 ? 0.9 * wave(32) : 0.1) +
      bump(hour, 19 + wave(33), 2, 0.6 + 0.6 * wave(34)),
  );
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The model: much use around noon means that somebody was at home; a high peak in the morning, that somebody left. */
const predict = (batch) =>
  [...batch].map(
    (use) => 1 / (1 + Math.exp(-8 * (mean(use.slice(12, 15)) - 0.6) + 4 * (Math.max(...use.slice(6, 9)) - 0.8))),
  );

/**
 * Explains a day by its windows, compared with the other days. With the default of 1000 samples, a window beside those that
 * the model reads sometimes gets a small weight.
 */
export async function explainDay(number = 12) {
  const days = Array.from({ length: 300 }, (_, i) => day(i));
  const groups = Object.fromEntries(WINDOWS.map(({ name, from, to }) => [name, HOURS.slice(from, to)]));
  const table = await describeTable(days, { columns: HOURS, groups });
  const values = day(number);
  const usual = HOURS.map((_, hour) => mean(days.map((use) => use[hour])));
  return { explanation: await explainRow(values, predict, { table, features: 'all', samples: 4000 }), values, usual };
}

/** Draws the curve over its windows. A window has the color and the sign of its contribution. */
export function drawDay({ explanation, values, usual }) {
  const [width, height, top, bottom] = [640, 260, 34, 226];
  const x = (hour) => ((hour * width) / 24).toFixed(1);
  const y = (use) => (bottom - ((bottom - top) * use) / Math.max(...values, ...usual)).toFixed(1);
  const most = Math.max(...explanation.features.map(({ contribution }) => Math.abs(contribution)));
  const windows = WINDOWS.map(({ name, from }) => {
    const { contribution } = explanation.features.find((feature) => feature.name === name);
    const fill = contribution > 0 ? '#3f8fc1' : '#e08214';
    const said =
      Math.abs(contribution) < 0.005 ? '0' : `${contribution > 0 ? '+' : '−'}${Math.abs(contribution).toFixed(2)}`;
    const shade = said === '0' ? 0 : 0.1 + (0.5 * Math.abs(contribution)) / most;
    return `<rect x="${x(from)}" y="24" width="${x(3)}" height="206" fill="${fill}" fill-opacity="${shade.toFixed(2)}"/><text x="${x(from + 1.5)}" y="16">${said}</text><text x="${x(from + 1.5)}" y="248">${name}</text>`;
  });
  const line = (series) => series.map((use, hour) => `${x(hour + 0.5)},${y(use)}`).join(' ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Use per hour, and what each window adds to the answer" font-family="sans-serif" font-size="12" text-anchor="middle">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...windows,
    `<polyline points="${line(usual)}" fill="none" stroke="#57606a" stroke-width="1.5" stroke-dasharray="4 4"/>`,
    `<polyline points="${line(values)}" fill="none" stroke="#0d1117" stroke-width="2.5"/>`,
    '</svg>\n',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = new URL('../build/examples/', import.meta.url);
  const explained = await explainDay();
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('series.svg', folder), drawDay(explained));
  console.log(renderTerminal(explained.explanation, { color: process.stdout.isTTY }));
  console.log('\nWritten to build/examples: series.svg');
}
