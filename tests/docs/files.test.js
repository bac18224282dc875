// The built documentation as files: links and anchors lead somewhere, nothing is inline or from elsewhere, pages are light.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readEntries } from '../../.ci/docs/examples.js';
import { PAGES as STAGED } from '../../.ci/docs/places.js';
import { PAGES, readDocs } from '../support/pages/built-site.js';

const SITE = new URL('../../build/site/', import.meta.url);
const pages = new Map(PAGES.map((path) => [path, readDocs(path)]));
const anchorsOf = (html) => new Set([...html.matchAll(/\s(?:id|name)="([^"]+)"/g)].map(([, id]) => id));
const anchors = new Map([...pages].map(([path, html]) => [path, anchorsOf(html)]));
const unescape = (text) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

/** All addresses of a page that lie on the site. */
const linksOf = (html) =>
  [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)]
    .map(([, link]) => unescape(link))
    .filter((link) => !/^[a-z]+:/i.test(link));

test('the site has the pages that its menus promise', () => {
  assert.ok(PAGES.length > 200, `${PAGES.length} pages`);
  for (const path of ['index', 'tutorial', 'guides/rows', 'reference/api/linex/functions/explainRow', 'ideas/the-game'])
    assert.ok(pages.has(`${path}.html`), path);
});

test('every link and every anchor of the site leads somewhere', () => {
  const problems = [];
  for (const [path, html] of pages)
    for (const link of linksOf(html)) {
      const [file, anchor] = link.split('#');
      if (link.startsWith('/')) problems.push(`${path}: ${link} is not relative`);
      const found = file === '' ? `docs/${path}` : posix.join('docs', posix.dirname(path), decodeURIComponent(file));
      const full = found.endsWith('/') ? `${found}index.html` : found;
      if (!existsSync(new URL(full, SITE))) problems.push(`${path}: ${link}`);
      else if (anchor && full.endsWith('.html') && full.startsWith('docs/')) {
        const known = anchors.get(full.slice('docs/'.length));
        if (!known?.has(decodeURIComponent(anchor))) problems.push(`${path}: no anchor ${link}`);
      }
    }
  assert.deepEqual([...new Set(problems)], []);
});

test('no page loads anything from another origin, and nothing is inline', () => {
  for (const [path, html] of pages) {
    const loaded = [...html.matchAll(/<(?:script|img|source|iframe|link)\b[^>]*\b(?:src|srcset|href)="([^"]+)"/g)];
    const foreign = loaded.map(([, address]) => address).filter((address) => /^([a-z]+:)?\/\//i.test(address));
    assert.deepEqual(foreign, [], path);
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)[^>]*>|\sstyle="|<style\b|\son[a-z]+="/, path);
    assert.match(
      html,
      /http-equiv="content-security-policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/,
    );
  }
});

test('no page knows the path from which it is served', () => {
  for (const [path, html] of pages) assert.ok(!html.includes('/linex-docs-base/'), path);
});

/** What a page loads before a reader presses anything, in bytes as a host with gzip sends them. */
function weightOf(path, html) {
  const loaded = [...html.matchAll(/<(?:script|link|img)\b[^>]*\b(?:src|href)="([^"]+\.(?:js|css|svg|png))"/g)];
  const files = new Set(loaded.map(([, file]) => posix.join('docs', posix.dirname(path), file)));
  const sizes = [...files].map((file) => {
    const bytes = readFileSync(new URL(file, SITE));
    return /\.png$/.test(file) ? bytes.length : gzipSync(bytes).length;
  });
  return sizes.reduce((sum, size) => sum + size, gzipSync(html).length);
}

test('no page weighs more than 500 KB before live code is opened', () => {
  const weights = [...pages].map(([path, html]) => [path, weightOf(path, html)]).sort(([, a], [, b]) => b - a);
  console.log(`the heaviest pages: ${weights.slice(0, 3).map(([path, size]) => `${path} ${Math.round(size / 1000)} KB`).join(', ')}`); // prettier-ignore
  assert.deepEqual(weights.filter(([, size]) => size > 500_000), []); // prettier-ignore
});

describe('every export has an entry with an example', () => {
  const folder = `${STAGED}/reference/api`;
  const entries = readEntries(folder);
  test('the entries are those that the types export', () => {
    // Names in js/*.js, read as text: what TypeDoc has left out would be missing.
    for (const module of ['index', 'elements', 'charts', 'pool', 'pool-worker', 'fleet', 'adapters']) {
      const source = readFileSync(new URL(`../../js/${module}.js`, import.meta.url), 'utf8');
      const values = [...source.matchAll(/^export \{([^}]+)\}/gm)].flatMap(([, list]) => list.split(','));
      const types = [...source.matchAll(/@typedef \{import\([^)]*\)\.\w+(?:<[^}]*>)?\} (\w+)/g)].map(
        ([, name]) => name,
      );
      const names = [...values.map((name) => name.trim()).filter(Boolean), ...types];
      const own = new Set(
        entries.filter((entry) => entry.module === module.replace('index', 'linex')).map(({ name }) => name),
      );
      assert.deepEqual(names.filter((name) => !own.has(name)), [], module); // prettier-ignore
    }
  });
  test('each has an example', () => {
    const missing = entries.filter(({ path }) => !readFileSync(`${folder}/${path}`, 'utf8').includes('\n## Example\n'));
    assert.deepEqual(missing.map(({ path }) => path), []); // prettier-ignore
  });
});
