// The folder of one environment of the matrix: writes its files, installs its packages and the packed linex, runs its programs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const MATRIX = fileURLToPath(new URL('../../build/matrix/', import.meta.url));

/** The npm package of a tool's binary on this machine, such as `@oven/bun-linux-x64`. @param {string} start */
export const forThisMachine = (start) => `${start}-${process.platform}-${process.arch}`;

/** The processes that run. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.on('exit', () => running.forEach(endGroup));
// Browsers and servers would go on after Ctrl-C.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

/** Starts a program in a group of its own, which ends with this process. */
function start(command, args, cwd, env) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  return child.on('close', () => running.delete(child));
}

/** Runs a program to its end. */
export function run(command, args, { cwd, env = {}, timeout = 300000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = start(command, args, cwd, env);
    let output = '';
    let printed = '';
    child.stdout.on('data', (data) => ((output += data), (printed += data)));
    child.stderr.on('data', (data) => (output += data));
    const clock = setTimeout(() => (endGroup(child), (output += `\nended after ${timeout} ms`)), timeout);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(clock);
      if (code === 0) resolve(printed.trim());
      else reject(new Error(`${[command, ...args].join(' ')} failed:\n${output.slice(-3000)}`));
    });
  });
}

/** Ends a process that was started here, and its children. */
function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Returns a free port of loopback. @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export class MatrixFolder {
  #packed;

  /** @param {string} id @param {string} packed  the path of linex.tgz */
  constructor(id, packed) {
    this.path = join(MATRIX, id);
    this.#packed = packed;
  }

  /** Writes files. @param {Record<string, string>} files  by path */
  write(files) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), text);
    }
  }

  read(name) {
    return readFileSync(join(this.path, name), 'utf8');
  }

  /** Removes what an earlier run has built. */
  clean(...names) {
    for (const name of names) rmSync(join(this.path, name), { recursive: true, force: true });
  }

  /** Installs npm packages, unless they are installed, and linex from its packed file. No script of a package runs. */
  async install(packages, manifest = {}) {
    const text = JSON.stringify(
      { name: 'app', private: true, type: 'module', ...manifest, dependencies: packages },
      null,
      2,
    );
    const stamp = join(this.path, 'installed.txt');
    this.write({ 'package.json': text });
    const wanted = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
    if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
      this.clean('node_modules');
      const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline'];
      // Some packages download binaries when they are installed; all that is used here comes with a package.
      if (Object.keys(packages).length > 0)
        await run('npm', ['install', ...flags], {
          cwd: this.path,
          timeout: 900000,
          env: { ONNXRUNTIME_NODE_INSTALL: 'skip' },
        });
      writeFileSync(stamp, wanted);
    }
    this.clean('node_modules/linex');
    mkdirSync(join(this.path, 'node_modules/linex'), { recursive: true });
    await run('tar', ['xzf', this.#packed, '-C', join(this.path, 'node_modules/linex'), '--strip-components=1']);
  }

  /** Runs a program of an installed package, or any other. */
  run(command, args, options = {}) {
    const own = join(this.path, 'node_modules', command);
    return run(existsSync(own) ? own : command, args, { cwd: this.path, ...options });
  }

  /** Runs a script with this Node. */
  node(...args) {
    return this.run(process.execPath, args);
  }

  /** Starts a server, calls a function with its address once it answers, and ends it. */
  async serve(command, args, port, use, env = {}) {
    const own = join(this.path, 'node_modules', command);
    const program = existsSync(own) ? own : command;
    const child = start(program, args, this.path, env);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    try {
      const address = `http://localhost:${port}`;
      await answers(address, child);
      return await use(address);
    } catch (error) {
      throw new Error(`${error.message}\n${output.slice(-2000)}`, { cause: error });
    } finally {
      endGroup(child);
    }
  }
}

/** Waits until a server answers. */
async function answers(address, child) {
  for (let i = 0; i < 600; i++) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    try {
      await fetch(address, { signal: AbortSignal.timeout(60000) });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  throw new Error(`nothing answered at ${address}`);
}
