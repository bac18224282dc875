// The tab that explains the sentiment of a film review.
import { ExplanationTab } from './explanation-tab.js';
import { element, field, select } from './make-element.js';

const EXAMPLES = [
  'A slow start and a silly plot, but what follows is a beautiful, funny film with a moving end.',
  'The cast is wonderful, the script is a mess, and the ending left me cold.',
  'Never boring, often touching, and far more clever than its trailer.',
  'An exercise in style without a heart: handsome, empty and much too long.',
  'I expected nothing and got a warm, honest and surprisingly fresh comedy.',
];

export class WordsTab extends ExplanationTab {
  viewName = 'linex-text';

  get repeatsAtOnce() {
    return this.state.model === 'bayes';
  }

  inputs() {
    const text = element('textarea', {
      rows: 4,
      maxlength: 2000,
      spellcheck: 'false',
      input: () => this.changeSoon({ text: text.value }),
    });
    text.value = this.state.text;
    const choices = [['', 'choose one …'], ...EXAMPLES.map((example) => [example, example])];
    const examples = select(choices, '', (example) => {
      if (!example) return;
      text.value = example;
      this.change({ text: example });
    });
    const models = [
      ['bayes', 'naive Bayes (as in the paper)'],
      ['network', 'a small neural network (4 MB)'],
    ];
    return [
      element('h2', {}, 'A film review'),
      field('Your text', text, 'The highlights follow as you type.'),
      field('Or an example', examples),
      field(
        'Model',
        select(models, this.state.model, (model) => this.change({ model })),
        'Trained on 8,530 reviews. On other reviews, 77 % and 78 % of the answers are right.',
      ),
    ];
  }

  input() {
    return { text: this.state.text };
  }

  callCode() {
    return `explainText(${JSON.stringify(this.state.text)}, predict, options)`;
  }
}
