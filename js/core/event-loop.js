// Works with the event loop: yields to it, stops at an abort, and runs several tasks in order.

/** How long computing may block the page, in milliseconds: one frame. */
const FRAME = 16;

// Shared by all calls, because there is one event loop.
let lastTurn = 0;

/**
 * Does not use setTimeout, which costs 1 ms per frame in Node and 4 ms in a page.
 *
 * @param {(nothing: void) => void} resolve
 */
function nextTurn(resolve) {
  const { setImmediate } = /** @type {any} */ (globalThis);
  if (setImmediate) return setImmediate(resolve);
  // jest with jsdom has neither.
  if (typeof MessageChannel !== 'function') return setTimeout(resolve);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  return port2.postMessage(0);
}

/**
 * Yields to the event loop (timers, clicks, painting), unless it has run within the last frame.
 *
 * @returns {Promise<void>}
 */
export async function breathe() {
  if (performance.now() - lastTurn < FRAME) return;
  await new Promise(nextTurn);
  lastTurn = performance.now();
}

/**
 * Loops over 0 … count - 1 in pieces, yields between them, and looks at the signal.
 *
 * @param {number} count
 * @param {number} size  of a piece: a few milliseconds of work
 * @param {(first: number, end: number) => void} work
 * @param {AbortSignal} [signal]
 */
export async function inPieces(count, size, work, signal) {
  for (let first = 0; first < count; first += size) {
    work(first, Math.min(count, first + size));
    await breathe();
    signal?.throwIfAborted();
  }
}

/**
 * Waits for a promise, but rejects as soon as the signal aborts.
 *
 * @template T
 * @param {T | Promise<T>} work
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 * @throws the signal's reason
 */
export async function orAbort(work, signal) {
  if (!signal) return work;
  let onAbort = () => {};
  /** @type {Promise<never>} */
  const aborted = new Promise((_, reject) => (onAbort = () => reject(signal.reason)));
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Runs `work` on every item of a source, at most `limit` at once, and yields the results in the order of the source. It
 * reads no more items than it works on.
 *
 * @template In, Out
 * @param {{ next(): any, return?(): any }} source  an iterator, synchronous or not
 * @param {(item: In, index: number) => Promise<Out>} work
 * @param {number | (() => number)} limit  a function is called again before each item is read
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Out, void, void>}
 * @throws what the source or the work threw, after the results before it; the signal's reason immediately
 */
export async function* mapInOrder(source, work, limit, signal) {
  /** The running tasks, in order. @type {{ result: Promise<Out>, settled: boolean }[]} */
  const running = [];
  let reading = false;
  let exhausted = false;
  let index = 0;
  const most = typeof limit === 'function' ? limit : () => limit;
  // Wakes the loop below. It is a new promise each time, so that handlers do not accumulate over a long source.
  let wake = () => {};
  const onAbort = () => wake();
  /** @param {Promise<Out>} result */
  const follow = (result) => {
    const place = { result, settled: false };
    const settle = () => {
      place.settled = true;
      wake();
    };
    result.then(settle, settle);
    running.push(place);
  };
  const read = async () => {
    reading = true;
    try {
      const { done, value } = await source.next();
      exhausted = Boolean(done);
      if (!done) follow(work(value, index++));
    } catch (error) {
      exhausted = true;
      follow(Promise.reject(error));
    }
    reading = false;
    wake();
  };

  signal.addEventListener('abort', onAbort);
  try {
    for (;;) {
      signal.throwIfAborted();
      if (!exhausted && !reading && running.length < most()) read();
      if (running[0]?.settled) yield await /** @type {{ result: Promise<Out> }} */ (running.shift()).result;
      else if (exhausted && running.length === 0) return;
      else await new Promise((resolve) => (wake = () => resolve(undefined)));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (!exhausted) source.return?.();
  }
}
