import { applicants, columns, scoreApplicant } from './loans.js';

/** @param {number} index @returns {string}  what the desk calls an applicant */
export const nameOf = (index) => `A-${String(index + 1).padStart(3, '0')}`;

export const scores = applicants.map(scoreApplicant);
export const isApproved = (index) => scores[index] >= 0.5;

const numbers = new Intl.NumberFormat('en');
/** @param {unknown} value @returns {string} */
export const write = (value) => (typeof value === 'number' ? numbers.format(value) : String(value));

/** A score with its decision: a sign, a number, and a word for who hears the page. */
export function chipFor(index) {
  const approved = isApproved(index);
  const chip = make('span', { className: `chip ${approved ? 'yes' : 'no'}` });
  const mark = make('span', { textContent: approved ? '✓' : '✕', ariaHidden: 'true' });
  const word = make('span', { className: 'hidden', textContent: approved ? ' approved' : ' declined' });
  chip.append(mark, ` ${scores[index].toFixed(2)}`, word);
  return chip;
}

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(string | Node)} content
 */
export function make(tag, properties = {}, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

// What a narrow screen leaves out is in the explanation all the same.
const COLUMNS = [
  { title: 'Applicant', of: (index) => index, show: nameOf },
  { title: 'Score', of: (index) => scores[index], show: chipFor },
  ...columns.map((title, c) => ({
    title: title[0].toUpperCase() + title.slice(1),
    of: (index) => applicants[index][c],
    show: (index) => write(applicants[index][c]),
    className: [c > 1 && 'extra', c > 4 && 'late', typeof applicants[0][c] === 'number' && 'number']
      .filter(Boolean)
      .join(' '),
  })),
];

const byValue = (a, b) => (typeof a === 'string' ? a.localeCompare(b, 'en') : a - b);

/**
 * The table of applicants: sorted by its headings; one stop for the keyboard, arrows between the rows and to a row's
 * button for the comparison.
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
    const { of } = COLUMNS[c];
    rows.sort((a, b) => direction * byValue(of(indexOf(a)), of(indexOf(b))) || indexOf(a) - indexOf(b));
    body.append(...rows);
  }
  sortBy(0, 1);

  const go = (row) => {
    for (const other of rows) other.tabIndex = other === row ? 0 : -1;
    row.focus();
  };
  body.addEventListener('click', ({ target }) => {
    const row = target.closest('tr');
    if (target.closest('button')) return onCompare(indexOf(row));
    go(row);
    return onChoose(indexOf(row));
  });
  body.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const row = target.closest('tr');
    const button = row.querySelector('button');
    const place = rows.indexOf(row);
    const moves = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key in moves) go(rows[Math.max(0, Math.min(rows.length - 1, place + moves[key]))]);
    else if (key === 'ArrowRight') button.focus();
    else if (key === 'ArrowLeft') go(row);
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
