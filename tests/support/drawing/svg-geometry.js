// Reads positions back from an SVG file: words, shapes, and the scale of an axis from its numbers.
import { SaxesParser } from 'saxes';

/**
 * Returns the shapes and words of a drawing, in their order.
 *
 * @param {string} svg
 * @returns {{ shapes: { role: string, d: string }[], words: { text: string, x: number, y: number, role: string, attributes: any }[], title: string, description: string }}
 */
export function readSVG(svg) {
  const parser = new SaxesParser({ xmlns: false });
  const [shapes, words, about] = [[], [], {}];
  let open;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const role = attributes.class?.replace('linex-', '');
    if (name === 'path') shapes.push({ role, d: attributes.d });
    if (name === 'text') {
      open = { text: '', x: Number(attributes.x), y: Number(attributes.y), role, attributes };
      words.push(open);
    }
    if (name === 'title' || name === 'desc')
      about[name] = open = open && name === 'title' && words.at(-1) === open ? {} : { text: '' };
  });
  parser.on('text', (text) => {
    if (open) open.text = (open.text ?? '') + text;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'text' || name === 'desc') open = undefined;
    if (name === 'title') open = words.at(-1) && open !== about.title ? words.at(-1) : undefined;
  });
  parser.write(svg).close();
  return { shapes, words, title: about.title?.text, description: about.desc?.text };
}

/** Writes a number of the picture as a number. @param {string} text */
export const numberIn = (text) => Number(text.replace('−', '-').replace('+', '').replaceAll(',', ''));

/**
 * Returns the value at a pixel, by the numbers of a horizontal axis: the words at a height.
 *
 * @param {{ text: string, x: number, y: number, role: string }[]} words
 * @param {(word: any) => boolean} [belongs]  default: centered numbers
 */
export function axisOf(words, belongs = () => true) {
  const ticks = words.filter(
    (word) => word.attributes['text-anchor'] === 'middle' && /^[+−]?[\d.,]+$/.test(word.text) && belongs(word),
  );
  const [a, b] = [ticks[0], ticks.at(-1)];
  const perPixel = (numberIn(b.text) - numberIn(a.text)) / (b.x - a.x);
  return { ticks, valueAt: (x) => numberIn(a.text) + (x - a.x) * perPixel, perPixel };
}

/** The first point of a path and the sum of its first horizontal moves. @param {string} d */
export function barOf(d) {
  const [, x, y, body] = d.match(/^M([-\d.]+) ([-\d.]+)h([-\d.]+)/).map(Number);
  const [, point = 0] = d.match(/^M[-\d. ]+h[-\d.]+l([-\d.]+)/)?.map(Number) ?? [];
  return { from: x, to: x + body + point, y };
}

/** The centers and radii of the circles in a path. @param {string} d */
export const circlesIn = (d) =>
  [...d.matchAll(/M([-\d.]+) ([-\d.]+)a([\d.]+) [\d.]+ 0 1 0 [-\d.]+ 0a[^z]*z/g)].map(([, x, y, r]) => ({
    ...{ x: Number(x) + Number(r), y: Number(y), r: Number(r) },
  }));
