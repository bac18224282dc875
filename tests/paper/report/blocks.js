// Turns a report, which is a list of blocks, into Markdown and into a page without external files.
import { escape } from './plots.js';

/**
 * @typedef {{ heading: string, level?: 1 | 2 | 3 } | { text: string } | { items: string[] } |
 *   { columns: string[], rows: string[][] } | { details: string, blocks: Block[] } |
 *   { figure: string, label: string, svg: string }} Block
 *   text and cells may contain **strong** words and `code`; figure: the name of its file
 */

const cell = (text) => text.replaceAll('|', '\\|');

/** @param {Block} block @param {string} [figures]  the folder of the figures, from the page @returns {string} */
function markdownOf(block, figures = 'figures') {
  if ('heading' in block) return `${'#'.repeat(block.level ?? 2)} ${block.heading}`;
  if ('text' in block) return block.text;
  if ('items' in block) return block.items.map((item) => `- ${item}`).join('\n');
  if ('figure' in block) return `![${block.label}](${figures}/${block.figure}.svg)`;
  if ('details' in block)
    return [`### ${block.details}`, ...block.blocks.map((one) => markdownOf(one, figures))].join('\n\n');
  return tableOf(block);
}

/** Aligns columns to their widest cell. */
function tableOf({ columns, rows }) {
  const lines = [columns, ...rows].map((row) => row.map(cell));
  const widths = columns.map((_, c) => Math.max(3, ...lines.map((line) => [...line[c]].length)));
  const fill = (text, c) => text + ' '.repeat(widths[c] - [...text].length);
  const [head, ...body] = lines.map((line) => `| ${line.map(fill).join(' | ')} |`);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

/** @param {Block[]} blocks @param {string} [figures] @returns {string} */
export const toMarkdown = (blocks, figures) => `${blocks.map((block) => markdownOf(block, figures)).join('\n\n')}\n`;

/** Returns the figures in blocks. @param {Block[]} blocks @returns {{ figure: string, svg: string }[]} */
export const figuresIn = (blocks) =>
  blocks.flatMap((block) => ('figure' in block ? [block] : 'details' in block ? figuresIn(block.blocks) : []));

/** Returns the paragraphs and items of blocks: what is prose. @param {Block[]} blocks @returns {string[]} */
export const proseIn = (blocks) =>
  blocks.flatMap((block) =>
    'text' in block ? [block.text] : 'items' in block ? block.items : 'details' in block ? proseIn(block.blocks) : [],
  );

const rich = (text) =>
  escape(text)
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/`(.+?)`/g, '<code>$1</code>')
    .replace(/(^|\s)_(.+?)_(?=\W|$)/g, '$1<em>$2</em>')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');

/** @param {Block} block @returns {string} */
function elementOf(block) {
  if ('heading' in block) return `<h${block.level ?? 2}>${rich(block.heading)}</h${block.level ?? 2}>`;
  if ('text' in block) return `<p>${rich(block.text)}</p>`;
  if ('items' in block) return `<ul>${block.items.map((item) => `<li>${rich(item)}</li>`).join('')}</ul>`;
  if ('figure' in block) return `<figure>${block.svg.replace(/<style>.*?<\/style>/s, '')}</figure>`;
  if ('details' in block)
    return `<details><summary>${rich(block.details)}</summary>${block.blocks.map(elementOf).join('\n')}</details>`;
  const row = (cells, tag) => `<tr>${cells.map((text) => `<${tag}>${rich(text)}</${tag}>`).join('')}</tr>`;
  const body = block.rows.map((cells) => row(cells, 'td')).join('\n');
  return `<div class="wide" tabindex="0" role="region" aria-label="table"><table><thead>${row(block.columns, 'th')}</thead><tbody>${body}</tbody></table></div>`;
}

const STYLES = `
:root { color-scheme: light dark; --ground: #fff; --ink: #1c1f23; --muted: #5b6470; --line: #dde1e6 }
@media (prefers-color-scheme: dark) { :root { --ground: #15181c; --ink: #e6e9ed; --muted: #a2acb8; --line: #343a42 } }
body { margin: 0 auto; padding: 1.5rem; max-width: 80rem; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem } p, li { max-width: 48rem }
.wide { overflow-x: auto; margin: 1rem 0 } table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap } th { color: var(--muted) }
figure { margin: 1rem 0 } figure svg { max-width: 100%; height: auto } summary { cursor: pointer; font-weight: 600; margin: .8rem 0 }`;

/** @param {Block[]} blocks @param {string} title @returns {string} */
export function toPage(blocks, title) {
  // All figures have the same styles.
  const shared = figuresIn(blocks)[0]?.svg.match(/<style>(.*?)<\/style>/s)?.[1] ?? '';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLES}
${shared}
</style>
<main>
${blocks.map(elementOf).join('\n')}
</main>
</html>
`;
}
