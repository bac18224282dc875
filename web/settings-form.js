// The form with the settings of an explanation.
import { element, field, select } from './make-element.js';

/**
 * Creates the form. Each setting has a hint that says what it does.
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
  const optionalNumber = (name) => {
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
    ['bootstrap', 'resamples (as in the paper)'],
    ['halves', 'random halves'],
    ['near-far', 'near and far samples'],
    ['widths', 'kernel widths'],
    ['clusters', 'clusters'],
  ];
  return element(
    'form',
    { class: 'settings', submit: (event) => event.preventDefault(), 'aria-label': 'Settings' },
    field(
      'Method',
      select(methods, state.method, (method) => onChange({ method })),
      'LIME is shown beside it, on the same answers.',
    ),
    element(
      'div',
      { class: 'field' },
      element('label', { class: 'check' }, steady, ' 60 games, uncertain signs silenced'),
      element('p', { class: 'hint' }, 'Replaces the paper’s single game. Features that are not sure get weight 0.'),
    ),
    field(
      'Samples',
      number('samples', { min: 20, max: 5000, step: 20 }),
      'The largest number of queries to the model.',
    ),
    field(
      'Environments',
      select(kinds, state.environments, (environments) => onChange({ environments })),
      'How the answers are divided among the players.',
    ),
    field(
      'Players',
      number('players', { min: 1, max: 6 }),
      'Two players give a disputed feature weight 0. An odd number of players takes the median.',
    ),
    field(
      'Features',
      number('features', { min: 0, max: 50 }),
      'The largest number of features with a weight; 0 means all.',
    ),
    field('Gamma', optionalNumber('gamma'), 'The most that one player may add to a weight, or take from it.'),
    field('Kernel width', optionalNumber('kernelWidth'), 'A larger width gives distant samples more weight.'),
    field('Seed', number('seed', { min: 0, max: 999999 }), 'The same seed gives the same explanation.'),
  );
}
