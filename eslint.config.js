import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['build/', 'types/', '**/node_modules/', '**/*.timestamp-*.mjs'] },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  // The library runs in pages, workers and Node, so it uses only what all three have, and never the console.
  { files: ['js/**'], languageOptions: { globals: globals['shared-node-browser'] }, rules: { 'no-console': 'error' } },
  // The elements and their drawing code run only in pages.
  { files: ['js/elements.js', 'js/charts.js', 'js/elements/**'], languageOptions: { globals: globals.browser } },
  // A pool starts workers of either.
  { files: ['js/pool/worker-handle.js'], languageOptions: { globals: { Worker: 'readonly' } } },
  { files: ['tests/**', 'examples/**', '.ci/**'], languageOptions: { globals: globals.node } },
  // A page of a company, and its workers.
  {
    files: ['examples/dashboard/**', 'tests/browser/dashboard.test.js'],
    languageOptions: { globals: { ...globals.browser, ...globals.worker } },
  },
  // The demo page, its workers and its models.
  { files: ['web/**'], languageOptions: { globals: { ...globals.browser, ...globals.worker } } },
  // The theme of the documentation, which runs in pages.
  { files: ['.ci/docs/.vitepress/theme/**'], languageOptions: { globals: globals.browser } },
  // These hand functions to a page.
  {
    files: [
      'tests/render/render.test.js',
      'tests/browser/charts.test.js',
      'tests/browser/element-meaning.test.js',
      'tests/browser/element-parts.test.js',
      'tests/browser/elements.test.js',
      'tests/browser/engines.test.js',
      'tests/browser/demo.test.js',
      'tests/browser/demo-pictures.test.js',
      'tests/browser/demo-transformer.test.js',
      'tests/docs/live.test.js',
      'tests/docs/pages.test.js',
      'tests/docs/vite-page.test.js',
    ],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
];
