// npm run docs:outputs: runs the scripts of the pages, and corrects the printed lines that the pages show below them.
//
// A line that is no longer printed is replaced by the printed line that is most like it. Read the difference before you
// commit it: a script may also print something wrong. Comments such as `// 0.5` after console.log are corrected too.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findPages, isPrinted, readPage, readPrograms } from '../tests/support/markdown.js';
import { buildWasm } from './build.js';
import { root } from './setup.js';

const work = new URL('build/docs-outputs/', root);
const only = process.argv.slice(2);

/** Runs a program at the root of the repository. @returns {string | undefined}  undefined if it fails */
function outputOf({ code, files }) {
  mkdirSync(work, { recursive: true });
  for (const [name, text] of Object.entries({ ...files, 'main.js': code })) writeFileSync(new URL(name, work), text);
  const settings = { cwd: fileURLToPath(root), encoding: 'utf8', timeout: 60000, stdio: ['ignore', 'pipe', 'pipe'] };
  try {
    return execFileSync(process.execPath, [fileURLToPath(new URL('main.js', work))], settings);
  } catch {
    return undefined;
  }
}

/** The words of a line, without its numbers and bars. */
const wordsOf = (line) => new Set(line.match(/\p{L}{2,}/gu) ?? []);

/** How much two lines have in common, from 0 to 1. */
function likeness(one, other) {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}

/** Returns the printed line that should stand in place of one, or undefined if none is like it. */
function replacementFor(line, printed) {
  const [best] = printed.map((text) => ({ text, like: likeness(line, text) })).sort((a, b) => b.like - a.like);
  return best && best.like >= 0.4 ? best.text : undefined;
}

/** Scripts in pages and scripts that need Redis are left out. */
const isPlain = ({ runs, code, expected }) =>
  runs === 'node' && expected.length > 0 && !/from 'linex\/fleet'/.test(code);

/** Corrects a page. @returns {number}  how many lines still differ */
function correct(path) {
  let page = readPage(path);
  let open = 0;
  for (const program of readPrograms(page).filter(isPlain)) {
    const output = outputOf(program);
    const missing =
      output === undefined ? program.expected : program.expected.filter((line) => !isPrinted(line, output));
    const kept = program.expected.filter((line) => line.trim() !== '…');
    const free = (output ?? '').split('\n').filter((text) => !kept.some((line) => isPrinted(line, text)));
    for (const line of missing) {
      const found = replacementFor(line, free);
      if (found === undefined || line.includes('…')) {
        console.log(
          `${path}, line ${program.line}: ${output === undefined ? 'the script fails' : `not printed: ${line}`}`,
        );
        open++;
        continue;
      }
      free.splice(free.indexOf(found), 1);
      const before = page.slice(0, page.indexOf(program.code.split('\n')[0]));
      page = before + page.slice(before.length).replace(line.trimEnd(), () => found.trimEnd());
    }
  }
  if (page !== readFileSync(new URL(path, root), 'utf8')) {
    writeFileSync(new URL(path, root), page);
    console.log(`${path} is corrected`);
  }
  return open;
}

buildWasm();
const open = findPages()
  .filter((path) => only.length === 0 || only.includes(path))
  .reduce((sum, path) => sum + correct(path), 0);
if (open > 0) {
  console.log(`${open} lines are left to you`);
  process.exitCode = 1;
}
