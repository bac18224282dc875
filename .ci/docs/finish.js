// Makes the built pages work under their policy and from any path: no inline scripts or styles, no address that is fixed.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import ts from 'typescript';
import { BASE } from './places.js';

/** The placeholder as code that is not found by the test that none is left. */
const MARK = JSON.stringify(BASE).replace('-docs', '"+"-docs');

/** Runs before everything else on a page: where the documentation is, and the theme, so that a dark page never flashes. */
const BOOT = `// Written by npm run site.
globalThis.linexDocs = new URL('..', document.currentScript.src).pathname;
const chosen = localStorage.getItem('vitepress-theme-appearance') || 'auto';
const dark = chosen === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
document.documentElement.classList.toggle('dark', dark);
// Links of the menus stay when the reader goes to a page in another folder, so they must not be relative to this one.
addEventListener('DOMContentLoaded', () => {
  for (const link of document.querySelectorAll('a[href^="."], link[rel="icon"]')) link.href = link.href;
});
`;

/** Returns a built page without inline code, with addresses relative to itself. @param {string} path  such as guides/rows.html */
function finishHTML(html, path) {
  const up = posix.relative(posix.dirname(path), '.');
  const here = up === '' ? './' : `${up}/`;
  return html
    .replace(/ *<script id="check-[\w-]+">[\s\S]*?<\/script>\n?/g, '')
    .replace(/ *<link rel="preload stylesheet" href="[^"]*vp-icons\.css"[^>]*>\n?/, '')
    .replace(/(<link rel=")preload stylesheet("[^>]*?) as="style">/, '$1stylesheet$2>')
    .replace(/( *)(<script type="module")/, `$1<script src="${here}assets/boot.js"></script>\n$1$2`)
    .replace(/ style="(--vp-vh:0px;|position:relative;)"/g, '')
    .replaceAll(BASE, here);
}

/** Returns a built script that finds the documentation when it runs. */
function finishScript(code) {
  if (!code.includes(BASE)) return code;
  const texts = [];
  const visit = (node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    if (isText && node.getText().includes(BASE)) texts.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('built.js', code, ts.ScriptTarget.Latest, true));
  return texts.reduceRight((all, node) => {
    const place = `(${node.getText()}.replaceAll(${MARK},globalThis.linexDocs))`;
    return all.slice(0, node.getStart()) + place + all.slice(node.end);
  }, code);
}

/**
 * Finishes all files of a built site.
 *
 * @param {string} folder
 * @param {string} colors  the style sheet of highlighted code
 */
export function finishPages(folder, colors) {
  const paths = readdirSync(folder, { recursive: true }).map((path) => String(path).split(sep).join('/'));
  for (const path of paths) {
    const file = join(folder, path);
    const edit = (change) => writeFileSync(file, change(readFileSync(file, 'utf8')));
    if (path.endsWith('.html')) edit((html) => finishHTML(html, relative(folder, file).split(sep).join('/')));
    else if (path.endsWith('.js')) edit(finishScript);
    else if (/^assets\/style\.[\w-]+\.css$/.test(path)) edit((css) => `${css}\n${colors}`);
  }
  writeFileSync(join(folder, 'assets/boot.js'), BOOT);
  for (const name of ['vp-icons.css', 'hashmap.json']) rmSync(join(folder, name), { force: true });
}
