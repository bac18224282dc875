// Reads PNG and JPEG files, and writes PNG files, by packages that the user installs.
import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { messageOf } from '../core/errors.js';
import { CommandFailure } from './command-failure.js';
import { importOptional } from './optional-package.js';

/** @typedef {{ data: Uint8Array, width: number, height: number, channels: 4 }} RGBA */

/** The most memory that a JPEG may take, in megabytes. */
const MOST_MEMORY = 1024;

/**
 * Reads an image.
 *
 * @param {string} path
 * @returns {Promise<RGBA>}
 * @throws {CommandFailure} if it is neither PNG nor JPEG
 */
export async function readImageFile(path) {
  const bytes = await readFile(path);
  const isPNG = bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  const isJPEG = bytes[0] === 0xff && bytes[1] === 0xd8;
  if (!isPNG && !isJPEG) throw new CommandFailure(`${path} is neither a PNG nor a JPEG file`);
  try {
    const { data, width, height } = isPNG ? await decodePNG(bytes, path) : await decodeJPEG(bytes, path);
    return { data: new Uint8Array(data), width, height, channels: 4 };
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`could not read ${path}: ${messageOf(error)}`);
  }
}

/** @param {Buffer} bytes @param {string} path */
async function decodePNG(bytes, path) {
  const { PNG } = await importOptional(['pngjs'], `read ${path}`);
  return PNG.sync.read(bytes);
}

/** @param {Buffer} bytes @param {string} path */
async function decodeJPEG(bytes, path) {
  const { decode, default: whole } = await importOptional(['jpeg-js'], `read ${path}`);
  return (decode ?? whole.decode)(bytes, { useTArray: true, maxMemoryUsageInMB: MOST_MEMORY });
}

/**
 * Makes a PNG file.
 *
 * @param {{ data: ArrayLike<number>, width: number, height: number }} picture  RGBA
 * @param {string} path  for the error
 * @returns {Promise<Buffer>}
 * @throws {CommandFailure} if pngjs is not installed
 */
export async function makePNG({ data, width, height }, path) {
  const { PNG } = await importOptional(['pngjs'], `write ${path}`);
  const png = new PNG({ width, height });
  png.data.set(data);
  return PNG.sync.write(png);
}
