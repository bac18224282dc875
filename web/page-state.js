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

const CHOICES = {
  method: ['linex', 's-lime'],
  environments: ['bootstrap', 'halves', 'near-far', 'widths', 'clusters'],
};

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
    ([name, value]) => name === 'tab' || (name in defaults && value !== defaults[name]),
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
  if (!(tab in TABS))
    return { state: defaultsOf('words'), problem: `This link names a tab that does not exist: “${tab}”.` };
  const state = defaultsOf(tab);
  for (const [name, text] of given) {
    if (name === 'tab') continue;
    const value = name in state ? valueOf(name, text, state[name]) : undefined;
    if (value === undefined)
      return {
        state: defaultsOf(tab),
        problem: `This link has an unknown setting or value: “${name}=${text.slice(0, 40)}”.`,
      };
    state[name] = value;
  }
  return { state, problem: null };
}

/**
 * Returns the value of a setting in a link, or undefined if it is not valid.
 *
 * @param {string} name
 * @param {string} text
 * @param {unknown} defaultValue
 */
function valueOf(name, text, defaultValue) {
  if (CHOICES[name]) return CHOICES[name].includes(text) ? text : undefined;
  if (typeof defaultValue === 'boolean') return ['true', 'false'].includes(text) ? text === 'true' : undefined;
  if (typeof defaultValue === 'number') return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
  if (name === 'gamma' || name === 'kernelWidth') return /^(\d+(\.\d*)?|\.\d+)?$/.test(text) ? text : undefined;
  return text;
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
    environments: { kind: environments, count: players },
    ...(Number(gamma) > 0 && { gamma: Number(gamma) }),
    ...(Number(kernelWidth) > 0 && { kernelWidth: Number(kernelWidth) }),
    ...(unit === 'pixel' && { unit, hide: [0] }),
    ...(steady && { environments: { kind: 'halves', count: 2 }, games: 30, agreement: 0.9 }),
  };
}
