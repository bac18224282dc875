// Lists the data sets, each in its own file; a worker loads only the one that it needs.

const SETS = {
  iris: async () => (await import('./irises.js')).iris,
  meps: async () => (await import('./meps.js')).meps,
  fashion: async () => (await import('./fashion.js')).fashion,
  cifar: async () => (await import('./cifar.js')).cifar,
  reviews: async () => (await import('./reviews.js')).reviews,
};

export const SET_KEYS = Object.freeze(Object.keys(SETS));

/** @param {string} key */
export async function openSet(key) {
  if (!(key in SETS))
    throw new RangeError(`there is no data set ${JSON.stringify(key)}; there are ${SET_KEYS.join(', ')}`);
  return SETS[key]();
}
