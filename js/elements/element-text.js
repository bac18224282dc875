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
 * `<linex-text>` shows a text and highlights the words that have a weight.
 *
 * Attributes `palette`, `full-weight`, `theme`; property `explanation`; event `feature-focus`; parts `figure`, `stage`,
 * `text`, `word`, `legend`, `tooltip`.
 */
export class LinexText extends LinexElement {
  /** @type {'text'} */
  static kind = 'text';

  /** @param {ExplainedText} explanation @param {Look} look */
  stage(explanation, look) {
    return headHTML(explanation) + wordsHTML(explanation, look.fullWeight, true) + this.legend(explanation, look);
  }

  /** @param {ExplainedText} explanation @param {Look} look */
  drawing(explanation, look) {
    return layoutText(explanation, { ...look, width: this.drawingWidth, measure: canvasMeasure() });
  }
}
