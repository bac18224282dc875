// Correct programs of a TypeScript user must compile, and wrong ones must not.
import type {
  Comparison,
  Explanation,
  Labels,
  Forest,
  ForestJSON,
  ImageExplanation,
  Recourse,
  RecourseOptions,
  RowBatch,
  RowExplanation,
  RowOptions,
  ShapRowExplanation,
  Summary,
  Table,
  TextExplanation,
  WordVectors,
} from 'linex';
import {
  ablation,
  checkExplanation,
  checkRecourse,
  classAttributionConsistency,
  coefficientInconsistency,
  compare,
  densityNeighborhood,
  describeTable,
  explainImage,
  explainRow,
  explainRows,
  explainSamples,
  explainText,
  forestFromJSON,
  forestNeighborhood,
  generalizedInfidelity,
  latentNeighborhood,
  LinexError,
  load,
  loadWordVectors,
  recourse,
  renderBarsSVG,
  renderComparisonSVG,
  renderDependenceSVG,
  renderImageRGBA,
  renderImportanceSVG,
  renderSteadinessSVG,
  renderSummarySVG,
  renderTargetsSVG,
  renderWaterfallSVG,
  renderSentence,
  renderRecourseSentence,
  renderRecourseSVG,
  renderStyles,
  renderTerminal,
  renderTextHTML,
  renderTextSVG,
  segmentImage,
  shapSlopes,
  solveGame,
  summarize,
  trainForest,
  wordNeighborhood,
} from 'linex';
import { LinexBars, LinexImage, LinexText } from 'linex/elements';
import { LinexComparison, LinexWaterfall } from 'linex/charts';
import { openPool, type AnyWorker, type Pool, type PoolModel, type PoolRowOptions } from 'linex/pool';
import { joinPool } from 'linex/pool-worker';

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
  sampling: 'independent',
  environments: { kind: 'near-far', count: 2 },
  onProgress: ({ asked, planned }) => void (asked / planned),
});
const weight: number = explanation.features[0].perUnit;
const residual: number | undefined = explanation.equilibrium?.residual;
const adds: number = explanation.features[0].contribution + explanation.reference.localPrediction;
const [least, most]: readonly number[] = explanation.features[0].contributionInterval ?? [0, 0];
const average: number = explanation.features[0].reference / (explanation.features[0].spread ?? 1);
const doubts: string[] = explanation.warningCodes.map(({ code }) => code);
void doubts;
const beside: RowExplanation = await explainRow([1, 'a'], () => [1], { table, reference: [2, 'b'] });
void [adds, least, most, average, beside.reference.values?.[0], beside.features[0].kind === 'numeric'];
const text: string = renderTerminal(explanation, { color: true });
void [weight, residual, text];
const several = await explainRow([1, 'a'], () => [1], { table, target: [0, 1] });
const first: number = several[0].fidelity;
void first;
for await (const one of explainRows([[1, 'a']], async () => [[0.5, 0.5]], { table, target: ['top'] }))
  void one[0].weights;
const pool: Pool = await openPool(new URL('model.js', 'https://example.org/'), { workers: 2, openTimeout: 1e5 });
for await (const one of pool.explainRows([[1, 'a']], { table, onProgress: ({ row }) => void row?.toFixed() }))
  void one.features[0].perUnit;
for await (const one of pool.explainRows([[1, 'a']], { table, method: 'shap', background: [[1, 'a']], target: [0] }))
  void one[0].link;
const threads: number = pool.workers;
await pool.close();
await openPool(() => new Worker('worker.js', { type: 'module' }));
await joinPool({ predict: (batch: RowBatch) => Array.from(batch, (row) => row[0]) });
const poolModel: PoolModel = { predict: (batch: RowBatch) => Array.from(batch, (row) => row[0]) };
const poolOptions: PoolRowOptions = { table };
const start: () => AnyWorker = () => new Worker('worker.js', { type: 'module' });
void [poolModel, poolOptions, start];
void threads;
// @ts-expect-error a model cannot go to a worker
openPool((batch: { rows: number[] }) => batch.rows);
// @ts-expect-error nor can functions that make samples
pool.explainRows([[1, 'a']], { table, neighborhood: { sample: () => [] } });
explainSamples(
  { points: [[1], [2]], predictions: [1, 2] },
  { method: 's-lime', smoothing: 'median', reference: [1] },
).weights[0].toFixed();
const { weights, trace } = solveGame({ grams: [[1]], targets: [[1]], gamma: 1, solver: 'best-response', trace: true });
void [weights, trace];
const code: string = new LinexError('load', 'no').code;
void code;

const review: TextExplanation = await explainText('a tale', (texts) => texts.map((one: string) => one.length), {
  samples: 'auto',
  tokens: (whole) => whole.split(' '),
  onProgress: ({ partial }) => void partial,
});
const shares: ShapRowExplanation = await explainRow([1, 'a'], () => [0.5], {
  table,
  method: 'shap',
  background: [[2, 'b']],
  link: 'logit',
});
const share: number = shares.intercept + shares.weights[0];
const shared: TextExplanation[] = await explainText('a b', () => [[0.5, 0.5]], { method: 'shap', target: [0, 1] });
void [share, shares.features[0].column, shared];
// @ts-expect-error a Shapley value is a share, not a slope
void shares.features[0].perUnit;
// If the method is chosen at run time, the type is a union.
const chosen = (['shap', 'lime'] as const)[Math.round(Math.random())];
const either: RowExplanation | ShapRowExplanation = await explainRow([1, 'a'], () => [0.5], { table, method: chosen });
// @ts-expect-error the weights may be shares
void either.features[0].perUnit;
// @ts-expect-error the weights are slopes only for some methods
const slopes: RowExplanation = await explainRow([1, 'a'], () => [0.5], { table, method: chosen });
const logOdds: boolean = shares.link === 'logit';
void [slopes, logOdds];
// A neighborhood as in the documentation: TypeScript infers `kind` as a string.
const visits = [
  [1, 'a'],
  [2, 'b'],
];
const recent = {
  kind: 'row',
  sample: (_row: readonly unknown[], many: number, random: () => number) =>
    Array.from({ length: many }, () => visits[Math.floor(random() * visits.length)]),
};
await explainRow([1, 'a'], () => [1], { table, neighborhood: recent });
const vectors: WordVectors = await loadWordVectors(await fetch('vectors.vec'), { format: 'fasttext', maxWords: 1000 });
const similarity: number = vectors.nearest('tale', 3)[0].similarity + vectors.vector('tale')[0];
await explainText('a tale', () => [1], {
  neighborhood: wordNeighborhood(vectors, { radius: 0.5, replace: 'one' }),
  distance: 'euclidean',
});
// @ts-expect-error a format that does not exist
loadWordVectors('a 1', { format: 'bert' });
void similarity;
const place: number = review.features[0].occurrences[0].start + review.tokens[0].feature;
const { labels, count } = await segmentImage({ data: [0, 1, 2, 3], width: 2, height: 2 }, 'grid');
const picture: ImageExplanation = await explainImage(
  { data: new Uint8ClampedArray(16), width: 2, height: 2 },
  ({ data, shape }) => [data[0] + shape[0]],
  { segments: labels, hide: [0, 0, 0], input: { layout: 'nchw', mean: [0.5, 0.5, 0.5] } },
);
const area: number = picture.features[0].area + picture.labels[0] + count;
void [place, area];

const density = await densityNeighborhood(table, {
  ...{ bandwidth: 'cross-validation', folds: 5, near: 'rows', signal: new AbortController().signal },
});
const logs: number[] = density.logDensity([[1, 'a']]);
await explainRow([1, 'a'], () => [1], { table, neighborhood: density });
const latent = latentNeighborhood(
  { encode: async ({ data }) => [data[0]], decode: ({ data, shape }) => ({ data, dims: shape }) },
  { radius: 0.5, input: { layout: 'nchw' } },
);
await explainImage({ data: [0], width: 1, height: 1 }, () => [1], { neighborhood: latent });
void [logs[0] + density.bandwidth + latent.radius];
// @ts-expect-error a bandwidth that is not a number
densityNeighborhood(table, { bandwidth: 'scott' });
// @ts-expect-error the decoder is missing
latentNeighborhood({ encode: () => [1] });
// @ts-expect-error a link that does not exist
explainText('a b', () => [1], { method: 'shap', link: 'probit' });
// @ts-expect-error a unit that does not exist
explainText('a b', () => [1], { unit: 'syllable' });
// @ts-expect-error a way of hiding that does not exist
explainImage({ data: [0], width: 1, height: 1 }, () => [1], { hide: 'black' });
// @ts-expect-error a method that does not exist
explainRow([1], () => [1], { table, method: 'lima' });
// @ts-expect-error a reference that is not a row
explainRow([1], () => [1], { table, reference: 5 });
// @ts-expect-error the table is required
explainRow([1], () => [1], {});
// @ts-expect-error gamma is needed
solveGame({ grams: [[1]], targets: [[1]] });

// @ts-expect-error a kind that does not exist
explainRow([1], () => [1], { table, environments: 'halvess' });
const options: RowOptions = { table: table satisfies Table };
const one: RowExplanation = await explainRow([1, 'a'], () => [1], { ...options, target: 0 });
const any: Explanation = one;
void any;

// A forest, as the model and as the neighborhood.
const forest: Forest = await trainForest([[1], [2]], ['yes', 'no'], { trees: 10, featuresPerSplit: 'sqrt' });
const stored: ForestJSON = forest.toJSON();
const answers: number[] | number[][] = (await forestFromJSON(stored)).predict([[1.5]]);
await forestFromJSON(JSON.stringify(forest));
const neighborhood = await forestNeighborhood(table, [1, 2], { trees: 10, validation: 0 });
const maple: RowExplanation = await explainRow([1, 'a'], forest.predict, { table, neighborhood, method: 'maple' });
const votes: number[][] = (await trainForest([[1], [2]], ['yes', 'no'])).predict([[1]]);
const price: number = (await trainForest([[1], [2]], [1, 2])).predict([[1]])[0];
const codes: number[][] = (await trainForest([[1], [2]], [1, 2], { kind: 'classification' })).predict([[1]]);
void [answers, maple, votes, price, codes, neighborhood.weigh([1, 'a'])[0], forest.importances[0]];
// @ts-expect-error MAPLE is for rows
explainText('a b', () => [1], { method: 'maple' });
// @ts-expect-error a share with an unknown name
trainForest([[1]], [1], { featuresPerSplit: 'half' });

// Renderings: of any explanation, and of certain kinds only.
const svg: string =
  renderBarsSVG(one, { palette: 'purple-orange', theme: 'auto', fullWeight: 0.5, features: 10 }) + renderStyles();
// The question, the language and the units of a rendering.
const german: Partial<Labels> = { why: 'Warum {subject}?', unsure: 'unklar' };
const sentence: string =
  renderSentence(one, { view: 'slope', labels: german, locale: 'de', answerFormat: { style: 'percent' } }) +
  renderBarsSVG(one, { view: 'contribution', order: 'given', details: true }) +
  renderTerminal(one, { labels: { forTarget: 'for approval' } });
const units: Table = await describeTable([[1]], { columns: ['x'], formats: { x: { unit: 'kg' } } });
// @ts-expect-error a view that does not exist
renderBarsSVG(one, { view: 'weights' });
// @ts-expect-error a text that does not exist
renderSentence(one, { labels: { because: '' } });
// @ts-expect-error a style that Intl does not know
describeTable([[1]], { formats: { x: { style: 'money' } } });
void [sentence, units];
const written = { ...any, kind: 'text' as const, text: 'a b', tokens: [{ start: 0, end: 1, feature: 0 }] };
const html: string = renderTextHTML(written, { styles: false }) + renderTextSVG(written, { width: 480 });
const seen = { ...any, kind: 'image' as const, width: 2, height: 1, labels: [0, 1] };
const pixels: ImageData = new ImageData(
  renderImageRGBA(seen, { data: [1, 2], width: 2, height: 1, channels: 1 }).data,
  2,
);
const found = document.querySelector('linex-text');
if (found) found.explanation = review;
document.createElement('linex-bars').addEventListener('feature-focus', ({ detail }) => void detail.feature?.toFixed());
const [bars, image, words] = [new LinexBars(), new LinexImage(), new LinexText()];
bars.explanation = one;
bars.labels = german;
bars.answerFormat = { unit: 'points' };
image.explanation = seen;
image.image = pixels;
words.explanation = null;
void [svg, html, words.toSVG(), image.toPNG({ pixelRatio: 2 }).then((blob) => blob.size)];
// Summaries, comparisons and charts.
const summed: Summary = summarize([explanation], { groups: ['a'], representatives: 2 });
const difference: Comparison = compare(explanation, beside);
const agreed: number = summed.features[0].parts.raises + (summed.groups?.[0].features[0].signAgreement ?? 0);
const charts: string = [
  renderWaterfallSVG(explanation, { features: 5, labels: { notExplained: 'rest' } }),
  renderSummarySVG([explanation], { theme: 'auto', locale: 'de' }),
  renderImportanceSVG(summed),
  renderDependenceSVG([explanation], { feature: 'x', view: 'slope' }),
  renderComparisonSVG(difference, { names: ['before', 'after'] }),
  renderSteadinessSVG([explanation], { view: 'contribution' }),
  renderTargetsSVG(several, { width: 400 }),
].join('');
const fall = document.createElement('linex-waterfall');
fall.explanation = explanation;
fall.addEventListener('feature-focus', ({ detail }) => void detail.explanations.length);
const against: LinexComparison = new LinexComparison();
against.names = ['a', 'b'];
against.comparison = difference;
void [agreed, charts, fall instanceof LinexWaterfall, document.querySelector('linex-dependence')?.explanations];
// @ts-expect-error a dependence needs a feature
renderDependenceSVG([explanation], {});
// @ts-expect-error one explanation is no summary
renderImportanceSVG(explanation);
// An explanation from JSON has the type of its kind.
const sent = checkExplanation(JSON.parse('{}'));
if (sent.kind === 'text') renderTextHTML(sent);
else if (sent.kind === 'image') renderImageRGBA(sent);
else void sent.features[0].perUnit?.toFixed();
// @ts-expect-error it may be of another kind
renderTextHTML(sent);
// @ts-expect-error a palette that the color-blind cannot read
renderTextHTML(written, { palette: 'red-green' });
// @ts-expect-error a row has no text
renderTextHTML(one);

// Measures: of explanations, of arrays of numbers, of any model.
const measured: number =
  generalizedInfidelity([one], { neighbors: [[0]], points: (of, at) => [of, at], reference: [0, 0] }) +
  coefficientInconsistency(one.weights, [[1, 2]], { normalize: 'sum' }) +
  classAttributionConsistency([one.weights], { inputs: [[1, 2]], labels: ['a'], classes: ['a'], constant: 'zero' }) +
  shapSlopes(one.weights, { at: [1, 2], reference: new Float64Array(2) })[0];
const curve = await ablation(['a b', 'c d'], (texts) => texts.map((whole) => whole.length), {
  attributions: [
    [1, 2],
    [3, 4],
  ],
  fractions: [0.5],
  replacement: (whole, features) => whole.slice(features.length),
});
const changed: number | null = curve[0].changed;
void [measured, changed];
// Measures take explanations instead of weights, labels may be booleans, and with a table batches are as in explainRow.
const attributions = [one, one];
void [
  coefficientInconsistency(one, attributions),
  classAttributionConsistency(attributions, { inputs: [[1, 2], [3, 4]], labels: [true, false] }), // prettier-ignore
];
await ablation([[1, 'a'], [2, 'b']], ({ data, shape }) => [data[0] + shape[0]], { attributions, table, fractions: [1], replacement: [0, 'a'] }); // prettier-ignore
await ablation([[1, 'a'], [2, 'b']], ({ rows }) => rows.map(([x]) => Number(x)), { attributions, fractions: [1], replacement: [0, 'a'] }); // prettier-ignore
// @ts-expect-error the replacement of an ablated feature is required
ablation([[1]], () => [1], { attributions: [[1]], fractions: [0.5] });

const wanted: RecourseOptions = { table, immutable: ['y'], monotone: { x: 'up' }, side: 'below', target: 0 };
const change: Recourse = await recourse([1, 'a'], ({ data }) => [data[0]], { ...wanted, most: 2, explanation });
const [firstChange] = change.changes;
const fromTo: string = `${firstChange.column}: ${firstChange.from} to ${firstChange.to}, ${firstChange.deviations} SD`;
const advice: string = renderRecourseSentence(change, { locale: 'de', labels: { now: fromTo } });
const asked: number = checkRecourse(JSON.parse(advice)).queries.total + (await density.typicality([[1, 'a']]))[0];
renderRecourseSVG(change, { width: asked, theme: 'auto', answerFormat: { style: 'percent' } });
await recourse([1, 'a'], () => [1], { table, neighborhood: densityNeighborhood(table), threshold: 0.6 });
// @ts-expect-error columns grow or shrink
recourse([1, 'a'], () => [1], { table, monotone: { x: 'more' } });
// @ts-expect-error a misspelt option
recourse([1, 'a'], () => [1], { table, imutable: ['x'] });
// @ts-expect-error a label that does not exist
renderRecourseSentence(change, { labels: { heading: '' } });
