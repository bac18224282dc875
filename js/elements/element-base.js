// The base class of the elements that show one explanation.
import { svgOf } from '../render/drawing.js';
import { layoutLegend } from '../render/layout-text.js';
import { Reading } from '../render/reading.js';
import { detailsHTML, tableHTML } from '../render/render-html.js';
import { checkDrawable } from '../render/wording.js';
import { canvasMeasure } from './canvas.js';
import { LinexFigure } from './interactive-figure.js';

/**
 * @typedef {import('../render/wording.js').Explanation} Explanation
 * @typedef {import('./interactive-figure.js').FeatureFocus} FeatureFocus
 *
 * @typedef {object} OwnLook  the element's attributes
 * @property {Reading} reading  how the explanation is read: its view, words and numbers
 * @property {'heatmap' | 'outlines'} [mode]
 * @property {number} [opacity]
 * @property {'both' | 'positive' | 'negative'} [sign]
 *
 * @typedef {import('./interactive-figure.js').FigureLook & OwnLook} Look
 */

/**
 * The base class of the elements that show one explanation, with a table for screen readers. Its stops are the features.
 *
 * @abstract
 */
export class LinexElement extends LinexFigure {
  static observedAttributes = [...LinexFigure.observedAttributes, 'full-weight', 'view', 'order'];
  static properties = [...LinexFigure.properties, 'image', 'explanation'];
  /** The kind of explanation that it shows; undefined for any kind. @type {'text' | 'image' | undefined} */
  static kind;

  /** The explanation's features as they are read, by index. @type {Map<unknown, import('../render/reading.js').Item>} */
  #items = new Map();
  /** @type {Reading | undefined} */
  #reading;

  /** The explanation to show; null shows nothing. @returns {Explanation | null} */
  get explanation() {
    return this.subject;
  }

  /** @throws {TypeError}  if the value is not an explanation of the element's kind */
  set explanation(value) {
    const { kind } = /** @type {typeof LinexElement} */ (this.constructor);
    if (value !== null) checkDrawable(value, `<${this.localName}>`, kind);
    this.subject = value;
  }

  /** @param {Explanation} explanation @returns {Look} */
  look(explanation) {
    const given = super.look(explanation);
    const { labels, answerFormat } = this;
    const reading = new Reading(explanation, { ...given, fullWeight: given['full-weight'], labels, answerFormat });
    return { ...given, reading };
  }

  /** @param {Explanation} explanation @param {Look} look @param {boolean} open */
  contents(explanation, look, open) {
    const { reading } = look;
    this.#reading = reading;
    this.#items = new Map(reading.items.map((item) => [item.feature.index, item]));
    return `<div part="stage">${this.stage(explanation, look)}</div>${tableHTML(reading)}${detailsHTML(reading, open)}`;
  }

  /**
   * Returns the main part of the figure.
   *
   * @abstract
   * @param {any} _explanation
   * @param {Look} _look
   * @returns {string}  HTML with all text escaped
   */
  stage(_explanation, _look) {
    return '';
  }

  /** Returns the legend as HTML. @param {Look} look @param {number} [most]  its largest width; default that of the figure */
  legend({ reading, palette }, most = Infinity) {
    // The figure has a border and a padding.
    const width = Math.min(most, this.drawingWidth - 42);
    const { items, height } = layoutLegend(reading, { x: 0, y: 0, width, measure: canvasMeasure() });
    const drawing = { width, height: Math.ceil(height), title: reading.labels.legend, items };
    return `<div part="legend">${svgOf(drawing, { palette, theme: 'light', interactive: true })}</div>`;
  }

  /** Returns the explanation's feature with an index. @param {number | null} feature @returns {any} */
  featureAt(feature) {
    return this.#items.get(feature)?.feature;
  }

  /** @param {number | null} key */
  describe(key) {
    const item = this.#items.get(key);
    return item && this.#reading?.describe(item);
  }

  /** @param {number | null} key @returns {FeatureFocus} */
  focusOn(key) {
    const { explanation } = this;
    const name = this.featureAt(key)?.name ?? null;
    return { explanation, explanations: [explanation], feature: key, name };
  }

  /** @param {FeatureFocus} focus */
  stopsOn({ explanation, explanations = [explanation], feature, name }) {
    if (!explanations.includes(this.explanation)) return undefined;
    if (feature === null) return [];
    // In a chart of several explanations a word may have another index.
    if (explanation === this.explanation) return [feature];
    return [...this.#items.values()].filter((item) => item.feature.name === name).map((item) => item.feature.index);
  }
}
