// Makes results of the form of a full run without computing anything, to test that every number in the prose has a place.
import { dice } from '../../support/dice.js';
import { figureJobs, smoothingJobs, sweepJobs, tableJobs } from '../jobs/plans.js';
import { PRINTED_SENTENCES } from '../figures/sentences.js';
import { CLASSES, packMap } from '../figures/pictures.js';
import { openSet, SET_KEYS } from '../sets/sets.js';
import { FRACTIONS } from '../subjects/measures.js';

const { uniform } = dice(5);
const some = (count) => Array.from({ length: count }, uniform);
const METHODS = ['MeLIME', 'LINEX/real'];

function resultOf(job, set) {
  if (!job.configs) return { about: { seconds: 1 }, found: FOUND[job.part](job) };
  const { shared } = set.kinds[job.kind];
  const curve = () => ({ changes: some(FRACTIONS.length), flips: some(FRACTIONS.length) });
  const values = () => ({
    ...{ INFD: some(3), zeros: some(3), restless: [0, 0, 0] },
    ...(shared && { GI: some(3), CI: some(3), 'CI/d': some(3), 'CI scaled': some(3), 'sign conflict': some(3) }),
    ...(shared && { unidirectionality: some(3), 'unidirectionality, zero 0': some(3) }),
    ...(shared && set.classes && { CAC: some(1) }),
  });
  const results = job.configs.map((config) => ({
    ...{ config, values: values() },
    ...(config.ablate && { ablation: curve(), signed: curve() }),
  }));
  return { about: { accuracy: uniform(), seconds: 1 }, results };
}

const pair = (more = () => ({})) =>
  METHODS.map((row) => ({ row, r: uniform(), map: packMap(some(16).map((x) => x - 0.5)), ...more(row) }));

const removal = (names) => ({
  ...{ share: 0.15, onlyMeLIME: 2, onlyLINEX: 3, both: 4, neither: 5 },
  shown: [{ name: names[0], example: 1, score: 0.9, methods: pair(() => ({ score: 0.1, name: names[1] })) }],
});

const FOUND = {
  map: () => some(20).map((x) => ({ x, y: uniform(), LIME: uniform(), 'LINEX/rand': uniform() })),
  tried: () => ({ LIME: { INFD: 0.1, GI: 0.2, CI: 0.3 }, LINEX: { INFD: 0.1, GI: 0.2, CI: 0.1 } }),
  times: ({ examples }) =>
    ['LIME', 'S-LIME', 'LINEX/rand', 'MAPLE'].map((row) => ({
      row,
      examples,
      seconds: 1 + uniform(),
      own: 0.5,
      printed: 2,
    })),
  sentences: ({ readings }) =>
    PRINTED_SENTENCES.flatMap(({ text, sentiment, MeLIME, LINEX }) =>
      readings.flatMap((reading) =>
        METHODS.map((row) => {
          const printed = row === 'MeLIME' ? MeLIME : LINEX;
          return { text, sentiment, reading, row, words: printed, printed };
        }),
      ),
    ),
  pictures: ({ set, reading, examples }) => ({
    ...{ reading, examples, size: { width: 4, height: 4 }, unsettled: [] },
    maps: CLASSES[set].map((name, example) => ({ name, example, methods: pair() })),
    means: set === 'fashion' ? CLASSES[set].map((name) => ({ name, count: 3, methods: pair() })) : [],
    worst: [{ name: CLASSES[set][0], example: 0, methods: pair(() => ({ INFD: uniform() })) }],
    classes: [
      {
        name: CLASSES[set][0],
        count: 3,
        methods: pair(() => ({ INFD: 0.1, GI: 0.2, CI: 0.3, unidirectionality: 0.4 })),
      },
    ],
    ablation: { unsigned: removal(CLASSES[set]), signed: removal(CLASSES[set]) },
  }),
};

/** The results of the synthetic functions, as short as they may be. */
export const STUB_FIGURES = Object.freeze({
  sandwich: { a: { alone: [[1, 0], [0.5, 0]], together: [0.7, 0], linex: [0.5, 0] } }, // prettier-ignore
  risingEdge: { alone: [[0, 0.1], [0.1, 0.1]], together: [0, 0.1], linex: [0, 0.1], byCount: [{ count: 50, eliminated: 0.5, opposed: 0.4, y: 0.1 }] }, // prettier-ignore
  gamma: { gamma: 0.3, points: [{ gamma: 0.1, weights: [0, 0, 0, 0] }, { gamma: 0.2, weights: [0, 0, 0, 0.1] }], constantFrom: [0.4, 0.6] }, // prettier-ignore
  convergence: { rounds: 7, gamma: 0.1, trace: [[[0, 0], [0, 0]], [[0.1, 0], [0, 0.1]]] }, // prettier-ignore
});

/** Returns runs for buildReport: every table, sweep and figure of a full run, but not the study. */
export async function stubRuns() {
  const sets = await Promise.all(SET_KEYS.map(openSet));
  return sets.map((set) => {
    const kinds = Object.keys(set.kinds);
    const jobs = [
      ...tableJobs(set, { ...set.sizes.full, splits: Math.min(3, set.sizes.full.splits) }, kinds),
      ...sweepJobs(set, { ...set.sweep, splits: 1 }, kinds),
      ...(set.key === 'iris' ? smoothingJobs(set, { splits: 1, examples: 3 }) : []),
      ...figureJobs(set),
    ];
    return { set, done: jobs.map((job) => ({ job, result: resultOf(job, set) })) };
  });
}
