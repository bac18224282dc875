// Target 1: what the game costs beside our own LIME, on the same samples. And the times themselves, for information.
import { learn } from './cases.js';
import { compare, here } from './measure.js';
import { milliseconds } from './table.js';

const DRAWS = [
  { draws: 0, what: 'LINEX / our LIME, no draws', aim: { most: 1.3 } },
  { draws: 200, what: 'LINEX / our LIME, 200 draws', aim: { most: 3 } },
];

/**
 * @param {import('./cases.js').Case} one
 * @param {import('./run.js').Bench} bench
 */
export async function measureMethods(one, { effort, quick }) {
  const { predict } = await learn(one);
  const entries = [];
  for (const { draws, what, aim } of DRAWS) {
    const entry = { target: 1, what, of: one.name, aim };
    if (quick && draws && one.kind === 'pixels') {
      entries.push({ ...entry, missing: 'takes minutes; not with --quick' });
      continue;
    }
    const own = (method) => here(() => one.explain(predict(), { method, draws }));
    const { linex, lime } = await compare({ linex: own('linex'), lime: own('lime') }, effort);
    const note = `${milliseconds(linex)} / ${milliseconds(lime)}`;
    entries.push({ ...entry, value: linex / lime, unit: 'times', note });
  }
  return [...(await measureTimes(one, predict, effort)), ...entries];
}

/** As a user calls it, defaults and all: own time, and with the model. */
async function measureTimes(one, predict, effort) {
  const contenders = { own: here(() => one.explain(predict(), {})), all: here(() => one.explain(one.model, {})) };
  const { own, all } = await compare(contenders, effort);
  const entry = { target: 0, of: one.name, unit: 'ms' };
  return [
    { ...entry, what: 'own time of an explanation, default settings', value: 1000 * own },
    { ...entry, what: 'the same with a trivial model', value: 1000 * all },
  ];
}
