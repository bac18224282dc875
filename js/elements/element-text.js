import { measureHere } from './canvas.js';
import { LinexElement } from './element-base.js';
import { layoutText } from '../render/layout-text.js';
import { headHTML, wordsHTML } from '../render/render-html.js';

/**
 * @typedef {import('./element-base.js').Look} Look
 * @typedef {import('../render/wording.js').TextPicture} TextPicture
 */

/**
 * `<linex-text>`: a text with the words that mattered highlighted.
 *
 * Attributes `palette`, `full-weight`, `theme`; property `explanation`; event `feature-focus`; parts `figure`, `stage`, `text`,
 * `word`, `legend`, `tooltip`.
 */
export class LinexText extends LinexElement {
  /** @type {'text'} */
  static kind = 'text';

  /** @param {TextPicture} explanation @param {Look} look */
  stage(explanation, look) {
    return headHTML(explanation) + wordsHTML(explanation, look.full, true) + this.legend(explanation, look);
  }

  /** @param {TextPicture} explanation @param {Look} look */
  drawing(explanation, { full }) {
    return layoutText(explanation, { width: this.pictureWidth, full, measure: measureHere() });
  }
}
