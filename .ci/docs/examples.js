// Adds an example to each entry of the reference: the shortest script of the pages that uses the export. A test runs it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isLive } from './live-blocks.js';
import { findPages, readPage, readPrograms } from '../../tests/support/markdown.js';

/** The folders that the entries of a module are in, and what they are called in the menu. */
const KINDS = ['functions', 'classes', 'interfaces', 'type-aliases'];

/**
 * An entry of the reference.
 *
 * @typedef {object} Entry
 * @property {string} module  such as `linex` or `charts`
 * @property {string} kind
 * @property {string} name
 * @property {string} path  from the folder of the reference
 */

/** Lists the entries in a folder. @param {string} folder @returns {Entry[]} */
export function readEntries(folder) {
  return readdirSync(folder, { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => path.split('/').length === 3 && path.endsWith('.md'))
    .map((path) => ({ path, parts: path.slice(0, -'.md'.length).split('/') }))
    .map(({ path, parts: [module, kind, name] }) => ({ module, kind, name, path }))
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.name < b.name ? -1 : 1));
}

/** All scripts of web/docs with their pages: those that run in the page first, and shorter ones before longer ones. */
export function readScripts() {
  const pages = findPages().filter((path) => path.startsWith('web/docs/'));
  const scripts = pages.flatMap((path) => {
    const markdown = readPage(path);
    const [, title] = markdown.match(/^# (.*)$/m) ?? [];
    return readPrograms(markdown).map((program) => ({ ...program, path, title }));
  });
  return scripts.sort((a, b) => isLive(b) - isLive(a) || a.code.length - b.code.length);
}

/** Whether a script uses an export. */
export function uses({ module, name }, code) {
  const imported = [...code.matchAll(/import\s*\{([^}]*)\}\s*from\s*['"]linex(?:\/([\w-]+))?['"]/g)];
  const tag = `<${name.replace(/(?!^)([A-Z])/g, '-$1').toLowerCase()}`;
  if (['elements', 'charts'].includes(module) && code.includes(tag)) return true;
  const from = (entry) =>
    entry === module || (!entry && module === 'linex') || (entry === 'render' && module === 'linex');
  return imported.some(([, names, entry]) => from(entry) && new RegExp(`\\b${name}\\b`).test(names));
}

/** What makes or takes a type whose page nothing links to, and what a script about it has. */
const RELATED = {
  ChartLabels: ['renderSummarySVG', /labels/],
  DensityNeighborhood: ['densityNeighborhood'],
  Equilibrium: ['explainRow', /equilibrium/],
  Explanation: ['explainRow'],
  Feature: ['explainRow', /features/],
  Fleet: ['openFleet'],
  FleetProgress: ['openFleet', /onProgress/],
  FleetWarning: ['openFleet', /onWarning/],
  FleetWorker: ['joinFleet'],
  Forest: ['trainForest'],
  ImageBatch: ['explainImage', /shape/],
  ImageFeature: ['explainImage', /features/],
  ImageSampler: ['explainImage', /sample/],
  KeptAnswers: ['explainRow', /keepAnswers/],
  LatentNeighborhood: ['latentNeighborhood'],
  NumberFormat: ['describeTable', /formats/],
  PoolModel: ['openPool'],
  PoolRowOptions: ['openPool'],
  Progress: ['explainRow', /onProgress/],
  Reference: ['explainRow', /reference/],
  RowBatch: ['explainRow', /batch/],
  RowFeature: ['explainRow', /features/],
  ShapRowExplanation: ['explainRow', /method: 'shap'/],
  ShapRowFeature: ['explainRow', /method: 'shap'[^]*features/],
  TextFeature: ['explainText', /features/],
  TextSampler: ['explainText', /sample\b/],
  WordVectors: ['loadWordVectors'],
};

/** A script for a type that is used without being named, if possible one that shows what it is about. */
function findRelated({ name }, entries, scripts) {
  const [user, pattern] = RELATED[name] ?? [];
  const by = entries.find((entry) => entry.name === user && entry.kind === 'functions');
  if (!by) return undefined;
  const using = scripts.filter(({ code }) => uses(by, code));
  const script = using.find(({ code }) => pattern?.test(code)) ?? using[0];
  return script && { script, by };
}

/** The entries that each page links to, by path. */
function readUsers(folder, entries) {
  const users = new Map(entries.map(({ path }) => [path, []]));
  for (const entry of entries)
    for (const [, target] of readFileSync(join(folder, entry.path), 'utf8').matchAll(/\]\(([^)#]+\.md)/g))
      users.get(posix.join(posix.dirname(entry.path), target))?.push(entry);
  return users;
}

/** The nearest script for an entry: its own, or that of what takes or returns the type. */
function findScript(entry, scripts, users) {
  const reached = new Set([entry]);
  for (const one of reached) {
    const script = scripts.find(({ code, files }) => uses(one, [code, ...Object.values(files)].join('\n')));
    if (script) return { script, by: one };
    for (const user of users.get(one.path)) reached.add(user);
  }
  return undefined;
}

/** A script as an example, with the page that it is from. @param {string} back  the way to the pages */
export function exampleOf({ path, title, language, code, files }, back) {
  const from = `From [${title}](${back}${path.slice('web/docs/'.length)}):`;
  const beside = Object.entries(files).map(([name, text]) => `\`${name}\`:\n\n\`\`\`js\n${text}\n\`\`\`\n`);
  return [from, ...beside, `\`\`\`${language}\n${code}\n\`\`\`\n`].join('\n\n');
}

/**
 * Writes the examples, and says in plain words what the generator calls otherwise.
 *
 * @param {string} folder  of the reference
 * @param {string} back  the way from that folder to the pages
 * @returns {Entry[]}
 */
export function addExamples(folder, back) {
  const entries = readEntries(folder);
  const scripts = readScripts();
  const users = readUsers(folder, entries);
  for (const entry of entries) {
    const found = findScript(entry, scripts, users) ?? findRelated(entry, entries, scripts);
    if (!found) continue;
    const { script, by } = found;
    const file = join(folder, entry.path);
    const through = by === entry ? '' : `\`${by.name}\` takes or returns it. `;
    const example = `## Example\n\n${through}${exampleOf(script, `../../${back}`)}`;
    writeFileSync(file, `${readFileSync(file, 'utf8').trimEnd()}\n\n${example}`);
  }
  return entries;
}

/** The groups of the menu that list the exports. @param {Entry[]} entries */
export function exportsMenu(entries) {
  const modules = [...new Set(entries.map(({ module }) => module))];
  const order = (module) => (module === 'linex' ? 0 : 1);
  return modules
    .sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1))
    .map((module) => ({
      text: module === 'linex' ? 'linex' : `linex/${module}`,
      items: entries
        .filter((entry) => entry.module === module)
        .map(({ name, path }) => ({ text: name, link: `/reference/api/${path.replace(/\.md$/, '')}` })),
    }));
}
