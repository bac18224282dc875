// Groups of segments: they are hidden together and explained as one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainImage } from 'linex';

/** Four squares in gray: 40, 80, 120, 160. */
const image = {
  ...{ width: 8, height: 8, channels: 1 },
  data: Uint8Array.from({ length: 64 }, (_, i) => 40 * (1 + Number(i % 8 > 3) + 2 * Number(i > 31))),
};
const labels = Array.from(image.data, (gray) => gray / 40 - 1);
const input = { type: 'uint8', layout: 'nhwc' };
/** The mean gray of each square, over 255. */
const squares = (data, from) => [0, 4, 32, 36].map((at) => data[from + at] / 255);
const predict = ({ data, shape: [count] }) =>
  Array.from({ length: count }, (_, i) => squares(data, i * 64).reduce((sum, gray) => sum + gray, 0));

test('segments of a group are hidden together, and weigh as much as both', async () => {
  const pairs = [];
  const watch = (batch) => {
    for (let i = 0; i < batch.shape[0]; i++) pairs.push(squares(batch.data, i * 64));
    return predict(batch);
  };
  const options = { segments: labels, hide: [0], input, ridge: 0 };
  const alone = await explainImage(image, predict, options);
  const joined = await explainImage(image, watch, { ...options, groups: [[3, 0]] });
  for (const [first, , , last] of pairs) assert.equal(first === 0, last === 0);
  assert.equal(joined.weights.length, 3);
  assert.deepEqual([...new Set(joined.labels)].sort(), [0, 1, 2]);
  assert.equal(joined.labels[0], joined.labels[63]);
  // 40 + 160, 80 and 120, and the same alone.
  const near = (found, expected) =>
    found.forEach((weight, i) => assert.ok(Math.abs(weight - expected[i] / 255) < 1e-6));
  near(joined.weights, [200, 80, 120]);
  near(alone.weights, [40, 80, 120, 160]);
});

test('bad groups of segments are refused by name, before the model is asked', async () => {
  const asked = () => assert.fail('the model was asked');
  const refused = (options, pattern) =>
    assert.rejects(explainImage(image, asked, { segments: labels, input, ...options }), pattern);
  await refused({ groups: 3 }, /^TypeError: groups must be an array of groups of segments, not 3/);
  await refused({ groups: [3] }, /^TypeError: groups\[0\] must be an array of segments, not 3/);
  await refused({ groups: [[0, 4]] }, /^RangeError: groups\[0\]\[1\] must be a whole number from 0 to 3, not 4/);
  await refused({ groups: [[0, 1], [1, 2]] }, /^RangeError: groups\[1\]\[0\] must be a segment that is not listed before, not 1/); // prettier-ignore
  await refused({ groups: [[0, 1]], unit: 'pixel', segments: undefined }, /^RangeError: groups are for segments/);
});
