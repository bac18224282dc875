// Plans the jobs for the workers: the rows of the paper's tables, its sweeps, and the study of environments.

import { mostExamples, optionsUnder, PRIMARY, READ, READINGS } from './readings.js';

/** Raise this number with each change that affects results, so that old results are computed again. */
export const VERSION = 5;

/** The rows of the paper's tables, by neighborhood, and two rivals that the paper does not have: see `OWN_ROWS`. */
export const ROWS = Object.freeze({
  random: [
    { row: 'LIME', options: { method: 'lime' } },
    { row: 'S-LIME', options: { method: 's-lime' } },
    { row: 'LINEX/rand', options: { method: 'linex' } },
    { row: 'NB/rand', options: { method: 'baseline' } },
    { row: 'LIME, our samples', options: { method: 'lime', sampling: 'designed' } },
  ],
  real: [
    { row: 'MeLIME', options: { method: 'lime' } },
    { row: 'LINEX/real', options: { method: 'linex' } },
    { row: 'NB/real', options: { method: 'baseline' } },
  ],
  forest: [
    { row: 'MAPLE', options: { method: 'maple' } },
    { row: 'LINEX/mpl', options: { method: 'linex' } },
    { row: 'LIME/mpl', options: { method: 'lime' } },
  ],
  shap: [{ row: 'SHAP', options: { method: 'shap' } }],
});

/** Rows that the paper does not have: LIME on the product's designed samples, and LIME on MAPLE's rows. */
export const OWN_ROWS = Object.freeze(['LIME, our samples', 'LIME/mpl']);

/** The rows of each kind of neighborhood. Density, words and latent are the paper's "real". */
export const rowsOf = (kind) => ROWS[kind] ?? ROWS.real;

/** A reading's own surrogates draw their own samples, so designed samples are not for them. */
const isFor =
  (reading) =>
  ({ options }) =>
    !(READINGS[reading].way && options.sampling === 'designed');
const isDivided = ({ options }) => options.method === 'linex' || options.method === 's-lime';

function optionsOf(set, kind, reading, options, environments = {}) {
  const { anchored } = READINGS[reading];
  const spread = { kind: 'bootstrap', count: 2, ...(anchored && { anchored }), ...environments };
  if (options.method === 'shap') return options;
  const read = optionsUnder(reading, options.method);
  if (options.method === 'maple') return { ...options, features: set.features, ...read };
  return {
    ...read,
    features: set.kinds[kind].features ?? set.features,
    // Not used if the neighborhood has its own weights, but required.
    ...(kind === 'forest' && read.units && { kernelWidth: 1 }),
    ...options,
    ...(isDivided({ options }) && { environments: spread }),
  };
}

/** Converts a kernel width to our scale: explainText measures in hundredths, like LIME's library. */
function kernelOf(set, kind, width) {
  return width ? { kernelWidth: width * (set.kinds[kind].unit ?? 1) } : {};
}

/** Returns the settings of an explanation: a row of a table at one kernel width. */
export function configOf(
  set,
  kind,
  { row, options },
  { width, reading = 'product', samples, environments, label = row },
) {
  const { codes, way, replace } = READINGS[reading];
  return {
    ...{ label, row, reading, kind },
    ...(codes && { codes }),
    ...(way && { way }),
    ...(replace && { replace }),
    width,
    samples: samples ?? set.kinds[kind].samples,
    options: {
      ...optionsOf(set, kind, reading, options, environments),
      // A reading's own surrogate takes the width as it is, from the configuration.
      ...(way ? {} : kernelOf(set, kind, width)),
    },
  };
}

/** Returns jobs for the same examples, one per split. Slow explanations have fewer splits. */
function jobsOver(set, { splits, examples }, job) {
  const count = Math.min(examples, set.kinds[job.kind].examples ?? Infinity);
  return Array.from({ length: splits }, (_, split) => ({
    version: VERSION,
    set: set.key,
    split,
    examples: count,
    ...job,
  }));
}

/** The readings of a kind. SHAP has one. */
const readingsOf = (set, kind) => READ[set.key][kind] ?? ['product'];

const middleOf = (widths) => widths[Math.floor(widths.length / 2)];

/** Plans the rows of the tables. The ablation curves use the middle width. */
export function tableJobs(set, size, kinds) {
  return kinds.flatMap((kind) =>
    readingsOf(set, kind).flatMap((reading) => {
      const { widths } = set.kinds[kind];
      const configs = rowsOf(kind)
        .filter(isFor(reading))
        .flatMap((row) =>
          widths.map((width) => ({
            ...configOf(set, kind, row, { width, reading }),
            ablate: width === middleOf(widths) && !READINGS[reading].guess && !row.row.startsWith('NB'),
          })),
        );
      const examples = Math.min(size.examples, mostExamples(reading, kind));
      return jobsOver(set, { ...size, examples }, { part: 'table', kind, reading, configs });
    }),
  );
}

/**
 * Plans the sweeps: every neighborhood size with every number of environments at every kernel width, on the same examples, in
 * the primary reading. The paper averages over the two settings that a figure does not show.
 */
export function sweepJobs(set, size, kinds) {
  return kinds
    .filter((kind) => set.kinds[kind].sweep)
    .flatMap((kind) => {
      const { sweep, widths } = set.kinds[kind];
      const reading = PRIMARY[set.key][kind];
      const rows = rowsOf(kind).filter(({ row }) => !row.startsWith('NB') && !OWN_ROWS.includes(row));
      const over = { ...size, ...set.kinds[kind].sweepSize };
      return sweep.flatMap((samples) => {
        const configs = rows.flatMap((row) =>
          (isDivided(row) ? [2, 3, 4, 5] : [undefined]).flatMap((count) =>
            widths.map((width) => ({
              ...configOf(set, kind, row, { width, reading, samples, environments: count && { count } }),
              ...(count && { count }),
            })),
          ),
        );
        return jobsOver(set, over, { part: 'sweep', kind, reading, samples, configs });
      });
    });
}

/** Plans the paper's figure of S-LIME with other means: five environments, every size, every width. */
export function smoothingJobs(set, size) {
  const { sweep, widths } = set.kinds.random;
  const reading = PRIMARY[set.key].random;
  const environments = { count: 5 };
  const rows = ['mean', 'median', 'median-of-means'].map((smoothing) => ({
    row: `S-LIME, ${smoothing}`,
    options: { method: 's-lime', smoothing },
  }));
  const all = [
    ...rows,
    { row: 'LIME', options: { method: 'lime' } },
    { row: 'LINEX/rand', options: { method: 'linex' } },
  ];
  const configs = sweep.flatMap((samples) =>
    all.flatMap((row) =>
      widths.map((width) => configOf(set, 'random', row, { width, reading, samples, environments })),
    ),
  );
  return jobsOver(set, size, { part: 'smoothing', kind: 'random', reading, configs });
}

/** Plans the figures and lists of the paper that need one data set. Each is one job. */
export function figureJobs(set, { quick = false } = {}) {
  const job = (part, more) => ({ version: VERSION, set: set.key, part, ...more });
  if (set.key === 'iris')
    return [
      job('map', { reading: 'printed' }),
      job('tried', { splits: quick ? 1 : 10, examples: 30 }),
      job('times', { examples: 30 }),
    ];
  if (set.key === 'meps')
    return [job('tried', { splits: 1, examples: quick ? 10 : 80 }), job('times', { examples: quick ? 20 : 500 })];
  if (set.key === 'reviews') return [job('sentences', { readings: ['word', 'tfidf', 'product'] })];
  const examples = (reading) => (quick ? 4 : Math.min(set.kinds.latent.examples, mostExamples(reading, 'latent')));
  return ['signed', 'relative', 'sgd'].map((reading) => job('pictures', { reading, examples: examples(reading) }));
}

export const KINDS = Object.freeze(['bootstrap', 'halves', 'near-far', 'widths', 'clusters']);
export const SILENCINGS = Object.freeze([0, 0.7, 0.9]);
/** The draws for the sign agreement: at most as many as there are games. */
const DRAWS = 30;

/** All kinds of environments, and LIME with the same silencing. */
function studyConfigs(set, kind, { samples, dense, counts, games, silencings }) {
  const { widths, features, options: given, studyWidth } = set.kinds[kind];
  const width = studyWidth ?? widths[widths.length - 1];
  const sparse = dense ? 'all' : (features ?? set.features);
  const config = (label, options, more) => ({
    ...{ label, kind, samples, width, dense, ablate: true, ...more },
    options: { ...given, features: sparse, ...kernelOf(set, kind, width), ...options },
  });
  const silenced = (agreement) => (agreement ? { agreement, draws: DRAWS } : {});
  const named = (agreement) => (agreement ? `, silenced ${agreement}` : '');
  const rivals = silencings.map((agreement) =>
    config(`LIME${named(agreement)}`, { method: 'lime', ...silenced(agreement) }, { agreement, games: 1 }),
  );
  const ours = KINDS.flatMap((environment) =>
    counts
      .filter((count) => count <= samples)
      .flatMap((count) => games.flatMap((played) => silencings.map((agreement) => [count, played, agreement])))
      .map(([count, played, agreement]) =>
        config(
          `${environment}, k = ${count}${played > 1 ? `, ${played} games` : ''}${named(agreement)}`,
          { method: 'linex', environments: { kind: environment, count }, games: played, ...silenced(agreement) },
          { environment, count, games: played, agreement },
        ),
      ),
  );
  return [...rivals, ...ours];
}

/** The whole grid. With many samples a game takes longer, so only two players are used. */
const gridOf = (samples) =>
  samples < 5000
    ? { counts: [2, 3, 4, 5], games: [1, 30], silencings: SILENCINGS }
    : { counts: [2], games: [1, 30], silencings: [0, 0.9] };

/**
 * Plans the study that decides the defaults. A kind of neighborhood may have its own settings for it. A data set may have
 * fewer examples or numbers of players if its explanations are slow: with many samples, or with all features.
 */
export function studyJobs(set, size, kinds) {
  return kinds
    .filter((kind) => kind !== 'shap')
    .flatMap((kind) => {
      const { samples: sizes, dense, splits, examples, slower, ...grid } = { ...size, ...set.kinds[kind].study };
      return sizes.flatMap((samples) =>
        (dense ? [false, true] : [false]).flatMap((isDense) => {
          const { examples: fewer = examples, ...less } = slower?.(samples, isDense) ?? {};
          return jobsOver(
            set,
            { splits, examples: fewer },
            {
              part: 'study',
              kind,
              // If neighbors do not share features, an explanation is compared with those of other seeds.
              seeds: set.kinds[kind].shared ? 1 : 3,
              configs: studyConfigs(set, kind, { ...gridOf(samples), ...grid, ...less, samples, dense: isDense }),
            },
          );
        }),
      );
    });
}
