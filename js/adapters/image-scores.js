// Turns what a detector or a segmenter finds in an image into one score: of this box, or of this region.
import { checkFinite, checkList } from '../core/check-lists.js';
import { checkNames } from '../core/check-options.js';
import { show } from '../core/errors.js';

/**
 * A box in pixels of the model's input: with a corner and a size, with two corners (as transformers.js has it), or as
 * `[x, y, width, height]` (as TensorFlow.js has it).
 *
 * @typedef {{ x: number, y: number, width: number, height: number } |
 *   { xmin: number, ymin: number, xmax: number, ymax: number } | readonly number[]} Box
 */

/**
 * Something that a detector found. `bbox` and `class` are other names of `box` and `label`.
 *
 * @typedef {{ box?: Box, bbox?: Box, label?: string | number, class?: string | number, score: number }} Detection
 */

/**
 * Makes a `predict` that scores one box: how well the detector still finds this object here. The score of an image is the largest
 * product of a detection's score and of its overlap with the box (intersection over union), among detections with the label. It is 0 if
 * nothing is found.
 *
 * @param {(batch: any, context?: { signal?: AbortSignal }) => any} detect  takes a batch of images; returns, or resolves to, one
 *   array of detections per image
 * @param {{ box: Box, label?: string | number }} options  box: the one to explain; label: default any
 * @returns {(batch: any, context?: { signal?: AbortSignal }) => Promise<number[]>}
 * @throws {TypeError | RangeError} for a bad call
 */
export function boxScore(detect, options) {
  checkModel(detect, 'boxScore');
  const { box, label } = checkNames(options, ['box', 'label'], 'boxScore');
  const wanted = edgesOf(box, 'box');
  return async (batch, context) => {
    const found = await detect(batch, context);
    const [count] = batch.shape;
    checkList(found, 'the detections', `an array of ${count} arrays, one per image`, count);
    return Array.from({ length: count }, (_, i) => {
      checkList(found[i], `the detections of image ${i}`, 'an array of detections');
      return Array.from(found[i], (/** @type {Detection} */ one) => {
        if (label !== undefined && (one.label ?? one.class) !== label) return 0;
        return (
          checkFinite(one.score, 'the score of a detection') * overlap(wanted, edgesOf(one.box ?? one.bbox, 'a box'))
        );
      }).reduce((most, score) => Math.max(most, score), 0);
    });
  };
}

/**
 * Makes a `predict` that scores one region: the mean score of a class over its pixels.
 *
 * @param {(batch: any, context?: { signal?: AbortSignal }) => any} segment  takes a batch of images; returns, or resolves to,
 *   `{ data, shape, layout }`: one score per pixel and class. shape: `[count, classes, height, width]`, or
 *   `[count, height, width, classes]` with layout `'nhwc'`
 * @param {{ region: Box | { mask: ArrayLike<number> }, target: number }} options  region: a box, or a mask with one number per
 *   pixel, not 0 inside; in pixels of the segmenter's output. target: the index of the class
 * @returns {(batch: any, context?: { signal?: AbortSignal }) => Promise<number[]>}
 * @throws {TypeError | RangeError} for a bad call
 */
export function regionScore(segment, options) {
  checkModel(segment, 'regionScore');
  const { region, target } = checkNames(options, ['region', 'target'], 'regionScore');
  const edges = region?.mask === undefined ? edgesOf(region, 'region') : undefined;
  if (!edges) checkList(region.mask, 'region.mask', 'an array with one number per pixel');
  return async (batch, context) => {
    const { data, shape, layout = 'nchw' } = await segment(batch, context);
    const [count, classes, height, width] = layout === 'nhwc' ? [shape[0], shape[3], shape[1], shape[2]] : shape;
    const pixels = height * width;
    if (!Number.isInteger(target) || target < 0 || target >= classes)
      throw new RangeError(`target must be a whole number from 0 to ${classes - 1}, not ${show(target)}`);
    const inside = edges ? pixelsIn(edges, width, height) : pixelsOf(region.mask, pixels);
    if (inside.length === 0) throw new RangeError(`the region has no pixel of ${width} x ${height}`);
    const at = (/** @type {number} */ i, /** @type {number} */ pixel) =>
      layout === 'nhwc' ? (i * pixels + pixel) * classes + target : (i * classes + target) * pixels + pixel;
    return Array.from(
      { length: count },
      (_, i) => inside.reduce((sum, pixel) => sum + data[at(i, pixel)], 0) / inside.length,
    );
  };
}

/** @param {unknown} model @param {string} caller */
function checkModel(model, caller) {
  if (typeof model !== 'function') throw new TypeError(`${caller} takes the model as a function, not ${show(model)}`);
}

/** @typedef {[left: number, top: number, right: number, bottom: number]} Edges */

/** @param {any} box @param {string} name @returns {Edges} */
function edgesOf(box, name) {
  const [left, top, width, height] = Array.isArray(box) ? box : [box?.x, box?.y, box?.width, box?.height];
  const edges =
    box?.xmin === undefined ? [left, top, left + width, top + height] : [box.xmin, box.ymin, box.xmax, box.ymax];
  if (edges.every(Number.isFinite) && edges[2] > edges[0] && edges[3] > edges[1]) return /** @type {Edges} */ (edges);
  throw new TypeError(`${name} must be { x, y, width, height } with a size above 0, not ${show(box)}`);
}

/** Intersection over union. @param {Edges} a @param {Edges} b */
function overlap(a, b) {
  const area = (/** @type {Edges} */ [left, top, right, bottom]) =>
    Math.max(0, right - left) * Math.max(0, bottom - top);
  const both = area([Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]);
  return both / (area(a) + area(b) - both);
}

/** The pixels whose centers are in a box. @param {Edges} edges @param {number} width @param {number} height */
function pixelsIn([left, top, right, bottom], width, height) {
  const isIn = (/** @type {number} */ x, /** @type {number} */ y) => x > left && x < right && y > top && y < bottom;
  const all = Array.from({ length: width * height }, (_, i) => i);
  return all.filter((i) => isIn((i % width) + 0.5, Math.floor(i / width) + 0.5));
}

/** @param {ArrayLike<number>} mask @param {number} pixels */
function pixelsOf(mask, pixels) {
  checkList(mask, 'region.mask', `an array of ${pixels} numbers, one per pixel`, pixels);
  return Array.from(mask).flatMap((value, i) => (value ? [i] : []));
}
