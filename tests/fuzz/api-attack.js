// Attacks the JavaScript API with fast-check: `node tests/fuzz/api-attack.js [--runs N] [--seconds S] [--seed S] [--only a,b]`.
//
// Every outcome must be a correct result, a TypeError, a RangeError or a LinexError. The calls run in a worker, so that
// a call that never ends can be reported and stopped.
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import process from 'node:process';

/** How long a call with small inputs may take; and after which the worker is ended. Milliseconds. */
const SLOW = 3000;
const HUNG = 15000;

/**
 * Runs the attack.
 *
 * @param {{ runs?: number, seconds?: number, seed?: number, only?: string[] }} [options]  runs: of each function;
 *   seconds: in all, at most
 * @returns {Promise<{ executions: number, findings: string[], hung: number }>}
 */
export async function attackAPI({ runs = 100, seconds = 3600, seed = 1, only } = {}) {
  const total = { executions: 0, findings: [], hung: 0 };
  const end = Date.now() + 1000 * seconds;
  let skip = [];
  // A function that hangs is left out, and the others go on.
  for (;;) {
    const told = await runWorker({ runs, end, seed, only, skip });
    total.executions += told.executions;
    total.findings.push(...told.findings);
    if (told.hung === undefined) return total;
    total.hung += 1;
    skip = [...skip, ...told.failed, told.hung];
  }
}

function runWorker(data) {
  return new Promise((resolve) => {
    // How many calls have begun, and when the last one did; and whether one is running.
    const state = new Float64Array(new SharedArrayBuffer(24));
    const told = { executions: 0, findings: [], failed: [], hung: undefined };
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { ...data, state } });
    let name = '';
    const done = () => {
      clearInterval(watch);
      told.executions = state[0];
      resolve(told);
    };
    const watch = setInterval(() => {
      if (told.hung !== undefined || !state[2] || Date.now() - state[1] < HUNG) return;
      told.hung = name;
      told.findings.push(`${name}: no end after ${HUNG / 1000} s (seed ${data.seed}, call ${state[0]})`);
      worker.terminate();
    }, 500);
    worker.on('message', (message) => {
      if (message.name) name = message.name;
      if (message.finding) {
        told.findings.push(message.finding);
        told.failed.push(name);
      }
    });
    worker.on('error', (error) => told.findings.push(`${name}: the worker failed: ${error.stack ?? error}`));
    worker.on('exit', done);
  });
}

if (!isMainThread && workerData?.state) await attack(workerData);
else if (isMainThread && process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const number = (text) => (text === undefined ? undefined : Number(text));
  const { executions, findings, hung } = await attackAPI({
    runs: number(values.runs) ?? (values.seconds ? 1e9 : undefined),
    seconds: number(values.seconds),
    seed: number(values.seed),
    only: values.only?.split(','),
  });
  for (const finding of findings) console.log(`FINDING ${finding}`);
  console.log(`seed ${values.seed ?? 1}: ${executions} executions, ${findings.length} findings, ${hung} hung`);
  process.exit(findings.length > 0 ? 1 : 0);
}

/** In the worker: attacks one function after the other, in rounds, until the runs or the time are used up. */
async function attack({ runs, end, seed, only, skip, state }) {
  const { default: fc } = await import('fast-check');
  const { CALLS } = await import('./api-calls.js');
  const { sharedCores } = await import('../support/shared-cores.js');
  const cores = await sharedCores();
  const live = () => cores.map((core) => core.linex_wasm_live_bytes());
  let rejection;
  process.on('unhandledRejection', (reason) => (rejection = reason));
  const calls = CALLS.filter(({ name }) => (only?.includes(name) ?? true) && !skip.includes(name));
  const failed = new Set();
  for (let round = 0, done = 0; done < runs && Date.now() < end; round++, done += 50)
    for (const call of calls) {
      if (failed.has(call.name) || Date.now() > end) continue;
      parentPort.postMessage({ name: call.name });
      const property = fc.asyncProperty(call.arguments, async (given) => {
        rejection = undefined;
        const before = live();
        state[0] += 1;
        state[1] = Date.now();
        state[2] = 1;
        const outcome = await settle(call, given);
        const took = Date.now() - state[1];
        state[2] = 0;
        const fault =
          outcome ??
          (took > SLOW ? `takes ${took} ms` : undefined) ??
          (rejection === undefined ? undefined : `leaves a rejection unhandled: ${rejection}`) ??
          (isDeepStrictEqual(live(), before) ? undefined : `leaks: ${before} bytes before, ${live()} after`);
        if (fault) throw new Error(fault);
      });
      const told = await fc.check(property, {
        numRuns: Math.min(50, runs - done),
        seed: seed + round,
        examples: round === 0 ? (call.examples ?? []).map((given) => [given]) : [],
      });
      if (!told.failed) continue;
      failed.add(call.name);
      const finding = `${call.name}: ${told.errorInstance?.message} for ${fc.stringify(told.counterexample?.[0]).slice(0, 600)}`;
      parentPort.postMessage({ finding: `${finding} (seed ${told.seed}, path ${told.counterexamplePath})` });
    }
  process.exit(0);
}

/** Calls a function and returns what is wrong with the outcome, or undefined. */
async function settle(call, given) {
  const { LinexError } = await import('linex');
  let result;
  try {
    result = await call.run(...given);
  } catch (error) {
    const allowed =
      error instanceof LinexError || error?.constructor === TypeError || error?.constructor === RangeError;
    // A TypeError of the engine is a bug of ours that looks like a bad call.
    if (allowed && !isFromEngine(error.message)) return undefined;
    return `throws ${error?.constructor?.name ?? typeof error}: ${error?.message ?? String(error)}`;
  }
  const place = notFinite(result, 'result');
  if (place) return `${place} is not finite`;
  if (call.result !== 'json') return undefined;
  if (!(Array.isArray(result) ? result : [result]).every(isFrozen)) return 'the result is not frozen';
  return sameAfterJSON(result) ? undefined : 'the result is not the same after JSON';
}

/** Whether the engine threw an error with this message. Our own messages name the option and the value. */
function isFromEngine(message) {
  return (
    /^(Cannot (read|set|convert|mix|destructure|create|use|assign|access|perform) |Invalid (typed )?array length|Maximum call)/.test(
      message,
    ) || /(is not a function|is not iterable|is not defined|is not a constructor)( \(.*\))?$/.test(message)
  );
}

/** Returns the place of the first number that is not finite. */
function notFinite(value, place, depth = 0) {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${place} (${value})`;
  if (typeof value !== 'object' || value === null || depth > 8) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = notFinite(item, `${place}.${key}`, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function isFrozen(value) {
  return (
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))
  );
}

/** Whether JSON keeps everything; a number that is not finite is found before. */
function sameAfterJSON(value) {
  const text = JSON.stringify(value);
  return JSON.stringify(JSON.parse(text)) === text;
}
