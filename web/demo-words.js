import { element, field, select } from './demo-dom.js';
import { DemoTab } from './demo-tab.js';

const EXAMPLES = [
  'A slow start and a silly plot, but what follows is a beautiful, funny film with a moving end.',
  'The cast is wonderful, the script is a mess, and the ending left me cold.',
  'Never boring, often touching, and far more clever than its trailer.',
  'An exercise in style without a heart: handsome, empty and much too long.',
  'I expected nothing and got a warm, honest and surprisingly fresh comedy.',
];

export class WordsTab extends DemoTab {
  picture = 'linex-text';

  get quick() {
    return this.state.model === 'bayes';
  }

  inputs() {
    const text = element('textarea', {
      rows: 4,
      maxlength: 2000,
      spellcheck: 'false',
      input: () => this.typed({ text: text.value }),
    });
    text.value = this.state.text;
    const pick = select([['', 'choose one …'], ...EXAMPLES.map((one) => [one, one])], '', (one) => {
      if (!one) return;
      text.value = one;
      this.change({ text: one });
    });
    const models = [
      ['bayes', 'naive Bayes (the paper’s)'],
      ['network', 'a small neural network (4 MB)'],
    ];
    return [
      element('h2', {}, 'A film review'),
      field('Your words', text, 'Type; the highlights follow.'),
      field('Or an example', pick),
      field(
        'Model',
        select(models, this.state.model, (model) => this.change({ model })),
        'Trained on 8,530 reviews; right on 77 and 78 of 100 others.',
      ),
    ];
  }

  input() {
    return { text: this.state.text };
  }

  call() {
    return `explainText(${JSON.stringify(this.state.text)}, predict, options)`;
  }
}
