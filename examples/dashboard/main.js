// A desk where loans are decided: a table of scores, the reasons of each, why two differ, and what decides on the whole.
// With a bundler this is 'linex/elements'; under a policy without inline scripts an import map could not say so.
import '../../js/elements.js';
import { chipFor, isApproved, make, nameOf, scores, setUpGrid, write } from './applicant-grid.js';
import { errorInWords, explainApplicant, explainEveryone, table } from './explain-applicant.js';
import {
  commonScale,
  compareRows,
  inColumnOrder,
  meanOf,
  sayChange,
  sayFidelity,
  sayMeans,
  sayWhy,
  signed,
} from './words.js';

const find = (id) => document.getElementById(id);
const everyone = scores.map((_, index) => index);

/** What has been explained, by applicant: asking again would give the same. @type {Map<number, any>} */
const explained = new Map();
/** @type {number | null} */
let chosen = null;
/** @type {number | null} */
let compared = null;
/** Ends what the reader no longer waits for. */
let waiting = new AbortController();

const grid = setUpGrid(find('grid'), {
  onChoose: (index) => show(index, null),
  onCompare: (index) => {
    if (chosen === null) show(index, null);
    else if (index !== chosen) show(chosen, index === compared ? null : index);
  },
});
find('uncompare').addEventListener('click', () => {
  show(chosen, null);
  find('panel').focus();
});

async function explanationOf(index, signal) {
  if (!explained.has(index))
    explained.set(index, await explainApplicant(index, { down: find('down').checked, signal }));
  return explained.get(index);
}

/** Opens the reasons of one applicant, or of the change to another. */
async function show(one, other) {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  [chosen, compared] = [one, other];
  grid.show(chosen, compared);
  find('panel-title').replaceChildren(
    ...(other === null
      ? [`Why ${nameOf(one)}?`]
      : ['Why did this change? ', make('span', { className: 'nowrap' }, `${nameOf(one)} → ${nameOf(other)}`)]),
  );
  find('panel-chip').replaceChildren(...(other === null ? [chipFor(one)] : []));
  find('panel').ariaBusy = 'true';
  try {
    const found = await Promise.all(
      [one, other].filter((index) => index !== null).map((i) => explanationOf(i, signal)),
    );
    if (signal.aborted) return;
    tell(find('error'), '');
    if (found.length === 1) showOne(found[0]);
    else showChange(found);
    find('why').parentElement.scrollTop = 0;
  } catch (error) {
    if (signal.aborted) return;
    for (const id of ['one', 'two']) find(id).hidden = true;
    find('why').textContent = 'There is no explanation.';
    tell(find('error'), errorInWords(error));
  } finally {
    if (!signal.aborted) arrive();
  }
}

function arrive() {
  find('panel').ariaBusy = 'false';
  // On a narrow screen the panel is below the table.
  if (matchMedia('(max-width: 1099px)').matches) find('panel').scrollIntoView({ block: 'start' });
}

function tell(place, words) {
  place.hidden = !words;
  place.textContent = words;
}

function showOne(explanation) {
  find('one').hidden = false;
  find('two').hidden = true;
  find('why').textContent = sayWhy(explanation);
  find('bars').explanation = explanation;
  find('fidelity').textContent = sayFidelity(explanation.fidelity);
  find('asked').textContent = `${write(explanation.queries.asked)} questions to the model`;
  find('warnings').hidden = explanation.warnings.length === 0;
  find('warnings').replaceChildren(...explanation.warnings.map((warning) => make('li', {}, warning)));
}

function showChange([from, to]) {
  const names = [chosen, compared].map(nameOf);
  const comparison = compareRows(from, to, table);
  find('one').hidden = true;
  find('two').hidden = false;
  find('why').textContent = sayChange(comparison, names);
  const scale = commonScale([from, to]);
  [from, to].forEach((explanation, i) => {
    const side = ['from', 'to'][i];
    find(`${side}-name`).textContent = names[i];
    find(`${side}-title`).replaceChildren(`${names[i]} `, chipFor([chosen, compared][i]));
    showBars(find(side), inColumnOrder(explanation), scale);
  });
  const value = ({ value, weight, silenced }) =>
    make('td', {}, write(value), make('small', {}, silenced ? 'undecided' : signed(weight)));
  find('parts').replaceChildren(
    ...comparison.parts.map((part) =>
      make('tr', {}, nameCell(part.name), value(part.from), value(part.to), changeCell(part.change)),
    ),
  );
  const sum = (name, change) => make('tr', {}, make('th', { scope: 'row', colSpan: 3 }, name), changeCell(change));
  find('sums').replaceChildren(
    sum('What the bars leave open', comparison.rest),
    sum('Change of the score', comparison.change),
  );
}

const nameCell = (name) => make('th', { scope: 'row' }, name);
const changeCell = (change) => {
  const words = signed(change);
  return make('td', { className: words === '0.00' ? 'number nil' : 'number' }, words === '0.00' ? '0' : words);
};

function showBars(bars, explanation, scale) {
  bars.setAttribute('full-weight', String(scale));
  bars.explanation = explanation;
}

// All of them.
const workers = Math.min(4, navigator.hardwareConcurrency || 1);
let running = null;
find('explain-all').textContent = `Explain all ${everyone.length}`;
find('progress').max = everyone.length;
find('status').textContent =
  `In ${workers === 1 ? 'one worker' : `${workers} workers`}; this page stays free meanwhile.`;
find('cancel').addEventListener('click', () => running?.abort());
find('explain-all').addEventListener('click', explainAll);
count(0);

function count(done) {
  find('progress').value = done;
  find('done').textContent = `${done} of ${everyone.length}`;
}

async function explainAll() {
  running = new AbortController();
  const { signal } = running;
  const results = new Map();
  setRunning(true);
  tell(find('all-error'), '');
  find('means').hidden = true;
  find('status').textContent = 'Explaining …';
  count(0);
  const start = performance.now();
  try {
    for await (const explanation of explainEveryone({ workers, signal, down: find('down').checked })) {
      results.set(results.size, explanation);
      count(results.size);
    }
    // What is on show stays the object it is.
    for (const [index, explanation] of results) if (!explained.has(index)) explained.set(index, explanation);
    showMeans(results);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    find('status').textContent = `All ${results.size} applicants explained in ${seconds} seconds.`;
  } catch (error) {
    find('status').textContent = signal.aborted
      ? `Canceled after ${results.size} of ${everyone.length}.`
      : `Stopped after ${results.size} of ${everyone.length}.`;
    if (!signal.aborted) tell(find('all-error'), errorInWords(error));
  } finally {
    setRunning(false);
  }
}

function setRunning(runs) {
  const held = document.activeElement;
  find('explain-all').disabled = runs;
  find('cancel').disabled = !runs;
  // The focus would be lost with the button that has it.
  if (held === find('explain-all') || held === find('cancel')) find(runs ? 'cancel' : 'explain-all').focus();
}

function showMeans(results) {
  const sides = { approved: everyone.filter(isApproved), declined: everyone.filter((index) => !isApproved(index)) };
  const means = Object.values(sides).map((indices) => meanOf(indices.map((index) => results.get(index))));
  find('means').hidden = false;
  find('means-words').textContent = sayMeans(means);
  Object.entries(sides).forEach(([side, indices], i) => {
    find(`${side}-title`).textContent = `Mean of ${indices.length} ${side}`;
    showBars(find(`mean-${side}`), means[i], commonScale(means));
  });
  const [approved, declined] = Object.values(sides).map(({ length }) => length);
  find('contradictions').replaceChildren(
    ...means[0].features.map(({ name, contradicting }, i) =>
      make(
        'tr',
        {},
        nameCell(name),
        make('td', { className: 'number' }, `${contradicting} of ${approved}`),
        make('td', { className: 'number' }, `${means[1].features[i].contradicting} of ${declined}`),
      ),
    ),
  );
}

find('count').textContent = String(everyone.length);
find('approved').textContent = String(everyone.filter(isApproved).length);
find('declined').textContent = String(everyone.filter((index) => !isApproved(index)).length);
find('mean').textContent = (scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(2);
document.documentElement.dataset.ready = 'true';
