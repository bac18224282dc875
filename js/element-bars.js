import { svgOf } from './drawing.js';
import { LinexElement } from './element-base.js';
import { layoutBars } from './layout-bars.js';
import { checkCount } from './options.js';

/**
 * @typedef {import('./element-base.js').Look} Look
 * @typedef {import('./wording.js').Explanation} Explanation
 */

/**
 * `<linex-bars>`: a bar a feature, of any explanation, with intervals and sign agreement.
 *
 * Attributes `palette`, `scale`, `theme`, `most` (how many features; default 30); property `explanation`; event
 * `feature-focus`; parts `figure`, `stage`, `tooltip`.
 */
export class LinexBars extends LinexElement {
  static observedAttributes = [...LinexElement.observedAttributes, 'most'];

  #width = 0;
  #observer = new ResizeObserver(() => {
    if (this.#width !== this.#room) this.draw();
  });

  connectedCallback() {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /** What is left inside border and padding. */
  get #room() {
    return Math.max(200, this.pictureWidth - 42);
  }

  /** @param {Explanation} explanation @param {Look} look */
  stage(explanation, look) {
    this.#width = this.#room;
    return svgOf(this.#layout(explanation, look, { width: this.#width, bare: true }), { ...look, live: true });
  }

  /** @param {Explanation} explanation @param {Look} look */
  drawing(explanation, look) {
    return this.#layout(explanation, look, { width: this.pictureWidth, bare: false });
  }

  /** @param {Explanation} explanation @param {Look} look @param {{ width: number, bare: boolean }} how */
  #layout(explanation, { full, scale }, how) {
    const most = checkCount(this.numberOf('most') ?? 30, 'most', 1);
    return layoutBars(explanation, { ...how, full, fixed: scale !== undefined, most, measure: this.measure });
  }
}
