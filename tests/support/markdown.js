// Reads Markdown pages: their code blocks as programs, their links, and the anchors that GitHub gives their headings.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const root = new URL('../..', import.meta.url);
const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', '.ci/README.md'];

/**
 * @typedef {object} Block
 * @property {string} language
 * @property {string} code
 * @property {number} line  of its fence, from 1
 * @property {string} directive  the text of the HTML comment before it, or ''
 * @property {boolean} follows  whether only blank lines separate it from the block before
 *
 * @typedef {object} Program
 * @property {'node' | 'page'} runs
 * @property {'js' | 'html'} language
 * @property {string} code
 * @property {number} line
 * @property {string[]} expected  lines that it must print, with `…` for any text
 * @property {Record<string, string>} further files in its folder, by name
 */

/** The paths of all pages, from the root. @returns {string[]} */
export function findPages() {
  const folder = new URL('web/docs/', root);
  const docs = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
  const pages = [...PAGES, ...docs.map((name) => `web/docs/${name}`).sort()];
  return pages.filter((path) => path.endsWith('.md') && existsSync(new URL(path, root)));
}

/** @param {string} path  from the root */
export const readPage = (path) => readFileSync(new URL(path, root), 'utf8');

/**
 * The fenced blocks of a page, and the page without them, line by line.
 *
 * @param {string} markdown
 * @returns {{ blocks: Block[], prose: string[] }}
 */
export function readBlocks(markdown) {
  /** @type {Block[]} */
  const blocks = [];
  /** @type {string[]} */
  const prose = [];
  let before = '';
  /** @type {{ fence: string, indent: number, block: Block, lines: string[] } | undefined} */
  let open;
  markdown.split('\n').forEach((text, i) => {
    if (open) {
      if (text.trim() === open.fence) {
        open.block.code = open.lines.join('\n');
        before = 'block';
        open = undefined;
      } else open.lines.push(text.slice(open.indent));
      prose.push('');
      return;
    }
    const [, indent, fence, language] = text.match(/^(\s*)(`{3,}|~{3,})(\w*)/) ?? [];
    if (fence) {
      const [, directive = ''] = before.match(/^<!-- (.*) -->$/) ?? [];
      const block = { language, code: '', line: i + 1, directive, follows: before === 'block' };
      blocks.push(block);
      open = { fence, indent: indent.length, block, lines: [] };
      prose.push('');
      return;
    }
    if (text.trim()) before = text.trim();
    prose.push(text);
  });
  return { blocks, prose };
}

/**
 * Returns the programs of a page. The comment before a block says how it runs: `continues` appends it to the program
 * before it, `file: name` writes it beside the next program, `page` runs it in a browser. HTML runs only with `page`.
 *
 * @param {string} markdown
 * @returns {Program[]}
 */
export function readPrograms(markdown) {
  /** @type {Program[]} */
  const programs = [];
  /** @type {Record<string, string>} */
  let files = {};
  let previous = '';
  for (const { language, code, line, directive, follows } of readBlocks(markdown).blocks) {
    const last = programs.at(-1);
    const [, file] = directive.match(/^file: (\S+)$/) ?? [];
    const runnable = language === 'js' || (language === 'html' && directive === 'page');
    if (file) files[file] = code;
    else if (directive === 'continues') {
      if (!last || last.language !== language) throw new Error(`line ${line} continues no ${language} block`);
      last.code += `\n${code}`;
      last.expected.push(...printedBy(code));
    } else if (runnable) {
      const runs = directive === 'page' ? 'page' : 'node';
      programs.push({ runs, language, code, line, expected: printedBy(code), files });
      files = {};
    } else if (language === 'text' && follows && previous === 'program') {
      last?.expected.push(...code.split('\n').filter((text) => text.trim()));
    }
    previous = !file && (runnable || directive === 'continues') ? 'program' : '';
  }
  return programs;
}

/** Returns the output that comments at the end of console.log lines expect. @param {string} code */
function printedBy(code) {
  return [...code.matchAll(/^\s*console\.log\(.*\);? \/\/ (.*)$/gm)].map(([, text]) => text);
}

/**
 * @param {string} expected  a line, with `…` for any text
 * @param {string} output
 */
export function isPrinted(expected, output) {
  const parts = expected
    .trim()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  return output.split('\n').some((line) => pattern.test(line.trim()));
}

/**
 * Returns the targets of the links and images of a page.
 *
 * @param {string} markdown
 * @returns {{ target: string, line: number }[]}
 */
export function readLinks(markdown) {
  return readBlocks(markdown).prose.flatMap((text, i) => {
    const plain = text.replace(/(`+).*?\1/g, '');
    const found = [/\]\(<?([^)\s>]+)/g, /\b(?:src|href)="([^"]+)"/g, /^\[[^\]]+\]:\s+(\S+)/g];
    return found
      .flatMap((pattern) => [...plain.matchAll(pattern)])
      .map(([, target]) => ({ target: decodeURI(target), line: i + 1 }));
  });
}

/**
 * The anchors of a page: GitHub's for headings, and those that HTML sets.
 *
 * @param {string} markdown
 * @returns {Set<string>}
 */
export function readAnchors(markdown) {
  const { prose } = readBlocks(markdown);
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Set<string>} */
  const anchors = new Set();
  for (const text of prose) {
    for (const [, id] of text.matchAll(/\b(?:id|name)="([^"]+)"/g)) anchors.add(id);
    const [, heading] = text.match(/^#{1,6}\s+(.*?)(?:\s+#+)?\s*$/) ?? [];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count ? `${slug}-${count}` : slug);
  }
  return anchors;
}

/** @param {string} heading  Markdown */
function slugOf(heading) {
  const text = heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(^|\W)[*_]+(\S(?:.*?\S)?)[*_]+(?=\W|$)/g, '$1$2');
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
