// Attacks the charts of summaries and comparisons: every field replaced by hostile values, and hostile names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { compare, renderComparisonSVG, renderImportanceSVG, summarize } from 'linex';
import { explainedRow, silence } from '../support/contributions.js';
import { attacksOn } from '../support/drawing/hostile-explanations.js';
import { checkSVG } from '../support/drawing/hostile-renderings.js';
import { HOSTILE_STRINGS } from '../support/drawing/hostile-strings.js';

const [from, to] = [
  silence(explainedRow([0.3, -0.2, 0.1], { values: [5, 'own', 2], error: 0.01 }), 2),
  explainedRow([0.1, -0.3, 0.1], { values: [6, 'rent', null], error: 0.02 }),
];
const plain = (value) => JSON.parse(JSON.stringify(value));
const SUBJECTS = {
  summary: { subject: plain(summarize([from, to])), render: renderImportanceSVG },
  comparison: { subject: plain(compare(from, to)), render: renderComparisonSVG },
};

for (const [name, { subject, render }] of Object.entries(SUBJECTS))
  test(`a ${name} with any field replaced is refused by name, or its chart is safe`, (t) => {
    const counts = { refused: 0, drawn: 0 };
    for (const { path, value, attacked } of attacksOn(subject)) {
      let svg;
      try {
        svg = render(attacked);
      } catch (error) {
        assert.equal(Object.getPrototypeOf(error), TypeError.prototype, error.stack);
        const [, named] = error.message.match(/^([\w.[\]]+|a \w+) must be .+, not [^]+$/) ?? [];
        const related = named && (path === '' || named.startsWith(path) || path.startsWith(named));
        assert.ok(related, `${path}: ${error.message}`);
        counts.refused++;
        continue;
      }
      try {
        checkSVG(svg);
        counts.drawn++;
      } catch (error) {
        assert.fail(`${path} = ${inspect(value, { depth: 1, maxStringLength: 60 })}: ${error.message}`);
      }
    }
    t.diagnostic(`${counts.refused} refused, ${counts.drawn} drawn`);
    assert.ok(counts.refused > 1000 && counts.drawn > 100);
  });

test('hostile names and labels are drawn as text', () => {
  for (const string of HOSTILE_STRINGS) {
    const row = explainedRow([0.3, -0.2], { names: [string, 'b'], values: [string, 1], target: string });
    const labels = { importanceTitle: `What ${string}`, raises: string, mattersMost: string };
    checkSVG(renderImportanceSVG(summarize([row]), { labels }));
    checkSVG(renderComparisonSVG(compare(row, row), { names: [string, string], labels: { unsure: string } }));
  }
});
