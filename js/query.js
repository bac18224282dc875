import { LinexError, show } from './errors.js';

/**
 * What a model may answer: a score a sample, or the scores of all classes a sample; flat or nested, or a tensor.
 *
 * @typedef {ArrayLike<number> | ArrayLike<ArrayLike<number>> | { data: ArrayLike<number>, shape?: readonly number[] }} Answer
 */

/**
 * @template Batch
 * @typedef {(batch: Batch, context: { signal: AbortSignal }) => Answer | Promise<Answer>} Predict
 */

/**
 * Asks a model about `count` samples, a batch at a time. The first batch goes alone: it holds the input itself, shows how
 * many classes there are, and a model that is broken is asked only once.
 *
 * @template Batch
 * @param {Predict<Batch>} predict
 * @param {object} plan
 * @param {number} plan.count
 * @param {(first: number, count: number) => Batch} plan.batch  makes samples first … first + count - 1
 * @param {number} plan.batchSize
 * @param {number} plan.concurrency  how many batches may be under way at once
 * @param {number} plan.timeout  milliseconds a batch may take
 * @param {AbortSignal} [plan.signal]
 * @param {(columns: number) => void} plan.onShape  called once, after the first batch; may throw
 * @param {(asked: number) => void} plan.onBatch
 * @returns {Promise<{ answers: Float64Array, columns: number, milliseconds: number }>}
 *   answers: sample after sample, `columns` numbers each
 * @throws {LinexError} if the model fails; the signal's reason if it is aborted. Whatever is still under way is then
 *   told by its own signal, and its answer is not looked at.
 */
export async function askModel(predict, plan) {
  const { count, batchSize, concurrency, signal } = plan;
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort, { once: true });
  let asked = 0;
  let next = 0;
  let milliseconds = 0;
  /** @type {Float64Array | undefined} */
  let answers;
  let columns = 0;

  const askNext = async () => {
    const index = next++;
    const first = index * batchSize;
    const size = Math.min(batchSize, count - first);
    const before = performance.now();
    const answer = await askBatch(predict, plan.batch(first, size), index, plan.timeout, stop.signal);
    milliseconds += performance.now() - before;
    const { data, columns: found } = readAnswer(answer, size, index, columns);
    if (!answers) {
      plan.onShape(found);
      answers = new Float64Array(count * found);
      columns = found;
    }
    answers.set(data, first * columns);
    asked += size;
    plan.onBatch(asked);
    // A progress callback may have aborted.
    stop.signal.throwIfAborted();
  };
  const batches = Math.ceil(count / batchSize);
  const askOn = async () => {
    while (next < batches) await askNext();
  };
  try {
    await askNext();
    await Promise.all(Array.from({ length: Math.min(concurrency, batches) }, askOn));
    return { answers: /** @type {Float64Array} */ (/** @type {unknown} */ (answers)), columns, milliseconds };
  } catch (error) {
    next = batches;
    stop.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * One call of the model, raced against the clock and the signal.
 *
 * @template Batch
 * @param {Predict<Batch>} predict
 * @param {Batch} batch
 * @param {number} index
 * @param {number} timeout
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
function askBatch(predict, batch, index, timeout, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = () => settle(() => reject(signal.reason));
    const onTimeout = () => {
      const message = `the model did not answer batch ${index} within ${timeout} ms`;
      settle(() => reject(new LinexError('model-timeout', message, { batch: index })));
    };
    const clock = timeout < Infinity ? setTimeout(onTimeout, timeout) : undefined;
    /** @param {() => void} end */
    const settle = (end) => {
      clearTimeout(clock);
      signal.removeEventListener('abort', onAbort);
      end();
    };
    /** @param {unknown} cause */
    const onFailure = (cause) => {
      const what = cause instanceof Error ? cause.message : String(cause);
      const message = `the model failed on batch ${index}: ${what}`;
      settle(() => reject(new LinexError('model-threw', message, { batch: index, cause })));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      // A value that is there already is taken as it is: a synchronous model costs no turn of the event loop.
      const answer = predict(batch, { signal });
      if (typeof (/** @type {any} */ (answer)?.then) !== 'function')
        settle(() => resolve(/** @type {Answer} */ (answer)));
      else Promise.resolve(answer).then((value) => settle(() => resolve(value)), onFailure);
    } catch (cause) {
      onFailure(cause);
    }
  });
}

/**
 * An answer as flat numbers, all of them finite.
 *
 * @param {any} answer
 * @param {number} size
 * @param {number} batch
 * @param {number} expected  columns, 0 when not known yet
 * @returns {{ data: ArrayLike<number>, columns: number }}
 */
function readAnswer(answer, size, batch, expected) {
  /** @param {string} what */
  const wrong = (what) => {
    const message = `the model's answer to batch ${batch} (${size} samples) ${what}`;
    return new LinexError('model-answer', message, { batch });
  };
  const tensor = typeof answer === 'object' && answer !== null && 'data' in answer;
  const values = tensor ? answer.data : answer;
  if (typeof values !== 'object' || values === null || typeof values.length !== 'number')
    throw wrong(`is ${show(answer)}; an array of numbers is needed, or one array a sample`);
  const nested = values.length > 0 && typeof values[0] === 'object' && values[0] !== null;
  /** @type {any} */
  let data = values;
  if (nested) {
    if (values.length !== size) throw wrong(`has ${values.length} rows`);
    data = [];
    for (const [i, row] of Array.from(values).entries()) {
      if (row?.length !== values[0].length)
        throw wrong(`has ${row?.length} numbers in row ${i} and ${values[0].length} in row 0`);
      for (let c = 0; c < row.length; c++) data.push(row[c]);
    }
  }
  if (tensor && answer.shape && answer.shape[0] !== size) throw wrong(`has shape [${[...answer.shape].join(', ')}]`);
  const columns = data.length / size;
  if (!(columns >= 1) || !Number.isInteger(columns)) throw wrong(`has ${data.length} numbers`);
  if (expected && columns !== expected) throw wrong(`has ${columns} numbers a sample, batch 0 had ${expected}`);
  for (let i = 0; i < data.length; i++)
    if (typeof data[i] !== 'number' || !Number.isFinite(data[i]))
      throw wrong(`has ${show(data[i])} for sample ${Math.floor(i / columns)}; a finite number is needed`);
  return { data, columns };
}
