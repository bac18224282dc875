// Where the documentation site is built, and what its pages may load.
import { fileURLToPath } from 'node:url';
import { root } from '../setup.js';

const pathOf = (path) => fileURLToPath(new URL(path, root));

export const SITE_FOLDER = pathOf('.ci/docs');
export const PAGES = pathOf('build/docs-site/pages');
export const HTML = pathOf('build/docs-site/html');
/** The groups of the sidebar that list the exports; the reference writes it. */
export const EXPORTS_FILE = pathOf('build/docs-site/exports.json');

/** Stands for the address of the documentation until the built files are made relative. */
export const BASE = '/linex-docs-base/';

/**
 * What a page may load: files of its own origin. `data:` is for the icons in the style sheets, and `blob:` for the worker
 * that runs what a reader has written into a code block; the code reaches neither the page nor its storage.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
