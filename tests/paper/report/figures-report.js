// Turns the gamma figure, the synthetic functions and the convergence figure into blocks of the report.
import { plotsSVG } from './plots.js';

const number = (value) => value.toFixed(3);
const pair = (weights) => weights.map(number).join(', ');

/**
 * @param {object | null} figures  from synthetic.js
 * @param {(name: string) => import('./blocks.js').Block[]} text  the prose of a section
 * @returns {import('./blocks.js').Block[]}
 */
export function figureBlocks(figures, text) {
  if (!figures) return [];
  return [
    ...gammaBlocks(figures.gamma, text('gamma')),
    ...functionBlocks(figures, text('functions')),
    ...convergenceBlocks(figures.convergence, text('convergence')),
  ];
}

const figureOf = (figure, plot) => ({ figure, label: plot.title, svg: plotsSVG({ label: plot.title, plots: [plot] }) });

function gammaBlocks({ points }, prose) {
  const names = ['sepal length', 'sepal width', 'petal length', 'petal width'];
  const series = names.map((name, c) => ({ name, points: points.map((one) => [one.gamma, one.weights[c]]) }));
  return [
    { heading: 'Gamma' },
    ...prose,
    figureOf('gamma', { title: 'Attributions by gamma', x: 'gamma', y: 'weight', series }),
  ];
}

function functionBlocks({ sandwich, risingEdge }, prose) {
  return [
    { heading: 'Synthetic functions' },
    ...prose,
    { text: 'The sandwiched class, explained at the points a, b and c.' },
    {
      columns: ['point', 'LIME, small', 'LIME, large', 'LIME, both', 'LINEX'],
      rows: Object.entries(sandwich).map(([name, one]) => [
        ...[name, ...one.alone.map(pair), pair(one.together), pair(one.linex)],
      ]),
    },
    { text: 'The rising edge; the second row has the paper’s numbers.' },
    {
      columns: ['variance 0.5', 'variance 2', 'both', 'LINEX'],
      rows: [
        [...risingEdge.alone.map(pair), pair(risingEdge.together), pair(risingEdge.linex)],
        ['-0.033, 0.098', '0.084, 0.102', '0.029, 0.095', '0.0, 0.093'],
      ],
    },
    { text: 'How often x is eliminated:' },
    {
      columns: ['points per environment', 'x is eliminated', 'own fits disagree on x', 'mean weight of y'],
      rows: risingEdge.byCount.map(({ count, eliminated, opposed, y }) => [
        ...[String(count), number(eliminated), number(opposed), number(y)],
      ]),
    },
  ];
}

function convergenceBlocks({ trace }, prose) {
  const players = Array.from(trace[0].keys());
  const series = players.flatMap((player) =>
    ['x', 'y'].map((name, c) => ({
      name: `environment ${player + 1}, ${name}`,
      points: trace.map((standing, round) => [round + 1, standing[player][c]]),
    })),
  );
  return [
    { heading: 'Convergence' },
    ...prose,
    figureOf('convergence', { title: 'Algorithm 1', x: 'round', y: 'weight of a player', series }),
  ];
}
