// Runs one job: explains the examples of a split with all given settings, and measures the explanations.
import { load } from 'linex';
import { dataFolder } from '../sets/data.js';
import { ablate, asSlopes, keep, measure } from '../subjects/measures.js';
import { openSet } from '../sets/sets.js';

/** The opened data sets, by their arguments, because a worker has many jobs on the same data set. */
const opened = new Map();

async function subjectOf({ set, split, examples }) {
  const key = JSON.stringify([set, split, examples]);
  const folder = dataFolder();
  if (!opened.has(key)) {
    opened.clear();
    opened.set(key, await (await openSet(set)).open({ folder, split, examples }));
  }
  return opened.get(key);
}

/** The jobs of figures and lists, by part; each loads only what it needs. */
const FIGURES = {
  figures: async () => (await import('../figures/synthetic.js')).syntheticNumbers(),
  sentences: async (job) => (await import('../figures/sentences.js')).explainSentences(dataFolder(), job),
  map: async (job) => (await import('../figures/iris-map.js')).irisMap(job),
  tried: async (job) => (await import('../figures/tried.js')).triedSettings(job, dataFolder()),
  times: async (job) => (await import('../figures/run-times.js')).runTimes(job, dataFolder()),
  pictures: async (job, onProgress) =>
    (await import('../figures/pictures.js')).pictureFigures(job, dataFolder(), onProgress),
};

/** The seed is the number of the example. A repeated explanation adds a large number. */
const seedOf = (example, look) => example + 100000 * look;

/**
 * @param {object} job
 * @param {(share: number) => void} onProgress
 * @returns {Promise<{ about: object, found: any } | { about: object, results: { config: object,
 *   values: Record<string, number[]>, ablation?: object, signed?: object }[] }>}  found: of figures and lists
 */
export async function runJob(job, onProgress = () => {}) {
  await load();
  const started = performance.now();
  const about = (more) => ({ ...more, seconds: (performance.now() - started) / 1000 });
  if (FIGURES[job.part]) {
    const found = await FIGURES[job.part](job, onProgress);
    return { about: about(), found };
  }
  const set = await openSet(job.set);
  const subject = await subjectOf(job);
  const seeds = job.seeds ?? 1;
  const entries = job.configs.map(() => []);
  for (let example = 0; example < subject.count; example++) {
    for (let look = 0; look < seeds; look++)
      for (const [c, config] of job.configs.entries()) {
        const explained = keep(await subject.explain(example, config, seedOf(example, look)));
        const kept = job.kind === 'shap' ? asSlopes(explained, subject.reference(example)) : explained;
        entries[c].push({ example, kept, config });
      }
    onProgress((example + 1) / subject.count);
  }
  const { shared } = set.kinds[job.kind];
  const others = (e) => Array.from({ length: seeds }, (_, look) => e - (e % seeds) + look).filter((one) => one !== e);
  const results = [];
  for (const [c, config] of job.configs.entries()) {
    const near = entries[c].map((entry, e) => (seeds > 1 ? others(e) : shared ? subject.neighbors[entry.example] : []));
    const usable = Boolean(shared) && seeds === 1;
    const which = { general: usable, classes: usable && set.classes };
    const values = measure(subject, entries[c], near, which);
    const first = entries[c].filter((_, e) => e % seeds === 0);
    const ablation = config.ablate ? await ablationOf(subject, first) : undefined;
    const signed =
      config.ablate && job.part === 'table' ? await ablationOf(subject, first, { signed: true }) : undefined;
    results.push({ config, values: rounded(values), ...(ablation && { ablation }), ...(signed && { signed }) });
  }
  return { about: about(subject.about), results };
}

/** Returns the mean curve over the examples. */
async function ablationOf(subject, entries, how) {
  const all = [];
  for (const entry of entries) all.push(await ablate(subject, entry, how));
  const over = (name) => all[0][name].map((_, f) => all.reduce((sum, one) => sum + one[name][f], 0) / all.length);
  return { changes: over('changes'), flips: over('flips') };
}

/** Rounds to seven digits, which is enough for a mean and keeps the files small. */
function rounded(values) {
  const short = (list) => list.map((value) => Number(value.toPrecision(7)));
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, short(list)]));
}
