// A program without the DOM library and without the types of Node must compile, also against our declarations.
import { describeTable, explainImage, explainRow, explainText, load, loadWordVectors } from 'linex';
import { explainText as explainInline } from 'linex/inline';
import { fileCache, fromHTTP, fromOnnx, fromPipeline, fromTfjs, polite } from 'linex/adapters';
import { LinexWaterfall } from 'linex/charts';
import { LinexBars } from 'linex/elements';
import { openPool } from 'linex/pool';
import { joinPool } from 'linex/pool-worker';
import { renderBarsSVG } from 'linex/render';

declare const bytes: Uint8Array;
await load({ wasm: bytes });
const table = await describeTable([[1], [2]]);
const { weights } = await explainRow([1], ({ data }) => data, { table });
const explanation = await explainText('a b', (texts) => texts.map((text) => text.length));
await explainInline('a b', (texts) => texts.map((text) => text.length));
await explainImage({ data: bytes, width: 2, height: 2 }, () => [1]);
await loadWordVectors('a 1');
const pool = await openPool('./model.js');
await joinPool({ predict: () => [1] });
const served = polite(fromHTTP('https://example.org/score'), { cache: fileCache('answers') });
await explainText('a b', served);
const svg: string = renderBarsSVG(explanation);
void [weights, pool.workers, svg, LinexBars, LinexWaterfall, fromOnnx, fromPipeline, fromTfjs];
