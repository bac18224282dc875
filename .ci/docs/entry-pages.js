// Writes an entry with an example for every option and for every field of a result: what the reference says, and a script.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeStaged } from './pages.js';
import { findUsages } from './usages.js';

const root = new URL('../../', import.meta.url);

/** The sections of results.md: how their fields are reached, and the types that declare them. */
const RESULTS = {
  'The explanation': ['', /^(Explanation|TextParts|ImageParts)$/],
  'A feature': ['features[].', /^(Feature|RowPlace|ImagePlace|TextFeature|ImageFeature|RowFeature)$/],
  reference: ['reference.', /^Reference$/],
  equilibrium: ['equilibrium.', /^Equilibrium$/],
  queries: ['queries.', /^Queries$/],
  Summaries: ['summary.', /^Summary(Feature|Group)?$/],
  Comparisons: ['comparison.', /^Comparison$/],
  Progress: ['progress.', /^Progress$/],
  Recourse: ['recourse.', /^Recourse$/],
};

/** The types of the options of the `explain…` calls. */
const EXPLAINING =
  /^(Solve|Ask|Call|Method|Many|Shap|RowShap|Sample|Token|Compose|Image|RowNeighborhood|TextNeighborhood|ImageNeighborhood)Options$/;

/**
 * A name that readers look up.
 *
 * @typedef {object} Entry
 * @property {string} shown  such as `features[].weight`
 * @property {string} name
 * @property {string[]} facts  what the tables say about it, as `heading: text`
 * @property {RegExp} owners  of the types that declare it
 * @property {string} section
 */

/** The cells of a row of a table. */
const cellsOf = (line) => line.slice(1, line.lastIndexOf('|')).split(/(?<!\\)\|/).map((cell) => cell.trim()); // prettier-ignore

/** The tables of a page, with the headings that they are under. */
function readTables(markdown) {
  const tables = [];
  let section = '';
  for (const line of markdown.split('\n')) {
    const [, heading] = line.match(/^##+ (.*)$/) ?? [];
    if (heading) section = heading.replaceAll('`', '');
    if (!line.startsWith('|')) tables.push(undefined);
    else if (!tables.at(-1)) tables.push({ section, headings: cellsOf(line), rows: [] });
    else if (!/^\|[\s|:-]+$/.test(line)) tables.at(-1).rows.push(cellsOf(line));
  }
  return tables.filter(Boolean);
}

const namesIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

/** The entries of a table. @returns {Entry[]} */
function entriesOf({ section, headings, rows }, column, prefix, owners) {
  return rows.flatMap((cells) =>
    namesIn(cells[column]).map((name) => {
      const facts = headings.flatMap((heading, i) => (i !== column && heading && cells[i] ? [`${heading}: ${cells[i]}`] : []));
      return { shown: prefix + name, name, facts, owners, section };
    }),
  ); // prettier-ignore
}

const read = (name) => readFileSync(new URL(`web/docs/reference/${name}.md`, root), 'utf8');

/** Every option that the tables of options.md explain. @returns {Entry[]} */
export function readOptions() {
  return readTables(read('options')).flatMap((table) => {
    const column = table.headings.findIndex((heading) => heading === 'option' || heading === '`input.`');
    if (column < 0 || !table.headings.includes('meaning')) return [];
    const inside = table.headings[column] !== 'option';
    return entriesOf(table, column, inside ? 'input.' : '', inside ? /^InputOptions$/ : EXPLAINING);
  });
}

/** Every field that the tables of results.md explain. @returns {Entry[]} */
export function readFields() {
  return readTables(read('results')).flatMap((table) => {
    const [prefix, owners] = RESULTS[table.section] ?? [];
    const column = table.headings.findIndex((heading) => /^field/.test(heading));
    if (!owners || column < 0) return [];
    const ofFeature = table.headings[column] === 'field of a feature';
    return entriesOf(table, column, ofFeature ? `${prefix}features[].` : prefix, owners);
  });
}

/** One entry per name: an option may be in two tables. @param {Entry[]} entries */
function joined(entries) {
  const byName = new Map();
  for (const entry of entries) byName.set(entry.shown, [...(byName.get(entry.shown) ?? []), entry]);
  return byName;
}

/** @param {Entry} entry @param {ReturnType<typeof findUsages>} usages */
function usageOf({ name, owners }, usages) {
  const found = [...usages].filter(([key]) => key.endsWith(`.${name}`) && owners.test(key.slice(0, -name.length - 1)));
  return found.map(([, usage]) => usage).sort((a, b) => a.code.length - b.code.length)[0];
}

/** @param {string} title @param {string} intro @param {Entry[]} entries @param {ReturnType<typeof findUsages>} usages */
function pageOf(title, intro, from, entries, usages) {
  const missing = [];
  const parts = [...joined(entries)].map(([shown, [first, ...more]]) => {
    const usage = usageOf(first, usages);
    if (!usage) return void missing.push(shown);
    const facts = [first, ...more].flatMap(({ facts }) => facts).map((fact) => `- ${fact.replaceAll('](#', `](${from}.md#`).replaceAll('\\|', '|')}`);
    const example = `\`\`\`js\n${usage.code}\n\`\`\``;
    const link = `From [${usage.title}](../${usage.path.slice('web/docs/'.length)}).`;
    return [`## \`${shown}\``, [...new Set(facts)].join('\n'), example, link].join('\n\n');
  }); // prettier-ignore
  if (missing.length > 0) throw new Error(`no script of web/docs uses ${missing.join(', ')}; add one to a page`);
  return `# ${title}\n\n${intro}\n\n${parts.join('\n\n')}\n`;
}

/**
 * Writes the pages into the folder of the reference.
 *
 * @param {string} into  a path
 * @returns {{ text: string, items: { text: string, link: string }[] }}  the group of the menu
 */
export function writeEntryPages(into) {
  const usages = findUsages();
  const pages = {
    'every-option': ['Every option', 'One entry per option of the `explain…` calls, with a line of a script that sets it. [Options](options.md) has the same in tables, with the defaults in detail.', 'options', readOptions()],
    'every-field': ['Every field', 'One entry per field of a result, with a line of a script that reads it. [Results](results.md) has the same in tables.', 'results', readFields()],
  }; // prettier-ignore
  for (const [name, [title, intro, from, entries]] of Object.entries(pages))
    writeStaged(join(into, `${name}.md`), pageOf(title, intro, from, entries, usages));
  const items = Object.entries(pages).map(([name, [text]]) => ({ text, link: `/reference/${name}` }));
  return { text: 'With an example each', items };
}
