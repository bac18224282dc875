// Which folder may use which: reads every include, import and call in src/ and js/, and lists what points the wrong way.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders in the order in which they may use each other: a folder uses only itself and those before it. */
export const ROOMS = {
  src: ['base', 'data', 'image', 'neighborhood', 'game', 'explain'],
  js: ['core', 'data', 'neighborhood', 'explain', 'measure', 'render', 'elements', 'pool', 'fleet', 'adapters'],
};

/** Files outside the rooms: in src/ what users include and what WebAssembly exports, in js/ what users import. */
const DOORS = {
  src: ['linex.h', 'linex_data.h', 'wasm.h', 'wasm.c'],
  js: ['index.js', 'render.js', 'elements.js', 'pool.js', 'pool-worker.js', 'adapters.js', 'inline.js', 'fleet.js'],
};
/** The one module outside the rooms that a room imports: it stands beside the .wasm files that it names. */
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

/** The folder of a file, or '' for one that stands directly in src/ or js/. @param {string} path */
export const roomOf = (path) => path.split('/').slice(1, -1).join('/');
const topOf = (path) => path.split('/')[0];
const isC = (path) => /\.[ch]$/.test(path);
/** A source and its header are one thing. */
const unitOf = (path) => (isC(path) ? path.slice(0, -2) : path);
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');

/**
 * What a module names: imports and exports from, bare imports, dynamic imports, types in comments, addresses of files.
 *
 * @param {string} text
 */
function namedByModule(text) {
  const comments = String.raw`(?:\s*\/\*[^*]*\*\/)*\s*`;
  const all = (pattern) => [...text.matchAll(pattern)];
  const named = all(/\b(?:from|import)\s*(['"])([@\w./:-]+)\1/g).map(([, , one]) => one);
  const files = all(/new URL\(\s*(['"`])([^'"`]+\.js)\1/g).map(([, , one]) => one);
  const calls = all(new RegExp(String.raw`\bimport\((${comments})(?:(['"\`])([^'"\`]+)\2)?`, 'g'));
  // What is not a literal is somebody else's: the user's model, or a module of Node. It says so to the bundlers.
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
 * What each file uses.
 *
 * @param {Map<string, string>} sources
 * @returns {{ from: string, to: string, as: string }[]}  as: how the source writes it; to: '' where there is no such file
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

/** Files of one folder that use each other in a circle; types in comments may. */
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
 * Everything that is out of order.
 *
 * @param {Map<string, string>} sources
 * @returns {string[]}  one sentence each
 */
export function problemsIn(sources) {
  const problems = [];
  for (const path of sources.keys()) {
    const [top, room] = [topOf(path), roomOf(path)];
    if (room === '' && !DOORS[top].includes(path.slice(top.length + 1)) && path !== WASM_FILES)
      problems.push(`${path} stands in no room`);
    if (room !== '' && !ROOMS[top].includes(room)) problems.push(`${path} stands in a room that nobody knows`);
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
