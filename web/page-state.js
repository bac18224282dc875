// The state of the page as plain data, and its conversion to and from the hash of a link.

/** The settings that all tabs have, with their defaults. */
export const SETTINGS = Object.freeze({
  method: 'linex',
  steady: true,
  samples: 100,
  environments: 'bootstrap',
  players: 2,
  features: 0,
  gamma: '',
  kernelWidth: '',
  seed: 0,
});

/** The settings of each tab's input and model, with their defaults. */
export const TABS = Object.freeze({
  words: {
    model: 'bayes',
    text: 'A slow start and a silly plot, but what follows is a beautiful, funny film with a moving end.',
  },
  garments: { model: 'garments', sample: 9, unit: 'segment' },
  photo: { model: 'photo', sample: 0 },
  rows: { model: 'forest', row: '' },
});

/** A number above 0, or nothing. */
const POSITIVE = /^((\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e[-+]?\d{1,2})?)?$/;

/** The values that each setting may have, as in the forms: a pattern, or the least and the largest number. */
const CHOICES = {
  method: /^(linex|s-lime)$/,
  steady: /^(true|false)$/,
  environments: /^(bootstrap|halves|near-far|widths|clusters)$/,
  samples: [20, 5000],
  players: [1, 6],
  features: [0, 50],
  seed: [0, 999999],
  sample: [0, 999],
  gamma: POSITIVE,
  kernelWidth: POSITIVE,
  unit: /^(segment|pixel)$/,
  text: /^[^]{0,2000}$/,
  row: /^(\d{1,3}(\.\d{1,9})?(,(?=\d)|$)){0,4}$/,
};

/** The models of the tabs that have several. */
const MODELS = { words: ['bayes', 'network'] };

/**
 * Returns the default state of a tab.
 *
 * @param {string} tab
 * @returns {Record<string, any>}
 */
export function defaultsOf(tab) {
  const samples = { words: 200, garments: 300, photo: 120 }[tab] ?? SETTINGS.samples;
  return { tab, ...TABS[tab], ...SETTINGS, samples };
}

/**
 * Returns the hash of a link to a state. It holds only what differs from the defaults.
 *
 * @param {Record<string, any>} state
 */
export function hashOf(state) {
  const defaults = defaultsOf(state.tab);
  const chosen = Object.entries(state).filter(
    ([name, value]) => name === 'tab' || (Object.hasOwn(defaults, name) && value !== defaults[name]),
  );
  return `#${new URLSearchParams(chosen.map(([name, value]) => [name, String(value)]))}`;
}

/**
 * Reads a state from the hash of a link.
 *
 * @param {string} hash
 * @returns {{ state: Record<string, any>, problem: string | null }}  problem: a message about a bad link
 */
export function stateOf(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const tab = given.get('tab') ?? 'words';
  if (!Object.hasOwn(TABS, tab))
    return { state: defaultsOf('words'), problem: `This link names a tab that does not exist: “${tab.slice(0, 40)}”.` };
  const state = defaultsOf(tab);
  for (const [name, text] of given) {
    if (name === 'tab') continue;
    const value = Object.hasOwn(state, name) ? valueOf(name, text, state) : undefined;
    if (value === undefined)
      return {
        state: defaultsOf(tab),
        problem: `This link has an unknown setting or value: “${`${name}=${text}`.slice(0, 60)}”.`,
      };
    state[name] = value;
  }
  return { state, problem: null };
}

/**
 * Returns the value of a setting in a link, or undefined if it is not valid.
 *
 * @param {string} name  one of the names in `state`
 * @param {string} text
 * @param {Record<string, any>} state  the tab's
 */
function valueOf(name, text, state) {
  if (name === 'model') return [state.model, ...(MODELS[state.tab] ?? [])].includes(text) ? text : undefined;
  const choices = CHOICES[name];
  if (!Array.isArray(choices)) {
    if (!choices.test(text)) return undefined;
    return typeof state[name] === 'boolean' ? text === 'true' : text;
  }
  const value = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  return value >= choices[0] && value <= choices[1] ? value : undefined;
}

/**
 * Returns the options of linex for a state.
 *
 * @param {Record<string, any>} state
 */
export function optionsOf(state) {
  const { method, steady, samples, environments, players, features, gamma, kernelWidth, seed, unit } = state;
  return {
    method,
    samples,
    seed,
    features: features === 0 ? 'all' : features,
    ...(steady ? { preset: 'steady' } : { preset: 'paper', environments: { kind: environments, count: players } }),
    ...(Number(gamma) > 0 && { gamma: Number(gamma) }),
    ...(Number(kernelWidth) > 0 && { kernelWidth: Number(kernelWidth) }),
    ...(unit === 'pixel' && { unit, hide: [0] }),
  };
}
