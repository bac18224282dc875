// Which folder may use which: reads every include, import and call in src/ and js/, and lists what points the wrong way.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders in the order in which they may use each other: a folder uses only itself and those before it. */
export const ROOMS = {
  src: [
    'base',
    'matrices',
    'designs',
    'data',
    'image',
    'neighborhood',
    'environments',
    'solvers',
    'game',
    'wide',
    'adjust',
    'kriging',
    'explain',
  ],
  js: [
    'core',
    'data',
    'neighborhood',
    'solve',
    'explain',
    'measure',
    'render',
    'charts',
    'elements',
    'pool',
    'fleet',
    'adapters',
    'command-files',
    'command-jobs',
    'command-reports',
    'command',
    'runtimes',
  ],
};

/** The files outside the rooms, with the rooms and files that each may use. */
const DOORS = {
  'src/linex_data.h': [],
  'src/linex.h': ['src/linex_data.h'],
  'src/wasm.h': ['src/linex.h'],
  'src/wasm.c': ['src/linex.h', 'src/wasm.h', ...ROOMS.src],
  'js/index.js': [...ROOMS.js.slice(0, ROOMS.js.indexOf('elements')), 'js/render.js', 'js/wasm-files.js'],
  'js/render.js': ['render', 'charts'],
  'js/elements.js': ['elements'],
  'js/charts.js': ['elements'],
  'js/pool.js': ['pool', 'js/wasm-files.js'],
  'js/pool-worker.js': ['pool', 'js/wasm-files.js'],
  'js/fleet.js': ['fleet', 'js/wasm-files.js'],
  'js/adapters.js': ['adapters'],
  'js/command.js': ['command', 'js/wasm-files.js'],
  // It stands beside the .wasm files that it names, and only entry points import it.
  'js/wasm-files.js': ['core'],
};

/** Files whose import() may be computed: the user's model, and modules of Node that bundlers must not see. */
const COMPUTED_IMPORTS = [
  ...['js/wasm-files.js', 'js/pool/join-pool.js', 'js/pool/worker-handle.js', 'js/adapters/file-cache.js'],
  ...['js/command-jobs/model-file.js', 'js/command-files/optional-package.js'],
];

/** What may be imported from outside js/: modules of Node, and files that workerd compiles. @type {Record<string, RegExp>} */
const FOREIGN_IMPORTS = {
  'js/runtimes/node-files.js': /^node:fs(\/promises)?$/,
  'js/runtimes/workerd-files.js': /^\.\.\/linex[-\w]*\.wasm$/,
};

/** Rooms that run in Node only, and so may use its modules, with the optional packages that they may use. */
const NODE_ROOMS = {
  fleet: ['bullmq', 'ioredis'],
  'command-files': [],
  'command-jobs': [],
  'command-reports': [],
  command: [],
};

/** Whether a file uses a module of Node, or a package, that its room may use. */
const isForNode = ({ from, as }) =>
  Object.hasOwn(NODE_ROOMS, roomOf(from)) && (as.startsWith('node:') || NODE_ROOMS[roomOf(from)].includes(as));

/** Headers of the C standard library, and malloc.h for the memory statistics of wasm.c. */
const STANDARD_HEADERS = ['float', 'limits', 'malloc', 'math', 'stdbool', 'stddef', 'stdint', 'stdlib', 'string'];

const IGNORED = /\.(wasm|exports|in|d\.ts)$/;

/** Every source file by its path. @returns {Map<string, string>} */
export function readSources() {
  const sources = new Map();
  for (const top of ['src', 'js'])
    for (const entry of readdirSync(`${root}${top}`, { recursive: true, withFileTypes: true })) {
      const path = posix.relative(root, posix.join(entry.parentPath ?? entry.path, entry.name));
      if (entry.isFile() && !IGNORED.test(path)) sources.set(path, readFileSync(`${root}${path}`, 'utf8'));
    }
  return sources;
}

/** The folder of a file, or '' for one directly in src/ or js/. @param {string} path */
export const roomOf = (path) => path.split('/').slice(1, -1).join('/');
const topOf = (path) => path.split('/')[0];
const isC = (path) => /\.[ch]$/.test(path);
/** A source and its header are one unit. */
const unitOf = (path) => (isC(path) ? path.slice(0, -2) : path);
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/\/\/.*$/gm, '');

/**
 * What a module names in its code, read from the syntax tree.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string[]}  specifiers; a reason in words for what cannot be checked
 */
function namedInCode(path, text) {
  const named = [];
  const literalOf = (node) => (node && ts.isStringLiteralLike(node) ? node.text : undefined);
  /** @param {ts.Node} node */
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      named.push(literalOf(node.moduleSpecifier));
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const literal = literalOf(node.arguments[0]);
      if (literal !== undefined || !COMPUTED_IMPORTS.includes(path)) named.push(literal ?? 'a computed import()');
    } else if (
      ts.isNewExpression(node) &&
      node.expression.getText() === 'URL' &&
      node.arguments?.[1]?.getText() === 'import.meta.url'
    ) {
      const literal = literalOf(node.arguments[0]);
      if (literal === undefined || literal.endsWith('js')) named.push(literal ?? 'a computed URL');
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'Worker' && literalOf(node.arguments?.[0]))
      named.push(literalOf(node.arguments[0]));
    else if (ts.isPropertyAccessExpression(node) && node.getText() === 'import.meta.resolve')
      named.push('import.meta.resolve');
    else if (ts.isIdentifier(node) && ['require', 'createRequire', 'importScripts'].includes(node.text))
      named.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS));
  return named;
}

/** The modules whose types a module names in comments. @param {string} text */
function namedInComments(text) {
  const comments = (text.match(/\/\*[\s\S]*?\*\//g) ?? []).join('\n');
  return [...comments.matchAll(/(?:\bimport\(|@import\b[^'"\n]*?from\s*)(['"])([^'"]+)\1/g)].map(([, , one]) => one);
}

/** What a module uses. */
function usesOfModule(from, text, sources, { types }) {
  const named = [...namedInCode(from, text), ...(types ? namedInComments(text) : [])];
  const own = named.filter((as) => !FOREIGN_IMPORTS[from]?.test(as));
  return own.map((as) => {
    const to = as.startsWith('.') ? posix.join(posix.dirname(from), as) : '';
    return { from, to: sources.has(to) ? to : '', as };
  });
}

/** Where each C function is defined. @param {Map<string, string>} sources */
function homesOf(sources) {
  const homes = new Map();
  for (const [path, text] of sources)
    if (path.endsWith('.c'))
      for (const [, symbol] of withoutComments(text).matchAll(/^(?!static)[\w ]+[ *](linex_\w+)\([^;]*?\)\s*\{/gm))
        homes.set(symbol, path);
  return homes;
}

/** What a C file uses: headers, and functions under their name, called or not. */
function usesOfC(from, text, sources, homes) {
  const code = withoutComments(text.replace(/\\\n/g, ''));
  const uses = [];
  for (const [, directive, rest] of code.matchAll(/^\s*#\s*(include\w*|import)\b(.*)$/gm)) {
    const [, own, standard] = rest.trim().match(/^(?:"([^"]+)"|<(\w+)\.h>)$/) ?? [];
    if (directive === 'include' && STANDARD_HEADERS.includes(standard)) continue;
    const to = own === undefined ? '' : posix.join('src', own);
    uses.push({ from, to: directive === 'include' && sources.has(to) ? to : '', as: rest.trim() });
  }
  // A name that is pasted together cannot be checked.
  if (code.includes('##') && from !== 'src/wasm.h') uses.push({ from, to: '', as: '##' });
  // A header declares functions that other files define, so only sources count.
  if (from.endsWith('.c'))
    for (const [as] of code.matchAll(/\blinex_\w+\b/g)) if (homes.has(as)) uses.push({ from, to: homes.get(as), as });
  return uses;
}

/**
 * What each file uses.
 *
 * @param {Map<string, string>} sources
 * @param {{ types?: boolean }} [options]  types: whether types in comments count
 * @returns {{ from: string, to: string, as: string }[]}  as: how the source writes it; to: '' if there is no such file
 */
export function usesIn(sources, { types = true } = {}) {
  const homes = homesOf(sources);
  const uses = [...sources].flatMap(([from, text]) =>
    isC(from) ? usesOfC(from, text, sources, homes) : usesOfModule(from, text, sources, { types }),
  );
  return uses.filter(({ from, to }) => unitOf(from) !== unitOf(to));
}

/** Whether a file may use another. */
function isAllowed({ from, to, as }) {
  if (isForNode({ from, as })) return true;
  if (to === '' || topOf(from) !== topOf(to)) return false;
  const room = roomOf(to);
  if (from in DOORS) return DOORS[from].includes(room === '' ? to : room);
  // The script of a worker is an entry point too.
  if (to === 'js/wasm-files.js') return from === 'js/pool/pool-start.js';
  if (to === 'js/render.js') return roomOf(from) === 'runtimes';
  if (room === '') return ['src/linex.h', 'src/linex_data.h'].includes(to);
  const order = ROOMS[topOf(from)];
  return order.indexOf(room) <= order.indexOf(roomOf(from));
}

/** Files of one folder that use each other in a circle; types in comments may. */
function circlesIn(sources) {
  const next = new Map();
  for (const { from, to } of usesIn(sources, { types: false })) {
    if (to === '' || roomOf(from) !== roomOf(to) || roomOf(from) === '') continue;
    if (!next.has(unitOf(from))) next.set(unitOf(from), new Set());
    next.get(unitOf(from)).add(unitOf(to));
  }
  const circles = [];
  const done = new Set();
  const visit = (unit, trail) => {
    if (trail.includes(unit))
      return circles.push(`${[...trail.slice(trail.indexOf(unit)), unit].join(' -> ')} is a circle`);
    if (done.has(unit)) return undefined;
    for (const other of next.get(unit) ?? []) visit(other, [...trail, unit]);
    return done.add(unit);
  };
  for (const unit of next.keys()) visit(unit, []);
  return circles;
}

/**
 * Everything that is out of order.
 *
 * @param {Map<string, string>} sources
 * @returns {string[]}  one sentence each
 */
export function problemsIn(sources) {
  const problems = [];
  for (const path of sources.keys()) {
    const [top, room] = [topOf(path), roomOf(path)];
    if (!/\.(c|h|js)$/.test(path)) problems.push(`${path} is neither C nor a module`);
    if (room === '' && !(path in DOORS)) problems.push(`${path} is in no room`);
    if (room !== '' && !ROOMS[top].includes(room)) problems.push(`${path} is in an unknown room`);
  }
  for (const use of usesIn(sources)) if (!isAllowed(use)) problems.push(`${use.from} may not use ${use.as}`);
  return [...new Set([...problems, ...circlesIn(sources)])];
}

/**
 * Which folder uses which.
 *
 * @param {Map<string, string>} sources
 * @returns {Record<string, Map<string, Set<string>>>}  by src and js
 */
export function graphOf(sources) {
  const graph = Object.fromEntries(
    Object.entries(ROOMS).map(([top, rooms]) => [top, new Map(rooms.map((room) => [room, new Set()]))]),
  );
  for (const { from, to } of usesIn(sources))
    if (to !== '' && roomOf(from) !== '' && roomOf(to) !== '' && roomOf(from) !== roomOf(to))
      graph[topOf(from)].get(roomOf(from))?.add(roomOf(to));
  return graph;
}
