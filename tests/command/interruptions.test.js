// Interrupts the command at random moments and starts it again: the file is that of an undisturbed run.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { dice } from '../support/dice.js';
import { folderFor, LIMIT, peopleCSV, runCommand, SCORE, startCommand } from '../support/workers/command-runs.js';

const ROWS = 600;
const args = (out) => [
  'explain',
  'people.csv',
  '--model',
  'model.mjs',
  '--preset',
  'paper',
  '--samples',
  '100',
  '--out',
  out,
];
const sizeOf = (path) => (existsSync(path) ? statSync(path).size : 0);
/** `npm run attack` interrupts more often. */
const TIMES = process.env.LINEX_ATTACK ? 20 : 4;

for (const signal of ['SIGKILL', 'SIGINT'])
  test(`after ${signal} at random moments, the same command goes on to the same bytes`, LIMIT, async (t) => {
    const folder = folderFor(t, { 'people.csv': peopleCSV(ROWS), 'model.mjs': SCORE });
    assert.equal((await runCommand(folder, args('whole.jsonl'))).code, 0);
    const whole = readFileSync(join(folder, 'whole.jsonl'));
    const path = join(folder, 'parts.jsonl');
    const { uniform } = dice(signal.length);
    let interrupted = 0;
    while (interrupted < TIMES) {
      const from = sizeOf(path);
      // Somewhere in what is left, but not so far that the file would be finished before the last interruption.
      const upTo = from + (uniform() * (whole.length - from)) / (TIMES - interrupted);
      const { child, ended } = startCommand(folder, args('parts.jsonl'));
      let over = false;
      ended.then(() => (over = true));
      while (!over && sizeOf(path) <= upTo) await wait(2);
      child.kill(signal);
      const { code, signal: by } = await ended;
      // The file was finished before the signal came, or Node was already ending: this one does not count.
      if (code === 0 || (by === 'SIGINT' && readFileSync(path).equals(whole))) {
        rmSync(path);
        continue;
      }
      interrupted++;
      if (signal === 'SIGKILL') assert.equal(by, 'SIGKILL');
      else assert.equal(code, 130);
      assert.ok(whole.subarray(0, sizeOf(path)).equals(readFileSync(path)), 'it is not the beginning of the file');
    }
    assert.equal((await runCommand(folder, args('parts.jsonl'))).code, 0);
    assert.ok(readFileSync(path).equals(whole));
  });

test('after Ctrl-C, no row is asked twice', LIMIT, async (t) => {
  const model = `import { appendFileSync } from 'node:fs';
    export const predict = (batch) => {
      const answers = [...batch].map(([x]) => x);
      appendFileSync('asked.txt', answers[0] + '\\n');
      // Slow enough that a busy machine interrupts before the end.
      return new Promise((resolve) => setTimeout(() => resolve(answers), 15));
    };`;
  const rows = Array.from({ length: 400 }, (_, i) => i);
  const folder = folderFor(t, { 'rows.csv': `x\n${rows.join('\n')}\n`, 'model.mjs': model });
  const words = [
    'explain',
    'rows.csv',
    '--model',
    'model.mjs',
    '--preset',
    'paper',
    '--samples',
    '100',
    '--out',
    'why.jsonl',
  ];
  for (const least of [2000, 150000]) {
    const { child, ended } = startCommand(folder, words);
    while (sizeOf(join(folder, 'why.jsonl')) < least) await wait(2);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    assert.equal(code, 130, stderr);
    assert.match(stderr, /finishing the rows under way[\s\S]*interrupted after .* rows; the same command goes on/);
  }
  assert.equal((await runCommand(folder, words)).code, 0);
  const asked = readFileSync(join(folder, 'asked.txt'), 'utf8').trim().split('\n').map(Number);
  assert.deepEqual(
    asked.sort((a, b) => a - b),
    rows,
  );
});
