// Writes the ONNX file of a softmax regression by hand, so that no Python is needed.

/** A number in base 128, as Protocol Buffers write it. */
function varint(value) {
  const bytes = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) + 128);
  }
}

const number = (field, value) => Buffer.concat([varint(8 * field), varint(value)]);
const bytes = (field, value) => Buffer.concat([varint(8 * field + 2), varint(value.length), value]);
const text = (field, value) => bytes(field, Buffer.from(value));
const message = (field, ...parts) => bytes(field, Buffer.concat(parts));

const FLOAT = 1;

/** A constant of floats. */
const constant = (name, dims, values) =>
  message(
    5,
    ...dims.map((side) => number(1, side)),
    ...[number(2, FLOAT), text(8, name), bytes(9, Buffer.from(Float32Array.from(values).buffer))],
  );

/** An input or output with any number of rows. */
function place(field, name, columns) {
  const shape = message(2, message(1, text(2, 'rows')), message(1, number(1, columns)));
  return message(field, text(1, name), message(2, message(1, number(1, FLOAT), shape)));
}

const node = (type, inputs, output) =>
  message(1, ...inputs.map((name) => text(1, name)), text(2, output), text(4, type));

/**
 * The file of a model: softmax(rows · weights + biases).
 *
 * @param {number[][]} weights  one array per column of the rows
 * @param {number[]} biases  one per class
 */
export function softmaxRegression(weights, biases) {
  const [columns, classes] = [weights.length, biases.length];
  const graph = [
    node('MatMul', ['rows', 'weights'], 'products'),
    node('Add', ['products', 'biases'], 'logits'),
    node('Softmax', ['logits'], 'probabilities'),
    text(2, 'softmax regression'),
    constant('weights', [columns, classes], weights.flat()),
    constant('biases', [classes], biases),
    place(11, 'rows', columns),
    place(12, 'probabilities', classes),
  ];
  const opset = message(8, text(1, ''), number(2, 13));
  return Buffer.concat([number(1, 8), text(2, 'linex tests'), message(7, ...graph), opset]);
}
