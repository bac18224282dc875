// Measures work in a separate process: its peak memory, or its first load.
//
//     node tests/bench/apart.js rows 1000 50 20 2000    explains 1,000 rows, n = 50, d = 20, after 2,000 others
//     node tests/bench/apart.js image 500               explains an image, n = 500
//     node tests/bench/apart.js load                    loads the WebAssembly
//
// Prints { cpu, wall, peak }: seconds, seconds, megabytes.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeTable, explainRows, load } from 'linex';
import { imageCase, rowModel, rowsOf } from './bench-cases.js';
import { cpuSeconds } from './interleave.js';

const HERE = fileURLToPath(import.meta.url);

/**
 * Starts a process that measures some work.
 *
 * @param {string} what
 * @param {...number} numbers
 * @returns {Promise<{ cpu: number, wall: number, peak: number }>}
 */
export async function measureApart(what, ...numbers) {
  const { stdout } = await promisify(execFile)(process.execPath, [HERE, what, ...numbers.map(String)]);
  return JSON.parse(stdout);
}

/**
 * Returns the peak memory of this process, in megabytes. getrusage is used only without /proc: on Linux its maximum survives
 * exec, so a child process would report the peak of its parent.
 */
function peakMegabytes() {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const [, kilobytes = process.resourceUsage().maxRSS] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kilobytes) / 1024;
}

/** Resets the peak. If that is not possible, the peak counts from the start of the process. */
function forgetPeak() {
  const place = '/proc/self/clear_refs';
  if (existsSync(place)) writeFileSync(place, '5');
}

/** Generates rows one at a time, as from a file, so that they are never all in memory. */
function* manyRows(count, width) {
  const some = rowsOf(100, width, 2);
  for (let i = 0; i < count; i++) yield some[i % some.length].map((value) => value + (i % 1013) / 1013);
}

/** Each function prepares the work and returns the part that is measured. */
const WORK = {
  async rows(count, samples, width, before) {
    const table = await describeTable(rowsOf(200, width));
    const options = { table, samples, draws: 0 };
    const explain = async (many) => {
      let explained = 0;
      for await (const { weights } of explainRows(manyRows(many, width), rowModel, options))
        explained += weights.length;
      if (explained !== many * width) throw new Error(`${explained} weights for ${many} rows of ${width}`);
    };
    // Warm up first: a new process needs little memory, because nothing is compiled yet and the space for young objects
    // is still small.
    await explain(before);
    forgetPeak();
    return () => explain(count);
  },
  image: (samples) => async () => {
    const one = await imageCase(samples);
    await one.explain(one.model, { draws: 0 });
  },
  load: () => load,
};

if (process.argv[1] === HERE) {
  const [what, ...numbers] = process.argv.slice(2);
  const work = await WORK[what](...numbers.map(Number));
  const [cpu, wall] = [cpuSeconds(), performance.now()];
  await work();
  const spent = { cpu: cpuSeconds() - cpu, wall: (performance.now() - wall) / 1000 };
  console.log(JSON.stringify({ ...spent, peak: peakMegabytes() }));
}
