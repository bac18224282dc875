// Small pieces of the page: elements, badges, and the track of a score.
import { isApproved, NEEDED, scores, writeScore } from './dashboard-text.js';

/** Returns the element with an id. @param {string} id @returns {any} */
export const find = (id) => document.getElementById(id);

/**
 * Creates an element.
 *
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(string | Node)} content
 */
export function make(tag, properties = {}, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

/** Shows a message, or hides its element if there is none. @param {HTMLElement} element @param {string} message */
export function setMessage(element, message) {
  element.hidden = !message;
  element.textContent = message;
}

/**
 * Creates a badge of a decision. Its color is that of the bars that speak for it, and a mark and a word say the same.
 *
 * @param {number} index
 * @param {string} text  what it shows; by default the word
 */
export function badgeFor(index, text = '') {
  const approved = isApproved(index);
  const word = approved ? 'Approved' : 'Declined';
  const badge = make('span', { className: `badge ${approved ? 'yes' : 'no'}` });
  badge.append(make('span', { className: 'mark', ariaHidden: 'true' }, approved ? '✓' : '✕'), text || word);
  if (text) badge.append(make('span', { className: 'hidden' }, ` ${word.toLowerCase()}`));
  return badge;
}

const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} tag @param {Record<string, string | number>} attributes */
function draw(tag, attributes) {
  const shape = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, String(value));
  return shape;
}

/** Draws where a score is between 0 and 1, and where the needed one is. @param {number} index @returns {SVGElement} */
export function trackFor(index) {
  const score = scores[index];
  const [left, width] = [10, 210];
  const at = (value) => left + width * value;
  const track = draw('svg', { viewBox: '0 0 230 48', class: `track ${isApproved(index) ? 'yes' : 'no'}`, role: 'img' });
  track.setAttribute('aria-label', `Score ${writeScore(score)} on a line from 0 to 1; ${writeScore(NEEDED)} is needed`);
  const label = (text, x, anchor) => {
    const words = draw('text', { x, y: 44, 'text-anchor': anchor });
    words.textContent = text;
    return words;
  };
  track.append(
    draw('rect', { x: left, y: 14, width, height: 6, rx: 3, class: 'rail' }),
    draw('rect', {
      x: at(Math.min(score, NEEDED)),
      y: 14,
      width: width * Math.abs(score - NEEDED),
      height: 6,
      class: 'gap',
    }),
    draw('rect', { x: at(NEEDED) - 1, y: 5, width: 2, height: 24, class: 'needed' }),
    draw('circle', { cx: at(score), cy: 17, r: 8, class: 'dot' }),
    label('0', left, 'start'),
    label(`${writeScore(NEEDED)} needed`, at(NEEDED), 'middle'),
    label('1', left + width, 'end'),
  );
  return track;
}
