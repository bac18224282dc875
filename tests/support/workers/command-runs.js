// Runs the command in a process of its own, in an empty folder, as a user does.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const LIMIT = Object.freeze({ timeout: 240000 });
const script = fileURLToPath(new URL('../../../js/command.js', import.meta.url));

/** Makes a folder with files that is removed after the test. @returns {string}  its path */
export function folderFor(t, files = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'linex-command-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** Starts the command. @returns {{ child: import('node:child_process').ChildProcess, ended: Promise<any> }} */
export function startCommand(folder, args, { input, environment = {} } = {}) {
  // What this process has must not change what the command prints.
  const fresh = { NO_COLOR: undefined, FORCE_COLOR: undefined, NODE_TEST_CONTEXT: undefined, COLUMNS: undefined };
  const env = { ...process.env, ...fresh, ...environment };
  const child = spawn(process.execPath, [script, ...args], { cwd: folder, env });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const ended = new Promise((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  );
  return { child, ended };
}

/** Runs the command. @returns {Promise<{ code: number, stdout: string, stderr: string }>} */
export const runCommand = (folder, args, options) => startCommand(folder, args, options).ended;

/** Rows of people as CSV: the rows of the README. */
export function peopleCSV(count = 200) {
  const homes = ['own', 'rent', 'rent'];
  const lines = Array.from(
    { length: count },
    (_, i) => `${20 + ((i * 7) % 50)},${15000 + ((i * 7919) % 60000)},${homes[i % 3]}`,
  );
  return ['age,income,home', ...lines, ''].join('\n');
}

/** The model of the README. */
export const SCORE = `const score = ([age, income, home]) => 1 / (1 + Math.exp(4 - income / 12000 - age / 100 - (home === 'own' ? 1 : 0)));
export const predict = (batch) => batch.rows.map(score);
`;
