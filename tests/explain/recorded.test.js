// Compares explanations with those of commit 0a69331, before the files moved into rooms: the same calls give the same bits.
// The vectors were made by running tests/support/recorded-cases.js there, with the old option names. Later, fields that
// did not exist were added, and the residuals were replaced when the certificate became stricter. Explanations with
// environments 'halves' were replaced when halves became whole runs of samples. The group `designed` was recorded when
// designed samples came. All were replaced when games started from their fits: weights differ by less than 1e-9, games with
// several equilibria may end at another one. Two residuals were replaced when the rounding of prices began to count.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordedCases } from '../support/recorded-cases.js';

const recorded = JSON.parse(readFileSync(new URL('../vectors/explanations.json', import.meta.url), 'utf8'));
const now = await recordedCases();

test('every call has a record, and every record has a call', () => {
  const names = (cases) => Object.entries(cases).map(([group, found]) => [group, Object.keys(found)]);
  assert.deepEqual(names(now), names(recorded));
  assert.ok(Object.values(recorded).flatMap(Object.keys).length > 50);
});

for (const [group, cases] of Object.entries(recorded))
  for (const [name, expected] of Object.entries(cases))
    test(`${group}, ${name}: the result has the recorded bits`, () => assert.deepEqual(now[group][name], expected));
