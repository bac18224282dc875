// Makes many explanations and checks that memory stays flat: `node --expose-gc tests/fuzz/soak.js [--explanations N]`.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeTable, explainImage, explainRow, explainSamples, explainText, load, solveGame } from 'linex';
import { sharedCores } from '../support/shared-cores.js';

/** Noise of the collector and of the compiler. Bytes. */
const SLACK = 48 * 2 ** 20;

/**
 * Makes explanations of rows, texts, images and games. Measures memory after a fifth of them and at the end.
 *
 * @param {{ explanations?: number, seconds?: number }} [options]  seconds: at most
 * @returns {Promise<{ executions: number, before: Record<string, number>, after: Record<string, number>, findings:
 *   string[] }>}
 */
export async function soak({ explanations = 100000, seconds = 3600 } = {}) {
  await load();
  const cores = await sharedCores();
  const explainNext = await explainers();
  const end = Date.now() + 1000 * seconds;
  const warm = Math.ceil(explanations / 5);
  let before;
  let made = 0;
  for (; made < explanations && (Date.now() < end || before === undefined); made++) {
    // A short soak is not measured before it is warm, at the latest after a fifth of its time.
    if (before === undefined && (made === warm || Date.now() > end - 800 * seconds)) before = await measure(cores);
    await explainNext[made % explainNext.length](made);
  }
  before ??= await measure(cores);
  const after = await measure(cores);
  const findings = [];
  for (const name of ['liveBytes', 'pages'])
    if (after[name] > before[name]) findings.push(`${name} grew from ${before[name]} to ${after[name]}`);
  for (const name of ['heap', 'resident'])
    if (after[name] > 1.25 * before[name] + SLACK) findings.push(`${name} grew from ${before[name]} to ${after[name]}`);
  return { executions: made, before, after, findings };
}

async function measure(cores) {
  // Memory of WebAssembly is freed in a turn after the one that collects its instance.
  for (let turn = 0; turn < 4; turn++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    liveBytes: cores.reduce((sum, core) => sum + core.linex_wasm_live_bytes(), 0),
    pages: cores.reduce((sum, core) => sum + core.memory.buffer.byteLength / 65536, 0),
    heap: globalThis.gc ? heapUsed + external : 0,
    resident: rss,
  };
}

/** One function per kind of explanation; images come rarely, because each has a WebAssembly instance of its own. */
async function explainers() {
  const rows = Array.from({ length: 40 }, (_, i) => [Math.sin(i), Math.cos(3 * i), i % 4]);
  const table = await describeTable(rows, { categorical: [2] });
  const score = (batch) => Array.from(batch, ([a, b]) => a * b + a);
  const texts = ['a good film', 'not a bad film at all', 'the plot is thin but the actors are fine'];
  const image = { width: 8, height: 8, channels: 3, data: Uint8Array.from({ length: 192 }, (_, i) => (i * 31) % 256) };
  const shades = ({ data, shape: [count] }) => Array.from({ length: count }, (_, i) => data[(i * data.length) / count]);
  const small = { samples: 24, draws: 4 };
  const explainers = [
    (seed) => explainRow(rows[seed % 40], score, { table, seed, ...small }),
    (seed) => explainText(texts[seed % 3], (batch) => batch.map((text) => text.length), { seed, ...small }),
    () => explainSamples({ points: rows, predictions: rows.map(([a]) => a) }, { draws: 4 }),
    (seed) => solveGame({ grams: [[2, 1, 1, 2], [2, 0, 0, 1]], targets: [[1, seed % 5], [0, 1]], gamma: 1 }), // prettier-ignore
    (seed) => explainRow(rows[seed % 40], score, { table, method: 'shap', background: rows.slice(0, 3), samples: 10 }),
  ];
  const mixed = [...explainers, ...explainers, ...explainers, ...explainers];
  return [...mixed, (seed) => explainImage(image, shades, { seed, segments: 'grid', ...small })];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { explanations: { type: 'string' }, seconds: { type: 'string' } } });
  const number = (text) => (text === undefined ? undefined : Number(text));
  const told = await soak({ explanations: number(values.explanations), seconds: number(values.seconds) });
  for (const finding of told.findings) console.log(`FINDING ${finding}`);
  console.log(`before ${JSON.stringify(told.before)}, after ${JSON.stringify(told.after)}`);
  console.log(`${told.executions} executions, ${told.findings.length} findings`);
  process.exit(told.findings.length > 0 ? 1 : 0);
}
