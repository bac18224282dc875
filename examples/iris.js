// Explains a random forest's answer for one iris with LINEX and LIME, and compares both with the nearest flowers.
import process from 'node:process';
import { coefficientInconsistency, describeTable, explainRow, renderTerminal, signConflict } from 'linex';
import { classes, columns, trainIrisForest } from './iris-forest.js';

const target = 'versicolor';
const { train, test, predict, accuracy } = trainIrisForest();
const table = await describeTable(
  train.map(({ row }) => row),
  { columns },
);

/** Explains one flower with all methods. The model is asked once; the other methods reuse its answers. */
async function explainAll(row, seed) {
  const answers = [];
  const ask = (batch) => answers[answers.push(predict(batch)) - 1];
  const replay = () => {
    let next = 0;
    return () => answers[next++];
  };
  // Answers can be reused only for the same samples, which are not those of every preset.
  const options = { table, classes, target, seed, sampling: 'independent' };
  return {
    linex: await explainRow(row, ask, { ...options, preset: 'paper' }),
    steady: await explainRow(row, replay(), options),
    lime: await explainRow(row, replay(), { ...options, method: 'lime', preset: 'paper' }),
  };
}

function sideBySide(left, right) {
  const rows = [left.split('\n'), right.split('\n')];
  const height = Math.max(rows[0].length, rows[1].length);
  return Array.from({ length: height }, (_, i) => `${rows[0][i] ?? ''}   ${rows[1][i] ?? ''}`.trimEnd()).join('\n');
}

const isWide = (process.stdout.columns ?? 160) >= 150;
const color = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
const join = (left, right) => (isWide ? sideBySide(left, right) : `${left}\n\n${right}`);

// The flower about which the forest is least certain, and the three nearest to it.
const scores = predict(test.map(({ row }) => row)).map((answer) => answer[classes.indexOf(target)]);
const hardest = scores.reduce((best, score, i) => (Math.abs(score - 0.5) < Math.abs(scores[best] - 0.5) ? i : best), 0);
const distance = (a, b) => Math.hypot(...a.map((value, c) => value - b[c]));
const near = test
  .map((_, i) => i)
  .filter((i) => i !== hardest)
  .sort((a, b) => distance(test[a].row, test[hardest].row) - distance(test[b].row, test[hardest].row))
  .slice(0, 3);

console.log(
  `A random forest on Fisher's irises (100 trees, ${Math.round(100 * accuracy)} % right on 30 unseen flowers).`,
);
console.log(
  `Why is its answer for "${target}" ${scores[hardest]}, for the flower ${test[hardest].row.join(', ')} cm?\n`,
);

const here = await explainAll(test[hardest].row, 0);
const there = [];
for (const [i, flower] of near.entries()) there.push(await explainAll(test[flower].row, i + 1));

/** Draws both explanations of a flower on the same scale, each under its name. */
function draw({ linex, lime }) {
  const sizes = [linex, lime].flatMap(({ features }) => features.map(({ contribution }) => Math.abs(contribution)));
  const layout = { width: 76, color, fullWeight: Math.max(...sizes) };
  const [left, right] = [linex, lime].map((one) => {
    const name = one.method.toUpperCase().padEnd(layout.width);
    return `${name}\n${renderTerminal(one, layout)}`;
  });
  return join(left, right);
}
console.log(draw(here));
console.log(`\nThe nearest flower (${test[near[0]].row.join(', ')} cm):\n`);
console.log(draw(there[0]));

console.log('\nOver this flower and the three nearest to it:\n');
console.log(`${' '.repeat(34)}    LIME   LINEX   LINEX, 60 games, uncertain signs silenced`);
const row = (label, digits, measure) => {
  const cells = ['lime', 'linex', 'steady'].map((method) => measure(method).toFixed(digits).padStart(8));
  console.log(label.padEnd(34) + cells.join(''));
};
const weights = (method) => [here, ...there].map((all) => all[method].weights);
const change = (method) => coefficientInconsistency(here[method].weights, weights(method).slice(1));
row('share of contradicting signs', 3, (method) => signConflict(weights(method)));
row('change of the weights (L1)', 3, change);
row('fidelity (weighted R²)', 3, (method) => here[method].fidelity);
row('queries per flower', 0, () => here.linex.queries.asked);
console.log(
  '\nBars: what each value adds to the answer of the average flower, █ for and ▒ against; then the number and its 95 %',
);
console.log('interval. All methods used the same 1,000 answers per flower.');
