// Models of other runtimes, polite asking, costs and kept answers: right programs must compile, and wrong ones must not.
import type { InferenceSession } from 'onnxruntime-common';
import type { Estimate } from 'linex';
import { describeTable, estimate, explainImage, explainRow, explainText } from 'linex';
import type { AnswerCache } from 'linex/adapters';
import {
  fileCache,
  fromHTTP,
  fromOnnx,
  fromPipeline,
  fromTfjs,
  indexedDBCache,
  memoryCache,
  polite,
} from 'linex/adapters';

const table = await describeTable([[1, 'a'], [2, 'b']], { categorical: [1] }); // prettier-ignore
const predict = polite(
  fromHTTP('https://example.com/score', { labels: ['no', 'yes'], headers: async () => ({ a: 'b' }), fetch }),
  {
    ...{ retries: 3, perMinute: 60, maxBatch: 16, deadline: 60000, cache: fileCache('answers.jsonl') },
  },
);
const kept = await explainText('a b', predict, { keepAnswers: true, target: 'yes' });
if (kept.answers) await explainText('a b', predict, { answers: kept.answers, method: 'lime', seed: 2 });
declare const session: InferenceSession;
const networks = [
  fromOnnx(session, { softmax: true }),
  fromTfjs({}, { tf: {} }),
  fromPipeline(() => [], { batchSize: 8 }),
];
await explainRow([1, 'a'], networks[0], { table });
await explainImage({ data: new Uint8Array(12), width: 2, height: 2, channels: 3 }, networks[1]);
const stores: AnswerCache[] = [memoryCache({ most: 10 }), indexedDBCache('answers')];
const cost: Estimate = await estimate('a b', { samples: 100, latency: 200, price: 0.01 });
void [stores, cost.queries.most + (cost.money?.most ?? 0), (await estimate([1, 'a'], { table })).seconds?.least];
// @ts-expect-error a path is no session
fromOnnx('model.onnx');
// @ts-expect-error it is labels
fromOnnx(session, { label: ['no', 'yes'] });
// @ts-expect-error it is output
fromTfjs({}, { outputs: 0 });
// @ts-expect-error it is batchSize
fromPipeline(() => [], { batchsize: 8 });
// @ts-expect-error a misspelt option
polite(predict, { retry: 3 });
// @ts-expect-error a protocol that does not exist
fromHTTP('https://example.com', { protocol: 'soap' });
// @ts-expect-error the price is a number
estimate('a b', { price: '1' });
