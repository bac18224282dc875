// Estimates how long jobs take, so that the longest run first and a run can say how much time is left.

/**
 * Milliseconds per explanation, by data set and kind, measured on two cores of a busy server. Only the proportions matter:
 * a run corrects them by what its own jobs take.
 */
const MILLISECONDS = {
  iris: { random: 0.6, density: 0.6, forest: 0.8, shap: 6 },
  meps: { random: 8, forest: 10, shap: 30 },
  fashion: { random: 12, latent: 110, shap: 400 },
  cifar: { random: 35, latent: 170, shap: 900 },
  reviews: { random: 2.5, words: 3.5, shap: 8 },
};
/** Seconds of the jobs that have no list of settings. */
const SECONDS = { figures: 40, sentences: 8, map: 4, tried: 30, times: 30, pictures: 60 };
/** How much longer some surrogates take. */
const WAYS = { sgd: 6, tfidf: 0.5 };
const LETTER = 12;

/** @param {object} job @returns {number}  seconds, roughly */
export function costOf(job) {
  if (!job.configs) return SECONDS[job.part] * (job.part === 'pictures' && job.reading === 'sgd' ? 3 : 1);
  const each = MILLISECONDS[job.set][job.kind] / 1000;
  const unsettled = job.kind === 'latent' && (job.reading === 'letter' || job.reading === 'product');
  return job.configs.reduce((sum, { way, samples, options, count = 2, dense }) => {
    const games = (options.games ?? 1) > 1 ? 6 : 1;
    // The cost of a fit grows with the samples, but has a part that does not.
    const size = 0.3 + 0.7 * (samples / BASE[job.set][job.kind]);
    const play = options.method === 'linex' ? 1 + 0.3 * (count - 2) : 0.7;
    return sum + each * size * play * games * (WAYS[way] ?? 1) * (unsettled ? LETTER : 1) * (dense ? 3 : 1);
  }, 0) * job.examples * (job.seeds ?? 1); // prettier-ignore
}

/** The samples of the measured explanations. */
const BASE = {
  iris: { random: 10, density: 10, forest: 11, shap: 10 },
  meps: { random: 500, forest: 501, shap: 500 },
  fashion: { random: 100, latent: 500, shap: 500 },
  cifar: { random: 100, latent: 500, shap: 500 },
  reviews: { random: 100, words: 100, shap: 100 },
};
