// Writes a page per custom element: attributes, properties, events, CSS parts and custom properties, from custom-elements.json.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleOf, readScripts, uses } from './examples.js';
import { writeStaged } from './pages.js';

const root = new URL('../../', import.meta.url);

/** @typedef {{ name: string, tagName: string }} Declaration */

const cell = (text = '') => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
const code = (text) => (text === undefined ? '' : `\`${cell(text)}\``);

/** A table of Markdown, or nothing without rows. @param {string[]} headings @param {string[][]} rows */
const table = (headings, rows) =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The elements, with the entry point that registers each. @returns {(Declaration & Record<string, any>)[]} */
export function readElements() {
  const { modules } = JSON.parse(readFileSync(new URL('custom-elements.json', root), 'utf8'));
  return modules.flatMap(({ path, declarations }) =>
    declarations.map((one) => ({ ...one, entry: path.replace(/^js\/|\.js$/g, '') })),
  );
}

/** The picture of the gallery that shows an element, if there is one. */
function pictureOf(tag) {
  const names = [tag.slice('linex-'.length), `${tag.slice('linex-'.length)}-linex`];
  const name = names.find((one) => existsSync(new URL(`web/docs/gallery/${one}.svg`, root)));
  return name && `[![An example of <${tag}>](../../gallery/${name}.svg)](../../gallery.md)`;
}

/** The first paragraph of a description, with tags as code. */
const firstParagraph = (text) => text.split(/\n\s*\n/)[0].replace(/\s*\n\s*/g, ' ');

/** @param {ReturnType<typeof readElements>[number]} element */
function pageOf({ name, tagName, entry, description, attributes, members, events, cssParts, cssProperties }) {
  const fields = members.filter(({ kind }) => kind === 'field');
  const methods = members.filter(({ kind }) => kind === 'method');
  const script = readScripts().find((program) =>
    uses({ module: entry, name }, [program.code, ...Object.values(program.files)].join('\n')),
  );
  if (!script) throw new Error(`no script of the pages uses <${tagName}>`);
  const [property] = cssProperties;
  const parts = [
    `# \\<${tagName}\\>`,
    `${firstParagraph(description)} Register it with \`import 'linex/${entry}'\`. Its class is [\`${name}\`](../api/${entry}/classes/${name}.md), and [Show an explanation in a page](../../guides/elements.md) shows how to use it.`,
    pictureOf(tagName),
    '## Attributes',
    table(['attribute', 'values', 'default', 'meaning'], attributes.map((one) => [code(one.name), code(one.type.text), code(one.default), cell(one.description)])),
    '## Properties',
    table(['property', 'meaning'], fields.map((one) => [code(one.name), cell(one.description)])),
    '## Methods',
    table(['method', 'returns', 'meaning'], methods.map((one) => [code(`${one.name}()`), code(one.return.type.text), cell(firstParagraph(one.description))])),
    '## Events',
    table(['event', 'meaning'], events.map((one) => [code(one.name), cell(one.description)])),
    'Its `detail` is `{ explanation, explanations, feature, name }`. `feature` and `name` are `null` when the reader leaves.',
    `\`\`\`js\ndocument.querySelector('${tagName}').addEventListener('feature-focus', ({ detail }) => {\n  console.log(detail.name ?? 'the reader has left');\n});\n\`\`\``,
    '## CSS parts',
    table(['part', 'what it is'], cssParts.map((one) => [code(one.name), cell(one.description)])),
    `\`\`\`css\n${cssParts.map((one) => `${tagName}::part(${one.name}) {\n  ${STYLES[one.name] ?? 'outline: 1px dotted;'}\n}`).join('\n')}\n\`\`\``,
    '## Custom properties',
    table(['custom property', 'what it sets'], cssProperties.map((one) => [code(one.name), cell(one.description)])),
    `\`\`\`css\n${tagName} {\n  ${property.name}: Georgia, serif;\n${cssProperties.slice(1).map((one) => `  ${one.name}: ${COLORS[one.name.slice('--linex-'.length)] ?? 'gray'};`).join('\n')}\n}\n\`\`\``,
    '## Example',
    exampleOf(script, '../../'),
  ]; // prettier-ignore
  return parts.filter(Boolean).join('\n\n') + '\n';
}

/** What the examples set. */
const STYLES = {
  figure: 'border: 0;',
  stage: 'padding: 1rem;',
  tooltip: 'font-size: 1rem;',
  text: 'line-height: 2;',
  word: 'border-radius: 0;',
  canvas: 'border-radius: 0;',
  legend: 'display: none;',
  details: 'display: none;',
};
const COLORS = { ground: '#fffdf7', ink: '#222', muted: '#666', line: '#ddd' };

/**
 * Writes the pages into a folder of the reference.
 *
 * @param {string} into  a path
 * @returns {{ text: string, items: { text: string, link: string }[] }}  the group of the menu
 */
export function writeElementPages(into) {
  const elements = readElements();
  for (const element of elements) writeStaged(join(into, `${element.tagName}.md`), pageOf(element));
  const items = elements.map(({ tagName }) => ({ text: `&lt;${tagName}&gt;`, link: `/reference/elements/${tagName}` }));
  return { text: 'Elements', items };
}
