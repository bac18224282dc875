// Lets only one process write a file of explanations, by a file beside it that says which one.
import { rmSync } from 'node:fs';
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';
import { CommandFailure } from './command-failure.js';

/** How often the owner says that it is alive, and for how long a silent one is believed, in milliseconds. */
const [BEAT, SILENCE] = [2000, 15000];

/**
 * Takes the right to write a file.
 *
 * @param {string} path
 * @returns {Promise<() => Promise<void>>}  gives it back
 * @throws {CommandFailure} if another process writes it
 */
export async function lockFile(path) {
  const lock = `${path}.lock`;
  while (!(await create(lock, path))) {
    const owner = await ownerOf(lock);
    if (owner !== undefined)
      throw new CommandFailure(
        `${path} is being written by process ${owner.pid} on ${owner.host}; wait for it, or choose another --out`,
      );
    // Of a process that was killed.
    await rm(lock, { force: true });
  }
  const beat = setInterval(() => utimes(lock, new Date(), new Date()).catch(() => {}), BEAT);
  beat.unref();
  const remove = () => rmSync(lock, { force: true });
  // After a second Ctrl-C there is no time to wait.
  process.once('exit', remove);
  return async () => {
    clearInterval(beat);
    process.off('exit', remove);
    remove();
  };
}

/** @param {string} lock @param {string} path @returns {Promise<boolean>}  whether there was none */
async function create(lock, path) {
  try {
    const handle = await open(lock, 'wx');
    await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname() }));
    await handle.close();
    return true;
  } catch (error) {
    if (/** @type {any} */ (error).code === 'EEXIST') return false;
    // The user knows the file by its own name.
    throw Object.assign(/** @type {any} */ (error), { path });
  }
}

/**
 * Who holds a lock.
 *
 * @param {string} lock
 * @returns {Promise<{ pid: number, host: string } | undefined>}  undefined if nobody does any more
 */
async function ownerOf(lock) {
  try {
    const { mtimeMs } = await stat(lock);
    if (Date.now() - mtimeMs > SILENCE) return undefined;
    const owner = JSON.parse(await readFile(lock, 'utf8'));
    // After a restart of a container, a process may have the number of the one before.
    return owner.host === hostname() && (owner.pid === process.pid || !isAlive(owner.pid)) ? undefined : owner;
  } catch (error) {
    // Torn: its owner has just made it, or was killed while it made it.
    if (error instanceof SyntaxError) return { pid: 0, host: 'this machine' };
    if (/** @type {any} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {any} */ (error).code === 'EPERM';
  }
}
