import { measureHere } from './canvas.js';
import { svgOf } from '../render/drawing.js';
import { LinexElement } from './element-base.js';
import { layoutBars } from '../render/layout-bars.js';

/**
 * @typedef {import('./element-base.js').Look} Look
 * @typedef {import('../render/wording.js').Explanation} Explanation
 */

/**
 * `<linex-bars>`: a bar a feature, of any explanation, with intervals and sign agreement.
 *
 * Attributes `palette`, `full-weight`, `theme`; property `explanation`; event `feature-focus`; parts `figure`, `stage`,
 * `tooltip`. Of more than 30 features it shows the first 30.
 */
export class LinexBars extends LinexElement {
  #width = 0;

  constructor() {
    super();
    // Not at once: what is drawn has another height, and the browser would report a loop.
    const fit = () => this.#width !== this.pictureWidth && this.draw();
    new ResizeObserver(() => setTimeout(fit)).observe(this);
  }

  /** @param {Explanation} explanation @param {Look} look */
  stage(explanation, look) {
    this.#width = this.pictureWidth;
    return svgOf(this.drawing(explanation, look), { palette: look.palette, theme: 'light', live: true });
  }

  /** @param {Explanation} explanation @param {Look} look */
  drawing(explanation, { full, fullWeight }) {
    const width = this.pictureWidth - 2;
    return layoutBars(explanation, {
      width,
      full,
      fixed: fullWeight !== undefined,
      features: 30,
      measure: measureHere(),
    });
  }
}
