// Tests what the dashboard says and computes, without a page.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  compare,
  renderBarsSVG,
  renderComparisonSVG,
  renderImportanceSVG,
  renderRecourseSentence,
  renderRecourseSVG,
  renderSummarySVG,
  renderWaterfallSVG,
  summarize,
} from 'linex';
import {
  barLabels,
  comparisonLabels,
  describeDecision,
  describeGroups,
  recourseFormat,
  recourseLabels,
  scoreFormat,
  signed,
  summaryLabels,
  waterfallLabels,
  writeValue,
} from '../../examples/dashboard/dashboard-text.js';
import { adviseApplicant, explainApplicant, table } from '../../examples/dashboard/explain-applicant.js';
import { applicants, categorical, columns, scoreApplicant } from '../../examples/dashboard/loans.js';

const root = new URL('../..', import.meta.url);
const folder = new URL('examples/dashboard/', root);
// Recorded in the first run; it must not change.
const SUM_OF_SCORES = 114.33226016464928;
const declined = applicants.flatMap((row, index) => (scoreApplicant(row) < 0.5 ? [index] : []));

/** The explanations of all applicants, computed once. */
let computed;
const explainAll = () => (computed ??= Promise.all(applicants.map((_, index) => explainApplicant(index))));

test('the 200 applicants have both decisions and are the same on every machine', () => {
  assert.equal(applicants.length, 200);
  assert.ok(declined.length > 60 && declined.length < 140, `${declined.length} declined`);
  const sum = applicants.reduce((total, row) => total + scoreApplicant(row), 0);
  assert.equal(sum, SUM_OF_SCORES);
  assert.deepEqual(
    table.columns.filter(({ kind }) => kind === 'categorical').map(({ name }) => name),
    categorical,
  );
  // A late payment costs more if the loan is large for the income, so the model is not a sum of its columns.
  const cost = (amount) =>
    scoreApplicant([36000, amount, 40, 5, 0, 'own', 'car']) - scoreApplicant([36000, amount, 40, 5, 1, 'own', 'car']);
  assert.ok(cost(18000) > 2 * cost(3000));
});

test('the dashboard imports only published entry points of linex', () => {
  const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  const published = ['.', './charts', './elements', './pool'].map((name) =>
    exports[name].default.replace('./', '../../'),
  );
  // Imports that take several lines and those at run time count too; types in comments do not.
  const imported = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('\n'))
    .filter((line) => !/^\s*(\*|\/)/.test(line))
    .flatMap((line) => [...line.matchAll(/(?:^import|\bfrom|\bimport\() ?'([^']+)'/g)])
    .map(([, path]) => path);
  const outside = imported.filter((path) => !/^\.\/[\w-]+\.js$/.test(path));
  assert.deepEqual([...new Set(outside)].sort(), published.sort());
});

test('every number has its unit, in the singular and in the plural', () => {
  const row = [16000, 8500, 40, 1, 1, 'rent', 'car'];
  assert.deepEqual(row.map(writeValue), ['$16,000', '$8,500', '40 years', '1 year', '1 month', 'rent', 'car']);
  assert.equal(writeValue(0, columns.indexOf('late payments')), '0 months');
  assert.deepEqual(
    table.columns.filter(({ kind, format }) => kind === 'numeric' && !format),
    [],
  );
});

test('the texts name the decision, and the question is the one that was decided', () => {
  assert.equal(describeDecision(0.3), 'Declined: the score is 0.30, and 0.50 is needed.');
  assert.equal(describeDecision(0.6), 'Approved: the score is 0.60, and 0.50 is needed.');
  assert.deepEqual(
    [0.3, 0.6].map((prediction) => barLabels({ prediction }).why),
    ['Why declined?', 'Why approved?'],
  );
  assert.equal(waterfallLabels(16).why, 'How does the score come to 0.09?');
  assert.deepEqual([0.123, -0.5, -0.001].map(signed), ['+0.12', '−0.50', '0.00']);
  // A try that is declined must not look as if it had reached 0.50.
  assert.equal(recourseFormat({ closest: { prediction: 0.4993 } }), undefined);
  assert.equal(recourseFormat({ closest: { prediction: 0.36 } }), scoreFormat);
  assert.equal(recourseFormat({ closest: null }), scoreFormat);
});

test('a contribution is the slope times the distance from the average of the applicants', async () => {
  const all = await explainAll();
  for (const index of [1, 5, 16, 90])
    for (const { index: c, kind, value, perUnit, weight, contribution } of all[index].features) {
      const values = applicants.map((row) => row[c]);
      const expected =
        kind === 'numeric'
          ? perUnit * (value - values.reduce((sum, one) => sum + one, 0) / values.length)
          : weight * (1 - values.filter((one) => one === value).length / values.length);
      assert.ok(Math.abs(contribution - expected) < 1e-9, `${index}, ${columns[c]}`);
    }
});

test('the lowest income speaks against approval, although more income would help', async () => {
  const lowest = applicants.reduce((least, [income], index) => (income < applicants[least][0] ? index : least), 0);
  const explanation = await explainApplicant(lowest);
  const income = explanation.features.find(({ name }) => name === 'income');
  assert.ok(income.weight > 0 && income.contribution < 0);
  const labels = barLabels(explanation);
  assert.match(
    renderBarsSVG(explanation, { labels }),
    /Compared with the average applicant, against approval: [^.]*income \$15,500/,
  );
  assert.match(renderBarsSVG(explanation, { labels, view: 'slope' }), /Raises the score: more income/);
});

test('the parts of a comparison sum to the difference of two scores, and most of it is explained', async () => {
  const all = await explainAll();
  const some = [1, 5, 7, 16, 40, 90].map((index) => [all[index], scoreApplicant(applicants[index])]);
  let [open, whole] = [0, 0];
  for (const [from, before] of some)
    for (const [to, after] of some) {
      const { features, reference, rest } = compare(from, to);
      const sum = features.reduce((total, { change }) => total + change, reference + rest);
      assert.ok(Math.abs(sum - (after - before)) < 1e-12);
      open += (reference + rest) ** 2;
      whole += (after - before) ** 2;
    }
  assert.ok(open < 0.25 * whole, `${open} of ${whole}`);
});

test('the advice is the largest loan that the scorecard approves, or that there is none', async () => {
  const all = await explainAll();
  const amount = columns.indexOf('amount');
  const least = Math.min(...applicants.map((row) => row[amount]));
  const counts = { found: 0, none: 0 };
  for (const index of declined) {
    const { found, row, changes, prediction } = await adviseApplicant(index, {
      explanation: all[index],
      may: ['amount'],
    });
    // By trying every amount in steps of $100.
    const asked = applicants[index][amount];
    const tries = Array.from({ length: (asked - least) / 100 }, (_, i) => asked - 100 * (i + 1));
    const best = tries.find((value) => scoreApplicant(applicants[index].with(amount, value)) >= 0.5);
    assert.equal(found, best !== undefined, `${index}`);
    counts[found ? 'found' : 'none']++;
    if (!found) continue;
    assert.deepEqual(
      changes.map(({ column, from, to }) => [column, from, to]),
      [['amount', asked, best]],
    );
    assert.deepEqual(row, applicants[index].with(amount, best));
    assert.equal(prediction.to, scoreApplicant(row));
  }
  assert.ok(counts.found > 20 && counts.none > 20, JSON.stringify(counts));
});

test('advice changes only what may change, and only in the allowed direction', async () => {
  const all = await explainAll();
  const may = ['amount', 'income', 'time in job'];
  for (const index of declined) {
    const { found, row } = await adviseApplicant(index, { explanation: all[index], may });
    assert.ok(found, `${index}`);
    assert.ok(scoreApplicant(row) >= 0.5);
    const [income, amount, age, job, ...others] = row;
    const [oldIncome, oldAmount, oldAge, oldJob, ...oldOthers] = applicants[index];
    assert.ok(income >= oldIncome && amount <= oldAmount && job >= oldJob && age === oldAge);
    assert.deepEqual(others, oldOthers);
  }
});

test('no picture has jargon, and each asks a question', async () => {
  const all = await explainAll();
  const groups = applicants.map((row) => (scoreApplicant(row) >= 0.5 ? 'approved' : 'declined'));
  const answerFormat = scoreFormat;
  const pictures = all.flatMap((explanation, index) => [
    renderBarsSVG(explanation, { labels: barLabels(explanation), answerFormat }),
    renderWaterfallSVG(explanation, { labels: waterfallLabels(index), answerFormat }),
    renderComparisonSVG(compare(all[16], explanation), {
      ...{ labels: comparisonLabels([16, index]), answerFormat },
      names: ['one', 'other'],
    }),
  ]);
  for (const index of declined.slice(0, 20)) {
    const result = await adviseApplicant(index, { explanation: all[index], may: ['amount'] });
    pictures.push(renderRecourseSVG(result, { labels: recourseLabels, answerFormat }));
  }
  pictures.push(renderImportanceSVG(summarize(all, { groups }), { labels: summaryLabels, answerFormat }));
  pictures.push(renderSummarySVG(all, { labels: summaryLabels, answerFormat }));
  for (const svg of pictures) {
    const text = svg.replace(/<style>[^]*?<\/style>/g, '').replace(/<[^>]+>/g, ' ');
    assert.doesNotMatch(text, /ridge|gamma|\bgames?\b|\bseed|R²|fidelity|queries|surrogate|\banswer|\bmodel does\b/i);
    assert.match(text, /(Why|How|What|Which)[^?]*\?/);
  }
});

test('recourse is said in a sentence, with units', async () => {
  const [, second] = await explainAll();
  const sentence = (result) => renderRecourseSentence(result, { labels: recourseLabels });
  const advice = (index, explanation) => adviseApplicant(index, { explanation, may: ['amount'] });
  assert.equal(
    sentence(await advice(1, second)),
    'By this scorecard, just enough with amount $17,000 instead of $28,000, if nothing else changes. That is no promise.',
  );
  assert.equal(
    sentence(await advice(16, (await explainAll())[16])),
    'No change of amount alone was found that leads to approval: no value that any of the 200 applicants has is enough. ' +
      'The closest try is still declined: amount $4,500 instead of $16,000.',
  );
});

test('the sentence about both groups names only averages that are sure', () => {
  const feature = (name, contribution, contributionInterval) => ({ name, contribution, contributionInterval });
  const groups = [
    {
      name: 'approved',
      features: [
        feature('income', 0.1, [0.05, 0.15]),
        feature('home', 0.4, [-0.1, 0.9]),
        feature('age', 0.02, [0.01, 0.03]),
      ],
    },
    {
      name: 'declined',
      features: [
        feature('income', -0.1, [-0.2, -0.05]),
        feature('amount', -0.2, [-0.3, -0.1]),
        feature('age', 0.3, [0.2, 0.4]),
      ],
    },
  ];
  const row = (name, value, contribution) => ({ features: [{ name, value, contribution }] });
  // The average income is $35,645, the average amount $13,440.
  const explanations = {
    approved: [row('income', 40000, 0.1), row('income', 50000, 0.2), row('income', 20000, -0.3)],
    declined: [row('amount', 20000, -0.2), row('income', 20000, -0.1)],
  };
  assert.equal(
    describeGroups({ groups }, explanations),
    'What speaks most for the approved: income above average. ' +
      'What speaks most against the declined: amount above average and income below average.',
  );
  const homes = [{ name: 'approved', features: [feature('home', 0.1, [0.05, 0.15])] }];
  const owners = { approved: [row('home', 'own', 0.1), row('home', 'mortgage', 0.1)] };
  assert.match(describeGroups({ groups: homes }, owners), /^What speaks most for the approved: home\. /);
  const bothWays = [row('income', 40000, 0.1), row('income', 20000, 0.1)];
  assert.match(describeGroups({ groups }, { approved: bothWays }), /^What speaks most for the approved: income\. /);
});
