// The accessibility checks of axe, as a script for a page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Defines `axe` in a page. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules whose result depends on the theme. */
export const COLOR_RULES = Object.freeze(['color-contrast', 'link-in-text-block']);
