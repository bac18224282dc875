// Tests that pictures say what they mean: reasons and slopes, what is unsure, and what explains nothing, in every rendering.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTable, explainImage, explainRow, explainText } from 'linex';
import {
  renderBarsSVG,
  renderImageRGBA,
  renderSentence,
  renderTerminal,
  renderTextHTML,
  renderTextSVG,
  renderWaterfallSVG,
} from 'linex/render';
import { applicants, categorical, classes, columns, predict } from '../../examples/dashboard/loans.js';
import { labelOfWarning, LABELS } from '../../js/render/labels.js';
import { GERMAN } from '../support/drawing/german-labels.js';
import { brightness, scene } from '../support/scene.js';
import { imageExplanation, review } from '../support/drawing/explanations-to-draw.js';

const formats = { income: { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }, age: { unit: 'years' } };
const table = await describeTable(applicants, { columns, categorical, formats });
/** The applicant with the lowest income of all, whose score is low. */
const poorest = applicants.reduce((least, row) => (row[0] < least[0] ? row : least));
const explainPoorest = (more = {}) =>
  explainRow(poorest, predict, { table, classes, target: 'approved', features: 'all', ...more });
const applicant = await explainPoorest();

const applicantWithout = (...names) =>
  Object.fromEntries(Object.entries(applicant).filter(([name]) => !names.includes(name)));

/** Rows for a model that waves too fast for a line. */
const waves = await describeTable(
  Array.from({ length: 300 }, (_, i) => [3 * Math.sin(i), 3 * Math.cos(7 * i), (i % 17) / 4]),
  { columns: ['pressure', 'speed', 'height'] },
);
const wavy = await explainRow(
  [0.4, 0.3, 2],
  (batch) => Array.from(batch, ([x, y]) => Math.sin(4 * x) * Math.cos(4 * y)),
  {
    table: waves,
  },
);

/** The model looks at one word only. */
const oneWord = (texts) => texts.map((text) => (/love/.test(text) ? [0.9, 0.1] : [0.2, 0.8]));
const tale = await explainText('A moving tale of love', oneWord, { classes: ['romance', 'other'], target: 'romance' });

const plain = (markup) =>
  markup
    .replace(/<style>[^]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
/** The rows of a rendering that name a feature, as text. */
const svgTexts = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)/g)].map(([, text]) => text);
const descOf = (svg) => svg.match(/<desc>([^]*?)<\/desc>/)[1];

test('the lowest income speaks against approval in every rendering that says why', () => {
  const income = applicant.features.find(({ name }) => name === 'income');
  assert.ok(income.weight > 0 && income.contribution < 0);
  const svg = renderBarsSVG(applicant);
  const lines = renderTerminal(applicant).split('\n');
  assert.match(svgTexts(svg)[0], /^Why the 0\.\d\d chance of “approved”\?$/);
  assert.match(
    descOf(svg),
    /income \$15,500 \(average \$35,600\), −0\.\d+, against approved, between −0\.\d+ and −0\.\d+\./,
  );
  assert.match(
    lines.find((line) => line.startsWith('income')),
    /▒│ +−0\.\d+ {2}−0\.\d+ to −0\.\d+/,
  );
  for (const words of [renderSentence(applicant), lines.join(' ').replace(/ +/g, ' '), svgTexts(svg).join(' ')])
    assert.match(words, /Compared with an average case, against approved: income \$15,500/);
  // The bar is on the side of "against", left of the axis, in orange.
  const group = svg.slice(svg.indexOf('>income $15,500<'), svg.indexOf('>amount 4500<'));
  const axis = Number(group.match(/class="linex-line"[^>]*d="M([\d.]+)/)[1]);
  const [, start, length] = group.match(/class="linex-n9"[^>]*d="M([\d.]+) [\d.]+h([\d.]+)/).map(Number);
  assert.ok(start + length <= axis + 3);
  assert.doesNotMatch(group, /class="linex-p\d/);
});

test('the slope of the lowest income is positive, and speaks for nothing', () => {
  const svg = renderBarsSVG(applicant, { view: 'slope' });
  const lines = renderTerminal(applicant, { view: 'slope' });
  const sentence = renderSentence(applicant, { view: 'slope' });
  assert.match(svgTexts(svg)[0], /^What would change the 0\.\d\d chance of “approved”\?$/);
  // 9,220 is the standard deviation of the incomes.
  assert.match(descOf(svg), /per \$9,220 more income, ↑ \+0\.\d+, raises the answer, between \+0\.\d+ and \+0\.\d+\./);
  assert.match(lines, /per \$9,220 more income +│█+ +↑ \+0\.\d+/);
  // A sentence with the amount would read like a goal.
  assert.match(sentence, /Raises the answer: more income, .*After “per”: .*, not a goal\./);
  assert.doesNotMatch(sentence, /9,220/);
  for (const words of [plain(svg), lines.replace(/\s+/g, ' '), sentence]) {
    assert.doesNotMatch(words.replace(/for approved\?/g, ''), /\b(for|against) approved\b|average/);
    assert.match(words, /home not own/);
  }
});

test('a reference row is named, and levels are compared with its levels', async () => {
  const reference = [60000, 4500, 49, 12, 0, 'rent', 'debts'];
  const explained = await explainPoorest({ reference });
  const svg = renderBarsSVG(explained);
  assert.match(
    renderSentence(explained),
    / Compared with the reference case, against approved: time in job 1 .*Only a guess: income\. Too far from what it is compared with\./,
  );
  for (const text of ['reference $60,000', 'reference rent']) assert.ok(svgTexts(svg).includes(text), text);
  assert.match(descOf(svg), /purpose debts \(reference debts\), same as reference, hardly any effect/);
});

test('effects of slopes are not to be added up, and the sentence says so', () => {
  const note = /Each alone: do not add them up\./;
  assert.match(renderSentence(applicant, { view: 'slope' }), note);
  assert.match(descOf(renderBarsSVG(applicant, { view: 'slope' })), note);
  assert.doesNotMatch(renderSentence(applicant), note);
});

test('the sentence counts bars that it does not name', () => {
  // By hand: 0.05 is below a tenth of 0.8, but not below a twentieth; 0.02 is hardly an effect.
  const weights = [0.8, 0.3, 0.05, -0.06, 0.02];
  const features = weights.map((weight, index) => ({
    ...{ index, name: 'abcde'[index], weight, interval: [weight - 0.01, weight + 0.01], signAgreement: 1 },
    ...{ silenced: false, contribution: weight, contributionInterval: [weight - 0.01, weight + 0.01] },
  }));
  const explained = { ...applicantWithout('raw', 'silenced', 'equilibrium', 'rival', 'reference'), features, weights };
  assert.equal(
    renderSentence({ ...explained, target: null }),
    'Raises the answer: a, b, and 1 with less effect. Lowers the answer: d.',
  );
});

test('ranges of a useless fit are not drawn, because the longest line would look strongest', () => {
  const svg = renderBarsSVG(wavy);
  assert.doesNotMatch(svg, /Lines:|class="linex-(ink|muted)" [^>]*d=/);
  assert.ok(svgTexts(svg).includes('pressure 0.4') && svgTexts(svg).includes('unsure'));
  assert.match(descOf(svg), /pressure 0\.4 \([^)]*\), unsure, range unknown\./);
  assert.doesNotMatch(renderTerminal(wavy), /\d to [+−]/);
  // Numbers below it would measure nothing.
  assert.ok(!svgTexts(svg).some((text) => /^[+−]0\.\d/.test(text)));
});

test('quartiles and levels say how many share them', async () => {
  const svg = renderBarsSVG(await explainPoorest({ discretize: 'quartile' }));
  const texts = svgTexts(svg);
  assert.ok(
    texts.some((text) => /^up to \$2\d,\d+, 2\d% have it$/.test(text)),
    texts.join('|'),
  );
  assert.ok(
    texts.some((text) => /^above 45\syears, up to 50\syears, 2\d% have it$/.test(text)),
    texts.join('|'),
  );
  assert.ok(texts.includes('40% have it'));
});

test('words that a model never looks at have no color and no sign, and are not called reasons', () => {
  const html = renderTextHTML(tale);
  const marks = [...html.matchAll(/<mark class="([^"]*)"( data-badge="[^"]*")?[^>]*>(\w+)</g)];
  for (const [, classes, badge, word] of marks)
    if (word === 'love') assert.match(`${classes}${badge}`, /linex-p9 linex-plus data-badge="\+0\.\d+"/);
    else assert.deepEqual([classes, badge], ['linex-word linex-none', undefined], word);
  assert.equal(marks.length, 5);
  const svg = renderTextSVG(tale);
  // One colored chip, and the scale of the legend.
  assert.equal((svg.match(/<path class="linex-p9"/g) ?? []).length, 2);
  assert.equal(renderSentence(tale), 'By this model, “romance” is likelier than “other” (0.1). For romance: “love”.');
  const row = renderTerminal(tale)
    .split('\n')
    .find((line) => line.startsWith('moving'));
  assert.match(row, /^moving +│ +≈ 0 /);
  for (const rendering of [html, svg]) assert.match(rendering, /Without color: unsure, or hardly any effect\./);
  assert.match(html, /<th scope="row">tale<\/th><td>≈ 0, hardly any effect<\/td>/);
});

test('a picture says which class is likelier, if the answers are shares', async () => {
  const likelier = 'By this model, “declined” is likelier (0.78).';
  const sentences = (explained) => [renderSentence(explained), svgTexts(renderBarsSVG(explained))[1]];
  assert.ok(sentences(applicant).every((text) => text.startsWith(likelier)));
  assert.ok(renderTerminal(applicant, { view: 'slope' }).includes(likelier));
  assert.match(renderTextHTML(tale), /By this model, “romance” is likelier than “other” \(0\.1\)\./);
  assert.ok(svgTexts(renderWaterfallSVG(applicant)).includes(likelier));
  const even = { ...applicant, prediction: 0.5, rival: { target: 'declined', prediction: 0.5 } };
  assert.match(renderSentence(even), /^By this model, “declined” is almost as likely \(0\.5\)\./);
  const unnamed = await explainPoorest({ classes: undefined, target: 1 });
  assert.match(renderSentence(unnamed), /^By this model, “class 0” is likelier \(0\.78\)\./);
  // With other answers, nobody knows what is likelier.
  for (const other of [applicantWithout('rival'), wavy]) assert.doesNotMatch(renderSentence(other), /likel/);
});

test('if no feature explains the largest part, that is said first', () => {
  const { rival, ...rest } = applicant;
  assert.equal(rival.target, 'declined');
  const open = { ...rest, prediction: rest.localPrediction - 0.9 };
  for (const text of [renderSentence(open), descOf(renderBarsSVG(open)), svgTexts(renderWaterfallSVG(open)).join(' ')])
    assert.match(text, /The largest part is not explained: −0\.900\. /);
  assert.match(renderSentence(open), /^The largest part/);
  assert.match(renderSentence(rest), /Not explained: −0\.094\.$/);
});

test('a weight whose interval holds zero has no color and no sign, even if nothing was silenced', async () => {
  const features = [
    { index: 0, name: 'heat', weight: 0.9, interval: [-0.2, 2], signAgreement: 0.8, silenced: false },
    { index: 1, name: 'damp', weight: -0.4, interval: [-0.5, -0.3], signAgreement: 1, silenced: false },
  ].map((known) => ({ ...known, contribution: known.weight, contributionInterval: known.interval }));
  const explained = {
    ...applicantWithout('raw', 'silenced', 'equilibrium', 'rival'),
    features,
    weights: [0.9, -0.4],
    target: null,
    prediction: 0.4,
    localPrediction: 0.4,
  };
  const svg = renderBarsSVG(explained);
  assert.doesNotMatch(svg, /class="linex-p\d/);
  assert.match(descOf(svg), /heat, unsure, between −0\.200 and \+2\.000\./);
  assert.match(renderTerminal(explained), /^heat +│ +unsure {2}−0\.200 to \+2\.000/m);
  assert.equal(renderSentence(explained), 'Compared with an average case, lowers the answer: damp. Unsure: heat.');
  const image = imageExplanation(8, 2, () => 0.5, {}, 0);
  const doubtful = {
    ...image,
    features: image.features.map((known, i) => (i ? known : { ...known, interval: [-0.1, 1] })),
  };
  const { data } = renderImageRGBA(doubtful, null, { opacity: 1 });
  const [r, g, b] = data;
  assert.ok(r === g && g === b, 'an unsure segment stays gray');
  assert.ok(data[4 * 7] !== data[4 * 7 + 2], 'a sure one does not');
});

test('faint effects are not painted at full strength, and a poor fit is pale throughout', () => {
  const faint = renderTextHTML({
    ...review,
    features: review.features.map((known) =>
      known.name === 'great' ? { ...known, weight: 0.01, interval: [0.009, 0.011] } : known,
    ),
  });
  assert.match(faint, /class="linex-word linex-none"[^>]*>great</);
  const poor = { ...review, warnings: ['x'], warningCodes: [{ code: 'poor-fit', explained: 0.04 }] };
  const steps = [...renderTextHTML(poor).matchAll(/linex-word linex-[pn](\d)/g)].map(([, step]) => Number(step));
  assert.ok(steps.length > 4 && Math.max(...steps) <= 3, steps.join());
  assert.ok(!/class="linex-[pn][7-9]"/.test(renderBarsSVG(poor)));
});

test('a fit that explains nothing is said to be one, in every rendering', () => {
  const words =
    'These reasons explain 0% of what the model does here: too little to rely on. The answer itself may still be right.';
  const svg = renderBarsSVG(wavy);
  for (const text of [renderSentence(wavy), plain(svg), renderTerminal(wavy).replace(/\s+/g, ' ')])
    assert.ok(text.includes(words), text);
  // It stands before everything else, and nothing has a color.
  assert.equal(svgTexts(svg).slice(1, 3).join(' ').replace(/\s+/g, ' '), words);
  assert.doesNotMatch(svg, /class="linex-[pn]\d/);
  // What is not to be relied on is not put into words.
  assert.equal(renderSentence(wavy), words);
  // The advice is for whoever made the picture.
  assert.doesNotMatch(plain(svg), /kernel|discretize/);
  assert.match(
    plain(renderBarsSVG(wavy, { details: true })).replace(/\s+/g, ' '),
    /try a smaller kernelWidth, .*discretize: 'quartile'/,
  );
});

test('a contribution that is stretched too far is called a guess, and its slope is not', async () => {
  const far = await explainRow([9, 0, 2], (batch) => Array.from(batch, ([x, y]) => x - y), { table: waves });
  assert.match(renderSentence(far), /Only a guess: pressure\. Too far from what it is compared with\./);
  assert.doesNotMatch(renderSentence(far, { view: 'slope' }), /guess/);
  // It is no reason in the sentence, and its bar says what it is.
  assert.doesNotMatch(renderSentence(far), /(raises|lowers) the answer: [^.]*pressure/i);
  assert.ok(svgTexts(renderBarsSVG(far)).some((text) => /^guess, about [+−]\d$/.test(text)));
});

test('no rendering shows jargon, sign agreement or a number of more than six digits unless details are asked for', async () => {
  const sloppy = await explainRow(
    [0.123456789012, 2.000000001, 1 / 3],
    (batch) => Array.from(batch, ([x, y]) => x / 3 + y * y),
    {
      ...{ table: waves, samples: 12 },
    },
  );
  assert.ok(sloppy.warnings.length > 0);
  const shown = [applicant, wavy, sloppy].flatMap((explained) => [
    plain(renderBarsSVG(explained)),
    plain(renderBarsSVG(explained, { view: 'slope' })),
    renderTerminal(explained),
    renderSentence(explained),
  ]);
  shown.push(plain(renderTextSVG(tale)), plain(renderTextHTML(tale).replace(/<details[^]*<\/details>/, '')));
  for (const text of shown) {
    assert.doesNotMatch(text, /ridge|gamma|games?\b|seeds?\b|R²|agree|LINEX|silenced|re-draw|kernel|equilibri|weight/i);
    assert.doesNotMatch(text, /\d[\d.,]{9,}/);
  }
  const technical = renderTextHTML(tale, { details: true });
  assert.match(
    technical,
    /<details class="linex-details" part="details" open=""><summary>Technical details<\/summary>.*LINEX · R² 1\.00/,
  );
  assert.match(renderTextHTML(tale), /<details class="linex-details" part="details"><summary>/);
});

test('the messages of warnings have no number of more than six digits', async () => {
  const messages = [
    wavy,
    await explainPoorest({ samples: 20 }),
    await explainPoorest({ samples: 10, maxRounds: 1, solver: 'path' }),
  ];
  for (const { warnings } of messages) for (const text of warnings) assert.doesNotMatch(text, /\d[\d.,]{7,}/);
});

test('every warning code has words for readers', async () => {
  const { readFileSync } = await import('node:fs');
  const sources = [
    'explain/warnings',
    'solve/solve-samples',
    'explain/maple',
    'explain/shap',
    'neighborhood/compose-images',
  ];
  const codes = sources.flatMap((name) => {
    const source = readFileSync(new URL(`../../js/${name}.js`, import.meta.url), 'utf8');
    return [...source.matchAll(/(?:\bwarning\(\s*|code: )'([a-z-]+)'/g)].map(([, code]) => code);
  });
  const rough = ['few-samples', 'few-coalitions', 'small-ridge', 'mixed-games', 'game', 'draws'];
  assert.equal(new Set(codes).size, 14);
  for (const code of codes) assert.equal(labelOfWarning(code) === 'rough', rough.includes(code), code);
});

test('numbers have the units and digits of their columns, and answers those of the renderer', () => {
  const texts = svgTexts(renderBarsSVG(applicant, { answerFormat: { style: 'percent' } }));
  assert.match(texts[0], /^Why the 21\.7% chance of “approved”\?$/);
  assert.ok(texts.includes('age 49\u00a0years') && texts.some((text) => /^−2\d\.\d%$/.test(text)), texts.join('|'));
  const points = svgTexts(renderBarsSVG(applicant, { answerFormat: { unit: 'points', maximumFractionDigits: 1 } }));
  assert.match(points[0], /^Why 0\.2\u00a0points for approved\?$/);
  assert.throws(
    () => renderBarsSVG(applicant, { answerFormat: { style: 'money' } }),
    /answerFormat must be options of Intl\.NumberFormat/,
  );
  assert.throws(() => renderBarsSVG(applicant, { locale: 'x' }), /locale must be a language tag such as "de", not "x"/);
});

test('an explanation without contributions is drawn as slopes', () => {
  const old = { ...applicant, features: applicant.features.map((known) => ({ ...known, contribution: undefined })) };
  assert.match(renderBarsSVG(old), /What would change/);
  assert.throws(
    () => renderBarsSVG(old, { view: 'contribution' }),
    /view 'contribution' needs features with a contribution/,
  );
  assert.throws(
    () => renderBarsSVG(applicant, { view: 'slopes' }),
    /view must be one of contribution, slope, not "slopes"/,
  );
});

test('features are in the order of their size, or as given', () => {
  const names = (options) =>
    svgTexts(renderBarsSVG(applicant, options)).filter((text) => /^(income|amount|home|age) /.test(text));
  assert.deepEqual(
    names().map((text) => text.split(' ')[0]),
    ['income', 'amount', 'home', 'age'],
  );
  const byColumn = { ...applicant, features: [...applicant.features].sort((a, b) => b.index - a.index) };
  const given = svgTexts(renderBarsSVG(byColumn, { order: 'given' })).filter((text) =>
    /^(income|amount|home|age) /.test(text),
  );
  assert.deepEqual(
    given.map((text) => text.split(' ')[0]),
    ['home', 'age', 'amount', 'income'],
  );
});

test('the line "and … more" is below the numbers of the axis, not on them', () => {
  const weights = Array.from({ length: 2000 }, (_, i) => 0.0162 * (1 + i) ** -0.1);
  const many = {
    ...applicantWithout('raw', 'silenced', 'equilibrium'),
    features: weights.map((weight, index) => ({
      ...{
        index,
        name: `f${index}`,
        weight,
        interval: null,
        signAgreement: null,
        silenced: false,
        contribution: weight,
      },
      contributionInterval: null,
    })),
    weights,
  };
  for (const width of [240, 360, 640]) {
    const found = [...renderBarsSVG(many, { width }).matchAll(/<text [^>]*y="([\d.]+)"[^>]*>([^<]*)/g)];
    const y = (test) => Number(found.find(([, , text]) => test.test(text))[1]);
    assert.ok(y(/^and 1970 more$/) > y(/^0$/) + 10);
  }
});

const GERMAN_TABLE = await describeTable(
  Array.from({ length: 60 }, (_, i) => [15000 + ((i * 7919) % 60000), (i * 7) % 11, i % 3 ? 'Miete' : 'Eigentum']),
  { columns: ['Einkommen', 'Schulden', 'Wohnung'], categorical: ['Wohnung'], formats: { Einkommen: { unit: '€' } } },
);
const GERMAN_DATA =
  /^(Einkommen|Schulden|Wohnung|Miete|Eigentum|bewilligt|ein|schöner|langweiliger|Film|gut|LINEX|LIME|SHAP|R|E)$/i;

/** The words of a rendering that are neither in the German texts nor in the data. */
function strangers(texts) {
  const known = new Set(
    Object.values(GERMAN)
      .join(' ')
      .toLowerCase()
      .match(/\p{L}+/gu),
  );
  const words = texts.join(' ').match(/\p{L}{2,}/gu) ?? [];
  return [...new Set(words.filter((word) => !known.has(word.toLowerCase()) && !GERMAN_DATA.test(word)))];
}

test('a page in German has no English word in HTML, SVG, terminal and the table for screen readers', async () => {
  assert.deepEqual(Object.keys(GERMAN), Object.keys(LABELS), 'every text is translated');
  const german = { labels: GERMAN, locale: 'de' };
  const model = (batch) =>
    batch.rows.map(([income, debt, home]) => income / 1e5 - debt / 40 + (home === 'Miete' ? 0 : 0.2));
  const options = { table: GERMAN_TABLE, classes: ['bewilligt'], features: /** @type {const} */ ('all') };
  const rows = [
    await explainRow([16000, 3, 'Miete'], model, options),
    await explainRow([16000, 3, 'Miete'], model, { ...options, samples: 8 }),
    await explainRow([16000, 3, 'Miete'], model, { ...options, discretize: 'quartile' }),
    await explainRow([16000, 3, 'Miete'], model, { ...options, reference: [50000, 2, 'Eigentum'] }),
    await explainRow([260000, 3, 'Miete'], model, options),
    await explainRow([16000, 3, 'Miete'], () => [1], { ...options, batchSize: 1 }),
    await explainRow([16000, 3, 'Miete'], (batch) => batch.rows.map((row) => Math.sin(row[0])), options),
  ];
  const text = await explainText('Ein schöner langweiliger Film', (texts) =>
    texts.map((one) => Number(/schön/.test(one))),
  );
  const image = await explainImage(scene(4), brightness, { samples: 60, segments: { kind: 'grid', count: 9 } });
  const logit = { ...text, link: 'logit', target: 4 };
  const pictures = [...rows, text, image, logit].flatMap((explained) =>
    ['contribution', 'slope'].flatMap((view) => {
      const how = { ...german, view, details: true, width: 500 };
      return [
        plain(renderBarsSVG(explained, { ...how, width: 2000 })),
        renderBarsSVG(explained, how).match(/aria-label="([^"]*)"/)[1],
        renderTerminal(explained, how),
        renderSentence(explained, { ...german, view }),
      ];
    }),
  );
  for (const explained of [text, logit]) {
    const html = renderTextHTML(explained, { ...german, details: true, styles: false });
    const titles = [...html.matchAll(/title="([^"]*)"/g)].map(([, title]) => title);
    pictures.push(plain(html), ...titles, plain(renderTextSVG(explained, german)));
  }
  assert.deepEqual(strangers(pictures), []);
  assert.match(pictures.join(' '), /Einkommen 16\.000\s€/);
  // The check finds English.
  assert.ok(strangers([renderSentence(rows[0])]).length > 0);
});

test('texts are replaced one by one, and a wrong one is named', () => {
  assert.match(renderBarsSVG(applicant, { labels: { why: 'Why was it declined?' } }), />Why was it declined\?</);
  assert.throws(
    () => renderBarsSVG(applicant, { labels: { whi: 'x' } }),
    /labels has no option "whi"; did you mean "why"/,
  );
  assert.throws(() => renderBarsSVG(applicant, { labels: { why: 5 } }), /labels\.why must be a string, not 5/);
  assert.match(renderBarsSVG(applicant, { labels: { why: '<b>{subject}' } }), /&#60;b&#62;the 0\.22 chance/);
});
