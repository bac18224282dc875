// npm run fleet:chaos: kills workers, Redis and the coordinator while a fleet works, and compares every byte.
//
//     npm run fleet:chaos -- [--runs 20] [--rows 3000] [--seed S]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { explainRows } from 'linex';
import { lineOf, options, predict, rows } from '../support/workers/fleet-rows.js';
import { RedisServer } from '../support/workers/redis-server.js';
import { Proxy } from '../support/workers/slow-proxy.js';

const SCRIPT = fileURLToPath(new URL('../support/workers/fleet-process.js', import.meta.url));
const LOCK = 3000;

/** A process of the fleet whose lines can be waited for. */
class Member {
  constructor(role, settings) {
    this.child = spawn(process.execPath, [SCRIPT, role, JSON.stringify(settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.lines = [];
    this.waiting = new Set();
    createInterface(this.child.stdout).on('line', (line) => {
      this.lines.push(line);
      for (const check of this.waiting) check();
    });
    this.exited = once(this.child, 'exit');
  }

  /** Resolves when a line matches, rejects if the process ends first. */
  async line(pattern) {
    const find = () => this.lines.find((line) => pattern.test(line));
    if (find()) return find();
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!find()) return;
        this.waiting.delete(check);
        resolve(find());
      };
      this.waiting.add(check);
      this.exited.then(([code, signal]) => reject(new Error(`a member ended: ${code ?? signal}`)));
    });
  }

  get written() {
    return Number(this.lines.findLast((line) => line.startsWith('written'))?.split(' ')[1] ?? 0);
  }

  async kill() {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

/** What one core writes, undisturbed. */
export async function expectedLines(count) {
  const lines = [];
  for await (const result of explainRows(rows(count), predict, { ...(await options()), errors: 'yield' }))
    lines.push(lineOf(result).replace(/^\{"error":"/, `{"error":"row ${lines.length}: `));
  return `${lines.join('\n')}\n`;
}

/** The disturbances; each gets the parts of a run. */
const DISTURBANCES = {
  /** A worker is killed, and another one is started later. */
  async worker({ workers, startWorker, moment }) {
    await moment();
    await workers[0].kill();
    await wait(500);
    workers[0] = await startWorker();
  },
  /** Redis is killed, and started again with what it has stored. */
  async redis({ redis, moment }) {
    await moment();
    await redis.kill();
    await wait(700);
    await redis.start();
  },
  /** The coordinator is killed, and started again from the first row. */
  async coordinator({ run, moment }) {
    await moment();
    await run.coordinator.kill();
    run.start();
  },
  /** A worker is cut off for longer than its lock, and comes back. */
  async cut({ proxy, moment }) {
    await moment();
    proxy.cut();
    await wait(2.5 * LOCK);
    proxy.mend();
  },
};

/**
 * Runs a fleet of two workers once, with a disturbance.
 *
 * @param {object} run
 * @param {string} run.kind  of disturbance, or 'none'
 * @param {number} run.rows
 * @param {number} run.at  the share of the rows after which it happens
 * @param {number} [run.workers]
 * @returns {Promise<{ text: string, told: any, jobs: number }>}
 */
export async function runFleet({ kind, rows: count, at, workers: size = 2 }) {
  const redis = await new RedisServer().start();
  const proxy = new Proxy(redis.port);
  const through = await proxy.start();
  const folder = mkdtempSync(join(tmpdir(), 'linex-fleet-'));
  const out = join(folder, 'out.jsonl');
  const members = new Set();
  const startMember = (role, settings) => {
    const member = new Member(role, settings);
    member.exited.catch(() => {});
    members.add(member);
    return member;
  };
  const startWorker = async (connection = redis.url) => {
    const worker = startMember('worker', { connection, lockDuration: LOCK });
    await worker.line(/^ready/);
    return worker;
  };
  try {
    const workers = [];
    for (let i = 0; i < size; i++) workers.push(await startWorker(i === 1 ? through : redis.url));
    const run = {
      start: () => (run.coordinator = startMember('coordinator', { connection: redis.url, count, out })),
    };
    run.start();
    const moment = () =>
      run.coordinator.line(new RegExp(`^written ${Math.max(100, 100 * Math.floor((at * count) / 100))}$`));
    await DISTURBANCES[kind]?.({ redis, proxy, workers, startWorker, run, moment });
    const told = JSON.parse((await run.coordinator.line(/^done/)).slice(5));
    const jobs = [...members].flatMap(({ lines }) => lines.filter((line) => line.startsWith('job'))).length;
    return { text: readFileSync(out, 'utf8'), told, jobs };
  } finally {
    for (const member of members) member.child.kill('SIGKILL');
    proxy.stop();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function campaign() {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '20' },
      rows: { type: 'string', default: '3000' },
      seed: { type: 'string', default: '1' },
    },
  });
  const count = Number(values.rows);
  let state = Number(values.seed);
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < 5; i++) random();
  console.log(`== expected bytes of ${count} rows on one core`);
  const expected = await expectedLines(count);
  let bad = 0;
  for (let run = 0; run < Number(values.runs); run++) {
    const kind = Object.keys(DISTURBANCES)[run % 4];
    const at = 0.1 + 0.7 * random();
    const started = performance.now();
    const { text, told, jobs } = await runFleet({ kind, rows: count, at });
    const same = text === expected;
    if (!same) {
      bad++;
      writeFileSync(`build/fleet-chaos-${run}.jsonl`, text);
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${same ? 'ok  ' : 'FAIL'} ${run}: ${kind} at ${(100 * at).toFixed(0)} %, ${told.written} rows, ${jobs} jobs, ${seconds} s, peak ${told.peak} MB`,
    );
  }
  console.log(bad === 0 ? 'every run has all rows, in order, with the same bytes' : `${bad} runs differ`);
  process.exit(bad === 0 ? 0 : 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await campaign();
