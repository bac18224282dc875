// Turns a report, which is a list of blocks, into Markdown and into a page without external files.
import { escape, linePlot, PLOT_STYLES } from './plots.js';

/**
 * @typedef {{ heading: string, level?: 1 | 2 | 3 } | { text: string } | { items: string[] } | { plots: object[] } |
 *   { columns: string[], rows: string[][] } | { details: string, blocks: Block[] }} Block
 *   text and cells may contain **strong** words and `code`
 */

const cell = (text) => text.replaceAll('|', '\\|');

/** @param {Block} block @returns {string} */
function markdownOf(block) {
  if ('heading' in block) return `${'#'.repeat(block.level ?? 2)} ${block.heading}`;
  if ('text' in block) return block.text;
  if ('items' in block) return block.items.map((item) => `- ${item}`).join('\n');
  if ('plots' in block) return `_${block.plots.length} plots, drawn in report.html: ${titlesOf(block.plots)}._`;
  if ('details' in block) return [`### ${block.details}`, ...block.blocks.map(markdownOf)].join('\n\n');
  return tableOf(block);
}

const titlesOf = (plots) => [...new Set(plots.map(({ title, y }) => `${title} (${y})`))].join(', ');

/** Aligns columns to their widest cell. */
function tableOf({ columns, rows }) {
  const lines = [columns, ...rows].map((row) => row.map(cell));
  const widths = columns.map((_, c) => Math.max(3, ...lines.map((line) => [...line[c]].length)));
  const fill = (text, c) => text + ' '.repeat(widths[c] - [...text].length);
  const [head, ...body] = lines.map((line) => `| ${line.map(fill).join(' | ')} |`);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

/** @param {Block[]} blocks @returns {string} */
export const toMarkdown = (blocks) => `${blocks.map(markdownOf).join('\n\n')}\n`;

const rich = (text) =>
  escape(text)
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/`(.+?)`/g, '<code>$1</code>')
    .replace(/(^|\s)_(.+?)_(?=\W|$)/g, '$1<em>$2</em>');

/** @param {Block} block @returns {string} */
function elementOf(block) {
  if ('heading' in block) return `<h${block.level ?? 2}>${rich(block.heading)}</h${block.level ?? 2}>`;
  if ('text' in block) return `<p>${rich(block.text)}</p>`;
  if ('items' in block) return `<ul>${block.items.map((item) => `<li>${rich(item)}</li>`).join('')}</ul>`;
  if ('plots' in block) return `<div class="plots">${block.plots.map(linePlot).join('')}</div>`;
  if ('details' in block)
    return `<details><summary>${rich(block.details)}</summary>${block.blocks.map(elementOf).join('\n')}</details>`;
  const row = (cells, tag) => `<tr>${cells.map((text) => `<${tag}>${rich(text)}</${tag}>`).join('')}</tr>`;
  const body = block.rows.map((cells) => row(cells, 'td')).join('\n');
  return `<div class="wide" tabindex="0" role="region" aria-label="table"><table><thead>${row(block.columns, 'th')}</thead><tbody>${body}</tbody></table></div>`;
}

const STYLES = `
:root { color-scheme: light dark; --ground: #fff; --ink: #1c1f23; --muted: #5b6470; --line: #dde1e6;
  --c0: #0072b2; --c1: #d55e00; --c2: #1b7f5c; --c3: #a0448a; --c4: #8a6d00; --c5: #56606b; --c6: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ground: #15181c; --ink: #e6e9ed; --muted: #a2acb8; --line: #343a42;
  --c0: #5db5ec; --c1: #f5985a; --c2: #55c79b; --c3: #e08ccb; --c4: #e0c04c; --c5: #aab4bf; --c6: #ff8a80 } }
body { margin: 0 auto; padding: 1.5rem; max-width: 74rem; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem } p, li { max-width: 48rem }
.wide { overflow-x: auto; margin: 1rem 0 } table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap } th { color: var(--muted) }
summary { cursor: pointer; font-weight: 600; margin: .8rem 0 }${PLOT_STYLES}`;

/** @param {Block[]} blocks @param {string} title @returns {string} */
export const toPage = (blocks, title) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLES}
</style>
<main>
${blocks.map(elementOf).join('\n')}
</main>
</html>
`;
