// Writes the reference of every export from the types in js/, as Markdown: one page per export.
import { fileURLToPath } from 'node:url';
import { Application, Converter } from 'typedoc';

const root = new URL('../../', import.meta.url);
const pathOf = (path) => fileURLToPath(new URL(path, root));

/** The entry points, by the names under which users import them. */
export const ENTRIES = ['index', 'render', 'elements', 'charts', 'pool', 'pool-worker', 'fleet', 'adapters'];

/** How TypeDoc reads js/. Without excludeExternals, the elements would inherit all of HTMLElement. */
const OPTIONS = {
  entryPoints: ENTRIES.map((name) => pathOf(`js/${name}.js`)),
  tsconfig: pathOf('tsconfig.json'),
  plugin: ['typedoc-plugin-markdown'],
  readme: 'none',
  excludeExternals: true,
  excludePrivate: true,
  excludeInternal: true,
  disableSources: true,
  validation: { notExported: false, invalidLink: false },
  logLevel: 'Error',
  skipErrorChecking: true,
};

/** How the plugin writes pages. */
const MARKDOWN = {
  outputFileStrategy: 'members',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hideGroupHeadings: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  propertiesFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  enumMembersFormat: 'table',
  propertyMembersFormat: 'table',
  classPropertiesFormat: 'table',
  indexFormat: 'table',
  pageTitleTemplates: { index: 'Every export', module: ({ name }) => name, member: ({ name }) => name },
};

/**
 * Writes the pages into a folder.
 *
 * @param {string} into  a path
 * @returns {Promise<import('typedoc').ProjectReflection>}
 */
export async function writeReference(into) {
  const app = await Application.bootstrapWithPlugins({ ...OPTIONS, ...MARKDOWN });
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const module of project.children ?? []) if (module.name === 'index') module.name = 'linex';
  });
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc could not read js/');
  await app.outputs.writeOutput({ name: 'markdown', path: into }, project);
  return project;
}
