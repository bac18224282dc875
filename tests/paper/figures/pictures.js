// Computes what the paper shows of images: heatmaps with correlations, and both error analyses of its supplement.
import { Buffer } from 'node:buffer';
import { configOf, rowsOf } from '../jobs/plans.js';
import { openSet } from '../sets/sets.js';
import { ablate, keep, measure } from '../subjects/measures.js';

/** The names of the classes, in the order of the data sets. */
export const CLASSES = Object.freeze({
  fashion: ['T-shirt', 'trouser', 'pullover', 'dress', 'coat', 'sandal', 'shirt', 'sneaker', 'bag', 'ankle boot'],
  cifar: ['airplane', 'automobile', 'bird', 'cat', 'deer', 'dog', 'frog', 'horse', 'ship', 'truck'],
});
/** The photographs that the paper shows. */
const SHOWN = ['dog', 'horse', 'truck', 'bird', 'ship', 'dog'];
/** The paper's error analyses show six images each and remove the top 15 %. */
const [MOST, FRACTION] = [6, 0.15];
const METHODS = ['MeLIME', 'LINEX/real'];
const METRICS = ['INFD', 'GI', 'CI', 'unidirectionality'];

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/** Pearson's correlation; null if one of both is constant. */
export function correlation(a, b) {
  const [middleA, middleB] = [mean(a), mean(b)];
  let [both, ownA, ownB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    both += (a[i] - middleA) * (b[i] - middleB);
    ownA += (a[i] - middleA) ** 2;
    ownB += (b[i] - middleB) ** 2;
  }
  return ownA > 0 && ownB > 0 ? both / Math.sqrt(ownA * ownB) : null;
}

/** Packs weights as signed bytes, relative to the largest. @param {ArrayLike<number>} weights @returns {string}  base64 */
export function packMap(weights) {
  const most = Array.from(weights).reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0) || 1;
  return Buffer.from(Int8Array.from(weights, (weight) => Math.round((127 * weight) / most)).buffer).toString('base64');
}

/** The mean of several lists, place by place. */
const meanOf = (lists) => Array.from(lists[0], (_, p) => mean(lists.map((list) => list[p])));

/**
 * @param {{ set: 'fashion' | 'cifar', reading: string, examples: number }} job
 * @param {string} folder
 * @param {(share: number) => void} [onProgress]
 */
export async function pictureFigures({ set: key, reading, examples }, folder, onProgress = () => {}) {
  const set = await openSet(key);
  const subject = await set.open({ folder, split: 0, examples });
  const { widths } = set.kinds.latent;
  const configs = METHODS.map((name) => {
    const row = rowsOf('latent').find((one) => one.row === name);
    return configOf(set, 'latent', row, { width: widths[Math.floor(widths.length / 2)], reading });
  });
  const all = METHODS.map(() => []);
  for (let example = 0; example < subject.count; example++) {
    for (const [m, config] of configs.entries())
      all[m].push({ example, config, kept: keep(await subject.explain(example, config, example)) });
    onProgress((example + 1) / subject.count);
  }
  const near = subject.neighbors;
  const values = all.map((entries) => measure(subject, entries, near, { general: true, classes: false }));
  const study = { key, subject, all, values, names: CLASSES[key] };
  return {
    ...{ reading, examples: subject.count, size: subject.size() },
    unsettled: METHODS.map((row, m) => ({ row, unsettled: mean(values[m].restless) })),
    maps: exampleMaps(study),
    means: key === 'fashion' ? classMeans(study) : [],
    worst: worstMaps(study),
    classes: classValues(study),
    ablation: { unsigned: await ablationErrors(study, false), signed: await ablationErrors(study, true) },
  };
}

/** Returns an attribution of each method with its correlation with a picture. */
const pairOf = (weights, picture) =>
  METHODS.map((row, m) => ({ row, r: correlation(weights[m], picture), map: packMap(weights[m]) }));

/** One image per class, or the classes of the photographs that the paper shows: always the first in the data set. */
function exampleMaps({ key, subject, all, names }) {
  const used = new Set();
  const first = (label) =>
    all[0].find(({ example }) => subject.classOf(example) === label && !used.has(example))?.example;
  const wanted = key === 'fashion' ? names : SHOWN;
  return wanted.flatMap((name) => {
    const example = first(names.indexOf(name));
    if (example === undefined) return [];
    used.add(example);
    const weights = all.map((entries) => entries[example].kept.weights);
    return [{ name, example, methods: pairOf(weights, subject.brightness(example)) }];
  });
}

const membersOf = ({ subject, all }, label) =>
  all[0].map(({ example }) => example).filter((example) => subject.classOf(example) === label);

/** The mean attribution of each class and its correlation with the mean image: one term of the paper's CAC. */
function classMeans(study) {
  const { subject, all, names } = study;
  return names.flatMap((name, label) => {
    const members = membersOf(study, label);
    if (members.length === 0) return [];
    const weights = all.map((entries) => meanOf(members.map((e) => entries[e].kept.weights)));
    return [{ name, count: members.length, methods: pairOf(weights, meanOf(members.map(subject.brightness))) }];
  });
}

/** The images where LINEX has its highest infidelity, as in the paper's first error analysis. */
function worstMaps(study) {
  const { subject, all, values, names } = study;
  const order = all[1].map((_, e) => e).sort((a, b) => values[1].INFD[b] - values[1].INFD[a] || a - b);
  return order.slice(0, MOST).map((example) => {
    const label = subject.classOf(example);
    const picture = meanOf(membersOf(study, label).map(subject.brightness));
    const methods = pairOf(
      all.map((entries) => entries[example].kept.weights),
      picture,
    );
    return {
      ...{ name: names[label], example },
      methods: methods.map((one, m) => ({ ...one, INFD: values[m].INFD[example] })),
    };
  });
}

/** The metrics of each class. */
function classValues(study) {
  const { values, names } = study;
  return names.flatMap((name, label) => {
    const members = membersOf(study, label);
    if (members.length === 0) return [];
    const over = (m) =>
      Object.fromEntries(METRICS.map((metric) => [metric, mean(members.map((e) => values[m][metric][e]))]));
    return [{ name, count: members.length, methods: METHODS.map((row, m) => ({ row, ...over(m) })) }];
  });
}

/** Removes the top 15 % by each method, and lists where only one of them changes the class. */
async function ablationErrors({ subject, all, names }, signed) {
  const cases = [];
  for (let e = 0; e < all[0].length; e++) {
    const ends = [];
    for (const entries of all)
      ends.push(await ablate(subject, entries[e], { signed, fractions: [FRACTION], each: true }));
    cases.push({ e, ends: ends.map(([end]) => end) });
  }
  const count = (...same) => cases.filter(({ ends }) => ends.every((end, m) => end.same === same[m])).length;
  const shown = cases
    .filter(({ ends }) => !ends[0].same && ends[1].same)
    .slice(0, MOST)
    .map(({ e, ends }) => {
      const label = subject.classOf(e);
      return {
        ...{ name: names[label], example: e, score: subject.answer(e)[label] },
        methods: METHODS.map((row, m) => ({
          ...{ row, score: ends[m].score, name: names[ends[m].top], map: packMap(all[m][e].kept.weights) },
        })),
      };
    });
  return {
    share: FRACTION,
    onlyMeLIME: count(false, true),
    onlyLINEX: count(true, false),
    both: count(false, false),
    neither: count(true, true),
    shown,
  };
}
