// Reads files over the network in a page, and from the disk in Node.

/**
 * Returns the bytes of a file.
 *
 * @param {string | URL} url
 * @returns {Promise<Uint8Array>}
 * @throws {Error} if it cannot be loaded
 */
export async function readBytes(url) {
  if (String(url).startsWith('file:')) {
    const { readFile } = await import('node:fs/promises');
    return readFile(new URL(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status} from ${url}`);
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * Returns the parsed content of a JSON file.
 *
 * @param {string | URL} url
 * @returns {Promise<any>}
 * @throws {Error} if it cannot be loaded or is not JSON
 */
export async function readJSON(url) {
  return JSON.parse(new TextDecoder().decode(await readBytes(url)));
}
