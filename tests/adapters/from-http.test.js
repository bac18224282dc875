// Tests the protocols of fromHTTP against a server that speaks them, by the published formats.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, explainImage, explainRow, explainText } from 'linex';
import { fromHTTP, memoryCache, polite } from 'linex/adapters';
import { startServer } from '../support/pages/server.js';

/** Starts a server that answers JSON; answer(path, body, headers) returns it. Requests are collected. */
async function serveJSON(t, answer) {
  const requests = [];
  const origin = await startServer(t, async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const body = text === '' ? undefined : JSON.parse(text);
    requests.push({ method: request.method, path: request.url, body, headers: request.headers });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(request.url, body, request.headers)));
  });
  return { origin, requests };
}

const SLOPES = [2, -1, 0.5];
const scoreOf = (row) => row.reduce((sum, value, i) => sum + SLOPES[i] * value, 0);
const ROWS = Array.from({ length: 30 }, (_, i) => [Math.sin(i), Math.cos(3 * i), (i % 5) / 4]);
const table = await describeTable(ROWS, { columns: ['age', 'income', 'debt'] });
const OPTIONS = { table, samples: 100, batchSize: 40 };
const handWritten = (batch) => Array.from(batch, (row) => scoreOf(Array.from(row)));
const expected = await explainRow(ROWS[3], handWritten, OPTIONS);
const inRows = (data, [count, columns]) =>
  Array.from({ length: count }, (_, i) => data.slice(i * columns, (i + 1) * columns));

test('Open Inference Protocol: names are found, and rows arrive as the model’s type', async (t) => {
  const { origin, requests } = await serveJSON(t, (path, body) => {
    if (!body)
      return {
        name: 'loans',
        platform: 'sklearn',
        inputs: [{ name: 'features', datatype: 'FP64', shape: [-1, 3] }],
        outputs: [{ name: 'score', datatype: 'FP64', shape: [-1] }],
      };
    const [{ name, shape, datatype, data }] = body.inputs;
    assert.deepEqual([path, name, datatype], ['/v2/models/loans/infer', 'features', 'FP64']);
    return {
      model_name: 'loans',
      outputs: [
        { name: 'label', datatype: 'BYTES', shape: [shape[0]], data: inRows(data, shape).map(() => 'yes') },
        { name: 'score', datatype: 'FP64', shape: [shape[0]], data: inRows(data, shape).map(scoreOf) },
      ],
    };
  });
  const found = await explainRow(ROWS[3], fromHTTP(`${origin}/v2/models/loans/infer`), OPTIONS);
  assert.deepEqual(found.weights, expected.weights);
  // The metadata is asked for once.
  assert.deepEqual(
    requests.map(({ method }) => method),
    ['GET', 'POST', 'POST', 'POST'],
  );
});

test('Open Inference Protocol: texts are BYTES, and a named input needs no metadata', async (t) => {
  const { origin, requests } = await serveJSON(t, (_, { inputs: [{ data, shape, datatype, name }], outputs }) => {
    assert.deepEqual([name, datatype, shape, outputs], ['text', 'BYTES', [data.length], [{ name: 'length' }]]);
    return {
      outputs: [{ name: 'length', datatype: 'INT32', shape: [data.length, 1], data: data.map((text) => text.length) }],
    };
  });
  const predict = fromHTTP(`${origin}/v2/models/m/versions/3/infer`, { input: 'text', output: 'length' });
  assert.deepEqual([...(await predict(['a', 'bcd'])).data], [1, 3]);
  assert.equal(requests.length, 1);
});

test('Open Inference Protocol: a model of whole numbers gets whole numbers, and images as bytes', async (t) => {
  const { origin, requests } = await serveJSON(t, (path, body) => {
    if (!body)
      return { inputs: [{ name: 'x', datatype: 'INT64', shape: path.endsWith('rows') ? [-1, 2] : [-1, 2, 2, 1] }] };
    const [{ shape }] = body.inputs;
    return { outputs: [{ name: 'y', datatype: 'FP32', shape: [shape[0]], data: Array(shape[0]).fill(1) }] };
  });
  await fromHTTP(`${origin}/v2/models/rows/infer`)({ data: Float64Array.of(1.75, -0.75), shape: [1, 2] });
  assert.deepEqual(requests.at(-1).body.inputs[0].data, [2, -1]);
  const image = { width: 2, height: 2, channels: 1, data: Uint8Array.of(0, 255, 7, 9) };
  const options = { samples: 4, segments: { kind: 'grid', count: 4 } };
  const predict = fromHTTP(`${origin}/v2/models/images/infer`);
  await assert.rejects(explainImage(image, predict, options), ({ cause }) => {
    assert.match(cause.message, /the model takes images of INT64; pass input: \{ type: 'uint8' \} to explainImage/);
    return true;
  });
  await explainImage(image, predict, { ...options, input: { type: 'uint8' } });
  assert.deepEqual(
    requests.find(({ body, path }) => body && path.includes('images')).body.inputs[0].data.slice(0, 4),
    [0, 255, 7, 9],
  );
});

for (const path of ['/v1/models/loans:predict', '/v1/models/loans/versions/2:predict'])
  test(`KServe version 1 and TensorFlow Serving at ${path}`, async (t) => {
    const { origin } = await serveJSON(t, (_, { instances }) => ({
      predictions: instances.map((row) => [scoreOf(row)]),
    }));
    const found = await explainRow(ROWS[3], fromHTTP(`${origin}${path}`), OPTIONS);
    assert.deepEqual(found.weights, expected.weights);
  });

test('TensorFlow Serving with several outputs: one is chosen by name', async (t) => {
  const { origin } = await serveJSON(t, (_, { instances }) => ({
    predictions: instances.map((text) => ({ classes: ['a', 'b'], scores: [text.length, 1] })),
  }));
  const url = `${origin}/v1/models/m:predict`;
  assert.deepEqual([...(await fromHTTP(url, { output: 'scores' })(['ab'])).data], [2, 1]);
  await assert.rejects(fromHTTP(url)(['ab']), /output must be one of classes, scores, not undefined/);
});

test('images arrive as nested arrays', async (t) => {
  const { origin } = await serveJSON(t, (_, { instances }) => ({
    predictions: instances.map((image) => image.flat(2).reduce((a, b) => a + b, 0)),
  }));
  const image = { width: 4, height: 3, channels: 1, data: Uint8Array.from({ length: 12 }, (_, i) => 20 * i) };
  const options = { samples: 16, segments: { kind: 'grid', count: 4 }, input: { type: 'uint8' } };
  const sums = ({ data, shape: [count] }) =>
    Array.from({ length: count }, (_, i) => data.subarray(12 * i, 12 * (i + 1)).reduce((a, b) => a + b, 0));
  const { weights } = await explainImage(image, sums, options);
  assert.deepEqual((await explainImage(image, fromHTTP(`${origin}/m:predict`), options)).weights, weights);
});

test('your own protocol, with headers that are made for each request', async (t) => {
  let tokens = 0;
  const { origin, requests } = await serveJSON(t, (_, { people }) => ({
    result: people.map(({ age }) => ({ risk: age / 2 })),
  }));
  const predict = fromHTTP(`${origin}/risk?key=secret`, {
    headers: async () => ({ authorization: `Bearer ${++tokens}` }),
    request: ({ records }) => ({ people: records }),
    response: ({ result }) => result.map(({ risk }) => risk),
  });
  const explanation = await explainRow(ROWS[3], predict, { ...OPTIONS, ridge: 0 });
  const slopes = explanation.features.filter(({ weight }) => weight !== 0);
  assert.deepEqual([slopes.map(({ name }) => name), Math.abs(slopes[0].perUnit - 0.5) < 1e-9], [['age'], true]);
  assert.deepEqual(
    requests.map(({ headers, path }) => [headers.authorization, path]),
    requests.map((_, i) => [`Bearer ${i + 1}`, '/risk?key=secret']),
  );
});

test('rows are sent as numbers, values or objects', async (t) => {
  const { origin, requests } = await serveJSON(t, (_, rows) => rows.map(() => 1));
  const colors = await describeTable(
    [
      ['red', 1],
      ['blue', 2],
    ],
    { columns: ['color', 'size'], categorical: ['color'] },
  );
  for (const rows of [undefined, 'values', 'records'])
    await explainRow(['red', 1], fromHTTP(origin, { rows }), { table: colors, samples: 2, sampling: 'independent' });
  assert.deepEqual(
    requests.map(({ body }) => body[0]),
    [[1, 1], ['red', 1], { color: 'red', size: 1 }],
  );
});

/** A language model that says how many times a text has the word, with its probability. */
const opinionOf = (text) =>
  1 / (1 + Math.exp(1 - 2 * text.split('wonderful').length + 2 * text.split('boring').length));
const REVIEW = 'a wonderful film, never boring, with wonderful music';
const LABELS = ['positive', 'negative'];
const textOf = (prompt) => prompt.match(/Text: (.*)\n/)[1];
const opinions = await explainText(REVIEW, (texts) => texts.map((text) => [opinionOf(text), 1 - opinionOf(text)]), {
  classes: LABELS,
});
const near = (found, wanted) =>
  found.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 1e-12, `${value} ${wanted[i]}`));

test('a chat that gives log-probabilities: the weights of its probabilities', async (t) => {
  const { origin, requests } = await serveJSON(
    t,
    (_, { messages, model, temperature, logprobs, top_logprobs: most }) => {
      assert.deepEqual([model, temperature, logprobs, most], ['small', 0, true, 20]);
      const yes = opinionOf(textOf(messages.at(-1).content));
      // Tokens are parts of words, with and without capitals and spaces, and some belong to no label.
      const top = [
        ['pos', 0.75 * 0.9 * yes],
        [' Positive', 0.25 * 0.9 * yes],
        ['neg', 0.9 * (1 - yes)],
        ['The', 0.1],
      ].map(([token, share]) => ({ token, logprob: Math.log(share) }));
      return {
        choices: [{ index: 0, message: { content: 'pos' }, logprobs: { content: [{ ...top[0], top_logprobs: top }] } }],
      };
    },
  );
  const predict = fromHTTP(`${origin}/v1/chat/completions`, { model: 'small', labels: LABELS });
  const found = await explainText(REVIEW, polite(predict, { cache: memoryCache() }));
  near(found.weights, opinions.weights);
  assert.equal(found.target, 'positive');
  // One text per request, so that a failure loses one answer.
  assert.equal(requests.length, found.queries.asked);
});

test('a chat that gives only a label scores it 1, and another answer is an error', async (t) => {
  const { origin } = await serveJSON(t, (_, { messages }) => {
    const text = messages.at(-1).content;
    return {
      choices: [
        {
          message: {
            content: text === 'odd' ? 'I cannot tell.' : ` ${text.includes('good') ? 'Positive' : 'negative'}.\n`,
          },
        },
      ],
    };
  });
  const predict = fromHTTP(`${origin}/chat/completions`, {
    ...{ model: 'small', labels: LABELS },
    prompt: (text) => [
      { role: 'system', content: 'Answer positive or negative.' },
      { role: 'user', content: text },
    ],
  });
  assert.deepEqual([...(await predict(['good', 'poor'])).data], [1, 0, 0, 1]);
  await assert.rejects(predict(['odd']), /the answer "I cannot tell." is none of positive, negative/);
});

test('a completion answers a whole batch, in any order', async (t) => {
  const { origin, requests } = await serveJSON(t, (_, { prompt }) => ({
    choices: prompt
      .map((one, index) => {
        const yes = opinionOf(textOf(one));
        const first = { ' positive': Math.log(yes), ' neg': Math.log(1 - yes) };
        return { index, text: ' positive', logprobs: { top_logprobs: [first] } };
      })
      .reverse(),
  }));
  const predict = fromHTTP(`${origin}/v1/completions`, { model: 'small', labels: LABELS });
  near((await explainText(REVIEW, predict)).weights, opinions.weights);
  assert.equal(requests.length, 1);
});

test('two models at one path have different names for caches', () => {
  const names = ['?model=a', '?model=b'].map((query) => fromHTTP(`http://127.0.0.1/score${query}`).model);
  assert.notEqual(names[0], names[1]);
});

test('bad calls are refused before anything is sent', () => {
  assert.throws(() => fromHTTP('nowhere'), /fromHTTP takes the address of a model, not "nowhere"/);
  const url = 'http://127.0.0.1/x';
  assert.throws(() => fromHTTP(url, { protocol: 'soap' }), /protocol must be one of open-inference, instances, chat/);
  assert.throws(() => fromHTTP(url, { request: 1 }), /request must be a function, not 1/);
  assert.throws(() => fromHTTP(url, { rows: 'objects' }), /rows must be one of numbers, values, records/);
  assert.throws(() => fromHTTP(`${url}/chat/completions`, { labels: LABELS }), /needs the name of its model/);
  assert.throws(() => fromHTTP(`${url}/chat/completions`, { model: 'm', labels: ['a'] }), /at least two names/);
});

test('messages do not have the query of an address, which may hold a key', async () => {
  const error = await fromHTTP('http://127.0.0.1:9/score?key=secret')(['a']).catch((reason) => reason);
  assert.match(error.message, /^http:\/\/127\.0\.0\.1:9\/score could not be reached/);
  assert.doesNotMatch(error.message, /secret/);
});
