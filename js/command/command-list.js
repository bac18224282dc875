// The subcommands. Each is loaded when it is used, so that help and completion are quick.

/** @type {readonly import('../command-jobs/command-arguments.js').CommandPlace[]} */
export const COMMANDS = Object.freeze([
  {
    name: 'explain',
    summary: 'explain rows of a table (CSV, JSON lines, Parquet, Arrow)',
    load: () => import('./command-explain.js'),
  },
  { name: 'text', summary: 'explain a text', load: () => import('./command-text.js') },
  { name: 'image', summary: 'explain an image (PNG, JPEG)', load: () => import('./command-image.js') },
  {
    name: 'report',
    summary: 'make one HTML page of a file of explanations',
    load: () => import('./command-report.js'),
  },
  { name: 'check', summary: 'check a file of explanations and repeat some', load: () => import('./command-check.js') },
  { name: 'estimate', summary: 'say what an explanation will cost', load: () => import('./command-estimate.js') },
  { name: 'worker', summary: 'lend the cores of this machine to a fleet', load: () => import('./command-worker.js') },
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    load: () => import('./command-completion.js'),
  },
]);
