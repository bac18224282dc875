// Jobs on worker threads, their results kept in a folder so that a run that was stopped goes on where it was.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** The file that a job's result is kept in: named by all that decides it. */
export function resultFile(folder, job) {
  const digest = createHash('sha256').update(JSON.stringify(job)).digest('hex').slice(0, 20);
  return path.join(folder, `${job.set}-${job.part}-${digest}.json`);
}

/**
 * Runs jobs, but for those whose result is known.
 *
 * @param {object[]} jobs
 * @param {object} how
 * @param {string} how.folder  of the results
 * @param {number} [how.threads]
 * @param {(done: number) => void} [how.onProgress]  how many jobs are done, with fractions
 * @returns {Promise<{ job: object, result: object }[]>}  in the order of the jobs
 */
export async function runJobs(jobs, { folder, threads = 2, onProgress = () => {} }) {
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
  const crew = Array.from(
    { length: Math.min(threads, waiting.length) },
    () => new Worker(new URL('./job-thread.js', import.meta.url)),
  );
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

/** A file that is there is whole: whoever stops us midway leaves none. */
function writeWhole(file, text) {
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}
