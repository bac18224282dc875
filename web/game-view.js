import { drawn, element, field, select } from './demo-dom.js';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 260, 56, 16, 16, 34];

/**
 * The paper's Algorithm 1 at work: what each player adds to a weight, round by round, between minus and plus gamma.
 *
 * @param {any} explanation
 * @param {{ trace: number[][][], converged: boolean, rounds: number, gamma: number } | null} watched
 */
export function gameView(explanation, watched) {
  if (!watched)
    return element(
      'p',
      {},
      'There is no game to watch: the method plays none, the answers do not vary, or too many features play.',
    );
  const playing = [...explanation.features].sort((a, b) => a.index - b.index);
  const rowOf = (index) => playing.findIndex((feature) => feature.index === index);
  const stage = element('div', { class: 'chart' });
  const show = (index) =>
    stage.replaceChildren(
      chart(
        watched,
        rowOf(Number(index)),
        playing.find((one) => one.index === Number(index)),
      ),
    );
  const choices = explanation.features.map(({ index, name, weight }) => [index, `${name} (${weight.toFixed(3)})`]);
  const first = explanation.features[0]?.index ?? 0;
  show(first);
  const end = watched.converged
    ? `It came to rest after ${watched.rounds} rounds.`
    : `After ${watched.rounds} rounds it has not come to rest; linex walks the exact path of equilibria instead (${explanation.equilibrium.rounds} steps).`;
  return element(
    'div',
    {},
    field('Feature', select(choices, first, show)),
    stage,
    element('p', { class: 'hint' }, end),
  );
}

/** One feature's players and their sum. */
function chart({ trace, gamma }, row, feature) {
  const rounds = [trace[0].map((player) => player.map(() => 0)), ...trace];
  const players = rounds[0].length;
  const most =
    Math.max(gamma, ...rounds.map((round) => Math.abs(round.reduce((sum, player) => sum + player[row], 0)))) * 1.1;
  const x = (round) => LEFT + ((WIDTH - LEFT - RIGHT) * round) / Math.max(1, rounds.length - 1);
  const y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (most - value)) / (2 * most);
  const line = (value, name) => drawn('path', { class: name, d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}` });
  const path = (of, name) =>
    drawn('path', {
      class: name,
      d: rounds.map((round, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(of(round)).toFixed(1)}`).join(''),
    });
  const words = (text, place) => drawn('text', place, text);
  const svg = drawn(
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
    words('+γ', { x: LEFT - 8, y: y(gamma) + 4, 'text-anchor': 'end' }),
    words('0', { x: LEFT - 8, y: y(0) + 4, 'text-anchor': 'end' }),
    words('−γ', { x: LEFT - 8, y: y(-gamma) + 4, 'text-anchor': 'end' }),
    words('round 0', { x: LEFT, y: HEIGHT - 10 }),
    words(String(rounds.length - 1), { x: WIDTH - RIGHT, y: HEIGHT - 10, 'text-anchor': 'end' }),
  );
  const key = element(
    'p',
    { class: 'key' },
    ...Array.from({ length: players }, (_, i) =>
      element('span', { class: `swatch player-${i % 6}` }, `player ${i + 1}`),
    ),
    element('span', { class: 'swatch sum' }, 'their sum: the weight'),
  );
  return element('div', {}, svg, key);
}
