// Attacks with little WebAssembly memory: `node tests/fuzz/capped-memory.js [--caps 16,20,64]`. Every call must give a
// result or a LinexError 'memory', and must work again when there is room.
//
// Each cap has its own worker, because a process loads the WebAssembly files once. The cap is written into the files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const FILES = {
  ...{ wasm: 'linex', adjust: 'linex-adjust', kriging: 'linex-kriging', masks: 'linex-masks' },
  ...{ wide: 'linex-wide', image: 'linex-image', data: 'linex-data', shapley: 'linex-shapley' },
};

/** The smallest caps leave no room beyond the stack and the constants; 16 pages are a megabyte. */
export const CAPS = [16, 17, 18, 19, 20, 22, 24, 28, 32, 40, 48, 64, 96, 128];

/** Reads an unsigned LEB128 number. Returns it and the position after it. */
function readNumber(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

/** Writes the number in exactly as many bytes as the old one had. */
function overwriteNumber(bytes, from, to, value) {
  for (let at = from; at < to; at++, value = Math.floor(value / 128))
    bytes[at] = (value % 128) + (at + 1 < to ? 128 : 0);
}

/**
 * Returns a WebAssembly file whose memory grows to at most this many pages.
 *
 * @param {Uint8Array} file
 * @param {number} pages
 */
export function capMemory(file, pages) {
  const bytes = Uint8Array.from(file);
  for (let at = 8; at < bytes.length;) {
    const id = bytes[at];
    const [size, start] = readNumber(bytes, at + 1);
    at = start + size;
    if (id !== 5) continue; // the memory section: one memory, with a flag for its limit
    assert.deepEqual([...bytes.subarray(start, start + 2)], [1, 1], 'one memory with a limit');
    const [, limit] = readNumber(bytes, start + 2);
    overwriteNumber(bytes, limit, readNumber(bytes, limit)[1], pages);
    return bytes;
  }
  throw new Error('the file has no memory section');
}

/**
 * Runs the calls under each cap.
 *
 * @param {{ caps?: number[] }} [options]  pages of 64 KB
 * @returns {Promise<{ executions: number, refused: number, findings: string[] }>}  refused: for lack of memory
 */
export async function attackMemory({ caps = CAPS } = {}) {
  const total = { executions: 0, refused: 0, findings: [] };
  for (const cap of caps) {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { cap } });
    await new Promise((resolve) => {
      worker.on('message', ({ executions = 0, refused = 0, finding }) => {
        total.executions += executions;
        total.refused += refused;
        if (finding) total.findings.push(`${cap} pages: ${finding}`);
      });
      worker.on('error', (error) => total.findings.push(`${cap} pages: ${error.stack ?? error}`));
      worker.on('exit', resolve);
    });
  }
  return total;
}

/** The calls, each with a factor for its size. */
async function callsOf(linex) {
  const rows = (count, columns) =>
    Array.from({ length: count }, (_, i) => Array.from({ length: columns }, (__, c) => Math.sin(i * 7 + c * c)));
  const score = (batch) => Array.from(batch, (row) => row[0] + row[1] * row[1]);
  const words = (count) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ');
  const image = (size) => ({ width: size, height: size, channels: 3, data: new Uint8Array(3 * size * size).fill(9) });
  const pixels = ({ data, shape: [count] }) => Array.from({ length: count }, (_, i) => data[(i * data.length) / count]);
  return {
    describeTable: (factor) => linex.describeTable(rows(40 * factor, 3)),
    explainRow: async (factor) =>
      linex.explainRow(rows(1, 4)[0], score, { table: await linex.describeTable(rows(20, 4)), samples: 30 * factor }),
    shap: async (factor) =>
      linex.explainRow(rows(1, 4)[0], score, {
        ...{ table: await linex.describeTable(rows(20, 4)), method: 'shap', background: rows(4 * factor, 4) },
      }),
    explainText: (factor) =>
      linex.explainText(words(4 * factor), (texts) => texts.map((text) => text.length % 7), {
        ...{ samples: 40, draws: 4, features: 5 },
      }),
    explainImage: (factor) => linex.explainImage(image(6 * factor), pixels, { samples: 20, draws: 4 }),
    explainSamples: (factor) => {
      const points = rows(20 * factor, 5);
      return linex.explainSamples({ points, predictions: points.map(([a]) => a) }, { draws: 10 });
    },
    solveGame: (factor) => {
      const size = 2 * factor;
      const gram = Array.from({ length: size * size }, (_, i) => (i % (size + 1) === 0 ? 2 : 0.5 / size));
      return linex.solveGame({ grams: [gram, gram], targets: rows(2, size), gamma: 1 });
    },
    trainForest: (factor) => linex.trainForest(rows(20 * factor, 3), rows(20 * factor, 1).flat(), { trees: 4 }),
    densityNeighborhood: async (factor) => {
      const points = rows(20 * factor, 3);
      return linex.densityNeighborhood(await linex.describeTable(points), { rows: points, grid: [0.5, 1] });
    },
    loadWordVectors: (factor) =>
      linex.loadWordVectors(
        rows(20 * factor, 8)
          .map((numbers, i) => `w${i} ${numbers.join(' ')}`)
          .join('\n'),
      ),
  };
}

/** In a worker: runs every call at growing sizes under one cap. */
async function runUnder(cap) {
  const linex = await import('linex');
  const { ready } = await import('../../js/core/load.js');
  const file = (name) => readFileSync(new URL(`../../js/${name}.wasm`, import.meta.url));
  const capped = Object.fromEntries(
    Object.entries(FILES).map(([option, name]) => [option, capMemory(file(name), cap)]),
  );
  await linex.load(capped);
  const core = await ready();
  core.linex_wasm_release(core.linex_wasm_allocate(1000));
  const before = core.linex_wasm_live_bytes();
  for (const [name, call] of Object.entries(await callsOf(linex)))
    for (const factor of [1, 2, 5, 12, 30]) {
      const outcome = await outcomeOf(() => call(factor), linex.LinexError);
      const live = core.linex_wasm_live_bytes();
      if (live !== before) parentPort.postMessage({ finding: `${name} leaks ${live - before} bytes` });
      if (outcome !== 'result' && outcome !== 'memory') parentPort.postMessage({ finding: `${name}: ${outcome}` });
      parentPort.postMessage({ executions: 1, refused: outcome === 'memory' ? 1 : 0 });
    }
}

async function outcomeOf(call, LinexError) {
  try {
    await call();
    return 'result';
  } catch (error) {
    if (error instanceof LinexError && error.code === 'memory') return 'memory';
    return `throws ${error?.constructor?.name} ${error?.code ?? ''}: ${error?.message}`;
  }
}

if (!isMainThread && workerData?.cap) await runUnder(workerData.cap);
else if (isMainThread && process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { caps: { type: 'string' } } });
  const { executions, refused, findings } = await attackMemory({ caps: values.caps?.split(',').map(Number) });
  for (const finding of findings) console.log(`FINDING ${finding}`);
  console.log(`${executions} executions, ${refused} refused for lack of memory, ${findings.length} findings`);
  process.exit(findings.length > 0 ? 1 : 0);
}
