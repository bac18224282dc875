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
 * `<linex-bars>` shows one bar per feature, with its likely range, for any kind of explanation.
 *
 * Attributes `view`, `order`, `palette`, `full-weight`, `theme`, `locale`; properties `explanation`, `labels`,
 * `answerFormat`; event `feature-focus`; parts `figure`, `stage`, `details`, `tooltip`. It shows at most 30 features.
 */
export class LinexBars extends LinexElement {
  constructor() {
    super();
    this.redrawOnResize();
  }

  /** @param {Explanation} explanation @param {Look} look */
  stage(explanation, look) {
    return svgOf(this.drawing(explanation, look), { ...look, theme: 'light', interactive: true });
  }

  /** @param {Explanation} _ @param {Look} look */
  drawing(_, { reading }) {
    // The figure's border takes one pixel on each side.
    const width = this.drawingWidth - 2;
    return layoutBars(reading, { width, features: 30, measure: canvasMeasure() });
  }
}
