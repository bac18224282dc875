// Target 6: the time to segment images, compared with scikit-image with the same settings.
import { segmentImage } from 'linex';
import { photograph } from './bench-cases.js';
import { compare, here } from './interleave.js';
import { milliseconds } from './ratio-table.js';

const SLIC = { kind: 'slic', count: 50, compactness: 10, rounds: 10 };
const QUICKSHIFT = { kind: 'quickshift', ratio: 0.2, kernel: 4, reach: 200 };

/** @param {import('./bench-run.js').Bench} bench */
export async function measureSegments(bench) {
  const contests = [
    { ours: SLIC, side: [224, 224], aim: { least: 3 } },
    { ours: { ...SLIC, count: 200 }, side: [640, 480], aim: { least: 3 } },
    { ours: QUICKSHIFT, side: [224, 224] },
  ];
  const entries = [];
  for (const one of contests) entries.push(await race(one, bench));
  return [...entries, await measureLarge(bench)];
}

async function race({ ours, side: [width, height], aim }, { effort, python }) {
  const { kind, count, ...settings } = ours;
  const entry = { target: 6, what: `scikit-image / ours, ${kind}`, of: `${width} x ${height}`, aim };
  if (python.missing) return { ...entry, missing: python.missing };
  const picture = await photograph(width, height, 3);
  let theirs;
  try {
    const pixels = { pixels: [...picture.data], width, height, channels: 3 };
    theirs = await python.python.prepare(kind, { ...pixels, segments: count, ...settings });
    await theirs.run(1);
  } catch (error) {
    return { ...entry, missing: error.message };
  }
  const found = await segmentImage(picture, ours);
  const times = await compare({ ours: here(() => segmentImage(picture, ours)), theirs: theirs.run }, effort);
  const note = `${milliseconds(times.theirs)} / ${milliseconds(times.ours)}; ${theirs.result()[0]} and ${found.count} segments`;
  return { ...entry, value: times.theirs / times.ours, unit: 'times', note };
}

/** Measures an image of twelve megapixels, as from a phone. */
async function measureLarge({ effort, quick }) {
  const [width, height] = quick ? [1000, 750] : [4000, 3000];
  const picture = await photograph(width, height, 3);
  const { slic } = await compare({ slic: here(() => segmentImage(picture, SLIC)) }, effort);
  const entry = { target: 6, what: 'SLIC, seconds', of: `${width} x ${height}` };
  return { ...entry, value: slic, unit: 's', ...(!quick && { aim: { most: 2 } }) };
}
