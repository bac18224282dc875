// Asks the model in batches, and checks every answer.
import { LinexError, show } from './errors.js';
import { breathe } from './event-loop.js';

/**
 * What a model may return: one score per sample, or one score per class and sample. It may be flat, nested or a tensor.
 *
 * @typedef {ArrayLike<number> | ArrayLike<ArrayLike<number>> | Tensor} Answer
 */

/** @typedef {{ data: ArrayLike<number>, shape?: readonly number[], dims?: readonly number[] }} Tensor */

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
    const answer = await caller.ask(questions.batch(first, size, lane), index);
    const { data, columns } = readAnswer(answer, size, index, sheet.columns);
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
   * @param {Batch} batch
   * @param {number} index
   * @returns {Promise<Answer>}
   */
  ask(batch, index) {
    return new Promise((resolve, reject) => {
      this.throwIfStopped();
      const onTimeout = () => {
        const message = `the model did not answer batch ${index} within ${this.#timeout} ms`;
        end(() => reject(new LinexError('model-timeout', message, { batch: index })));
      };
      const clock = this.#timeout <= LONGEST_TIMEOUT ? setTimeout(onTimeout, this.#timeout) : undefined;
      /** @param {() => void} settle */
      const end = (settle) => {
        clearTimeout(clock);
        this.#running.delete(onStop);
        settle();
      };
      /** @param {unknown} reason */
      const onStop = (reason) => end(() => reject(reason));
      /** @param {unknown} cause */
      const onFailure = (cause) => {
        const message = `the model failed on batch ${index}: ${cause instanceof Error ? cause.message : show(cause)}`;
        end(() => reject(new LinexError('model-threw', message, { batch: index, cause })));
      };
      this.#running.add(onStop);
      try {
        const answer = this.#predict(batch, { signal: this.#controller.signal });
        Promise.resolve(answer).then((value) => end(() => resolve(value)), onFailure);
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
 * @returns {{ data: ArrayLike<number>, columns: number }}
 */
function readAnswer(answer, size, batch, expected) {
  /** @param {string} what */
  const wrong = (what) =>
    new LinexError('model-answer', `the model's answer to batch ${batch} (${size} samples) ${what}`, { batch });
  const data = flatten(answer, size, wrong);
  const columns = data.length / size;
  if (!(columns >= 1) || !Number.isInteger(columns))
    throw wrong(`has ${data.length} numbers; expected one per sample, or one per class for each sample`);
  if (expected && columns !== expected) throw wrong(`has ${columns} numbers per sample, batch 0 had ${expected}`);
  for (let i = 0; i < data.length; i++)
    if (typeof data[i] !== 'number' || !Number.isFinite(data[i]))
      throw wrong(`has ${show(data[i])} for sample ${Math.floor(i / columns)}; expected a finite number`);
  return { data, columns };
}

/**
 * @param {any} answer
 * @param {number} size
 * @param {(what: string) => LinexError} wrong
 * @returns {ArrayLike<any>}  the single values are not checked
 */
export function flatten(answer, size, wrong) {
  const tensor = typeof answer === 'object' && answer !== null && 'data' in answer;
  if (tensor && typeof answer.data === 'function') throw wrong('is a tensor; return what its data() resolves to');
  const values = tensor ? answer.data : answer;
  if (typeof values !== 'object' || values === null || typeof values.length !== 'number')
    throw wrong(`is ${keysOf(answer)}; expected an array of numbers, or one array per sample`);
  const shape = tensor ? (answer.shape ?? answer.dims) : undefined;
  if (shape !== undefined) {
    const sides =
      Array.isArray(shape) || ArrayBuffer.isView(shape) ? Array.from(/** @type {any} */ (shape), Number) : [];
    const fits = sides[0] === size && sides.reduce((a, b) => a * b, 1) === values.length;
    if (!fits) throw wrong(`has shape [${sides.join(', ')}] for ${values.length} numbers`);
  }
  if (values.length === 0 || typeof values[0] !== 'object' || values[0] === null) return values;
  if (values.length !== size) throw wrong(`has ${values.length} rows`);
  /** @type {unknown[]} */
  const data = [];
  for (let i = 0; i < size; i++) {
    const row = values[i];
    if (typeof row?.length !== 'number') throw wrong(`has ${show(row)} for sample ${i}; expected a number or an array`);
    if (row.length !== values[0].length)
      throw wrong(`has ${row.length} numbers in row ${i} and ${values[0].length} in row 0`);
    for (let c = 0; c < row.length; c++) data.push(row[c]);
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
  return plain ? `an object with ${Object.keys(answer).join(', ') || 'nothing in it'}` : show(answer);
}
