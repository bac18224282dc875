// `linex worker`: lends the cores of this machine to a fleet.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { joinFleet } from '../fleet/join-fleet.js';
import { CommandFailure, EXIT } from '../command-files/command-failure.js';
import { MODEL_ARGUMENTS, openModel } from '../command-jobs/model-file.js';
import { Output } from '../command-jobs/command-output.js';
import { sayTime } from '../command-jobs/progress-bar.js';
import { onInterrupt } from '../command-jobs/rows-run.js';

const { model, classes, softmax, output: scores } = MODEL_ARGUMENTS;

/** @type {import('../command-jobs/command-arguments.js').Command} */
export const command = {
  name: 'worker',
  summary: 'lend the cores of this machine to a fleet',
  usage: '--model model.js [options]',
  about: [
    'Takes jobs of a fleet from Redis and explains them on all cores, until Ctrl-C. It runs only the model that it was started with. The packages bullmq and ioredis must be installed.',
    'The address of Redis is best in the environment variable LINEX_REDIS, because other users can read the words of a command.',
  ],
  takes: {
    ...{ model, classes, softmax, output: scores },
    redis: { kind: 'text', value: 'address', help: 'where Redis is, such as rediss://host:6380; default LINEX_REDIS' },
    name: { kind: 'text', value: 'name', help: 'of the fleet, default linex' },
    fingerprint: { kind: 'text', value: 'text', help: 'says which model it is, if its weights are in other files' },
    workers: { kind: 'count', help: 'threads, default one per core' },
  },
  examples: [{ words: 'LINEX_REDIS=redis://127.0.0.1:6379 linex worker --model model.js', about: 'joins the fleet' }],
  async run({ words, values }) {
    const output = new Output(values);
    if (words.length > 0) throw new CommandFailure(`linex worker takes no word without an option, such as ${words[0]}`);
    const worker = await joinFleet({
      ...(await moduleOf(values)),
      ...(values.redis && { connection: values.redis }),
      ...(values.name && { name: values.name }),
      ...(values.workers !== undefined && { workers: values.workers }),
      onWarning: ({ message }) => output.complain(message),
      onJob: ({ items, milliseconds }) => output.note(`${items} explained in ${sayTime(milliseconds)}`),
    });
    output.note(`${values.model}: ${worker.workers} threads are ready; Ctrl-C ends after the jobs under way`);
    await new Promise((done) => onInterrupt(() => done(undefined)));
    await worker.close();
    output.note(`${worker.jobs} jobs done`);
    return EXIT.ok;
  },
};

/** The module that the threads import, and what says which model it is. @param {Readonly<Record<string, any>>} values */
async function moduleOf(values) {
  for (const name of ['classes', 'softmax', 'output'])
    if (values[name] !== undefined && values.fingerprint === undefined)
      throw new CommandFailure(
        `--${name} changes the answers, so that the file does not tell which model it is; give it a name with --fingerprint, here and in openFleet`,
      );
  if (values.model !== undefined && /\.m?js$/i.test(values.model))
    return {
      module: pathToFileURL(resolve(values.model)),
      ...(values.fingerprint && { fingerprint: values.fingerprint }),
    };
  const { kind, url, sha256 } = await openModel(values);
  if (kind !== 'onnx' || url === undefined)
    throw new CommandFailure('a worker needs a model of its own: --model model.js or model.onnx');
  return { module: new URL(url), fingerprint: values.fingerprint ?? sha256 };
}
