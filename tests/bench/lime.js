// Target 2: our time compared with Python's LIME on the same perturbations.
import { ready } from '../../js/core/load.js';
import { MaskNeighborhood } from '../../js/neighborhood/mask-neighborhood.js';
import { learn } from './bench-cases.js';
import { compare, here } from './interleave.js';
import { milliseconds } from './ratio-table.js';

const KINDS = {
  row: { what: 'Python LIME / ours, own time', aim: { least: 30 } },
  text: { what: 'Python LIME / ours, own time', aim: { least: 30 } },
  image: { what: 'Python LIME / ours, end to end', aim: { least: 10 } },
  pixels: { what: 'Python LIME / ours, end to end', aim: { least: 10 } },
};

/** LIME as its library is, on our samples. */
const AS_IS = { method: 'lime', preset: 'paper', sampling: 'designed', adjust: 'none', draws: 0 };

/** @type {Record<string, { options: object, aims: Record<string, { least: number }> }>} */
const OURS = {
  'our LIME': { options: AS_IS, aims: {} },
  'LINEX, default settings': { options: {}, aims: { row: { least: 20 }, text: undefined, image: undefined } },
};

/**
 * @param {import('./bench-cases.js').Case} one
 * @param {import('./bench-run.js').Bench} bench
 */
export async function measureLime(one, { effort, python }) {
  const { what, aim } = KINDS[one.kind];
  const entry = { target: 2, what, of: one.name, aim };
  if (python.missing) return [{ ...entry, missing: python.missing }];
  const { predict, job } = await samplesOf(one);
  let theirs;
  try {
    theirs = await python.python.prepare(one.kind === 'pixels' ? 'image' : one.kind, job);
    await theirs.run(1);
  } catch (error) {
    return [{ ...entry, missing: error.message }];
  }
  const ownOnly = one.kind === 'row' || one.kind === 'text';
  const contenders = { python: theirs.run };
  for (const [name, { options }] of Object.entries(OURS))
    if (!(one.kind === 'pixels' && options !== AS_IS))
      contenders[name] = here(() => one.explain(ownOnly ? predict() : one.model, options));
  const times = await compare(contenders, effort);
  const { weights } = await one.explain(predict(), AS_IS);
  const off = furthest(weights, theirs.result());
  return Object.keys(contenders)
    .slice(1)
    .map((name) => ({
      ...entry,
      what: `${what} (${name})`,
      aim: one.kind in OURS[name].aims ? OURS[name].aims[one.kind] : aim,
      value: times.python / times[name],
      unit: 'times',
      note: `${milliseconds(times.python)} / ${milliseconds(times[name])}; LIME's weights agree to ${off.toExponential(0)}`,
    }));
}

/** Returns the largest difference of two lists of weights, relative to the largest weight. */
function furthest(ours, theirs) {
  const largest = Math.max(...theirs.map(Math.abs));
  return Math.max(...ours.map((weight, i) => Math.abs(weight - theirs[i]))) / largest;
}

/** Returns what Python needs to explain the same perturbations. Repeated draws are repeated, as in LIME. */
async function samplesOf(one) {
  if (one.kind === 'row') {
    const { predict, answers, batches } = await learn(one, (batch) => [...batch].map((row) => [...row]));
    const job = { training: one.options.training, rows: batches.flat(), answers: [...answers], features: 5 };
    return { predict, job };
  }
  const { predict, answers } = await learn(one);
  if (one.kind === 'text') {
    const { masks, pointOf } = await drawMasks('sizes', one.width, one.samples, { scale: 100, kernelWidth: 25 });
    return { predict, job: { text: one.input, masks, answers: pointOf.map((i) => answers[i]), features: 5 } };
  }
  const { labels, weights, ridge } = await explainOnce(one);
  const { masks, pointOf } = await drawMasks('coins', weights.length, one.samples, { scale: 1, kernelWidth: 0.25 });
  const { data, width, height, channels } = one.input;
  const cut = one.kind === 'image' ? { segments: 50, compactness: 10, rounds: 10 } : {};
  const picture = { pixels: [...data], width, height, channels, labels: [...labels], ...cut };
  return { predict, job: { ...picture, masks, answers: pointOf.map((i) => answers[i]), ridge } };
}

const explainOnce = (one) => one.explain(one.model, AS_IS);

/** Returns the masks of an explanation with seed 0, one per planned sample. */
export async function drawMasks(kind, partCount, samples, kernel) {
  const compose = (/** @type {Uint8Array} */ masks) => masks;
  const drawn = new MaskNeighborhood(await ready(), {
    ...{ kind, partCount, kernel, seed: 0, sampling: 'designed', most: samples, exact: false },
    compose,
  });
  const pointOf = [...drawn.make(samples).pointOf];
  return { pointOf, masks: pointOf.map((i) => [...drawn.batch(i, 1, 0)]) };
}
