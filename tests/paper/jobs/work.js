// Runs jobs on worker threads and stores their results, so that a stopped run can continue.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

const JOBS = new URL('./job-thread.js', import.meta.url);

/** Returns the file of a job's result. Its name depends on everything that affects the result. */
export function resultFile(folder, job) {
  const digest = createHash('sha256').update(JSON.stringify(job)).digest('hex').slice(0, 20);
  return path.join(folder, `${job.set}-${job.part}-${digest}.json`);
}

/**
 * Runs the jobs that have no stored result.
 *
 * @param {object[]} jobs
 * @param {object} how
 * @param {string} how.folder  for the results
 * @param {number} [how.threads]
 * @param {URL} [how.thread]  the script of the threads
 * @param {(job: object) => number} [how.costOf]  in any unit; jobs that cost most are started first. Default: all cost the same
 * @param {(done: number, state: { jobs: number, fresh: number }) => void} [how.onProgress]  called with the cost of finished
 *   jobs, including fractions; jobs: how many are finished; fresh: the cost of what this run has computed
 * @returns {Promise<{ job: object, result: object }[]>}  in the order of the jobs
 */
export async function runJobs(
  jobs,
  { folder, threads = 2, thread: script = JOBS, costOf = () => 1, onProgress = () => {} },
) {
  mkdirSync(folder, { recursive: true });
  const waiting = jobs.filter((job) => !existsSync(resultFile(folder, job))).sort((a, b) => costOf(b) - costOf(a));
  const total = (some) => some.reduce((sum, job) => sum + costOf(job), 0);
  const before = total(jobs.filter((job) => !waiting.includes(job)));
  const shares = new Map();
  let [fresh, finished] = [0, jobs.length - waiting.length];
  const report = () => {
    const now = fresh + [...shares.values()].reduce((a, b) => a + b, 0);
    onProgress(before + now, { jobs: finished, fresh: now });
  };
  report();
  const work = async (thread) => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      const current = job;
      const result = await askThread(thread, current, (share) => {
        shares.set(thread, share * costOf(current));
        report();
      });
      writeWhole(resultFile(folder, current), JSON.stringify(result));
      shares.delete(thread);
      fresh += costOf(current);
      finished++;
      report();
    }
  };
  const crew = Array.from({ length: Math.min(threads, waiting.length) }, () => new Worker(script));
  try {
    await Promise.all(crew.map(work));
  } finally {
    await Promise.all(crew.map((thread) => thread.terminate()));
  }
  return jobs.map((job) => ({ job, result: JSON.parse(readFileSync(resultFile(folder, job), 'utf8')) }));
}

function askThread(thread, job, onShare) {
  return new Promise((resolve, reject) => {
    const fail = (error) =>
      reject(
        new Error(`${job.set}, ${job.part}, ${job.kind ?? job.reading ?? ''}: ${error.message}`, { cause: error }),
      );
    const hear = ({ share, result, error }) => {
      if (share !== undefined) return onShare(share);
      thread.off('message', hear);
      thread.off('error', fail);
      return error ? fail(error) : resolve(result);
    };
    thread.on('message', hear);
    thread.on('error', fail);
    thread.postMessage(job);
  });
}

/** Writes a file completely or not at all, even if the process is stopped. */
function writeWhole(file, text) {
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}
