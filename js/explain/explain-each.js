// Explains many texts or images in order, with the rules of `explainRows`.
import { checkChoice } from '../core/check-options.js';
import { mapInOrder } from '../core/event-loop.js';
import { errorOf, iteratorOf } from './explain-row.js';

/**
 * @template In, Out
 * @param {Iterable<In> | AsyncIterable<In>} items
 * @param {(item: In, options: any) => Promise<Out>} explain  `explainText` or `explainImage` with its model
 * @param {any} options  theirs, and `errors`. `concurrency` is the number of items that are explained at once
 * @returns {AsyncGenerator<Out | Error, void, void>}  in the order of the items; errors only with `errors: 'yield'`
 * @throws what the first failing item throws, after the items before it
 */
export async function* explainEach(
  items,
  explain,
  { errors = 'throw', concurrency = 1, signal, onProgress, ...options },
) {
  const goOn = checkChoice(errors, 'errors', ['throw', 'yield']) === 1;
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort);
  /** @param {In} item @param {number} row */
  const explainOne = (item, row) => {
    const report = onProgress && ((/** @type {object} */ progress) => onProgress({ ...progress, row }));
    const explained = explain(item, { ...options, signal: stop.signal, ...(report && { onProgress: report }) });
    return goOn ? errorOf(explained, stop.signal) : explained;
  };
  try {
    yield* mapInOrder(iteratorOf(items), explainOne, concurrency, stop.signal);
  } finally {
    signal?.removeEventListener('abort', abort);
    stop.abort();
  }
}
