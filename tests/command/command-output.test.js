// What the command writes to a terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldLine } from '../../js/command-jobs/command-output.js';

test('a long note is broken between words, and a list goes on below its start', () => {
  assert.equal(
    foldLine('  left out  age, income (no numbers), home', 30),
    '  left out  age, income (no\n            numbers), home',
  );
  assert.equal(foldLine('reading the file again', 12), 'reading the\nfile again');
});

test('a short note and a word without spaces stay as they are', () => {
  assert.equal(foldLine('  left out  species', 80), '  left out  species');
  assert.equal(foldLine('x'.repeat(30), 20), 'x'.repeat(30));
});
