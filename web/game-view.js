// The chart of the game: what each player adds to a weight, round by round.
import { element, select, svgElement } from './make-element.js';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [920, 300, 48, 16, 20, 40];
const NO_GAME =
  'There is no game to show: the method has none, the answers do not vary, or there are too many features.';

/**
 * Shows the rounds of the paper's Algorithm 1. Each player's part of a weight stays between −gamma and +gamma.
 *
 * @param {any} explanation
 * @param {{ trace: number[][][], converged: boolean, rounds: number, gamma: number } | null} gameTrace
 */
export function gameView(explanation, gameTrace) {
  if (!gameTrace) return element('p', { class: 'hint' }, NO_GAME);
  const playing = [...explanation.features].sort((a, b) => a.index - b.index);
  const chartBox = element('div', { class: 'chart' });
  const show = (index) => {
    const place = playing.findIndex((feature) => feature.index === Number(index));
    chartBox.replaceChildren(chart(gameTrace, place, playing[place]));
  };
  const choices = explanation.features.map(({ index, name }) => [index, name]);
  const first = explanation.features[0]?.index ?? 0;
  show(first);
  const end = gameTrace.converged
    ? `The game settled after ${gameTrace.rounds} rounds.`
    : `The game has not settled after ${gameTrace.rounds} rounds. linex follows the exact path of equilibria instead (${explanation.equilibrium.rounds} steps).`;
  return element(
    'div',
    {},
    element('p', { class: 'sentence' }, 'The game about ', select('Feature', choices, first, show)),
    chartBox,
    element('p', { class: 'hint' }, end),
  );
}

/** Draws the players of one feature and their sum. */
function chart({ trace, gamma }, place, feature) {
  const rounds = [trace[0].map((player) => player.map(() => 0)), ...trace];
  const sumOf = (round) => round.reduce((sum, player) => sum + player[place], 0);
  const players = rounds[0].map((_, i) => i);
  const values = rounds.flatMap((round) => [sumOf(round), ...round.map((player) => player[place])]);
  // Only the part of the picture that the lines use, and zero.
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const margin = 0.08 * (high - low) || 1;
  const x = (round) => LEFT + ((WIDTH - LEFT - RIGHT) * round) / Math.max(1, rounds.length - 1);
  const y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (high + margin - value)) / (high - low + 2 * margin);
  const visible = (value) => value >= low - margin && value <= high + margin;
  const line = (value, name) => svgElement('path', { class: name, d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}` });
  const path = (valueIn, name) =>
    svgElement('path', {
      class: name,
      d: rounds.map((round, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(valueIn(round)).toFixed(1)}`).join(''),
    });
  const label = (text, position) => svgElement('text', position, text);
  const marks = [[gamma, '+γ'], [0, '0'], [-gamma, '−γ']].filter(([value]) => visible(value)); // prettier-ignore
  const svg = svgElement(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: 'img',
      'aria-label': `What each player adds to the weight of ${feature.name}, round by round`,
    },
    ...marks.map(([value]) => line(value, value === 0 ? 'axis' : 'limit')),
    path(sumOf, 'sum'),
    ...players.map((i) => path((round) => round[i][place], `player player-${i % 6}`)),
    ...marks.map(([value, text]) => label(text, { x: LEFT - 10, y: y(value) + 5, 'text-anchor': 'end' })),
    label('round 0', { x: LEFT, y: HEIGHT - 10 }),
    label(`round ${rounds.length - 1}`, { x: WIDTH - RIGHT, y: HEIGHT - 10, 'text-anchor': 'end' }),
  );
  const key = element(
    'p',
    { class: 'key' },
    ...players.map((i) => element('span', { class: `swatch player-${i % 6}` }, `player ${i + 1}`)),
    element('span', { class: 'swatch sum' }, 'sum: the weight'),
  );
  return element('div', {}, svg, key);
}
