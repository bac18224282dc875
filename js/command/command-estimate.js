// `linex estimate`: says how often a model will be asked, how long that takes and what it costs.
import { estimate } from '../explain/estimate.js';
import { onlyWord } from '../command-jobs/command-arguments.js';
import { EXIT } from '../command-files/command-failure.js';
import { Output } from '../command-jobs/command-output.js';
import { MODEL_ARGUMENTS } from '../command-jobs/model-file.js';
import { sayTime } from '../command-jobs/progress-bar.js';
import { DATA_ARGUMENTS, EXPLAIN_ARGUMENTS, prepareRows } from '../command-jobs/rows-job.js';

/** @type {import('../command-jobs/command-arguments.js').Command} */
export const command = {
  name: 'estimate',
  summary: 'say what an explanation will cost',
  usage: 'data.csv --model model.onnx [options]',
  about: [
    'Says how often the model will be asked to explain the rows, and with --latency or --measure how long it takes, and with --price what it costs. Nothing is asked, except for one question with --measure.',
    'It takes the words of linex explain.',
  ],
  takes: {
    ...MODEL_ARGUMENTS,
    ...DATA_ARGUMENTS,
    ...EXPLAIN_ARGUMENTS,
    latency: { kind: 'number', value: 'ms', help: 'milliseconds that the model takes for a batch' },
    measure: { kind: 'flag', help: 'ask the model one question to measure the time' },
    price: { kind: 'number', help: 'of one question, in any currency' },
    json: { kind: 'flag', help: 'print JSON instead of words' },
  },
  examples: [
    {
      words: 'linex estimate loans.csv --model model.js --price 0.0001 --latency 80',
      about: 'says how many questions, how long and how much, for all rows',
    },
  ],
  async run(given) {
    const { values } = given;
    const output = new Output(values);
    const data = onlyWord(given, 'the file of the data, or - for standard input', 'estimate');
    const job = await prepareRows(data, values, (text) => output.note(text));
    const { latency, price, measure } = values;
    const first = await job.rows().next();
    const cost = await estimate(/** @type {any} */ (first.value).values, {
      ...job.options,
      ...(latency !== undefined && { latency }),
      ...(price !== undefined && { price }),
      ...(measure && { measure: job.model.predict }),
    });
    const count = job.selection.count;
    const whole = times(cost, count);
    if (values.json) await output.print(JSON.stringify({ rows: count, row: cost, all: whole }));
    else await output.print(say(count, cost, whole).join('\n'));
    return EXIT.ok;
  },
};

/**
 * @typedef {import('../explain/estimate.js').Estimate} Estimate
 * @typedef {Pick<Estimate, 'queries' | 'calls' | 'seconds' | 'money'>} Cost
 */

/** The cost of many rows like one. @param {Estimate} cost @param {number} count @returns {Cost} */
function times({ queries, calls, seconds, money }, count) {
  const all = (/** @type {any} */ range) => range && { least: range.least * count, most: range.most * count };
  return { queries: all(queries), calls: all(calls), seconds: all(seconds), money: all(money) };
}

/**
 * @param {number} count
 * @param {Cost} one
 * @param {Cost} all
 * @returns {string[]}
 */
function say(count, one, all) {
  const number = (/** @type {number} */ value) => value.toLocaleString('en', { maximumFractionDigits: 4 });
  const range = (/** @type {any} */ { least, most }, write = number) =>
    least === most ? write(most) : `${write(least)} to ${write(most)}`;
  const time = (/** @type {number} */ seconds) => sayTime(1000 * seconds);
  const costs = (/** @type {Cost} */ { queries, calls, seconds, money }) =>
    [
      `${range(queries)} questions in ${range(calls)} calls of the model`,
      seconds && `${range(seconds, time)} of the model's time`,
      money && `costs ${range(money)}`,
    ]
      .filter(Boolean)
      .join(', ');
  return [`one row: ${costs(one)}`, ...(count > 1 ? [`all ${number(count)} rows: ${costs(all)}`] : [])];
}
