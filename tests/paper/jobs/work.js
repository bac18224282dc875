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
 * @param {(done: number) => void} [how.onProgress]  called with the number of finished jobs, including fractions
 * @returns {Promise<{ job: object, result: object }[]>}  in the order of the jobs
 */
export async function runJobs(jobs, { folder, threads = 2, thread: script = JOBS, onProgress = () => {} }) {
  mkdirSync(folder, { recursive: true });
  const waiting = jobs.filter((job) => !existsSync(resultFile(folder, job)));
  const shares = new Map();
  let done = jobs.length - waiting.length;
  const report = () => onProgress(done + [...shares.values()].reduce((a, b) => a + b, 0));
  report();
  const work = async (thread) => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      const current = job;
      const result = await askThread(thread, current, (share) => {
        shares.set(thread, share);
        report();
      });
      writeWhole(resultFile(folder, current), JSON.stringify(result));
      shares.delete(thread);
      done++;
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
      reject(new Error(`${job.set}, ${job.part}, ${job.kind}: ${error.message}`, { cause: error }));
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
