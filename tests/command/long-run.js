// npm run command:long: explains 100,000 rows in one command, beside a pool; says the two rates, and the memory over time.
//
//     npm run command:long -- [--rows 100000] [--samples 100]
import { readFileSync, statSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { describeTable } from 'linex';
import { openPool } from 'linex/pool';
import { peopleCSV, SCORE, startCommand } from '../support/workers/command-runs.js';

/** The command must reach this share of the pool's rate. */
const LEAST_SHARE = 0.9;
/**
 * The most memory in the second half of the run, as a multiple of that in the first half. The garbage collector lets it vary by a
 * fifth; results that are kept would double it.
 */
const MOST_GROWTH = 1.5;
/** Cheap rows, because this is about what the command adds. */
const PRESET = 'paper';
/** How often the memory is read, in milliseconds. */
const PACE = 250;

/** The memory of a process in megabytes, or undefined if it has ended. @param {number} pid */
function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** The processor time of a process and its threads so far, in seconds. Linux counts a hundred ticks per second. @param {number} pid */
function processorTimeOf(pid) {
  try {
    const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return (user + system) / 100;
  } catch {
    return 0;
  }
}

/**
 * Explains the rows by the command.
 *
 * @param {string} folder
 * @param {readonly string[]} words
 * @returns {Promise<{ seconds: number, processor: number, memory: { bytes: number, megabytes: number }[] }>}  bytes: the size of the
 *   file at that moment
 */
async function runLong(folder, words) {
  const out = join(folder, 'why.jsonl');
  const started = performance.now();
  const { child, ended } = startCommand(folder, words);
  const memory = [];
  let processor = 0;
  const timer = setInterval(() => {
    const megabytes = memoryOf(child.pid);
    processor = processorTimeOf(child.pid) || processor;
    if (megabytes > 0) memory.push({ megabytes, bytes: statSync(out, { throwIfNoEntry: false })?.size ?? 0 });
  }, PACE);
  const { code, stderr } = await ended;
  clearInterval(timer);
  if (code !== 0) throw new Error(`the command ended with ${code}: ${stderr}`);
  return { seconds: (performance.now() - started) / 1000, processor, memory };
}

/**
 * Explains the same rows by a pool, without reading or writing a file.
 *
 * @param {string} folder
 * @param {string} csv
 * @param {number} samples
 * @returns {Promise<{ seconds: number, processor: number }>}
 */
async function runPool(folder, csv, samples) {
  const [, ...lines] = csv.trim().split('\n');
  const rows = lines.map((line) => line.split(',')).map(([age, income, home]) => [Number(age), Number(income), home]);
  const table = await describeTable(rows, { columns: ['age', 'income', 'home'], categorical: ['home'] });
  const [started, before] = [performance.now(), process.cpuUsage()];
  const pool = await openPool(pathToFileURL(join(folder, 'model.mjs')));
  let count = 0;
  for await (const { features } of pool.explainRows(rows, { table, preset: PRESET, samples }))
    count += features.length > 0 ? 1 : 0;
  await pool.close();
  if (count !== rows.length) throw new Error(`the pool explained ${count} of ${rows.length} rows`);
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - started) / 1000, processor: (user + system) / 1e6 };
}

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, samples: { type: 'string', default: '100' } },
});
const [count, samples] = [Number(values.rows), Number(values.samples)];
const folder = mkdtempSync(join(tmpdir(), 'linex-long-'));
try {
  const csv = peopleCSV(count);
  writeFileSync(join(folder, 'people.csv'), csv);
  writeFileSync(join(folder, 'model.mjs'), SCORE);
  const words = [
    'explain',
    'people.csv',
    '--model',
    'model.mjs',
    '--preset',
    PRESET,
    '--samples',
    values.samples,
    '--out',
    'why.jsonl',
  ];
  console.log(`${count} rows, ${samples} samples per row, ${availableParallelism()} threads`);
  const { seconds, processor, memory } = await runLong(folder, words);
  console.log(
    `command: ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} rows/s from its start to its end, ${processor.toFixed(1)} s of processor time`,
  );
  const whole = statSync(join(folder, 'why.jsonl')).size;
  const most = (from, to) =>
    Math.max(
      0,
      ...memory.filter(({ bytes }) => bytes > from * whole && bytes <= to * whole).map((one) => one.megabytes),
    );
  const tenths = Array.from({ length: 10 }, (_, i) => most(i / 10, (i + 1) / 10).toFixed(0));
  console.log(
    `memory: at most ${tenths.join(', ')} MB in each tenth of the file of ${(whole / 2 ** 20).toFixed(0)} MB`,
  );
  const growth = most(0.5, 1) / most(0, 0.5);
  const alone = await runPool(folder, csv, samples);
  console.log(
    `pool: ${alone.seconds.toFixed(1)} s, ${(count / alone.seconds).toFixed(0)} rows/s, ${alone.processor.toFixed(1)} s of processor time`,
  );
  const share = alone.seconds / seconds;
  console.log(`rate beside the pool's: ${share.toFixed(2)} (at least ${LEAST_SHARE})`);
  console.log(
    `the same by processor time: ${(alone.processor / processor).toFixed(2)}; a busy machine changes it less`,
  );
  console.log(`memory of the second half: ${growth.toFixed(2)} times that of the first (at most ${MOST_GROWTH})`);
  process.exitCode = share >= LEAST_SHARE && growth <= MOST_GROWTH ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
