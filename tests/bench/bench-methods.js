// Target 1: the time of LINEX relative to our own LIME on the same samples, and absolute times for information.
import { learn } from './bench-cases.js';
import { compare, here } from './interleave.js';
import { milliseconds } from './ratio-table.js';

/** What the default was before samples were designed and answers adjusted. */
const OLD_DEFAULT = { preset: 'paper', sampling: 'independent', adjust: 'none' };
/** What is kriged has at most this many samples; masks of more than 32 parts have fewer. */
const MOST_KRIGED = { row: 600, text: 1200, image: 448, pixels: 0 };
const MOST_IN_LINE = 32;

/** The target does not say whether LIME also draws intervals, so both ratios must meet it. */
const RATIOS = [
  { what: 'LINEX / our LIME, no draws', over: ['linex', 'lime'], aim: { most: 1.3 } },
  { what: 'LINEX / our LIME, 200 draws each', over: ['linexDraws', 'limeDraws'], aim: { most: 3 } },
  { what: 'LINEX with 200 draws / our LIME without', over: ['linexDraws', 'lime'], aim: { most: 3 } },
];

/**
 * @param {import('./bench-cases.js').Case} one
 * @param {import('./bench-run.js').Bench} bench
 */
export async function measureMethods(one, { effort }) {
  const { predict } = await learn(one);
  const own = (method, draws) => here(() => one.explain(predict(), { method, draws }));
  const long = one.kind === 'pixels';
  const seconds = await compare(
    {
      ...{ linex: own('linex', 0), lime: own('lime', 0) },
      ...(long ? {} : { linexDraws: own('linex', 200), limeDraws: own('lime', 200) }),
    },
    effort,
  );
  const entries = RATIOS.map(({ what, over: [ours, others], aim }) => {
    const entry = { target: 1, what, of: one.name, aim };
    if (!(ours in seconds)) return { ...entry, missing: 'takes minutes; no draws by default' };
    const note = `${milliseconds(seconds[ours])} / ${milliseconds(seconds[others])}`;
    return { ...entry, value: seconds[ours] / seconds[others], unit: 'times', note };
  });
  return [...(await measureTimes(one, predict, effort)), ...entries];
}

/** Measures a call with the default settings: our own time, and the time with the model. */
async function measureTimes(one, predict, effort) {
  const old = await learn(one, undefined, OLD_DEFAULT);
  const { own, all, before } = await compare(
    {
      own: here(() => one.explain(predict(), {})),
      all: here(() => one.explain(one.model, {})),
      ...(one.kind === 'pixels' ? {} : { before: here(() => one.explain(old.predict(), OLD_DEFAULT)) }),
    },
    effort,
  );
  const entry = { target: 0, of: one.name, unit: 'ms' };
  const kriged = one.samples <= MOST_KRIGED[one.kind] && (one.kind !== 'text' || one.width <= MOST_IN_LINE);
  const ratio = { target: 1, of: one.name, unit: 'times', value: own / before };
  return [
    {
      ...{ ...entry, what: 'own time of an explanation, default settings', value: 1000 * own },
      aim: kriged ? { most: 60 } : undefined,
    },
    { ...entry, what: 'the same with a trivial model', value: 1000 * all },
    ...(before === undefined
      ? []
      : [
          {
            ...{
              ...ratio,
              what: "default / the paper's preset with independent samples",
              aim: kriged ? undefined : { most: 2 },
            },
            note: `${milliseconds(own)} / ${milliseconds(before)}`,
          },
        ]),
  ];
}
