// The state of the page as plain data, and its conversion to and from the hash of a link.

/** The settings that all tabs have, with their defaults. */
export const SETTINGS = Object.freeze({
  method: 'linex',
  steady: true,
  samples: 200,
  environments: 'bootstrap',
  players: 2,
  features: 0,
  gamma: '',
  kernelWidth: '',
  seed: 0,
  view: 'why',
});

/** The film reviews that the page offers, in the order of the list. */
export const REVIEWS = Object.freeze([
  'A slow start and a silly plot, but what follows is a beautiful, funny film with a moving end.',
  'The cast is wonderful, the script is a mess, and the ending left me cold.',
  'Never boring, often touching, and far more clever than its trailer.',
  'An exercise in style without a heart: handsome, empty and much too long.',
  'I expected nothing and got a warm, honest and surprisingly fresh comedy.',
]);

/**
 * The settings of each tab's input and model, with their defaults.
 *
 * A tab opens on the first example of its list whose explanation, with the page's settings, explains at least half of what
 * the model does near it (R² of 0.5), has two sure features, and has no warning. LIME is not looked at.
 * tests/web/opening-examples.test.js and tests/browser/demo.test.js check it.
 */
export const TABS = Object.freeze({
  words: { model: 'bayes', text: REVIEWS[0], other: 1, show: 'text' },
  rows: { model: 'forest', row: '5.2,4.1,1.5,0.1', other: 3, show: 'bars' },
  garments: { model: 'garments', sample: 1, unit: 'segment', show: 'image' },
  photo: { model: 'photo', sample: 0, show: 'image' },
});

/** The models of each tab: name, title, and what to know about it. A further model is one more line here. */
export const MODELS = Object.freeze({
  words: [
    ['bayes', 'naive Bayes', 'As in the paper. Trained on 8,530 reviews; right on 77% of others.'],
    ['network', 'a neural network', 'A small network, 4 MB. Trained on 8,530 reviews; right on 78% of others.'],
    ['transformer', 'a transformer', 'A small BERT in transformers.js, 4 MB. Trained on 8,530 reviews; right on 76% of others.'],
  ],
  rows: [['forest', 'a random forest', 'This page trains it on 120 of Fisher’s irises.']],
  garments: [['garments', 'a neural network', 'Trained on Fashion-MNIST, ten kinds of garments.']],
  photo: [['photo', 'an object detector', 'COCO-SSD: 80 kinds of everyday objects, 19 MB. A question takes a tenth of a second.']],
}); // prettier-ignore

/** The methods that a tab offers: name and title. */
export const methodsOf = (/** @type {string} */ tab) => [
  ['linex', 'LINEX'],
  ['lime', 'LIME'],
  ['s-lime', 'smoothed LIME'],
  ['shap', 'SHAP'],
  ...(tab === 'rows' ? [['maple', 'MAPLE']] : []),
];

/** The pictures that a tab offers: name and title. */
export const PICTURES = Object.freeze({
  words: [['text', 'In the text'], ['bars', 'Bars'], ['waterfall', 'Steps'], ['beside', 'Beside LIME'], ['other', 'Another text']],
  rows: [['bars', 'Bars'], ['waterfall', 'Steps'], ['targets', 'All species'], ['beside', 'Beside LIME'], ['other', 'Another flower']],
  garments: [['image', 'In the drawing'], ['bars', 'Bars'], ['waterfall', 'Steps'], ['targets', 'Other garments'], ['beside', 'Beside LIME']],
  photo: [['image', 'In the photo'], ['bars', 'Bars'], ['waterfall', 'Steps'], ['beside', 'Beside LIME']],
}); // prettier-ignore

/** A number above 0, or nothing. */
const POSITIVE = /^((\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e[-+]?\d{1,2})?)?$/;

/** The values that each setting may have, as in the forms: a pattern, or the least and the largest number. */
const CHOICES = {
  steady: /^(true|false)$/,
  environments: /^(bootstrap|halves|near-far|widths|clusters)$/,
  view: /^(why|what-if)$/,
  samples: [20, 5000],
  players: [1, 6],
  features: [0, 50],
  seed: [0, 999999],
  sample: [0, 999],
  other: [0, 999],
  gamma: POSITIVE,
  kernelWidth: POSITIVE,
  unit: /^(segment|pixel)$/,
  text: /^[^]{0,2000}$/,
  row: /^(\d{1,3}(\.\d{1,9})?(,(?=\d)|$)){0,4}$/,
};

/** The names that a setting of a tab may have. @type {Record<string, (tab: string) => readonly string[]>} */
const NAMES = {
  model: (tab) => MODELS[tab].map(([name]) => name),
  method: (tab) => methodsOf(tab).map(([name]) => name),
  show: (tab) => PICTURES[tab].map(([name]) => name),
};

/**
 * Returns the default state of a tab.
 *
 * @param {string} tab
 * @returns {Record<string, any>}
 */
export function defaultsOf(tab) {
  const samples = { garments: 300, photo: 120 }[tab] ?? SETTINGS.samples;
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
  if (Object.hasOwn(NAMES, name)) return NAMES[name](state.tab).includes(text) ? text : undefined;
  const choices = CHOICES[name];
  if (!Array.isArray(choices)) {
    if (!choices.test(text)) return undefined;
    return typeof state[name] === 'boolean' ? text === 'true' : text;
  }
  const value = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  return value >= choices[0] && value <= choices[1] ? value : undefined;
}

/** LIME as its authors made it: independent samples, one fit, nothing left out. */
export const LIME_AS_IT_IS = Object.freeze({
  method: 'lime',
  preset: 'paper',
  sampling: 'independent',
  adjust: 'none',
});
/** LIME with linex's samples, and with the noise that can be known taken out of the answers. */
export const LIME_WITH_OUR_SAMPLES = Object.freeze({
  ...{ method: 'lime', preset: 'paper', sampling: 'designed', adjust: 'auto' },
});

/**
 * Returns the options of linex for a state.
 *
 * @param {Record<string, any>} state
 */
export function optionsOf(state) {
  const { method, samples, features, seed, unit } = state;
  const pixels = unit === 'pixel' && { unit, hide: [0] };
  if (method === 'maple') return { method, seed, ...(features > 0 && { features }) };
  const asked = { method, samples, seed, features: features === 0 ? 'all' : features, ...pixels };
  if (method === 'shap') return asked;
  const width = Number(state.kernelWidth) > 0 && { kernelWidth: Number(state.kernelWidth) };
  if (method === 'lime') return { ...asked, ...LIME_AS_IT_IS, ...width };
  const game = state.steady
    ? { preset: 'steady' }
    : { preset: 'paper', environments: { kind: state.environments, count: state.players } };
  const gamma = Number(state.gamma) > 0 && { gamma: Number(state.gamma) };
  return { ...asked, ...game, ...gamma, ...width };
}
