// Checks on Fisher's irises that LINEX is steadier than LIME, and that the tables of the documentation still hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { irisDefaults, irisPage, irisPaperReading, irisRounds, readTable } from '../support/doc-tables.js';
import { measureDefaults, measurePaperReading, solveBothWays } from '../support/iris-study.js';

const published = readTable('iris.md');

/** Fails, and shows the fresh table, if the committed page does not contain it. */
const assertPublished = (section) =>
  assert.ok(
    published.includes(section),
    `web/docs/ideas/tables/iris.md lacks this; run npm run docs:tables:\n${section}`,
  );

test("in the paper's reading LINEX is steadier than LIME at the same fidelity", async () => {
  const measured = await measurePaperReading();
  const { LIME, LINEX } = measured;
  assert.ok(LINEX.inconsistency <= 0.65 * LIME.inconsistency, 'coefficient inconsistency');
  assert.ok(LINEX.upsilon >= LIME.upsilon + 0.08, 'unidirectionality');
  assert.ok(LINEX.infidelity <= 1.1 * LIME.infidelity, 'infidelity');
  assertPublished(irisPaperReading(measured));
});

test('the path needs few corners where Algorithm 1 needs many rounds', async () => {
  const pairs = await solveBothWays();
  for (const [i, { path, literal }] of pairs.entries()) {
    assert.ok(path.equilibrium.converged && literal.equilibrium.converged);
    path.weights.forEach((weight, c) => assert.ok(Math.abs(weight - literal.weights[c]) < 1e-9, `flower ${i}`));
  }
  assertPublished(irisRounds(pairs));
});

test('with every preset LINEX contradicts itself less than LIME at the same fidelity', async () => {
  const measured = await measureDefaults();
  const { LIME, 'LINEX, preset paper': paper, 'LINEX, near-far': nearFar } = measured;
  const { 'LINEX, preset steady (default)': steady, 'LINEX, preset strict': strict } = measured;
  assert.ok(paper.conflict <= 0.7 * LIME.conflict, 'sign conflict by bootstrap');
  assert.ok(nearFar.conflict <= 0.5 * LIME.conflict, 'sign conflict by near-far');
  assert.ok(steady.conflict <= 0.15 * LIME.conflict, 'sign conflict of the default');
  assert.ok(strict.conflict <= 0.1 * LIME.conflict, 'sign conflict by sides');
  for (const { infidelity, inconsistency } of [paper, nearFar, steady]) {
    assert.ok(infidelity <= 1.05 * LIME.infidelity, 'infidelity');
    assert.ok(inconsistency <= 1.1 * LIME.inconsistency, 'coefficient inconsistency');
  }
  assert.ok(steady.inconsistency <= LIME.inconsistency, 'coefficient inconsistency of the default');
  assertPublished(irisDefaults(measured));
});

test('the page of tables has only the three tables', () => {
  const sections = published.split(/^(?=## )/m).slice(1);
  assert.equal(sections.length, 3);
  // A section ends with the blank line before the next heading.
  assert.equal(irisPage(sections.map((section) => section.replace(/\n\n$/, '\n'))), published);
});
