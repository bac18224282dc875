// Collects the pages of the site in build/docs-site/pages: web/docs, and what its pages link to elsewhere in the tree.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn, root } from '../setup.js';

const folder = fileURLToPath(root);
const DOCS = 'web/docs/';
const IMAGES = new Set(['.svg', '.png', '.jpg', '.gif']);
/** Files that readers save; finish.js copies them into the site. */
const DOWNLOADS = new Set(['.csv', '.onnx']);
/** How code is highlighted, by the end of its file's name. */
const LANGUAGES = { js: 'js', c: 'c', h: 'c', json: 'json', yaml: 'yaml', yml: 'yaml', html: 'html' };
/** Folders that are on the site beside the documentation, as paths from it. */
const APPS = { web: '../web/', 'examples/dashboard': '../examples/dashboard/' };

/** Returns where a file of the tree is among the staged pages. @param {string} path  from the root */
function placeOf(path) {
  if (path.startsWith(DOCS)) return path.slice(DOCS.length);
  if (IMAGES.has(extname(path))) return `media/${path}`;
  if (DOWNLOADS.has(extname(path))) return `files/${posix.basename(path)}`;
  return path.endsWith('.md') ? `project/${path.toLowerCase()}` : `source/${path}.md`;
}

/** Returns a page that shows a source file. */
function sourcePage(path, text) {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const language = LANGUAGES[extname(path).slice(1)] ?? 'text';
  return `---\nsearch: false\n---\n\n# ${posix.basename(path)}\n\n\`${path}\`\n\n${fence}${language}\n${text}${fence}\n`;
}

/** A link or an image of Markdown, or an attribute of HTML. Code is skipped, because its pattern comes first. */
const LINK =
  /(^|\n)(`{3,}|~{3,})[\s\S]*?\n\s*\2|(`+)(?!`)[\s\S]*?\3(?!`)|(\]\()<?([^)\s>]+)|\b((?:src|srcset|href)=")([^"]+)/g;

/**
 * Rewrites the relative links of a page to where their targets are staged.
 *
 * @param {string} path  of the page, from the root
 * @param {string} text
 * @param {(path: string) => void} onTarget  is told each file that the page links to
 */
function rewriteLinks(path, text, onTarget) {
  const from = posix.dirname(placeOf(path));
  const linkTo = (target) => {
    if (/^([a-z][a-z\d+.-]*:|#|\/)/i.test(target)) return target;
    const [file, anchor] = target.split('#');
    const found = posix.join(posix.dirname(path), decodeURI(file)).replace(/\/$/, '');
    const end = anchor === undefined ? '' : `#${anchor}`;
    const at = (place) => {
      const relative = posix.relative(from, place) || '.';
      return relative.startsWith('.') ? relative : `./${relative}`;
    };
    if (APPS[found]) return `${at('.').replace(/\/?$/, '/')}${APPS[found]}`;
    const full = join(folder, found);
    if (!existsSync(full)) throw new Error(`${path} links to ${target}, which does not exist`);
    if (statSync(full).isDirectory()) throw new Error(`${path} links to the folder ${target}; link to a file of it`);
    onTarget(found);
    return at(placeOf(found)) + end;
  };
  return text.replace(LINK, (all, _line, _fence, _code, open, target, attribute, value) => {
    if (open) return all.slice(0, all.length - target.length) + linkTo(target);
    return attribute ? attribute + linkTo(value) : all;
  });
}

/** Writes a staged file unless it has that text, so that the server reloads only what has changed. */
export function writeStaged(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * Stages all pages.
 *
 * @param {string} into  a path; is emptied first if `fresh`
 * @param {{ fresh?: boolean, complete?: (path: string, text: string) => string }} [options]  complete: adds to a page
 */
export function stagePages(into, { fresh = true, complete = (_, text) => text } = {}) {
  if (fresh) rmSync(into, { recursive: true, force: true });
  const paths = new Set(filesIn(DOCS));
  // A page that is staged may link to files that are not staged yet; the set grows while it is read.
  for (const path of paths) {
    const staged = join(into, placeOf(path));
    mkdirSync(dirname(staged), { recursive: true });
    if (IMAGES.has(extname(path)) || DOWNLOADS.has(extname(path))) cpSync(join(folder, path), staged);
    else if (path.endsWith('.md')) {
      const text = readFileSync(join(folder, path), 'utf8');
      writeStaged(
        staged,
        complete(
          path,
          rewriteLinks(path, text, (target) => paths.add(target)),
        ),
      );
    } else writeStaged(staged, sourcePage(path, readFileSync(join(folder, path), 'utf8')));
  }
}
