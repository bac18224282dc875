// Work in a process of its own, for what a process shows only once: its peak of memory, its first load.
//
//     node tests/bench/apart.js rows 1000 50 20 2000    explains 1,000 rows, n = 50, d = 20, after 2,000 others
//     node tests/bench/apart.js image 500               explains an image, n = 500
//     node tests/bench/apart.js load                    loads the WebAssembly
//
// Answers { cpu, wall, peak }: seconds, seconds, megabytes.
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
 * @param {string} what
 * @param {...number} numbers
 * @returns {Promise<{ cpu: number, wall: number, peak: number }>}
 */
export async function measureApart(what, ...numbers) {
  const { stdout } = await promisify(execFile)(process.execPath, [HERE, what, ...numbers.map(String)]);
  return JSON.parse(stdout);
}

/**
 * The most memory that this process has held, in megabytes. Not by getrusage where it can be helped: on Linux its maximum
 * outlives exec, so that a child would be as large as the process that started it.
 */
function peakMegabytes() {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const [, kilobytes = process.resourceUsage().maxRSS] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kilobytes) / 1024;
}

/** Where it cannot be forgotten, the peak is that since the start. */
function forgetPeak() {
  const place = '/proc/self/clear_refs';
  if (existsSync(place)) writeFileSync(place, '5');
}

/** Rows as they would come from a file: one at a time, never all in memory. */
function* manyRows(count, width) {
  const some = rowsOf(100, width, 2);
  for (let i = 0; i < count; i++) yield some[i % some.length].map((value) => value + (i % 1013) / 1013);
}

/** Each prepares, and returns the work that is measured. */
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
    // A process that has just begun holds little: the engine has compiled nothing yet, and gives more room to young
    // objects the longer it runs, whatever they are.
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
