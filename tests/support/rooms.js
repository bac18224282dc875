// Reads every include, import and call in src/ and js/, and lists those that break the order of the folders.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders in the order in which they may use each other: a folder uses only itself and the folders before it. */
export const ROOMS = {
  src: ['base', 'data', 'image', 'neighborhood', 'game', 'explain'],
  js: ['core', 'data', 'neighborhood', 'explain', 'measure', 'render', 'elements', 'pool', 'fleet', 'adapters'],
};

/** Files outside the rooms: in src/ the public headers and the exports to WebAssembly, in js/ the entry points. */
const DOORS = {
  src: ['linex.h', 'linex_data.h', 'wasm.h', 'wasm.c'],
  js: ['index.js', 'render.js', 'elements.js', 'pool.js', 'pool-worker.js', 'adapters.js', 'inline.js', 'fleet.js'],
};
/** The only module outside the rooms that a room imports. It is in the folder of the .wasm files that it names. */
const WASM_FILES = 'js/wasm-files.js';

/** Every source file by its path. @returns {Map<string, string>} */
export function readSources() {
  const sources = new Map();
  for (const top of ['src', 'js'])
    for (const entry of readdirSync(`${root}${top}`, { recursive: true, withFileTypes: true })) {
      const path = posix.relative(root, posix.join(entry.parentPath ?? entry.path, entry.name));
      if (entry.isFile() && /\.(c|h|js)$/.test(path)) sources.set(path, readFileSync(`${root}${path}`, 'utf8'));
    }
  return sources;
}

/** The folder of a file, or '' if the file is directly in src/ or js/. @param {string} path */
export const roomOf = (path) => path.split('/').slice(1, -1).join('/');
const topOf = (path) => path.split('/')[0];
const isC = (path) => /\.[ch]$/.test(path);
/** A source and its header count as one file. */
const unitOf = (path) => (isC(path) ? path.slice(0, -2) : path);
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');

/**
 * Returns the paths that a module names: in imports and exports, in types in comments, and in addresses of files.
 *
 * @param {string} text
 */
function namedByModule(text) {
  const comments = String.raw`(?:\s*\/\*[^*]*\*\/)*\s*`;
  const all = (pattern) => [...text.matchAll(pattern)];
  const named = all(/\b(?:from|import)\s*(['"])([@\w./:-]+)\1/g).map(([, , one]) => one);
  const files = all(/new URL\(\s*(['"`])([^'"`]+\.js)\1/g).map(([, , one]) => one);
  const calls = all(new RegExp(String.raw`\bimport\((${comments})(?:(['"\`])([^'"\`]+)\2)?`, 'g'));
  // An import that is not a literal loads the user's model or a module of Node. Its comment tells bundlers to ignore
  // it.
  const dynamic = calls
    .filter(([, marks]) => !marks.includes('@vite-ignore'))
    .map(([, , , one]) => (one === undefined || one.includes('${') ? 'a module that is computed' : one));
  return [...named, ...files, ...dynamic];
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

/**
 * Returns the uses of each file.
 *
 * @param {Map<string, string>} sources
 * @returns {{ from: string, to: string, as: string }[]}  as: the path in the source; to: '' if there is no such file
 */
export function usesIn(sources) {
  const homes = homesOf(sources);
  const uses = [];
  for (const [from, text] of sources)
    if (isC(from)) {
      const code = withoutComments(text);
      for (const [, as] of code.matchAll(/#include "([^"]+)"/g)) {
        const to = posix.join('src', as);
        uses.push({ from, to: sources.has(to) ? to : '', as });
      }
      for (const [, as] of code.matchAll(/\b(linex_\w+)\(/g))
        if (homes.has(as)) uses.push({ from, to: homes.get(as), as });
    } else
      for (const as of namedByModule(text)) {
        const to = as.startsWith('.') ? posix.join(posix.dirname(from), as) : '';
        uses.push({ from, to: sources.has(to) ? to : '', as });
      }
  return uses.filter(({ from, to }) => unitOf(from) !== unitOf(to));
}

/** Whether a file may use another. */
function isAllowed({ from, to }) {
  const order = ROOMS[topOf(from)];
  if (to === '' || topOf(from) !== topOf(to)) return false;
  if (roomOf(from) === '') return true;
  if (to === WASM_FILES) return from === 'js/core/load.js';
  if (roomOf(to) === '') return isC(to) && !to.startsWith('src/wasm.');
  return order.indexOf(roomOf(to)) <= order.indexOf(roomOf(from));
}

/** Finds files of one folder that use each other in a circle. Types in comments are allowed to. */
function circlesIn(sources) {
  const code = new Map([...sources].map(([path, text]) => [path, isC(path) ? text : withoutComments(text)]));
  const next = new Map();
  for (const { from, to } of usesIn(code)) {
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
 * Returns all problems with the order.
 *
 * @param {Map<string, string>} sources
 * @returns {string[]}  one sentence each
 */
export function problemsIn(sources) {
  const problems = [];
  for (const path of sources.keys()) {
    const [top, room] = [topOf(path), roomOf(path)];
    if (room === '' && !DOORS[top].includes(path.slice(top.length + 1)) && path !== WASM_FILES)
      problems.push(`${path} is in no room`);
    if (room !== '' && !ROOMS[top].includes(room)) problems.push(`${path} is in an unknown room`);
  }
  for (const use of usesIn(sources)) if (!isAllowed(use)) problems.push(`${use.from} may not use ${use.as}`);
  return [...new Set([...problems, ...circlesIn(sources)])];
}

/**
 * Returns the folders that each folder uses.
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
