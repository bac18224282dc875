// Writes a file completely or not at all.
import { chmod, open, realpath, rename, rm, stat } from 'node:fs/promises';
import process from 'node:process';

/**
 * Writes a file beside the one that is wanted, and gives it that name when it is on the disk. So a page that was there stays whole
 * if the disk is full or the process is killed.
 *
 * @param {string} path
 * @param {string | Uint8Array} content
 */
export async function writeWhole(path, content) {
  // A link stays a link.
  const goal = await realpath(path).catch(() => path);
  const part = `${goal}.${process.pid}.part`;
  try {
    const before = await stat(goal).catch(() => undefined);
    const handle = await open(part, 'w');
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (before) await chmod(part, before.mode & 0o7777);
    await rename(part, goal);
  } catch (error) {
    await rm(part, { force: true });
    // The user knows the file by its own name.
    if (/** @type {any} */ (error).path === part) /** @type {any} */ (error).path = path;
    throw error;
  }
}
