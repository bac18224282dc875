// The dashboard: applicants with their decisions, the reasons for each, why two differ, and what moves the scores of all.
//
// With a bundler, import 'linex/elements' and 'linex/charts' instead. A strict policy forbids the inline import map that
// would allow it here.
import '../../js/elements.js';
import '../../js/charts.js';
import { setUpAll } from './all-applicants.js';
import { FILTERS, setUpGrid } from './applicant-grid.js';
import { hideAdvice, showAdvice, showDecision, showReasons } from './applicant-panel.js';
import { showComparison, showPair } from './comparison-panel.js';
import { isApproved, nameOf, scores } from './dashboard-text.js';
import { describeError, explainApplicant } from './explain-applicant.js';
import { find, setMessage } from './page-parts.js';

/** The explanations so far, by applicant. Another run would give the same ones. @type {Map<number, any>} */
const explained = new Map();
/** What is shown. A declined applicant needs reasons most, so the first one of them is shown at first. */
let state = { view: 'desk', chosen: scores.findIndex((_, index) => !isApproved(index)), compared: null };
/** Aborts the explanation that is no longer shown. */
let waiting = new AbortController();

const isDown = () => find('down').checked;
const grid = setUpGrid(find('grid'), {
  onChoose: (index) => go({ chosen: index, compared: null }),
  onCompare: (index) => {
    if (index !== state.chosen) go({ compared: index === state.compared ? null : index });
  },
});
setUpAll({
  isDown,
  // Keep the objects that are already shown.
  onExplained: (all) => all.forEach((one, index) => !explained.has(index) && explained.set(index, one)),
});

/** Reads the address: `#A-002`, `#A-002,A-006` for a comparison, or `#all`. Anything else changes nothing. */
function readAddress() {
  const indexOf = (digits) => (Number(digits) >= 1 && Number(digits) <= scores.length ? Number(digits) - 1 : null);
  const [, first, second] = /^#A-(\d{3})(?:,A-(\d{3}))?$/.exec(location.hash) ?? [];
  if (location.hash === '#all') return { view: 'all' };
  const chosen = first === undefined ? null : indexOf(first);
  if (chosen === null) return { view: 'desk' };
  const compared = second === undefined ? null : indexOf(second);
  return { view: 'desk', chosen, compared: compared === chosen ? null : compared };
}

const addressOf = ({ view, chosen, compared }) =>
  view === 'all'
    ? '#all'
    : `#${[chosen, compared]
        .filter((index) => index !== null)
        .map(nameOf)
        .join()}`;

/** Shows something else, and makes it the page's address. @param {Partial<typeof state>} change */
function go(change) {
  state = { ...state, view: 'desk', ...change };
  history.pushState(null, '', addressOf(state));
  show().then(revealPanel);
}

/** Shows what the state says. */
async function show() {
  const { view } = state;
  find('desk').hidden = view !== 'desk';
  find('all').hidden = view !== 'all';
  find('to-desk').ariaCurrent = view === 'desk' ? 'page' : 'false';
  find('to-all').ariaCurrent = view === 'all' ? 'page' : 'false';
  find('to-desk').href = addressOf({ ...state, view: 'desk' });
  if (view === 'desk') await showCase(state);
}

/** Shows the reasons for one applicant, or for the difference to another. @param {typeof state} state */
async function showCase({ chosen, compared }) {
  waiting.abort();
  hideAdvice();
  waiting = new AbortController();
  const { signal } = waiting;
  const indices = [chosen, compared].filter((index) => index !== null);
  grid.show(chosen, compared);
  find('one').hidden = compared !== null;
  find('two').hidden = compared === null;
  if (compared === null) showDecision(chosen);
  else showPair(indices);
  find('panel').ariaBusy = 'true';
  try {
    const found = await Promise.all(indices.map((index) => explanationOf(index, signal)));
    if (signal.aborted) return;
    setMessage(find('error'), '');
    find('reasons').hidden = find('comparison').hidden = false;
    if (compared !== null) showComparison(found, indices);
    else {
      showReasons(found[0], chosen);
      showAdvice(chosen, found[0], isDown());
    }
  } catch (error) {
    if (signal.aborted) return;
    find('reasons').hidden = find('comparison').hidden = true;
    setMessage(find('error'), describeError(error));
  } finally {
    if (!signal.aborted) find('panel').ariaBusy = 'false';
  }
}

async function explanationOf(index, signal) {
  if (!explained.has(index)) explained.set(index, await explainApplicant(index, { down: isDown(), signal }));
  return explained.get(index);
}

/** On a narrow screen the panel is below the table. */
function revealPanel() {
  if (matchMedia('(max-width: 1023px)').matches) find('panel').scrollIntoView({ block: 'start' });
  else scrollTo({ top: 0 });
}

find('uncompare').addEventListener('click', () => {
  go({ compared: null });
  find('panel').focus({ preventScroll: true });
});
find('swap').addEventListener('click', () => go({ chosen: state.compared, compared: state.chosen }));
find('to-list').addEventListener('click', () => {
  find('list').scrollIntoView({ block: 'start' });
  grid.focus();
});
find('may').addEventListener('change', () => showAdvice(state.chosen, explained.get(state.chosen), isDown()));
for (const name of Object.keys(FILTERS)) {
  const many = scores.filter((_, index) => FILTERS[name](index)).length;
  find(`count-${name}`).textContent = String(many);
  find(`filter-${name}`).addEventListener('change', () => grid.filter(name));
}
addEventListener('popstate', () => {
  state = { ...state, ...readAddress() };
  show();
});

state = { ...state, ...readAddress() };
show();
document.documentElement.dataset.ready = 'true';
