// Formats what the bench measured: a table for the terminal, and Markdown for web/docs/ideas/bench.md.

/**
 * @typedef {object} Entry
 * @property {number} target  its number in bench-run.js; 0 for information only
 * @property {string} what
 * @property {string} of  the case
 * @property {string} [column]  its column in the table, if the case is measured in several engines
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
  entry.column ? `${entry.of}, ${entry.column}` : entry.of,
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

/**
 * A Markdown page with one section per target and one row per case. Missed targets are bold.
 *
 * @param {Entry[]} entries
 * @param {readonly string[]} titles
 * @param {string} machine
 */
export function formatMarkdown(entries, titles, machine) {
  const sections = titles.flatMap((title, target) => {
    const ofTarget = entries.filter((entry) => entry.target === target);
    if (ofTarget.length === 0) return [];
    const columns = [...new Set(ofTarget.map(({ column }) => column ?? 'measured'))];
    return [`## ${title}`, alignTable([['measure', 'case', ...columns, 'target'], ...rowsOf(ofTarget, columns)])];
  });
  return [machine, `${countOf(entries)}.`, ...sections].join('\n\n');
}

/** One row per measure and case, with a cell per column. @param {Entry[]} entries @param {string[]} columns */
function rowsOf(entries, columns) {
  /** @type {Map<string, { first: Entry, cells: string[] }>} */
  const rows = new Map();
  for (const [i, entry] of entries.entries()) {
    // Only entries with a column share a row.
    const key = entry.column === undefined ? String(i) : `${entry.what}, ${entry.of}`;
    if (!rows.has(key)) rows.set(key, { first: entry, cells: columns.map(() => '') });
    rows.get(key).cells[columns.indexOf(entry.column ?? 'measured')] = shown(entry);
  }
  return [...rows.values()].map(({ first, cells }) =>
    [first.what, first.of, ...cells, aimOf(first)].map((cell) => cell.replaceAll('|', '\\|')),
  );
}

/** @param {Entry} entry */
function shown(entry) {
  const text = `${measured(entry)}${entry.missing === undefined ? '' : ` (${entry.missing})`}`;
  return isMet(entry) === false ? `**${text}**` : text;
}

/** Pads the cells of a Markdown table, as Prettier does. @param {string[][]} rows  the first is the head */
function alignTable([head, ...rows]) {
  const widths = head.map((_, c) => Math.max(3, ...[head, ...rows].map((row) => row[c].length)));
  const line = (cells) => `| ${cells.map((cell, c) => cell.padEnd(widths[c])).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** The entries that miss their target, as a section. @param {Entry[]} entries */
function formatShort(entries) {
  const short = entries.filter((entry) => isMet(entry) === false);
  if (short.length === 0) return '';
  const rows = short
    .map((entry) => cellsOf(entry).slice(0, 4))
    .map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  return `\n\n## Short of the target\n\n${alignTable([['measure', 'case', 'measured', 'target'], ...rows])}`;
}

/**
 * The page that `npm run bench -- --write` makes.
 *
 * @param {Entry[]} entries
 * @param {readonly string[]} titles
 * @param {string} machine  when and on what it was measured
 */
export const formatPage = (entries, titles, machine) => `<!-- Made by \`npm run bench -- --write\`. Do not edit. -->

# The last full run of the bench

[How fast](how-fast.md) says what is compared, and how. Figures that miss their target are bold.

${formatMarkdown(entries, titles, machine)}${formatShort(entries)}
`;
