// Fits a caller's label map to the size at which an image is explained, and joins segments; loaded only if needed.
import { checkList } from '../core/check-lists.js';
import { checkCount } from '../core/check-options.js';
import { show } from '../core/errors.js';

/**
 * Stretches a label map to the wanted size, and renumbers its labels 0 … count - 1 in ascending order.
 *
 * @param {any} map  of the size of the image, of the wanted size, or of its own width and height
 * @param {{ width: number, height: number }} image  the size of the image
 * @param {{ width: number, height: number }} size  the wanted size
 * @returns {{ labels: Uint32Array, count: number }}
 * @throws {RangeError}
 */
export function fitLabels(map, image, size) {
  const given = map.labels ?? map;
  const length = checkList(given, 'segments', 'an array of labels');
  const { width, height } = map.width === undefined ? sizeOfMap(length, image, size) : map;
  if (!(length === width * height && Number.isInteger(width) && width > 0))
    throw new RangeError(`segments must have one label per pixel (${size.width} x ${size.height}), not ${show(given)}`);
  const labels = new Uint32Array(length);
  for (let i = 0; i < length; i++) labels[i] = checkCount(given[i], `label ${i} of segments`, 0, 2 ** 32 - 2);
  const fitted = new Uint32Array(size.width * size.height);
  for (let y = 0, i = 0; y < size.height; y++) {
    const row = Math.floor(((y + 0.5) * height) / size.height) * width;
    for (let x = 0; x < size.width; x++, i++) fitted[i] = labels[row + Math.floor(((x + 0.5) * width) / size.width)];
  }
  const known = [...new Set(fitted)].sort((a, b) => a - b);
  const indexOf = new Map(known.map((label, i) => [label, i]));
  return { labels: fitted.map((label) => indexOf.get(label) ?? 0), count: known.length };
}

/**
 * @param {number} length
 * @param {{ width: number, height: number }} image
 * @param {{ width: number, height: number }} size
 */
function sizeOfMap(length, image, size) {
  return [size, image].find(({ width, height }) => width * height === length) ?? { width: 0, height: 0 };
}

/**
 * Joins segments, so that they are hidden together and explained as one. The others keep their order.
 *
 * @param {{ labels: Uint32Array, count: number }} cut
 * @param {unknown} groups  arrays of labels
 * @returns {{ labels: Uint32Array, count: number }}
 * @throws {TypeError | RangeError}
 */
export function joinSegments({ labels, count }, groups) {
  const first = Array.from({ length: count }, (_, label) => label);
  const taken = new Set();
  for (let g = 0; g < checkList(groups, 'groups', 'an array of groups of segments'); g++) {
    const group = /** @type {any} */ (groups)[g];
    const size = checkList(group, `groups[${g}]`, 'an array of segments');
    for (let i = 0; i < size; i++) {
      const label = checkCount(group[i], `groups[${g}][${i}]`, 0, count - 1);
      if (taken.size === taken.add(label).size)
        throw new RangeError(`groups[${g}][${i}] must be a segment that is not listed before, not ${label}`);
      first[label] = Math.min(...Array.from(/** @type {ArrayLike<number>} */ (group)));
    }
  }
  const known = [...new Set(first)].sort((a, b) => a - b);
  const indexOf = new Map(known.map((label, i) => [label, i]));
  return { labels: labels.map((label) => indexOf.get(first[label]) ?? 0), count: known.length };
}
