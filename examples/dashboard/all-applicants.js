// The view of all applicants: explains them in a pool, and shows which facts move the scores, for whom, and who shows it best.
import { summarize } from '../../js/index.js';
import { show } from './applicant-panel.js';
import { describeGroups, isApproved, nameOf, signed, summaryLabels } from './dashboard-text.js';
import { describeError, explainAllApplicants } from './explain-applicant.js';
import { applicants } from './loans.js';
import { badgeFor, find, make, setMessage } from './page-parts.js';

const workers = Math.min(4, navigator.hardwareConcurrency || 1);
const count = applicants.length;
/** Aborts the run. @type {AbortController | null} */
let running = null;

/**
 * Sets up the view.
 *
 * @param {{ isDown: () => boolean, onExplained: (explanations: any[]) => void }} handlers  onExplained: gets those of all applicants
 */
export function setUpAll(handlers) {
  find('explain-all').textContent = `Explain all ${count}`;
  find('progress').max = count;
  find('status').textContent =
    `Finds the reasons for all ${count} in the background. You can go on with the applicants meanwhile.`;
  find('cancel').addEventListener('click', () => running?.abort());
  find('explain-all').addEventListener('click', () => explainAll(handlers));
  showProgress(0);
}

/** @param {number} done */
function showProgress(done) {
  find('progress').value = done;
  find('done').textContent = `${done} of ${count}`;
  find('nav-done').textContent = running ? ` ${done}/${count}` : '';
}

/** @param {Parameters<typeof setUpAll>[0]} handlers */
async function explainAll({ isDown, onExplained }) {
  running = new AbortController();
  const { signal } = running;
  const explanations = [];
  setRunning(true);
  setMessage(find('all-error'), '');
  find('summary').hidden = true;
  find('status').textContent = 'Explaining. You can go on with the applicants meanwhile.';
  showProgress(0);
  const start = performance.now();
  try {
    for await (const explanation of explainAllApplicants({ workers, signal, down: isDown() })) {
      explanations.push(explanation);
      showProgress(explanations.length);
    }
    onExplained(explanations);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    find('status').textContent = `All ${count} applicants explained in ${seconds} seconds.`;
    find('explain-all').textContent = 'Explain again';
    find('explain-all').className = '';
    showSummary(explanations);
  } catch (error) {
    find('status').textContent =
      `${signal.aborted ? 'Canceled' : 'Stopped'} after ${explanations.length} of ${count}. No summary was made.`;
    if (!signal.aborted) setMessage(find('all-error'), describeError(error));
  } finally {
    running = null;
    setRunning(false);
    find('nav-done').textContent = '';
  }
}

/** @param {boolean} isRunning */
function setRunning(isRunning) {
  const focused = document.activeElement;
  find('promise').hidden = isRunning || !find('summary').hidden;
  find('explain-all').hidden = isRunning;
  find('cancel').hidden = !isRunning;
  find('meter').hidden = !isRunning;
  // A hidden button loses the focus, so move it to the other one.
  if (focused === find('explain-all') || focused === find('cancel')) find(isRunning ? 'cancel' : 'explain-all').focus();
}

/** @param {any[]} explanations */
function showSummary(explanations) {
  const groups = explanations.map((_, index) => (isApproved(index) ? 'approved' : 'declined'));
  const summary = summarize(explanations, { groups, representatives: 4, features: 2 });
  find('summary').hidden = false;
  const ofGroup = (name) => explanations.filter((_, index) => groups[index] === name);
  find('summary-said').textContent = describeGroups(summary, {
    approved: ofGroup('approved'),
    declined: ofGroup('declined'),
  });
  show('importance', { labels: summaryLabels, summary });
  show('swarm', { labels: summaryLabels, explanations });
  const groupOf = (name) => summary.groups.find((group) => group.name === name);
  const [approved, declined] = ['approved', 'declined'].map(groupOf);
  find('approved-head').textContent = `${approved.count} approved`;
  find('declined-head').textContent = `${declined.count} declined`;
  find('groups').replaceChildren(
    ...summary.features.map(({ name }, i) =>
      make(
        'tr',
        {},
        make('th', { scope: 'row' }, name),
        signCell(approved.features[i]),
        signCell(declined.features[i]),
      ),
    ),
  );
  find('typical').replaceChildren(
    ...summary.representatives.map(({ index }) => typicalCase(explanations[index], index)),
  );
}

/** For how many a fact raises or lowers the score. @param {any} feature */
function signCell({ signs: { raises, lowers, unsure, none } }) {
  const counts = make('td', {}, make('span', { className: 'up' }, `↑ ${raises}`), ' ');
  counts.append(make('span', { className: 'down' }, `↓ ${lowers}`));
  if (unsure + none > 0) counts.append(make('small', {}, `${unsure + none} unsure or none`));
  return counts;
}

/** A link to an applicant who shows some facts at work. @param {any} explanation @param {number} index */
function typicalCase({ features }, index) {
  const sure = features.filter(
    ({ contributionInterval }) => !contributionInterval || contributionInterval[0] * contributionInterval[1] > 0,
  );
  const names = sure
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .slice(0, 3)
    .map(({ name, contribution }) => `${name} ${signed(contribution)}`);
  return make(
    'li',
    {},
    make('a', { href: `#${nameOf(index)}` }, nameOf(index)),
    badgeFor(index),
    make('span', { className: 'hint' }, names.join(', ')),
  );
}
