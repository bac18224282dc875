// Files of explanations and reports when something goes wrong: two writers, a full disk, a killed process.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { writeWhole } from '../../js/command-files/whole-file.js';
import { folderFor, LIMIT, peopleCSV, runCommand, SCORE, startCommand } from '../support/workers/command-runs.js';

const script = fileURLToPath(new URL('../../js/command.js', import.meta.url));
const words = ['explain', 'people.csv', '--model', 'model.mjs', '--preset', 'paper', '--samples', '100'];
const toFile = [...words, '--out', 'why.jsonl'];

test('a second process does not write to a file that is being written', LIMIT, async (t) => {
  const slow = `export const predict = async (batch) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return batch.rows.map(([age]) => age);
  };`;
  const folder = folderFor(t, { 'people.csv': peopleCSV(300), 'model.mjs': slow });
  const { child, ended } = startCommand(folder, toFile);
  const lock = join(folder, 'why.jsonl.lock');
  while (!existsSync(lock)) await wait(5);
  await wait(50);
  const second = await runCommand(folder, toFile);
  assert.equal(second.code, 2);
  assert.match(second.stderr, new RegExp(`why.jsonl is being written by process ${child.pid} on .*; wait for it, or`));
  assert.equal((await runCommand(folder, [...toFile, '--overwrite'])).code, 2);
  child.kill('SIGINT');
  assert.equal((await ended).code, 130);
  assert.ok(!existsSync(lock));
});

test(
  'the lock of a killed process, of another one with its number, and a torn one do not block for ever',
  LIMIT,
  async (t) => {
    const folder = folderFor(t, { 'people.csv': peopleCSV(3), 'model.mjs': SCORE });
    const lock = join(folder, 'why.jsonl.lock');
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const long = new Date(Date.now() - 60000);
    for (const [owner, old] of [
      [JSON.stringify({ pid: gone, host: hostname() }), false],
      [JSON.stringify({ pid: process.pid, host: hostname() }), true],
      [JSON.stringify({ pid: 1, host: 'another machine' }), true],
      ['', true],
    ]) {
      writeFileSync(lock, owner);
      if (old) utimesSync(lock, long, long);
      const { code, stderr } = await runCommand(folder, [...toFile, '--overwrite']);
      assert.equal(code, 0, `${owner}: ${stderr}`);
      assert.ok(!existsSync(lock));
    }
    writeFileSync(lock, JSON.stringify({ pid: 1, host: 'another machine' }));
    assert.match((await runCommand(folder, toFile)).stderr, /written by process 1 on another machine/);
  },
);

test('a run that the disk has no room for ends in one line, and goes on later to the same bytes', LIMIT, async (t) => {
  const folder = folderFor(t, { 'people.csv': peopleCSV(300), 'model.mjs': SCORE });
  assert.equal((await runCommand(folder, [...words, '--out', 'whole.jsonl'])).code, 0);
  // The system lets files grow to 200 blocks of 1024 bytes: a write is cut in the middle of a line, and the next one fails.
  const limited = `ulimit -f 200; exec "$0" "$@"`;
  const { status, stderr } = spawnSync('bash', ['-c', limited, process.execPath, script, ...toFile], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 2, stderr);
  assert.match(stderr, /^linex: could not write: a file may not be so large here$/m);
  assert.equal(statSync(join(folder, 'why.jsonl')).size, 200 * 1024);
  const { code, stderr: later } = await runCommand(folder, toFile);
  assert.equal(code, 0, later);
  assert.match(later, /why\.jsonl has \d+ rows; going on/);
  assert.ok(readFileSync(join(folder, 'why.jsonl')).equals(readFileSync(join(folder, 'whole.jsonl'))));
});

test('a page is written completely or not at all, and keeps its permissions', LIMIT, async (t) => {
  const folder = folderFor(t, { 'people.csv': peopleCSV(60), 'model.mjs': SCORE, 'why.html': 'the old page' });
  chmodSync(join(folder, 'why.html'), 0o600);
  assert.equal((await runCommand(folder, toFile)).code, 0);
  const report = ['report', 'why.jsonl', '--out', 'why.html'];
  // A page is longer than 16 blocks.
  const { status } = spawnSync('bash', ['-c', 'ulimit -f 16; exec "$0" "$@"', process.execPath, script, ...report], {
    cwd: folder,
  });
  assert.equal(status, 2);
  assert.equal(readFileSync(join(folder, 'why.html'), 'utf8'), 'the old page');
  assert.equal((await runCommand(folder, report)).code, 0);
  assert.match(readFileSync(join(folder, 'why.html'), 'utf8'), /^<!doctype html>[\s\S]*<\/html>\n$/);
  assert.equal(statSync(join(folder, 'why.html')).mode & 0o777, 0o600);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
  );
  await assert.rejects(writeWhole(join(folder, 'none', 'why.html'), ''), { code: 'ENOENT' });
});
