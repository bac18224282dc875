// The chart of the game: what each player adds to a weight, round by round.
import { element, field, select, svgElement } from './make-element.js';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 260, 56, 16, 16, 34];

/**
 * Shows the rounds of the paper's Algorithm 1. Each player's part of a weight stays between −gamma and +gamma.
 *
 * @param {any} explanation
 * @param {{ trace: number[][][], converged: boolean, rounds: number, gamma: number } | null} gameTrace
 */
export function gameView(explanation, gameTrace) {
  if (!gameTrace)
    return element(
      'p',
      {},
      'There is no game to show: the method has none, the answers do not vary, or there are too many features.',
    );
  const playing = [...explanation.features].sort((a, b) => a.index - b.index);
  const rowOf = (index) => playing.findIndex((feature) => feature.index === index);
  const chartBox = element('div', { class: 'chart' });
  const show = (index) =>
    chartBox.replaceChildren(
      chart(
        gameTrace,
        rowOf(Number(index)),
        playing.find((feature) => feature.index === Number(index)),
      ),
    );
  const choices = explanation.features.map(({ index, name, weight }) => [index, `${name} (${weight.toFixed(3)})`]);
  const first = explanation.features[0]?.index ?? 0;
  show(first);
  const end = gameTrace.converged
    ? `The game settled after ${gameTrace.rounds} rounds.`
    : `The game has not settled after ${gameTrace.rounds} rounds. linex follows the exact path of equilibria instead (${explanation.equilibrium.rounds} steps).`;
  return element(
    'div',
    {},
    field('Feature', select(choices, first, show)),
    chartBox,
    element('p', { class: 'hint' }, end),
  );
}

/** Draws the players of one feature and their sum. */
function chart({ trace, gamma }, row, feature) {
  const rounds = [trace[0].map((player) => player.map(() => 0)), ...trace];
  const players = rounds[0].length;
  const largest =
    Math.max(gamma, ...rounds.map((round) => Math.abs(round.reduce((sum, player) => sum + player[row], 0)))) * 1.1;
  const x = (round) => LEFT + ((WIDTH - LEFT - RIGHT) * round) / Math.max(1, rounds.length - 1);
  const y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (largest - value)) / (2 * largest);
  const line = (value, name) => svgElement('path', { class: name, d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}` });
  const path = (valueIn, name) =>
    svgElement('path', {
      class: name,
      d: rounds.map((round, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(valueIn(round)).toFixed(1)}`).join(''),
    });
  const label = (text, position) => svgElement('text', position, text);
  const svg = svgElement(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: 'img',
      'aria-label': `What each player adds to the weight of ${feature.name}, round by round`,
    },
    line(0, 'axis'),
    line(gamma, 'limit'),
    line(-gamma, 'limit'),
    path((round) => round.reduce((sum, player) => sum + player[row], 0), 'sum'),
    ...Array.from({ length: players }, (_, i) => path((round) => round[i][row], `player player-${i % 6}`)),
    label('+γ', { x: LEFT - 8, y: y(gamma) + 4, 'text-anchor': 'end' }),
    label('0', { x: LEFT - 8, y: y(0) + 4, 'text-anchor': 'end' }),
    label('−γ', { x: LEFT - 8, y: y(-gamma) + 4, 'text-anchor': 'end' }),
    label('round 0', { x: LEFT, y: HEIGHT - 10 }),
    label(String(rounds.length - 1), { x: WIDTH - RIGHT, y: HEIGHT - 10, 'text-anchor': 'end' }),
  );
  const key = element(
    'p',
    { class: 'key' },
    ...Array.from({ length: players }, (_, i) =>
      element('span', { class: `swatch player-${i % 6}` }, `player ${i + 1}`),
    ),
    element('span', { class: 'swatch sum' }, 'sum (the weight)'),
  );
  return element('div', {}, svg, key);
}
