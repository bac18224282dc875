// <linex-text>: an explained text with its words highlighted.
import { layoutText } from '../render/layout-text.js';
import { headHTML, wordsHTML } from '../render/render-html.js';
import { canvasMeasure } from './canvas.js';
import { LinexElement } from './element-base.js';

/**
 * @typedef {import('./element-base.js').Look} Look
 * @typedef {import('../render/wording.js').ExplainedText} ExplainedText
 */

/**
 * `<linex-text>` shows a text and highlights the words that surely have an effect.
 *
 * Attributes `palette`, `full-weight`, `theme`, `view`, `locale`; properties `explanation`, `labels`, `answerFormat`; event
 * `feature-focus`; parts `figure`, `stage`, `text`, `word`, `legend`, `details`, `tooltip`.
 */
export class LinexText extends LinexElement {
  /** @type {'text'} */
  static kind = 'text';

  constructor() {
    super();
    // The legend is as wide as the figure.
    this.redrawOnResize();
  }

  /** @param {ExplainedText} _ @param {Look} look */
  stage(_, look) {
    return headHTML(look.reading) + wordsHTML(look.reading, true) + this.legend(look);
  }

  /** @param {ExplainedText} _ @param {Look} look */
  drawing(_, { reading }) {
    return layoutText(reading, { width: this.drawingWidth, measure: canvasMeasure() });
  }
}
