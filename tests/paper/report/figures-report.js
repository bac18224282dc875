// Turns the gamma figure, the synthetic functions and the convergence figure into blocks of the report.

const number = (value) => value.toFixed(3);
const pair = (weights) => weights.map(number).join(', ');

/** @param {object | null} figures  from synthetic.js @returns {import('./blocks.js').Block[]} */
export function figureBlocks(figures) {
  if (!figures) return [];
  return [...gammaBlocks(figures.gamma), ...functionBlocks(figures), ...convergenceBlocks(figures.convergence)];
}

function gammaBlocks({ gamma, points, constantFrom }) {
  const names = ['sepal length', 'sepal width', 'petal length', 'petal width'];
  const series = names.map((name, c) => ({ name, points: points.map((one) => [one.gamma, one.weights[c]]) }));
  const [least, most] = [Math.min(...constantFrom), Math.max(...constantFrom)];
  return [
    { heading: 'Gamma' },
    {
      text:
        `One iris; its default gamma is ${number(gamma)}. For each of the ${constantFrom.length} flowers, attributions are` +
        ` constant above some share of the default gamma. This share is ${number(least)} to ${number(most)}; in the paper it is a half.`,
    },
    { plots: [{ title: 'Attributions by gamma', x: 'gamma', y: 'weight', series }] },
  ];
}

function functionBlocks({ sandwich, risingEdge }) {
  return [
    { heading: 'Synthetic functions' },
    { text: 'The sandwiched class, explained at three points (x, y).' },
    {
      columns: ['point', 'LIME, small', 'LIME, large', 'LIME, both', 'LINEX'],
      rows: Object.entries(sandwich).map(([name, one]) => [
        ...[name, ...one.alone.map(pair), pair(one.together), pair(one.linex)],
      ]),
    },
    { text: 'The rising edge, explained at (1, 0); the second row has the paper’s numbers.' },
    {
      columns: ['variance 0.5', 'variance 2', 'both', 'LINEX'],
      rows: [
        [...risingEdge.alone.map(pair), pair(risingEdge.together), pair(risingEdge.linex)],
        ['-0.033, 0.098', '0.084, 0.102', '0.029, 0.095', '0.0, 0.093'],
      ],
    },
    { text: 'How often x is eliminated, over 40 seeds:' },
    {
      columns: ['points per environment', 'x is eliminated', 'own fits disagree on x', 'mean weight of y'],
      rows: risingEdge.byCount.map(({ count, eliminated, opposed, y }) => [
        ...[String(count), number(eliminated), number(opposed), number(y)],
      ]),
    },
  ];
}

function convergenceBlocks({ trace, rounds, gamma }) {
  const players = Array.from(trace[0].keys());
  const series = players.flatMap((player) =>
    ['x', 'y'].map((name, c) => ({
      name: `environment ${player + 1}, ${name}`,
      points: trace.map((standing, round) => [round + 1, standing[player][c]]),
    })),
  );
  return [
    { heading: 'Convergence' },
    { text: `Algorithm 1 on the rising edge: ${rounds} rounds, gamma ${number(gamma)}.` },
    { plots: [{ title: 'Algorithm 1', x: 'round', y: 'weight of a player', series }] },
  ];
}
