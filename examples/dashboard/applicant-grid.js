// The table of applicants: sorting, filtering, selection and keyboard control.
import { capitalize, isApproved, nameOf, scores, writeScore, writeValue } from './dashboard-text.js';
import { applicants, columns } from './loans.js';
import { badgeFor, make } from './page-parts.js';

// A narrow table hides some columns; the panel still shows them.
const COLUMNS = [
  { title: 'Applicant', valueOf: (index) => index, show: nameOf },
  { title: 'Score', valueOf: (index) => scores[index], show: (index) => badgeFor(index, writeScore(scores[index])) },
  ...columns.map((title, c) => ({
    title: capitalize(title),
    valueOf: (index) => applicants[index][c],
    show: (index) => writeValue(applicants[index][c], c),
    className: [c > 1 && 'extra', c > 4 && 'late', typeof applicants[0][c] === 'number' && 'number']
      .filter(Boolean)
      .join(' '),
  })),
];

const byValue = (a, b) => (typeof a === 'string' ? a.localeCompare(b, 'en') : a - b);

/** Which applicants each filter shows. @type {Record<string, (index: number) => boolean>} */
export const FILTERS = {
  all: () => true,
  declined: (index) => !isApproved(index),
  approved: isApproved,
};

/**
 * Sets up the table. Its headings sort it. It is one tab stop; the arrow keys move between the rows and to the button that
 * compares a row.
 *
 * @param {HTMLTableElement} grid
 * @param {{ onChoose: (index: number) => void, onCompare: (index: number) => void }} handlers
 * @returns {{ show: (chosen: number | null, compared: number | null) => void, filter: (name: string) => void, focus: () => void }}
 */
export function setUpGrid(grid, { onChoose, onCompare }) {
  const body = grid.tBodies[0];
  const rows = applicants.map((_, index) => rowFor(index));
  rows[0].tabIndex = 0;
  const visible = () => rows.filter((row) => !row.hidden);
  const setStop = (row) => {
    for (const other of rows) other.tabIndex = other === row ? 0 : -1;
  };
  const focusRow = (row) => {
    setStop(row);
    row.focus();
  };
  addHeadings(grid, rows);
  body.addEventListener('click', ({ target }) => {
    const row = target.closest('tr');
    if (target.closest('button')) return onCompare(indexOf(row));
    focusRow(row);
    return onChoose(indexOf(row));
  });
  body.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const row = target.closest('tr');
    const shown = visible();
    const moves = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (Object.hasOwn(moves, key))
      focusRow(shown[Math.max(0, Math.min(shown.length - 1, shown.indexOf(row) + moves[key]))]);
    else if (key === 'ArrowRight') row.querySelector('button').focus();
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
      reveal(rows.find((row) => indexOf(row) === (compared ?? chosen)));
    },
    filter(name) {
      for (const row of rows) row.hidden = !FILTERS[name](indexOf(row));
      const shown = visible();
      if (!shown.some(({ tabIndex }) => tabIndex === 0)) setStop(shown[0]);
    },
    focus: () => rows.find(({ tabIndex }) => tabIndex === 0)?.focus(),
  };
}

/** Adds the headings, which sort the rows. @param {HTMLTableElement} grid @param {HTMLTableRowElement[]} rows */
function addHeadings(grid, rows) {
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
    grid.tBodies[0].append(...rows);
  }
  sortBy(0, 1);
}

/** Scrolls the table, but not the page, so that a row is visible. @param {HTMLTableRowElement | undefined} row */
function reveal(row) {
  const box = row?.closest('.scroll');
  if (!box) return;
  const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
  const top = outer.top + row.closest('table').tHead.offsetHeight;
  if (inner.top < top || inner.bottom > outer.bottom) box.scrollTop += inner.top - (top + outer.bottom) / 2;
}

const indexOf = (row) => Number(row.dataset.index);

/** @param {number} index */
function rowFor(index) {
  const row = make('tr', { tabIndex: -1, ariaSelected: 'false' });
  row.dataset.index = String(index);
  const cells = COLUMNS.map(({ show, className = '' }) => make('td', { className }, show(index)));
  const compare = make('button', { type: 'button', tabIndex: -1, className: 'compare', ariaPressed: 'false' }, '⇄');
  compare.ariaLabel = `Compare ${nameOf(index)}`;
  compare.title = `Compare with ${nameOf(index)}`;
  row.append(...cells, make('td', {}, compare));
  return row;
}
