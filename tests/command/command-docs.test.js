// Runs every command of the guide, and compares the reference and the help with the options.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EVERYWHERE } from '../../js/command-jobs/command-arguments.js';
import { helpOf } from '../../js/command/command-help.js';
import { COMMANDS } from '../../js/command/command-list.js';
import { folderFor, LIMIT, runCommand } from '../support/workers/command-runs.js';
import { isPrinted, readBlocks, readPage } from '../support/markdown.js';

const script = fileURLToPath(new URL('../../js/command.js', import.meta.url));
const { blocks } = readBlocks(readPage('web/docs/guides/command-line.md'));
const commands = await Promise.all(COMMANDS.map(async ({ load }) => (await load()).command));

/** Runs lines in bash, with `linex` from this repository. */
function runShell(folder, lines) {
  const code = lines.replaceAll('npx linex', `'${process.execPath}' '${script}'`);
  return new Promise((resolve) =>
    execFile('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: `${stderr}${stdout}` }),
    ),
  );
}

test('every command of the guide runs, and prints what the guide shows', LIMIT, async (t) => {
  const folder = folderFor(t);
  for (const name of ['command/iris.csv', 'command/iris.onnx', 'photo.png'])
    copyFileSync(new URL(`../../examples/${name}`, import.meta.url), join(folder, name.replace(/.*\//, '')));
  let output = '';
  let count = 0;
  for (const { language, code, directive, follows, line } of blocks) {
    const [, file] = directive.match(/^file: (\S+)$/) ?? [];
    if (file) writeFileSync(join(folder, file), code);
    if (language === 'text' && follows)
      for (const text of code.split('\n')) assert.ok(isPrinted(text, output), `line ${line}: ${text}\n${output}`);
    if (language !== 'sh') continue;
    const found = await runShell(folder, code);
    assert.equal(found.code, 0, `line ${line}: ${found.output}`);
    output = found.output;
    count += code.split('\n').length;
    for (const [, out] of code.matchAll(/(?:--out|>) (\S+)/g))
      assert.ok(existsSync(join(folder, out)) && statSync(join(folder, out)).size > 100, out);
  }
  assert.ok(count >= 10);
});

test('the reference has every option with its commands, and no other', () => {
  const page = readPage('web/docs/reference/commands.md');
  const rows = [...page.matchAll(/^\| (`-.*?) +\| ([\w, ]+?) +\| (?=[a-z`(1s])/gm)];
  const told = new Map(
    rows.flatMap(([, names, of]) => [...names.matchAll(/`--([\w-]+)`/g)].map(([, name]) => [name, of])),
  );
  const taken = new Map();
  for (const { name, takes } of commands)
    for (const option of Object.keys(takes)) taken.set(option, [...(taken.get(option) ?? []), name]);
  for (const option of Object.keys(EVERYWHERE)) taken.set(option, ['all']);
  assert.deepEqual([...told.keys()].sort(), [...taken.keys()].sort());
  for (const [option, names] of taken)
    assert.deepEqual(told.get(option).split(', ').sort(), names.sort(), `--${option}`);
});

test('every command has help in lines of at most 79 characters, with an example that it takes', async (t) => {
  const folder = folderFor(t);
  for (const command of commands) {
    const help = helpOf(command);
    for (const line of help.split('\n')) assert.ok(line.length <= 79, line);
    assert.match(help, new RegExp(`Usage: linex ${command.name} [\\s\\S]*Example`));
    for (const option of Object.keys(command.takes)) assert.ok(help.includes(`--${option}`), option);
  }
  const general = await runCommand(folder, ['--help']);
  assert.equal(general.code, 0);
  for (const { name, summary } of COMMANDS) assert.ok(general.stdout.includes(`  ${name.padEnd(12)}${summary}`), name);
  const version = await runCommand(folder, ['--version']);
  assert.equal(version.stdout, `${JSON.parse(readPage('package.json')).version}\n`);
});

test('bash completes commands, options, choices and files', async (t) => {
  const folder = folderFor(t, { 'data.csv': 'a\n1\n' });
  const { stdout } = await runCommand(folder, ['completion', 'bash']);
  const complete = (...words) =>
    execFileSync(
      'bash',
      [
        '-c',
        `${stdout}\nCOMP_WORDS=(linex ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _linex; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      { cwd: folder, encoding: 'utf8' },
    )
      .trim()
      .split('\n');
  assert.deepEqual(complete('ex'), ['explain']);
  assert.deepEqual(complete('explain', '--pre'), ['--preset']);
  assert.deepEqual(complete('explain', 'data.csv', '--preset', 'st'), ['steady', 'strict']);
  assert.deepEqual(complete('explain', 'da'), ['data.csv']);
  assert.deepEqual(complete('completion', 'z'), ['zsh']);
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout: written } = await runCommand(folder, ['completion', shell]);
    assert.equal(code, 0);
    for (const { name, takes } of commands)
      for (const option of Object.keys(takes)) assert.match(written, new RegExp(`${name}[\\s\\S]*${option}`));
  }
});
