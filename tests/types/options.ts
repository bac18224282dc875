// Mistakes in options that must not compile, each with the correct call beside it.
import type { Tensor as OrtTensor } from 'onnxruntime-common';
import type { ImageExplanation, RowExplanation, RowOptions, ShapRowExplanation, Table, TextExplanation } from 'linex';
import { explainImage, explainRow, explainRows, explainSamples, explainText, segmentImage } from 'linex';
import type { Pool } from 'linex/pool';

declare const table: Table;
declare const pool: Pool;
const background = [[1], [2]];
const photo = { data: new Uint8Array(12), width: 2, height: 2 };
const one = () => [1];

// Names.
await explainRow([1], one, { table, samples: 50 });
// @ts-expect-error samples is misspelt
explainRow([1], one, { table, sample: 50 });
// @ts-expect-error samples is misspelt
explainText('a', one, { sample: 50 });
// @ts-expect-error samples is misspelt
explainImage(photo, one, { sample: 50 });
// @ts-expect-error samples is misspelt
explainRows([[1]], one, { table, sample: 50 });
// @ts-expect-error samples is misspelt
pool.explainRows([[1]], { table, sample: 50 });
// @ts-expect-error it is onProgress
explainText('a', one, { onprogress: () => {} });
// @ts-expect-error an option of texts
explainRow([1], one, { table, mask: '[MASK]' });
// @ts-expect-error points are answered already
explainSamples({ points: [[1]], predictions: [1] }, { samples: 10 });

// Options within options.
await explainImage(photo, one, { segments: { kind: 'slic', count: 4, compactness: 5 } });
// @ts-expect-error count is misspelt
explainImage(photo, one, { segments: { kind: 'slic', cont: 4 } });
// @ts-expect-error a grid has no ratio
explainImage(photo, one, { segments: { kind: 'grid', ratio: 0.2 } });
// @ts-expect-error count is misspelt
segmentImage(photo, { kind: 'slic', cont: 4 });
// @ts-expect-error layout is misspelt
explainImage(photo, one, { input: { layuot: 'nchw' } });
// @ts-expect-error a type of images
explainRow([1], one, { table, input: { type: 'uint8' } });
// @ts-expect-error count is misspelt
explainText('a', one, { environments: { kind: 'halves', cuont: 3 } });

// Options that a method does not take.
await explainRow([1], one, { table, method: 'shap', background, link: 'logit', samples: 100 });
// @ts-expect-error Shapley values have no gamma
explainText('a', one, { method: 'shap', gamma: 1 });
// @ts-expect-error Shapley values have no kernel
explainText('a', one, { method: 'shap', kernelWidth: 25 });
// @ts-expect-error Shapley values have no kernel
explainRow([1], one, { table, method: 'shap', background, kernelWidth: 1 });
// @ts-expect-error Shapley values have no kernel
explainImage(photo, one, { method: 'shap', kernelWidth: 0.25 });
// @ts-expect-error Shapley values of rows need a background
explainRow([1], one, { table, method: 'shap' });
// @ts-expect-error a background is for Shapley values
explainRow([1], one, { table, background });
// @ts-expect-error a link is for Shapley values
explainText('a', one, { method: 'lime', link: 'logit' });
// @ts-expect-error MAPLE has no game
explainRow([1], one, { table, method: 'maple', games: 3 });
// @ts-expect-error answered points have no coalitions
explainSamples({ points: [[1]], predictions: [1] }, { method: 'shap' });
// Not only in literals: an object from elsewhere is refused too.
const shared = { table, method: 'shap' as const, background, gamma: 1 };
// @ts-expect-error Shapley values have no gamma
explainRow([1], one, shared);

// Options that are written apart from the call.
const given: RowOptions<'shap'> = { table, method: 'shap', background };
const shares: ShapRowExplanation | ShapRowExplanation[] = await explainRow([1], one, given);
// @ts-expect-error Shapley values have no ridge
const refused: RowOptions<'shap'> = { table, method: 'shap', background, ridge: 1 };
const passOn = (options: RowOptions) => explainRow([1], one, options);
void [shares, refused, passOn];

// What the model gets.
await explainRow([1], ({ data }) => data satisfies Float64Array, { table });
await explainRow([1], ({ data }) => data satisfies Float32Array, { table, input: { type: 'float32' } });
await explainRow([1], (batch) => Array.from(batch, (row) => (row satisfies Float32Array)[0]), {
  table,
  input: { type: 'float32' },
});
// @ts-expect-error the numbers are float32
explainRow([1], ({ data }) => data satisfies Float64Array, { table, input: { type: 'float32' } });
await explainImage(photo, ({ data }) => data satisfies Float32Array);
await explainImage(photo, ({ data }) => data satisfies Uint8Array, { input: { type: 'uint8' } });
// @ts-expect-error the numbers are bytes
explainImage(photo, ({ data }) => data satisfies Float32Array, { input: { type: 'uint8' } });

// What the model answers.
declare const output: OrtTensor;
await explainText('a', () => output);
await explainRow([1], async () => output, { table });
await explainText('a', () => ({ data: new Float32Array(2), shape: [1, 2] }));
// @ts-expect-error words are no scores
explainText('a', () => ['positive']);
// @ts-expect-error a tensor without sides must hold numbers
explainText('a', () => ({ data: ['positive'] }));

// Progress.
await explainText('a', one, { onProgress: ({ partial }) => void (partial satisfies TextExplanation | null)?.text });
await explainText('a', one, {
  target: [0, 1],
  onProgress: ({ partial }) => void (partial satisfies TextExplanation[] | null)?.[0].text,
});
await explainRow([1], one, {
  table,
  onProgress: ({ partial }) => void (partial satisfies RowExplanation | null)?.features[0].perUnit,
});
await explainRow([1], one, {
  ...{ table, method: 'shap', background },
  // @ts-expect-error a Shapley value is a share, not a slope
  onProgress: ({ partial }) => void partial?.features[0].perUnit,
});
await explainImage(photo, one, {
  onProgress: ({ partial }) => void (partial satisfies ImageExplanation | null)?.labels,
});
// @ts-expect-error an explanation has no scores
explainText('a', one, { onProgress: ({ partial }) => void partial?.scores });
