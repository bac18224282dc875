// The panel of one applicant: the decision, its reasons, what would lead to approval, and the technical view.
import {
  barLabels,
  capitalize,
  describeDecision,
  isApproved,
  nameOf,
  recourseFormat,
  recourseLabels,
  scoreFormat,
  scores,
  waterfallLabels,
  writeScore,
  writeValue,
} from './dashboard-text.js';
import { adviseApplicant, describeError } from './explain-applicant.js';
import { applicants, columns } from './loans.js';
import { badgeFor, find, make, setMessage, trackFor } from './page-parts.js';

/** Shows who it is about and what was decided, before there are reasons. @param {number} index */
export function showDecision(index) {
  find('panel-title').textContent = nameOf(index);
  find('decision').replaceChildren(badgeFor(index));
  find('said').textContent = describeDecision(scores[index]);
  find('score').textContent = writeScore(scores[index]);
  find('track').replaceChildren(trackFor(index));
  find('facts').replaceChildren(
    ...columns.map((column, c) =>
      make(
        'div',
        {},
        make('dt', {}, capitalize(column)),
        make('dd', {}, capitalize(writeValue(applicants[index][c], c))),
      ),
    ),
  );
}

/** Shows the reasons of a decision. @param {any} explanation @param {number} index */
export function showReasons(explanation, index) {
  show('bars', { labels: barLabels(explanation), explanation });
  show('waterfall', { labels: waterfallLabels(index), explanation });
  show('slopes', { labels: barLabels(explanation), explanation });
  const { method, preset, fidelity, queries, reference, seed } = explanation;
  const facts = {
    Method: [method.toUpperCase(), preset && `preset ${preset}`].filter(Boolean).join(', '),
    'R² of the fit': writeScore(fidelity),
    'Queries to the model': queries.asked.toLocaleString('en'),
    Seed: String(seed),
    'Fit at the average': writeScore(reference.localPrediction),
    'Fit at this applicant': writeScore(explanation.localPrediction),
  };
  find('technical-facts').replaceChildren(
    ...Object.entries(facts).map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))),
  );
}

/** Sets properties of an element of linex, the subject last. @param {string} id @param {Record<string, any>} properties */
export function show(id, properties) {
  Object.assign(find(id), { answerFormat: scoreFormat, ...properties });
}

/** The columns that may change, as the reader has chosen them. */
const chosenChanges = () => [...document.querySelectorAll('#may input:checked')].map((input) => input.value);

/** What was found so far, by applicant and columns. @type {Map<string, Promise<any>>} */
const found = new Map();
let waiting = new AbortController();

/**
 * Shows what would lead to approval, for a declined applicant.
 *
 * @param {number} index
 * @param {any} explanation
 * @param {boolean} down  whether the scoring service has failed
 */
export async function showAdvice(index, explanation, down) {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  find('advice').hidden = isApproved(index);
  find('technical-advice').textContent = '';
  if (isApproved(index)) return;
  const may = chosenChanges();
  setMessage(find('advice-error'), may.length === 0 ? 'Choose at least one thing that may change.' : '');
  find('recourse').hidden = true;
  if (may.length === 0) return;
  const key = `${index} ${may.join()}`;
  find('advice').ariaBusy = 'true';
  try {
    if (!found.has(key)) found.set(key, await adviseApplicant(index, { explanation, may, down, signal }));
    if (signal.aborted) return;
    find('recourse').hidden = false;
    const result = found.get(key);
    show('recourse', { labels: recourseLabels, answerFormat: recourseFormat(result), recourse: result });
    const { explain, search } = result.queries;
    find('technical-advice').textContent =
      `Queries for “What would lead to approval?”: ${explain.toLocaleString('en')} to explain again where the search came closest, ${search} to search.`;
  } catch (error) {
    if (!signal.aborted) setMessage(find('advice-error'), describeError(error));
  } finally {
    if (!signal.aborted) find('advice').ariaBusy = 'false';
  }
}

/** Forgets the search that is no longer shown. */
export function hideAdvice() {
  waiting.abort();
}
