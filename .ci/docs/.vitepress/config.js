// The settings of the documentation site. Its pages are staged in build/docs-site by .ci/docs/pages.js.
import { transformerStyleToClass } from '@shikijs/transformers';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { fileOf, TYPES } from '../../site.js';
import { slugOf } from '../anchors.js';
import { NAV, sidebarOf } from '../navigation.js';
import { finishPages } from '../finish.js';
import { BASE, EXPORTS_FILE, PAGES, POLICY } from '../places.js';
import { indexedHTML } from '../search-index.js';

const pathOf = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
// Links to files that readers save are no pages.
process.env.VITE_EXTRA_EXTENSIONS = 'csv,onnx';
const isBuilt = process.env.NODE_ENV === 'production';
/** Code colors as classes instead of style attributes, which the policy forbids. */
const colors = transformerStyleToClass({ classPrefix: 'c-' });
/** Serves the demo and the scripts of linex while the pages are written. */
function serveSiteFile(request, response, next) {
  const path = new URL(request.url, 'http://localhost').pathname.slice(1);
  const file = /^(web|js|examples\/dashboard|vendor)\//.test(path) && fileOf(path.replace(/\/$/, '/index.html'));
  if (!file || !existsSync(file)) return next();
  response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
  response.end(readFileSync(file));
}

/** Aligns the cells of tables by classes, for the same reason. */
function alignByClass({ tokens }) {
  for (const token of tokens) {
    const [, side] = token.attrGet?.('style')?.match(/^text-align:(\w+)$/) ?? [];
    if (!side) continue;
    token.attrs = token.attrs.filter(([name]) => name !== 'style');
    token.attrJoin('class', `align-${side}`);
  }
}

/** Makes header cells without text plain cells: a screen reader would announce headers without a name. */
function plainEmptyHeaders({ tokens }) {
  for (const [i, { type, content }] of tokens.entries())
    if (type === 'inline' && content === '' && tokens[i - 1].type === 'th_open')
      for (const token of [tokens[i - 1], tokens[i + 1]]) token.tag = 'td';
}

const exported = existsSync(EXPORTS_FILE) ? JSON.parse(readFileSync(EXPORTS_FILE, 'utf8')) : [];

/** Searches the pages in the browser. Functions cannot be enumerable here, because VitePress would write them into pages. */
const search = { provider: 'local', options: { detailedView: false } };
Object.defineProperty(search.options, '_render', { value: indexedHTML });

export default defineConfig({
  srcDir: pathOf('build/docs-site/pages'),
  outDir: pathOf('build/docs-site/html'),
  cacheDir: pathOf('build/docs-site/cache'),
  base: isBuilt ? BASE : '/docs/',
  lang: 'en-US',
  title: 'linex',
  titleTemplate: ':title · linex',
  description: 'Explains why a model gave its answer for a row, a text or an image: in a page, in a worker or in Node.',
  metaChunk: true,
  // Without it, a style element would be written into the page when the theme changes.
  appearance: { disableTransition: false },
  router: { prefetchLinks: false },
  head: [
    ['link', { rel: 'icon', href: `${isBuilt ? BASE : '/docs/'}../web/icon.svg`, type: 'image/svg+xml' }],
    ...(isBuilt ? [['meta', { 'http-equiv': 'content-security-policy', content: POLICY }]] : []),
  ],
  // Links that leave the documentation, to the demo and the dashboard beside it.
  ignoreDeadLinks: [/\.\.\/(web|examples\/dashboard)\//],
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: isBuilt ? [colors] : [],
    config: ({ core }) => {
      core.ruler.push('alignment', alignByClass);
      core.ruler.push('empty-headers', plainEmptyHeaders);
    },
  },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('linex-') } } },
  vite: {
    plugins: [{ name: 'linex-site', configureServer: ({ middlewares }) => void middlewares.use(serveSiteFile) }],
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
    publicDir: false,
  },
  themeConfig: {
    nav: NAV,
    sidebar: sidebarOf(exported),
    outline: { level: [2, 3] },
    search,
    darkModeSwitchLabel: 'Dark theme',
    docFooter: { prev: 'Before', next: 'Next' },
  },
  buildEnd: ({ outDir }) => {
    cpSync(join(PAGES, 'files'), join(outDir, 'files'), { recursive: true });
    finishPages(outDir, colors.getCSS());
  },
});
