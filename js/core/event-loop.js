/** For how long computing may hold up the page: one frame. */
const FRAME = 16;

// One event loop, one clock: whoever computes looks at the same one.
let lastTurn = 0;

/**
 * Not by setTimeout: that waits for 1 ms in Node, and for 4 in a page, of every frame.
 *
 * @param {(nothing: void) => void} resolve
 */
function nextTurn(resolve) {
  const { setImmediate } = /** @type {any} */ (globalThis);
  if (setImmediate) return setImmediate(resolve);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  return port2.postMessage(0);
}

/**
 * Lets the event loop turn (timers, clicks, painting) if it has not for a frame's time.
 *
 * @returns {Promise<void>}
 */
export async function breathe() {
  if (performance.now() - lastTurn < FRAME) return;
  await new Promise(nextTurn);
  lastTurn = performance.now();
}

/**
 * What a promise comes to, unless the signal aborts first.
 *
 * @template T
 * @param {T | Promise<T>} work
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 * @throws the signal's reason, as soon as it has one
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
 * Runs `work` on everything that a source gives, at most `limit` at once, and hands out the results in the order of the
 * source. No more is read than is under way.
 *
 * @template In, Out
 * @param {{ next(): any, return?(): any }} source  an iterator, synchronous or not
 * @param {(item: In, index: number) => Promise<Out>} work
 * @param {number} limit
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Out, void, void>}
 * @throws what the source or the work threw, when its turn comes; the signal's reason at once
 */
export async function* mapInOrder(source, work, limit, signal) {
  /** What is under way, in order. @type {{ result: Promise<Out>, settled: boolean }[]} */
  const underWay = [];
  let reading = false;
  let exhausted = false;
  let index = 0;
  // Something has happened: look again. A fresh promise each time, so that nothing piles up on a long way.
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
    underWay.push(place);
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
      if (!exhausted && !reading && underWay.length < limit) read();
      if (underWay[0]?.settled) yield await /** @type {{ result: Promise<Out> }} */ (underWay.shift()).result;
      else if (exhausted && underWay.length === 0) return;
      else await new Promise((resolve) => (wake = () => resolve(undefined)));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (!exhausted) source.return?.();
  }
}
