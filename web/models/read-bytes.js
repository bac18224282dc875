/**
 * The bytes of a file, from a page's own server or, in Node, from the disk.
 *
 * @param {string | URL} url
 * @returns {Promise<Uint8Array>}
 * @throws {Error} if it cannot be had
 */
export async function readBytes(url) {
  if (String(url).startsWith('file:')) {
    const { readFile } = await import('node:fs/promises');
    return readFile(new URL(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * A file of JSON, read.
 *
 * @param {string | URL} url
 * @returns {Promise<any>}
 * @throws {Error} if it cannot be had or is not JSON
 */
export async function readJSON(url) {
  return JSON.parse(new TextDecoder().decode(await readBytes(url)));
}
