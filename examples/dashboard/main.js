// The dashboard: a table of scores, the reasons for each score, why two scores differ, and the means over all
// applicants.
//
// With a bundler, import 'linex/elements' instead. A strict policy forbids the inline import map that would allow it here.
import '../../js/elements.js';
import { compare } from '../../js/index.js';
import { chipFor, format, isApproved, make, nameOf, scores, setUpGrid } from './applicant-grid.js';
import { describeError, explainAllApplicants, explainApplicant } from './explain-applicant.js';
import {
  describeChange,
  describeDecision,
  describeFidelity,
  describeMeans,
  fullWeightOf,
  inColumnOrder,
  labelsFor,
  meanOf,
  signed,
} from './dashboard-text.js';

const find = (id) => document.getElementById(id);
const indices = scores.map((_, index) => index);

/** The explanations so far, by applicant. Another run would give the same ones. @type {Map<number, any>} */
const explained = new Map();
/** @type {number | null} */
let chosen = null;
/** @type {number | null} */
let compared = null;
/** Aborts the explanation that is no longer shown. */
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

/** Shows the reasons for one applicant, or for the difference to another. */
async function show(index, otherIndex) {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  [chosen, compared] = [index, otherIndex];
  grid.show(chosen, compared);
  find('panel-title').replaceChildren(
    ...(otherIndex === null
      ? [`Why ${nameOf(index)}?`]
      : ['Why do they differ? ', make('span', { className: 'nowrap' }, `${nameOf(index)} → ${nameOf(otherIndex)}`)]),
  );
  find('panel-chip').replaceChildren(...(otherIndex === null ? [chipFor(index)] : []));
  find('panel').ariaBusy = 'true';
  try {
    const found = await Promise.all([index, otherIndex].filter((i) => i !== null).map((i) => explanationOf(i, signal)));
    if (signal.aborted) return;
    setMessage(find('error'), '');
    if (found.length === 1) showOne(found[0]);
    else showChange(found);
    find('why').parentElement.scrollTop = 0;
  } catch (error) {
    if (signal.aborted) return;
    for (const id of ['one', 'two']) find(id).hidden = true;
    find('why').textContent = 'No explanation is available.';
    setMessage(find('error'), describeError(error));
  } finally {
    if (!signal.aborted) finishShowing();
  }
}

function finishShowing() {
  find('panel').ariaBusy = 'false';
  // On a narrow screen the panel is below the table.
  if (matchMedia('(max-width: 1099px)').matches) find('panel').scrollIntoView({ block: 'start' });
}

function setMessage(element, message) {
  element.hidden = !message;
  element.textContent = message;
}

function showOne(explanation) {
  find('one').hidden = false;
  find('two').hidden = true;
  find('why').textContent = describeDecision(explanation);
  showBars(find('bars'), explanation);
  find('fidelity').textContent = describeFidelity(explanation.fidelity);
  find('asked').textContent = `${format(explanation.queries.asked)} queries to the model`;
}

function showChange([from, to]) {
  const names = [chosen, compared].map(nameOf);
  const comparison = compare(from, to);
  find('one').hidden = true;
  find('two').hidden = false;
  find('why').textContent = describeChange(comparison, names);
  const fullWeight = fullWeightOf([from, to]);
  [from, to].forEach((explanation, i) => {
    const side = ['from', 'to'][i];
    find(`${side}-name`).textContent = names[i];
    find(`${side}-title`).replaceChildren(`${names[i]} `, chipFor([chosen, compared][i]));
    showBars(find(side), inColumnOrder(explanation), fullWeight);
  });
  const value = ({ value, contribution, sure }) =>
    make('td', {}, format(value), make('small', {}, sure ? signed(contribution) : 'unsure'));
  const parts = [...comparison.features].sort((a, b) => a.index - b.index);
  find('parts').replaceChildren(
    ...parts.map((part) => {
      const change = part.sure || !part.change ? changeCell(part.change) : unsureCell();
      return make('tr', {}, nameCell(part.name), value(part.from), value(part.to), change);
    }),
  );
  const sum = (name, change) => make('tr', {}, make('th', { scope: 'row', colSpan: 3 }, name), changeCell(change));
  find('sums').replaceChildren(
    sum('Not explained by the bars', comparison.reference + comparison.rest),
    sum('Difference of the scores', comparison.change),
  );
}

const nameCell = (name) => make('th', { scope: 'row' }, name);
const changeCell = (change) => {
  const text = signed(change);
  return make('td', { className: text === '0.00' ? 'number nil' : 'number' }, text === '0.00' ? '0' : text);
};

const unsureCell = () => make('td', { className: 'number nil' }, 'unsure');

function showBars(bars, explanation, fullWeight) {
  if (fullWeight !== undefined) bars.setAttribute('full-weight', String(fullWeight));
  bars.labels = labelsFor(explanation);
  bars.explanation = explanation;
}

// The explanation of all applicants.
const workers = Math.min(4, navigator.hardwareConcurrency || 1);
let running = null;
find('explain-all').textContent = `Explain all ${indices.length}`;
find('progress').max = indices.length;
find('status').textContent =
  `Uses ${workers === 1 ? 'one worker' : `${workers} workers`}, so this page stays responsive.`;
find('cancel').addEventListener('click', () => running?.abort());
find('explain-all').addEventListener('click', explainAll);
showProgress(0);

function showProgress(done) {
  find('progress').value = done;
  find('done').textContent = `${done} of ${indices.length}`;
}

async function explainAll() {
  running = new AbortController();
  const { signal } = running;
  const results = new Map();
  setRunning(true);
  setMessage(find('all-error'), '');
  find('means').hidden = true;
  find('status').textContent = 'Explaining …';
  showProgress(0);
  const start = performance.now();
  try {
    for await (const explanation of explainAllApplicants({ workers, signal, down: find('down').checked })) {
      results.set(results.size, explanation);
      showProgress(results.size);
    }
    // Keep the objects that are already shown.
    for (const [index, explanation] of results) if (!explained.has(index)) explained.set(index, explanation);
    showMeans(results);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    find('status').textContent = `All ${results.size} applicants explained in ${seconds} seconds.`;
  } catch (error) {
    find('status').textContent = signal.aborted
      ? `Canceled after ${results.size} of ${indices.length}.`
      : `Stopped after ${results.size} of ${indices.length}.`;
    if (!signal.aborted) setMessage(find('all-error'), describeError(error));
  } finally {
    setRunning(false);
  }
}

function setRunning(isRunning) {
  const focused = document.activeElement;
  find('explain-all').disabled = isRunning;
  find('cancel').disabled = !isRunning;
  // A disabled button loses the focus, so move it to the other one.
  if (focused === find('explain-all') || focused === find('cancel')) find(isRunning ? 'cancel' : 'explain-all').focus();
}

function showMeans(results) {
  const sides = { approved: indices.filter(isApproved), declined: indices.filter((index) => !isApproved(index)) };
  const means = Object.values(sides).map((members) => meanOf(members.map((index) => results.get(index))));
  find('means').hidden = false;
  find('means-text').textContent = describeMeans(means);
  Object.entries(sides).forEach(([side, members], i) => {
    find(`${side}-title`).textContent = `Mean of ${members.length} ${side}`;
    showBars(find(`mean-${side}`), means[i], fullWeightOf(means));
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

find('count').textContent = String(indices.length);
find('approved').textContent = String(indices.filter(isApproved).length);
find('declined').textContent = String(indices.filter((index) => !isApproved(index)).length);
find('mean').textContent = (scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(2);
document.documentElement.dataset.ready = 'true';
