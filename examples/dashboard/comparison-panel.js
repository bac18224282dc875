// The panel of two applicants: why their scores differ, and what each of them said.
import { compare } from '../../js/index.js';
import { show } from './applicant-panel.js';
import { capitalize, comparisonLabels, nameOf, scores, signed, writeScore, writeValue } from './dashboard-text.js';
import { applicants, columns } from './loans.js';
import { badgeFor, find, make } from './page-parts.js';

/** Shows whom it is about. @param {readonly [number, number]} indices */
export function showPair(indices) {
  const [from, to] = indices;
  const change = scores[to] - scores[from];
  find('pair-title').textContent = `${nameOf(from)} and ${nameOf(to)}`;
  const size = writeScore(Math.abs(change));
  find('pair-said').textContent =
    size === '0.00'
      ? `Both score ${writeScore(scores[to])}.`
      : `${nameOf(to)} scores ${size} ${change < 0 ? 'less' : 'more'} than ${nameOf(from)}.`;
  find('pair-head').replaceChildren(
    make('th', { scope: 'col' }, make('span', { className: 'hidden' }, 'Fact')),
    ...indices.map((index) => make('th', { scope: 'col' }, nameOf(index), badgeFor(index))),
  );
  const lineFor = (name, [first, second]) =>
    make(
      'tr',
      { className: first === second ? 'same' : '' },
      make('th', { scope: 'row' }, name),
      make('td', {}, first),
      make('td', {}, second),
    );
  find('pair-facts').replaceChildren(
    ...columns.map((column, c) =>
      lineFor(
        capitalize(column),
        indices.map((index) => capitalize(writeValue(applicants[index][c], c))),
      ),
    ),
    lineFor(
      'Score',
      indices.map((index) => writeScore(scores[index])),
    ),
  );
}

/** Shows why the scores differ. @param {readonly any[]} explanations @param {readonly [number, number]} indices */
export function showComparison([from, to], indices) {
  const comparison = compare(from, to);
  show('comparison', { labels: comparisonLabels(indices), names: indices.map(nameOf), comparison });
  // What the two fits do not share is one bar of the picture.
  find('pair-technical').textContent =
    `R² of the two fits: ${writeScore(from.fidelity)} and ${writeScore(to.fidelity)}. ` +
    `Of the part that is not explained, ${signed(comparison.reference)} is the difference of the two fits at the average applicant, ` +
    `and ${signed(comparison.rest)} the difference of their errors. ` +
    `Queries to the model: ${(from.queries.asked + to.queries.asked).toLocaleString('en')}.`;
}
