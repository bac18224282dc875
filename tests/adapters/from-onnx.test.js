// Tests fromOnnx with onnxruntime-web in Node: the networks of the demo, and small models of other shapes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as ort from 'onnxruntime-web';
import { describeTable, explainImage, explainRow, explainText } from 'linex';
import { fromOnnx } from 'linex/adapters';
import { GARMENT_SAMPLES } from '../../web/models/garment-samples.js';
import { GARMENT_INPUT, GARMENTS, loadGarments } from '../../web/models/garments.js';
import { onnxBytes } from '../support/onnx-bytes.js';

ort.env.wasm.numThreads = 1;
const open = (bytes) => ort.InferenceSession.create(bytes);
const fileOf = (name) => readFileSync(new URL(`../../web/models/${name}.onnx`, import.meta.url));
const garments = await open(fileOf('garments'));

test('a network of images: the weights of a hand-written predict, by one line', async () => {
  const { predict } = await loadGarments(ort);
  const image = GARMENT_SAMPLES[9].draw();
  const options = { samples: 200, batchSize: 64, segments: { kind: 'grid', count: 16 } };
  const expected = await explainImage(image, predict, { ...options, input: GARMENT_INPUT, classes: GARMENTS });
  // Layout, size and channels are those of the session, and the labels give the target its name.
  const found = await explainImage(image, fromOnnx(garments, { labels: GARMENTS }), options);
  assert.deepEqual(found.weights, expected.weights);
  assert.deepEqual([found.target, found.prediction], [expected.target, expected.prediction]);
  assert.equal(found.target, 'ankle boot');
});

test('a network of texts, by the encoder of its tokens', async () => {
  const session = await open(fileOf('reviews'));
  // Numbers of words by their length: any encoding shows whether tensors arrive.
  const encode = (texts) => {
    const rows = texts.map((text) =>
      text
        .split(/\s+/)
        .filter(Boolean)
        .map((word) => word.length),
    );
    const length = Math.max(1, ...rows.map((row) => row.length));
    const data = new Int32Array(texts.length * length);
    rows.forEach((row, i) => data.set(row, i * length));
    return { data, dims: [texts.length, length], type: 'int32' };
  };
  const handWritten = async (texts) => {
    const { data, dims } = encode(texts);
    const { probabilities } = await session.run({ numbers: new ort.Tensor('int32', data, dims) });
    return { data: probabilities.data, shape: probabilities.dims };
  };
  const text = 'one might say that this film is rather long';
  const expected = await explainText(text, handWritten);
  const found = await explainText(text, fromOnnx(session, { encode: (texts) => ({ numbers: encode(texts) }) }));
  assert.deepEqual(found.weights, expected.weights);
  await assert.rejects(
    explainText(text, fromOnnx(session)),
    /input "numbers" takes no texts; pass encode: \(texts\) => \(\{ numbers:/,
  );
});

/** z = x A + b of three columns and two classes. */
const [A, B] = [
  [1, -2, 0.5, 0.25, -1, 3],
  [0.5, -0.5],
];
const LINEAR = { op: 'Gemm', inputs: ['x', 'a', 'b'], outputs: ['z'] };
const CONSTANTS = [
  { name: 'a', dims: [3, 2], data: A },
  { name: 'b', dims: [2], data: B },
];
const logitsOf = ([x, y, z]) => [0, 1].map((c) => x * A[c] + y * A[2 + c] + z * A[4 + c] + B[c]);
const linear = (shape, more = {}) =>
  open(
    onnxBytes({
      nodes: [LINEAR, ...(more.nodes ?? [])],
      constants: CONSTANTS,
      inputs: [{ name: 'x', shape }],
      outputs: more.outputs ?? [{ name: 'z', shape: [shape[0], 2] }],
    }),
  );
const ROWS = Array.from({ length: 30 }, (_, i) => [Math.sin(i), Math.cos(3 * i), (i % 5) / 4]);
const table = await describeTable(ROWS, { columns: ['age', 'income', 'debt'] });
/** Without a ridge, the weights of a linear model are its slopes. */
const ROW_OPTIONS = { table, samples: 150, batchSize: 64, target: 1, ridge: 0 };
const close = (found, expected, within = 1e-5) => {
  assert.equal(found.length, expected.length);
  found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) <= within, `${value} is not ${expected[i]}`));
};

test('rows: doubles become float32, and the weights are those of a hand-written predict', async () => {
  const session = await linear(['n', 3]);
  const handWritten = async ({ data, shape }) => {
    const { z } = await session.run({ x: new ort.Tensor('float32', Float32Array.from(data), shape) });
    return { data: z.data, shape: z.dims };
  };
  const expected = await explainRow(ROWS[3], handWritten, ROW_OPTIONS);
  const found = await explainRow(ROWS[3], fromOnnx(session), ROW_OPTIONS);
  assert.deepEqual(found.weights, expected.weights);
  // By the closed form: the weight per standard deviation of a linear model is its slope times the deviation.
  for (const { index, perUnit } of found.features) close([perUnit], [A[2 * index + 1]], 1e-3);
});

test('a model of doubles gets doubles, and one of whole numbers the nearest ones', async () => {
  const sumOf = (type) =>
    open(
      onnxBytes({
        nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['z'] }],
        constants: [],
        inputs: [{ name: 'x', type, shape: ['n', 1] }],
        outputs: [{ name: 'z', type, shape: ['n', 1] }],
      }),
    );
  // float32 has no such number.
  const odd = 2 ** 24 + 1;
  const near = await describeTable([[odd - 3], [odd], [odd + 3]]);
  const options = { table: near, samples: 50 };
  const { prediction } = await explainRow([odd], fromOnnx(await sumOf('float64')), options);
  assert.equal(prediction, odd);
  for (const type of ['int32', 'int64']) {
    const predict = fromOnnx(await sumOf(type), { output: 'z' });
    const { data } = await predict({ data: Float64Array.of(1.75, -1.75, odd), shape: [3, 1] });
    assert.deepEqual([...data], [2, -2, odd], type);
    assert.equal((await explainRow([odd], predict, options)).prediction, odd, type);
  }
});

/** The sum of all pixels, which are bytes. */
const byteSums = ({ data, shape: [count] }) =>
  Array.from({ length: count }, (_, i) => data.subarray(36 * i, 36 * (i + 1)).reduce((a, b) => a + b, 0));

test('a network that takes bytes gets the bytes of the image', async () => {
  const image = { width: 6, height: 6, channels: 1, data: Uint8Array.from({ length: 36 }, (_, i) => 7 * i) };
  const options = { samples: 16, segments: { kind: 'grid', count: 4 } };
  const expected = await explainImage(image, byteSums, { ...options, input: { type: 'uint8' } });
  for (const type of ['uint8', 'int32', 'int64']) {
    const session = await open(
      onnxBytes({
        nodes: [
          { op: 'Cast', inputs: ['x'], outputs: ['f'], attributes: { to: 1 } },
          { op: 'Flatten', inputs: ['f'], outputs: ['flat'] },
          { op: 'MatMul', inputs: ['flat', 'ones'], outputs: ['z'] },
        ],
        constants: [{ name: 'ones', dims: [36, 1], data: Array(36).fill(1) }],
        inputs: [{ name: 'x', type, shape: ['n', 6, 6, 1] }],
        outputs: [{ name: 'z', shape: ['n', 1] }],
      }),
    );
    const found = await explainImage(image, fromOnnx(session), options);
    assert.equal(found.prediction, 7 * 630, type);
    assert.deepEqual(found.weights, expected.weights, type);
  }
});

test('a fixed batch size is filled up, and each sample gets its own answer', async () => {
  const sizes = [];
  const session = await linear([4, 3]);
  const counted = new Proxy(session, {
    get(target, name) {
      const value = target[name];
      if (name !== 'run') return typeof value === 'function' ? value.bind(target) : value;
      return (feeds, ...rest) => {
        sizes.push(feeds.x.dims[0]);
        return target.run(feeds, ...rest);
      };
    },
  });
  const predict = fromOnnx(counted);
  const data = Float64Array.from(ROWS.slice(0, 10).flat());
  const { data: found, shape } = await predict({ data, shape: [10, 3] });
  close([...found], ROWS.slice(0, 10).flatMap(logitsOf));
  assert.deepEqual(
    [shape, sizes],
    [
      [10, 2],
      [4, 4, 4],
    ],
  );
});

test('softmax turns logits into probabilities, and one logit by the logistic function', async () => {
  const predict = fromOnnx(await linear(['n', 3]), { softmax: true, labels: ['no', 'yes'] });
  const { data } = await predict({ data: Float64Array.from(ROWS[1]), shape: [1, 3] });
  const [no, yes] = logitsOf(ROWS[1]);
  close([...data], [1 / (1 + Math.exp(yes - no)), 1 / (1 + Math.exp(no - yes))]);
  assert.deepEqual(predict.classes, ['no', 'yes']);
  const one = await open(
    onnxBytes({
      nodes: [{ op: 'ReduceSum', inputs: ['x'], outputs: ['z'], attributes: { keepdims: 1 } }],
      inputs: [{ name: 'x', shape: [1, 3] }],
      outputs: [{ name: 'z', shape: [1, 1] }],
    }),
  );
  const { data: scores } = await fromOnnx(one, { softmax: true })({ data: Float64Array.from(ROWS[1]), shape: [1, 3] });
  close([...scores], [1 / (1 + Math.exp(-ROWS[1].reduce((a, b) => a + b)))]);
});

test('a classifier with labels and probabilities: the probabilities are found', async () => {
  const session = await linear(['n', 3], {
    nodes: [
      { op: 'Softmax', inputs: ['z'], outputs: ['probabilities'] },
      { op: 'ArgMax', inputs: ['z'], outputs: ['label'], attributes: { axis: 1, keepdims: 0 } },
    ],
    outputs: [
      { name: 'label', type: 'int64', shape: ['n'] },
      { name: 'probabilities', shape: ['n', 2] },
    ],
  });
  const batch = { data: Float64Array.from(ROWS[1]), shape: [1, 3] };
  const { data } = await fromOnnx(session)(batch);
  assert.ok(Math.abs(data[0] + data[1] - 1) < 1e-6 && data.length === 2);
  const { data: label } = await fromOnnx(session, { output: 'label' })(batch);
  const [no, yes] = logitsOf(ROWS[1]);
  assert.deepEqual([...label], [Number(yes > no)]);
  assert.throws(
    () => fromOnnx(session, { output: 'scores' }),
    /output must be one of label, probabilities, not "scores"/,
  );
});

test('outputs that cannot be told apart are refused, by name', async () => {
  const session = await linear(['n', 3], {
    nodes: [{ op: 'Relu', inputs: ['z'], outputs: ['r'] }],
    outputs: [
      { name: 'z', shape: ['n', 2] },
      { name: 'r', shape: ['n', 2] },
    ],
  });
  assert.throws(() => fromOnnx(session), /has the outputs z, r; name one as output/);
});

test('a model with one input per column gets each column by its name, numbers and words', async () => {
  const session = await open(
    onnxBytes({
      nodes: [{ op: 'Add', inputs: ['age', 'debt'], outputs: ['z'] }],
      inputs: [
        { name: 'debt', shape: ['n', 1] },
        { name: 'age', shape: ['n', 1] },
      ],
      outputs: [{ name: 'z', shape: ['n', 1] }],
    }),
  );
  const explanation = await explainRow(ROWS[3], fromOnnx(session), { table, samples: 150, ridge: 0 });
  for (const { name, perUnit } of explanation.features) close([perUnit], [name === 'income' ? 0 : 1], 1e-3);
  const other = await describeTable(ROWS, { columns: ['age', 'income', 'rent'] });
  await assert.rejects(
    explainRow(ROWS[3], fromOnnx(session), { table: other }),
    /no column is called "debt"; pass input or encode/,
  );
});

test('a shape that does not fit is refused before the run; one with the same numbers is reshaped', async () => {
  const batch = { data: new Float32Array(2 * 784), shape: [2, 28, 28, 1], layout: 'nhwc' };
  await assert.rejects(fromOnnx(garments)(batch), /takes shape \[any, 1, 28, 28\], but the batch has \[2, 28, 28, 1\]/);
  const flat = { data: new Float32Array(2 * 784).fill(0.3), shape: [2, 784] };
  const shaped = { ...flat, shape: [2, 1, 28, 28] };
  assert.deepEqual((await fromOnnx(garments)(flat)).data, (await fromOnnx(garments)(shaped)).data);
});

test('runs of one session wait for each other, even of two adapters', async () => {
  let running = 0;
  let most = 0;
  const session = {
    inputNames: ['x'],
    outputNames: ['y'],
    async run({ x }) {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return { y: { data: x.data.slice(0, x.dims[0]), dims: [x.dims[0]], location: 'cpu' } };
    },
  };
  const [one, two] = [fromOnnx(session), fromOnnx(session)];
  const batch = { data: Float64Array.of(1, 2), shape: [2, 1] };
  const answers = await Promise.all([one(batch), two(batch), one(batch)]);
  assert.deepEqual(
    [most, answers.map(({ data }) => [...data])],
    [
      1,
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    ],
  );
});

test('an aborted run that waits is not run, and a failure does not stop the queue', async () => {
  let runs = 0;
  const session = {
    inputNames: ['x'],
    outputNames: ['y'],
    async run({ x }) {
      if (runs++ === 0) throw new Error('broken');
      return { y: { data: [7], dims: [x.dims[0]], location: 'cpu' } };
    },
  };
  const predict = fromOnnx(session);
  const batch = { data: Float64Array.of(1), shape: [1, 1] };
  const stop = new AbortController();
  const found = Promise.allSettled([predict(batch), predict(batch, { signal: stop.signal }), predict(batch)]);
  stop.abort();
  assert.deepEqual(
    (await found).map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
  assert.equal(runs, 2);
});

test('bad calls are refused', async () => {
  assert.throws(() => fromOnnx({}), /fromOnnx takes an InferenceSession, not Object/);
  assert.throws(() => fromOnnx(garments, { label: ['a'] }), /no option "label"; did you mean "labels"/);
  assert.throws(() => fromOnnx(garments, { input: 'x' }), /input must be one of images, not "x"/);
  assert.throws(() => fromOnnx(garments, { labels: 'a' }), /labels must be an array of names, not "a"/);
  assert.throws(() => fromOnnx(garments, { softmax: 1 }), /softmax must be true or false, not 1/);
  const few = fromOnnx(garments, { labels: ['a', 'b'] });
  await assert.rejects(
    few({ data: new Float32Array(784), shape: [1, 1, 28, 28] }),
    /2 labels, but the model gives 10 numbers/,
  );
});
