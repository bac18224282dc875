// The table of applicants: sorting, selection and keyboard control.
import { applicants, columns, scoreApplicant } from './loans.js';

/** @param {number} index @returns {string}  the name of an applicant on the page */
export const nameOf = (index) => `A-${String(index + 1).padStart(3, '0')}`;

export const scores = applicants.map(scoreApplicant);
export const isApproved = (index) => scores[index] >= 0.5;

const numberFormat = new Intl.NumberFormat('en');
/** Formats a value for the page. @param {unknown} value @returns {string} */
export const format = (value) => (typeof value === 'number' ? numberFormat.format(value) : String(value));

/** Creates a score with its decision: a sign, a number, and a word for screen readers. */
export function chipFor(index) {
  const approved = isApproved(index);
  const chip = make('span', { className: `chip ${approved ? 'yes' : 'no'}` });
  const mark = make('span', { textContent: approved ? '✓' : '✕', ariaHidden: 'true' });
  const word = make('span', { className: 'hidden', textContent: approved ? ' approved' : ' declined' });
  chip.append(mark, ` ${scores[index].toFixed(2)}`, word);
  return chip;
}

/**
 * Creates an element.
 *
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(string | Node)} content
 */
export function make(tag, properties = {}, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

// A narrow screen hides some columns; the explanation still shows them.
const COLUMNS = [
  { title: 'Applicant', valueOf: (index) => index, show: nameOf },
  { title: 'Score', valueOf: (index) => scores[index], show: chipFor },
  ...columns.map((title, c) => ({
    title: title[0].toUpperCase() + title.slice(1),
    valueOf: (index) => applicants[index][c],
    show: (index) => format(applicants[index][c]),
    className: [c > 1 && 'extra', c > 4 && 'late', typeof applicants[0][c] === 'number' && 'number']
      .filter(Boolean)
      .join(' '),
  })),
];

const byValue = (a, b) => (typeof a === 'string' ? a.localeCompare(b, 'en') : a - b);

/**
 * Sets up the table. Its headings sort it. It is one tab stop; the arrow keys move between the rows and to the button that
 * compares a row.
 *
 * @param {HTMLTableElement} grid
 * @param {{ onChoose: (index: number) => void, onCompare: (index: number) => void }} handlers
 * @returns {{ show: (chosen: number | null, compared: number | null) => void }}
 */
export function setUpGrid(grid, { onChoose, onCompare }) {
  const body = grid.tBodies[0];
  const rows = applicants.map((_, index) => rowFor(index));
  rows[0].tabIndex = 0;

  const headings = COLUMNS.map((column, c) => {
    const button = make('button', { type: 'button' }, column.title);
    const heading = make('th', { scope: 'col', className: column.className ?? '' }, button);
    button.addEventListener('click', () => sortBy(c, heading.ariaSort === 'ascending' ? -1 : 1));
    return heading;
  });
  grid.tHead.rows[0].append(
    ...headings,
    make('th', { scope: 'col' }, make('span', { className: 'hidden' }, 'Compare')),
  );

  function sortBy(c, direction) {
    headings.forEach(
      (heading, h) => (heading.ariaSort = h !== c ? 'none' : direction > 0 ? 'ascending' : 'descending'),
    );
    const { valueOf } = COLUMNS[c];
    rows.sort((a, b) => direction * byValue(valueOf(indexOf(a)), valueOf(indexOf(b))) || indexOf(a) - indexOf(b));
    body.append(...rows);
  }
  sortBy(0, 1);

  const focusRow = (row) => {
    for (const other of rows) other.tabIndex = other === row ? 0 : -1;
    row.focus();
  };
  body.addEventListener('click', ({ target }) => {
    const row = target.closest('tr');
    if (target.closest('button')) return onCompare(indexOf(row));
    focusRow(row);
    return onChoose(indexOf(row));
  });
  body.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const row = target.closest('tr');
    const button = row.querySelector('button');
    const position = rows.indexOf(row);
    const moves = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (Object.hasOwn(moves, key)) focusRow(rows[Math.max(0, Math.min(rows.length - 1, position + moves[key]))]);
    else if (key === 'ArrowRight') button.focus();
    else if (key === 'ArrowLeft') focusRow(row);
    else if ((key === 'Enter' || key === ' ') && target === row) onChoose(indexOf(row));
    else return;
    event.preventDefault();
  });

  return {
    show(chosen, compared) {
      for (const row of rows) {
        row.ariaSelected = String(indexOf(row) === chosen);
        row.classList.toggle('compared', indexOf(row) === compared);
        row.querySelector('button').ariaPressed = String(indexOf(row) === compared);
      }
    },
  };
}

const indexOf = (row) => Number(row.dataset.index);

/** @param {number} index */
function rowFor(index) {
  const row = make('tr', { tabIndex: -1, ariaSelected: 'false' });
  row.dataset.index = String(index);
  const cells = COLUMNS.map(({ show, className = '' }) => make('td', { className }, show(index)));
  const compare = make('button', { type: 'button', tabIndex: -1, className: 'compare', ariaPressed: 'false' });
  compare.append(make('span', { className: 'word' }, 'Compare'), make('span', { className: 'sign' }, '⇄'));
  compare.ariaLabel = `Compare ${nameOf(index)}`;
  row.append(...cells, make('td', {}, compare));
  return row;
}
