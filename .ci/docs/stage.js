// Stages the site: the pages of the tree, and the reference that is made from the types.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sayOrigin } from '../docs-measured.js';
import { writeCommandPages } from './command-pages.js';
import { writeElementPages } from './element-pages.js';
import { writeEntryPages } from './entry-pages.js';
import { addExamples, exportsMenu } from './examples.js';
import { markLiveBlocks } from './live-blocks.js';
import { stagePages } from './pages.js';
import { EXPORTS_FILE, PAGES } from './places.js';
import { writeReference } from './reference.js';

/** Pages that are not about a question of a user: reports, tables of numbers, pages from elsewhere in the tree. */
const UNSEARCHED = /^(?!web\/docs\/)|\/tables\//;

/** A part of a report has no title of its own; the name of its file is one. @param {string} path @param {string} text */
function titled(path, text) {
  if (/^# /m.test(text)) return text;
  const name = basename(path, '.md').replaceAll('-', ' ');
  return `# ${name[0].toUpperCase()}${name.slice(1)}\n\n${text}`;
}

/** Adds to a page what only the site has. @param {string} path  from the root @param {string} text */
function completePage(path, text) {
  const live = path.startsWith('web/docs/') ? markLiveBlocks(text) : titled(path, text);
  const origin = sayOrigin(path);
  // Of a guide with one measured table, the origin stands below the table.
  const place = /<!-- end of the table -->/.test(live) ? /<!-- end of the table -->/ : /^# .*$/m;
  const marked = origin ? live.replace(place, (found) => `${found}\n\n${origin}`) : live;
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
  const groups = [
    writeEntryPages(join(PAGES, 'reference')),
    writeElementPages(join(PAGES, 'reference/elements')),
    await writeCommandPages(join(PAGES, 'reference/command')),
  ];
  writeFileSync(EXPORTS_FILE, JSON.stringify([...groups, ...exportsMenu(entries)]));
}
