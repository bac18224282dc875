// The script of the worker threads that work.js starts.
import { parentPort } from 'node:worker_threads';
import { runJob } from './job.js';

parentPort.on('message', async (job) => {
  try {
    const result = await runJob(job, (share) => parentPort.postMessage({ share }));
    parentPort.postMessage({ result });
  } catch (error) {
    parentPort.postMessage({ error });
  }
});
