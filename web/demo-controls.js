import { element, field, select } from './demo-dom.js';

/**
 * The settings of an explanation, each with a line that says what it does.
 *
 * @param {Record<string, any>} state
 * @param {(change: Record<string, any>) => void} onChange
 */
export function settingsForm(state, onChange) {
  const number = (name, { min, max, step = 1 }) => {
    const input = element('input', {
      ...{ type: 'number', min, max, step, value: state[name], inputmode: 'decimal' },
      change: () => {
        const value = Math.min(max, Math.max(min, Math.round(Number(input.value) || min)));
        input.value = value;
        onChange({ [name]: value });
      },
    });
    return input;
  };
  const amount = (name) => {
    const input = element('input', {
      ...{ type: 'number', min: 0, step: 'any', value: state[name], placeholder: 'auto' },
      change: () => onChange({ [name]: Number(input.value) > 0 ? String(Number(input.value)) : '' }),
    });
    return input;
  };
  const steady = element('input', {
    type: 'checkbox',
    checked: state.steady,
    change: () => onChange({ steady: steady.checked }),
  });
  const methods = [['linex', 'LINEX'], ['s-lime', 'smoothed LIME']]; // prettier-ignore
  const kinds = [
    ['bootstrap', 'two re-samples (the paper’s)'],
    ['halves', 'random halves'],
    ['near-far', 'the near and the far half'],
    ['widths', 'kernel widths'],
    ['clusters', 'clusters'],
  ];
  return element(
    'form',
    { class: 'settings', submit: (event) => event.preventDefault(), 'aria-label': 'Settings' },
    field(
      'Method',
      select(methods, state.method, (method) => onChange({ method })),
      'Shown beside LIME, on the same answers.',
    ),
    element(
      'div',
      { class: 'field' },
      element('label', { class: 'check' }, steady, ' 30 games, unsure signs silenced'),
      element('p', { class: 'hint' }, 'Instead of the paper’s single game: what the games dispute gets no weight.'),
    ),
    field('Samples', number('samples', { min: 20, max: 5000, step: 20 }), 'How often the model is asked, at most.'),
    field(
      'Environments',
      select(kinds, state.environments, (environments) => onChange({ environments })),
      'How the answers are dealt to the players.',
    ),
    field(
      'Players',
      number('players', { min: 1, max: 6 }),
      'Two silence what they dispute; an odd number takes the median.',
    ),
    field('Features', number('features', { min: 0, max: 50 }), 'How many may speak; 0 for all.'),
    field('Gamma', amount('gamma'), 'The most that one player may add to a weight.'),
    field('Kernel width', amount('kernelWidth'), 'How fast far perturbations lose their say.'),
    field('Seed', number('seed', { min: 0, max: 999999 }), 'The same seed, the same explanation.'),
  );
}
