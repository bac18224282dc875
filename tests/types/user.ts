// What a TypeScript user writes must compile, and what is wrong must not.
import type { Explanation, RowExplanation, RowOptions, Table } from 'linex';
import {
  describeTable,
  explainRow,
  explainRows,
  explainSamples,
  LinexError,
  load,
  renderBarsSVG,
  renderImageRGBA,
  renderStyles,
  renderTerminal,
  renderTextHTML,
  renderTextSVG,
  solveGame,
} from 'linex';
import { LinexBars, LinexImage, LinexText } from 'linex/elements';

await load({ wasm: new URL('linex.wasm', 'https://example.org/') });
const table = await describeTable(
  [
    [1, 'a'],
    [2, 'b'],
  ],
  { columns: ['x', 'y'], categorical: ['y'] },
);
const explanation = await explainRow([1, 'a'], (batch) => Array.from(batch, (row) => row[0]), {
  table,
  samples: 100,
  environments: { kind: 'near-far', count: 2 },
  onProgress: ({ asked, planned }) => void (asked / planned),
});
const weight: number = explanation.features[0].perUnit;
const residual: number | undefined = explanation.equilibrium?.residual;
const text: string = renderTerminal(explanation, { color: true });
void [weight, residual, text];
const several = await explainRow([1, 'a'], () => [1], { table, target: [0, 1] });
const first: number = several[0].fidelity;
void first;
for await (const one of explainRows([[1, 'a']], async () => [[0.5, 0.5]], { table, target: ['top'] }))
  void one[0].weights;
explainSamples(
  { points: [[1], [2]], predictions: [1, 2] },
  { method: 's-lime', smoothing: 'median' },
).weights[0].toFixed();
const { weights, trace } = solveGame({ grams: [[1]], targets: [[1]], gamma: 1, solver: 'best-response', trace: true });
void [weights, trace];
const code: string = new LinexError('load', 'no').code;
void code;

// @ts-expect-error a method that does not exist
explainRow([1], () => [1], { table, method: 'lima' });
// @ts-expect-error the table is needed
explainRow([1], () => [1], {});
// @ts-expect-error gamma is needed
solveGame({ grams: [[1]], targets: [[1]] });

// @ts-expect-error a kind that does not exist
explainRow([1], () => [1], { table, environments: 'halvess' });
const options: RowOptions = { table: table satisfies Table };
const one: RowExplanation = await explainRow([1, 'a'], () => [1], { ...options, target: 0 });
const any: Explanation = one;
void any;

// Pictures: of any explanation, and of what only some kinds have.
const svg: string =
  renderBarsSVG(one, { palette: 'purple-orange', theme: 'auto', scale: 0.5, most: 10 }) + renderStyles();
const written = { ...any, kind: 'text' as const, text: 'a b', tokens: [{ start: 0, end: 1, feature: 0 }] };
const html: string = renderTextHTML(written, { styles: false }) + renderTextSVG(written, { width: 480 });
const seen = { ...any, kind: 'image' as const, width: 2, height: 1, labels: [0, 1] };
const pixels: ImageData = new ImageData(
  renderImageRGBA(seen, { data: [1, 2], width: 2, height: 1, channels: 1 }).data,
  2,
);
const [bars, image, words] = [new LinexBars(), new LinexImage(), new LinexText()];
bars.explanation = one;
image.explanation = seen;
image.image = pixels;
words.explanation = null;
void [svg, html, words.toSVG(), image.toPNG({ scale: 2 }).then((blob) => blob.size)];
// @ts-expect-error a palette that the colour-blind cannot read
renderTextHTML(written, { palette: 'red-green' });
// @ts-expect-error a row has no text
renderTextHTML(one);
