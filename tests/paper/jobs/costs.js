// Estimates how long jobs take, so that the longest run first and a run can say how much time is left.

/**
 * Milliseconds of processor time per explanation: a part that does not depend on the samples, and one per thousand samples.
 * Measured on a busy server, on two to five examples per job. A run corrects the estimate by what its own jobs take.
 */
const TABLE = {
  iris: { random: [0.6, 10], density: [0.6, 8], forest: [0.8, 10], shap: [28, 0] },
  meps: { random: [1, 4], forest: [2, 4], shap: [150, 0] },
  fashion: { random: [4, 9], latent: [5, 170], shap: [450, 0] },
  cifar: { random: [10, 60], latent: [10, 260], shap: [2500, 0] },
  reviews: { random: [0.8, 6], words: [3, 10], shap: [15, 0] },
};
/** The same for the study, which plays many games and draws again. */
const STUDY = {
  iris: { random: [0.8, 6], density: [0.7, 5], forest: [0.6, 5] },
  meps: { random: [3, 14], forest: [2, 8] },
  fashion: { random: [10, 60], latent: [5, 170] },
  cifar: { random: [15, 90], latent: [10, 260] },
  reviews: { random: [6, 16], words: [6, 10] },
};
/** Seconds of the jobs that have no list of settings. */
const SECONDS = { figures: 8, sentences: 4, map: 4, tried: 12, times: 12, pictures: 30 };
/** How much longer descent takes than a fit, and games that do not come to rest than those that do. */
const [DESCENT, UNSETTLED] = [7, { product: 2.5, letter: 9 }];

/** @param {object} job @returns {number}  seconds, roughly */
export function costOf(job) {
  if (!job.configs) return SECONDS[job.part] * (job.reading === 'sgd' ? DESCENT : 1);
  const [fixed, perThousand] = (job.part === 'study' ? STUDY : TABLE)[job.set][job.kind];
  const slower = job.kind === 'latent' ? (UNSETTLED[job.reading] ?? 1) : 1;
  const one = ({ way, samples }) => (fixed + (perThousand * samples) / 1000) * slower * (way === 'sgd' ? DESCENT : 1);
  const each = job.configs.reduce((sum, config) => sum + one(config), 0) / 1000;
  return each * job.examples * (job.seeds ?? 1);
}
