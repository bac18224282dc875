// Finds and reads the five data sets, which are published by others; the README names them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { dice } from '../../support/dice.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Returns the folder of the data: LINEX_DATA, or else ../shared/data next to the project.
 *
 * @returns {string | null}  null if there is none
 */
export function dataFolder() {
  const folder = process.env.LINEX_DATA ?? path.join(root, '..', 'shared', 'data');
  return existsSync(folder) ? folder : null;
}

/** @param {string | null} folder @param {readonly string[]} files */
export function hasFiles(folder, files) {
  return files.every((file) => folder !== null && existsSync(path.join(folder, file)));
}

/** @param {string} folder @param {string} file */
export const readText = (folder, file) => readFileSync(path.join(folder, file), 'utf8');

/**
 * Reads lines of fields under a header. Quotes have no meaning, because the reviews have unpaired ones.
 *
 * @param {string} text
 * @param {string} separator
 * @returns {Record<string, string>[]}
 */
export function parseFields(text, separator) {
  const [header, ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const names = header.split(separator);
  return lines.map((line, i) => {
    const fields = line.split(separator);
    if (fields.length !== names.length)
      throw new RangeError(`line ${i + 2} has ${fields.length} fields, the header has ${names.length}`);
    return Object.fromEntries(names.map((name, c) => [name, fields[c]]));
  });
}

/**
 * Reads an IDX file: two zero bytes, the type (8: bytes), the number of dimensions, each dimension as a big-endian number,
 * then the bytes.
 *
 * @param {Uint8Array} bytes  unpacked
 * @returns {{ shape: number[], data: Uint8Array }}
 */
export function parseIdx(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint16(0) !== 0 || bytes[2] !== 8) throw new RangeError('not an IDX file of bytes');
  const shape = Array.from({ length: bytes[3] }, (_, i) => view.getUint32(4 + 4 * i));
  const data = bytes.subarray(4 + 4 * shape.length);
  const wanted = shape.reduce((a, b) => a * b, 1);
  if (data.length !== wanted) throw new RangeError(`an IDX file of ${shape.join(' x ')} has ${data.length} bytes`);
  return { shape, data };
}

/** @param {string} folder @param {string} file */
export const readIdx = (folder, file) => parseIdx(gunzipSync(readFileSync(path.join(folder, file))));

/**
 * Returns the numbers below `count` in an order that depends on the seed.
 *
 * @param {number} count
 * @param {number} seed
 */
export function shuffledOrder(count, seed) {
  const order = Array.from({ length: count }, (_, i) => i);
  const { below } = dice(seed);
  for (let last = count - 1; last > 0; last--) {
    const pick = below(last + 1);
    [order[last], order[pick]] = [order[pick], order[last]];
  }
  return order;
}

/**
 * Splits items: four fifths for training, one fifth to explain.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {number} seed
 * @returns {{ train: T[], test: T[] }}
 */
export function splitItems(items, seed) {
  const order = shuffledOrder(items.length, seed);
  const cut = Math.round(0.8 * items.length);
  return { train: order.slice(0, cut).map((i) => items[i]), test: order.slice(cut).map((i) => items[i]) };
}

/**
 * Returns for each point its nearest others, the nearest first.
 *
 * @param {readonly ArrayLike<number>[]} points
 * @param {number} count
 * @returns {number[][]}
 */
export function nearestOthers(points, count) {
  return points.map((point, i) => {
    const others = points.map((other, j) => ({ j, square: j === i ? Infinity : squaredDistance(point, other) }));
    others.sort((a, b) => a.square - b.square || a.j - b.j);
    return others.slice(0, Math.min(count, points.length - 1)).map(({ j }) => j);
  });
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function squaredDistance(a, b) {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] - b[c]) ** 2;
  return sum;
}
