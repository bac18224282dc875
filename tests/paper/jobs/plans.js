// Plans the jobs for the workers: the rows of the paper's tables, its sweeps, and the study of environments.

/** Raise this number with each change that affects results, so that old results are computed again. */
export const VERSION = 4;

/** The rows of the paper's tables, by neighborhood. */
export const ROWS = Object.freeze({
  random: [
    { row: 'LIME', options: { method: 'lime' } },
    { row: 'S-LIME', options: { method: 's-lime' } },
    { row: 'LINEX/rand', options: { method: 'linex' } },
    { row: 'NB/rand', options: { method: 'baseline' } },
  ],
  real: [
    { row: 'MeLIME', options: { method: 'lime' } },
    { row: 'LINEX/real', options: { method: 'linex' } },
    { row: 'NB/real', options: { method: 'baseline' } },
  ],
  forest: [
    { row: 'MAPLE', options: { method: 'maple' } },
    { row: 'LINEX/mpl', options: { method: 'linex' } },
  ],
  shap: [{ row: 'SHAP', options: { method: 'shap' } }],
});

/** The rows of each kind of neighborhood. Density, words and latent are the paper's "real". */
export const rowsOf = (kind) => ROWS[kind] ?? ROWS.real;

/**
 * The readings of the paper. Two were fixed in advance: LIME's library without changes (standardized, ridge 1, a free
 * intercept), and Algorithm 1 as printed (no standardization, no intercept, the input in every environment). The third was
 * added after the first results of the survey: the library's reading with levels as numbers.
 */
export const READINGS = Object.freeze({
  product: {},
  printed: { units: 'raw', intercept: 'none', ridge: 0.01 },
  codes: {},
});

function optionsOf(set, kind, reading, options, environments = {}) {
  const anchored = reading === 'printed' ? { anchored: true } : {};
  const divided = options.method === 'linex' || options.method === 's-lime';
  const spread = { kind: 'bootstrap', count: 2, ...anchored, ...environments };
  if (options.method === 'shap') return options;
  if (options.method === 'maple')
    return { ...options, features: set.features, ...(reading === 'printed' && { units: 'raw' }) };
  return {
    ...READINGS[reading],
    ...set.kinds[kind].options,
    features: set.kinds[kind].features ?? set.features,
    // Not used if the neighborhood has its own weights, but required.
    ...(kind === 'forest' && reading === 'printed' && { kernelWidth: 1 }),
    ...options,
    ...(divided && { environments: spread }),
  };
}

/** Converts a kernel width to our scale: explainText measures in hundredths, like LIME's library. */
function kernelOf(set, kind, width) {
  return width ? { kernelWidth: width * (set.kinds[kind].unit ?? 1) } : {};
}

/** Returns the settings of an explanation: a row of a table at one kernel width. */
function configOf(set, kind, { row, options }, { width, reading = 'product', samples, environments, label = row }) {
  return {
    label,
    row,
    reading,
    kind,
    ...(reading === 'codes' && { codes: true }),
    width,
    samples: samples ?? set.kinds[kind].samples,
    options: { ...optionsOf(set, kind, reading, options, environments), ...kernelOf(set, kind, width) },
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

/** Plans the rows of the tables. The ablation curves use the middle width. */
export function tableJobs(set, size, kinds) {
  const readings = set.readings ?? ['product'];
  return kinds.flatMap((kind) =>
    readings
      .filter((reading) => reading === 'product' || kind === 'random' || (reading === 'printed' && kind !== 'shap'))
      .flatMap((reading) => {
        const { widths } = set.kinds[kind];
        const middle = widths[Math.floor(widths.length / 2)];
        const configs = rowsOf(kind).flatMap((row) =>
          widths.map((width) => ({
            ...configOf(set, kind, row, { width, reading }),
            ablate: width === middle && reading === 'product' && !row.row.startsWith('NB'),
          })),
        );
        return jobsOver(set, size, { part: 'table', kind, reading, configs });
      }),
  );
}

/** Plans neighborhood sizes at k = 2, and numbers of environments at the paper's size, each over all kernel widths. */
export function sweepJobs(set, size, kinds) {
  return kinds
    .filter((kind) => set.kinds[kind].sweep)
    .flatMap((kind) => {
      const { sweep, widths, samples: defaultSamples } = set.kinds[kind];
      const sizes = sweep.filter((samples) => samples !== defaultSamples).map((samples) => ({ samples }));
      const rows = rowsOf(kind).filter(({ row }) => !row.startsWith('NB'));
      const bySize = sizes.flatMap((one) =>
        jobsOver(set, size, {
          part: 'sizes',
          kind,
          configs: rows.flatMap((row) => widths.map((width) => configOf(set, kind, row, { width, ...one }))),
        }),
      );
      const divided = rows.filter(({ options }) => options.method === 'linex' || options.method === 's-lime');
      const configs = [3, 4, 5].flatMap((count) =>
        divided.flatMap((row) =>
          widths.map((width) => ({ ...configOf(set, kind, row, { width, environments: { count } }), count })),
        ),
      );
      return [
        ...bySize,
        ...jobsOver(set, { ...size, ...set.kinds[kind].divided }, { part: 'environments', kind, configs }),
      ];
    });
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
