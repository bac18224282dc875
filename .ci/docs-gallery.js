// npm run docs:gallery: draws the pictures of web/docs/gallery again, and writes the page that shows them.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { GALLERY, galleryPage, makeGallery, PAGE } from '../tests/support/drawing/gallery.js';

const entries = await makeGallery();
mkdirSync(GALLERY, { recursive: true });
for (const name of readdirSync(GALLERY)) rmSync(new URL(name, GALLERY));
for (const { file, svg } of entries) writeFileSync(new URL(`${file}.svg`, GALLERY), `${svg}\n`);
writeFileSync(PAGE, galleryPage(entries));
