// Formats the results of the benchmark, as a table for the terminal or in Markdown.

/**
 * @typedef {object} Entry
 * @property {number} target  its number in bench-run.js; 0 for information only
 * @property {string} what
 * @property {string} of  the case
 * @property {number} [value]
 * @property {'times' | '%' | 'ms' | 's' | 'KB' | ''} [unit]
 * @property {{ most: number } | { least: number }} [aim]
 * @property {string} [note]
 * @property {string} [missing]  why it was not measured
 */

/** Formats a time with about three digits. @param {number} seconds */
export const milliseconds = (seconds) => `${digits(1000 * seconds)} ms`;

/** @param {number} value */
function digits(value) {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(size >= 10 ? 1 : size >= 0.1 ? 2 : 4);
}

/** @param {Entry} entry */
export function measured({ value, unit, missing }) {
  if (missing !== undefined || value === undefined) return 'not measured';
  if (unit === 'times') return `x ${digits(value)}`;
  return `${digits(value)}${unit === '%' ? '' : unit && ' '}${unit ?? ''}`;
}

/** @param {Entry} entry */
export function aimOf({ aim, unit }) {
  if (!aim) return '';
  const [sign, value] = 'most' in aim ? ['<=', aim.most] : ['>=', aim.least];
  return `${sign} ${value}${unit === '%' ? '%' : unit && unit !== 'times' ? ` ${unit}` : ''}`;
}

/**
 * Tells whether the aim was met; null if there is none or nothing was measured.
 *
 * @param {Entry} entry
 */
export function isMet({ value, aim, missing }) {
  if (!aim || missing !== undefined || value === undefined) return null;
  return 'most' in aim ? value <= aim.most : value >= aim.least;
}

/** @param {Entry} entry */
const verdict = (entry) => ({ true: 'met', false: 'SHORT', null: '' })[String(isMet(entry))];

const HEAD = ['', 'case', 'measured', 'target', '', 'times and remarks'];

/** @param {Entry} entry */
const cellsOf = (entry) => [
  entry.what,
  entry.of,
  measured(entry),
  aimOf(entry),
  verdict(entry),
  entry.missing ?? entry.note ?? '',
];

/**
 * @param {Entry[]} entries
 * @param {readonly string[]} titles  of the targets, by number
 */
const sectionsOf = (entries, titles) =>
  titles
    .map((title, target) => ({ title, rows: entries.filter((entry) => entry.target === target).map(cellsOf) }))
    .filter(({ rows }) => rows.length > 0);

/** Counts the aims that were met, missed and not measured. @param {Entry[]} entries */
export function countOf(entries) {
  const count = (met) => entries.filter((entry) => entry.aim && isMet(entry) === met).length;
  return `${count(true)} met, ${count(false)} short, ${count(null)} not measured`;
}

/**
 * @param {Entry[]} entries
 * @param {readonly string[]} titles
 * @param {string} machine
 */
export function formatText(entries, titles, machine) {
  const sections = sectionsOf(entries, titles);
  const all = [HEAD, ...sections.flatMap(({ rows }) => rows)];
  const widths = HEAD.map((_, c) => Math.max(...all.map((row) => row[c].length)));
  const line = (row) =>
    row
      .map((cell, c) => (c === 2 || c === 3 ? cell.padStart(widths[c]) : cell.padEnd(widths[c])))
      .join('  ')
      .trimEnd();
  const parts = sections.map(({ title, rows }) => [title, ...rows.map((row) => `  ${line(row)}`)].join('\n'));
  return [machine, `  ${line(HEAD)}`, ...parts, countOf(entries)].join('\n\n');
}

/** Formats one case of a cell, in bold if it misses its aim. @param {Entry} entry */
function caseOf(entry) {
  const text = `${entry.of} ${measured(entry)}${entry.missing === undefined ? '' : ` (${entry.missing})`}`;
  return isMet(entry) === false ? `**${text}**` : text;
}

/**
 * Returns a Markdown table with one row per measure and all its cases. Missed aims are bold.
 *
 * @param {Entry[]} entries
 * @param {readonly string[]} titles
 * @param {string} machine
 */
export function formatMarkdown(entries, titles, machine) {
  const line = (row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rows = titles.flatMap((title, target) => {
    const own = entries.filter((entry) => entry.target === target);
    const heads = [...new Set(own.map((entry) => JSON.stringify([entry.what, aimOf(entry)])))];
    const of = (head) => own.filter((entry) => JSON.stringify([entry.what, aimOf(entry)]) === head);
    return [
      ...(own.length ? [line([`**${title}**`, '', ''])] : []),
      ...heads.map((head) => line([...JSON.parse(head), of(head).map(caseOf).join('; ')])),
    ];
  });
  return [machine, '', line(['', 'target', 'measured']), '|---|---|---|', ...rows, '', countOf(entries)].join('\n');
}
