// The methods that the study compares, as options of the public API.
import { explainText } from 'linex';

/** LIME as its library is: nothing is silenced, and five features are selected before the fit. */
const LIBRARY = { method: 'lime', selection: 'auto', agreement: 0 };

/**
 * @typedef {object} Compared
 * @property {string} name
 * @property {object} options
 * @property {'selected' | 'leading'} lists  what five features are in the limit: those that LIME selects, with a fit of
 *   their own; or the leading ones of the fit of all
 * @property {object} [before]  options that replace `preset` where there is none yet; only with --tolerant
 */

/** @type {Readonly<Record<string, Compared>>} */
export const METHODS = Object.freeze({
  lime: { name: 'LIME', lists: 'selected', options: { ...LIBRARY, sampling: 'independent', adjust: 'none' } },
  'lime+': { name: 'LIME+', lists: 'selected', options: { ...LIBRARY, sampling: 'designed', adjust: 'auto' } },
  paper: { name: 'LINEX, paper', lists: 'selected', options: { preset: 'paper' } },
  // The product with no options set.
  steady: {
    name: 'LINEX',
    lists: 'leading',
    options: {},
    before: { environments: 'halves', games: 30, agreement: 0.9 },
  },
  strict: {
    name: 'LINEX, strict',
    lists: 'leading',
    options: { preset: 'strict' },
    before: { environments: 'near-far', games: 30, agreement: 0.9 },
  },
});

export const REFERENCE = 'lime';

/**
 * The fit that counts as the truth: LIME with very many samples and all features. The samples are designed, and more than
 * 100,000 for rows and texts, because the error of the truth would otherwise count as an error of the best methods.
 * Networks of images are slow, and explanations of images have larger errors. Nothing is adjusted.
 *
 * @param {string} kind
 */
export const truthOptions = (kind) => ({
  ...METHODS.lime.options,
  sampling: 'designed',
  features: 'all',
  draws: 0,
  samples: 2 ** (kind === 'images' ? 16 : 18) + 1,
});

const NEW_OPTIONS = ['preset', 'sampling', 'adjust'];

/** Whether an error says that an option does not exist. */
const lacks = (error, name) => error instanceof TypeError && error.message.includes(`has no option "${name}"`);

/** Whether the library has presets yet. */
async function hasPresets() {
  try {
    await explainText('', () => [], { preset: 'steady' });
  } catch (error) {
    return !lacks(error, 'preset');
  }
  return true;
}

/**
 * Returns the options of all methods.
 *
 * @param {boolean} tolerant  whether presets may be missing; for development only
 * @returns {Promise<Record<string, object>>}
 */
export async function methodOptions(tolerant) {
  const early = tolerant && !(await hasPresets());
  return Object.fromEntries(
    Object.entries(METHODS).map(([key, { options, before }]) => [key, { ...options, ...(early && before) }]),
  );
}

/**
 * Wraps a function that explains: options that the library does not know yet are left out. For development only.
 *
 * @template Explanation
 * @param {(options: any) => Promise<Explanation>} explain
 * @returns {(options: any) => Promise<Explanation>}
 */
export const tolerantly = (explain) => async (options) => {
  let left = options;
  for (;;) {
    try {
      return await explain(left);
    } catch (error) {
      const missing = NEW_OPTIONS.find((name) => name in left && lacks(error, name));
      if (!missing) throw error;
      left = { ...left };
      delete left[missing];
    }
  }
};
