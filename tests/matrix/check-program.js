// What each environment of the matrix computes: a row, a text, Shapley values and an image, which use six WebAssembly files.
//
// It is written into every environment as check.js, so it imports nothing.

/**
 * Explains four things, and returns their weights as text. The same seed gives the same bits in every environment.
 *
 * @param {typeof import('../../js/index.js')} linex
 */
export async function check({ describeTable, explainImage, explainRow, explainText }) {
  const rows = Array.from({ length: 40 }, (_, i) => [i % 5, (i * i) % 7, (i * 3) % 11]);
  const table = await describeTable(rows);
  const scores = (batch) => Array.from(batch, ([a, b, c]) => a - 2 * b + (a * c) / 10);
  const row = await explainRow(rows[3], scores, { table, samples: 200 });
  const lengths = (texts) => texts.map((text) => text.length + (text.includes('love') ? 5 : 0));
  const text = await explainText('a moving tale of love and loss in a small town by the sea', lengths);
  const shares = await explainText('a moving tale of love', lengths, { method: 'shap' });
  const data = Uint8Array.from({ length: 24 * 24 * 3 }, (_, i) => (i * 7) % 256);
  const corner = ({ data: pixels, shape: [count] }) =>
    Array.from({ length: count }, (_, i) => pixels[(i * pixels.length) / count + 100]);
  const options = { segments: { kind: 'grid', count: 9 }, samples: 100 };
  const image = await explainImage({ data, width: 24, height: 24, channels: 3 }, corner, options);
  return JSON.stringify([row, text, shares, image].map(({ weights }) => weights));
}
