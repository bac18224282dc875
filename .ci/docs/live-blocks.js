// Marks the code blocks that a reader can run in the page: those that import only what the site serves.
import { readPrograms } from '../../tests/support/markdown.js';

const IMPORTED = /\bfrom\s+['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;
const SERVED = new Set(['linex', 'linex/render']);
/** What only Node has. */
const NODE = /\bprocess\.|\bBuffer\b|\brequire\(/;

/** Whether a program runs in a worker of a page. @param {import('../../tests/support/markdown.js').Program} program */
export const isLive = ({ runs, code, files }) =>
  runs === 'node' &&
  Object.keys(files).length === 0 &&
  !NODE.test(code) &&
  /\bfrom 'linex/.test(code) &&
  [...code.matchAll(IMPORTED)].every(([, first, second]) => SERVED.has(first ?? second));

/**
 * Returns a page with its live blocks wrapped. A block that continues another belongs to the same program.
 *
 * @param {string} markdown
 */
export function markLiveBlocks(markdown) {
  const lines = markdown.split('\n');
  const live = new Set(
    readPrograms(markdown)
      .filter(isLive)
      .map(({ line }) => line),
  );
  const marked = [];
  let current = 0;
  for (let i = 0; i < lines.length; i++) {
    const [, fence] = lines[i].match(/^(`{3,}|~{3,})js\b/) ?? [];
    if (!fence) {
      marked.push(lines[i]);
      continue;
    }
    const end = lines.indexOf(fence, i + 1);
    const before = lines
      .slice(0, i)
      .findLast((text) => text.trim())
      ?.trim();
    if (live.has(i + 1)) current = i + 1;
    else if (before !== '<!-- continues -->') current = 0;
    const block = lines.slice(i, end + 1);
    marked.push(...(current ? [`<div class="live" data-live="${current}">`, '', ...block, '', '</div>'] : block));
    i = end;
  }
  return marked.join('\n');
}
