// <linex-bars>: the bar chart of an explanation.
import { svgOf } from '../render/drawing.js';
import { layoutBars } from '../render/layout-bars.js';
import { canvasMeasure } from './canvas.js';
import { LinexElement } from './element-base.js';

/**
 * @typedef {import('./element-base.js').Look} Look
 * @typedef {import('../render/wording.js').Explanation} Explanation
 */

/**
 * `<linex-bars>` shows one bar per feature, with intervals and sign agreement, for any kind of explanation.
 *
 * Attributes `palette`, `full-weight`, `theme`; property `explanation`; event `feature-focus`; parts `figure`, `stage`,
 * `tooltip`. It shows at most the first 30 features.
 */
export class LinexBars extends LinexElement {
  #width = 0;

  constructor() {
    super();
    // Drawing changes the height. Without the timeout the browser would report a resize loop.
    const redraw = () => this.#width !== this.drawingWidth && this.draw();
    new ResizeObserver(() => setTimeout(redraw)).observe(this);
  }

  /** @param {Explanation} explanation @param {Look} look */
  stage(explanation, look) {
    this.#width = this.drawingWidth;
    return svgOf(this.drawing(explanation, look), { ...look, theme: 'light', interactive: true });
  }

  /** @param {Explanation} explanation @param {Look} look */
  drawing(explanation, look) {
    // The figure's border takes one pixel on each side.
    const width = this.drawingWidth - 2;
    return layoutBars(explanation, { ...look, width, features: 30, measure: canvasMeasure() });
  }
}
