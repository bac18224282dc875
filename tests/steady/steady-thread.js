// The script of the study's worker threads.
import { parentPort } from 'node:worker_threads';
import { runSteadyJob } from './steady-job.js';

parentPort.on('message', async (job) => {
  try {
    const result = await runSteadyJob(job, (share) => parentPort.postMessage({ share }));
    parentPort.postMessage({ result });
  } catch (error) {
    parentPort.postMessage({ error });
  }
});
