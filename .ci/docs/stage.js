// Stages the site: the pages of the tree, and the reference that is made from the types.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addExamples, exportsMenu } from './examples.js';
import { markLiveBlocks } from './live-blocks.js';
import { stagePages } from './pages.js';
import { EXPORTS_FILE, PAGES } from './places.js';
import { writeReference } from './reference.js';

/** Pages that are not about a question of a user: reports, tables of numbers, pages from elsewhere in the tree. */
const UNSEARCHED = /^(?!web\/docs\/)|\/tables\//;

/** Adds to a page what only the site has. @param {string} path  from the root @param {string} text */
function completePage(path, text) {
  const marked = path.startsWith('web/docs/') ? markLiveBlocks(text) : text;
  return UNSEARCHED.test(path) ? `---\nsearch: false\n---\n\n${marked}` : marked;
}

/**
 * Stages everything that VitePress builds.
 *
 * @param {{ fresh?: boolean }} [options]  fresh: makes the reference again too, and removes what is no longer there
 */
export async function stageSite({ fresh = true } = {}) {
  if (fresh) rmSync(PAGES, { recursive: true, force: true });
  stagePages(PAGES, { fresh: false, complete: completePage });
  if (!fresh) return;
  const reference = join(PAGES, 'reference/api');
  await writeReference(reference);
  const entries = addExamples(reference, '../../');
  for (const { path } of entries) {
    const file = join(reference, path);
    writeFileSync(file, markLiveBlocks(readFileSync(file, 'utf8')));
  }
  writeFileSync(EXPORTS_FILE, JSON.stringify(exportsMenu(entries)));
}
