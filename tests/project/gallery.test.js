// Checks that the pictures of the gallery are what the charts draw now.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GALLERY, galleryPage, makeGallery, PAGE } from '../support/drawing/gallery.js';
import { checkSVG } from '../support/drawing/hostile-renderings.js';

const entries = await makeGallery();
const ADVICE = 'run npm run docs:gallery and look at the pictures';

for (const { file, svg } of entries)
  test(`the picture ${file}.svg is fresh and well-formed`, () => {
    checkSVG(svg);
    assert.ok(readFileSync(new URL(`${file}.svg`, GALLERY), 'utf8') === `${svg}\n`, `${file}.svg is old; ${ADVICE}`);
  });

test('the page shows every picture, and there are no others', () => {
  assert.equal(readFileSync(PAGE, 'utf8'), galleryPage(entries), ADVICE);
  assert.deepEqual(readdirSync(GALLERY).sort(), entries.map(({ file }) => `${file}.svg`).sort());
});
