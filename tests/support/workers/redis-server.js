// A real Redis server for a test: on a free port of the loopback address, with a folder of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { findTool } from '../../../.ci/setup.js';

const program = findTool('redis');

/** Options of tests that need Redis: they are skipped by name if it is not installed. */
export const NEEDS_REDIS = Object.freeze({
  timeout: 120000,
  skip: program || process.env.CI ? false : 'redis-server is not installed',
});

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** A server that can be stopped, killed and started again with what it has stored. */
export class RedisServer {
  #folder = mkdtempSync(join(tmpdir(), 'linex-redis-'));
  #settings;
  #child;
  #closers = [];

  constructor(settings = {}) {
    this.#settings = settings;
  }

  get url() {
    const { requirepass } = this.#settings;
    return `redis://${requirepass ? `:${requirepass}@` : ''}127.0.0.1:${this.port}`;
  }

  async start() {
    this.port ??= await freePort();
    const settings = { appendonly: 'yes', appendfsync: 'always', save: '', ...this.#settings };
    const own = {
      port: this.port,
      bind: '127.0.0.1',
      dir: this.#folder,
      daemonize: 'no',
      'enable-debug-command': 'yes',
    };
    const args = Object.entries({ ...settings, ...own }).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.#child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const text of this.#child.stdout) if (/Ready to accept connections/.test(text)) break;
    this.#child.stdout?.resume();
    return this;
  }

  /** @param {NodeJS.Signals} [signal] */
  async kill(signal = 'SIGKILL') {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill(signal);
      await once(this.#child, 'exit');
    }
  }

  /** Has something run before the server stops. Those that came last run first. */
  beforeStop(close) {
    this.#closers.push(close);
  }

  async stop() {
    for (const close of this.#closers.reverse()) await close();
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Starts a server that ends with a test. */
export async function startRedis(t, settings) {
  const server = new RedisServer(settings);
  t.after(() => server.stop());
  return server.start();
}
