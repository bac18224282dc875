// The game of two environments about two weights, which a reader plays one move at a time. linex computes the moves.
import { siteURL } from './site-url.js';

const FEATURES = ['income', 'age'];
const START = { gamma: 0.3, wishes: [[0.3, 0.08], [0.25, -0.05]] }; // prettier-ignore
const [WIDTH, ROW, MIDDLE] = [640, 96, 320];
/** Pixels per unit of a weight. */
const SCALE = 400;
const SVG = 'http://www.w3.org/2000/svg';

const make = (tag, attributes = {}, ...content) => {
  const node = Object.assign(document.createElement(tag), attributes);
  node.append(...content);
  return node;
};
const draw = (tag, attributes, ...content) => {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...content);
  return node;
};
const say = (value) => `${value < 0 ? '−' : value > 0 ? '+' : ''}${Math.abs(value).toFixed(2)}`;
const NOTHING = [[0, 0], [0, 0]]; // prettier-ignore

/** Returns the state after each move: what both players add. The first state is before the game. */
async function playGame({ gamma, wishes }) {
  const { load, solveGame } = await import(/* @vite-ignore */ siteURL('js/index.js'));
  await load();
  const identity = [1, 0, 0, 1];
  const rules = { grams: [identity, identity], targets: wishes, gamma };
  const { trace } = solveGame({ ...rules, solver: 'best-response', trace: true });
  const states = [NOTHING];
  // A round is a move of the first player and one of the second.
  for (const [first, second] of trace) states.push([[...first], states.at(-1)[1]], [[...first], [...second]]);
  return states;
}

/** One feature: the wishes as ticks, what the players add as bars, and the weight as a diamond. */
function drawFeature(place, wishes, parts, gamma) {
  const top = place * ROW;
  const x = (value) => MIDDLE + SCALE * value;
  const bar = (value, player) =>
    draw('rect', {
      class: `part-${player}`,
      ...{ x: x(Math.min(0, value)), y: top + 22 + 22 * player, width: Math.abs(SCALE * value), height: 16 },
    });
  const wish = (value, player) => draw('path', { class: 'wish', d: `M${x(value)} ${top + 18 + 22 * player}v24` });
  const weight = parts[0] + parts[1];
  return [
    draw('text', { x: 0, y: top + 46 }, FEATURES[place]),
    draw('path', { class: 'axis', d: `M${MIDDLE} ${top + 14}v62` }),
    ...[-gamma, gamma].map((limit) => draw('path', { class: 'limit', d: `M${x(limit)} ${top + 14}v52` })),
    ...parts.map(bar),
    ...wishes.map(wish),
    draw('path', { class: 'sum', d: `M${x(weight)} ${top + 66}l7 7-7 7-7-7z` }),
    draw('text', { x: WIDTH - 4, y: top + 46, 'text-anchor': 'end' }, `weight ${say(weight)}`),
  ];
}

function drawState(parts, { wishes, gamma }) {
  const label = FEATURES.map((name, f) => `${name}: weight ${say(parts[0][f] + parts[1][f])}`).join(', ');
  const rows = FEATURES.flatMap((_, f) => drawFeature(f, wishes.map((wish) => wish[f]), parts.map((part) => part[f]), gamma)); // prettier-ignore
  return draw('svg', { viewBox: `0 0 ${WIDTH} ${2 * ROW}`, role: 'img', 'aria-label': label }, ...rows);
}

/** A move in words. */
function sayMove(states, move) {
  if (move === 0) return 'Nobody has moved. Both weights are 0.';
  const player = (move - 1) % 2;
  const [before, now] = [states[move - 1][player], states[move][player]];
  const changes = FEATURES.map((name, f) =>
    before[f] === now[f] ? '' : `${name} from ${say(before[f])} to ${say(now[f])}`,
  );
  const changed = changes.filter(Boolean).join(' and ');
  const end = move === states.length - 1 ? ' Nobody wants to move: the game has ended.' : '';
  return `Move ${move}, player ${player + 1}: ${changed ? `changes ${changed}.` : 'changes nothing.'}${end}`;
}

function slider(label, value, [min, max], onInput) {
  const shown = make('span', { textContent: say(value) });
  const input = make('input', { type: 'range', min, max, step: 0.01, value, ariaLabel: label });
  input.addEventListener('input', () => {
    shown.textContent = say(Number(input.value));
    onInput(Number(input.value));
  });
  return make('label', {}, make('span', {}, `${label}: `, shown), input);
}

/** Fills a box with the game. @param {HTMLElement} box */
export function makeGame(box) {
  const rules = structuredClone(START);
  let states;
  let move = 0;
  const picture = make('div');
  const told = make('p');
  told.setAttribute('role', 'status');
  const next = make('button', { type: 'button', textContent: 'Next move' });
  const again = make('button', { type: 'button', textContent: 'Start again' });
  const show = () => {
    picture.replaceChildren(drawState(states?.[move] ?? NOTHING, rules));
    told.textContent = sayMove(states ?? [NOTHING], move);
    next.disabled = Boolean(states) && move === states.length - 1;
    box.dataset.move = String(move);
  };
  const reset = () => {
    states = undefined;
    move = 0;
    show();
  };
  next.addEventListener('click', async () => {
    states ??= await playGame(rules);
    move++;
    show();
  });
  again.addEventListener('click', reset);
  const wish = (player, f) =>
    slider(`Player ${player + 1} wishes for ${FEATURES[f]}`, rules.wishes[player][f], [-0.4, 0.4], (value) => {
      rules.wishes[player][f] = value;
      reset();
    });
  const limit = slider('gamma', rules.gamma, [0.02, 0.4], (value) => {
    rules.gamma = value;
    reset();
  });
  const key = make('p', {}, 'Bars: what player 1 (above) and player 2 (below) add. Ticks: what each wishes the weight to be. Dashed: plus and minus gamma. Diamond: the weight.'); // prettier-ignore
  box.classList.add('game');
  box.append(
    make('fieldset', {}, wish(0, 0), wish(1, 0), wish(0, 1), wish(1, 1), limit),
    ...[picture, key, make('div', { className: 'live-bar' }, next, again), told],
  );
  show();
}
