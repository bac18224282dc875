// Asks the model in batches, and checks every answer.
import { LinexError, messageOf, show } from './errors.js';
import { breathe } from './event-loop.js';

/**
 * What a model may return: one score per sample, or one score per class and sample. It may be flat, nested or a tensor.
 *
 * @typedef {ArrayLike<number> | ArrayLike<ArrayLike<number>> | Tensor} Answer
 */

/**
 * A tensor. One of onnxruntime has `dims`, and the type of its data is known only at run time.
 *
 * @typedef {{ data: ArrayLike<number>, shape?: readonly number[], dims?: readonly number[] } |
 *   { data: ArrayLike<unknown>, dims: readonly number[] }} Tensor
 */

/**
 * @template Batch
 * @typedef {(batch: Batch, context: { signal: AbortSignal }) => Answer | Promise<Answer>} Predict
 */

/**
 * How a model is asked.
 *
 * @template Batch
 * @typedef {object} Questions
 * @property {number} count  samples
 * @property {(first: number, count: number, lane: number) => Batch} batch  makes samples first … first + count - 1. Only
 *   one batch per lane (0 … concurrency - 1) is asked at a time
 * @property {number} batchSize
 * @property {number} concurrency  how many batches may be asked at once
 * @property {number} timeout  milliseconds that one batch may take
 * @property {AbortSignal} [signal]
 * @property {(columns: number) => void} onShape  called once, after the first batch; may throw
 * @property {(answered: Answered) => void} onBatch
 * @property {(answered: Answered) => Promise<number>} [extend]  called when all samples are answered; returns the new number of
 *   samples
 */

/**
 * The answers so far.
 *
 * @typedef {object} Answered
 * @property {number} asked  samples answered
 * @property {number} prefix  how many samples come before the first unanswered one
 * @property {Float64Array} answers  `columns` numbers per sample, one sample after the other
 * @property {number} columns
 */

/** The longest time that setTimeout can wait. A longer timeout counts as none. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * Asks a model about `count` samples in batches. The first batch is asked alone: it contains the input, it shows how many
 * classes there are, and a broken model is then asked only once.
 *
 * @template Batch
 * @param {Predict<Batch>} predict
 * @param {Questions<Batch>} questions
 * @returns {Promise<Answered>}
 * @throws {LinexError} if the model fails; the signal's reason if it is aborted. Running calls of `predict` are then
 *   aborted through their own signal, and their answers are ignored.
 */
export async function askModel(predict, questions) {
  const { batchSize, concurrency, signal } = questions;
  const caller = new Caller(predict, questions.timeout);
  const sheet = new AnswerSheet(questions.count);
  let next = 0;
  let batches = 0;
  let most = batchSize;

  /** @param {number} lane */
  const askNext = async (lane) => {
    const index = batches++;
    const first = next;
    const size = Math.min(most, sheet.count - first);
    next += size;
    const { data, columns } = await caller.ask(questions.batch(first, size, lane), index, (answer) =>
      readAnswer(answer, size, index, sheet.columns),
    );
    if (sheet.columns === 0) questions.onShape(columns);
    sheet.write(first, size, data, columns);
    questions.onBatch(sheet.answered());
    // A synchronous model must not block the page.
    await breathe();
    // The progress callback or the page may have aborted meanwhile.
    caller.throwIfStopped();
  };
  /** @param {unknown} _ @param {number} lane */
  const askOn = async (_, lane) => {
    while (next < sheet.count) await askNext(lane);
  };

  const abort = () => caller.stop(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort);
  try {
    await askNext(0);
    do {
      // If few samples are left, smaller batches keep all lanes busy.
      most = Math.min(batchSize, Math.max(1, Math.ceil((sheet.count - next) / concurrency)));
      const left = Math.ceil((sheet.count - next) / most);
      await Promise.all(Array.from({ length: Math.min(concurrency, left) }, askOn));
      sheet.extend((await questions.extend?.(sheet.answered())) ?? 0);
      caller.throwIfStopped();
    } while (next < sheet.count);
    return sheet.answered();
  } catch (error) {
    next = sheet.count;
    caller.stop(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** The answers in one column, such as the scores of a class. @param {Answered} answered @param {number} column */
export function scoresOf({ asked, answers, columns }, column) {
  const scores = new Float64Array(asked);
  for (let i = 0; i < asked; i++) scores[i] = answers[i * columns + column];
  return scores;
}

/** Collects answers, which may arrive in any order. */
class AnswerSheet {
  columns = 0;
  #answers = new Float64Array(0);
  #asked = 0;
  #prefix = 0;
  /** Batches that arrived before an earlier one: their start and end. @type {Map<number, number>} */
  #early = new Map();

  /** @param {number} count */
  constructor(count) {
    this.count = count;
  }

  /** @param {number} count */
  extend(count) {
    if (count <= this.count) return;
    this.count = count;
    const longer = new Float64Array(count * this.columns);
    longer.set(this.#answers);
    this.#answers = longer;
  }

  /**
   * @param {number} first
   * @param {number} size
   * @param {ArrayLike<number>} data
   * @param {number} columns
   */
  write(first, size, data, columns) {
    if (this.columns === 0) this.#answers = new Float64Array(this.count * columns);
    this.columns = columns;
    this.#answers.set(data, first * columns);
    this.#asked += size;
    this.#early.set(first, first + size);
    for (let end; (end = this.#early.get(this.#prefix)) !== undefined; this.#prefix = end)
      this.#early.delete(this.#prefix);
  }

  /** @returns {Answered} */
  answered() {
    return { asked: this.#asked, prefix: this.#prefix, answers: this.#answers, columns: this.columns };
  }
}

/**
 * Calls the model. Each call ends early if it times out or is stopped.
 *
 * @template Batch
 */
class Caller {
  #predict;
  #timeout;
  #controller = new AbortController();
  /** How to reject the running calls. @type {Set<(reason: unknown) => void>} */
  #running = new Set();

  /**
   * @param {Predict<Batch>} predict
   * @param {number} timeout
   */
  constructor(predict, timeout) {
    this.#predict = predict;
    this.#timeout = timeout;
  }

  /** @param {unknown} reason */
  stop(reason) {
    if (this.#controller.signal.aborted) return;
    this.#controller.abort(reason);
    for (const reject of this.#running) reject(reason);
    this.#running.clear();
  }

  throwIfStopped() {
    this.#controller.signal.throwIfAborted();
  }

  /**
   * @template Read
   * @param {Batch} batch
   * @param {number} index
   * @param {(answer: Answer) => Read} read  copies the answer; may throw
   * @returns {Promise<Read>}
   */
  ask(batch, index, read) {
    return new Promise((resolve, reject) => {
      this.throwIfStopped();
      const onTimeout = () => {
        const message = `the model did not answer batch ${index} within ${this.#timeout} ms`;
        end(() => reject(new LinexError('model-timeout', message, { batch: index })));
      };
      const clock = this.#timeout <= LONGEST_TIMEOUT ? setTimeout(onTimeout, this.#timeout) : undefined;
      /** @param {() => void} settle */
      const end = (settle) => {
        if (!this.#running.delete(onStop)) return;
        clearTimeout(clock);
        settle();
      };
      /** @param {unknown} reason */
      const onStop = (reason) => end(() => reject(reason));
      /** @param {unknown} cause */
      const onFailure = (cause) => {
        const message = `the model failed on batch ${index}: ${messageOf(cause)}`;
        end(() => reject(new LinexError('model-threw', message, { batch: index, cause })));
      };
      /** @param {Answer} answer */
      const onAnswer = (answer) =>
        end(() => {
          try {
            resolve(read(answer));
          } catch (error) {
            reject(error);
          }
        });
      this.#running.add(onStop);
      try {
        const answer = this.#predict(batch, { signal: this.#controller.signal });
        // A synchronous answer is read at once, because the model may use its array again for the next batch.
        if (typeof (/** @type {any} */ (answer)?.then) === 'function')
          Promise.resolve(answer).then(onAnswer, onFailure);
        else onAnswer(/** @type {Answer} */ (answer));
      } catch (cause) {
        onFailure(cause);
      }
    });
  }
}

/**
 * Returns an answer as flat, finite numbers.
 *
 * @param {any} answer
 * @param {number} size
 * @param {number} batch
 * @param {number} expected  number of columns; 0 if not known yet
 * @returns {{ data: Float64Array, columns: number }}  a copy, because the model may change its answer later
 */
export function readAnswer(answer, size, batch, expected) {
  /** @param {string} what @param {unknown} [cause] */
  const wrong = (what, cause) =>
    new LinexError('model-answer', `the model's answer to batch ${batch} (${size} samples) ${what}`, { batch, cause });
  try {
    const values = flatten(answer, size, wrong);
    const { length } = values;
    const columns = length / size;
    if (!(columns >= 1) || !Number.isInteger(columns))
      throw wrong(`has ${length} numbers; expected one per sample, or one per class for each sample`);
    if (expected && columns !== expected) throw wrong(`has ${columns} numbers per sample, batch 0 had ${expected}`);
    const data = new Float64Array(length);
    for (let i = 0; i < length; i++) data[i] = checkScore(values[i], Math.floor(i / columns), wrong);
    return { data, columns };
  } catch (cause) {
    if (cause instanceof LinexError) throw cause;
    throw wrong(`could not be read: ${messageOf(cause)}`, cause);
  }
}

/**
 * @param {unknown} value
 * @param {number} sample
 * @param {(what: string) => LinexError} wrong
 */
function checkScore(value, sample, wrong) {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw wrong(`has ${show(value)} for sample ${sample}; expected a finite number`);
}

/**
 * Returns the length of a list, or undefined if it is not a list. A long list must have its last item: an object such as
 * `{ length: 1e9 }` would take long to read.
 *
 * @param {any} list
 * @returns {number | undefined}
 */
function lengthOf(list) {
  const length = typeof list === 'object' ? list?.length : undefined;
  return typeof length === 'number' && (length <= 1e6 || length - 1 in list) ? length : undefined;
}

/**
 * @param {any} answer
 * @param {number} size
 * @param {(what: string) => LinexError} wrong
 * @returns {ArrayLike<any>}  the single values of a flat answer are not checked
 */
export function flatten(answer, size, wrong) {
  const tensor = typeof answer === 'object' && answer !== null && 'data' in answer;
  const values = tensor ? answer.data : answer;
  if (tensor && typeof values === 'function') throw wrong('is a tensor; return what its data() resolves to');
  const length = lengthOf(values);
  if (length === undefined) throw wrong(`is ${keysOf(answer)}; expected an array of numbers, or one array per sample`);
  const shape = tensor ? (answer.shape ?? answer.dims) : undefined;
  if (shape !== undefined) {
    const isList = Array.isArray(shape) || ArrayBuffer.isView(shape);
    const sides = isList && lengthOf(shape) ? Array.from(/** @type {any} */ (shape), Number) : [];
    const fits = sides[0] === size && sides.reduce((a, b) => a * b, 1) === length;
    if (!fits) throw wrong(`has shape [${sides.slice(0, 8).join(', ')}] for ${length} numbers`);
  }
  const first = length > 0 ? values[0] : undefined;
  if (typeof first !== 'object' || first === null) return values;
  if (length !== size) throw wrong(`has ${length} rows`);
  /** @type {number[]} */
  const data = [];
  const columns = lengthOf(first);
  for (let i = 0; i < size; i++) {
    const row = values[i];
    const found = lengthOf(row);
    if (found === undefined) throw wrong(`has ${show(row)} for sample ${i}; expected a number or an array`);
    if (found !== columns) throw wrong(`has ${found} numbers in row ${i} and ${columns} in row 0`);
    for (let c = 0; c < found; c++) data.push(checkScore(row[c], i, wrong));
  }
  return data;
}

/**
 * Describes an answer that cannot be used. It is often an object with a runtime's named outputs.
 *
 * @param {any} answer
 */
function keysOf(answer) {
  const plain = typeof answer === 'object' && answer !== null && Object.getPrototypeOf(answer) === Object.prototype;
  return plain ? `an object with ${Object.keys(answer).slice(0, 20).join(', ') || 'nothing in it'}` : show(answer);
}
