// Stages the site: the pages of the tree, and the reference that is made from the types.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../setup.js';
import { addExamples, exportsMenu } from './examples.js';
import { markLiveBlocks } from './live-blocks.js';
import { stagePages } from './pages.js';
import { EXPORTS_FILE, PAGES } from './places.js';
import { writeReference } from './reference.js';

/** Pages that are not about a question of a user: reports, tables of numbers, pages from elsewhere in the tree. */
const UNSEARCHED = /^(?!web\/docs\/)|\/tables\//;

/** Pages that scripts write from what they measure. */
const MEASURED = /^(web\/docs\/ideas\/(bench\.md|tables\/)|tests\/(paper|steady)\/.*\.md)/;

/** Says when a page of numbers was written: when its file was last committed. @param {string} path */
function dateOf(path) {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%cs', '--', path], { cwd: root, encoding: 'utf8' });
  return stdout?.trim() ? `_A script wrote these numbers; they were committed on ${stdout.trim()}._` : '';
}

/** A part of a report has no title of its own; the name of its file is one. @param {string} path @param {string} text */
function titled(path, text) {
  if (/^# /m.test(text)) return text;
  const name = basename(path, '.md').replaceAll('-', ' ');
  return `# ${name[0].toUpperCase()}${name.slice(1)}\n\n${text}`;
}

/** Adds to a page what only the site has. @param {string} path  from the root @param {string} text */
function completePage(path, text) {
  const live = path.startsWith('web/docs/') ? markLiveBlocks(text) : titled(path, text);
  const marked = MEASURED.test(path) ? live.replace(/^# .*$/m, (title) => `${title}\n\n${dateOf(path)}`) : live;
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
