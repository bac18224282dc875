// The settings of an explanation, as sentences with words that can be changed.
import { element, select } from './make-element.js';
import { methodsOf, MODELS } from './page-state.js';

const SIZES = [50, 100, 200, 300, 500, 1000, 2000, 5000];
const KINDS = [
  ['bootstrap', 'resamples (as in the paper)'],
  ['halves', 'random halves'],
  ['near-far', 'near and far'],
  ['widths', 'kernel widths'],
  ['clusters', 'clusters'],
];
/** Which settings each method uses, besides the seed. */
const USES = {
  linex: ['samples', 'steady', 'features', 'kernelWidth'],
  's-lime': ['samples', 'steady', 'features', 'kernelWidth'],
  lime: ['samples', 'features', 'kernelWidth'],
  shap: ['samples'],
  maple: ['features'],
};
/** What each method does, in a sentence. */
const DOES = {
  linex: 'LINEX asks about changed versions of the input, and leaves out what is not sure.',
  lime: 'LIME as its authors made it: random changes of the input, one fit, nothing left out.',
  's-lime': 'LIME, fitted several times to parts of the answers; the mean counts.',
  shap: 'SHAP shares the answer out among all parts of the input.',
  maple: 'MAPLE learns from the training flowers that the model treats alike.',
};
const PAPER = 'LINEX as in its paper: one game, and nothing is left out.';

/**
 * Creates the sentence that says how the explanation is made, and the settings behind it.
 *
 * @param {Record<string, any>} state
 * @param {(change: Record<string, any>) => void} onChange
 */
export function settingsSentence(state, onChange) {
  const said = element('p', { class: 'sentence' });
  const note = element('p', { class: 'hint' });
  const more = element('div', { class: 'more' });
  const change = (settings) => {
    onChange(settings);
    show();
  };
  const show = () => {
    const active = document.activeElement?.getAttribute('aria-label');
    said.replaceChildren(...mainSentence(state, change));
    note.textContent = noteOf(state);
    more.replaceChildren(...furtherSentences(state, change));
    // The control that was used is a new one now.
    if (active) box.querySelector(`[aria-label="${active}"]`)?.focus();
  };
  const box = element(
    'div',
    { class: 'settings' },
    said,
    note,
    element('details', {}, element('summary', {}, 'Settings'), more),
  );
  show();
  return box;
}

/** The sentence that is always there: the method, the model and the number of questions. */
function mainSentence(state, change) {
  const { tab, model, method, samples } = state;
  const models = MODELS[tab].map(([name, title]) => [name, title]);
  const sizes = [...new Set([...SIZES, samples])].sort((a, b) => a - b).map((size) => [size, String(size)]);
  return [
    'Explained by ',
    select('Method', methodsOf(tab), method, (name) => change({ method: name })),
    ', which asks ',
    models.length > 1 ? select('Model', models, model, (name) => change({ model: name })) : models[0][1],
    ' ',
    USES[method].includes('samples')
      ? select('Questions', sizes, samples, (size) => change({ samples: Number(size) }))
      : 'one',
    USES[method].includes('samples') ? ' questions.' : ' question.',
  ];
}

/** What to know about the method and the model. */
function noteOf({ tab, model, method, steady }) {
  const [, , about] = MODELS[tab].find(([name]) => name === model);
  return `${method === 'linex' && !steady ? PAPER : DOES[method]} The model: ${about}`;
}

/** The sentences that are hidden behind “Settings”. */
function furtherSentences(state, change) {
  const { method, steady, environments } = state;
  const uses = (name) => USES[method].includes(name);
  const number = (label, name, range) => numberInput(label, state[name], range, (value) => change({ [name]: value }));
  const positive = (label, name) => positiveInput(label, state[name], (value) => change({ [name]: value }));
  const sentence = (...words) => element('p', { class: 'sentence' }, ...words);
  const ways = [['true', 'leave it out'], ['false', 'keep it, as in the paper']]; // prettier-ignore
  return [
    uses('steady') &&
      sentence(
        'If the direction of a reason is not sure, ',
        select('What is not sure', ways, String(steady), (way) => change({ steady: way === 'true' })),
        '.',
      ),
    uses('features') && sentence('Name at most ', number('Reasons', 'features', [0, 50]), ' reasons; 0 means all.'),
    uses('kernelWidth') &&
      sentence('Look ', positive('Kernel width', 'kernelWidth'), ' far around the input; more is further.'),
    method === 'linex' &&
      !steady &&
      sentence(
        number('Players', 'players', [1, 6]),
        ' players split the answers by ',
        select('Environments', KINDS, environments, (kind) => change({ environments: kind })),
        '. Each may add at most ',
        positive('Gamma', 'gamma'),
        ' to a weight.',
      ),
    sentence(
      'Start the random numbers at ',
      number('Seed', 'seed', [0, 999999]),
      '; the same start, the same picture.',
    ),
  ].filter(Boolean);
}

/** An input for a whole number within a range. */
function numberInput(label, value, [min, max], onChange) {
  const input = element('input', {
    ...{ type: 'number', min, max, value, inputmode: 'numeric', 'aria-label': label },
    change: () => onChange(Math.min(max, Math.max(min, Math.round(Number(input.value) || min)))),
  });
  return input;
}

/** An input for a number above 0, or nothing. */
function positiveInput(label, value, onChange) {
  const input = element('input', {
    ...{ type: 'number', min: 0, step: 'any', value, placeholder: 'auto', 'aria-label': label },
    change: () => onChange(Number(input.value) > 0 ? String(Number(input.value)) : ''),
  });
  return input;
}
