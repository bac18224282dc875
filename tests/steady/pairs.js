// The pairs of data and model of the study: those to choose settings on, and those that only report.
//
// This split was fixed before any result was seen. Settings are chosen on the pairs `choose`; the pairs `report` are run
// once the settings are fixed.

/**
 * @typedef {object} Pair
 * @property {string} key
 * @property {'choose' | 'report'} set
 * @property {'rows' | 'texts' | 'images'} kind
 * @property {string} name
 * @property {string} data  what the subject opens
 * @property {string} model
 * @property {readonly string[]} files  of the data folder; without them the pair is skipped
 */

const REVIEWS = ['rotten-tomatoes.tsv'];
const FASHION = ['fmnist-test-images-idx3-ubyte.gz'];
const CIFAR = ['cifar10-test-images-idx4-ubyte.gz'];
const MEPS = ['meps19.csv'];

/** @type {[set: Pair['set'], kind: Pair['kind'], data: string, model: string, name: string, files?: readonly string[]][]} */
const LIST = [
  ['choose', 'rows', 'diabetes', 'boosting', 'diabetes, boosting'],
  ['choose', 'rows', 'diabetes', 'network', 'diabetes, network'],
  ['choose', 'rows', 'wine', 'forest', 'wine, forest'],
  ['choose', 'texts', 'reviews', 'bayes', 'reviews, naive Bayes', REVIEWS],
  ['choose', 'images', 'fmnist', 'network', 'Fashion-MNIST, network', FASHION],
  ['report', 'rows', 'iris', 'forest', 'iris, forest'],
  ['report', 'rows', 'iris', 'network', 'iris, network'],
  ['report', 'rows', 'wine', 'network', 'wine, network'],
  ['report', 'rows', 'cancer', 'boosting', 'breast cancer, boosting'],
  ['report', 'rows', 'cancer', 'network', 'breast cancer, network'],
  ['report', 'rows', 'meps', 'forest', 'MEPS, forest', MEPS],
  ['report', 'rows', 'meps', 'boosting', 'MEPS, boosting', MEPS],
  ['report', 'rows', 'meps', 'network', 'MEPS, network', MEPS],
  ['report', 'rows', 'digits', 'forest', 'digits, forest'],
  ['report', 'rows', 'digits', 'network', 'digits, network'],
  ['report', 'texts', 'reviews', 'network', 'reviews, network', REVIEWS],
  ['report', 'images', 'cifar10', 'network', 'CIFAR10, network', CIFAR],
];

/** @type {readonly Pair[]} */
export const PAIRS = Object.freeze(
  LIST.map(([set, kind, data, model, name, files = []]) =>
    Object.freeze({ key: `${data}-${model}`, set, kind, name, data, model, files }),
  ),
);

/**
 * Returns the pairs with the given keys, or those of the given sets.
 *
 * @param {{ keys?: readonly string[], report?: boolean }} wanted
 * @returns {Pair[]}
 * @throws {RangeError} naming a key that does not exist
 */
export function choosePairs({ keys, report = false }) {
  if (!keys) return PAIRS.filter(({ set }) => report || set === 'choose');
  return keys.map((key) => {
    const pair = PAIRS.find((one) => one.key === key);
    if (!pair)
      throw new RangeError(
        `there is no pair ${JSON.stringify(key)}; there are ${PAIRS.map((one) => one.key).join(', ')}`,
      );
    if (pair.set === 'report' && !report)
      throw new RangeError(`${key} is a pair to report; it is run only with --report, after the settings are fixed`);
    return pair;
  });
}
