// Builds the demo page as a static host serves it, from a sub-path, and opens it with a strict content security policy.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildSite } from '../../../.ci/site.js';
import { AXE } from './axe.js';
import { COLLECTOR, openAt } from './browsers.js';
import { serve } from './server.js';

/** The path of the page on its host. */
export const AT = 'some/where/';

/** An expression for the explanation that the page shows. */
export const SHOWN = "document.querySelector('[data-picture]')?.explanation";

/** Builds the site once for all tests of a file. @returns {{ folder: () => string }} */
export function builtSite() {
  let folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'linex-site-'));
    await buildSite(join(folder, AT));
    for (const name of ['web', 'examples/dashboard']) {
      const index = join(folder, AT, name, 'index.html');
      const html = readFileSync(index, 'utf8').replace(/<!doctype html>/i, '$&<script src="/collector.js"></script>');
      writeFileSync(index, html);
    }
  });
  after(() => rmSync(folder, { recursive: true }));
  return { folder: () => folder };
}

/**
 * Opens the page at a hash, and waits for its first explanation or for another condition.
 *
 * @param {import('node:test').TestContext} t
 * @param {any} engine
 * @param {{ folder: () => string }} site
 * @param {{ hash?: string, ready?: string, files?: Record<string, string> }} [options]
 */
export async function openDemo(t, engine, site, { hash = '', ready = 'document.body.dataset.explained', files } = {}) {
  const served = { 'index.html': '', 'collector.js': COLLECTOR, ...files };
  const base = await serve(t, pathToFileURL(`${site.folder()}/`), served);
  const page = await openAt(t, engine, `${new URL(`${AT}web/index.html`, base)}${hash}`);
  await page?.waitFor(`${ready} || problems.length > 0`, 60000);
  return page;
}

/** Runs axe on a page, and returns what violates its rules, or only those of `rules`. */
export const violationsOn = (page, rules) =>
  page.evaluate(`(async () => {
    ${AXE};
    const { violations } = await axe.run(${rules ? JSON.stringify({ runOnly: rules }) : ''});
    return violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 120));
  })()`);
