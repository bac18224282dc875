// A graph of TensorFlow.js that is known in full: z = x A + b, for tests in Node and in pages.

/** The slopes, row by row, and the intercepts. */
export const SLOPES = [1, -2, 0.5, 0.25, -1, 3];
export const INTERCEPTS = [0.5, -0.5];

/** The two logits of a row. @param {readonly number[]} row */
export const logitsOf = ([x, y, z]) =>
  [0, 1].map((c) => x * SLOPES[c] + y * SLOPES[2 + c] + z * SLOPES[4 + c] + INTERCEPTS[c]);

const sides = (...sizes) => ({ shape: { dim: sizes.map((size) => ({ size })) } });
const constant = (name, ...shape) => ({
  ...{ name, op: 'Const' },
  attr: { dtype: { type: 'DT_FLOAT' }, value: { tensor: { dtype: 'DT_FLOAT', tensorShape: sides(...shape).shape } } },
});

/**
 * What `loadGraphModel` takes for the graph. The softmax of z is the output p.
 *
 * @param {number} [count]  the batch size; -1 is any
 * @param {readonly string[]} [outputs]  z, p or both
 */
export function graphSource(count = -1, outputs = ['z']) {
  const modelTopology = {
    node: [
      { name: 'x', op: 'Placeholder', attr: { dtype: { type: 'DT_FLOAT' }, shape: sides(count, 3) } },
      constant('a', 3, 2),
      constant('b', 2),
      { name: 'm', op: 'MatMul', input: ['x', 'a'], attr: {} },
      { name: 'z', op: 'AddV2', input: ['m', 'b'], attr: {} },
      { name: 'p', op: 'Softmax', input: ['z'], attr: {} },
    ],
    versions: { producer: 1 },
  };
  const weightSpecs = [
    { name: 'a', shape: [3, 2], dtype: 'float32' },
    { name: 'b', shape: [2], dtype: 'float32' },
  ];
  const signature = {
    inputs: { x: { name: 'x:0', dtype: 'DT_FLOAT', tensorShape: sides(count, 3).shape } },
    outputs: Object.fromEntries(outputs.map((name) => [name, { name: `${name}:0`, dtype: 'DT_FLOAT' }])),
  };
  const weightData = Float32Array.from([...SLOPES, ...INTERCEPTS]).buffer;
  return { load: async () => ({ modelTopology, weightSpecs, weightData, signature, format: 'graph-model' }) };
}
