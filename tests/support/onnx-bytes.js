// Writes small ONNX models, so that adapters meet shapes and types that the demo's networks do not have.

/** The element types of ONNX by their names here. */
const TYPES = { float32: 1, uint8: 2, int32: 6, int64: 7, string: 8, float64: 11 };

const varint = (value) => {
  const bytes = [];
  let left = BigInt(value);
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return Uint8Array.from([...bytes, Number(left)]);
};
const join = (...parts) => Buffer.concat(parts.flat(Infinity));
/** A field with a number. */
const number = (field, value) => join(varint(field * 8), varint(value));
/** A field with bytes, text or a message. */
const field = (index, ...content) => {
  const bytes = typeof content[0] === 'string' ? Buffer.from(content[0]) : join(content);
  return join(varint(index * 8 + 2), varint(bytes.length), bytes);
};

/** An input or output. A side that is text may be any. */
const place = (index, { name, type = 'float32', shape }) =>
  field(
    index,
    field(1, name),
    field(
      2,
      field(
        1,
        number(1, TYPES[type]),
        field(
          2,
          shape.map((side) => field(1, typeof side === 'string' ? field(2, side) : number(1, side))),
        ),
      ),
    ),
  );

const constant = ({ name, dims, data }) =>
  field(
    5,
    dims.map((side) => number(1, side)),
    number(2, TYPES.float32),
    field(8, name),
    field(9, Buffer.from(Float32Array.from(data).buffer)),
  );

const node = ({ op, inputs, outputs, attributes = {} }) =>
  field(
    1,
    inputs.map((name) => field(1, name)),
    outputs.map((name) => field(2, name)),
    field(4, op),
    Object.entries(attributes).map(([name, value]) => field(5, field(1, name), number(3, value), number(20, 2))),
  );

/**
 * Returns the bytes of a model.
 *
 * @param {{ nodes: { op: string, inputs: string[], outputs: string[], attributes?: Record<string, number> }[],
 *   constants?: { name: string, dims: number[], data: number[] }[],
 *   inputs: { name: string, type?: string, shape: (string | number)[] }[],
 *   outputs: { name: string, type?: string, shape: (string | number)[] }[] }} graph
 * @returns {Uint8Array}
 */
export function onnxBytes({ nodes, constants = [], inputs, outputs }) {
  const graph = field(
    7,
    nodes.map(node),
    field(2, 'graph'),
    constants.map(constant),
    inputs.map((one) => place(11, one)),
    outputs.map((one) => place(12, one)),
  );
  return new Uint8Array(join(number(1, 8), graph, field(8, field(1, ''), number(2, 13))));
}
