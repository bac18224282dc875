// Targets 4 and 5: WebAssembly compared with the native build, the Gram kernel with BLAS, and composing with copying.
import { compare, here } from './interleave.js';
import { milliseconds } from './ratio-table.js';

const GRAM_SAMPLES = 2000;

/**
 * @param {{ name: string, kind: string, samples: number, width: number }} one
 * @param {import('./bench-run.js').Bench} bench
 */
export async function measureBuilds(one, { effort, cases }) {
  const entry = { target: 4, what: 'wasm / native', of: one.name, aim: { most: 1.5 } };
  if (cases.missing) return [{ ...entry, missing: cases.missing }];
  const work = { kind: one.kind, samples: one.samples, width: one.width, draws: one.kind === 'pixels' ? 0 : 200 };
  return [await race(entry, work, { effort, cases })];
}

async function race(entry, work, { effort, cases }) {
  const [wasm, native] = [cases.wasm.open(work), await cases.native.open(work)];
  const times = await compare({ wasm: wasm.run, native: native.run }, effort);
  const note = `${milliseconds(times.wasm)} / ${milliseconds(times.native)}`;
  // Run both once more, because their sums can be compared only after the same number of runs.
  await Promise.all([wasm.run(1), native.run(1)]);
  if (Number.isNaN(wasm.sum()) || Number.isNaN(native.sum())) {
    wasm.close();
    return { ...entry, missing: 'the C case failed' };
  }
  const same = Object.is(wasm.sum(), native.sum()) ? 'same bits' : `bits differ: ${wasm.sum()} and ${native.sum()}`;
  wasm.close();
  return { ...entry, value: times.wasm / times.native, unit: 'times', note: `${note}; ${same}` };
}

/** @param {import('./bench-run.js').Bench} bench */
export async function measureGram({ effort, cases, python }) {
  const entries = [];
  for (const width of [50, 200]) {
    const of = `n = ${GRAM_SAMPLES}, d = ${width}`;
    const entry = { target: 4, what: 'Gram kernel, wasm / numpy syrk', of, aim: { most: 1.5 } };
    const missing = cases.missing ?? python.missing;
    if (missing) {
      entries.push({ ...entry, missing });
      continue;
    }
    const work = { kind: 'gram', samples: GRAM_SAMPLES, width };
    const [wasm, native] = [cases.wasm.open(work), await cases.native.open(work)];
    const theirs = await python.python.prepare('gram', work);
    const times = await compare({ wasm: wasm.run, native: native.run, numpy: theirs.run }, effort);
    wasm.close();
    const { blas } = python.python.about;
    const note = `${milliseconds(times.wasm)} / ${milliseconds(times.numpy)}; BLAS: ${blas}`;
    entries.push({ ...entry, value: times.wasm / times.numpy, unit: 'times', note });
    const second = { target: 4, what: 'Gram kernel, native / numpy syrk', of, unit: 'times' };
    entries.push({ ...second, value: times.native / times.numpy, note: milliseconds(times.native) });
  }
  return entries;
}

/** @param {import('./bench-run.js').Bench} bench */
export async function measureComposing({ effort, cases }) {
  const kinds = [
    // The same number of images per batch as in explainImage.
    { kind: 'compose-bytes', name: 'uint8 nhwc', batch: 52, aim: { least: 60 } },
    { kind: 'compose-floats', name: 'float32 nchw', batch: 12, aim: { least: 40 } },
  ];
  const entries = [];
  for (const { kind, name, batch, aim } of kinds) {
    const what = `composing ${name}, share of memory.copy`;
    const entry = { target: 5, what, of: `224 x 224 RGB, ${batch} at once`, aim, unit: '%' };
    if (cases.missing) {
      entries.push({ ...entry, missing: cases.missing });
      continue;
    }
    const opened = cases.wasm.open({ kind, samples: batch, width: 50 });
    const copies = copiersOf(cases.wasm.copier(), opened, batch);
    const times = await compare({ compose: opened.run, ...copies }, effort);
    opened.close();
    const copy = Math.min(times.whole, times.pictures);
    const speed = (seconds) => `${(opened.bytes / seconds / 1e9).toFixed(1)} GB/s`;
    const note = `${speed(times.compose)} of ${speed(copy)}`;
    entries.push({ ...entry, value: (100 * copy) / times.compose, note });
  }
  return entries;
}

/** Copies the same bytes with memory.copy: image by image from the two sources, and one half of the batch onto the other. */
function copiersOf(copy, { bytes, places: [shown, hidden, tensors] }, batch) {
  const [each, half] = [bytes / batch, bytes / 2];
  return {
    pictures: here(() => {
      for (let i = 0; i < batch; i++) copy(tensors + i * each, i % 2 ? shown : hidden, each);
    }),
    whole: here(() => {
      copy(tensors + half, tensors, half);
      copy(tensors, tensors + half, half);
    }),
  };
}
