// The tab that explains the sentiment of a film review.
import { ExplanationTab } from './explanation-tab.js';
import { element, select } from './make-element.js';
import { REVIEWS } from './page-state.js';

/** A short name of a review. */
const nameOf = (text) => `“${text.split(/\s+/).slice(0, 4).join(' ')} …”`;

export class WordsTab extends ExplanationTab {
  /** @type {'text'} */
  picture = 'text';
  steadiness = { ...this.steadiness, things: 'Words', atOnce: () => this.state.model === 'bayes' };

  inputs() {
    const text = element('textarea', {
      ...{ rows: 5, maxlength: 2000, spellcheck: 'false', class: 'quote', 'aria-label': 'Your text' },
      input: () => this.changeSoon({ text: text.value }),
    });
    text.value = this.state.text;
    const use = (review) => () => {
      text.value = review;
      this.change({ text: review });
    };
    return [
      element('h2', {}, 'A film review'),
      element('p', { class: 'hint' }, 'Change it; the picture follows as you type.'),
      text,
      element('p', { class: 'hint' }, 'Or take another one:'),
      element(
        'div',
        { class: 'examples' },
        ...REVIEWS.map((review) =>
          element('button', { type: 'button', class: 'example', click: use(review) }, nameOf(review)),
        ),
      ),
    ];
  }

  input() {
    return { text: this.state.text };
  }

  otherChoice() {
    const choices = REVIEWS.map((review, i) => [i, nameOf(review)]);
    const list = select('Another text', choices, this.#other, (other) => this.compareWith(Number(other)));
    return element('p', { class: 'sentence' }, 'Compared with ', list);
  }

  get #other() {
    return this.state.other % REVIEWS.length;
  }

  otherInput() {
    const text = REVIEWS[this.#other];
    return { input: { text }, names: /** @type {[string, string]} */ (['this text', nameOf(text)]) };
  }

  callCode() {
    return `explainText(${JSON.stringify(this.state.text)}, predict, options)`;
  }
}
